"""An executed plan becomes an OpenAI chat: parallel calls in one turn, bounded tool results (Execution -> messages)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from edge.calls import Record
from edge.execution.model import typed_arguments
from edge.ids import Json, canonical_json
from edge.links.paths import get_path
from edge.links.transforms import companion
from edge.plans.model import BoundValue, CallPlan, PlanStep
from edge.plans.runner import ExecutedCall, Execution
from edge.specs.model import Tool

WHOLE_RECORDS = 10
USUAL_FIELDS = 8  # the first of every long answer, whatever the plan needs: columns must not give the answer away
SHOWN_RECORDS = 150


def turns_of(plan: CallPlan, execution: Execution) -> list[list[ExecutedCall]]:
    """Return the calls grouped by turn: all calls on one level of the plan can be made at once."""
    level = dict(zip((s.step_id for s in plan.steps), plan.levels, strict=True))
    turns: dict[int, list[ExecutedCall]] = {}
    for call in execution.calls:
        turns.setdefault(level[call.step_id], []).append(call)
    return [turns[n] for n in sorted(turns)]


def chat(
    plan: CallPlan, execution: Execution, tools: Mapping[str, Tool], *, system: str, query: str, answer: str
) -> list[dict[str, Json]]:
    """Return the messages: system, user, then for each turn the calls and their results, then the answer.

    `arguments` of a call is JSON text, every call id is answered once, directly after its turn.
    """
    messages: list[dict[str, Json]] = [
        {"role": "system", "content": system.format(today=plan.today)},
        {"role": "user", "content": query},
    ]
    for turn in turns_of(plan, execution):
        messages.append({"role": "assistant", "content": "", "tool_calls": [_tool_call(c, tools) for c in turn]})
        messages.extend(_tool_result(c, plan, tools[c.tool_id]) for c in turn)
    messages.append({"role": "assistant", "content": answer})
    return messages


def _tool_call(call: ExecutedCall, tools: Mapping[str, Tool]) -> dict[str, Json]:
    tool = tools[call.tool_id]
    arguments = canonical_json(typed_arguments(tool, call.arguments))
    return {"id": call.call_id, "type": "function", "function": {"name": tool.name, "arguments": arguments}}


def _tool_result(call: ExecutedCall, plan: CallPlan, tool: Tool) -> dict[str, Json]:
    content = canonical_json(view(call, plan, tool))
    return {"role": "tool", "tool_call_id": call.call_id, "name": tool.name, "content": content}


def view(call: ExecutedCall, plan: CallPlan, tool: Tool) -> dict[str, Json]:
    """Return what a model sees of an answer: whole records while they are few, else the fields that matter here.

    A long answer is cut to SHOWN_RECORDS rows, the chosen ones always among them; `total` says how many there are.
    """
    records = call.outcome.records
    if len(records) <= WHOLE_RECORDS:
        return {"total": len(records), "records": [_without_nulls(r) for r in records]}
    step = plan.step(call.step_id)
    paths = _paths_that_matter(step, plan, tool)
    shown = _positions(len(records), call.chosen)
    rows: list[Json] = [{p: get_path(records[i], p) for p in paths} for i in shown]
    seen: dict[str, Json] = {"total": len(records), "records": rows}
    return seen if len(shown) == len(records) else {**seen, "shown": len(shown)}


def _paths_that_matter(step: PlanStep, plan: CallPlan, tool: Tool) -> list[str]:
    wanted = [tool.name_field, *step.reducer.fields, *step.asks, *plan.fields_read(step.step_id)]
    for other in plan.steps:
        bound = [s for _, s in other.arguments if isinstance(s, BoundValue) and s.step == step.step_id]
        wanted.extend(companion(s.transform) for s in bound)
    usual = [f.path for f in tool.outputs if not f.private and "[]" not in f.path][:USUAL_FIELDS]
    return list(dict.fromkeys([*usual, *(p for p in wanted if p)]))


def _positions(count: int, chosen: Sequence[int]) -> list[int]:
    if count <= SHOWN_RECORDS:
        return list(range(count))
    first = set(range(SHOWN_RECORDS - min(len(chosen), SHOWN_RECORDS)))
    return sorted(first | set(chosen[:SHOWN_RECORDS]))


def _without_nulls(record: Record) -> dict[str, Json]:
    return {k: v for k, v in record.items() if v is not None}
