"""A failed trial is weighed against a call that is known to work: is it the link, or is the world quiet?"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linkparts import FunctionCaller, make_link, make_outcome, make_tool

from edge.calls import Arguments
from edge.links.known_good import KnownGood, Weighing, doubtful
from edge.links.walking import Trial
from edge.specs.model import Parameter

TOOL = make_tool("t", [], [Parameter(n, n, kind="code", required=True) for n in ("id", "key", "day")])
ROWS: list[dict[str, Any]] = [{"a": "1"}]
ID, JOINT = make_link("s", "t", ("x", "id")), make_link("s", "t", ("x", "id"), ("y", "key"))


def failed(link: Any = ID, verdict: Any = "empty", reason: str = "no_data", **arguments: str) -> Trial:
    outcome = replace(make_outcome("t", arguments, [], verdict), reason=reason)
    return Trial(link, TOOL, arguments, 1, outcome, verdict)


def good(*calls: dict[str, str]) -> KnownGood:
    made = KnownGood()
    for call in calls:
        made.add("t", call)
    return made


async def weighed(answer: Any, known: KnownGood, *trials: Trial, limit: int = 100) -> tuple[Any, Any, Weighing]:
    caller, made = FunctionCaller(answer), Weighing(known)
    verdicts, calls = await made.weigh(caller, trials, asyncio.Semaphore(4), limit)
    assert [arguments for _, arguments, _ in calls] == [arguments for _, arguments in caller.asked]
    return verdicts, caller.asked, made


async def test_a_good_value_in_the_same_call_tells_the_link_from_the_day() -> None:
    def answer(_: str, arguments: Arguments) -> Any:
        return ROWS if arguments == {"id": "G", "day": "1"} else []

    known = good({"id": "G", "day": "0"})
    verdicts, asked, _ = await weighed(answer, known, failed(id="B", day="1"))
    assert verdicts == {ID.link_id: "refuted"} and asked == [("t", {"id": "G", "day": "1"})]
    verdicts, asked, _ = await weighed(answer, known, failed(id="B", day="2"))
    assert verdicts == {ID.link_id: "quiet"} and asked == [("t", {"id": "G", "day": "2"})]


@pytest.mark.parametrize(("reason", "asked"), [("invalid_parameter", 1), ("bad_request", 1), ("missing_parameter", 0)])
async def test_a_refusal_with_two_meanings_is_weighed_a_plain_one_is_not(reason: str, asked: int) -> None:
    trial = failed(verdict="structural", reason=reason, id="B", day="1")
    for answer, verdict in ((lambda *_: ROWS, "structural"), (lambda *_: "structural", "quiet")):
        verdicts, calls, _ = await weighed(answer, good({"id": "G", "day": "0"}), trial)
        assert len(calls) == asked and verdicts == ({ID.link_id: verdict} if asked else {})


async def test_values_that_were_good_together_stay_together() -> None:
    known = good({"id": "1", "key": "a"}, {"id": "2", "key": "b", "day": "7"})
    _, asked, _ = await weighed(lambda *_: [], known, failed(JOINT, id="x", key="y", day="7"))
    assert asked == [("t", {"id": "2", "key": "b", "day": "7"})], "the success most like the call otherwise"
    apart = good({"id": "1"}, {"key": "a"})
    assert (await weighed(lambda *_: [], apart, failed(JOINT, id="x", key="y")))[:2] == ({}, [])


async def test_what_is_known_needs_no_call() -> None:
    own = good({"id": "B", "day": "0"}, {"id": "G", "day": "1"})
    verdicts, asked, _ = await weighed(lambda *_: ROWS, own, failed(id="B", day="1"))
    assert (verdicts, asked) == ({ID.link_id: "quiet"}, []), "this very value had records on another day"

    other = make_link("r", "t", ("x", "id"))
    trials = failed(id="B", day="1"), failed(other, id="C", day="1")
    verdicts, asked, made = await weighed(lambda *_: ROWS, good({"id": "G", "day": "0"}), *trials)
    assert verdicts == {ID.link_id: "refuted", other.link_id: "refuted"} and len(asked) == 1
    again = FunctionCaller(lambda *_: [])
    assert (await made.weigh(again, [failed(id="D", day="1")], asyncio.Semaphore(1), 5))[0] == {ID.link_id: "refuted"}
    assert again.asked == []


async def test_without_a_good_value_or_a_call_left_nothing_is_decided() -> None:
    assert (await weighed(lambda *_: ROWS, good(), failed(id="B")))[:2] == ({}, [])
    assert (await weighed(lambda *_: ROWS, good({"id": "G"}), failed(id="B"), limit=0))[:2] == ({}, [])
    succeeded = Trial(ID, TOOL, {"id": "B"}, 1, make_outcome("t", {}, ROWS), "ok")
    assert not doubtful(succeeded) and not doubtful(Trial(ID, TOOL, {}, 1, None, "structural"))


async def test_a_control_that_meets_an_outage_is_made_again() -> None:
    verdicts, _, made = await weighed(lambda *_: "environmental", good({"id": "G"}), failed(id="B"))
    assert verdicts == {ID.link_id: "quiet"} and made.known == {}
    later = FunctionCaller(lambda *_: ROWS)
    assert (await made.weigh(later, [failed(id="C")], asyncio.Semaphore(1), 5))[0] == {ID.link_id: "refuted"}


@given(
    st.lists(st.dictionaries(st.sampled_from("abc"), st.sampled_from("12"), min_size=1), max_size=12),
    st.dictionaries(st.sampled_from("abc"), st.sampled_from("123"), min_size=1),
    st.data(),
)
def test_a_good_call_keeps_the_rest_and_takes_one_success_whole(
    calls: list[dict[str, str]], arguments: dict[str, str], data: Any
) -> None:
    known, bound = good(*calls), tuple(sorted(data.draw(st.sets(st.sampled_from(sorted(arguments)), min_size=1))))
    made = known.instead("t", arguments, bound)
    assert (made is not None) == known.has("t", bound) == any(all(n in c for n in bound) for c in calls)
    if made is not None:
        assert made.keys() == arguments.keys()
        assert all(made[name] == value for name, value in arguments.items() if name not in bound)
        assert any(all(c.get(n) == made[n] for n in bound) for c in calls)
