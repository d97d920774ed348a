"""The agenda: what plan numbers are to be, the least planned first, whatever became of the others."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from planworld import world_tool

from edge.links.model import Binding, Link
from edge.plans.routes import Route
from edge.plans.shapes import Shape
from edge.plans.steering import FEEDS, MOST_OF_A_DOMAIN, Agenda, Feed

DOMAINS = {
    "weather": 40,
    "law": 10,
    "finance": 10,
    "labour": 6,
    "tourism": 6,
    "energy": 4,
    "culture": 4,
    "transport": 4,
}
TOOLS = {
    t.tool_id: t
    for domain, count in DOMAINS.items()
    for t in (world_tool(f"{domain}{i}", [], [], domain=domain) for i in range(count))
}
LINKS = [
    Link("portal_entry", tool_id, (Binding(f"p{n}", "q"),), 0.9)
    for tool_id in TOOLS
    for n in range(1 + len(tool_id) % 3)
]
TOOLS["portal_entry"] = world_tool("entry", [], [], domain="entry")
SHARES: dict[Shape, float] = {"chain": 0.7, "compare": 0.2, "decide": 0.1}
FED: tuple[Feed, ...] = ("one", "few", "many")


def agenda(seed: int = 1, shares: dict[Shape, float] | None = None) -> Agenda:
    def route(link: Link, rng: random.Random, planned: Counter[str]) -> Route | None:
        return Route((link,)) if rng.random() < 0.9 else None

    def fits(shape: Shape, link: Link) -> bool:
        return shape != "decide" or link.target_tool.startswith("portal_law")

    fed = {x.link_id: FED[i % 3] for i, x in enumerate(LINKS)}
    return Agenda(
        LINKS, TOOLS, SHARES if shares is None else shares, route=route, fits=fits, feed=lambda x: fed[x.link_id],
        seed=seed,
    )  # fmt: skip


def test_numbers_depend_on_the_seed_and_those_before() -> None:
    first, again = agenda(), agenda()
    assert again[120] == first[120]  # asked for at once or one by one
    assert [first[i] for i in range(121)] == [again[i] for i in range(121)]
    assert [agenda(2)[i] for i in range(20)] != [first[i] for i in range(20)]


def test_shapes_keep_their_shares_and_fit_their_links() -> None:
    found = agenda()
    items = [found[i] for i in range(200)]
    shapes = Counter(i.blueprint.shape for i in items)
    assert {s: round(shapes[s] / 200, 2) for s in SHARES} == pytest.approx(SHARES, abs=0.01)
    assert all(i.last.target_tool.startswith("portal_law") for i in items if i.blueprint.shape == "decide")
    assert all((i.blueprint.calls > 0) == (i.blueprint.shape != "compare") for i in items)
    sizes = Counter(i.blueprint.calls for i in items if i.blueprint.calls)
    assert set(sizes) == set(range(2, 15))
    assert sum(n * c for n, c in sizes.items()) / sizes.total() > 6


def test_no_domain_swamps_the_rest_and_every_link_has_its_turn() -> None:
    found = agenda(shares={"chain": 1.0})
    items = [found[i] for i in range(300)]
    domains = Counter(TOOLS[i.last.target_tool].domain for i in items)
    assert set(domains) == set(DOMAINS)
    assert domains["weather"] / 300 <= MOST_OF_A_DOMAIN + 0.06  # of 48 % of the links
    assert len({i.last.target_tool for i in items}) > 0.9 * (len(TOOLS) - 1)
    assert len({i.last.link_id for i in items}) > 0.6 * len(LINKS)  # a third of them is fed by one record alone
    most = Counter(i.last.link_id for i in items).most_common(1)[0][1]
    assert most <= 12


def test_most_plans_are_fed_by_lists() -> None:
    fed = {x.link_id: FED[i % 3] for i, x in enumerate(LINKS)}
    found = agenda(shares={"chain": 1.0})
    seen = Counter(fed[found[i].last.link_id] for i in range(300))
    assert seen["many"] > seen["few"] > seen["one"]
    assert seen["one"] / 300 <= FEEDS["one"] + 0.1


def test_without_links_there_is_nothing_to_plan() -> None:
    empty = Agenda([], TOOLS, SHARES, route=lambda *_: None, fits=lambda *_: True, feed=lambda _: "one", seed=1)
    assert not empty
    with pytest.raises(IndexError):
        empty[0]
