"""Declared fields against observed ones: what counts as a disagreement, and which outputs stand afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from edge.specs.differences import Compared, compare
from edge.specs.model import OutputField
from edge.specs.observing import observe


def compared(declared: list[OutputField], *records: dict[str, Any], times: int = 1, **options: Any) -> Compared:
    rows = list(records) * times
    return compare(tuple(declared), observe(rows), len(rows), **options)


def told(result: Compared) -> list[tuple[str, str, str, str]]:
    return [(d.kind, d.path, d.declared, d.observed) for d in result.differences]


def paths(result: Compared) -> list[str]:
    return [output.path for output in result.outputs]


NAME = OutputField("yadmNm", "병원명", kind="name")
COUNT = OutputField("bedCnt", "병상수", type="integer", kind="count", unit="개")


def test_what_agrees_is_left_as_it_is() -> None:
    result = compared([NAME, COUNT], {"yadmNm": "가나병원", "bedCnt": "12"})
    assert result.outputs == (NAME, COUNT)
    assert result.differences == ()


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("YADM_NM", "the name in another spelling"),
        ("yadm_nm", "the name in another spelling"),
        ("병원명", "its label as a name"),
        ("yadmNme", "a similar name"),
    ],
)
def test_a_renamed_field_keeps_its_label(name: str, how: str) -> None:
    result = compared([NAME], {name: "가나병원"})
    assert told(result) == [("renamed_field", "yadmNm", "yadmNm", name)]
    assert result.differences[0].detail == how
    assert [(o.path, o.label, o.kind) for o in result.outputs] == [(name, "병원명", "name")]


@pytest.mark.parametrize(
    ("declared", "name"),
    [("pm10Value", "pm25Value"), ("sigunguCode", "sigunguName"), ("bedCnt", "bldCnt"), ("a.salesAmt", "b.saleAmt")],
)
def test_alike_is_not_the_same(declared: str, name: str) -> None:
    first, _, rest = name.partition(".")
    result = compared([OutputField(declared, declared)], {first: {rest: "1"} if rest else "1"}, times=10)
    assert [kind for kind, *_ in told(result)] == ["extra_field", "missing_field"]


def test_text_where_a_number_was_declared_is_a_difference_and_the_reverse_is_none() -> None:
    result = compared([COUNT, NAME], {"bedCnt": "많음", "yadmNm": 5})
    assert told(result) == [("wrong_type", "bedCnt", "integer", "string")]
    assert result.differences[0].detail == "e.g. '많음'"
    assert [(o.type, o.kind, o.unit) for o in result.outputs] == [("string", "text", None), ("string", "name", None)]


def test_broken_numbers_are_no_integers() -> None:
    result = compared([COUNT], {"bedCnt": "1.5"})
    assert told(result) == [("wrong_type", "bedCnt", "integer", "number")]
    assert result.outputs[0].type == "number"


def test_dates_in_another_format_are_a_difference() -> None:
    date = OutputField("openDe", "개업일자", kind="date", format="%Y%m%d")
    assert told(compared([date], {"openDe": "20260615"}, {"openDe": "00000000"})) == []
    result = compared([date], {"openDe": "2026-06-15"})
    assert told(result) == [("wrong_type", "openDe", "date %Y%m%d", "date %Y-%m-%d")]
    assert result.outputs[0].format == "%Y-%m-%d"
    result = compared([date], {"openDe": "유월 보름"})
    assert told(result) == [("wrong_type", "openDe", "date %Y%m%d", "text")]
    assert result.outputs[0].format is None


def test_an_object_where_text_was_declared_is_said_once() -> None:
    result = compared(
        [OutputField("addr", "주소"), NAME], {"addr": {"road": "가로", "lot": "1"}, "yadmNm": "가"}, times=10
    )
    assert told(result) == [("wrong_type", "addr", "string", "object")]
    assert paths(result) == ["yadmNm", "addr.road", "addr.lot"]
    result = compared([OutputField("addr.road", "도로명"), OutputField("addr.lot", "번지")], {"addr": "가로 1"})
    assert [kind for kind, *_ in told(result)] == ["wrong_type", "wrong_type"]
    assert paths(result) == ["addr"]


def test_lists_are_told_from_single_values_only_where_the_format_can() -> None:
    single, many = OutputField("no", "번호"), OutputField("rows[].no", "번호", repeats=True)
    assert told(compared([single], {"no": ["1", "2"]})) == [("repeats_differ", "no", "no", "no[]")]
    assert compared([single], {"no": ["1", "2"]}).outputs[0].repeats
    alone = {"rows": {"no": "1"}}
    assert told(compared([many], alone)) == []  # one element may have lost its list
    assert told(compared([many], alone, times=10, lists_told=False)) == []
    result = compared([many], alone, times=10)
    assert told(result) == [("repeats_differ", "rows[].no", "rows[].no", "rows.no")]
    assert paths(result) == ["rows.no"]


def test_a_field_is_missing_only_where_many_records_lack_it() -> None:
    few = compared([NAME, COUNT], {"yadmNm": "가"}, times=9)
    assert told(few) == []
    assert paths(few) == ["yadmNm", "bedCnt"]
    many = compared([NAME, COUNT], {"yadmNm": "가"}, times=10)
    assert told(many) == [("missing_field", "bedCnt", "bedCnt", "")]
    assert paths(many) == ["yadmNm"]


def test_a_field_that_is_always_empty_is_told_and_feeds_nothing() -> None:
    result = compared([NAME], {"yadmNm": "가", "pageNo": None})
    assert [(d.kind, d.path, d.detail) for d in result.differences] == [("extra_field", "pageNo", "always empty")]
    assert paths(result) == ["yadmNm"]


def test_what_lies_in_an_empty_object_is_not_missing() -> None:
    result = compared([NAME, OutputField("owner.name", "대표자")], {"yadmNm": "가", "owner": None}, times=10)
    assert told(result) == []
    assert "owner.name" in paths(result)


def test_a_private_field_stays_private_when_it_does_not_come() -> None:
    phone = OutputField("telno", "전화번호", private=True)
    result = compared([NAME, phone], {"yadmNm": "가"}, times=10)
    assert told(result) == [("missing_field", "telno", "telno", "")]
    assert phone in result.outputs


def test_personal_values_make_an_unknown_field_private_and_are_never_shown() -> None:
    values = ("010-1234-5678", "02-123-4567", "a.b@example.kr", "800101-1******", "1588-1234")
    for value in values:
        memo = OutputField("memo", "비고", type="integer", private=True)
        result = compared([memo], {"etc": value, "memo": value})
        assert [o.private for o in result.outputs] == [True, True]
        assert not any(value in d.detail for d in result.differences)
    assert not compared([], {"corp_code": "00126380"}).outputs[0].private


def test_without_a_schema_all_fields_are_learned_with_the_words_of_the_service() -> None:
    result = compared([], {"sidoCd": "110000", "lat": "37.5665", "regYmd": "2026-06-15"}, labels={"sidocd": "시도코드"})
    assert told(result) == [("no_schema", "", "", "3 fields")]
    assert [(o.path, o.label, o.type, o.kind, o.format) for o in result.outputs] == [
        ("sidoCd", "시도코드", "string", "code", "6"),
        ("lat", "lat", "number", "latitude", None),
        ("regYmd", "regYmd", "string", "date", "%Y-%m-%d"),
    ]


def test_a_document_that_says_little_is_filled_in_without_a_difference() -> None:
    result = compared(
        [OutputField("x1", "x1"), OutputField("openDe", "개업일자", kind="date")], {"x1": 5, "openDe": "2026.06.15"}
    )
    assert told(result) == []
    assert [(o.type, o.format) for o in result.outputs] == [("integer", None), ("string", "%Y.%m.%d")]
