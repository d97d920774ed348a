"""What runs and still makes no sense is told from signatures and answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planworld import NOW, shops_tool, world_tool

from edge.links.model import Binding, Link
from edge.links.wording import PROVINCES
from edge.plans.coherence import provinces, regions_agree
from edge.plans.sense import around_itself, cut_short, hangs_in_the_air, in_future, other_identity
from edge.specs.model import OutputField, Parameter

SIDO = Parameter("sidoNm", "시도명", kind="name")
GU = Parameter("sggNm", "시군구명", kind="name")
DONG = Parameter("dongNm", "읍면동명", kind="name")
DONG_10 = Parameter("bjdCd", "법정동코드", kind="code", format="10")


@pytest.mark.parametrize(
    ("parameters", "bound", "hangs"),
    [
        ([SIDO, GU], ["sggNm"], True),
        ([SIDO, GU], ["sidoNm", "sggNm"], False),
        ([SIDO, GU], ["sidoNm"], False),
        ([GU], ["sggNm"], False),
        ([GU, DONG], ["dongNm"], True),
        ([SIDO, GU, DONG_10], ["bjdCd"], False),  # ten digits carry the levels above
        ([SIDO, Parameter("year", "시군구 기준년도", kind="year")], ["year"], False),
    ],
)
def test_a_lower_level_needs_the_one_above(parameters: list[Parameter], bound: list[str], hangs: bool) -> None:
    target = world_tool("t", parameters, [])
    link = Link("portal_shops", target.tool_id, tuple(Binding("x", name) for name in bound), 0.9)
    assert hangs_in_the_air(link, target) is hangs


def test_another_identity() -> None:
    source: dict[str, Any] = {"shopId": "S1234", "short": "12"}
    assert other_identity(source, [{"shopId": "S9999"}], ["shopId"])
    assert not other_identity(source, [{"shopId": "S9999"}, {"shopId": "S1234 "}], ["shopId"])
    assert not other_identity(source, [{"shopId": None}, {}], ["shopId"])
    assert not other_identity(source, [{"short": "99"}], ["short"])  # too short to be an identifier
    assert not other_identity({}, [{"shopId": "S9999"}], ["shopId"])


PERIOD = replace(
    shops_tool("M1"),
    parameters=(
        Parameter("bgnDe", "시작일자", kind="date", format="%Y%m%d"),
        Parameter("endDe", "종료일자", kind="date", format="%Y%m%d"),
    ),
    outputs=(OutputField("openDe", "개업일자", kind="date"),),
)


@pytest.mark.parametrize(
    ("days", "end", "cut"),
    [(range(1, 21), "20260630", False), (range(1, 16), "20260630", True), (range(1, 6), "20260630", False),
     (range(1, 16), "20260620", False)],
)  # fmt: skip
def test_a_period_that_ends_early_was_cut(days: range, end: str, cut: bool) -> None:
    records: list[Any] = [{"openDe": f"202606{day:02d}"} for day in days]
    assert cut_short(PERIOD, {"bgnDe": "20260601", "endDe": end}, records) is cut
    assert not cut_short(PERIOD, {"bgnDe": "20260601"}, records)


def test_what_lies_ahead() -> None:
    assert in_future("20260616", NOW)
    assert in_future("2026-06-15 11:00", NOW)
    assert not in_future("20260615", NOW)
    assert not in_future("없음", datetime(2000, 1, 1))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("서울특별시 중구 다동", {"서울"}),
        ("경기 성남시", {"경기"}),
        ("대전본청", {"대전"}),
        ("서울종로구", {"서울"}),
        ("전라북도 전주시", {"전북"}),
        ("전북특별자치도", {"전북"}),
        ("광주시", set()),
        ("세종대로 110", set()),
        ("중구", set()),
        ("", set()),
    ],
)
def test_provinces_are_read_from_words(text: str, found: set[str]) -> None:
    assert provinces([text]) == found


@given(st.sampled_from(sorted(PROVINCES)), st.sampled_from(sorted(PROVINCES)))
def test_regions_agree_where_they_share_one(left: str, right: str) -> None:
    source: dict[str, Any] = {"a": f"{PROVINCES[left]} 어느구", "b": "7"}
    assert regions_agree(source, [{"x": right}]) is (left == right)
    assert regions_agree(source, [{"x": right}, {"y": left}])
    assert regions_agree(source, [{"x": "어느 동"}])
    assert regions_agree({"b": "7"}, [{"x": right}])


def test_the_chemists_around_a_chemist_are_no_way_on() -> None:
    place = [Parameter("x", "경도", kind="longitude"), Parameter("y", "위도", kind="latitude")]
    chemists = world_tool("chemists", [], [], noun="약국")
    around = world_tool("around", [*place, Parameter("id", "기관코드", kind="code")], [], noun="약국")
    by_place = Link("portal_chemists", "portal_around", (Binding("lon", "x"), Binding("lat", "y")), 0.9)
    assert around_itself(by_place, chemists, around)
    assert not around_itself(by_place, world_tool("stops", [], [], noun="정류소"), around)
    by_code = Link("portal_chemists", "portal_around", (Binding("id", "id"),), 0.9)
    assert not around_itself(by_code, chemists, around)  # more about the same one
    nameless = world_tool("places", [], [], noun="")
    assert not around_itself(by_place, nameless, replace(around, noun=""))
