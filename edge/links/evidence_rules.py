"""How well an output field can fill a parameter, by names, labels, kinds and formats alone (offline scorer)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from edge.links.code_tables import translations
from edge.links.transform_rules import DATES, agree, is_region_code, projections, transforms_for
from edge.specs.model import Kind, OutputField, Parameter
from edge.text import compact

_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[가-힣]+")
_GENERIC = {
    "cd",
    "code",
    "id",
    "no",
    "nm",
    "name",
    "num",
    "seq",
    "idx",
    "key",
    "query",
    "q",
    "type",
    "date",
    "ymd",
    "yn",
}
_TEXTS: frozenset[Kind] = frozenset({"name", "address", "text", "unknown"})
_SHARED: frozenset[Kind] = frozenset({"longitude", "latitude"})
_KEYWORD = re.compile("검색어|키워드|질의|keyword|query|srch")


@dataclass(frozen=True, slots=True)
class Fit:
    """One way to fill a parameter: from this field through this transform, believed with `score` in [0, 1]."""

    path: str
    transform: str | None
    score: float


@lru_cache(maxsize=200_000)
def words(name: str) -> tuple[str, ...]:
    """Split a field or parameter name into lower-case words ("busRouteId" -> bus, route, id)."""
    return tuple(w.lower() for w in _WORDS.findall(name))


@lru_cache(maxsize=500_000)
def name_similarity(left: str, right: str) -> float:
    """Return 1 for names equal but for case and separators, else the weighted overlap of their words in [0, 1]."""
    a, b = words(left.rsplit(".", 1)[-1]), words(right)
    if not a or not b:
        return 0.0
    if "".join(a) == "".join(b):
        return 1.0 if not set(a) <= _GENERIC else 0.7
    weight = {w: 0.3 if w in _GENERIC or w.isdigit() else 1.0 for w in (*a, *b)}
    shared = math.fsum(weight[w] for w in set(a) & set(b))  # fsum: sets have another order in every process
    return shared / max(math.fsum(weight[w] for w in set(a) | set(b)), 1e-9)


@lru_cache(maxsize=500_000)
def label_similarity(left: str, right: str) -> float:
    """Return the Dice overlap of syllable bigrams of two labels in [0, 1]; at least 0.85 when one holds the other."""
    a, b = compact(left), compact(right)
    if not a or not b:
        return 0.0
    if a == b:
        return 1.0
    grams_a = {a[i : i + 2] for i in range(max(1, len(a) - 1))}
    grams_b = {b[i : i + 2] for i in range(max(1, len(b) - 1))}
    dice = 2 * len(grams_a & grams_b) / (len(grams_a) + len(grams_b))
    return max(dice, 0.85 if min(len(a), len(b)) >= 3 and (a in b or b in a) else 0.0)


def kind_factor(field: Kind, parameter: Kind) -> float:
    """Return how far two kinds can hold the same value: 1 the same, 0 never."""
    if field == parameter and field != "unknown":
        return 1.0
    if field in DATES and parameter in DATES:
        return 0.9
    if field in _TEXTS and parameter in _TEXTS:
        return 0.75
    if "unknown" in (field, parameter):
        return 0.55
    if {field, parameter} <= {"code", "number", "count"} or {field, parameter} <= {"code", "flag"}:
        return 0.6
    if {field, parameter} <= {"code", "name"}:
        return 0.35
    if {field, parameter} <= {"date", "datetime", "time"}:
        return 0.3
    return 0.0


def _concept_floor(field: OutputField, parameter: Parameter) -> float:
    """The least score of two things that speak of one concept under different names."""
    if is_region_code(field.label, field.kind) and is_region_code(parameter.label, parameter.kind):
        return 0.7  # one region, many code systems: slices and execution tell which
    if field.kind == "name" and _KEYWORD.search(f"{parameter.label} {parameter.name}".lower()):
        return 0.36  # a search word takes any name; whether it finds anything is for execution to say
    return 0.0


def score(field: OutputField, parameter: Parameter, *, same_service: bool) -> float:
    """Return how well the field's meaning fits the parameter's in [0, 1], transforms aside."""
    kinds = kind_factor(field.kind, parameter.kind)
    if translations(field, parameter):
        kinds = max(kinds, 0.9)  # other words for the same thing
    if kinds == 0.0 or not agree(field, parameter):
        return 0.0
    if field.kind == parameter.kind and field.kind in _SHARED:
        return 0.85  # any longitude is a longitude: names differ from platform to platform
    floor = _concept_floor(field, parameter)
    name = name_similarity(field.path, parameter.name)
    label = label_similarity(field.label, parameter.label)
    bonus = 0.08 if same_service and max(name, label) > 0.5 else 0.0
    floor += 0.1 if floor and compact(field.label)[:4] in compact(parameter.description) else 0.0
    return min(1.0, max(floor, kinds * (0.75 * max(name, label) + 0.25 * min(name, label)) + bonus))


def fits(fields: tuple[OutputField, ...], parameter: Parameter, *, same_service: bool) -> list[Fit]:
    """Return the ways to fill `parameter` from `fields`, best first; ties by path and transform."""
    found = [
        Fit(f.path, transform, round(base * factor, 4))
        for f in fields
        if (base := score(f, parameter, same_service=same_service)) > 0.15 and not f.private
        for transform, factor in transforms_for(f, parameter)
    ]
    public = tuple(f for f in fields if not f.private)
    if parameter.kind == "grid":
        found = _grid_fits(public, parameter)
    found.extend(Fit(path, transform, 0.8) for path, transform in projections(public, parameter))
    return sorted(found, key=lambda fit: (-fit.score, fit.path, fit.transform or ""))


def _grid_fits(fields: tuple[OutputField, ...], parameter: Parameter) -> list[Fit]:
    same = [
        Fit(f.path, None, 0.9) for f in fields if f.kind == "grid" and name_similarity(f.path, parameter.name) == 1.0
    ]
    east = next((f.path for f in fields if f.kind == "longitude"), None)
    north = next((f.path for f in fields if f.kind == "latitude"), None)
    if east is None or north is None:
        return same
    is_x = words(parameter.name)[-1:] == ("nx",) or parameter.name.lower().endswith("x")
    made = Fit(east, f"kma_nx:{north}", 0.8) if is_x else Fit(north, f"kma_ny:{east}", 0.8)
    return [*same, made]
