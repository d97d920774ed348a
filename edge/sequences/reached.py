"""Which records did calls reach, those that decide the answer? (CallPlan, Execution -> records, values)"""

from __future__ import annotations

from collections import Counter

from edge.ids import canonical_json
from edge.plans.gaps import asked_tools
from edge.plans.model import CallPlan
from edge.plans.runner import Execution


def reached(plan: CallPlan, execution: Execution) -> Counter[tuple[str, str]]:
    """Return what the calls of the tools that hold the answer came to, by tool: the records left and values made.

    Ids and order of calls do not matter: two ways to the same records are one to whoever reads the answer.
    """
    asked = set(asked_tools(plan))
    found: Counter[tuple[str, str]] = Counter()
    for call in execution.calls:
        if call.tool_id in asked:
            found.update((call.tool_id, canonical_json(record)) for record in call.records)
            found.update([(call.tool_id, call.value)] if call.value is not None else [])
    return found
