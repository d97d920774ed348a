"""The facts that an answer must state, each with its path into a response (Execution -> Fact).

A value that no response holds is stated with how it is made: `path` is then an operation over records of the call
(edge.plans.derived), so that it can be made again and compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edge.calls import Record
from edge.links.paths import get_path, scalar
from edge.plans.derived import compared_path, computed_path, read_path
from edge.plans.model import Comparison, PlanStep, UserValue
from edge.plans.runner import ExecutedCall, Execution
from edge.specs.model import OutputField, Tool


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of the answer. `path` leads into the records of `call_id` ("records[3].dealAmount") or is "total".

    `operation` says what the value is where no record holds it: count, sum, mean or distinct of the records of a call
    ("sum(records[*].dealAmount)"), max or min for the winner of a comparison ("max(c3:records[0].popCnt;c4:...)"),
    whose `entity` the answer must name.
    """

    step_id: str
    call_id: str
    path: str
    value: str
    label: str
    kind: str
    format: str | None
    unit: str | None
    entity: str | None
    operation: str | None = None


def facts_of(
    steps: Sequence[PlanStep],
    execution: Execution,
    tools: Mapping[str, Tool],
    comparison: Comparison | None = None,
) -> list[Fact]:
    """Return the facts of all steps that are asked about, in the order in which they are stated; the winner last.

    Raises:
        KeyError: a step asks for an output that its tool does not have.
        ValueError: what is compared has no winner.
    """
    facts: list[Fact] = []
    elsewhere = frozenset(s.step_id for s in steps if s.via)
    deciding = {s.when.step for s in steps if s.when}
    for step in steps:
        tool = tools[step.tool_id]
        calls = execution.of(step.step_id)
        for call in calls:
            outer = parent_name(call, execution, tools, elsewhere)
            if step.reducer.computes:
                if not step.asks and step.step_id in deciding and step.reducer.kind == "count":
                    continue  # only whether there are any was asked, and which branch was taken says it
                facts.append(_computed_fact(step, call, tool, outer))
                continue
            for index in call.chosen if step.asks else ():
                alone = len(calls) == 1  # else the parent tells the calls apart
                facts.extend(_record_facts(step, call, index, tool, outer, alone=alone))
    return [*facts, _winner(comparison, steps, execution, tools, elsewhere)] if comparison else facts


def _computed_fact(step: PlanStep, call: ExecutedCall, tool: Tool, entity: str | None) -> Fact:
    reducer = step.reducer
    field = tool.output(reducer.field) if reducer.field else None
    path = computed_path(reducer, call)
    label = field.label if field is not None else tool.noun
    added = field if reducer.kind in ("sum", "mean") else None
    kind, unit = (added.kind, added.unit) if added is not None else ("count", None)
    operation = None if path == "total" else reducer.kind
    return Fact(
        step.step_id, call.call_id, path, call.value or "", label, kind, None, unit, entity, operation
    )  # fmt: skip


def _winner(
    comparison: Comparison,
    steps: Sequence[PlanStep],
    execution: Execution,
    tools: Mapping[str, Tool],
    elsewhere: frozenset[str],
) -> Fact:
    """The fact that says which of the compared values wins; its entity is what the request calls that one."""
    path, call = compared_path(comparison, {s.step_id: s.reducer for s in steps}, execution)
    value = read_path(path, call, execution)
    if value is None:
        raise ValueError(f"no winner: {path}")
    step = next(s for s in steps if s.step_id == call.step_id)
    tool = tools[step.tool_id]
    field = tool.output(comparison.field or step.reducer.field or "")
    entity = said_of(step, steps) if len(comparison.steps) > 1 else parent_name(call, execution, tools, elsewhere)
    label, kind, unit = (field.label, field.kind, field.unit) if field else (tool.noun, "count", None)
    return Fact(
        step.step_id, call.call_id, path, value, label, kind, field.format if field else None, unit, entity,
        comparison.kind,
    )  # fmt: skip


def said_of(step: PlanStep, steps: Sequence[PlanStep]) -> str | None:
    """Return what the user said that sets this branch apart: the first value stated in it that other branches lack."""
    by_id = {s.step_id: s for s in steps}
    behind: dict[str, PlanStep] = {}
    waiting = [step]
    while waiting:
        here = waiting.pop()
        behind[here.step_id] = here
        waiting.extend(by_id[n] for n in here.needs if n not in behind)
    elsewhere = {t for s in steps if s.step_id not in behind for t in stated_texts(s)}
    own = [t for s in steps if s.step_id in behind for t in stated_texts(s)]
    return next((t for t in own if t not in elsewhere), None)


def stated_texts(step: PlanStep) -> list[str]:
    """Return what a request must state for a step: user values, reducers and the value of its condition."""
    texts = [source.text for _, source in step.arguments if isinstance(source, UserValue)]
    texts.extend(step.reducer.texts)
    if step.when and step.when.text:
        texts.append(step.when.text)
    return texts


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


def read_fact(path: str, call: ExecutedCall, execution: Execution | None = None) -> str | None:
    """Return the value that a fact's path leads to in an executed call; None where it leads nowhere.

    A comparison's path reads other calls too, for which it needs the execution.
    """
    return read_path(path, call, execution)
