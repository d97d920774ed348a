"""Requests and answers of the offline writer."""

from __future__ import annotations

import re
from typing import Any

import pytest
from brief_examples import BRIEFS as CHAINS
from brief_examples import brief, given, reduced, step
from hypothesis import HealthCheck, settings
from hypothesis import given as hypothesis_given
from hypothesis import strategies as st
from reducer_briefs import REDUCED

from edge.errors import UsageError
from edge.llm.answers import FinalAnswer, RequestAnswer
from edge.llm.offline import OfflineModel
from edge.llm.offline.brief import read_brief
from edge.llm.offline.ko.answer import write_answer
from edge.llm.offline.ko.frames import STYLES
from edge.llm.offline.ko.labels import own_label, spoken
from edge.llm.offline.ko.personas import personas
from edge.llm.offline.ko.request import compose
from edge.llm.prompts import load_prompt
from edge.text import compact

BRIEFS = CHAINS | REDUCED
BROKEN = re.compile(r"(\b\S{2,})\s+\1\b|의 의 |  |[{}]|\(으\)|None|의의 |도도 도|[을를][은는이가을를] |[은는][은는] ")


def written(case: dict[str, Any], style: str, seed: int) -> str:
    return compose(read_brief({**case, "style": style, "seed": seed})).query


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", BRIEFS)
def test_requests_hold_every_value_and_every_asking(name: str, style: str) -> None:
    case = BRIEFS[name]
    for seed in range(40):
        query = written(case, style, seed)
        read = read_brief(case)
        for text in (text for one in read.all_steps for text in one.texts):
            assert text in query, (text, query)
        for one in [*case["steps"], *case.get("untaken", [])]:
            for asked in one["asks"]:
                said = {spoken(asked["label"]), own_label(asked["label"], one["noun"])}
                assert any(compact(words) in compact(query) for words in said), (asked, query)
            assert one["id"] not in query.split() and one["title"] not in query
        assert not BROKEN.search(query), query
        assert 12 <= len(query) <= 600


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", BRIEFS)
def test_requests_vary_with_the_seed_and_only_with_it(name: str, style: str) -> None:
    queries = [written(BRIEFS[name], style, seed) for seed in range(60)]
    assert queries == [written(BRIEFS[name], style, seed) for seed in range(60)]
    assert len(set(queries)) >= 12


def skeleton(query: str, case: dict[str, Any]) -> str:
    """Return the request with values, labels and nouns masked: what is left is how it is said."""
    read = read_brief(case)
    texts = {text for one in read.all_steps for text in one.texts}
    words = {w for one in case["steps"] for asked in one["asks"] for w in (spoken(asked["label"]), "이름")}
    words |= {w for one in case["steps"] for w in (one["noun"], *one["noun"].split())}
    for text in sorted(texts | words, key=lambda t: (-len(t), t)):
        query = query.replace(text, "@")
    return re.sub(r"@(?:[은는이가을를의와과도]|에서|마다)?", "@", query)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", BRIEFS)
def test_twelve_skeletons_of_one_plan_in_each_register(name: str, style: str) -> None:
    case = BRIEFS[name]
    assert len({skeleton(written(case, style, seed), case) for seed in range(24)}) >= 12


@pytest.mark.parametrize("name", BRIEFS)
def test_twelve_sentence_patterns_of_one_plan(name: str) -> None:
    patterns = {
        compose(read_brief({**BRIEFS[name], "style": style, "seed": seed})).pattern
        for seed in range(16)
        for style in STYLES
    }
    assert len(patterns) >= 12


WORDS_OF_REDUCERS = {
    "sum": "합계|총 거래금액|모두 더하면",
    "mean": "평균",
    "distinct": "서로 다른",
    "top": "가장 큰 거래 3건|큰 순으로 3건|상위 3건",
    "bottom": "가장 적은 병원 2곳|적은 순으로 2곳|하위 2곳",
    "at_least": "거래금액이 30억 원 이상인",
    "at_most": "전용면적이 60㎡ 이하인",
    "contains": "단지명에 '그린빌'이 들어가는",
    "count_within": "30억 원 이상인 거래.* 몇 건",
    "max_within": "법정동이 역삼동인 거래 (?:중|가운데|중에서) 거래금액이 가장 큰",
    "nearest": "강남역에서 가장 가까운",
    "compared_counts": "강남구와 .*해운대구.*(?:쪽이|디가) 더 많은지",
    "compared_means": "각각 얼마인지.*더 큰지",
    "compared_values": "각각의.*전용면적이 더 좁은지",
    "compared_fan": "어느 병원이 가장 많은지",
    "if_dear": "30억 원 이상이면.*(?:아니|아닌|그렇지 않)",
    "if_any": "거래가 있으면.*학교.*(?:아니|아닌|그렇지 않).*보증금",
    "only_if": "10건 이상이면.*보증금",
    "joined": "서울특별시 강남구.*한빛전자",
    "three_askings": "^(?!.*강남구.*강남구).*강남구",  # the topic is said once
}


@pytest.mark.parametrize("name", REDUCED)
def test_reducers_comparisons_and_branches_are_said(name: str) -> None:
    for seed in range(20):
        for style in STYLES:
            query = written(REDUCED[name], style, seed).replace("\n", " ")
            assert re.search(WORDS_OF_REDUCERS[name], query), query


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@hypothesis_given(
    value=st.text(alphabet=st.characters(categories=("L", "N")), min_size=1, max_size=12),
    name=st.text(alphabet=st.characters(min_codepoint=ord("가"), max_codepoint=ord("힣")), min_size=2, max_size=8),
    kind=st.sampled_from(["only", "filter", "max", "min", "latest", "earliest", "count", "all", "nearest"]),
    parent=st.sampled_from(["only", "filter", "max", "all", "nearest"]),
    style=st.sampled_from([*STYLES, "memo", "", "unknown"]),
    seed=st.integers(min_value=0, max_value=2**31),
    phrase=st.sampled_from([None, "{v}", "{v}의", "{v}에 있는", "이름이 '{v}'인", "이름에 '{v}'{josa:이가} 들어가는"]),
)
def test_any_shape_states_its_values(
    value: str, name: str, kind: str, parent: str, style: str, seed: int, phrase: str | None
) -> None:
    first = step(
        1,
        "병원",
        "healthcare",
        given("이름", value, phrase=phrase),
        reducer=reduced(parent, "이름", name if parent == "filter" else None, True, "name"),
    )
    second = step(
        2,
        "진료과목",
        "healthcare",
        reducer=reduced(kind, "과목", name if kind == "filter" else None, False, "name"),
        parent=1,
        asks=[{"label": "전문의수", "unit": "명", "kind": "count"}] if kind != "count" else [],
    )
    query = written(brief(first, second), style, seed)
    assert value in query
    assert kind != "filter" or name in query
    assert "{" not in query and "}" not in query


async def test_the_model_answers_both_prompts() -> None:
    model = OfflineModel()
    case = BRIEFS["region_trades_max"]
    request = await model.answer(load_prompt("user_request"), case, RequestAnswer)
    assert "서울특별시 강남구" in request.value.query and request.usage.output_tokens == 0
    facts = [
        {"step": "s2", "entity": None, "label": "거래금액", "text": "125,000만원", "unit": "만원", "kind": "amount"}
    ]
    answer = await model.answer(load_prompt("final_answer"), {**case, "facts": facts}, FinalAnswer)
    assert "125,000만원" in answer.value.answer
    nested = await model.answer(
        load_prompt("final_answer"), {"query": "q", "brief": {**case, "facts": facts}}, FinalAnswer
    )
    assert nested.value == answer.value


def test_a_brief_of_another_shape_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="steps"):
        read_brief({"steps": "x"})
    with pytest.raises(UsageError, match="no steps"):
        read_brief({"steps": []})


def said(facts: list[dict[str, Any]], style: str, case: str = "region_trades_max") -> str:
    return write_answer(read_brief({**BRIEFS[case], "style": style, "facts": facts}))


def fact(label: str, text: str, entity: str | None = None, step_id: str = "s2", **more: Any) -> dict[str, Any]:
    return {"step": step_id, "entity": entity, "label": label, "text": text, "value": text, **more}


def test_answers_in_each_style() -> None:
    facts = [fact("아파트명", "은마", "서울특별시 강남구"), fact("거래금액", "125,000만원", "서울특별시 강남구")]
    start = "서울특별시 강남구에서 거래금액이 가장 큰 거래의 아파트명은 은마"
    assert said(facts, "formal") == f"{start}이고 거래금액은 125,000만원입니다."
    assert said(facts, "polite") == f"{start}이고 거래금액은 125,000만원이에요."
    assert said(facts, "casual") == f"{start}이고 거래금액은 125,000만원이야."
    assert "은마" in said(facts, "terse") and "125,000만원" in said(facts, "terse")


def test_counts_and_nothing() -> None:
    counted = [fact("오피스텔 전월세 거래", "12", kind="count")]
    assert said(counted, "formal", "region_trades_count") == "오피스텔 전월세 거래는 모두 12건입니다."
    named = [fact("발의자", "12", "개인정보 보호법 일부개정법률안")]
    assert said(named, "polite", "bill_proposers") == "개인정보 보호법 일부개정법률안의 발의자는 모두 12명이에요."
    assert said([], "formal") == "조건에 맞는 결과를 찾지 못했습니다."


def test_computed_values_are_stated_with_what_they_are() -> None:
    def one(case: str, label: str, text: str, operation: str, **more: Any) -> str:
        facts = [fact(label, text, "서울특별시 강남구", operation=operation, **more)]
        return write_answer(read_brief({**REDUCED[case], "style": "formal", "facts": facts}))

    start = "서울특별시 강남구의 "
    assert one("sum", "거래금액", "1,234억 5,000만 원", "sum") == f"{start}거래금액 합계는 1,234억 5,000만 원입니다."
    assert one("mean", "전용면적", "84.97㎡", "mean") == f"{start}평균 전용면적은 84.97㎡입니다."
    assert one("distinct", "법정동", "7", "distinct") == f"{start}서로 다른 법정동은 모두 7곳입니다."


def test_the_winner_of_a_comparison_is_named_last() -> None:
    sides = REDUCED["compared_counts"]["comparison"]["names"]
    facts = [
        fact("아파트 매매 거래", "41", step_id="s2", kind="count"),
        fact("아파트 매매 거래", "57", step_id="s4", kind="count"),
        fact("아파트 매매 거래", "57", sides[1], step_id="s4", kind="count", operation="max"),
    ]
    answer = write_answer(read_brief({**REDUCED["compared_counts"], "style": "polite", "facts": facts}))
    assert answer == (
        f"{sides[0]}의 아파트 매매 거래는 모두 41건이에요. {sides[1]}의 아파트 매매 거래는 모두 57건이에요. "
        f"둘 중 아파트 매매 거래가 더 많은 쪽은 {sides[1]}(57건)예요."
    )


@pytest.mark.parametrize(
    ("case", "start"),
    [
        ("if_dear", "거래금액이 30억 원 이상이어서, "),
        ("if_any", "아파트 매매 거래가 없어서, "),
        ("only_if", "아파트 매매 거래가 10건 이상이어서, "),
    ],
)
def test_an_answer_says_which_branch_was_taken(case: str, start: str) -> None:
    facts = [fact("단지명", "은마", step_id="s3"), fact("보증금", "12억 원", step_id="s3")]
    answer = write_answer(read_brief({**REDUCED[case], "style": "formal", "facts": facts}))
    assert answer == f"{start}보증금이 가장 큰 계약의 단지명은 은마이고 보증금은 12억 원입니다."


def test_why_a_branch_was_taken_is_told_once() -> None:
    facts = [fact("보증금", f"{n}억 원", f"단지{n}", step_id="s3") for n in range(5)]
    answer = write_answer(read_brief({**REDUCED["if_dear"], "style": "casual", "facts": facts}))
    assert answer.count("30억 원 이상이어서") == 1
    assert all(f"단지{n}" in answer for n in range(5))


def test_many_facts_become_a_list() -> None:
    facts = [fact(label, str(n), f"병원{n}", unit="명") for n in range(5) for label in ("전문의수", "의사수")]
    lines = said(facts, "formal", "hospitals_departments_fan").splitlines()
    assert lines[1:] == [f"- 병원{n}: 전문의수 {n}명, 의사수 {n}명" for n in range(5)]


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@hypothesis_given(
    texts=st.lists(
        st.text(alphabet=st.characters(categories=("L", "N")), min_size=1, max_size=90), min_size=1, max_size=8
    ),
    style=st.sampled_from(STYLES),
)
def test_every_fact_is_stated(texts: list[str], style: str) -> None:
    answer = said([fact(f"항목{n}", text, "한빛") for n, text in enumerate(texts)], style)
    assert all(text in answer for text in texts)


def test_every_domain_has_people_with_reasons_that_every_style_can_finish() -> None:
    for domain in ("real estate", "traffic", "no such domain"):
        for person in personas(domain):
            assert all(reason.endswith(("중", "려고", "필요")) for reason in person.reasons)
