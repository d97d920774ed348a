"""Names, labels, kinds and formats say how well a field can fill a parameter."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linkparts import KINDS, output_fields, parameters

from edge.links.evidence_rules import (
    fits,
    kind_factor,
    label_similarity,
    name_similarity,
    score,
    words,
)
from edge.links.transform_rules import code_length, is_region_code, region_codes, transforms_for
from edge.specs.model import EnumValue, OutputField, Parameter

NAMES = st.text(alphabet="abcXYZ_0가나cdNM", max_size=12)
LABELS = st.text(max_size=12) | st.text(alphabet="가나다 코드명", max_size=8)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("busRouteId", ("bus", "route", "id")),
        ("SIGUN_CD", ("sigun", "cd")),
        ("HTMLPage2", ("html", "page", "2")),
        ("통계표코드", ("통계표코드",)),
        ("__", ()),
    ],
)
def test_words_of_a_name(name: str, expected: tuple[str, ...]) -> None:
    assert words(name) == expected


@given(NAMES, NAMES)
def test_name_similarity_is_symmetric_and_bounded(left: str, right: str) -> None:
    found = name_similarity(left, right)
    assert 0.0 <= found <= 1.0
    assert found == name_similarity(right, left)


@given(LABELS, LABELS)
def test_label_similarity_is_symmetric_and_bounded(left: str, right: str) -> None:
    found = label_similarity(left, right)
    assert 0.0 <= found <= 1.0
    assert found == label_similarity(right, left)


def test_names_that_say_the_same() -> None:
    assert name_similarity("corp_code", "corpCode") == 1.0
    assert name_similarity("header.corp_code", "CORP_CODE") == 1.0
    assert name_similarity("code", "CODE") == 0.7, "a generic word alone says little"
    assert name_similarity("corp_name", "corp_code") < 0.8
    assert name_similarity("nodeid", "ykiho") == 0.0 == name_similarity("", "ykiho")


def test_labels_that_say_the_same() -> None:
    assert label_similarity("법정동 코드", "법정동코드") == 1.0
    assert label_similarity("암호화된 요양기호", "요양기호") == 0.85, "one holds the other"
    assert label_similarity("위도", "노선번호") == 0.0 == label_similarity("", "위도")


def test_scores_are_the_same_in_every_process() -> None:
    """Sums over sets of words differ in the last bit with the order, which differs with the hash seed."""
    code = (
        "from edge.links.evidence_rules import name_similarity as n;"
        "print([n('aCdBcdNoIdNmSeqDong', 'aCdNoIdXSeqBcdDongGu'), n('q_id_no_x1_2', 'x_q_no_id_2_9_nm')])"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": str(n)}, capture_output=True, text=True, check=True
        ).stdout
        for n in range(4)
    }
    assert len(seen) == 1


@pytest.mark.parametrize("left", KINDS)
def test_kinds_are_symmetric(left: str) -> None:
    for right in KINDS:
        found = kind_factor(left, right)  # type: ignore[arg-type]
        assert 0.0 <= found <= 1.0
        assert found == kind_factor(right, left)  # type: ignore[arg-type]
    assert kind_factor(left, left) == (0.75 if left == "unknown" else 1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(("left", "right"), [("longitude", "latitude"), ("date", "code"), ("name", "amount")])
def test_kinds_that_never_hold_the_same_value(left: str, right: str) -> None:
    assert kind_factor(left, right) == 0.0  # type: ignore[arg-type]


def test_region_codes_are_told_by_their_label() -> None:
    assert is_region_code("법정동코드", "code") and is_region_code("시군구 코드", "unknown")
    assert not is_region_code("시도교육청코드", "code"), "education offices have codes of their own"
    assert not is_region_code("시군구명", "name") and not is_region_code("노선코드", "code")


@pytest.mark.parametrize(
    ("have", "want", "expected"),
    [
        ("10", "5", {"slice:0:5", "slice:5:10"}),
        ("10", "2", {"slice:0:2"}),
        ("10", "3", {"slice:2:5"}),
        ("5", "2", {"slice:0:2"}),
        ("10", "10", set()),
        ("10", None, {"slice:0:5", "slice:0:2", "slice:2:5", "slice:5:10", "slice:0:8"}),
        ("5", "10", set()),
    ],
)
def test_slices_of_region_codes(have: str, want: str | None, expected: set[str]) -> None:
    field = OutputField("region_cd", "법정동코드", kind="code", format=have)
    parameter = Parameter("LAWD_CD", "지역코드", kind="code", format=want)
    found = dict(transforms_for(field, parameter))
    assert {t for t in found if t and t.startswith("slice")} == expected
    assert found[None] == (1.0 if have == want else 0.45 if want else 0.85)


def test_share_codes_may_carry_a_letter() -> None:
    field = OutputField("srtnCd", "단축코드", kind="code")
    found = fits((field,), Parameter("likeSrtnCd", "단축코드", kind="code"), same_service=False)
    assert [f.transform for f in found] == [None, "drop_letter"]


def test_dates_are_rewritten_to_the_parameter_s_format() -> None:
    field = OutputField("rcept_dt", "접수일자", kind="date", format="%Y-%m-%d")
    parameter = Parameter("bgn_de", "접수일자", kind="date", format="%Y%m%d")
    assert [f.transform for f in fits((field,), parameter, same_service=True)] == ["date:%Y%m%d", None]


def test_province_names_come_short_and_full() -> None:
    field = OutputField("siNm", "시도명", kind="name")
    found = fits((field,), Parameter("sidoName", "시도명", kind="name"), same_service=False)
    assert {f.transform for f in found} == {None, "province_short", "province_full"}


def test_grid_cells_come_from_coordinates() -> None:
    fields = (OutputField("x", "경도", kind="longitude"), OutputField("y", "위도", kind="latitude"))
    nx, ny = Parameter("nx", "격자 X", kind="grid"), Parameter("ny", "격자 Y", kind="grid")
    assert [(f.path, f.transform) for f in fits(fields, nx, same_service=False)] == [("x", "kma_nx:y")]
    assert [(f.path, f.transform) for f in fits(fields, ny, same_service=False)] == [("y", "kma_ny:x")]
    assert fits(fields[:1], nx, same_service=False) == []


def region(label: str, digits: str | None) -> tuple[OutputField, Parameter]:
    return OutputField("a", label, kind="code", format=digits), Parameter("b", label, kind="code", format=digits)


@pytest.mark.parametrize(
    ("have", "want", "expected"),
    [
        (("법정동코드", "10"), ("지역코드", "5"), "fit"),
        (("법정동코드", "10"), ("시도코드", "2"), "fit"),
        (("행정동코드", "8"), ("지역코드", "10"), "fit"),
        (("시군구코드", "5"), ("시군구코드", "5"), "fit"),
        (("시군구코드", "5"), ("법정동코드 뒤 5자리", "5"), "differ"),
        (("법정동코드", "10"), ("시군구코드", "6"), "differ"),
        (("시도코드", "2"), ("시군구코드", "5"), "differ"),
        (("옛 지역코드", None), ("지역코드", "5"), "perhaps"),
        (("시도코드", None), ("시도코드", None), "perhaps"),
        (("시도코드", None), ("시군구코드", None), "differ"),
    ],
)
def test_how_two_systems_of_region_codes_stand(
    have: tuple[str, str | None], want: tuple[str, str | None], expected: str
) -> None:
    assert region_codes(region(*have)[0], region(*want)[1]) == expected


def test_values_tell_the_length_of_a_code() -> None:
    enum = tuple(EnumValue(v, v) for v in ("110000", "260000"))
    assert code_length(Parameter("sidoCd", "시도코드", kind="code", enum=enum)) == 6
    assert code_length(Parameter("sidoCd", "시도코드", kind="code", format="2", enum=enum)) == 2
    assert code_length(Parameter("x", "코드", kind="code", enum=(*enum, EnumValue("ALL", "전체")))) is None


def test_a_code_of_another_service_is_believed_less_whatever_it_is_called() -> None:
    old, sound = region("시군구코드", None)[0], region("시군구코드", "5")[0]
    wanted = Parameter("a", "시군구코드", kind="code", format="5")
    assert score(old, wanted, same_service=True) == 1.0 == score(sound, wanted, same_service=False)
    assert score(old, wanted, same_service=False) == 0.7
    clinics = Parameter("a", "시군구코드", kind="code", format="6")
    assert score(sound, clinics, same_service=False) == 0.4


def test_a_search_takes_what_a_record_is_called_and_no_other_name() -> None:
    field = OutputField("festivalNm", "축제명", kind="name")
    search = Parameter("q", "검색어", kind="name")
    assert score(field, search, same_service=False) < 0.3 <= score(field, search, same_service=False, own_name=True)
    assert score(field, search, same_service=True) >= 0.3
    stops = Parameter("keyword", "정류소명", kind="name")
    assert score(field, stops, same_service=False, own_name=True) < 0.3, "a search for stops says so"
    address = Parameter("keyword", "검색어", kind="address")
    assert score(field, address, same_service=False, own_name=True) < 0.3


@pytest.mark.parametrize(
    ("field", "parameter", "least"),
    [
        (OutputField("siNm", "광역", kind="name", format="province"),
         Parameter("Q0", "시도", kind="name", format="province"), 0.6),
        (OutputField("siNm", "광역", kind="name", format="province"),
         Parameter("rgnNm", "지역명", kind="name"), 0.5),
        (OutputField("roadAddr", "소재지", kind="address"), Parameter("keyword", "검색어", kind="address"), 0.5),
        (OutputField("roadAddr", "소재지", kind="address"), Parameter("locatadd_nm", "지역주소명", kind="name"), 0.5),
        (OutputField("sggNm", "구", kind="name", format="district"), Parameter("addr", "주소", kind="address"), 0.3),
    ],
)  # fmt: skip
def test_places_are_places_under_any_name(field: OutputField, parameter: Parameter, least: float) -> None:
    assert score(field, parameter, same_service=False) >= least


def test_names_of_other_levels_are_other_places() -> None:
    field = OutputField("siNm", "광역", kind="name", format="province")
    assert score(field, Parameter("umd", "마을", kind="name", format="town"), same_service=False) < 0.3


def test_what_is_called_alike_in_name_and_label_is_the_same_whatever_its_kind() -> None:
    period = Parameter("prdSe", "주기", kind="code")
    assert score(OutputField("PRD_SE", "주기", kind="amount"), period, same_service=False) == 0.6
    assert score(OutputField("PRD", "주기", kind="amount"), period, same_service=False) == 0.0


@given(st.lists(output_fields(), max_size=8, unique_by=lambda f: f.path), parameters(), st.booleans())
def test_fits_are_sorted_bounded_and_never_private(fields: list[OutputField], wanted: Parameter, same: bool) -> None:
    found = fits(tuple(fields), wanted, same_service=same)
    public = {f.path for f in fields if not f.private}
    assert all(f.path in public and 0.0 <= f.score <= 1.0 for f in found)
    assert all((f.transform or "").partition(":")[2] in public for f in found if "kma_" in (f.transform or ""))
    assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)
    assert found == fits(tuple(reversed(fields)), wanted, same_service=same) or wanted.kind == "grid"


@given(output_fields(), parameters())
def test_a_shared_service_never_lowers_a_score(field: OutputField, wanted: Parameter) -> None:
    apart, together = (score(field, wanted, same_service=s) for s in (False, True))
    assert 0.0 <= apart <= together <= 1.0
