"""How near supplies are to needs: words, embedding and semantic type fused (fields, parameters -> scores)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from scipy.sparse import csr_array  # pyright: ignore[reportMissingTypeStubs]

from edge.links.evidence_rules import words
from edge.links.lexicon import Lexicon, Matrix, Rows, Texts, Words, cells, fused, grams, multiply, numbers, turn
from edge.links.semantics import Supply, Types
from edge.specs.model import Kind, OutputField, Parameter
from edge.text import compact

SHARED = 0.7  # what two things are worth whose enumerations share most labels
ALIKE = 0.6  # what has the very name and label of a need, whatever its kind
_ROWS = 64  # supplies whose scores are made at a time: with one kind of needs they stay in the cache
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
class _Run:
    """The needs of one kind, side by side from `begin` to `end`: embeddings as columns, how much they say."""

    begin: int
    end: int
    texts: Matrix
    telling: Matrix


class Nearness:
    """Scores of distinct supplies against distinct needs, some rows at a time: all are never held at once.

    Needs lie in the order of their kinds (`sorted_needs`), so that only kinds that can hold one value are compared.
    """

    def __init__(self, supplies: Sequence[Supply], needs: Sequence[Parameter], embedder: Embedder) -> None:
        """Embed and index both sides; every text is embedded once.

        Raises:
            ValueError: the needs are not in the order of their kinds.
        """
        if list(needs) != sorted_needs(needs):
            raise ValueError("needs must lie in the order of their kinds")
        fields = [s.field for s in supplies]
        supplied, needed = [_tokens(f) for f in fields], [_tokens(p) for p in needs]
        lexicons = [Lexicon([t[i] for t in (*supplied, *needed)]) for i in range(3)]
        self._supply = [x.vectors([t[i] for t in supplied]) for i, x in enumerate(lexicons)]
        words = [x.vectors([t[i] for t in needed]) for i, x in enumerate(lexicons)]
        self._need = [turn(w.matrix) for w in words]
        self._whole = _least(words[1])
        here = _embedded(embedder, [supply_text(f) for f in fields])
        there = _embedded(embedder, [need_text(p) for p in needs])
        self._base = _baseline(here, there)
        self._texts, self._telling = Texts.of(here), _told(self._supply)
        self._runs = [
            _Run(a, b, np.ascontiguousarray(there[a:b].T), _told(words)[a:b]) for a, b in _runs([p.kind for p in needs])
        ]
        self._types = Types.of(supplies, needs)
        self._alike = _alike(fields, needs)

    def scores(self, rows: Rows) -> Matrix:
        """Return how near the supplies at `rows` are to every need, float32 in [0, 1] of shape (rows, needs).

        What is alike counts by how far the kinds can hold one value, and kinds that speak of one thing are near under
        any names. Most words are shared by nobody: what hangs on them is done only where they are.
        """
        found = np.zeros((len(rows), len(self._whole)), dtype=np.float32)
        sorts = self._types.supplies[rows]
        for sort in np.unique(sorts).tolist():
            mine = np.flatnonzero(sorts == sort)
            for begin in range(0, len(mine), _ROWS):
                self._embedded_near(rows, mine[begin : begin + _ROWS], sort, found)
        both, values = self._shared(rows)
        at = cells(both)
        factors = self._types.factors[sorts[at[0]], self._types.needs[at[1]]]
        found[at] = np.maximum(found[at], np.minimum(numbers(both), np.float32(1)) * factors)
        many = numbers(values) > 0.5
        at = cells(values)[0][many], cells(values)[1][many]
        possible = self._types.possible[sorts[at[0]], self._types.needs[at[1]]]
        found[at] = np.maximum(found[at], np.where(possible, np.float32(SHARED), np.float32(0)))
        for at_row, row in enumerate(rows.tolist()):  # called alike in both: the kinds were guessed
            for place in self._alike.get(row, ()):
                found[at_row, place] = max(found[at_row, place], np.float32(ALIKE))
        return found

    def _shared(self, rows: Rows) -> tuple[csr_array, csr_array]:
        """Return what names and labels have in common with those of the needs, and what enumerations have."""
        pairs = zip(self._supply, self._need, strict=True)
        names, labels, values = (multiply(words.matrix, rows, turned) for words, turned in pairs)
        _whole_labels(labels, self._supply[1].sizes[rows], self._whole)
        return fused(names, labels), values

    def _embedded_near(self, rows: Rows, mine: Rows, sort: int, found: Matrix) -> None:
        """Enter what embeddings and kinds alone say of supplies of one sort (at `mine` among the rows)."""
        texts, telling = self._texts.part(rows[mine]), self._telling[rows[mine]]
        for run in self._runs:
            factor, floor = self._types.between(sort, slice(run.begin, run.end))
            if not (factor.any() or floor.any()):
                continue
            near = texts.times(run.texts)
            near -= np.float32(self._base)
            near *= np.minimum(telling[:, None], run.telling)
            near *= factor / np.float32(1.0 - self._base)
            np.minimum(near, factor, out=near)
            np.maximum(near, floor, out=near)
            found[mine, run.begin : run.end] = near


def sorted_needs(needs: Sequence[Parameter]) -> list[Parameter]:
    """Return the needs in the order of their kinds, those of one kind as they came."""
    return sorted(needs, key=lambda p: p.kind)


def _told(words: Sequence[Words]) -> Matrix:
    """How much name or label say, in [0, 1]."""
    return np.maximum(words[0].telling, words[1].telling)


def _least(labels: Words) -> Matrix:
    """What a label must share with others to be held whole: more than any can where it tells little."""
    whole = 0.99 * labels.sizes * labels.telling**2
    return np.where(labels.telling > 0.9, whole, np.float32(np.inf)).astype(np.float32)


def _whole_labels(found: csr_array, sizes: Matrix, least: Matrix) -> None:
    """A label that holds all of a telling one says the same, and more: at least 0.85."""
    rows, columns = cells(found)
    shared = numbers(found)
    whole = shared * sizes[rows] > least[columns]
    shared[whole] = np.maximum(shared[whole], np.float32(0.85))


def _runs(kinds: Sequence[Kind]) -> list[tuple[int, int]]:
    """Where each kind begins and ends among kinds in order."""
    starts = [i for i, kind in enumerate(kinds) if i == 0 or kinds[i - 1] != kind]
    return list(zip(starts, [*starts[1:], len(kinds)], strict=True))


def _tokens(item: OutputField | Parameter) -> _Tokens:
    """The words of the name, of the label, and the labels of the enumeration."""
    values = item.values if isinstance(item, OutputField) else item.enum
    name = last_name(item.path) if isinstance(item, OutputField) else item.name
    return words(name), grams(item.label), [compact(v.label) for v in values]


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
