"""Links are followed by fresh calls, and a success is one only where the records hung on the bound values."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import pytest
from link_figures import Rate
from link_sampling import Sample, Sampler, Samples
from linkparts import FunctionCaller, make_link, make_tool

from edge.calls import Arguments, Record, call_key
from edge.links.fillers import Filler, ValuePool
from edge.links.model import Link
from edge.specs.model import OutputField, Parameter

CITIES = [f"{n}" for n in range(11, 21)]
CODE = Parameter("code", "코드", required=True, kind="code")
TOOLS = {
    t.tool_id: t
    for t in (
        make_tool("cities", [OutputField("code", "코드", kind="code")]),
        make_tool("stops", [OutputField("stop", "정류소", kind="code")], [CODE]),
        make_tool("arrivals", [], [Parameter("stop", "정류소", required=True, kind="code")]),
        make_tool("deaf", [], [CODE]),
        make_tool("strict", [], [CODE, Parameter("secret", "암호", required=True, kind="code")]),
        make_tool("silent", [OutputField("x", "x", kind="code")]),
    )
}
TO_STOPS = make_link("cities", "stops", ("code", "code"))
TO_ARRIVALS = make_link("stops", "arrivals", ("stop", "stop"))


def answer(tool_id: str, arguments: Arguments) -> Sequence[Record] | str:
    """Serve the little world: even cities have stops, each stop has arrivals, `deaf` hears nothing."""
    match tool_id:
        case "cities":
            return [{"code": code} for code in CITIES]
        case "stops":
            code = arguments["code"]
            return [{"stop": f"S{code}"}] if code in CITIES and int(code) % 2 == 0 else []
        case "arrivals":
            return [{"bus": arguments["stop"]}] if arguments["stop"][1:] in CITIES else []
        case "deaf":
            return [{"always": "the same"}]
        case _:
            return []


def sampler(
    *, feeding: Sequence[Link] = (), asked: frozenset[str] = frozenset(), unserved: frozenset[str] = frozenset()
) -> tuple[Sampler, FunctionCaller]:
    caller = FunctionCaller(answer)
    filler = Filler(datetime(2026, 6, 15, 10), ValuePool(), lambda _, value: value)
    return Sampler(TOOLS, feeding, filler, caller, asked=asked, unserved=unserved, seed=1), caller


async def verdict(link: Link, **world: object) -> str:
    following, _ = sampler(**world)  # type: ignore[arg-type]
    return (await following.follow([link], 1, "one")).each[0].verdict


async def test_links_end_as_the_world_has_it() -> None:
    following, _ = sampler()
    ended = {(await following.follow([TO_STOPS], 1, f"{n}")).each[0].verdict for n in range(30)}
    assert ended == {"ok", "empty"}, "half of the cities have stops"
    assert await verdict(make_link("cities", "deaf", ("code", "code"))) == "ignored"
    assert await verdict(make_link("cities", "strict", ("code", "code"))) == "unfilled"
    assert await verdict(make_link("silent", "stops", ("x", "code"))) == "no source"
    assert await verdict(make_link("cities", "stops", ("nothing", "code"))) == "structural"
    assert await verdict(TO_STOPS, unserved=frozenset({"stops"})) == "unserved"


async def test_a_source_that_needs_a_link_is_reached_by_one() -> None:
    assert await verdict(TO_ARRIVALS) == "no source"
    assert await verdict(TO_ARRIVALS, feeding=[TO_STOPS]) == "ok"


async def test_the_link_in_question_never_feeds_itself() -> None:
    assert await verdict(make_link("stops", "stops", ("stop", "code")), feeding=[TO_ARRIVALS]) == "no source"
    circle = make_link("stops", "stops", ("stop", "code"))
    assert await verdict(circle, feeding=[circle]) == "no source"


async def test_arguments_that_were_asked_with_are_drawn_again() -> None:
    asked = frozenset(call_key("stops", {"code": code}, False) for code in CITIES[:-1])
    following, caller = sampler(asked=asked)
    await following.follow([TO_STOPS], 1, "one")
    assert next(given for tool_id, given in caller.asked if tool_id == "stops") == {"code": CITIES[-1]}
    following, caller = sampler(asked=asked | {call_key("stops", {"code": CITIES[-1]}, False)})
    assert (await following.follow([TO_STOPS], 1, "one")).each[0].verdict == "asked before"
    assert "stops" not in {tool_id for tool_id, _ in caller.asked}


async def test_the_same_seed_draws_the_same_calls() -> None:
    links = [make_link("cities", target, ("code", "code")) for target in ("stops", "deaf", "strict")]
    runs: list[tuple[Samples, list[object]]] = []
    for _ in range(2):
        following, caller = sampler(feeding=[TO_STOPS])
        runs.append((await following.follow(links, 2, "name"), list(caller.asked)))
    assert runs[0] == runs[1]
    assert len(runs[0][0].each) == 2


@pytest.mark.parametrize(
    ("verdicts", "rate", "of_all"),
    [
        (("ok", "empty", "ignored", "structural"), Rate(1, 4), Rate(1, 4)),
        (("ok", "no source", "unfilled", "asked before", "environmental", "unserved"), Rate(1, 1), Rate(1, 6)),
        ((), Rate(0, 0), Rate(0, 0)),
    ],
)
def test_what_was_not_executed_is_no_failure(verdicts: tuple[str, ...], rate: Rate, of_all: Rate) -> None:
    samples = Samples(tuple(Sample(TO_STOPS, each) for each in verdicts))
    assert (samples.rate, samples.of_all) == (rate, of_all)
