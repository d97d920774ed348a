"""Two signatures become binding sets: whole, few, and never of nothing but what the source was told."""

from __future__ import annotations

from hypothesis import given
from linkparts import signatures

from edge.links.binding_sets import MAX_SETS, ScoredSet, binding_sets
from edge.links.model import Binding
from edge.links.transforms import known
from edge.specs.model import OutputField, Parameter

CODE = OutputField("corp_code", "고유번호", kind="code", format="8")
CORP = Parameter("corp_code", "고유번호", kind="code", format="8", required=True)
YEAR = Parameter("bsns_year", "사업연도", kind="year", required=True)
CARRIED_YEAR = OutputField("@bsns_year", "사업연도", kind="year")
EAST, NORTH = OutputField("x", "경도", kind="longitude"), OutputField("y", "위도", kind="latitude")
NONE: frozenset[str] = frozenset()


def names(scored: ScoredSet) -> set[str]:
    return {b.target_parameter for b in scored.bindings}


def test_the_plain_case() -> None:
    found = binding_sets([CODE], [CORP], NONE, same_service=True)
    assert [s.bindings for s in found] == [(Binding("corp_code", "corp_code"),)]
    assert found[0].score == 1.0 and found[0].reason == "corp_code→corp_code"


def test_one_required_parameter_that_nothing_fills_is_left_to_the_pool_beside_a_good_identifier() -> None:
    key = Parameter("reprt_code", "보고서 코드", kind="code", format="5", required=True)
    whole = binding_sets([CODE], [CORP], NONE, same_service=True)[0]
    (found,) = binding_sets([CODE], [CORP, key], NONE, same_service=True)
    assert (names(found), found.pooled) == ({"corp_code"}, {"reprt_code"})
    assert found.score < whole.score and whole.pooled == frozenset()
    assert binding_sets([CODE], [CORP, key, YEAR], NONE, same_service=True) == [], "two of them are too many"
    year = OutputField("bsns_year", "사업연도", kind="year")
    dated = binding_sets([year], [YEAR, key], frozenset({"bsns_year"}), same_service=True)
    assert dated == [], "a year tells nothing"


def test_what_belongs_together_is_not_left_to_the_pool_in_part() -> None:
    place = [Parameter(n, n, kind=k, required=True) for n, k in (("lon", "longitude"), ("lat", "latitude"))]  # type: ignore[arg-type]
    east = OutputField("x", "경도", kind="longitude")
    assert binding_sets([CODE, east], [CORP, *place], NONE, same_service=True) == []


def test_a_required_parameter_that_is_filled_elsewhere_may_stay_open() -> None:
    assert binding_sets([CODE], [CORP, YEAR], frozenset({"bsns_year"}), same_service=True) != []


def test_what_the_source_was_called_with_completes_a_set() -> None:
    found = binding_sets([CODE], [CORP, YEAR], NONE, [CARRIED_YEAR], same_service=True)
    assert [names(s) for s in found] == [{"corp_code", "bsns_year"}]
    assert Binding("@bsns_year", "bsns_year") in found[0].bindings


def test_carried_arguments_alone_are_no_set() -> None:
    carried = [OutputField("@corp_code", "고유번호", kind="code"), CARRIED_YEAR]
    assert binding_sets([], [CORP, YEAR], NONE, carried, same_service=True) == []
    assert binding_sets([EAST], [YEAR], NONE, [CARRIED_YEAR], same_service=True) == []


def test_carried_arguments_must_have_the_very_name_and_kind() -> None:
    other = OutputField("@year", "사업연도", kind="year")
    text = OutputField("@bsns_year", "사업연도", kind="text")
    for carried in (other, text):
        sets = binding_sets([CODE], [CORP, YEAR], NONE, [carried], same_service=True)
        assert [names(s) for s in sets] == [{"corp_code"}], "the year stays open"


def test_what_can_be_filled_anyway_is_carried_over_as_an_alternative() -> None:
    found = binding_sets([CODE], [CORP, YEAR], frozenset({"bsns_year"}), [CARRIED_YEAR], same_service=True)
    assert [names(s) for s in found] == [{"corp_code"}, {"corp_code", "bsns_year"}]


def test_an_optional_field_needs_the_carried_arguments_too() -> None:
    optional = Parameter("corp_code", "고유번호", kind="code", format="8")
    found = binding_sets([CODE], [optional, YEAR], NONE, [CARRIED_YEAR], same_service=True)
    assert [names(s) for s in found] == [{"corp_code", "bsns_year"}], "nothing else fills the year"
    free = binding_sets([CODE], [optional, YEAR], frozenset({"bsns_year"}), [CARRIED_YEAR], same_service=True)
    assert [names(s) for s in free] == [{"corp_code"}], "the clock fills it"


def test_optional_coordinates_come_in_pairs() -> None:
    lon, lat = Parameter("mapX", "경도", kind="longitude"), Parameter("mapY", "위도", kind="latitude")
    both = binding_sets([EAST, NORTH], [lon, lat], NONE, same_service=False)
    assert [names(s) for s in both] == [{"mapX", "mapY"}]
    assert binding_sets([EAST, NORTH], [lon], NONE, same_service=False) == []
    assert binding_sets([EAST], [lon, lat], NONE, same_service=False) == []


def test_near_equal_fields_and_transforms_are_alternatives() -> None:
    dong = OutputField("adm_cd", "행정동코드", kind="code", format="10")
    law = OutputField("bjd_cd", "법정동코드", kind="code", format="10")
    want = Parameter("LAWD_CD", "법정동 지역코드", kind="code", format="5", required=True)
    found = binding_sets([dong, law], [want], NONE, same_service=False)
    assert {s.bindings[0].source_path for s in found} == {"adm_cd", "bjd_cd"}
    assert len({s.bindings for s in found}) == len(found) > 2
    assert found[0].bindings[0].transform == "slice:0:5"


def test_strong_optional_codes_are_tried_together_and_alone() -> None:
    sido = OutputField("sidoCd", "시도코드", kind="code", format="6")
    gu = OutputField("sgguCd", "시군구코드", kind="code", format="6")
    wanted = [
        Parameter("sidoCd", "시도코드", kind="code", format="6"),
        Parameter("sgguCd", "시군구코드", kind="code", format="6"),
    ]
    sets = [names(s) for s in binding_sets([sido, gu], wanted, NONE, same_service=True)]
    assert {"sidoCd", "sgguCd"} in sets and {"sidoCd"} in sets and {"sgguCd"} in sets


@given(signatures(), signatures())
def test_every_set_is_whole_and_names_what_exists(
    pair: tuple[list[OutputField], list[Parameter]], source: tuple[list[OutputField], list[Parameter]]
) -> None:
    outputs, wanted = pair
    carried = [OutputField(f"@{p.name}", p.label, kind=p.kind) for p in source[1]]
    fillable = frozenset(p.name for p in wanted if p.default is not None)
    sets = binding_sets(outputs, wanted, fillable, carried, same_service=False)
    public = {f.path for f in outputs if not f.private}
    coordinates = {p.name for p in wanted if p.kind in ("longitude", "latitude") and not p.required}
    assert len(sets) <= MAX_SETS and len({s.bindings for s in sets}) == len(sets)
    assert [s.score for s in sets] == sorted((s.score for s in sets), reverse=True)
    for found in sets:
        bound = [b.target_parameter for b in found.bindings]
        assert len(set(bound)) == len(bound) and set(bound) <= {p.name for p in wanted}
        assert all(b.source_path in public or b.source_path in {c.path for c in carried} for b in found.bindings)
        assert any(not b.source_path.startswith("@") for b in found.bindings)
        assert all(known(b.transform) for b in found.bindings)
        assert {p.name for p in wanted if p.required} <= set(bound) | fillable | found.pooled
        assert len(found.pooled) <= 1 and not found.pooled & (set(bound) | fillable)
        assert len(set(bound) & coordinates) != 1
        assert 0.0 < found.score <= 1.0
