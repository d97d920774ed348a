"""An answer becomes the pages that a model is shown: bounded, in the order in which it would read (call -> rounds)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import cast

from edge.calls import Outcome
from edge.execution.conversation import PAGE_RECORDS
from edge.ids import Json
from edge.links.paths import get_path
from edge.links.transforms import companion
from edge.plans.model import BoundValue, CallPlan, PlanStep
from edge.plans.runner import ExecutedCall
from edge.specs.model import Tool
from edge.specs.schema import function_schema

WHOLE_RECORDS = 10
USUAL_FIELDS = 8  # the first of every long answer, whatever the plan needs: columns must not give the answer away
MOST_PAGES = 6  # nobody reads on; a longer list is shown in excerpts
UNPAGED_RECORDS = 150  # of a tool that gives everything at once
EXCERPT = 20  # records in a piece of a list that is too long to read
_LONG_TEXT = 300
_LONG_LIST = 10


class Unreadable(Exception):
    """What decides the answer lies behind what a model would read."""


def page_name(tool: Tool) -> str | None:
    """Return the parameter under which models ask for a page of a tool, None for a tool that has no pages."""
    if not tool.paginated:
        return None
    name = "page"
    while any(p.name == name for p in tool.offered):
        name += "_"
    return name


def offered_schema(tool: Tool, says: str) -> dict[str, Json]:
    """Return the function that a chat offers: the tool's own, with a page where there are pages (`says` what it is)."""
    schema, name = function_schema(tool), page_name(tool)
    if name is not None:
        function = cast("dict[str, dict[str, dict[str, Json]]]", schema["function"])
        function["parameters"]["properties"][name] = {"type": "integer", "minimum": 1, "description": says}
    return schema


def rounds_of(call: ExecutedCall, plan: CallPlan, tool: Tool) -> list[list[int]]:
    """Return the pages that are read, turn by turn: the first, then the others at once, or one by one in a search.

    Where one named record is looked for, reading ends with its page; a number of records stands on the first page.

    Raises:
        Unreadable: the reducer rests on more records than anybody would read.
    """
    step = plan.step(call.step_id)
    everything, last = _needs_all(step), _last_needed(call, step)
    if in_excerpts(call, step, tool):
        if everything:
            raise Unreadable(f"{tool.tool_id}: {last} records")
        return [[1]]
    pages = max(1, math.ceil(last / PAGE_RECORDS)) if page_name(tool) else 1
    if not everything:
        return [[n] for n in range(1, pages + 1)]
    return [[1], list(range(2, pages + 1))] if pages > 1 else [[1]]


def in_excerpts(call: ExecutedCall, step: PlanStep, tool: Tool) -> bool:
    """Whether what is needed of an answer lies further back than anybody would read."""
    most = MOST_PAGES * PAGE_RECORDS if page_name(tool) else UNPAGED_RECORDS
    return _last_needed(call, step) > most


def _last_needed(call: ExecutedCall, step: PlanStep) -> int:
    """Return how many records must be read until the reducer has what it needs; none where a total tells it."""
    if _needs_all(step):
        return len(call.outcome.records)
    return 0 if step.reducer.kind == "count" else max(call.chosen, default=-1) + 1


def _needs_all(step: PlanStep) -> bool:
    """Whether the reducer says nothing before the last record is read."""
    reducer = step.reducer
    return reducer.within is not None or reducer.kind not in ("only", "all", "filter", "count")


def page_view(call: ExecutedCall, plan: CallPlan, tool: Tool, page: int) -> dict[str, Json]:
    """Return one page of an answer: `total`, where there are several `page` and `pages`, and the records of the page.

    Few records are shown whole, of many the usual fields and those that matter here, under their whole paths. What is
    cut off says so: `truncated` and the `numbers` of the records shown, counted from 1. Of a list that is too long to
    read these are the first and, in a piece with their neighbours, those that are looked for.
    """
    records = call.outcome.records
    count = len(records)
    if count <= WHOLE_RECORDS:
        return {"total": count, "records": [_whole(r) for r in records]}
    step = plan.step(call.step_id)
    paths = _paths_that_matter(step, plan, tool)
    view: dict[str, Json] = {"total": count}
    if in_excerpts(call, step, tool):
        positions = _excerpts(count, call.chosen)
    elif page_name(tool) is None:
        positions = list(range(min(count, UNPAGED_RECORDS)))
    else:
        positions = list(range((page - 1) * PAGE_RECORDS, min(count, page * PAGE_RECORDS)))
        view |= {"page": page, "pages": math.ceil(count / PAGE_RECORDS)} if count > PAGE_RECORDS else {}
    if "page" not in view and len(positions) < count:
        view |= {"truncated": True, "numbers": [i + 1 for i in positions]}
    return {**view, "records": [_whole({p: get_path(records[i], p) for p in paths}) for i in positions]}


def _excerpts(count: int, chosen: Sequence[int]) -> list[int]:
    pieces = sorted({0, *(i // EXCERPT for i in chosen)})
    return [i for n in pieces for i in range(n * EXCERPT, min(count, (n + 1) * EXCERPT))]


def failure_view(outcome: Outcome) -> dict[str, Json]:
    """Return what a model is shown of a call that brought nothing: no records, or the platform's error."""
    if outcome.outcome == "empty":
        return {"total": 0, "records": []}
    error: dict[str, Json] = {"reason": outcome.reason}
    if outcome.status_code is not None:
        error["status"] = outcome.status_code
    if outcome.message:
        error["message"] = _short(outcome.message)
    return {"error": error}


def _paths_that_matter(step: PlanStep, plan: CallPlan, tool: Tool) -> list[str]:
    wanted = [tool.name_field, *step.reducer.fields, *step.asks, *plan.fields_read(step.step_id)]
    for other in plan.steps:
        bound = [s for _, s in other.arguments if isinstance(s, BoundValue) and s.step == step.step_id]
        wanted.extend(companion(s.transform) for s in bound)
    usual = [f.path for f in tool.outputs if not f.private and "[]" not in f.path][:USUAL_FIELDS]
    return list(dict.fromkeys([*usual, *(p for p in wanted if p and not p.startswith("@"))]))


def _whole(record: Mapping[str, Json]) -> dict[str, Json]:
    return {k: _short(v) for k, v in record.items() if v is not None}


def _short(value: Json) -> Json:
    """Return a value with long texts and lists cut, which say so themselves."""
    if isinstance(value, str):
        return value if len(value) <= _LONG_TEXT else f"{value[:_LONG_TEXT]}… ({len(value)})"
    if isinstance(value, Mapping):
        return {k: _short(v) for k, v in value.items() if v is not None}
    if isinstance(value, Sequence):
        rows: list[Json] = [_short(v) for v in value[:_LONG_LIST]]
        return [*rows, f"… ({len(value)})"] if len(value) > _LONG_LIST else rows
    return value
