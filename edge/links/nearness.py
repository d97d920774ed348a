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
from edge.specs.model import EnumValue, OutputField, Parameter
from edge.text import compact

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


def _positions(sorts: Sequence[Sort]) -> Rows:
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

    @property
    def telling(self) -> Matrix:
        """How much name or label say, in [0, 1]."""
        return np.maximum(self.names.telling, self.labels.telling)


class Nearness:
    """Scores of distinct supplies against distinct needs, some rows at a time: all are never held at once."""

    def __init__(self, supplies: Sequence[Supply], needs: Sequence[Parameter], embedder: Embedder) -> None:
        """Embed and index both sides; every text is embedded once."""
        fields = [s.field for s in supplies]
        texts = [supply_text(f) for f in fields], [need_text(p) for p in needs]
        names = [words(last_name(f.path)) for f in fields], [words(p.name) for p in needs]
        labels = [grams(f.label) for f in fields], [grams(p.label) for p in needs]
        values = [_labels_of(f.values) for f in fields], [_labels_of(p.enum) for p in needs]
        sorts = [_sort_of_supply(s) for s in supplies], [_sort_of_need(p) for p in needs]
        lexicons = [Lexicon([*side[0], *side[1]]) for side in (names, labels, values)]
        said = list(zip(texts, names, labels, values, sorts, strict=True))
        self._tables = _tables(sorts, supplies, needs)
        self._supply, self._need = (
            _Side(
                _embedded(embedder, side[0]),
                lexicons[0].vectors(side[1]),
                lexicons[1].vectors(side[2]),
                lexicons[2].vectors(side[3]),
                _positions(side[4]),
            )
            for side in said
        )
        self._base = _baseline(self._supply.dense, self._need.dense)

    def scores(self, rows: Rows) -> Matrix:
        """Return how near the supplies at `rows` are to every need, float32 in [0, 1] of shape (rows, needs)."""
        supply, need = self._supply, self._need
        names = product(supply.names.matrix, need.names.matrix, rows)
        labels = _labels(supply.labels, need.labels, rows)
        texts = (supply.dense[rows] @ need.dense.T - self._base) / (1.0 - self._base)
        texts *= np.minimum(supply.telling[rows, None], need.telling)
        likeness = np.clip(np.maximum(texts, 0.75 * np.maximum(names, labels) + 0.25 * np.minimum(names, labels)), 0, 1)
        factor, floor = (table[supply.sorts[rows]][:, need.sorts] for table in self._tables)
        alike = np.minimum(names, labels) > 0.99  # called alike in both: the kinds were guessed
        found = np.maximum(likeness * np.where(alike, np.maximum(factor, 0.6), factor), floor)
        shared = product(supply.values.matrix, need.values.matrix, rows)
        return np.where(shared > 0.5, np.maximum(found, 0.7), found).astype(np.float32)


def _labels(supply: Words, need: Words, rows: Rows) -> Matrix:
    """Likeness of labels; a label that holds all of a telling one says the same, and more."""
    found = product(supply.matrix, need.matrix, rows)
    whole = found * supply.sizes[rows, None] > 0.99 * need.sizes * need.telling**2
    return np.where(whole & (need.telling > 0.9), np.maximum(found, 0.85), found)


def _labels_of(values: Sequence[EnumValue]) -> list[str]:
    return [compact(v.label) for v in values]


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
    sorts: tuple[Sequence[Sort], Sequence[Sort]], supplies: Sequence[Supply], needs: Sequence[Parameter]
) -> tuple[Matrix, Matrix]:
    """Factor and floor of every sort of supply against every sort of need: one example stands for its sort."""
    left: dict[Sort, Supply] = {}
    for sort, supply in zip(sorts[0], supplies, strict=True):
        left.setdefault(sort, supply)
    right: dict[Sort, Parameter] = {}
    for sort, need in zip(sorts[1], needs, strict=True):
        right.setdefault(sort, need)
    rows = [[semantics(s.field, n, own_name=s.own_name) for n in right.values()] for s in left.values()]
    found = np.asarray(rows, dtype=np.float32)
    return found[:, :, 0], found[:, :, 1]
