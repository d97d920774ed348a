"""Vectors that were computed once -> the same bits again: a SQLite file by text and embedder."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from edge.embedding import Embedder, Vectors

FILE = ".vectors.sqlite"
_AT_ONCE = 500


class CachedEmbedder:
    """An embedder that asks the one behind it for new texts only.

    Vectors hang on the text and the embedder's name, which says model, revision and prompt. Those that are zero or not
    finite are handed on, for the caller to refuse, and never kept. Several processes may share the file.
    """

    def __init__(self, embedder: Embedder, path: Path) -> None:
        self.name = embedder.name
        self._embedder, self._path = embedder, path
        self._dim: int | None = None

    @property
    def dim(self) -> int:
        """Length of a vector."""
        if self._dim is None:
            self._dim = self._embedder.dim
        return self._dim

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return float32 unit vectors of shape (len(texts), dim), from the file where they are there."""
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self._path, timeout=60)) as store, store:
            store.execute(
                "CREATE TABLE IF NOT EXISTS vectors (model TEXT, text BLOB, vector BLOB, PRIMARY KEY (model, text))"
            )
            known = self._known(store, sorted(set(keys)))
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            made = self._embedder.encode(list(new.values()))
            fine = np.isfinite(made).all(axis=1) & (made != 0).any(axis=1)
            kept = [(self.name, key, made[i].tobytes()) for i, key in enumerate(new) if fine[i]]
            with closing(sqlite3.connect(self._path, timeout=60)) as store, store:
                store.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", kept)
            known |= {key: made[i] for i, key in enumerate(new)}
        if not keys:
            return np.zeros((0, self.dim), dtype=np.float32)
        return np.stack([known[key] for key in keys])

    def _known(self, store: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        found: dict[bytes, Vectors] = {}
        for start in range(0, len(keys), _AT_ONCE):
            chunk = keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(chunk))
            query = f"SELECT text, vector FROM vectors WHERE model = ? AND text IN ({marks})"  # noqa: S608
            for key, vector in store.execute(query, (self.name, *chunk)):
                found[bytes(key)] = np.frombuffer(vector, dtype=np.float32)
        return found
