"""Briefs of the plans that compute, rank, compare, branch and join."""

from __future__ import annotations

from typing import Any

from brief_examples import Json, ask, brief, given, reduced, step

_MONTH = given("계약년월", "2026년 5월", "month", "{v}에 신고된")
_TRADE = [ask("단지명", "name"), ask("거래금액", "amount", "만원")]
_SIDES = ("서울특별시 강남구", "부산광역시 해운대구")


def _reduced(kind: str, label: str | None = None, text: str | None = None, **more: Any) -> Json:
    return {**reduced(kind, label, text, more.pop("names", False), more.pop("field", None)), **more}


def _region(name: str, number: int = 1) -> Json:
    pick = _reduced("filter", "지역주소명", name, names=True, field="name")
    return step(number, "지역", "demographics", given("지역주소명", name, phrase="{v}"), reducer=pick)


def _trades(reducer: Json, number: int = 2, parent: int = 1, asks: list[Json] | None = None, **more: Any) -> Json:
    made = step(
        number, "아파트 매매 거래", "real estate", _MONTH, reducer=reducer, parent=parent, junction="DRV", asks=asks
    )
    return {**made, **more}


def _leases(number: int, *, truth: bool, when: Json) -> Json:
    made = step(
        number,
        "아파트 전월세 계약",
        "real estate",
        _MONTH,
        reducer=_reduced("max", "보증금", field="amount"),
        parent=1,
        asks=[ask("단지명", "name"), ask("보증금", "amount", "만원")],
    )
    return {**made, "when": {**when, "truth": truth}}


def _sides(reducer: Json, comparison: Json, asks: list[Json] | None = None) -> Json:
    first, second = _region(_SIDES[0]), _region(_SIDES[1], 3)
    compared = brief(first, _trades(reducer, asks=asks), second, _trades(reducer, 4, 3, asks=asks))
    return {**compared, "comparison": {"steps": ["s2", "s4"], "names": list(_SIDES), **comparison}}


_ANY = {"step": "s2", "label": None, "operator": ">=", "value": "1", "text": None}
_DEAR = {"step": "s2", "label": "거래금액", "field_kind": "amount", "unit": "만원", "operator": ">=", "value": "300000",
         "text": "30억 원"}  # fmt: skip
_HOSPITALS = step(2, "병원", "healthcare", reducer=_reduced("all"), parent=1)
_GANGNAM = _region("서울특별시 강남구")

REDUCED: dict[str, Json] = {
    "sum": brief(_GANGNAM, _trades(_reduced("sum", "거래금액", field="amount", unit="만원"))),
    "mean": brief(_GANGNAM, _trades(_reduced("mean", "전용면적", field="number", unit="㎡"))),
    "distinct": brief(_GANGNAM, _trades(_reduced("distinct", "법정동명", field="name"))),
    "top": brief(_GANGNAM, _trades(_reduced("top", "거래금액", field="amount", k=3), asks=_TRADE)),
    "bottom": brief(
        _region("부산광역시"),
        step(
            2,
            "병원",
            "healthcare",
            reducer=_reduced("bottom", "병상수", field="count", k=2),
            parent=1,
            asks=[ask("병원명", "name"), ask("병상수", "count", "개")],
        ),
    ),
    "at_least": brief(_GANGNAM, _trades(_reduced("at_least", "거래금액", "30억 원", field="amount"), asks=_TRADE)),
    "at_most": brief(_GANGNAM, _trades(_reduced("at_most", "전용면적", "60", field="number", unit="㎡"), asks=_TRADE)),
    "contains": brief(
        _GANGNAM,
        _trades(
            _reduced("contains", "단지명", "그린빌", names=True, field="name"), asks=[ask("거래금액", "amount", "만원")]
        ),
    ),
    "count_within": brief(
        _GANGNAM,
        _trades(_reduced("count", within=_reduced("at_least", "거래금액", "30억 원", field="amount"))),
    ),
    "max_within": brief(
        _GANGNAM,
        _trades(
            _reduced("max", "거래금액", field="amount", within=_reduced("filter", "법정동명", "역삼동", field="name")),
            asks=_TRADE,
        ),
    ),
    "nearest": brief(
        step(1, "역", "transport", reducer=_reduced("filter", "역명", "강남역", names=True, field="name")),
        step(
            2,
            "병원",
            "healthcare",
            given("시군구", "서울특별시 강남구", phrase="{v}에 있는"),
            reducer=_reduced("nearest", near_step="s1"),
            asks=[ask("병원명", "name"), ask("주소", "address")],
        ),
    ),
    "compared_counts": _sides(_reduced("count"), {"kind": "max", "label": None}),
    "compared_means": _sides(
        _reduced("mean", "거래금액", field="amount", unit="만원"),
        {"kind": "max", "label": "거래금액", "field_kind": "amount", "unit": "만원"},
    ),
    "compared_values": _sides(
        _reduced("only"),
        {"kind": "min", "label": "전용면적", "field_kind": "number", "unit": "㎡"},
        [ask("단지명", "name"), ask("전용면적", "number", "㎡")],
    ),
    "compared_fan": {
        **brief(
            _region("부산광역시"),
            _HOSPITALS,
            step(3, "진료과목", "healthcare", reducer=_reduced("count"), parent=2, junction="FAN"),
        ),
        "comparison": {"steps": ["s3"], "kind": "max", "label": None, "names": []},
    },
    "if_dear": {
        **brief(
            _GANGNAM,
            _trades(_reduced("max", "거래금액", field="amount"), asks=_TRADE),
            _leases(3, truth=True, when=_DEAR),
        ),
        "untaken": [
            {
                **step(4, "병원", "healthcare", reducer=_reduced("count"), parent=1),
                "when": {**_DEAR, "truth": False},
            }
        ],
    },
    "if_any": {
        **brief(_GANGNAM, _trades(_reduced("count")), _leases(3, truth=False, when=_ANY)),
        "untaken": [
            {
                **step(4, "학교", "education", reducer=_reduced("count"), parent=1),
                "when": {**_ANY, "truth": True},
            }
        ],
    },
    "only_if": brief(_GANGNAM, _trades(_reduced("count")), _leases(3, truth=True, when={**_ANY, "value": "10"})),
    "joined": brief(
        step(1, "회사", "finance", reducer=_reduced("filter", "정식명칭", "한빛전자", names=True, field="name")),
        _region("서울특별시 강남구", 2),
        {
            **step(3, "사업장", "finance", parent=1, reducer=_reduced("only"), asks=[ask("가입자수", "count", "명")]),
            "parents": ["s1", "s2"],
        },
    ),
    "three_askings": brief(
        _GANGNAM,
        _trades(_reduced("max", "거래금액", field="amount"), asks=_TRADE),
        step(
            3,
            "아파트 전월세 계약",
            "real estate",
            _MONTH,
            parent=1,
            reducer=_reduced("min", "보증금", field="amount"),
            asks=[ask("단지명", "name")],
        ),
        step(
            4,
            "병원",
            "healthcare",
            parent=1,
            reducer=_reduced("top", "병상수", k=3, field="count"),
            asks=[ask("병원명", "name")],
        ),
    ),
}
