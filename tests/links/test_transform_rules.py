"""Formats, kinds and enumerations of two signatures say which transforms are tried; what nobody knows is not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linkparts import make_tool, output_fields, parameters

from edge.embedding import LexicalEmbedder
from edge.links.candidates import propose
from edge.links.checking import problem_of
from edge.links.evidence_rules import fits
from edge.links.offline_scorer import feasibility_variables, offline_feasibility
from edge.links.transform_rules import projections, transforms_for
from edge.links.transforms import apply, known
from edge.llm.answers import BindingAnswer
from edge.specs.model import EnumValue, OutputField, Parameter

X, Y = OutputField("entX", "X", kind="projected_x"), OutputField("entY", "Y", kind="projected_y")
EAST, NORTH = OutputField("lon", "경도", kind="longitude"), OutputField("lat", "위도", kind="latitude")
LABELS = Path(__file__).parents[3] / "shared" / "facts" / "labelled_links.json"


def in_system(system: str | None, *fields: Any) -> tuple[Any, ...]:
    return tuple(type(f)(**{n: getattr(f, n) for n in f.__slots__} | {"format": system}) for f in fields)


def enum(**words: str) -> tuple[EnumValue, ...]:
    return tuple(EnumValue(value.lstrip("_"), label) for value, label in words.items())


def offered(field: OutputField, parameter: Parameter) -> list[str | None]:
    return [t for t, _ in transforms_for(field, parameter)]


@pytest.mark.parametrize(
    ("fields", "parameter", "expected"),
    [
        (in_system("EPSG:5179", X, Y), Parameter("mapX", "경도", kind="longitude"),
         [("entX", "project_x:5179:WGS84:entY")]),
        (in_system("EPSG:5174", X, Y), Parameter("mapY", "위도", kind="latitude", format="WGS84"),
         [("entY", "project_y:5174:WGS84:entX")]),
        ((EAST, NORTH), Parameter("x", "X", kind="projected_x", format="KATEC"),
         [("lon", "project_x:WGS84:KATEC:lat")]),
        (in_system("EPSG:5181", X, Y), Parameter("y", "Y", kind="projected_y", format="EPSG:5186"),
         [("entY", "project_y:5181:5186:entX")]),
        (in_system("EPSG:5181", X, Y), Parameter("y", "Y", kind="projected_y", format="EPSG:5181"), []),
        (in_system("TM", X, Y), Parameter("mapX", "경도", kind="longitude"), []),
        (in_system(None, X, Y), Parameter("mapX", "경도", kind="longitude"), []),
        ((EAST, NORTH), Parameter("tmX", "X", kind="projected_x", format="TM"), []),
        (in_system("EPSG:5179", X), Parameter("mapX", "경도", kind="longitude"), []),
        ((*in_system("EPSG:5179", X), *in_system("EPSG:5181", Y)), Parameter("mapX", "경도", kind="longitude"), []),
        ((*in_system("EPSG:5179", X, Y), EAST, NORTH), Parameter("mapX", "경도", kind="longitude"), []),
    ],
)  # fmt: skip
def test_coordinates_are_projected_where_both_systems_are_known_and_differ(
    fields: tuple[OutputField, ...], parameter: Parameter, expected: list[tuple[str, str]]
) -> None:
    assert projections(fields, parameter) == expected
    assert [(f.path, f.transform) for f in fits(fields, parameter, same_service=False) if f.transform] == expected


def test_coordinates_of_a_record_belong_together() -> None:
    """Two places of one record, as start and end: each x goes with the y beside it."""
    names = ("sx", "sy", "ex", "ey")
    fields = tuple(OutputField(n, n, kind=f"projected_{n[1]}", format="KATEC") for n in names)  # type: ignore[arg-type]
    found = projections(fields, Parameter("x", "경도", kind="longitude"))
    assert found == [("sx", "project_x:KATEC:WGS84:sy"), ("ex", "project_x:KATEC:WGS84:ey")]


def test_metres_of_one_system_never_stand_for_those_of_another() -> None:
    field, wanted = in_system("EPSG:5174", X)[0], Parameter("entX", "X", kind="projected_x", format="EPSG:5179")
    assert [f.transform for f in fits((field,), wanted, same_service=True)] == []
    same = Parameter("entX", "X", kind="projected_x", format="EPSG:5174")
    assert [f.transform for f in fits((field,), same, same_service=True)] == [None]


def test_a_place_in_metres_is_found_and_bound_to_one_in_degrees() -> None:
    """From retrieval to a checked binding set: what a document says of its system is all that is needed."""
    source = make_tool("address", in_system("EPSG:5179", X, Y))
    target = make_tool(
        "around",
        (OutputField("title", "이름", kind="name"),),
        (Parameter("mapX", "경도", required=True, kind="longitude"),
         Parameter("mapY", "위도", required=True, kind="latitude")),
    )  # fmt: skip
    assert [(p.source, p.target) for p in propose([source, target], LexicalEmbedder()) if p.similarity > 0.5] == [
        ("address", "around")
    ]
    answer = offline_feasibility(feasibility_variables(source, [target])).pairs[0]
    best = answer.candidates[0]
    assert problem_of(source, target, best.bindings) == ""
    record = {"entX": "953936.490342", "entY": "1952031.884833"}
    assert [apply(b.transform, record, b.source_path) for b in best.bindings] == ["126.9784000", "37.5665000"]


@pytest.mark.parametrize(
    ("field", "parameter", "expected"),
    [
        # a word becomes its code
        (OutputField("lvl", "특보수준", kind="name"),
         Parameter("lvl", "특보수준", kind="code", enum=enum(_1="주의", _2="경보")), {None, "map:주의=1,경보=2"}),
        # two systems of codes meet in their labels
        (OutputField("cls", "구분", kind="code", values=enum(Y="유가증권", K="코스닥")),
         Parameter("mrkt", "구분", kind="code", enum=enum(_01="유가증권", _02="코스닥", _03="코넥스")),
         {None, "map:Y=01,K=02"}),
        # a code becomes its word
        (OutputField("area", "지역", kind="code", values=enum(_11="서울", _26="부산")),
         Parameter("area", "지역", kind="name"), {None, "map:11=서울,26=부산"}),
        # the same codes need no table
        (OutputField("cls", "구분", kind="code", values=enum(Y="유가증권", K="코스닥")),
         Parameter("cls", "구분", kind="code", enum=enum(Y="유가증권", K="코스닥")), {None}),
        # labels that share nothing say nothing
        (OutputField("a", "구분", kind="code", values=enum(_1="맑음", _2="흐림")),
         Parameter("a", "구분", kind="code", enum=enum(_1="주의", _2="경보")), {None}),
        # names of provinces come long and short
        (OutputField("sidoNm", "시도", kind="name"),
         Parameter("zcode", "시도", kind="code", enum=enum(_11="서울", _26="부산")),
         {None, "map:서울=11,부산=26", "province_short|map:서울=11,부산=26"}),
        (OutputField("siNm", "시도", kind="name"),
         Parameter("sidoName", "시도명", kind="name", enum=enum(서울="서울", 부산="부산")), {None, "province_short"}),
        # words around a number
        (OutputField("ERACO", "대수", kind="code"),
         Parameter("AGE", "대수", kind="code", enum=enum(_22="제22대", _21="제21대")),
         {None, "map:제22대=22,제21대=21"}),
        (OutputField("AGE", "대수", kind="code"),
         Parameter("ERACO", "대수", kind="code", enum=enum(제22대="제22대", 제21대="제21대")), {None, "wrap:제:대"}),
        # lengths
        (OutputField("adongCd", "행정동코드", kind="code", format="8"),
         Parameter("areaNo", "지역코드", kind="code", format="10"), {None, "wrap::00"}),
        (OutputField("roadNo", "노선번호", kind="code", format="2"),
         Parameter("routeNo", "노선번호", kind="code", format="4"), {None, "pad:4"}),
        (OutputField("roadNo", "도로번호", kind="code", format="2"),
         Parameter("routeNo", "노선번호", kind="code", format="4"), {None}),
        (OutputField("bizno", "사업자등록번호", kind="code"), Parameter("b_no", "사업자번호", kind="code", format="10"),
         {None, "digits"}),
        # dates and times
        (OutputField("d", "기준일", kind="date", format="%Y%m%d"),
         Parameter("endBasDt", "기준일", kind="date", format="%Y%m%d", description="기준일자가 검색값보다 작은 것"),
         {None, "date_shift:1:%Y%m%d"}),
        (OutputField("baseTime", "발표시각", kind="time", format="%H%M"),
         Parameter("base_time", "발표시각", kind="time", enum=enum(_0200="2시", _0500="5시")),
         {None, "floor:0200,0500"}),
        (OutputField("tm", "발표시각", kind="datetime", format="%Y%m%d%H%M"),
         Parameter("base_time", "발표시각", kind="time", enum=enum(_0200="2시", _0500="5시")),
         {None, "date:%H%M|floor:0200,0500"}),
        # the district of an address
        (OutputField("addr", "주소", kind="address"), Parameter("sgg", "시군구", kind="name", format="district"),
         {None, "in_province|first_word"}),
        # amounts written for people
        (OutputField("amt", "금액", kind="amount"), Parameter("amt", "금액", kind="amount"), {None, "number"}),
        (OutputField("amt", "금액", type="integer", kind="amount"), Parameter("amt", "금액", kind="amount"), {None}),
    ],
)  # fmt: skip
def test_what_is_tried(field: OutputField, parameter: Parameter, expected: set[str | None]) -> None:
    assert set(offered(field, parameter)) == expected
    assert len(offered(field, parameter)) == len(expected)


def test_tables_reach_the_scorer_through_the_prompt() -> None:
    source = make_tool("warnings", (OutputField("level", "특보 수준", kind="name"),))
    switch = Parameter("level", "특보 수준", required=True, kind="code", enum=enum(_1="주의", _2="경보"))
    target = make_tool("actions", (), (switch,))
    answer = offline_feasibility(feasibility_variables(source, [target])).pairs[0]
    assert answer.candidates[0].bindings == [
        BindingAnswer(source_path="level", target_parameter="level", transform="map:주의=1,경보=2")
    ]


def test_a_list_too_long_for_a_table_is_none() -> None:
    many = tuple(EnumValue(f"{n:03}", f"곳{n}") for n in range(200))
    assert offered(OutputField("a", "곳", kind="name"), Parameter("b", "곳", kind="code", enum=many)) == [None]


@given(output_fields(), parameters())
def test_all_that_is_proposed_is_known_and_weighed(field: OutputField, wanted: Parameter) -> None:
    found = transforms_for(field, wanted)
    assert all(known(t) and 0.0 < weight <= 1.0 for t, weight in found)
    assert len({t for t, _ in found}) == len(found) and None in {t for t, _ in found}


@given(st.lists(output_fields(), max_size=6, unique_by=lambda f: f.path), parameters())
def test_all_projections_are_known(fields: list[OutputField], wanted: Parameter) -> None:
    assert all(known(t) for _, t in projections(fields, wanted))


# The labels' remedies that change a value: what stood in the record, the transform, what the platform takes.
FIXES = {
    "cut to 8": ("202606151230", "date:%Y%m%d", "20260615"),
    "append 00": ("11680640", "wrap::00", "1168064000"),
    "strip A": ("A005930", "drop_letter", "005930"),
    "last trading day + 1": ("20260612", "date_shift:1:%Y%m%d", "20260613"),
    "minus one": ("1", "add:-1", "0"),
    "short name table": ("서울특별시", "province_short", "서울"),
    "reproject": ("198022.084582704", "project_x:5174:WGS84:y", "126.9784000"),
    "reproject 5179→4326": ("953936.490342", "project_x:5179:WGS84:y", "126.9784000"),
    "floor to the last valid slot": ("0430", "floor:0200,0500,0800", "0200"),
}
# The others take another field, argument, row or tool: bindings and plans say so, not transforms.
ELSEWHERE = {
    "another field or argument": {"crno", "stationName", "nodeid", "use lDongRegnCd of the row",
                                  "keep the routeId that was sent"},
    "a switch that follows what is bound": {"inqryDiv=2"},
    "another row": {"region_type=B row"},
    "another tool": {"getParmacyBassInfoInqire", "GetCtyAcctoTrainSttnList", "getCorpOutline_V2 bzno", "sea zone list",
                     "getOnlineElectronicBookAuthorList_v2", "station table FCT_ID",
                     "station table joins WRN_ID and FCT_ID"},
    "none": {"none in this service", "match on name + address"},
}  # fmt: skip


@pytest.mark.skipif(not LABELS.is_file(), reason="needs the reference folder ../shared")
def test_every_labelled_remedy_is_a_transform_or_none_of_their_business() -> None:
    labelled = {x["fix"] for x in json.loads(LABELS.read_text(encoding="utf-8")) if x["fix"]}
    assert labelled == FIXES.keys() | set.union(*ELSEWHERE.values())


@pytest.mark.parametrize("fix", FIXES)
def test_remedies(fix: str) -> None:
    value, transform, expected = FIXES[fix]
    y = "451579.842188204" if "5174" in transform else "1952031.884833"
    assert known(transform)
    assert apply(transform, {"x": value, "y": y}, "x") == expected
