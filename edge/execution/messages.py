"""An executed plan becomes an OpenAI chat: parallel calls in one turn, answers page by page (Execution -> messages)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from edge.execution.model import Failure, typed_arguments
from edge.execution.showing import failure_view, page_name, page_view, rounds_of
from edge.ids import Json, canonical_json
from edge.plans.model import CallPlan
from edge.plans.runner import ExecutedCall, Execution
from edge.specs.model import Tool


@dataclass(frozen=True, slots=True)
class _Spoken:
    """One call of a turn and its answer, as messages have them."""

    call_id: str
    name: str
    arguments: Mapping[str, Json]
    content: Mapping[str, Json]

    @property
    def call(self) -> dict[str, Json]:
        function: dict[str, Json] = {"name": self.name, "arguments": canonical_json(dict(self.arguments))}
        return {"id": self.call_id, "type": "function", "function": function}

    @property
    def result(self) -> dict[str, Json]:
        # How many there are, and which page this is, is read before the records.
        content = ",".join(f"{canonical_json(name)}:{canonical_json(value)}" for name, value in self.content.items())
        content = f"{{{content}}}"
        return {"role": "tool", "tool_call_id": self.call_id, "name": self.name, "content": content}


def turns_of(plan: CallPlan, execution: Execution) -> list[list[ExecutedCall]]:
    """Return the calls grouped by turn: all calls on one level of the plan can be made at once."""
    level = dict(zip((s.step_id for s in plan.steps), plan.levels, strict=True))
    turns: dict[int, list[ExecutedCall]] = {}
    for call in execution.calls:
        turns.setdefault(level[call.step_id], []).append(call)
    return [turns[n] for n in sorted(turns)]


def chat(
    plan: CallPlan,
    execution: Execution,
    tools: Mapping[str, Tool],
    *,
    system: str,
    query: str,
    answer: str,
    failures: Sequence[Failure] = (),
) -> list[dict[str, Json]]:
    """Return the messages: system, user, then turns of calls and their results, then the answer.

    `arguments` of a call is JSON text, every call id is answered once, directly after its turn. The calls of a level
    are made in one turn; what failed is repaired, and further pages are read, in the turns after it.

    Raises:
        Unreadable: what decides the answer lies behind what a model would read.
    """
    failed = {f.call_id: f for f in failures}
    messages = opening(plan.today, system=system, query=query)
    for level in turns_of(plan, execution):
        scripts = [_script(c, plan, tools[c.tool_id], failed.get(c.call_id)) for c in level]
        for turn in zip_longest(*scripts, fillvalue=()):
            spoken = [one for part in turn for one in part]
            messages.append({"role": "assistant", "content": "", "tool_calls": [one.call for one in spoken]})
            messages.extend(one.result for one in spoken)
    messages.append({"role": "assistant", "content": answer})
    return messages


def opening(today: str, *, system: str, query: str) -> list[dict[str, Json]]:
    """Return the messages before the first turn."""
    return [{"role": "system", "content": system.format(today=today)}, {"role": "user", "content": query}]


def _script(call: ExecutedCall, plan: CallPlan, tool: Tool, failure: Failure | None) -> list[Sequence[_Spoken]]:
    """Return what is said for one call, turn by turn: the failure, the first page, the pages after it."""
    given = typed_arguments(tool, call.arguments)
    rounds: list[Sequence[_Spoken]] = []
    if failure is not None:
        wrong = typed_arguments(tool, failure.arguments)
        rounds.append([_Spoken(failure.message_id, tool.name, wrong, failure_view(failure.outcome))])
    for pages in rounds_of(call, plan, tool):
        rounds.append([_page(call, plan, tool, given, n) for n in pages])
    return rounds


def _page(call: ExecutedCall, plan: CallPlan, tool: Tool, given: Mapping[str, Json], number: int) -> _Spoken:
    seen, name = page_view(call, plan, tool, number), page_name(tool)
    if number == 1 or name is None:
        return _Spoken(call.call_id, tool.name, given, seen)
    return _Spoken(f"{call.call_id}p{number}", tool.name, {**given, name: number}, seen)
