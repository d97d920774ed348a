"""What a call is expected to decide, and which links are tried for it."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linkparts import make_link, make_tool

from edge.links.choosing import Chooser, Siblings
from edge.links.knowledge import Knowledge
from edge.links.model import Link
from edge.links.posterior import BeliefSettings, prior, update
from edge.links.rounds import ExplorationSettings, Strategy
from edge.links.walking import Observed
from edge.specs.model import Parameter

BELIEF = BeliefSettings()
TOOLS = {
    name: make_tool(name, [], [Parameter("p", "p", kind="code", required=True)], service=name[0])
    for name in ("a1", "a2", "b1", "b2", "b3", "c1")
}
RECORD = [Observed({"x": "1"}, 1)]


def world(
    links: list[Link], *, tried: dict[int, list[Any]] | None = None, strategy: Strategy = "thompson", met: bool = True
) -> Chooser:
    """A chooser over links of which some were tried; all sources have records and all targets have answered."""
    evidence = {x.link_id: prior(x, BELIEF) for x in links}
    knowledge = Knowledge(evidence, 5, records=dict.fromkeys(TOOLS, RECORD), met=set(TOOLS) if met else set())
    for index, verdicts in (tried or {}).items():
        for verdict in verdicts:
            update(evidence[links[index].link_id], verdict, BELIEF, cardinality=1, at="x")
    siblings = Siblings(links, TOOLS)
    for link_id, found in evidence.items():
        siblings.note(link_id, found)
    outgoing: dict[str, list[Link]] = {}
    for link in links:
        outgoing.setdefault(link.source_tool, []).append(link)
    return Chooser(knowledge, TOOLS, siblings, outgoing, ExplorationSettings(strategy=strategy), random.Random(1))


def chosen(chooser: Chooser, links: list[Link], number: int) -> set[str]:
    return {step.link.link_id for step in chooser.starts(links, number)}


ALIKE = [make_link(s, t, ("x", "p")) for s in ("a1", "a2") for t in ("b1", "b2", "b3")]


def test_siblings_tell_of_one_another_and_a_link_counts_once() -> None:
    other = make_link("a1", "b1", ("y", "p"))
    links = [*ALIKE, other]
    fresh = world(links)
    good = world(links, tried={0: ["ok", "ok"], 1: ["ok"]})
    bad = world(links, tried={0: ["empty"], 1: ["structural"]})
    for same in ALIKE[2:]:
        assert bad.chance(same) < fresh.chance(same) - 0.2 < good.chance(same) - 0.4
        assert fresh.chance(other) < good.chance(other) < good.chance(same), "another field: only the tool is the same"
    assert {t.tried for t in good.siblings.tallies.values()} == {0, 1, 2}
    assert sum(t.worked for g, t in good.siblings.tallies.items() if g[0] == "between") == 2


def test_one_call_is_worth_most_where_it_decides_most() -> None:
    chooser = world(ALIKE, tried={0: ["ok"], 1: ["ok", "ok", "ok"], 2: ["refuted", "refuted"]})
    by = [chooser.value(link, 0.6) for link in ALIKE]
    assert by[0] == by[1] == 0 < by[3], "what is verified and likely sound does not change"
    assert 0.02 < chooser.value(ALIKE[0], 0.1) < by[3], "a success against all odds may be luck"
    assert chooser.value(ALIKE[2], 0.05) > chooser.value(ALIKE[3], 0.05), "near the end of its trials"
    assert chooser.value(ALIKE[3], 0.9) > chooser.value(ALIKE[3], 0.3)


def test_of_two_that_would_run_alike_the_one_that_is_meant_comes_first() -> None:
    likely, unlikely = (make_link("a1", "b1", (f, "p"), score=score) for f, score in (("x", 0.9), ("y", 0.3)))
    chooser = world([likely, unlikely])
    assert chooser.value(likely, 0.6) == pytest.approx(3 * chooser.value(unlikely, 0.6))
    assert chooser.value(unlikely, 0.02) > 0.02, "to prune it is worth what it always was"


def test_the_first_records_of_a_tool_are_worth_more_where_links_start_from_it() -> None:
    onward = make_link("b1", "c1", ("x", "p"))
    chooser = world([*ALIKE, onward])
    before = chooser.value(ALIKE[0], 0.5)
    chooser.knowledge.records.pop("b1")
    assert chooser.value(ALIKE[0], 0.5) > before
    chooser.knowledge.records.pop("b2")
    assert chooser.value(ALIKE[1], 0.5) == before, "nothing starts from b2"


def test_outages_make_a_link_wait() -> None:
    chooser = world(ALIKE, tried={0: ["environmental"] * 3})
    assert chooser.value(ALIKE[0], 0.5) < chooser.value(ALIKE[1], 0.5) / 2


def test_a_few_speak_for_many_at_first() -> None:
    chooser = world(ALIKE)
    assert len(chooser.starts(ALIKE, 6)) == 2, "they have one binding between the same services"
    later = world(ALIKE, tried={0: ["ok"], 1: ["ok"]})
    assert len(later.starts(ALIKE, 6)) == 4
    strangers = world([make_link("a1", "b1", (f, "p")) for f in "xyzuvw"], met=False)
    assert len(strangers.starts(strangers.outgoing["a1"], 6)) == 2


def test_settled_unserved_parked_and_exhausted_links_cost_nothing() -> None:
    links = [make_link("a1", t, (f"field {t}", "p")) for t in TOOLS if t != "a1"]
    everything = {x.link_id for x in links}
    assert chosen(world(links), links, 9) == everything

    pruned = world(links, tried={0: ["structural"] * 5})
    assert chosen(pruned, links, 9) == everything - {links[0].link_id}
    unserved = world(links)
    unserved.knowledge.unserved.add(links[1].target_tool)
    assert chosen(unserved, links, 9) == everything - {links[1].link_id}
    exhausted = world(links)
    exhausted.knowledge.exhausted[links[2].link_id] = 1
    assert chosen(exhausted, links, 9) == everything - {links[2].link_id}
    exhausted.knowledge.records["a1"] = RECORD * 2
    assert exhausted.open(links[2]), "there are more records now"
    parked = world(links)
    parked.knowledge.parked["plain"] = 0
    assert chosen(parked, links, 9) == set() and parked.expected(links, 9) == (0, 0)
    parked.knowledge.rounds_done = 1
    assert len(chosen(parked, links, 9)) == len(links)
    parked.knowledge.parked["plain"] = -1
    assert not any(map(parked.open, links)), "parked for good"


def test_a_path_goes_on_where_it_is_worth_no_less_than_another_start() -> None:
    first, onward = make_link("a1", "b1", ("x", "p")), make_link("b1", "c1", ("x", "p"))
    chooser = world([first, onward])
    assert chosen(chooser, [first, onward], 2) == {first.link_id, onward.link_id}
    assert chooser.onward("b1", RECORD) is None, "taken in this round"

    chooser = world([first, onward])
    chooser.knowledge.records.pop("b1")
    assert chosen(chooser, [first, onward], 2) == {first.link_id}
    step = chooser.onward("b1", RECORD)
    assert step is not None and (step.link, step.sources) == (onward, RECORD)
    chooser.taken.clear()
    chooser.bar = 5.0
    assert chooser.onward("b1", RECORD) is None and chooser.onward("c1", RECORD) is None


def test_uniform_choice_looks_at_nothing() -> None:
    links = [make_link("a1", t, (f, "p")) for t in ("b1", "b2") for f in "xyzuvw"]
    counts: Counter[str] = Counter()
    for seed in range(300):
        chooser = world(links, tried={0: ["ok"] * 9, 1: ["refuted"] * 2}, strategy="uniform")
        chooser = replace(chooser, rng=random.Random(seed))
        counts.update(chosen(chooser, links, 4))
    assert len(counts) == 12 and all(60 < n < 145 for n in counts.values()), counts


VERDICTS = st.sampled_from(["ok", "empty", "refuted", "quiet", "structural", "environmental"])


@given(st.floats(0, 1), st.lists(VERDICTS, max_size=8))
def test_values_are_shares_of_a_change(chance: float, verdicts: list[str]) -> None:
    chooser = world(ALIKE, tried={0: verdicts})
    assert 0 <= chooser.value(ALIKE[0], chance) <= 1
    assert 0 < chooser.chance(ALIKE[0]) < 1


@pytest.mark.parametrize("strategy", ["thompson", "uniform"])
def test_the_same_seed_chooses_the_same(strategy: Strategy) -> None:
    runs = [[s.link.link_id for s in world(ALIKE, strategy=strategy).starts(ALIKE, 4)] for _ in range(2)]
    assert runs[0] == runs[1] and runs[0]
