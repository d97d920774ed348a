"""What means something only together is bound together, from one record."""

from __future__ import annotations

import pytest
from hypothesis import given
from linkparts import signatures

from edge.links.binding_sets import ScoredSet, binding_sets
from edge.links.joint import Group, groups
from edge.links.transform_rules import AXES
from edge.specs.model import EnumValue, OutputField, Parameter

NONE: frozenset[str] = frozenset()


def names(scored: ScoredSet) -> set[str]:
    return {b.target_parameter for b in scored.bindings}


def code(name: str, label: str, digits: str | None = None, *, required: bool = False) -> Parameter:
    return Parameter(name, label, kind="code", format=digits, required=required)


PROVINCE, DISTRICT, TOWN = code("sido", "시도코드", "2"), code("sgg", "시군구코드", "3"), code("emd", "읍면동코드", "3")
BEGIN, END = Parameter("fromDt", "시작일", kind="date"), Parameter("toDt", "종료일", kind="date")


def test_the_groups_of_a_signature() -> None:
    east, north = Parameter("mapX", "경도", kind="longitude"), Parameter("mapY", "위도", kind="latitude")
    cells = Parameter("nx", "격자 X", kind="grid"), Parameter("ny", "격자 Y", kind="grid")
    found = groups([TOWN, BEGIN, east, DISTRICT, END, north, PROVINCE, *cells])
    assert {g.names for g in found} == {("mapX", "mapY"), ("nx", "ny"), ("sido", "sgg", "emd"), ("fromDt", "toDt")}
    assert [g.names for g in found if g.levels] == [("sido", "sgg", "emd")]


def test_what_is_alone_or_of_unknown_company_is_no_group() -> None:
    """One coordinate, two districts, an end before a beginning, ends of other kinds."""
    assert groups([Parameter("mapX", "경도", kind="longitude"), PROVINCE, BEGIN]) == []
    assert groups([DISTRICT, code("other", "시군구코드", "3"), PROVINCE]) == []
    assert groups([END, BEGIN]) == []
    assert groups([BEGIN, Parameter("toYm", "종료월", kind="month")]) == []


@pytest.mark.parametrize(
    ("bound", "required", "expected"),
    [
        ((), (), True),
        (("sido",), (), True),
        (("sido", "sgg"), (), True),
        (("sgg",), (), False),
        (("sido", "emd"), (), False),
        (("sido",), ("sgg",), False),
        (("sido", "sgg"), ("sido", "sgg"), True),
        ((), ("sido", "sgg"), True),
    ],
)
def test_a_level_needs_those_above(bound: tuple[str, ...], required: tuple[str, ...], expected: bool) -> None:
    assert Group(("sido", "sgg", "emd"), levels=True).holds(bound, required) is expected


def test_a_code_that_holds_the_levels_above_stands_alone() -> None:
    """The five digits of a district begin with those of its province."""
    full = code("zscode", "시군구코드", "5")
    group = groups([code("zcode", "시도코드", "2"), full])[0]
    assert group.alone == {"zscode"} and group.holds({"zscode"}, ()) and group.holds({"zcode"}, ())


def test_a_period_has_two_ends() -> None:
    group = groups([BEGIN, END])[0]
    assert group.holds({"fromDt", "toDt"}, ()) and group.holds((), ()) and not group.holds({"toDt"}, ())


def test_a_district_is_never_bound_without_its_province() -> None:
    whole = OutputField("region_cd", "법정동코드", kind="code", format="10")
    found = binding_sets([whole], [PROVINCE, DISTRICT], NONE, same_service=False)
    assert {frozenset(names(s)) for s in found} == {frozenset({"sido", "sgg"}), frozenset({"sido"})}
    joint = next(s for s in found if len(s.bindings) == 2)
    assert {b.transform for b in joint.bindings} == {"slice:0:2", "slice:2:5"}


def test_the_parts_of_one_code_are_an_alternative_to_fields_of_their_own() -> None:
    fields = [
        OutputField("region_cd", "법정동코드", kind="code", format="10"),
        OutputField("sido_cd", "시도코드", kind="code", format="2"),
        OutputField("sgg_cd", "시군구코드", kind="code", format="3"),
    ]
    joint = [s for s in binding_sets(fields, [PROVINCE, DISTRICT], NONE, same_service=False) if len(s.bindings) == 2]
    assert [{b.source_path for b in s.bindings} for s in joint] == [{"sido_cd", "sgg_cd"}, {"region_cd"}]


def test_names_of_two_levels_come_from_one_record_or_not_at_all() -> None:
    """A province of the record beside a district from an example would be no place."""
    wanted = [
        Parameter("Q0", "시도", kind="name", format="province", required=True),
        Parameter("Q1", "시군구", kind="name", format="district", required=True),
    ]
    province = OutputField("siNm", "시도", kind="name", format="province")
    district = OutputField("sggNm", "시군구", kind="name", format="district")
    both = frozenset({"Q0", "Q1"})
    assert binding_sets([province], wanted, both, same_service=False) == []
    assert {frozenset(names(s)) for s in binding_sets([province, district], wanted, both, same_service=False)} == {both}


def test_office_and_school_are_one_link() -> None:
    office = code("ATPT_OFCDC_SC_CODE", "시도교육청코드", required=True)
    wanted = [office, code("SD_SCHUL_CODE", "학교코드", required=True)]
    fields = [OutputField(p.name, p.label, kind="code") for p in wanted]
    assert [names(s) for s in binding_sets(fields, wanted, NONE, same_service=True)] == [{p.name for p in wanted}]
    (alone,) = binding_sets(fields[1:], wanted, NONE, same_service=True)  # the office comes from earlier calls
    assert (names(alone), alone.pooled) == ({"SD_SCHUL_CODE"}, frozenset({"ATPT_OFCDC_SC_CODE"}))


def test_the_first_of_a_series_stands_for_all() -> None:
    wanted = [code(f"itemCode{n}", f"항목코드 {n}") for n in (3, 1, 2)]
    found = binding_sets([OutputField("itemCode", "항목코드", kind="code")], wanted, NONE, same_service=True)
    assert [names(s) for s in found] == [{"itemCode1"}]


@given(signatures(), signatures())
def test_no_set_tears_a_group_apart(
    source: tuple[list[OutputField], list[Parameter]], target: tuple[list[OutputField], list[Parameter]]
) -> None:
    wanted = target[1]
    fillable = frozenset(p.name for p in wanted if p.default is not None)
    required = {p.name for p in wanted if p.required}
    for found in binding_sets(source[0], wanted, fillable, same_service=False):
        assert all(g.holds(names(found), required) for g in groups(wanted) if _plain(g, wanted))


def _plain(group: Group, wanted: list[Parameter]) -> bool:
    """Edges of boxes are no coordinates to the scorer, so they are not held to be places."""
    kinds = [p.kind for p in wanted]
    mine = [p.kind for p in wanted if p.name in group.names and p.kind in AXES]
    return all(kinds.count(kind) == 1 for kind in mine)


def test_enumerated_regions_are_of_a_known_length() -> None:
    enum = tuple(EnumValue(v, v) for v in ("11", "26"))
    siDo = Parameter("siDo", "시도코드", kind="code", required=True, enum=enum)
    guGun = code("guGun", "시군구코드", "3", required=True)
    whole = OutputField("region_cd", "법정동코드", kind="code", format="10")
    found = binding_sets([whole], [siDo, guGun], frozenset({"siDo"}), same_service=False)
    assert {b.transform for b in found[0].bindings} == {"slice:0:2", "slice:2:5"}
