"""Close pairs of many vectors, thresholds from random pairs, and how varied a dataset is."""

from __future__ import annotations

import math
import random

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edge.dedup.calibration import calibrate
from edge.dedup.cells import close_pairs, components, folded
from edge.dedup.diversity import diversity, nearest_distance, vendi
from edge.dedup.floors import check_floor, read_floor
from edge.dedup.leader import Edges
from edge.embedding import LexicalEmbedder, Vectors
from edge.errors import UsageError


def unit(rows: Vectors) -> Vectors:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def clustered(count: int, dim: int = 32, seed: int = 0) -> Vectors:
    """Vectors of which many lie close to another one."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(count // 4, dim))
    return unit(centres[rng.integers(0, len(centres), count)] + rng.normal(size=(count, dim)) * 0.12)


def pairs_of(edges: Edges) -> set[tuple[int, int]]:
    return set(zip(edges.earlier.tolist(), edges.later.tolist(), strict=True))


def exact(vectors: Vectors, threshold: float) -> set[tuple[int, int]]:
    alike = vectors @ vectors.T
    return {(int(i), int(j)) for i, j in zip(*np.nonzero(np.triu(alike, 1) >= threshold), strict=True)}


@pytest.mark.parametrize("largest", [20_000, 300])
def test_cells_find_nearly_all_close_pairs_and_no_others(largest: int) -> None:
    vectors = clustered(6000)
    found, wanted = pairs_of(close_pairs(vectors, 0.95, largest=largest)), exact(vectors, 0.95)
    assert len(wanted) > 500
    assert found <= wanted
    assert len(found) / len(wanted) >= 0.99


def test_few_rows_are_compared_exactly_and_equal_ones_do_not_hang() -> None:
    vectors = clustered(500)
    assert pairs_of(close_pairs(vectors, 0.9)) == exact(vectors, 0.9)
    assert len(close_pairs(vectors[:0], 0.9).earlier) == 0
    same = np.repeat(vectors[:1], 600, axis=0)  # one cell that cannot be divided
    assert len(close_pairs(same, 0.9, largest=100, exact=50).earlier) == 600 * 599 // 2


def test_wide_vectors_are_folded_without_loss() -> None:
    vectors = clustered(6000, dim=200)
    short = folded(vectors)
    assert short.shape[1] < 100
    assert np.allclose(np.linalg.norm(short, axis=1), 1, atol=1e-5)
    assert ((short[:500] @ short.T) - (vectors[:500] @ vectors.T)).min() > -1e-5
    found, wanted = pairs_of(close_pairs(vectors, 0.7)), exact(vectors, 0.7)
    assert len(wanted) > 500
    assert found <= wanted
    assert len(found) / len(wanted) >= 0.99


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_components_are_those_of_the_graph(joined: list[tuple[int, int]]) -> None:
    pairs = sorted({(min(p), max(p)) for p in joined if p[0] != p[1]})
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    found = components(10, Edges(ends[:, 0], ends[:, 1], np.ones(len(ends)))).tolist()
    near = {i: {i} for i in range(10)}
    for _ in range(10):
        for i, j in pairs:
            near[i] = near[j] = near[i] | near[j]
    assert found == [min(near[i]) for i in range(10)]


def test_thresholds_come_from_the_corpus() -> None:
    rng = random.Random(0)
    texts = ["".join(rng.choices("가나다라마바사아자차카타파하", k=30)) for _ in range(400)]
    found = calibrate(LexicalEmbedder(), texts)
    assert (found.model, found.texts) == ("lexical-char23-1024", 400)
    assert found.mean < found.quantile < found.threshold < 1
    assert calibrate(LexicalEmbedder(), texts[::-1]) == found
    shared = calibrate(LexicalEmbedder(), [text + "를 알려 주시면 감사하겠습니다" for text in texts])
    assert shared.threshold > found.threshold  # texts that share more need more to be repeats
    with pytest.raises(UsageError, match="3 different texts are too few"):
        calibrate(LexicalEmbedder(), ["가", "나", "다", "가"])


@settings(deadline=None)
@given(st.integers(1, 30), st.integers(0, 1000))
def test_vendi_is_that_of_the_whole_kernel(count: int, seed: int) -> None:
    vectors = unit(np.random.default_rng(seed).normal(size=(count, 8)).astype(np.float32))
    values = np.linalg.eigvalsh((vectors @ vectors.T).astype(np.float64) / count)
    values = values[values > 1e-12]
    assert vendi(vectors) == pytest.approx(math.exp(-(values * np.log(values)).sum()), rel=1e-4)
    assert vendi(np.repeat(vectors[:1], 5, axis=0)) == pytest.approx(1.0, abs=1e-6)


def test_vendi_and_distance_of_what_is_known() -> None:
    assert vendi(np.eye(7, dtype=np.float32)) == pytest.approx(7.0)
    assert nearest_distance(np.eye(7, dtype=np.float32)) == pytest.approx(1.0)
    assert nearest_distance(np.repeat(np.eye(3, dtype=np.float32), 2, axis=0)) == pytest.approx(0.0)


def rows(count: int, places: int) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "id": [f"t{i}" for i in range(count)],
            "text": [f"{'가나다라마바사아'[i % places]}구의 {i % places}월 농도" for i in range(count)],
            "plans": [f"p{i % 4}" for i in range(count)],
            "tools": [["a", "b"] if i % 2 else ["a"] for i in range(count)],
            "values": [[f"a.place={i % places}"] for i in range(count)],
        }
    )


def test_measures_are_what_they_are_called() -> None:
    measured = diversity(rows(80, 8))
    found = {(subject, measure): value for measure, subject, value, _ in measured.rows()}
    assert found["plans", "distinct"] == found["plans", "effective"] == 4
    assert found["plans", "entropy"] == 2
    assert found["plans", "evenness"] == 1
    assert found["tools", "distinct"] == 2
    assert 0.9 < found["tools", "entropy"] < 1
    assert found["values", "distinct"] == found["values:a.place", "distinct"] == 8
    assert found["words", "distinct_1"] == pytest.approx(17 / 240, abs=1e-6)
    assert found["meanings", "nearest_distance"] == pytest.approx(0.0, abs=1e-6)
    assert diversity(rows(80, 8).sample(fraction=1.0, shuffle=True, seed=1)).equals(measured)
    poor = {(s, m): v for m, s, v, _ in diversity(rows(80, 1)).rows()}
    assert poor["meanings", "vendi"] == pytest.approx(1.0, abs=1e-6) and found["meanings", "vendi"] > 2
    assert diversity(rows(0, 1)).filter(pl.col("subject") == "meanings").is_empty()


def test_samples_do_not_depend_on_order_and_are_counted() -> None:
    measured = diversity(rows(2100, 8), meanings=300)
    assert set(measured.filter(pl.col("subject") == "words")["rows"]) == {2000}
    assert set(measured.filter(pl.col("subject") == "meanings")["rows"]) == {300}
    assert diversity(rows(2100, 8)[::-1], meanings=300).equals(measured)


def test_floors_are_read_and_held() -> None:
    measured = diversity(rows(80, 8))
    assert check_floor(measured, [read_floor("plans.effective=4"), read_floor("0.01")]) == []
    assert check_floor(measured, [read_floor("plans.effective=5")]) == ["plans.effective is 4, below 5"]
    with pytest.raises(UsageError, match=r"no measure links\.distinct; there are junctions|no measure links\.distinct"):
        check_floor(measured, [read_floor("links.distinct=1")])
    for bad in ("x", "plans=1", "plans.effective=nan", "plans.nothing=1", ""):
        with pytest.raises(ValueError):
            read_floor(bad)
