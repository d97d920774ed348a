"""Vectors: unit length, the same in every process, never zero or NaN past the check."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.embedding import LexicalEmbedder, SentenceTransformerEmbedder, Vectors, encode_checked
from edge.errors import MissingExtra, ModelAnswerError, UsageError

ROOT = Path(__file__).parents[2]
TEXTS = ["서울시 강남구의 아파트 실거래가", "오늘 날씨", "가", "?!…", "😀"]
VISIBLE = st.text(min_size=1).filter(lambda text: any(ch.isalnum() for ch in text))


@given(st.lists(VISIBLE, max_size=5))
def test_lexical_vectors_are_unit_and_do_not_depend_on_their_batch(texts: list[str]) -> None:
    vectors = LexicalEmbedder().encode(texts)
    assert (vectors.shape, vectors.dtype) == ((len(texts), 1024), np.float32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    for text, vector in zip(texts, vectors, strict=True):  # D08
        assert np.array_equal(LexicalEmbedder().encode([text])[0], vector)


def test_lexical_vectors_are_the_same_in_every_process() -> None:
    here = hashlib.sha256(LexicalEmbedder().encode(TEXTS).tobytes()).hexdigest()
    script = (
        "import hashlib, sys; from edge.embedding import LexicalEmbedder; "
        "print(hashlib.sha256(LexicalEmbedder().encode(sys.argv[1:]).tobytes()).hexdigest())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script, *TEXTS], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == here


def test_lexical_likeness_follows_letters() -> None:
    vectors = LexicalEmbedder().encode(
        ["강남구 아파트 실거래가 알려줘", "강남구의 아파트 실거래가를 알려 줘!", "국회 회의록 검색"]
    )
    near, far = vectors[0] @ vectors[1], vectors[0] @ vectors[2]
    assert near > 0.6 > 0.2 > far
    # decomposed and composed Hangul are one text (D10)
    composed, decomposed = LexicalEmbedder().encode(["서울", "\u1109\u1165\u110b\u116e\u11af"])
    assert np.array_equal(composed, decomposed)


def test_lexical_longer_than_a_chunk() -> None:
    texts = [f"질문 {i}" for i in range(5000)]
    vectors = LexicalEmbedder().encode(texts)
    assert np.array_equal(vectors[[0, 2500, 4999]], LexicalEmbedder().encode([texts[0], texts[2500], texts[4999]]))


@pytest.mark.parametrize("blank", ["", "  ", "\u200b"])
def test_d06_a_blank_text_has_no_vector_and_is_refused(blank: str) -> None:
    with pytest.raises(ModelAnswerError, match="bad_vector"):
        encode_checked(LexicalEmbedder(), ["가나다", blank])


def test_d08_each_text_is_encoded_once_in_one_order() -> None:
    class Counting(LexicalEmbedder):
        calls: list[list[str]] = []  # noqa: RUF012

        def encode(self, texts: list[str]) -> Vectors:  # type: ignore[override]
            self.calls.append(list(texts))
            return super().encode(texts)

    embedder = Counting()
    vectors = encode_checked(embedder, ["bb", "a", "bb", "c"])
    assert embedder.calls == [["a", "c", "bb"]]
    assert np.array_equal(vectors[0], vectors[2])
    assert encode_checked(embedder, []).shape == (0, 1024)


def test_d07_a_text_spoilt_by_its_batch_is_tried_alone() -> None:
    class Spoiling(LexicalEmbedder):
        def encode(self, texts: list[str]) -> Vectors:  # type: ignore[override]
            vectors = super().encode(texts)
            if len(texts) > 1:
                vectors[0] = np.nan
            return vectors

    found = encode_checked(Spoiling(), ["긴 문장이 여기에 있다", "날씨"])
    assert np.allclose(found, LexicalEmbedder().encode(["긴 문장이 여기에 있다", "날씨"]))


def test_a_wrong_shape_is_refused() -> None:
    class Short(LexicalEmbedder):
        def encode(self, texts: list[str]) -> Vectors:  # type: ignore[override]
            return super().encode(texts)[:, :3]

    with pytest.raises(ModelAnswerError, match="shape"):
        encode_checked(Short(), ["가"])


def test_hub_models_need_a_commit() -> None:
    for revision in (None, "main", "abc", "G" * 40):
        with pytest.raises(UsageError, match="40-digit commit"):
            SentenceTransformerEmbedder("intfloat/multilingual-e5-small", revision)
    embedder = SentenceTransformerEmbedder("intfloat/multilingual-e5-small", "a" * 40, prompt="query: ")
    assert embedder.name == f"intfloat/multilingual-e5-small@{'a' * 40} prompt='query: '"


def test_local_models_are_named_by_their_content(tmp_path: Path) -> None:
    (tmp_path / "e5").mkdir()
    (tmp_path / "e5" / "config.json").write_text("{}")
    before = SentenceTransformerEmbedder(str(tmp_path / "e5")).name
    assert before.startswith("e5@")
    assert SentenceTransformerEmbedder(str((tmp_path / "e5").rename(tmp_path / "moved"))).name.split("@")[1] in before
    (tmp_path / "moved" / "config.json").write_text("[]")
    assert SentenceTransformerEmbedder(str(tmp_path / "moved")).name.split("@")[1] not in before


@pytest.mark.skipif(importlib.util.find_spec("sentence_transformers") is not None, reason="the extra is installed")
def test_the_missing_extra_is_named() -> None:
    with pytest.raises(MissingExtra, match=r"edge-synthesis\[embeddings\]"):
        SentenceTransformerEmbedder("intfloat/multilingual-e5-small", "a" * 40).encode(["가"])


def test_importing_is_light() -> None:
    script = "import sys, edge.embedding; print('torch' in sys.modules, 'scipy' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
