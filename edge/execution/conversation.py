"""What a chat shows, read back from its messages alone, and whether trainers can take it (messages -> answers seen)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from edge.calls import Outcome, Record
from edge.ids import Json
from edge.plans.facts import read_fact
from edge.plans.runner import ExecutedCall, Execution

PAGE_RECORDS = 50  # records in one page of what a model is shown
_CALL_ID = re.compile(r"(c\d+)(?:p\d+)?")  # "c3" is the call, "c3p2" the reading of its second page
_NAMED = re.compile(r"\b(c\d+):")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@dataclass(slots=True)
class Shown:
    """What the model saw of one call's answer: how many records there are, and those shown, by position."""

    total: int = 0
    records: dict[int, Record] = field(default_factory=dict[int, Record])

    @property
    def whole(self) -> bool:
        """Whether every record was shown."""
        return len(self.records) >= self.total

    def as_call(self, call_id: str) -> ExecutedCall:
        """Return the call as far as it was seen; records that were not shown hold nothing."""
        records = tuple(self.records.get(i, {}) for i in range(self.total))
        outcome = Outcome("", "", {}, "ok" if records else "empty", "shown", records=records, total=self.total)
        return ExecutedCall(call_id, "", "", {}, outcome, (), ())


def fact_shown(shown: Mapping[str, Shown], call_id: str, path: str) -> str | None:
    """Return the value of a fact, read or computed again from what was shown alone; None where it was not shown."""
    seen = shown.get(call_id)
    wanted = {call_id, *_NAMED.findall(path)}
    if seen is None or not wanted <= set(shown) or ("[*]" in path and not all(shown[c].whole for c in wanted)):
        return None
    calls = {c: shown[c].as_call(c) for c in sorted(wanted)}
    return read_fact(path, calls[call_id], Execution(list(calls.values())))


def nested(record: Mapping[str, Json]) -> Record:
    """Return a shown record with fields under dotted paths ("a.b[].c") put back where the platform has them."""
    whole: Record = {}
    for path, value in record.items():
        *outer, last = path.split(".")
        here = whole
        for name in outer:
            inside = here.setdefault(name.removesuffix("[]"), [{}] if name.endswith("[]") else {})
            here = cast("Record", inside[0] if isinstance(inside, list) else inside)
        here[last] = value
    return whole


def answers_shown(messages: Sequence[Mapping[str, Json]]) -> dict[str, Shown]:
    """Return what was shown of each call, by call id, all its pages together; failed calls are left out."""
    found: dict[str, Shown] = {}
    for message in messages:
        match = _CALL_ID.fullmatch(str(message.get("tool_call_id") or ""))
        if message.get("role") != "tool" or match is None:
            continue
        content = cast("dict[str, Json]", json.loads(str(message["content"])))
        records = content.get("records")
        if not isinstance(records, list):
            continue
        shown = found.setdefault(match.group(1), Shown())
        shown.total = int(str(content["total"]))
        start = (int(str(content.get("page", 1))) - 1) * PAGE_RECORDS
        numbers = cast("list[int]", content.get("numbers") or [start + i + 1 for i in range(len(records))])
        shown.records.update((n - 1, nested(cast("Record", r))) for n, r in zip(numbers, records, strict=True))
    return found


def chat_problems(messages: Sequence[Mapping[str, Json]], offered: Sequence[Mapping[str, Json]]) -> list[str]:
    """Return what a chat template or a trainer would trip over; nothing where it is sound.

    Checked: system, user, then turns of calls answered at once and in order, an answer in words at the end; ids unique,
    names offered and spelled as functions are, arguments JSON objects of declared parameters, contents text.
    """
    names = _declared(offered)
    problems = [f"message {i}: content is no text" for i, m in enumerate(messages) if not _is_text(m.get("content"))]
    roles = [str(m.get("role")) for m in messages]
    if roles[:2] != ["system", "user"] or roles[-1:] != ["assistant"] or messages[-1].get("tool_calls"):
        problems.append("not system, user, ..., answer")
    if not str(messages[-1].get("content") or "").strip():
        problems.append("the last message says nothing")
    seen: set[str] = set()
    rest = list(messages[2:-1])
    while rest:
        turn = rest.pop(0)
        calls = _calls(turn)
        if turn.get("role") != "assistant" or not calls:
            return [*problems, f"a {turn.get('role')} message where calls are due"]
        ids = [str(c.get("id")) for c in calls]
        answered = [str(m.get("tool_call_id")) for m in rest[: len(ids)] if m.get("role") == "tool"]
        if answered != ids:
            return [*problems, f"calls {ids} are answered by {answered}"]
        del rest[: len(ids)]
        problems += [f"id {i} is used twice" for i in ids if i in seen or ids.count(i) > 1]
        seen.update(ids)
        problems += [p for c in calls for p in _call_problems(c, names)]
    return problems


def _calls(turn: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    calls = turn.get("tool_calls")
    return [c for c in calls if isinstance(c, Mapping)] if isinstance(calls, list) else []


def _declared(offered: Sequence[Mapping[str, Json]]) -> dict[str, set[str]]:
    """Return the parameters of each offered function."""
    found: dict[str, set[str]] = {}
    for tool in offered:
        function = cast("Mapping[str, Json]", tool["function"])
        parameters = cast("Mapping[str, Mapping[str, Json]]", function["parameters"])
        found[str(function["name"])] = set(parameters["properties"])
    return found


def _call_problems(call: Mapping[str, Json], names: Mapping[str, set[str]]) -> Iterator[str]:
    function = cast("Mapping[str, Json]", call.get("function") or {})
    name, text = str(function.get("name")), function.get("arguments")
    if not _NAME.fullmatch(name) or name not in names:
        yield f"{name} is not offered"
        return
    try:
        arguments: object = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        yield f"{call.get('id')}: arguments are no JSON object"
        return
    yield from (f"{name} has no parameter {a}" for a in cast("dict[str, Json]", arguments) if a not in names[name])


def _is_text(content: Json) -> bool:
    return isinstance(content, str)
