"""Vectors from a service on loopback, and vectors that are kept."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from edge.embedding import LexicalEmbedder, Vectors, encode_checked, make_embedder
from edge.embedding_cache import FILE, CachedEmbedder
from edge.errors import ModelAnswerError, ModelUnavailable, UsageError
from edge.llm.embeddings import ServiceEmbedder

KEY = "sk-planted-key-0123456789"


class Service:
    """Answers with lexical vectors times three, or as `status` and `spoil` say; keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, object]] = []
        self.status, self.spoil = 200, ""
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                service.asked.append(body)
                answer = json.dumps(service.answer(body["input"])).encode()
                self.send_response(service.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def answer(self, texts: list[str]) -> dict[str, object]:
        if self.status != 200:
            return {"error": {"message": f"no: {KEY}"}}
        vectors = ((LexicalEmbedder().encode(texts)[:, :64] + 0.1) * 3).tolist()
        rows = [{"object": "embedding", "index": i, "embedding": v} for i, v in enumerate(vectors)]
        if self.spoil == "short":
            rows = rows[1:]
        if self.spoil == "ragged":
            rows[0]["embedding"] = [1.0]
        if self.spoil == "zero":
            rows[0]["embedding"] = [0.0] * 64
        return {"object": "list", "model": "m", "data": rows[::-1], "usage": {"prompt_tokens": 1, "total_tokens": 1}}


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    found = Service()
    thread = threading.Thread(target=found.server.serve_forever, daemon=True)
    thread.start()
    yield found
    found.server.shutdown()
    found.server.server_close()
    thread.join()


def test_vectors_come_in_order_and_of_length_one(service: Service) -> None:
    embedder = make_embedder("some/model", base_url=service.url, prompt="query: ")
    texts = [f"강남구 {i}월 농도" for i in range(200)]
    found = encode_checked(embedder, [*texts, texts[0]])
    assert (embedder.name, embedder.dim) == ("some/model@127.0.0.1 prompt='query: '", 64)
    assert found.shape == (201, 64)
    assert np.allclose(np.linalg.norm(found, axis=1), 1.0, atol=1e-5)
    assert np.array_equal(found[0], found[200])
    wanted = LexicalEmbedder().encode([f"query: {text}" for text in texts])[:, :64] + 0.1
    assert np.allclose(found[:200], wanted / np.linalg.norm(wanted, axis=1, keepdims=True), atol=1e-5)
    asked = [len(body["input"]) for body in service.asked]  # type: ignore[arg-type]
    assert (sum(asked), max(asked)) == (200, 128)  # each text once, in batches
    assert ServiceEmbedder("m", service.url).encode([]).shape == (0, 64)


def test_what_goes_wrong_is_said_without_the_key(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openai._base_client.BaseClient._calculate_retry_timeout", lambda *_, **__: 0.0)
    embedder = ServiceEmbedder("m", service.url)
    for status, kind in ((401, UsageError), (400, UsageError), (503, ModelUnavailable), (429, ModelUnavailable)):
        service.status = status
        with pytest.raises(kind, match=f"status {status}") as caught:
            embedder.encode(["가"])
        assert KEY not in str(caught.value)
    service.status = 200
    for spoil in ("short", "ragged"):
        service.spoil = spoil
        with pytest.raises(ModelAnswerError, match="bad_vector"):
            embedder.encode(["가나", "다라"])
    service.spoil = "zero"
    with pytest.raises(ModelAnswerError, match="zero or non-finite"):  # D06
        encode_checked(embedder, ["가나", "다라"])
    service.server.shutdown()
    service.server.server_close()
    with pytest.raises(ModelUnavailable, match="does not answer"):
        embedder.encode(["가"])


class Counting(LexicalEmbedder):
    """Lexical vectors, counted; as a model's, they differ in the last digits with their batch."""

    name = "counting"

    def __init__(self, bad: str = "") -> None:
        self.texts: list[str] = []
        self.bad = bad

    def encode(self, texts: list[str]) -> Vectors:  # type: ignore[override]
        self.texts += texts
        found = super().encode(texts) * np.float32(1 + len(texts) * 1e-6)
        found[[text == self.bad for text in texts]] = np.nan
        return found


def test_d08_kept_vectors_are_the_same_bits(tmp_path: Path) -> None:
    first = Counting()
    cached = CachedEmbedder(first, tmp_path / "deep" / FILE)
    texts = [f"질문 {i}" for i in range(700)]
    once = cached.encode(texts)
    again = Counting()
    kept = CachedEmbedder(again, tmp_path / "deep" / FILE)
    assert np.array_equal(kept.encode(texts[::-1])[::-1], once)
    assert np.array_equal(kept.encode(["새 질문", texts[3]])[1], once[3])
    assert (again.texts, len(first.texts)) == (["새 질문"], 700)
    assert (kept.name, kept.dim, kept.encode([]).shape) == ("counting", 1024, (0, 1024))


def test_vectors_of_other_models_and_bad_ones_are_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / FILE
    spoilt = CachedEmbedder(Counting(bad="나"), path)
    assert np.isnan(spoilt.encode(["가", "나"])[1]).all()
    mended = Counting()
    assert np.isfinite(CachedEmbedder(mended, path).encode(["가", "나"])).all()
    assert mended.texts == ["나"]
    other = Counting()
    other.name = "counting prompt='query: '"  # type: ignore[misc]
    CachedEmbedder(other, path).encode(["가"])
    assert other.texts == ["가"]


def test_the_lexical_embedder_needs_no_cache(tmp_path: Path) -> None:
    assert isinstance(make_embedder(None, cache=tmp_path), LexicalEmbedder)
    (tmp_path / "model").mkdir()
    assert isinstance(make_embedder(str(tmp_path / "model"), cache=tmp_path), CachedEmbedder)
