"""Texts -> unit vectors from a service with OpenAI's embeddings protocol (vLLM, Ollama, Infinity, OpenAI itself)."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from typing import Protocol, cast
from urllib.parse import urlsplit

import numpy as np

from edge.embedding import ShownDim, Vectors
from edge.errors import ModelAnswerError, ModelUnavailable, UsageError

_AT_ONCE = 128


class _Item(Protocol):
    index: int
    embedding: list[float]


class _Answer(Protocol):
    data: list[_Item]


class ServiceEmbedder(ShownDim):
    """An embedding model behind an OpenAI-compatible service. Texts go to it; nothing else does."""

    def __init__(self, model: str, base_url: str, *, prompt: str = "", timeout_s: float = 60.0) -> None:
        """Name model and service.

        Args:
            model: as the service spells it.
            base_url: of the service, such as http://127.0.0.1:8000/v1; the key is read from OPENAI_API_KEY.
            prompt: put before each text; it changes the vectors, so it is in the name.
            timeout_s: for one answer; the SDK asks again a few times.
        """
        self.name = f"{model}@{urlsplit(base_url).hostname or base_url}" + (f" prompt={prompt!r}" if prompt else "")
        self._model, self._base_url, self._prompt, self._timeout_s = model, base_url, prompt, timeout_s

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return float32 unit vectors of shape (len(texts), dim).

        Raises:
            UsageError: the service refuses the request or the key.
            ModelUnavailable: it does not answer.
            ModelAnswerError: it gives other vectors than asked for.
        """
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        parts = [self._ask(texts[start : start + _AT_ONCE]) for start in range(0, len(texts), _AT_ONCE)]
        if len({part.shape[1] for part in parts}) > 1:
            raise ModelAnswerError("bad_vector", f"{self.name} gave vectors of several lengths")
        vectors = np.concatenate(parts)
        self._dim = vectors.shape[1]
        length = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.where(length == 0, 1.0, length)).astype(np.float32)

    def _ask(self, texts: Sequence[str]) -> Vectors:
        library = importlib.import_module("openai")  # 0.8 s, so only when needed
        key = os.environ.get("OPENAI_API_KEY") or "none"
        try:
            with library.OpenAI(api_key=key, base_url=self._base_url, timeout=self._timeout_s, max_retries=3) as client:
                answer = cast(
                    "_Answer",
                    client.embeddings.create(
                        model=self._model, input=[self._prompt + text for text in texts], encoding_format="float"
                    ),
                )
        except library.APIStatusError as error:
            if error.status_code == 429 or error.status_code >= 500:
                raise ModelUnavailable(f"{self.name}: status {error.status_code}") from None
            raise UsageError(f"embedding service {self.name} refuses: status {error.status_code}") from None
        except library.APIConnectionError as error:
            raise ModelUnavailable(f"{self.name} does not answer ({type(error).__name__})") from None
        items = sorted(answer.data, key=lambda item: item.index)
        if [item.index for item in items] != list(range(len(texts))):
            raise ModelAnswerError("bad_vector", f"{self.name} gave {len(items)} vectors for {len(texts)} texts")
        try:
            vectors = np.array([item.embedding for item in items], dtype=np.float32)
        except ValueError:
            raise ModelAnswerError("bad_vector", f"{self.name} gave vectors of several lengths") from None
        if vectors.ndim != 2:
            raise ModelAnswerError("bad_vector", f"{self.name} gave no vectors")
        return vectors
