"""Requests and answers of the offline writer."""

from __future__ import annotations

import re
from typing import Any

import pytest
from brief_examples import BRIEFS, brief, given, reduced, step
from hypothesis import HealthCheck, settings
from hypothesis import given as hypothesis_given
from hypothesis import strategies as st

from edge.errors import UsageError
from edge.llm.answers import FinalAnswer, RequestAnswer
from edge.llm.offline import OfflineModel
from edge.llm.offline.ko.brief import read_brief
from edge.llm.offline.ko.frames import STYLES
from edge.llm.offline.ko.labels import spoken
from edge.llm.offline.ko.personas import personas
from edge.llm.offline.ko.request import compose
from edge.llm.prompts import load_prompt
from edge.text import compact

BROKEN = re.compile(r"(\b\S{2,})\s+\1\b|의 의 |  |[{}]|\(으\)|None|의의 |도도 도|[을를][은는이가을를] |[은는][은는] ")


def written(case: dict[str, Any], style: str, seed: int) -> str:
    return compose(read_brief({**case, "style": style, "seed": seed})).query


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", BRIEFS)
def test_requests_hold_every_value_and_every_asking(name: str, style: str) -> None:
    case = BRIEFS[name]
    for seed in range(40):
        query = written(case, style, seed)
        for one in case["steps"]:
            for text in [*(item["text"] for item in one["inputs"]), one["reducer"]["text"]]:
                assert text is None or text in query, (text, query)
            for asked in one["asks"]:
                assert compact(spoken(asked["label"])) in compact(query), (asked, query)
            assert one["id"] not in query.split() and one["title"] not in query
        assert not BROKEN.search(query), query
        assert 12 <= len(query) <= 400


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", BRIEFS)
def test_requests_vary_with_the_seed_and_only_with_it(name: str, style: str) -> None:
    queries = [written(BRIEFS[name], style, seed) for seed in range(60)]
    assert queries == [written(BRIEFS[name], style, seed) for seed in range(60)]
    assert len(set(queries)) >= 12


@pytest.mark.parametrize(
    "name", ["region_trades_max", "hospitals_departments_fan", "school_meal_timetable_sem", "five_steps"]
)
def test_twelve_sentence_patterns_over_sixty_seeds(name: str) -> None:
    patterns = {
        compose(read_brief({**BRIEFS[name], "style": style, "seed": seed})).pattern
        for seed in range(60)
        for style in STYLES
    }
    assert len(patterns) >= 4 * 12 * 0.5
    for style in ("formal", "polite"):
        one = {compose(read_brief({**BRIEFS[name], "style": style, "seed": seed})).pattern for seed in range(60)}
        assert len(one) >= 12


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
    from edge.llm.offline.ko.answer import write_answer

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


def test_many_facts_become_a_list() -> None:
    facts = [fact(label, str(n), f"병원{n}", unit="명") for n in range(5) for label in ("전문의수", "의사수")]
    lines = said(facts, "formal", "hospitals_departments_fan").splitlines()
    assert lines[1:] == [f"- 병원{n}: 전문의수 {n}명, 의사수 {n}명" for n in range(5)]


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
