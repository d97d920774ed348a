"""Chains lead back to where a person can start, at best the way on which a link succeeded."""

from __future__ import annotations

import random

from edge.links.model import Binding, Evidence, LearnedLink, Link, Proof
from edge.plans.routes import Routes

CITY_TO_LIST = Link("cities", "list", (Binding("code", "city"),), 0.9)
LIST_TO_ITEM = Link("list", "item", (Binding("id", "id"),), 0.9)
ITEM_TO_MAP = Link("item", "map", (Binding("key", "key"),), 0.9)
OTHER_TO_ITEM = Link("other", "item", (Binding("id", "id"),), 0.9)
FIRST = Proof({"region": "서울"}, {"city": "11"})
SECOND = Proof({"city": "11"}, {"id": "A7"})
THIRD = Proof({"id": "A7"}, {"key": "k"})


def learned(link: Link, proof: Proof | None) -> LearnedLink:
    return LearnedLink(link, Evidence(2.0, 1.0, successes=1, status="verified", proof=proof))


def routes(*links: LearnedLink, most: int = 4, entries: tuple[str, ...] = ("cities",)) -> Routes:
    return Routes(links, most, entries.__contains__, lambda tool, told: tool in entries and "region" in told)


KNOWN = (learned(CITY_TO_LIST, FIRST), learned(LIST_TO_ITEM, SECOND), learned(ITEM_TO_MAP, THIRD))


def test_a_proven_route_goes_back_to_what_a_person_can_say() -> None:
    found = routes(*KNOWN).proven(ITEM_TO_MAP)
    assert found is not None
    assert found.chain == (CITY_TO_LIST, LIST_TO_ITEM, ITEM_TO_MAP)
    assert found.proven == {
        "cities": {"region": "서울"},
        "list": {"city": "11"},
        "item": {"id": "A7"},
        "map": {"key": "k"},
    }


def test_no_route_where_the_call_before_is_not_told() -> None:
    broken = (KNOWN[0], learned(LIST_TO_ITEM, Proof({"city": "26"}, {"id": "A7"})), KNOWN[2])
    assert routes(*broken).proven(ITEM_TO_MAP) is None
    assert routes(*KNOWN, most=2).proven(ITEM_TO_MAP) is None
    assert routes(learned(CITY_TO_LIST, None)).proven(CITY_TO_LIST) is None


def test_drawn_routes_only_go_where_an_entry_is_in_reach() -> None:
    """A way back into a tool that nobody can start at and nothing leads to is none."""
    graph = routes(*KNOWN, learned(OTHER_TO_ITEM, None))
    for seed in range(20):
        found = graph.drawn(ITEM_TO_MAP, random.Random(seed), lambda links: links[-1])
        assert found is not None
        assert found.chain == (CITY_TO_LIST, LIST_TO_ITEM, ITEM_TO_MAP)
        assert not found.proven
    assert graph.reaches(ITEM_TO_MAP)
    assert not graph.reaches(OTHER_TO_ITEM)
