"""How near supplies are to needs: words, embedding and semantic type fused (fields, parameters -> scores)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from edge.links.evidence_rules import words
from edge.links.lexicon import Lexicon, Matrix, Rows, Words, grams, product
from edge.links.semantics import Supply, Types
from edge.specs.model import Kind, OutputField, Parameter
from edge.text import compact

SHARED = 0.7  # what two things are worth whose enumerations share most labels
ALIKE = 0.6  # what has the very name and label of a need, whatever its kind
_CELLS = 1_000_000  # scores made at a time
_SAMPLE = 256  # supplies that tell what cosine unrelated texts have


class Embedder(Protocol):
    """Text to unit vectors, float32 of shape (texts, dim)."""

    @property
    def name(self) -> str:
        """The embedder's name as it stands in manifests."""
        ...

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Embed texts, one row each."""
        ...


def last_name(path: str) -> str:
    """Return the field's own name: the last part of its path."""
    return path.rsplit(".", 1)[-1]


def supply_text(field: OutputField) -> str:
    """The text by which an output field is found."""
    return f"{field.label} {last_name(field.path)}"


def need_text(parameter: Parameter) -> str:
    """The text by which a parameter is found."""
    return f"{parameter.label} {parameter.name}"


_Tokens: TypeAlias = "tuple[Sequence[str], Sequence[str], Sequence[str]]"


@dataclass(frozen=True, slots=True)
class _Side:
    """Supplies or needs as vectors: embedding (dense), words of names and labels, enumeration labels."""

    dense: Matrix
    names: Words
    labels: Words
    values: Words

    @classmethod
    def of(cls, dense: Matrix, tokens: Sequence[_Tokens], lexicons: Sequence[Lexicon]) -> _Side:
        """Return the vectors of items, given by their embeddings and tokens."""
        names, labels, values = (x.vectors([t[i] for t in tokens]) for i, x in enumerate(lexicons))
        return cls(dense, names, labels, values)

    def part(self, chosen: slice | Rows) -> _Side:
        """Return some of them; views for a slice of the embeddings."""
        words = (self.names.part(chosen), self.labels.part(chosen), self.values.part(chosen))
        return _Side(self.dense[chosen], *words)

    @property
    def telling(self) -> Matrix:
        """How much name or label say, in [0, 1]."""
        return np.maximum(self.names.telling, self.labels.telling)


class Nearness:
    """Scores of distinct supplies against distinct needs, some rows at a time: all are never held at once.

    Needs lie in the order of their kinds, so that only kinds that can hold one value are ever compared.
    """

    def __init__(self, supplies: Sequence[Supply], needs: Sequence[Parameter], embedder: Embedder) -> None:
        """Embed and index both sides; every text is embedded once."""
        self._order = np.asarray(sorted(range(len(needs)), key=lambda i: (needs[i].kind, i)), dtype=np.int64)
        needs = [needs[int(i)] for i in self._order]
        fields = [s.field for s in supplies]
        supplied, needed = [_tokens(f) for f in fields], [_tokens(p) for p in needs]
        lexicons = [Lexicon([t[i] for t in (*supplied, *needed)]) for i in range(3)]
        dense = _embedded(embedder, [supply_text(f) for f in fields])
        self._supply = _Side.of(dense, supplied, lexicons)
        dense = _embedded(embedder, [need_text(p) for p in needs])
        self._need = _Side.of(dense, needed, lexicons)
        self._types = Types.of(supplies, needs)
        self._base = _baseline(self._supply.dense, self._need.dense)
        self._kinds = np.asarray([f.kind for f in fields])
        self._places = _places(needs)
        self._parts = {kind: self._need.part(slice(at[0], at[-1] + 1)) for kind, at in self._places.items()}
        self._alike = _alike(fields, needs)

    def scores(self, rows: Rows) -> Matrix:
        """Return how near the supplies at `rows` are to every need, float32 in [0, 1] of shape (rows, needs)."""
        found = np.zeros((len(rows), len(self._order)), dtype=np.float32)
        for kind in np.unique(self._kinds[rows]).tolist():
            mine = np.flatnonzero(self._kinds[rows] == kind)
            for wanted, places in self._places.items():
                if (kind, wanted) not in self._types.compatible:
                    continue
                step = max(1, _CELLS // len(places))
                for at in range(0, len(mine), step):
                    chunk = mine[at : at + step]
                    span = slice(places[0], places[-1] + 1)
                    likeness, shared = _likeness(self._supply.part(rows[chunk]), self._parts[wanted], self._base)
                    factor, floor = self._types.between(rows[chunk], span)
                    near = np.maximum(likeness * factor, floor)
                    near = np.where(shared > 0.5, np.maximum(near, SHARED), near)
                    found[np.ix_(chunk, self._order[span])] = near
        for at, row in enumerate(rows.tolist()):  # called alike in both: the kinds were guessed
            for place in self._alike.get(row, ()):
                column = self._order[place]
                found[at, column] = max(found[at, column], np.float32(ALIKE))
        return found


def _likeness(supply: _Side, need: _Side, base: float) -> tuple[Matrix, Matrix]:
    """How alike texts are, in [0, 1], and how far enumerations share their labels; of shape (supplies, needs)."""
    names = product(supply.names.matrix, need.names.matrix)
    labels = _labels(supply.labels, need.labels)
    texts = (supply.dense @ need.dense.T - base) / (1.0 - base)
    texts *= np.minimum(supply.telling[:, None], need.telling)
    both = 0.75 * np.maximum(names, labels) + 0.25 * np.minimum(names, labels)
    return np.clip(np.maximum(texts, both), 0, 1), product(supply.values.matrix, need.values.matrix)


def _labels(supply: Words, need: Words) -> Matrix:
    """Likeness of labels; a label that holds all of a telling one says the same, and more."""
    found = product(supply.matrix, need.matrix)
    whole = found * supply.sizes[:, None] > 0.99 * need.sizes * need.telling**2
    return np.where(whole & (need.telling > 0.9), np.maximum(found, 0.85), found)


def _tokens(item: OutputField | Parameter) -> _Tokens:
    """The words of the name, of the label, and the labels of the enumeration."""
    values = item.values if isinstance(item, OutputField) else item.enum
    name = last_name(item.path) if isinstance(item, OutputField) else item.name
    return words(name), grams(item.label), [compact(v.label) for v in values]


def _places(needs: Sequence[Parameter]) -> dict[Kind, list[int]]:
    """Where the needs of each kind lie, one after the other."""
    found: dict[Kind, list[int]] = {}
    for i, need in enumerate(needs):
        found.setdefault(need.kind, []).append(i)
    return found


def _alike(fields: Sequence[OutputField], needs: Sequence[Parameter]) -> dict[int, list[int]]:
    """The needs that have the very name and label of a supply."""
    called: dict[tuple[Sequence[str], str], list[int]] = {}
    for i, need in enumerate(needs):
        called.setdefault((words(need.name), compact(need.label)), []).append(i)
    keys = [(words(last_name(f.path)), compact(f.label)) for f in fields]
    return {i: called[key] for i, key in enumerate(keys) if key in called}


def _embedded(embedder: Embedder, texts: Sequence[str]) -> Matrix:
    distinct = list(dict.fromkeys(texts))
    position = {text: i for i, text in enumerate(distinct)}
    vectors = embedder.encode(distinct)
    return vectors[[position[text] for text in texts]] if len(distinct) < len(texts) else vectors


def _baseline(supplies: Matrix, needs: Matrix) -> float:
    """The cosine of texts that nothing joins: nine in ten of a sample are below. Some models never go near 0."""
    step = max(1, len(supplies) // _SAMPLE)
    return float(np.clip(np.quantile(supplies[::step][:_SAMPLE] @ needs.T, 0.9), 0.0, 0.95))
