"""What a person can say about records: no codes, nothing private, nothing that is known."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from planworld import NOW, TO_DETAIL, TO_REGION, shop, shops_tool, world_tools

from edge.links.model import Binding, Link
from edge.plans.asked import askable
from edge.plans.choices import clean_name, core_label, identifying, reducers_for, via_of
from edge.plans.model import Reducer
from edge.plans.reducers import reduce_records
from edge.specs.model import EnumValue, OutputField, Parameter

TOOLS = world_tools()
SHOPS = shops_tool("M30")
MANY = [shop("M30", i) for i in range(30)]
ONLY = Reducer("only")


def asked(records=MANY[:1], known=(), reducer=ONLY, limit=9, seed=0, tool=SHOPS) -> tuple[str, ...]:  # type: ignore[no-untyped-def]
    return askable(tool, records, known, reducer, random.Random(seed), limit=limit)


def test_codes_and_private_fields_are_never_asked() -> None:
    for seed in range(20):
        paths = asked(seed=seed, limit=1 + seed % 8)
        assert paths
        assert not {"shopId", "rgnCd", "ownerTel"} & set(paths)
        assert len(paths) <= 1 + seed % 8


def test_known_values_are_not_asked() -> None:
    assert "marketNm" in asked()
    assert "marketNm" not in asked(known=["큰마루 시장"])
    # Several records: known is what all of them have in common with what was said.
    assert "shopNm" in asked(MANY[:3], known=["가온상점1호"])


def test_the_field_of_a_filter_is_not_asked() -> None:
    assert "shopNm" not in asked(reducer=Reducer("filter", "shopNm", "가온상점1호", "가온상점1호"))


def test_name_and_extreme_come_first() -> None:
    for seed in range(10):
        assert asked(reducer=Reducer("max", "salesAmt"), limit=2, seed=seed) == ("shopNm", "salesAmt")


@pytest.mark.parametrize("value", [None, "", " ", "가" * 61, "<b>가</b>", "http://x.kr", ["가"]])
def test_values_that_cannot_be_said_are_not_asked(value: object) -> None:
    assert "marketNm" not in asked([{**MANY[0], "marketNm": value}])


def test_a_measured_field_must_be_a_number_everywhere() -> None:
    assert "salesAmt" not in asked([MANY[0], {**MANY[1], "salesAmt": "비공개"}])
    assert "salesAmt" not in asked([MANY[0], {"shopNm": "가"}])


def test_one_label_is_asked_once() -> None:
    twice = replace(SHOPS, outputs=(*SHOPS.outputs, OutputField("sales2", "매출액", kind="amount")))
    assert len(asked([{**MANY[0], "sales2": 5}], tool=twice)) == len(asked())


def test_nothing_to_ask() -> None:
    assert asked([{"shopId": "S1"}]) == ()


def test_reducers_single_out_one_record_and_use_no_code() -> None:
    kinds: set[str] = set()
    past = [{**r, "openDe": f"2025{str(r['openDe'])[4:]}"} for r in MANY]
    for seed in range(30):
        for reducer in reducers_for(SHOPS, past, [], random.Random(seed), leaf=True, now=NOW):
            kinds.add(reducer.kind)
            assert reducer.field not in ("shopId", "rgnCd", "ownerTel", "empCnt", "marketNm")
            if reducer.kind != "count":
                assert len(reduce_records(reducer, past)) == 1
    assert kinds == {"filter", "max", "min", "latest", "earliest", "count"}


def test_a_date_to_come_is_never_the_latest() -> None:
    records = [{**r, "openDe": "20270101" if i == 3 else r["openDe"]} for i, r in enumerate(MANY)]
    for seed in range(20):
        made = reducers_for(SHOPS, records, [], random.Random(seed), leaf=True, now=NOW)
        assert "latest" not in {r.kind for r in made}


def test_extremes_only_where_a_model_sees_every_record() -> None:
    many = [shop("M30", i) for i in range(400)]
    for seed in range(5):
        made = reducers_for(SHOPS, many, [], random.Random(seed), leaf=True, now=NOW)
        assert {r.kind for r in made} <= {"filter", "count"}


def test_counting_ends_a_plan_and_feeds_nothing() -> None:
    for seed in range(20):
        assert "count" not in {r.kind for r in reducers_for(SHOPS, MANY, [], random.Random(seed), leaf=False, now=NOW)}


def test_a_name_that_was_said_is_the_reducer() -> None:
    made = reducers_for(SHOPS, MANY, ["라온상점2호"], random.Random(1), leaf=False, now=NOW)
    assert made == [Reducer("filter", "shopNm", "라온상점2호", "라온상점2호")]


def test_the_same_seed_gives_the_same_choices() -> None:
    made = [reducers_for(SHOPS, MANY, [], random.Random(5), leaf=True, now=NOW) for _ in range(3)]
    assert made[0] == made[1] == made[2]
    assert len({asked(seed=7, limit=3) for _ in range(5)}) == 1


@pytest.mark.parametrize(
    ("label", "core"),
    [
        ("법정동코드 10자리", "법정동"),
        ("병원명", "병원"),
        ("노선ID", "노선"),
        ("상호(법인)", "상호"),
        ("코드", "코드"),
        ("고유번호", "고유번호"),
        ("회사 고유번호", "회사"),
        ("매출액", "매출액"),
    ],
)
def test_core_labels(label: str, core: str) -> None:
    assert core_label(label) == core


@pytest.mark.parametrize("value", ["가", "<b>", "12345", "3.5", "가|나", "가" * 41, "가\n나"])
def test_names_that_no_request_can_hold(value: str) -> None:
    assert not clean_name(value)


def test_identifying_bindings_say_which_thing() -> None:
    source = replace(
        SHOPS,
        outputs=(
            *SHOPS.outputs,
            OutputField("stdDe", "기준일자", kind="date"),
            OutputField("useYn", "사용여부", kind="flag"),
        ),
    )
    target = replace(
        TOOLS["portal_detail"],
        parameters=(
            *TOOLS["portal_detail"].parameters,
            Parameter("stdDe", "기준일자", kind="date"),
            Parameter("useYn", "사용여부", kind="flag"),
            Parameter("kind", "구분", kind="code", enum=(EnumValue("1", "하나"),)),
        ),
    )
    pairs = [("stdDe", "stdDe"), ("useYn", "useYn"), ("rgnCd", "kind"), ("nope", "shopId"), ("shopId", "nope")]
    empty = Link(source.tool_id, target.tool_id, tuple(Binding(*p) for p in pairs), 0.9)
    assert identifying(empty, source, target) == []
    whole = Link(source.tool_id, target.tool_id, (*empty.bindings, Binding("shopId", "shopId")), 0.9)
    assert identifying(whole, source, target) == [Binding("shopId", "shopId")]


def test_via_names_another_thing_than_the_record() -> None:
    shared = [{**r, "rgnCd": "1111010100"} for r in MANY]
    assert via_of(TO_REGION, SHOPS, TOOLS["portal_region"], shared, shared[0]) == "법정동"
    assert via_of(TO_REGION, SHOPS, TOOLS["portal_region"], MANY[:1], MANY[0]) == "법정동"
    assert via_of(TO_DETAIL, SHOPS, TOOLS["portal_detail"], MANY, MANY[0]) is None  # the shop's own code


@pytest.mark.parametrize(("label", "said"), [("고유번호", None), ("코드", None), ("회사 고유번호", "회사")])
def test_a_label_that_says_number_alone_names_no_other_thing(label: str, said: str | None) -> None:
    outputs = tuple(replace(f, label=label) if f.path == "rgnCd" else f for f in SHOPS.outputs)
    shared = [{**r, "rgnCd": "1111010100"} for r in MANY]
    assert via_of(TO_REGION, replace(SHOPS, outputs=outputs), TOOLS["portal_region"], shared, shared[0]) == said


@pytest.mark.parametrize(
    ("transform", "code", "said"),
    [
        ("slice:0:5", "1168010100", "시군구"),
        ("slice:0:2", "1168010100", "시도"),
        ("slice:0:5", "1168000000", None),
        ("slice:0:2", "1100000000", None),
    ],
)
def test_a_slice_of_a_region_code_names_the_region_above(transform: str, code: str, said: str | None) -> None:
    link = Link(SHOPS.tool_id, "portal_region", (Binding("rgnCd", "rgnCd", transform),), 0.9)
    record = {**MANY[0], "rgnCd": code}
    assert via_of(link, SHOPS, TOOLS["portal_region"], [record], record) == said


def test_coordinates_name_the_record_itself() -> None:
    source = replace(SHOPS, outputs=(*SHOPS.outputs, OutputField("lon", "경도", kind="longitude")))
    target = replace(TOOLS["portal_region"], parameters=(Parameter("x", "경도", kind="longitude"),))
    link = Link(source.tool_id, target.tool_id, (Binding("lon", "x"),), 0.9)
    assert via_of(link, source, target, MANY, MANY[0]) is None
