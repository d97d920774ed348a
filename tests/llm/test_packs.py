"""Any language: one brief, plain sentences in each; nothing Korean outside the Korean pack."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, get_args

import pytest
from brief_examples import BRIEFS, Json, ask, brief, given, reduced, step
from hypothesis import given as hypothesis_given
from hypothesis import strategies as st
from reducer_briefs import REDUCED

import edge.llm.offline
from edge.errors import UsageError
from edge.llm.answers import FinalAnswer, RequestAnswer
from edge.llm.offline import OfflineModel
from edge.llm.offline.brief import Reducer, read_brief
from edge.llm.offline.packs import LANGUAGES, pack_of
from edge.llm.prompts import load_prompt
from edge.stages.params import SynthesizeParams

OTHERS = [language for language in LANGUAGES if language != "ko"]
EVERY = BRIEFS | REDUCED
HANGUL = re.compile(r"[가-힣ㄱ-ㅎ]")


def chain(reducer: Reducer) -> list[Reducer]:
    return [reducer, *(chain(reducer.within) if reducer.within else [])]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", EVERY)
def test_every_shape_says_its_values_askings_and_criteria(name: str, language: str) -> None:
    pack = pack_of(language)
    read = read_brief(EVERY[name])
    for style in ("formal", "polite", "casual", "terse", "unknown"):
        for seed in range(6):
            query = pack.request(read_brief({**EVERY[name], "language": language, "style": style, "seed": seed}))
            assert "{" not in query and "None" not in query
            for one in read.all_steps:
                assert all(text in query for text in one.texts), (one.texts, query)
                assert all(any(w in query for w in pack.asked(a.label, one.noun)) for a in one.asks), query
            for one in read.wanted:
                for reducer in chain(one.reducer):
                    assert re.search(pack.criteria.get(reducer.kind, ""), query, re.IGNORECASE), (reducer, query)
            if any(one.when for one in read.all_steps):
                assert re.search(pack.branching, query, re.IGNORECASE)
            if read.comparison:
                assert re.search(pack.comparing, query, re.IGNORECASE)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EVERY)
def test_an_outline_holds_all_that_a_request_must_say_and_nobody_who_asks(name: str, language: str) -> None:
    pack = pack_of(language)
    for seed in range(4):
        read = read_brief({**EVERY[name], "language": language, "seed": seed})
        lines = pack.outline(read)
        said = "\n".join(lines)
        assert lines == pack.outline(read)
        assert all(line.strip() for line in lines)
        assert all(text in said for one in read.all_steps for text in one.texts), said
        assert all(any(w in said for w in pack.asked(a.label, o.noun)) for o in read.all_steps for a in o.asks), said
        assert not re.search(pack.requesting, said, re.IGNORECASE)
        assert re.search(pack.requesting, pack.request(read), re.IGNORECASE)


def flats(language: str, label: str, noun: str, region: str, month: str) -> Json:
    made = brief(
        step(1, "region", "demographics", reducer=reduced("filter", "name", region, True, "name")),
        step(
            2,
            noun,
            "real estate",
            given("month", month, "month"),
            reducer=reduced("max", label, field="amount"),
            parent=1,
            asks=[ask(label, "amount")],
        ),
    )
    return {**made, "language": language}


async def test_the_offline_model_writes_in_the_language_of_the_brief() -> None:
    model, request, final = OfflineModel(), load_prompt("user_request"), load_prompt("final_answer")
    english = flats("en", "price", "flat sales", "Gangnam-gu", "May 2026")
    query = (await model.answer(request, english, RequestAnswer)).value.query
    assert "the price of the one with the highest price among the flat sales in May 2026 for Gangnam-gu" in query
    japanese = flats("ja", "価格", "マンション取引", "江南区", "2026年5月")
    query = (await model.answer(request, japanese, RequestAnswer)).value.query
    assert "江南区の2026年5月のマンション取引のうち価格が最も大きいマンション取引の価格" in query
    facts: list[Any] = [{"step": "s2", "entity": "Eunma", "label": "price", "text": "1,250", "unit": "won"}]
    answer = (await model.answer(final, {**english, "facts": facts}, FinalAnswer)).value.answer
    assert answer == "For Eunma, the price is 1,250 won."
    facts[0] |= {"label": "価格", "unit": "円"}
    answer = (await model.answer(final, {**japanese, "facts": facts}, FinalAnswer)).value.answer
    assert answer == "Eunmaの価格は1,250円です。"


ENDS_B = "B has the highest number of trades: 57."


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", [f"For {x}, the number of trades is {n}." for x, n in (("A", 41), ("B", 57))] + [ENDS_B]),
        ("ja", ["Aのtradesの件数は41です。", "Bのtradesの件数は57です。", "tradesが最も大きいのはB(57)です。"]),
    ],
)
def test_a_comparison_is_answered_with_its_winner(language: str, lines: list[str]) -> None:
    sides = {**REDUCED["compared_counts"]["comparison"], "names": ["A", "B"]}
    facts = [
        {"step": "s2", "label": "trades", "text": "41"},
        {"step": "s4", "label": "trades", "text": "57"},
        {"step": "s4", "label": "trades", "text": "57", "entity": "B", "operation": "max"},
    ]
    case = {**REDUCED["compared_counts"], "comparison": sides, "language": language, "facts": facts}
    assert pack_of(language).answer(read_brief(case)).splitlines() == lines


@pytest.mark.parametrize("language", OTHERS)
def test_the_branch_taken_is_told_and_nothing_is_said_as_such(language: str) -> None:
    facts = [{"step": "s3", "label": "x", "text": "7"}]
    pack = pack_of(language)
    told = pack.answer(read_brief({**REDUCED["only_if"], "language": language, "facts": facts}))
    assert "10" in told.splitlines()[0] and "7" in told.splitlines()[1]
    assert "x" not in pack.answer(read_brief({**REDUCED["only_if"], "language": language}))


@pytest.mark.parametrize("language", LANGUAGES)
@hypothesis_given(
    moment=st.datetimes(min_value=datetime(1000, 1, 1)), clock=st.times(), number=st.integers(-(10**9), 10**9)
)
def test_values_come_back(language: str, moment: datetime, clock: time, number: int) -> None:
    pack = pack_of(language)
    for pattern in ("%Y%m%d", "%Y%m", "%Y"):
        wire = moment.strftime(pattern)
        assert pack.read_date(pack.date(wire), pattern) == wire
    assert pack.read_date(pack.date(moment.strftime("%Y-%m-%d %H:%M")), None) == moment.strftime("%Y%m%d%H%M")
    assert pack.read_time(pack.time(clock.strftime("%H%M"))) == clock.strftime("%H%M")
    assert pack.measure(str(number), None).replace(",", "") == str(number)


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_text_stays_as_it_is(language: str) -> None:
    pack = pack_of(language)
    assert [pack.date(t) for t in ("20261350", "abc", "")] == ["20261350", "abc", ""]
    assert (pack.time("9999"), pack.measure("n/a", "m"), pack.read_date("abc", None)) == ("9999", "n/a", None)
    assert pack.people("no such domain") and pack.people("finance")


@pytest.mark.parametrize("language", LANGUAGES)
def test_near_dates_are_words_only_where_there_is_one(language: str) -> None:
    pack, today = pack_of(language), date(2026, 6, 15)
    for kind, near, far in (("month", "202605", "202601"), ("date", "20260614", "20260601"), ("year", "2025", "2009")):
        assert pack.near[kind](pack.date(near), today.isoformat())
        assert re.search(pack.relative, pack.near[kind](pack.date(near), today.isoformat()) or "", re.IGNORECASE)
        assert pack.near[kind](pack.date(far), today.isoformat()) is None


def test_no_pack_no_language() -> None:
    with pytest.raises(UsageError, match="no language pack 'xx'"):
        pack_of("xx")


def test_nothing_korean_outside_the_korean_pack() -> None:
    offline = Path(edge.llm.offline.__file__).parent
    plans = offline.parents[1] / "plans"
    files = [f for f in offline.rglob("*.py") if "ko" not in f.relative_to(offline).parts]
    files += [plans / f"{name}.py" for name in ("brief", "requests", "request_rules", "sayings")]
    assert len(files) > 10
    assert [f.name for f in files if HANGUL.search(f.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_cannot_be_called_is_said_in_the_language(language: str) -> None:
    said = {
        (await OfflineModel().answer(load_prompt("no_call"), {**GAP, "language": language, "act": act, "seed": seed},
                                     FinalAnswer)).value.answer
        for act in ("ask", "decline")
        for seed in range(12)
    }  # fmt: skip
    assert len(said) >= 6 and all("XYZ" in text for text in said)
    assert language == "ko" or not any(HANGUL.search(text) for text in said)


GAP = {"label": "XYZ", "style": "polite", "query": "q", "today": "2026-06-15"}


def test_the_parameter_knows_every_pack() -> None:
    assert get_args(SynthesizeParams.model_fields["language"].annotation) == LANGUAGES
