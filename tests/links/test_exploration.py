"""Calling tells sound links from wrong ones: over real sockets, through the gateway."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest
from linkparts import FunctionCaller, make_link, make_outcome, make_tool
from linkserver import DAY, LINKS, TOOLS, client, platform

from edge.calls import Arguments, Outcome, Record
from edge.execution.memo import MemoCaller
from edge.links.exploration import ExplorationSettings, Explorer, RoundReport
from edge.links.fillers import Filler, ValuePool
from edge.links.model import Evidence, Rest
from edge.links.suppliers import Suppliers
from edge.links.walking import Observed, bind, says_unserved
from edge.settings import Settings
from edge.specs.model import EnumValue, OutputField, Parameter, Tool

AS_OF = "2026-06-15T01:35:00+00:00"
NAMES = {link.link_id: name for name, link in LINKS.items()}


def explorer(seed: int = 0, *, links: Any = None, tools: Any = None, **settings: Any) -> Explorer:
    filler = Filler(datetime(2026, 6, 15, 10, 35), ValuePool(), lambda _, value: value)
    chosen = replace(ExplorationSettings(paths=40, rounds=12), **settings)
    return Explorer(tools or TOOLS, links or LINKS.values(), filler, chosen, seed=seed, as_of=AS_OF)


async def explored(seed: int = 0, **settings: Any) -> tuple[Explorer, dict[str, Evidence], dict[str, int]]:
    """Explore the small platform to the end."""
    made = explorer(seed, **settings)
    async with platform() as served, client(served) as gateway:
        caller = MemoCaller(gateway)
        await made.enter(caller)
        for _ in range(made.settings.rounds):
            if (await made.round(caller)).done:
                break
        asked = dict(served.asked)
    return made, {NAMES[x.link.link_id]: x.evidence for x in made.learned()}, asked


def states(evidence: dict[str, Evidence]) -> dict[str, str]:
    return {name: e.status for name, e in evidence.items()}


EXPECTED = {
    "right": "verified",
    "onward": "verified",
    "share": "verified",
    "foreign id": "pruned",
    "name as id": "pruned",
    "price": "verified",
    "price by name": "pruned",
    "price by share": "pruned",
    "no field": "pruned",
    "ignored": "pruned",
    "broken": "candidate",
    "broken too": "candidate",
    "never reached": "candidate",
}


async def test_links_end_where_they_belong_and_blame_stays_where_it_is_due() -> None:
    _, evidence, _ = await explored()
    assert states(evidence) == EXPECTED
    for name in ("right", "share", "onward", "price"):
        e = evidence[name]
        assert (e.structural_failures, e.empties) == (0, 0), f"{name} never failed itself"
        assert e.first_executed_at == e.last_executed_at == AS_OF and e.successes >= 1
    assert evidence["right"].cardinalities and set(evidence["right"].cardinalities) == {12}
    for name in ("broken", "broken too"):
        assert evidence[name].environmental_failures > 3 and evidence[name].trials == 0
    for name in ("foreign id", "name as id", "price by name", "price by share"):
        assert (evidence[name].successes, evidence[name].structural_failures) == (0, 0)
        assert evidence[name].empties <= 6, "known-good values had records where these had none"
    for name in ("no field", "ignored"):
        assert evidence[name].structural_failures >= 3 and evidence[name].successes == 0
    untouched = evidence["never reached"]
    assert untouched.trials + untouched.environmental_failures == 0, "no records to start from"


async def test_no_identical_call_is_made_twice() -> None:
    _, _, asked = await explored()
    assert {target: n for target, n in asked.items() if n > 1 and "/broken" not in target} == {}
    assert len(asked) > 30


async def test_concurrency_and_repetition_change_nothing() -> None:
    runs = [await explored(3, concurrency=n) for n in (1, 16, 16)]
    first, *others = [{name: asdict(e) for name, e in evidence.items()} for _, evidence, _ in runs]
    assert all(other == first for other in others)
    pools = [run.filler.pool for run, _, _ in runs]
    assert pools[0] == pools[1] == pools[2]
    assert [list(p.outputs) for p in pools[1:]] == [list(pools[0].outputs)] * 2
    left = [asdict(run.state()) for run, _, _ in runs]
    assert all(state["figures"].pop("seconds") > 0 for state in left)
    assert left[0] == left[1] == left[2]


@pytest.mark.parametrize("seed", [1, 2])
async def test_another_seed_ends_in_the_same_states(seed: int) -> None:
    assert states((await explored(seed))[1]) == EXPECTED


async def test_a_round_reports_and_the_last_one_says_done() -> None:
    links = [LINKS["right"], LINKS["name as id"]]
    made = explorer(links=links)
    assert (await made.round(FunctionCaller(lambda *_: []))).done, "nothing to start from"
    async with platform() as served, client(served) as gateway:
        assert await made.enter(gateway) == 2, "corps and news need no argument"
        reports = []
        while not reports or not reports[-1].done:
            reports.append(await made.round(MemoCaller(gateway)))
            assert len(reports) < 20
    assert all(r.candidate + r.verified + r.pruned == 2 for r in reports)
    assert [r.trials for r in reports] == sorted(r.trials for r in reports)
    assert (reports[-1].verified, reports[-1].pruned) == (1, 1)


async def test_an_operation_that_is_not_served_is_asked_a_few_times_and_its_links_stay_candidates() -> None:
    retired = make_tool("retired", [], [Parameter(n, n, kind="code", required=True) for n in ("corp", "share")])
    dead = [
        make_link("corps", "retired", (a, "corp"), (b, "share"))
        for a, b in (("corp", "share"), ("share", "corp"), ("name", "share"), ("region", "corp"))
    ]
    made = explorer(links=[*LINKS.values(), *dead], tools=[*TOOLS, retired])
    async with platform() as served, client(served) as gateway:
        caller = MemoCaller(gateway)
        await made.enter(caller)
        for _ in range(made.settings.rounds):
            await made.round(caller)
        asked = sum(n for target, n in served.asked.items() if "retired" in target)
    assert made.unserved == {"retired"} and 1 <= asked <= made.settings.first_calls + made.settings.paths // 4
    assert {made.evidence[link.link_id].status for link in dead} == {"candidate"}
    assert states({NAMES[k]: e for k, e in made.evidence.items() if k in NAMES}) == EXPECTED


def test_a_missing_record_is_not_a_missing_operation() -> None:
    by_path = make_tool("item", [], [Parameter("no", "no", kind="code", location="path", required=True)])
    by_query = make_tool("list", [], [Parameter("no", "no", kind="code")])
    gone = replace(make_outcome("x", {}, [], "structural"), reason="not_found")
    assert says_unserved(by_query, gone) and not says_unserved(by_path, gone)
    assert says_unserved(by_path, replace(gone, reason="unknown_operation"))
    assert not says_unserved(by_query, replace(gone, reason="invalid_parameter"))


async def test_a_path_stops_at_the_link_that_fails() -> None:
    """corps -> shares gives records, shares -> filings does not: the first is a success, the second gets the blame."""
    chain = [LINKS["share"], LINKS["onward"]]
    made = explorer(links=chain)
    answers = {"corps": [{"corp": "X", "share": "S1"}], "shares": [{"corp": "X"}], "filings": [], "news": []}
    await made.enter(FunctionCaller(lambda t, _: answers.get(t, "environmental")))
    caller = FunctionCaller(lambda t, a: answers[t] if a != {"share": "S6"} else [])
    for _ in range(4):
        await made.round(caller)
    share, onward = (made.evidence[x.link_id] for x in chain)
    assert share.successes > 0 and share.empties == 0
    assert onward.empties > 0 and onward.successes == 0


async def test_what_follows_an_ignored_link_is_not_learned() -> None:
    ignored, after = make_link("corps", "news", ("corp", "about")), make_link("news", "filings", ("@about", "corp"))
    made = explorer(links=[ignored, after], paths=1)
    answers = {"corps": [{"corp": "C"}], "news": [{"no": "1"}], "filings": []}
    made.evidence[after.link_id].successes = 1  # it must not be started from, only walked into
    await made.enter(FunctionCaller(lambda t, _: answers[t] if t == "corps" else "environmental"))
    await made.round(FunctionCaller(lambda t, _: answers[t]))
    assert made.evidence[ignored.link_id].structural_failures == 1
    assert made.evidence[after.link_id].empties == 0


TWO = make_tool(
    "two",
    [],
    [Parameter("corp", "c", kind="code", required=True), Parameter("key", "k", kind="code", required=True)],
)


async def test_what_cannot_be_filled_is_nobody_s_fault() -> None:
    target, link = TWO, make_link("corps", "two", ("corp", "corp"))
    made = explorer(links=[link], tools=[TOOLS[0], target])
    rows: list[Record] = [{"corp": "C1"}]
    caller = FunctionCaller(lambda *_: rows)
    await made.enter(caller)
    await made.round(caller)
    found = made.evidence[link.link_id]
    assert (found.trials, found.environmental_failures, len(caller.asked)) == (0, 0, 1)


async def test_what_is_left_to_the_pool_waits_for_values_and_then_runs() -> None:
    """What nobody can say and no field of the source has comes from what another tool of the service gave out."""
    keys = make_tool("keys", [OutputField("key", "k", kind="code")])
    link = replace(make_link("corps", "two", ("corp", "corp")), rest=(Rest("key", "value_pool"),))
    corps: list[Record] = [{"corp": f"C{n}"} for n in range(3)]

    def answer(tool: str, arguments: Arguments) -> list[Record]:
        if tool == "two":
            good = arguments.get("key") in ("K1", "K2") and str(arguments["corp"]).startswith("C")
            return [{"said": arguments["corp"]}] if good else []
        return corps if tool == "corps" else [{"key": "K1"}, {"key": "K2"}]

    for tools, state in (([TOOLS[0], TWO], "candidate"), ([TOOLS[0], TWO, keys], "verified")):
        made = explorer(links=[link], tools=tools)
        made.filler.suppliers = Suppliers(tools)
        caller = FunctionCaller(answer)
        await made.enter(caller)
        while not (await made.round(caller)).done:
            pass
        found = made.evidence[link.link_id]
        assert (found.status, found.environmental_failures) == (state, 0)
        called = [arguments["key"] for tool, arguments in caller.asked if tool == "two"]
        assert bool(called) == (state == "verified")


async def test_a_closed_day_is_held_against_nobody() -> None:
    """Only closed days: a link that works by monday has neither trial nor success, and no link is pruned."""
    closed = replace(DAY, enum=DAY.enum[:1])
    tools = [replace(t, parameters=(t.parameters[0], closed)) if t.tool_id == "prices" else t for t in TOOLS]
    links = [LINKS[name] for name in ("price", "price by name", "price by share")]
    made = explorer(tools=tools, links=links)
    made.knowledge.weighing.good.add("prices", {"corp": "C000", "day": "monday"})
    async with platform() as served, client(served) as gateway:
        await made.enter(gateway)
        for _ in range(6):
            await made.round(MemoCaller(gateway))
    for link in links:
        e = made.evidence[link.link_id]
        assert (e.status, e.trials) == ("candidate", 0) and e.environmental_failures > 1


async def test_a_tool_that_refuses_everybody_says_nothing_of_links_and_one_that_answers_others_does() -> None:
    link = LINKS["right"]
    for others, status in (([], "candidate"), ([LINKS["onward"]], "pruned")):
        made = explorer(links=[link, *others, LINKS["share"]])

        def answer(tool: str, arguments: Arguments) -> list[Record] | str:
            if tool == "filings":
                return [{"no": "1"}] if arguments["corp"].startswith("good") else "structural"
            return [{"corp": f"{'good' if tool == 'shares' else 'bad'}{n}", "share": f"{n}"} for n in range(9)]

        caller = FunctionCaller(answer)
        await made.enter(caller)
        for _ in range(8):
            await made.round(caller)
        assert made.evidence[link.link_id].status == status
        assert made.evidence[link.link_id].environmental_failures == (0 if others else 8) or others


async def test_budgets_are_kept() -> None:
    for limit in (0, 1, 3, 9, 20):
        made = explorer(max_calls=limit)
        async with platform() as served, client(served) as gateway:
            caller = MemoCaller(gateway)
            await made.enter(caller)
            reports = [await made.round(caller) for _ in range(9)]
            assert sum(served.asked.values()) == made.calls == reports[-1].calls <= limit
        assert reports[-1].end in ("calls spent", "nothing to start from")
    made = explorer(max_seconds=0.0)
    async with platform() as served, client(served) as gateway:
        await made.enter(gateway)
        report = await made.round(gateway)
    assert (report.trials, report.end) == (0, "time spent")


async def test_a_platform_without_quota_is_left_alone_and_its_links_stay_what_they_are() -> None:
    made = explorer(links=[LINKS["right"], LINKS["share"]])
    held = {"filings": "quota_parked", "shares": "circuit_open"}

    class Held(FunctionCaller):
        async def call(self, tool: Tool, arguments: Arguments, *, all_pages: bool = False) -> Outcome:
            outcome = await super().call(tool, arguments)
            return replace(outcome, reason=held.get(tool.tool_id, outcome.reason))

    tools = {t.tool_id: replace(t, platform=t.tool_id) for t in TOOLS}
    made = explorer(links=[LINKS["right"], LINKS["share"]], tools=list(tools.values()))
    rows: list[Record] = [{"corp": "C1", "share": "S1"}]
    caller = Held(lambda tool, _: "environmental" if tool in held else rows)
    await made.enter(caller)
    before = asdict(made.state())["evidence"]
    counts: list[int] = []
    reports: list[RoundReport] = []
    for _ in range(4):
        reports.append(await made.round(caller))
        counts.append(len(caller.asked))
    assert asdict(made.state())["evidence"] == before
    assert [b - a for a, b in pairwise(counts)] == [0, 1, 0], "shares come again after a round, filings do not"
    assert made.calls == counts[0] - 2 and made.knowledge.parked["filings"] == -1
    assert reports[-1].trials == 0


async def test_it_ends_when_little_is_left_to_learn() -> None:
    made = explorer(links=[LINKS["right"], LINKS["name as id"]])
    async with platform() as served, client(served) as gateway:
        await made.enter(gateway)
        reports = [await made.round(MemoCaller(gateway))]
        while not reports[-1].done:
            reports.append(await made.round(MemoCaller(gateway)))
    assert reports[0].expected > reports[-1].expected == 0 and len(reports) < 8
    eager = explorer(links=[LINKS["right"], LINKS["name as id"]], least_change=0.9)
    async with platform() as served, client(served) as gateway:
        await eager.enter(gateway)
        assert (await eager.round(gateway)).end == "little left to learn"


async def test_the_same_call_is_no_new_evidence() -> None:
    """One record, one value: an empty answer counts once however many rounds there are."""
    link = LINKS["name as id"]
    made = explorer(links=[link], least_change=0.0)
    rows: list[Record] = [{"corp": "C1", "name": "N1"}]
    caller = FunctionCaller(lambda tool, _: rows if tool == "corps" else [])
    await made.enter(caller)
    for _ in range(6):
        await made.round(caller)
    assert made.evidence[link.link_id].empties == 1
    assert len([1 for tool, _ in caller.asked if tool == "filings"]) == 1


async def test_a_value_is_judged_once_whatever_the_rest_of_the_call() -> None:
    """Three values, each asked on any day: three empties at most, and no more calls for them."""
    link = LINKS["price by name"]
    rows: list[Record] = [{"corp": f"C{n}", "name": f"N{n % 3}"} for n in range(50)]
    open_days = replace(DAY, enum=tuple(EnumValue(str(n), str(n)) for n in range(20)))
    tools = [replace(t, parameters=(t.parameters[0], open_days)) if t.tool_id == "prices" else t for t in TOOLS]
    made = explorer(links=[link], tools=tools, least_change=0.0)
    made.knowledge.weighing.good.add("prices", {"corp": "C000", "day": "1"})
    caller = FunctionCaller(lambda tool, a: rows if tool == "corps" or a.get("corp") == "C000" else [])
    await made.enter(caller)
    for _ in range(9):
        await made.round(caller)
    asked = [a["corp"] for tool, a in caller.asked if tool == "prices" and a["corp"] != "C000"]
    assert sorted(asked) == ["N0", "N1", "N2"] and made.evidence[link.link_id].empties == 3


async def test_identifiers_of_the_right_kind_are_sparse_and_foreign_ones_are_refuted() -> None:
    """Reviews exist of few filings; another tool of the service knows them all. No review is of these companies."""
    tools = [make_tool(n, [], [Parameter("no", "no", kind="code", required=True)]) for n in ("detail", "review")]
    detail, review = (make_link("corps", t.tool_id, ("corp", "no")) for t in tools)
    foreign = make_link("corps", "review", ("name", "no"))
    made = explorer(links=[detail, review, foreign], tools=[TOOLS[0], *tools], least_change=0.0)
    made.knowledge.weighing.good.add("review", {"no": "R1"})
    made.records["review"] = [Observed({"no": "R1"}, 1)]
    rows: list[Record] = [{"corp": f"C{n}", "name": f"N{n}"} for n in range(20)]

    def answer(tool: str, arguments: Arguments) -> list[Record]:
        number = arguments.get("no", "")
        known = number[:1] == "C" if tool == "detail" else number == "R1"
        return rows if tool == "corps" else [{"no": number}] * known

    caller = FunctionCaller(answer)
    await made.enter(caller)
    for _ in range(12):
        await made.round(caller)
    assert made.evidence[detail.link_id].status == "verified"
    assert (made.evidence[review.link_id].status, made.evidence[review.link_id].empties) == ("candidate", 7)
    assert made.evidence[foreign.link_id].status == "pruned"


async def test_values_that_worked_elsewhere_come_first_once_a_link_has_failed() -> None:
    """Of 200 companies two have filings, which another link has shown."""
    rows: list[Record] = [{"corp": f"C{n:03}"} for n in range(200)]
    link = LINKS["right"]
    made = explorer(links=[link], kept_records=200)
    made.filler.pool.add_accepted("filings", "corp", "C150")
    caller = FunctionCaller(lambda tool, a: rows if tool == "corps" or a.get("corp") == "C150" else [])
    await made.enter(caller)
    for _ in range(2):
        await made.round(caller)
    asked = [arguments["corp"] for tool, arguments in caller.asked if tool == "filings"]
    assert asked[0] != "C150" and asked[1] == "C150" and made.evidence[link.link_id].status == "verified"


def test_all_bindings_read_one_record() -> None:
    link = make_link("a", "b", ("x", "p"), ("code", "q", "slice:0:2"), ("@year", "y"))
    assert bind(link, {"x": 1, "code": "1168", "@year": "2026"}) == {"p": "1", "q": "11", "y": "2026"}
    assert bind(link, {"x": 1, "code": "1", "@year": "2026"}) is None
    assert bind(link, {"x": 1, "code": "1168"}) is None


async def test_private_values_stay_out_of_the_pool_and_few_records_are_kept() -> None:
    tool = make_tool("people", [OutputField("id", "번호"), OutputField("phone", "전화", private=True)])
    made = explorer(links=[make_link("people", "people", ("id", "id"))], tools=[tool], kept_records=5)
    records: list[Record] = [{"id": str(n), "phone": "010"} for n in range(1000)]
    await made.enter(FunctionCaller(lambda *_: records))
    assert set(made.filler.pool.outputs) == {("people", "id")}
    assert [o.record["id"] for o in made.records["people"]] == ["0", "200", "400", "600", "800"]
    assert {o.cardinality for o in made.records["people"]} == {1000}


def test_an_outcome_for_tests_is_like_a_real_one() -> None:
    assert make_outcome("t", {}, [{"a": "1"}]).ok and make_outcome("t", {}, []).outcome == "empty"


def test_settings_of_the_environment_are_those_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    section = Settings.model_validate({}).exploration
    assert ExplorationSettings.of(section, rounds=16, paths=600) == ExplorationSettings()
    monkeypatch.setenv("EDGE_EXPLORATION_MIN_TRIALS", "5")
    monkeypatch.setenv("EDGE_EXPLORATION_MAX_CALLS", "7")
    changed = ExplorationSettings.of(Settings.model_validate({}).exploration, rounds=1, paths=2)
    assert (changed.belief.min_trials, changed.max_calls, changed.rounds, changed.paths) == (5, 7, 1, 2)
