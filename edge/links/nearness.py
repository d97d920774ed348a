"""How near supplies are to needs: words, embedding and semantic type fused (fields, parameters -> scores)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from edge.links.code_tables import speaks
from edge.links.evidence_rules import concept_floor, is_keyword, kind_factor, system_factor, takes_address, words
from edge.links.lexicon import Lexicon, Matrix, Rows, Words, grams, product
from edge.links.transform_rules import (
    AXES,
    agree,
    code_length,
    is_region_code,
    is_region_name,
    region_level,
    reprojects,
)
from edge.specs.model import Kind, OutputField, Parameter
from edge.text import compact

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
Sort: TypeAlias = "tuple[str | bool | None, ...]"


@dataclass(frozen=True, slots=True)
class Supply:
    """An output field, and whether it is what a record of its tool is called."""

    field: OutputField
    own_name: bool = False


def _sort_of_supply(supply: Supply) -> Sort:
    """All that `semantics` hangs on: supplies of one sort are alike to it."""
    return (*_sort(supply.field), supply.own_name)


def _sort_of_need(need: Parameter) -> Sort:
    return (*_sort(need), is_region_name(need), takes_address(need), is_keyword(need), speaks(need.enum))


def _sort(item: OutputField | Parameter) -> Sort:
    region = is_region_code(item.label, item.kind)
    refined = item.format if item.kind in AXES or item.kind == "name" else None
    if region:
        refined = str(code_length(item))
    return item.kind, refined, region and region_level(item.label)


def semantics(field: OutputField, parameter: Parameter, *, own_name: bool) -> tuple[float, float]:
    """Return (factor, floor): how far two kinds can hold one value, and how near two things are under any name.

    Coordinates of one kind are near whatever they are called, and so are those that others or a grid are made from.
    """
    if reprojects(field, parameter) or (parameter.kind == "grid" and field.kind in ("longitude", "latitude")):
        return 0.0, 0.8
    factor = kind_factor(field.kind, parameter.kind)
    if field.kind in ("name", "text", "unknown") and speaks(parameter.enum):
        factor = max(factor, 0.9)  # a word becomes the code that is called so
    if factor == 0.0 or not agree(field, parameter):
        return 0.0, 0.0
    if field.kind == parameter.kind and field.kind in ("longitude", "latitude", "grid"):
        return 1.0, 0.8
    return factor * system_factor(field, parameter), concept_floor(field, parameter, own_name=own_name)


def _numbers(sorts: Sequence[Sort]) -> Rows:
    """Number the sorts in the order in which they come first."""
    ids: dict[Sort, int] = {}
    return np.asarray([ids.setdefault(s, len(ids)) for s in sorts], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class _Side:
    """Supplies or needs as vectors: embedding (dense), words of names and labels, enumeration labels, sorts."""

    dense: Matrix
    names: Words
    labels: Words
    values: Words
    sorts: Rows

    @classmethod
    def of(
        cls, dense: Matrix, tokens: Sequence[_Tokens], lexicons: Sequence[Lexicon], sorts: Sequence[Sort]
    ) -> _Side:
        """Return the vectors of items, given by their embeddings, tokens and sorts."""
        names, labels, values = (x.vectors([t[i] for t in tokens]) for i, x in enumerate(lexicons))
        return cls(dense, names, labels, values, _numbers(sorts))

    def part(self, chosen: slice | Rows) -> _Side:
        """Return some of them; views for a slice of the embeddings."""
        words = (self.names.part(chosen), self.labels.part(chosen), self.values.part(chosen))
        return _Side(self.dense[chosen], *words, self.sorts[chosen])

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
        left, right = [_sort_of_supply(s) for s in supplies], [_sort_of_need(p) for p in needs]
        dense = _embedded(embedder, [supply_text(f) for f in fields])
        self._supply = _Side.of(dense, supplied, lexicons, left)
        dense = _embedded(embedder, [need_text(p) for p in needs])
        self._need = _Side.of(dense, needed, lexicons, right)
        self._factors, self._floors = _tables(left, right, supplies, needs)
        some, wanted = ([sort[0] for sort in dict.fromkeys(side)] for side in (left, right))
        possible = np.argwhere((self._factors > 0) | (self._floors > 0)).tolist()
        self._compatible = {(some[i], wanted[j]) for i, j in possible}
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
                if (kind, wanted) not in self._compatible:
                    continue
                step = max(1, _CELLS // len(places))
                for at in range(0, len(mine), step):
                    chunk = mine[at : at + step]
                    near = self._near(self._supply.part(rows[chunk]), self._parts[wanted])
                    found[np.ix_(chunk, self._order[places[0] : places[-1] + 1])] = near
        for at, row in enumerate(rows.tolist()):  # called alike in both: the kinds were guessed
            for place in self._alike.get(row, ()):
                column = self._order[place]
                found[at, column] = max(found[at, column], np.float32(ALIKE))
        return found

    def _near(self, supply: _Side, need: _Side) -> Matrix:
        names = product(supply.names.matrix, need.names.matrix)
        labels = _labels(supply.labels, need.labels)
        texts = (supply.dense @ need.dense.T - self._base) / (1.0 - self._base)
        texts *= np.minimum(supply.telling[:, None], need.telling)
        likeness = np.clip(np.maximum(texts, 0.75 * np.maximum(names, labels) + 0.25 * np.minimum(names, labels)), 0, 1)
        at = np.ix_(supply.sorts, need.sorts)
        found = np.maximum(likeness * self._factors[at], self._floors[at])
        shared = product(supply.values.matrix, need.values.matrix)
        return np.where(shared > 0.5, np.maximum(found, 0.7), found)


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


def _tables(
    left: Sequence[Sort], right: Sequence[Sort], supplies: Sequence[Supply], needs: Sequence[Parameter]
) -> tuple[Matrix, Matrix]:
    """Factor and floor of every sort of supply against every sort of need: one example stands for its sort."""
    some: dict[Sort, Supply] = {}
    for sort, supply in zip(left, supplies, strict=True):
        some.setdefault(sort, supply)
    wanted: dict[Sort, Parameter] = {}
    for sort, need in zip(right, needs, strict=True):
        wanted.setdefault(sort, need)
    rows = [[semantics(s.field, n, own_name=s.own_name) for n in wanted.values()] for s in some.values()]
    found = np.asarray(rows, dtype=np.float32)
    return found[:, :, 0], found[:, :, 1]
