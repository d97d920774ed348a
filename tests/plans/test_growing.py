"""Lists too long to read are asked for in part, plans go on behind their last steps, what no row has comes first."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from planworld import PAGED, TO_DETAIL, TO_REGION, World, filler, living, plan_of, shop, shops_step, world_tools
from wireserver import Reply, Seen, rows

from edge.execution.memo import MemoCaller
from edge.links.model import Binding, Link
from edge.plans.choices import VISIBLE
from edge.plans.draft import PlanFailed
from edge.plans.grounding import Grounder, GroundingSettings
from edge.plans.growing import BESIDE_ONE
from edge.plans.model import CallPlan, Reducer, UserValue
from edge.plans.runner import Execution, run_plan
from edge.plans.sense import other_name
from edge.plans.shapes import Blueprint
from edge.plans.steering import NEW_TOOL, novelty, used_by
from edge.specs.model import OutputField, Parameter, Tool

PLAIN = GroundingSettings(branch_share=0.0, several_share=0.0, computed_share=0.0, nearest_share=0.0)
SORTS = ("분식", "잡화", "의류", "서점")
FIRST_PAGE = replace(PAGED, paging=replace(PAGED.paging, max_size=400))  # type: ignore[type-var]


@dataclass
class Crowded(World):
    """One market of many shops, which can be asked for by what they sell; `deaf`: the server does not hear that."""

    deaf: bool = False

    def __post_init__(self) -> None:
        self.shops["M30"] = [{**shop("M30", i), "sortNm": SORTS[i % 4]} for i in range(240)]
        super().__post_init__()

    def answer(self, seen: Seen) -> Reply:
        wanted = seen.query.get("sortNm")
        if wanted and not self.deaf and seen.target.partition("?")[0].endswith("/shops"):
            found = [s for s in self.shops["M30"] if s["sortNm"] == wanted]
            page, size = int(seen.query["pageNo"]), int(seen.query["numOfRows"])
            return Reply(rows(found[(page - 1) * size : page * size], total=len(found)))
        return super().answer(seen)


def crowded_tools(*, by_name: bool = True) -> dict[str, Tool]:
    """Return the tools; the list of shops takes a sort and, so that no shop is picked by name, a name."""
    tools = world_tools("M30")
    entry = tools["portal_shops"]
    more = [Parameter("sortNm", "업종", kind="name")]
    if by_name:
        more.append(Parameter("shopNm", "상호", kind="name"))
    fields = (*entry.outputs, OutputField("sortNm", "업종", kind="name"))
    tools["portal_shops"] = replace(entry, parameters=(*entry.parameters, *more), outputs=fields, profile=FIRST_PAGE)
    return tools


async def ground(
    tools: Mapping[str, Tool], world: World, *, chain: Sequence[Link] = (TO_DETAIL,), out_of: Sequence[Link] = (),
    blueprint: Blueprint | None = None, used: Mapping[str, int] | None = None, seed: int = 1, **more: Any,
) -> tuple[CallPlan, Execution]:  # fmt: skip
    """Ground a chain; the plan runs again from scratch to the same calls."""
    by_source: dict[str, list[Link]] = {}
    for link in out_of:
        by_source.setdefault(link.source_tool, []).append(link)
    async with living(world) as (gateway, _):
        grounder = Grounder(tools, by_source, filler(), replace(PLAIN, **more), used)
        made = await grounder.ground(chain, random.Random(seed), MemoCaller(gateway), blueprint or Blueprint())
        again = await run_plan(made[0].steps, tools, gateway)
    assert [(c.arguments, c.chosen) for c in again.calls] == [(c.arguments, c.chosen) for c in made[1].calls]
    return made


async def test_a_list_too_long_to_read_is_asked_for_in_part() -> None:
    sorts: set[str] = set()
    for seed in range(6):
        plan, execution = await ground(crowded_tools(), Crowded(), seed=seed)
        entry = plan.steps[0]
        given = dict(entry.arguments)["sortNm"]
        assert isinstance(given, UserValue)  # it is said in the request
        assert 1 < len(execution.of("s1")[0].outcome.records) <= VISIBLE
        assert plan.steps[1].junction == "DRV"
        assert entry.reducer.kind != "filter"
        sorts.add(given.value)
    assert len(sorts) > 1


async def test_a_platform_that_does_not_hear_it_is_asked_by_name_or_not_at_all() -> None:
    with pytest.raises(PlanFailed) as caught:  # neither sort nor name shortens the list
        await ground(crowded_tools(), Crowded(deaf=True))
    assert caught.value.reason == "no_reducer"


async def test_what_is_looked_up_is_not_said_beforehand() -> None:
    by_sort = Link("portal_shops", "portal_detail", (Binding("sortNm", "shopId"),), 0.9)
    for seed in range(4):
        with pytest.raises(PlanFailed) as caught:
            await ground(crowded_tools(), Crowded(), chain=[by_sort], seed=seed)
        assert caught.value.reason in ("no_reducer", "detour")


DEEPER = Link("portal_detail", "portal_region", (Binding("areaCd", "rgnCd"),), 0.9)


def deep() -> tuple[dict[str, Tool], World]:
    """Return tools and world where the detail of a shop leads on to a region."""
    tools, world = world_tools("M3"), World()
    detail = tools["portal_detail"]
    tools["portal_detail"] = replace(detail, outputs=(*detail.outputs, OutputField("areaCd", "구역코드", kind="code")))
    for i, one in enumerate(world.details.values()):
        one["areaCd"] = f"12{i:03d}10100"
        world.regions[one["areaCd"]] = {"rgnNm": f"먼동{i}", "popCnt": 700 + i}
    return tools, world


async def test_a_plan_grows_behind_its_last_step_until_it_has_its_calls() -> None:
    tools, world = deep()
    plan, execution = await ground(tools, world, out_of=[DEEPER], blueprint=Blueprint(calls=6))
    assert [s.tool_id for s in plan.steps] == ["portal_shops", "portal_detail", "portal_region"]
    assert plan.widths == (1, 3, 3)
    assert plan.levels == (1, 2, 3)
    assert not plan.steps[1].asks  # what feeds another is a look-up
    assert plan.steps[2].asks
    assert {c.source[0] for c in execution.of("s3") if c.source} == {c.call_id for c in execution.of("s2")}
    small, _ = await ground(tools, world, out_of=[DEEPER], blueprint=Blueprint(calls=4))
    assert small.n_calls == 4
    flat, _ = await ground(tools, world, out_of=[DEEPER], blueprint=Blueprint(calls=9), max_depth=2)
    assert max(flat.levels) == 2


async def test_a_record_that_came_alone_feeds_two_calls_at_most() -> None:
    tools = world_tools("M1")
    tools |= {f"portal_{n}": replace(tools["portal_region"], tool_id=f"portal_{n}", outputs=(
        OutputField("rgnCd", "법정동코드", kind="code"), OutputField("popCnt", f"{n} 인구수", kind="count", unit="명"),
    )) for n in "abcd"}  # fmt: skip
    beside = [replace(TO_REGION, target_tool=f"portal_{n}") for n in "abcd"]
    world = World()
    for region in world.regions.values():
        region.pop("rgnNm")
    plan, _ = await ground(tools, world, chain=[TO_DETAIL], out_of=beside, blueprint=Blueprint(calls=6))
    assert len([s for s in plan.steps if s.parent == "s1"]) == BESIDE_ONE


async def test_what_no_row_has_comes_first() -> None:
    tools = world_tools("M1")
    twin = replace(tools["portal_region"], tool_id="portal_twin")
    tools["portal_twin"] = twin
    to_twin = replace(TO_REGION, target_tool="portal_twin")
    used = {TO_REGION.link_id: 60, "tool:portal_region": 60}
    picked: Counter[str] = Counter()
    for seed in range(12):
        plan, _ = await ground(
            tools, World(), out_of=[TO_REGION, to_twin], blueprint=Blueprint(calls=3), used=used, seed=seed
        )
        picked.update(s.tool_id for s in plan.steps[2:3])
    assert picked["portal_twin"] > picked["portal_region"]


def test_use_is_counted_by_link_tool_and_domain() -> None:
    tools = world_tools()
    one = replace(shops_step("M1", Reducer("only")), link_id=None)
    two = replace(one, step_id="s2", link_id=TO_DETAIL.link_id, tool_id="portal_detail")
    used = used_by([plan_of(one, two), plan_of(one)], tools)
    assert used == {TO_DETAIL.link_id: 1, "tool:portal_shops": 2, "tool:portal_detail": 1, "domain:commerce": 2}
    assert novelty(TO_REGION, used) == NEW_TOOL
    assert novelty(TO_DETAIL, used) == 0.25


def test_one_key_with_two_names_is_another_table_of_codes() -> None:
    def table(name: str) -> Tool:
        made = replace(world_tools()["portal_region"], tool_id=f"portal_{name}", name_field="cdnm")
        return replace(
            made, outputs=(OutputField("cdid", "코드", kind="code"), OutputField("cdnm", "이름", kind="name"))
        )

    link = Link("portal_a", "portal_b", (Binding("cdid", "cdid"),), 0.9)
    day: dict[str, Any] = {"cdid": "1", "cdnm": "주간"}
    assert other_name(link, table("a"), table("b"), day, [{"cdid": "1", "cdnm": "학사"}])
    assert not other_name(link, table("a"), table("b"), day, [{"cdid": "1", "cdnm": "주간"}])
    assert not other_name(link, table("a"), table("b"), day, [{"cdid": "2", "cdnm": "학사"}])
    both: list[Any] = [{"cdid": "1", "cdnm": "학사"}, {"cdid": "1", "cdnm": "석사"}]
    assert not other_name(link, table("a"), table("b"), day, both)  # a list of what the key has
    elsewhere = replace(table("b"), name_field=None)
    assert not other_name(link, table("a"), elsewhere, day, [{"cdid": "1", "cdnm": "학사"}])


async def test_what_is_reached_by_way_of_a_district_is_not_picked_by_name() -> None:
    # A shop leads to its district, whose many flats are a list with names and nothing else to tell them apart by.
    tools, world = world_tools("M1"), Districts()
    flats = (OutputField("flatNm", "단지명", kind="name"), OutputField("shopId", "가게코드", kind="code"))
    tools["portal_region"] = replace(
        tools["portal_region"], outputs=flats, name_field="flatNm", noun="아파트 단지", title="아파트 단지 목록",
        parameters=(Parameter("rgnCd", "시군구코드", required=True, kind="code", format="5"),),
    )  # fmt: skip
    district = Link("portal_shops", "portal_region", (Binding("rgnCd", "rgnCd", "slice:0:5"),), 0.9)
    onward = Link("portal_region", "portal_detail", (Binding("shopId", "shopId"),), 0.9)
    with pytest.raises(PlanFailed) as caught:
        await ground(tools, world, chain=[district, onward])
    assert caught.value.reason == "no_reducer"
    plan, _ = await ground(tools, world, chain=[district])
    assert plan.steps[1].via
    assert plan.steps[1].reducer.kind == "count"


class Districts(World):
    """A world where a district holds twenty flats."""

    def answer(self, seen: Seen) -> Reply:
        if seen.target.partition("?")[0].endswith("/region"):
            found = [
                {"flatNm": f"{name}아파트{i}단지", "shopId": f"S30{i:04d}"}
                for i, name in enumerate("가나다라마바사아자차" * 2)
            ]
            return Reply(rows(found, total=len(found)))
        return super().answer(seen)
