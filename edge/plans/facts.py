"""The facts that an answer must state, each with its path into a response (Execution -> Fact)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edge.calls import Record
from edge.links.paths import get_path, scalar
from edge.plans.model import PlanStep
from edge.plans.runner import ExecutedCall, Execution
from edge.specs.model import OutputField, Tool


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of the answer. `path` leads into the records of `call_id` ("records[3].dealAmount") or is "total"."""

    step_id: str
    call_id: str
    path: str
    value: str
    label: str
    kind: str
    format: str | None
    unit: str | None
    entity: str | None


def facts_of(steps: Sequence[PlanStep], execution: Execution, tools: Mapping[str, Tool]) -> list[Fact]:
    """Return the facts of all steps that are asked about, in the order in which they are stated.

    Raises:
        KeyError: a step asks for an output that its tool does not have.
    """
    facts: list[Fact] = []
    elsewhere = frozenset(s.step_id for s in steps if s.via)
    for step in steps:
        tool = tools[step.tool_id]
        for call in execution.of(step.step_id):
            if step.reducer.kind == "count":
                entity = parent_name(call, execution, tools, elsewhere)
                total = str(len(call.outcome.records))
                facts.append(Fact(step.step_id, call.call_id, "total", total, tool.noun, "count", None, None, entity))
                continue
            for index in call.chosen if step.asks else ():
                outer = parent_name(call, execution, tools, elsewhere)
                alone = len(execution.of(step.step_id)) == 1  # else the parent tells the calls apart
                facts.extend(_record_facts(step, call, index, tool, outer, alone=alone))
    return facts


def _record_facts(
    step: PlanStep, call: ExecutedCall, index: int, tool: Tool, outer: str | None, *, alone: bool
) -> list[Fact]:
    record = call.outcome.records[index]
    named = name_of(tool, record)
    by_name = step.reducer.field is not None and step.reducer.field == tool.name_field
    own = named if by_name or (tool.name_field not in step.asks and len(call.chosen) > 1) else None
    entity = own or (None if tool.name_field in step.asks and alone else outer)
    found: list[Fact] = []
    for path in step.asks:
        field = tool.output(path)
        if field is None:
            raise KeyError(f"{tool.tool_id} has no output {path}")
        value = scalar(get_path(record, path))
        if value is not None:
            found.append(_fact(step, call, index, field, value, entity))
    return found


def _fact(step: PlanStep, call: ExecutedCall, index: int, field: OutputField, value: str, entity: str | None) -> Fact:
    return Fact(
        step.step_id, call.call_id, f"records[{index}].{field.path}", value, field.label, field.kind, field.format,
        field.unit, entity,
    )  # fmt: skip


def name_of(tool: Tool, record: Record) -> str | None:
    """Return what people call a record: its name field, in words where the field holds a code."""
    field = tool.output(tool.name_field) if tool.name_field else None
    value = (scalar(get_path(record, field.path)) or "").strip() if field else ""
    labels = {e.value: e.label for e in field.values} if field else {}
    return labels.get(value, value) or None


def parent_name(
    call: ExecutedCall, execution: Execution, tools: Mapping[str, Tool], elsewhere: frozenset[str]
) -> str | None:
    """Return the name of the record that fed the call, or of the nearest ancestor that has one.

    None once a step in `elsewhere` is passed: what it says is about another thing than its parent's record.
    """
    here = call
    while here.source is not None and here.step_id not in elsewhere:
        parent = execution.call(here.source[0])
        name = name_of(tools[parent.tool_id], parent.outcome.records[here.source[1]])
        if name:
            return name
        here = parent
    return None


def read_fact(path: str, call: ExecutedCall) -> str | None:
    """Return the value that a fact's path leads to in an executed call; None where it leads nowhere."""
    if path == "total":
        return str(len(call.outcome.records))
    head, _, rest = path.partition("].")
    index = head.removeprefix("records[")
    if not index.isdigit() or int(index) >= len(call.outcome.records):
        return None
    return scalar(get_path(call.outcome.records[int(index)], rest))
