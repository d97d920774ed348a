"""Rules that a request must satisfy before it is kept (query -> reject reason or None)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from edge.plans.facts import stated_texts
from edge.plans.model import BoundValue, CallPlan
from edge.plans.runner import Execution
from edge.specs.model import Tool
from edge.text import compact

MIN_CHARS, MAX_CHARS = 12, 600
_PERSONAL = re.compile(r"01[016789]-?\d{3,4}-?\d{4}|\d{6}-[1-4]\d{6}|[\w.+-]+@[\w-]+\.[a-z]{2,}")
_DOUBLED = re.compile(r"(\b\S{2,})\s+\1\b|의 의 |  |[{}]|\(으\)|\b(은|는|이|가|을|를)\s+(은|는|이|가|을|를)\b")


def problem_with(query: str, plan: CallPlan, execution: Execution | None, tools: Mapping[str, Tool]) -> str | None:
    """Return why a request cannot be kept, as "reason: detail", or None.

    Checked: length, slots left open, personal data, tool or parameter names, every user value and reducer text stated,
    and no value that only an earlier call can know.
    """
    squeezed = compact(query)
    if not MIN_CHARS <= len(query) <= MAX_CHARS:
        return f"length: {len(query)} characters"
    if _PERSONAL.search(query):
        return "personal_data: looks like a telephone, resident or mail number"
    if match := _DOUBLED.search(query):
        return f"malformed: {match.group(0)!r}"
    for name in _internal_names(plan, tools):
        if name in query:
            return f"leaked_name: {name}"
    for text in _stated(plan):
        if compact(text) not in squeezed:
            return f"missing_slot: {text}"
    for value in _hidden_values(plan, execution):
        if value in query:
            return f"leaked_code: {value}"
    return None


def _internal_names(plan: CallPlan, tools: Mapping[str, Tool]) -> Iterable[str]:
    for step in (*plan.steps, *plan.untaken):
        yield step.tool_id
        yield from (name for name, _ in step.arguments if len(name) > 3 and name.isascii())
        yield from (
            b.path for _, b in step.arguments if isinstance(b, BoundValue) and b.path.isascii() and len(b.path) > 3
        )


def _stated(plan: CallPlan) -> Iterable[str]:
    for step in (*plan.steps, *plan.untaken):
        yield from stated_texts(step)


def _hidden_values(plan: CallPlan, execution: Execution | None) -> Iterable[str]:
    """Values passed between calls that are codes: at least four characters with a digit, not said by the user."""
    if execution is None:
        return
    said = [compact(text) for text in _stated(plan)]
    bound = {(s.step_id, name) for s in plan.steps for name, source in s.arguments if isinstance(source, BoundValue)}
    for call in execution.calls:
        for name, value in call.arguments.items():
            coded = len(value) >= 4 and any(c.isdigit() for c in value)
            if (call.step_id, name) in bound and coded and not any(compact(value) in s for s in said):
                yield value
