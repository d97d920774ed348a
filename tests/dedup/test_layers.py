"""Each layer drops what it should and, above all, keeps what it should."""

from __future__ import annotations

import math
import re

import numpy as np
import polars as pl
import pytest
from dedup_rows import row

from edge.dedup.contamination import contaminated
from edge.dedup.embeddings import threshold_of, with_threshold
from edge.dedup.exact import ambiguous
from edge.dedup.normalise import operator_gates, text_gates, text_key
from edge.dedup.pipeline import deduplicate
from edge.dedup.records import Decision, DedupRow, DedupSettings, frame_of
from edge.dedup.table import ranked, table_of
from edge.embedding import LexicalEmbedder, Vectors
from edge.errors import ModelAnswerError, UsageError
from edge.llm.offline.packs import LANGUAGES, pack_of

GANGNAM = "서울시 강남구의 2024년 3월 아파트 실거래가 평균을 알려줘"
GANGBUK = "서울시 강북구의 2024년 4월 아파트 실거래가 평균을 알려줘"
TAIL = " 그리고 그 결과를 표로 정리해서 담당 부서에 보고할 수 있게 짧게 요약해 줘"
MANY = DedupSettings(max_phrasings=100)


def dropped(rows: list[DedupRow], settings: DedupSettings | None = None) -> dict[str, Decision]:
    return {decision.id: decision for decision in deduplicate(rows, settings) if not decision.kept}


def test_equal_text_after_normalising_is_exact() -> None:
    rows = [row("a", GANGNAM, "p", "1"), row("b", "  " + GANGNAM.replace(" ", "") + "!! ", "p", "1", quality=1.0)]
    assert dropped(rows, MANY) == {"a": Decision("a", False, "b", "exact", 1.0)}


def test_d10_decomposed_hangul_is_the_same_text() -> None:
    nfc, nfd = "서울시 강남구 미세먼지", "\u1109\u1165\u110b\u116e\u11af\u1109\u1175 강남구 미세먼지"
    assert text_key(nfc) == text_key(nfd)
    assert len(set(text_gates(pl.Series([nfc, nfd])))) == 1
    assert list(dropped([row("a", nfc), row("b", nfd)])) == ["b"]


def test_one_wording_of_a_need_is_kept_by_default() -> None:
    rows = [row("a", "강남구 집값 평균은?", "p", "1"), row("b", "삼월에 얼마에들 팔렸나", "p", "1", quality=2.0)]
    assert dropped(rows) == {"a": Decision("a", False, "b", "exact", 1.0)}
    assert dropped(rows, DedupSettings(max_phrasings=2)) == {}


def test_wordings_that_are_kept_differ() -> None:
    rows = [
        row("a", GANGNAM, "p", "1", quality=3),
        row("b", GANGNAM + "요", "p", "1", quality=2),
        row("c", "집값?", "p", "1"),
    ]
    found = dropped(rows, DedupSettings(max_phrasings=2))
    assert list(found) == ["b"]
    assert (found["b"].method, found["b"].duplicate_of) == ("minhash", "a")
    assert 0.9 < (found["b"].similarity or 0) < 1


def test_rewordings_are_found_by_their_vectors() -> None:
    rows = [row("a", GANGNAM, "p", "1"), row("b", "2024년 3월 서울시 강남구의 아파트 평균 실거래가를 알려줘", "p", "1")]
    strict = DedupSettings(max_phrasings=9, need_jaccard=1.0, embedding_threshold=0.6)
    found = dropped(rows, strict)
    assert (found["b"].method, found["b"].duplicate_of) == ("embedding", "a")
    assert dropped(rows, DedupSettings(max_phrasings=9, need_jaccard=1.0, use_embeddings=False)) == {}


@pytest.mark.parametrize("tail", ["", TAIL, TAIL * 3])
@pytest.mark.parametrize("known", [True, False])
def test_d11_other_argument_values_are_never_duplicates(tail: str, known: bool) -> None:
    plan, one, two = ("p", "강남/3", "강북/4") if known else (None, None, None)
    loose = DedupSettings(need_jaccard=0.1, text_jaccard=0.1, embedding_threshold=0.1)
    assert dropped([row("a", GANGNAM + tail, plan, one), row("b", GANGBUK + tail, plan, two)], loose) == {}
    # one district apart and nothing else
    third = GANGNAM.replace("강남구", "강북구")
    assert dropped([row("a", GANGNAM + tail, plan, one), row("b", third + tail, plan, two)], loose) == {}


def test_d11_other_plans_are_never_duplicates() -> None:
    assert dropped([row("a", GANGNAM, "p1", "x"), row("b", GANGNAM, "p2", "x")]) == {}


def test_d11_punctuation_that_carries_numbers_counts_without_a_plan() -> None:
    for one, two in (
        ("1~3월 강수량", "13월 강수량"),
        ("3.5 이상", "35 이상"),
        ("기온 -5", "기온 5"),
        ("3월 4일", "4월 3일"),
    ):
        assert dropped([row("a", one), row("b", two)], DedupSettings(text_jaccard=0.1)) == {}, one


def test_without_a_plan_only_near_copies_go() -> None:
    text = "전국 대기오염 측정소 중에서 초미세먼지 농도가 가장 높은 곳이 어디인지 알려줘"
    assert dropped([row("a", text), row("b", text + "요")])["b"].method == "minhash"
    assert dropped([row("a", text), row("b", text.replace("알려줘", "찾아서 말해줄래"))]) == {}


def test_what_is_done_with_the_records_counts_where_nobody_names_it() -> None:
    texts = [f"강남구 측정소 중에서 미세먼지가 가장 {word} 곳을 알려줘" for word in ("높은", "낮은")]
    for plan, args in (("p", "1"), (None, None)):
        rows = [row(str(i), text, plan, args, operator=None) for i, text in enumerate([*texts, texts[0] + "요"])]
        found = dropped(rows, DedupSettings(text_jaccard=0.1))
        assert {name: d.duplicate_of for name, d in found.items()} == {"2": "0"}
        assert found["2"].unverified_gate is (plan is None)
    # wordings of one plan and arguments are not capped either: they may ask for different things
    assert (
        dropped([row(n, t, "p", "1", operator=None) for n, t in (("a", "집값 평균은?"), ("b", "얼마에 팔렸나"))]) == {}
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_criterion_of_a_language_is_heard(language: str) -> None:
    for kind, pattern in pack_of(language).criteria.items():
        word = re.sub(
            r"\(\?:([^|)]*)[^)]*\)|\\b|\[(.)[^]]*\]", r"\1\2", re.sub(r"\(\?<?[=!][^)]*\)", "", pattern)
        ).split("|")[0]
        assert operator_gates(pl.Series([f"a {word} b"])).item(), (kind, word)


def test_known_and_unknown_needs_are_not_mixed() -> None:
    assert dropped([row("a", GANGNAM, "p", "1"), row("b", GANGNAM), row("c", GANGNAM, "p", None)]) == {
        "c": Decision("c", False, "b", "exact", 1.0, unverified_gate=True)
    }


@pytest.mark.parametrize("known", [True, False])
def test_d02_texts_without_letters_do_not_crash(known: bool) -> None:
    texts = ["", "   ", "?!…", "\u200b", "😀", "?!…"]
    rows = [row(str(i), text, *(("p", "1") if known else ())) for i, text in enumerate(texts)]
    found = dropped(rows, MANY)
    assert {name: d.duplicate_of for name, d in found.items()} == {"1": "0", "3": "0", "5": "2"}


@pytest.mark.parametrize("limit", [1, 1000])
def test_d03_one_of_a_hundred_copies_of_a_short_text_survives(limit: int) -> None:
    for text in ("오늘 날씨", "집", "날씨"):
        rows = [row(f"{i:03d}", text) for i in range(100)]
        assert len(dropped(rows, DedupSettings(exact_limit=limit))) == 99


def test_large_groups_give_what_all_pairs_give() -> None:
    rows = [
        row(f"{i:04d}", f"{GANGNAM} 보고서 {'가나다라마바사아자차카타파하'[i % 14] * (1 + i % 3)} 형식으로", "p", "1")
        for i in range(400)
    ]
    by_pairs = deduplicate(rows, DedupSettings(max_phrasings=400, exact_limit=10_000, need_jaccard=0.95))
    by_hash = deduplicate(rows, DedupSettings(max_phrasings=400, exact_limit=10, need_jaccard=0.95))
    assert by_pairs == by_hash


def test_d06_zero_and_nan_vectors_are_refused() -> None:
    class Broken:
        name, dim = "broken", 3

        def __init__(self, bad: float) -> None:
            self.bad = bad

        def encode(self, texts: list[str]) -> Vectors:
            return np.array([[self.bad, 0, 0] if "b" in text else [1, 0, 0] for text in texts], dtype=np.float32)

    rows = [row("1", "aaaa", "p", "1"), row("2", "bbbb", "p", "1")]
    for bad in (0.0, math.nan, math.inf):
        with pytest.raises(ModelAnswerError, match="bad_vector"):
            deduplicate(rows, DedupSettings(embedding_threshold=0.9), embedder=Broken(bad))


@pytest.mark.parametrize(("groups", "least"), [(1500, 0.99), (3, 1.0)])
def test_large_gates_are_compared_in_cells_or_by_leaders(groups: int, least: float) -> None:
    class Given:
        """Vectors in groups: few near ones for each row, or where groups are few, thousands."""

        name, dim = "given", 32

        def encode(self, texts: list[str]) -> Vectors:
            rng = np.random.default_rng(0)
            centres = rng.normal(size=(groups, self.dim))
            own = [
                centres[int(t[1:]) % groups] + np.random.default_rng(int(t[1:])).normal(size=32) * 0.1 for t in texts
            ]
            return np.array(own, dtype=np.float32)

    rows = [row(f"{i:05d}", f"q{i}", "p", "1") for i in range(4500)]
    chosen = {"max_phrasings": None, "shape_cap": None, "need_jaccard": 1.0, "embedding_threshold": 0.95}
    kept = [
        {d.id for d in deduplicate(rows, DedupSettings(**chosen, exact_limit=limit), embedder=Given()) if d.kept}
        for limit in (10_000, 1000)
    ]
    assert groups <= len(kept[0]) < 2000
    assert len(kept[0] & kept[1]) / len(kept[0] | kept[1]) >= least


def test_every_embedder_has_a_threshold_of_its_own() -> None:
    class Wide(LexicalEmbedder):
        """Like a model under which any two texts are alike."""

        name = "wide"

        def encode(self, texts: list[str]) -> Vectors:  # type: ignore[override]
            far = super().encode(texts) + 0.1
            return (far / np.linalg.norm(far, axis=1, keepdims=True)).astype(np.float32)

    few = [row("a", GANGNAM, "p", "1"), row("b", "집값이 어땠나", "p", "1")]
    loose = DedupSettings(max_phrasings=9)
    assert [d.id for d in deduplicate(few, loose, embedder=Wide()) if not d.kept] == []  # .97 among few texts
    many = [row(f"{i:03d}", f"{chr(0xAC00 + 7 * i) * 3} {chr(0xB000 + 11 * i) * 3}", "q", str(i)) for i in range(60)]
    found = with_threshold(loose, Wide(), [r.text for r in many])
    assert 0.92 < (found.embedding_threshold or 0) < 1
    assert with_threshold(loose, LexicalEmbedder(), []).embedding_threshold == 0.8
    assert with_threshold(DedupSettings(embedding_threshold=0.5), Wide(), []).embedding_threshold == 0.5
    with pytest.raises(UsageError, match="no embedding threshold is known for wide"):
        threshold_of(Wide(), loose)


def test_a_shape_is_capped_and_its_values_stay_varied() -> None:
    rows = [row(f"{i:02d}", f"질문 {i}", "p", str(i), quality=float(i < 10), values=(f"v{i % 5}",)) for i in range(30)]
    found = dropped(rows, DedupSettings(shape_cap=10))
    kept = sorted(r.id for r in rows if r.id not in found)
    assert kept == [f"{i:02d}" for i in range(10)]  # each value twice, the better rows
    assert {d.method for d in found.values()} == {"shape_cap"}
    rare = [*rows, row("99", "질문 99", "p", "99", quality=-1.0, values=("rare",))]
    assert "99" not in dropped(rare, DedupSettings(shape_cap=10))
    assert dropped([DedupRow(r.id, r.text) for r in rows], DedupSettings(shape_cap=1)) == {}


def test_covering_starts_anew_when_nothing_new_is_left() -> None:
    rows = [row(str(i), f"질문 {i}", "p", str(i), values=("a",) if i < 3 else ("b",)) for i in range(5)]
    assert set("01234") - set(dropped(rows, DedupSettings(shape_cap=4))) == {"0", "3", "1", "4"}
    assert dropped(rows, DedupSettings(shape_cap=9)) == {}
    assert dropped(rows, DedupSettings(shape_cap=1))["4"] == Decision("4", False, "0", "shape_cap", 0.0)
    assert dropped(rows, DedupSettings(shape_cap=2))["4"] == Decision("4", False, "3", "shape_cap", 1.0)


def test_a_follower_of_a_capped_row_goes_for_the_cap() -> None:
    rows = [
        row("a", GANGNAM, "p", "1", quality=3.0),
        row("b", GANGBUK, "p", "2", quality=2.0),
        row("c", GANGBUK + "요", "p", "2", quality=1.0),
    ]
    found = dropped(rows, DedupSettings(shape_cap=1))
    assert {name: (d.method, d.duplicate_of) for name, d in found.items()} == {
        "b": ("shape_cap", "a"),
        "c": ("shape_cap", "a"),
    }


def test_d12_the_same_id_twice_is_one_clear_line() -> None:
    with pytest.raises(UsageError, match="the id 'a' comes 2 times"):
        deduplicate([row("a", "x"), row("a", "y")])


def test_odd_settings_and_qualities_are_refused() -> None:
    with pytest.raises(UsageError, match="quality of 'a' is not a number"):
        deduplicate([row("a", "x", quality=math.nan)])
    with pytest.raises(UsageError, match="1 or more"):
        DedupSettings(shape_cap=0)
    for bad in (0.0, 1.5, math.nan):
        with pytest.raises(UsageError, match="thresholds"):
            DedupSettings(embedding_threshold=bad)


def test_settings_have_a_fingerprint() -> None:
    prints = {DedupSettings(seed=s, shape_cap=c).fingerprint(e) for s in (1, 2) for c in (1, 2) for e in ("x", "y")}
    assert len(prints) == 8


def test_one_text_with_two_answers_is_reported() -> None:
    rows = [
        row("b", GANGNAM, "p", "1"),
        row("a", GANGNAM + "!", "p", "2"),
        row("c", GANGBUK, "p", "3"),
        row("d", GANGNAM),
    ]
    assert ambiguous(table_of(ranked(frame_of(rows)))) == [("a", "b")]


def test_held_out_needs_and_wordings_leave_training() -> None:
    held = [row("h1", GANGNAM, "p", "1"), row("h2", "부산시 초미세먼지 농도를 알려줘", "q", "2")]
    rows = [
        row("need", "집값이 어땠지", "p", "1"),
        row("copy", "부산시  초미세먼지 농도를 알려줘!!", "z", "9"),
        row("near", GANGBUK, "p", "7"),
        row("free", "국회 회의록에서 주택 관련 발언을 찾아줘", "r", "3"),
        row("blank", "", None, None),
    ]
    found = contaminated(frame_of(rows), frame_of(held)).select("id", "duplicate_of", "how").rows()
    assert found == [("copy", "h2", "text"), ("near", "h1", "near_text"), ("need", "h1", "need")]
    assert contaminated(frame_of(rows), frame_of([])).is_empty()
    assert contaminated(frame_of([]), frame_of(held)).is_empty()
