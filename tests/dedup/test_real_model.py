"""A real Korean model through the code that loads a user's: thresholds, gates, kept vectors, evaluation sets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from edge.dedup.calibration import calibrate
from edge.dedup.contamination import contaminated
from edge.dedup.embeddings import MARGIN, THRESHOLDS
from edge.dedup.pipeline import deduplicate
from edge.dedup.records import DedupRow, DedupSettings, frame_of
from edge.embedding import Embedder, encode_checked, make_embedder

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # the libraries' own warnings are not ours

PLACES = ("강남구", "서초구", "해운대구", "수원시", "춘천시", "목포시", "제주시", "포항시")
ASKED = (
    "{0}의 아파트 실거래가 평균을 알려줘",
    "{0} 미세먼지 농도가 오늘 어땠는지 궁금합니다",
    "{0}에 있는 소아과 병원을 모두 찾아 주세요",
    "{0} 버스 정류장별 승차 인원을 알려 주세요",
    "{0}에서 열린 공공도서관 행사가 있나요?",
    "{0} 초등학교의 점심 급식 메뉴를 보여줘",
    "{0}의 지난 교통사고 건수를 알고 싶어요",
    "{0} 공영주차장 요금이 얼마인지 확인해 주세요",
)
CORPUS = [asked.format(place) for asked in ASKED for place in PLACES]
WAYS = (
    ("강남구 아파트 실거래가 평균을 알려줘", "강남구에서 아파트가 보통 얼마에 팔렸는지 궁금해요"),
    ("해운대구 미세먼지 농도를 알려줘", "해운대구 공기가 얼마나 탁한지 말해 주세요"),
    ("수원시 소아과를 찾아줘", "수원시에서 아이 진료를 보는 병원이 어디 있나요"),
)


@pytest.fixture(scope="module")
def e5(e5_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    return make_embedder(str(e5_folder), prompt="query: ", cache=tmp_path_factory.mktemp("vectors"))


def test_other_words_for_one_need_are_nearer_than_chance(e5: Embedder) -> None:
    found = calibrate(e5, CORPUS)
    assert found.mean > 0.7  # why a threshold of the lexical embedder would not do
    assert found.quantile < found.threshold < 1
    ways = encode_checked(e5, [way for pair in WAYS for way in pair])
    for place in range(0, len(ways), 2):
        other = [i for i in range(len(ways)) if i // 2 != place // 2]
        assert ways[place] @ ways[place + 1] > max(ways[place] @ ways[i] for i in other)


def test_d11_meaning_decides_within_a_gate_only(e5: Embedder) -> None:
    first, way = WAYS[0]
    rows = [
        DedupRow("a", first, "p", "강남", quality=2.0),
        DedupRow("b", way, "p", "강남"),
        DedupRow("c", first.replace("강남", "강북"), "p", "강북"),  # one district apart: nearer to `a` than `b` is
        *(DedupRow(f"t{i:02d}", text, "q", str(i)) for i, text in enumerate(CORPUS)),
    ]
    vectors = encode_checked(e5, [row.text for row in rows[:3]])
    assert vectors[0] @ vectors[2] > vectors[0] @ vectors[1]
    near = float(vectors[0] @ vectors[1]) - 0.001
    chosen = DedupSettings(max_phrasings=9, shape_cap=None, need_jaccard=1.0, embedding_threshold=near)
    gone = {d.id: (d.duplicate_of, d.method) for d in deduplicate(rows, chosen, embedder=e5) if not d.kept}
    assert gone == {"b": ("a", "embedding")}


def test_d08_batches_change_vectors_less_than_the_margin(e5_folder: Path, tmp_path: Path) -> None:
    plain = make_embedder(str(e5_folder), prompt="query: ")
    together = plain.encode([*CORPUS, "날씨 " * 150])
    alone = np.concatenate([plain.encode([text]) for text in CORPUS[:12]])
    assert np.abs((together[:12] * alone).sum(axis=1) - 1).max() < MARGIN  # D07: also beside a long text
    assert np.isfinite(together).all()
    kept = make_embedder(str(e5_folder), prompt="query: ", cache=tmp_path)
    assert np.array_equal(
        kept.encode(CORPUS), make_embedder(str(e5_folder), prompt="query: ", cache=tmp_path).encode(CORPUS)
    )
    assert kept.name.split("@")[0] not in THRESHOLDS  # a folder's model is calibrated


def test_evaluation_sets_are_compared_by_meaning(e5: Embedder) -> None:
    held = frame_of([DedupRow("h", WAYS[0][0])])
    rows = frame_of([DedupRow("way", WAYS[0][1]), DedupRow("free", "국회에서 발의된 저출생 관련 법안을 찾아줘")])
    near = encode_checked(e5, WAYS[0])
    found = contaminated(rows, held, embedder=e5, threshold=float(near[0] @ near[1]) - 0.001)
    assert found.select("id", "duplicate_of", "how").rows() == [("way", "h", "meaning")]
    assert contaminated(rows, held).select(pl.len()).item() == 0
