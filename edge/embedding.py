"""Texts -> unit vectors: the embedders that link retrieval and deduplication share."""

from __future__ import annotations

import hashlib
import importlib
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from edge.errors import MissingExtra, ModelAnswerError, UsageError
from edge.text import compact, fold

Vectors: TypeAlias = "NDArray[np.float32]"
_Words: TypeAlias = "NDArray[np.uint64]"

_CHUNK = 2048
_COMMIT = re.compile(r"[0-9a-f]{40}")


class Embedder(Protocol):
    """Turns texts into vectors. `name` identifies model, revision and prompt: thresholds and caches hang on it."""

    @property
    def name(self) -> str:
        """Stable name."""
        ...

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return float32 vectors of shape (len(texts), dim), each of length 1."""
        ...


class LexicalEmbedder:
    """Signed feature hashing (Weinberger et al., arXiv 0902.2206) of character 2- and 3-grams; no weights, no network.

    It finds near-copies (0.96 AUC of Korean paraphrase against random), not meaning; hence its name in manifests.
    Vectors are the same in every process and on every machine. Spaces, case and punctuation do not count.
    """

    name = "lexical-char23-1024"
    dim = 1024

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return float32 unit vectors of shape (len(texts), 1024); a text without any visible character gives zeros.

        An odd number of grams (2n - 3 of n characters) of weight +1 or -1 cannot cancel out, so only blanks give zeros.
        """
        out = np.zeros((len(texts), self.dim), dtype=np.float32)
        for start in range(0, len(texts), _CHUNK):
            chunk = texts[start : start + _CHUNK]
            out[start : start + len(chunk)] = self._encode([compact(text) or fold(text) for text in chunk])
        return out

    def _encode(self, texts: Sequence[str]) -> Vectors:
        rows, grams = _grams(texts)
        hashed = _mix(grams)
        cells = rows * self.dim + (hashed & np.uint64(self.dim - 1)).astype(np.int64)
        signs = np.where(hashed >> np.uint64(63), -1.0, 1.0)
        sums = np.bincount(cells, weights=signs, minlength=len(texts) * self.dim).reshape(len(texts), self.dim)
        norms = np.sqrt((sums * sums).sum(axis=1, keepdims=True))
        return (sums / np.where(norms == 0, 1.0, norms)).astype(np.float32)


class _Model(Protocol):
    def encode(self, sentences: list[str], **options: object) -> object: ...


class ShownDim(ABC):
    """The part of an embedder whose vectors must be seen to know how long they are."""

    _dim: int | None = None

    @property
    def dim(self) -> int:
        """Length of a vector; asks for one where none has come yet."""
        if self._dim is None:
            self._dim = int(self.encode(["길이"]).shape[1])
        return self._dim

    @abstractmethod
    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return float32 unit vectors of shape (len(texts), dim)."""


class SentenceTransformerEmbedder(ShownDim):
    """A sentence-transformers model from a local folder or the local hub cache; loaded at first use (about 5 s).

    It never reaches for the network and never runs code of a model's repository.
    """

    def __init__(self, model: str, revision: str | None = None, *, prompt: str = "") -> None:
        """Name the model.

        Args:
            model: a folder, or a hub name whose files are in the local cache.
            revision: the 40 hex digits of a commit; required for hub names, or results would change under us.
            prompt: put before each text ("query: " for the e5 family); it changes the vectors, so it is in the name.

        Raises:
            UsageError: a hub name without a commit.
        """
        folder = Path(model)
        if folder.is_dir():
            label = f"{folder.resolve().name}@{_folder_hash(folder)}"
        elif _COMMIT.fullmatch(revision or ""):
            label = f"{model}@{revision}"
        else:
            raise UsageError(f"embedding model {model}: give a folder, or the 40-digit commit of the hub revision")
        self.name = label + (f" prompt={prompt!r}" if prompt else "")
        self._source, self._revision, self._prompt = model, revision, prompt
        self._loaded: _Model | None = None

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return float32 unit vectors of shape (len(texts), dim).

        Raises:
            MissingExtra: sentence-transformers is not installed.
            UsageError: the model is not on this machine.
        """
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        prompted = [self._prompt + text for text in texts]
        vectors = self._model().encode(
            prompted, batch_size=32, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32).reshape(len(texts), -1)

    def _model(self) -> _Model:
        if self._loaded is None:
            try:
                library = importlib.import_module("sentence_transformers")
            except ImportError:
                raise MissingExtra("sentence-transformers", "embeddings") from None
            try:
                model = library.SentenceTransformer(
                    self._source,
                    revision=self._revision,
                    device="cpu",
                    local_files_only=True,
                    trust_remote_code=False,
                )
            except (OSError, ValueError) as error:
                reason = str(error).splitlines()[0]
                raise UsageError(f"embedding model {self._source} is not on this machine: {reason}") from error
            self._loaded = cast("_Model", model)
        return self._loaded


def make_embedder(
    model: str | None,
    revision: str | None = None,
    *,
    base_url: str | None = None,
    prompt: str = "",
    cache: Path | None = None,
) -> Embedder:
    """Return the embedder of a run: a service's or a sentence-transformers model, or the weightless lexical one.

    Args:
        model: a folder, a hub name, or with `base_url` the name of a service's model; None or "": lexical.
        revision: the commit, for hub names.
        base_url: an OpenAI-compatible service.
        prompt: put before each text.
        cache: a folder where vectors of models are kept; None: they are computed each time.

    Raises:
        MissingExtra, UsageError: as `SentenceTransformerEmbedder` does.
    """
    if not model:
        return LexicalEmbedder()
    if base_url:
        service = importlib.import_module("edge.llm.embeddings")
        made = cast("Embedder", service.ServiceEmbedder(model, base_url, prompt=prompt))
    else:
        made = SentenceTransformerEmbedder(model, revision, prompt=prompt)
    if cache is None:
        return made
    kept = importlib.import_module("edge.embedding_cache")
    return cast("Embedder", kept.CachedEmbedder(made, cache / kept.FILE))


def encode_checked(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Return the vectors of texts, all finite and of length 1; each distinct text is encoded once, in sorted order.

    One text thus has one vector within a call, and batches are the same whatever the order of the rows. A bad vector
    is tried once more alone: some models spoil short texts that share a batch with long ones.

    Raises:
        ModelAnswerError: "bad_vector": a vector is still zero or not finite. Similarity to it would be NaN, which
            compares false with every threshold and would pass for "no duplicate".
    """
    distinct = sorted(set(texts), key=lambda text: (len(text), text))
    vectors = embedder.encode(distinct) if distinct else np.zeros((0, embedder.dim), dtype=np.float32)
    if vectors.shape != (len(distinct), embedder.dim):
        raise ModelAnswerError("bad_vector", f"{embedder.name} gave shape {vectors.shape} for {len(distinct)} texts")
    for index in np.flatnonzero(_bad(vectors)).tolist():
        again = embedder.encode([distinct[index]])
        if _bad(again).any():
            raise ModelAnswerError(
                "bad_vector", f"{embedder.name} gave a zero or non-finite vector for {distinct[index]!r}"
            )
        vectors[index] = again[0]
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    position = {text: index for index, text in enumerate(distinct)}
    return vectors[[position[text] for text in texts]] if texts else vectors


def _folder_hash(folder: Path) -> str:
    """Return a hash of every file of a model: its path says nothing of what is in it."""
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
            whole.update(f"{path.relative_to(folder).as_posix()} {content}\n".encode())
    return whole.hexdigest()[:24]


def _bad(vectors: Vectors) -> NDArray[np.bool_]:
    finite = np.isfinite(vectors)
    return ~np.logical_and.reduce(finite, axis=1) | ~np.logical_or.reduce(finite & (vectors != 0), axis=1)


def _grams(texts: Sequence[str]) -> tuple[NDArray[np.int64], _Words]:
    """Return row number and packed code points (21 bits each) of every 2- and 3-gram; of the one character if alone."""
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    owner = np.repeat(np.arange(len(texts), dtype=np.int64), lengths)
    second, third = _shifted(codes, owner, 1), _shifted(codes, owner, 2)
    pairs = codes | (second << np.uint64(21))
    triples = pairs | (third << np.uint64(42))
    has_pair = (second > 0) | (lengths[owner] == 1)
    rows = np.concatenate([owner[has_pair], owner[third > 0]])
    return rows, np.concatenate([pairs[has_pair], triples[third > 0]])


def _shifted(codes: _Words, owner: NDArray[np.int64], by: int) -> _Words:
    """Return for every position the code point `by` further on in the same text, plus one; 0 past the text's end."""
    out = np.zeros_like(codes)
    same = owner[by:] == owner[:-by]
    out[:-by][same] = codes[by:][same] + np.uint64(1)
    return out


def _mix(words: _Words) -> _Words:
    """The finaliser of splitmix64 (Steele et al. 2014): every input bit reaches every output bit."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
