"""How well an output field can fill a parameter, by names, labels, kinds and formats alone (offline scorer)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from edge.links.code_tables import translations
from edge.links.transform_rules import (
    DATES,
    LEVELS,
    RegionCodes,
    agree,
    is_region_code,
    is_region_name,
    projections,
    region_codes,
    transforms_for,
)
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
_REGION_CODES: dict[RegionCodes, float] = {"fit": 0.75, "perhaps": 0.5, "differ": 0.2}
_OTHER_SYSTEM: dict[RegionCodes, float] = {"fit": 1.0, "perhaps": 0.7, "differ": 0.4}
_ALIKE = 0.6  # what is called alike in name and label is worth, whatever its kind
_KEYWORD = re.compile("검색어|키워드|질의어|keyword|query|search")


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


def is_keyword(parameter: Parameter) -> bool:
    """Whether a parameter is a search word for whatever is called so: its label says no more than that."""
    return parameter.kind in ("name", "text", "unknown") and bool(_KEYWORD.search(parameter.label.lower()))


def takes_address(parameter: Parameter) -> bool:
    """Whether a parameter takes an address or a part of one."""
    return parameter.kind == "address" or (parameter.kind in ("name", "text") and "주소" in parameter.label)


def concept_floor(field: OutputField, parameter: Parameter, *, own_name: bool = True) -> float:
    """The least score of two things that speak of one concept under different names.

    `own_name`: the field is what the record is called, or the parameter is of the same service.
    """
    if is_region_code(field.label, field.kind) and is_region_code(parameter.label, parameter.kind):
        return _REGION_CODES[region_codes(field, parameter)]
    placed = field.kind == "address" or (field.kind == "name" and field.format in LEVELS)
    if placed and parameter.kind == "name" and field.format in LEVELS and is_region_name(parameter):
        return 0.65 if field.format == parameter.format else 0.0 if parameter.format else 0.5
    if placed and takes_address(parameter):
        return 0.5 if field.kind == "address" else 0.36  # names of places are looked for in addresses
    if field.kind == "name" and own_name and is_keyword(parameter):
        return 0.36  # a search word takes any name; whether it finds anything is for execution to say
    return 0.0


def _called_alike(field: OutputField, parameter: Parameter) -> bool:
    """Whether name and label are the same: then the kinds, which were guessed, do not count."""
    if field.label[:1] != parameter.label[:1]:
        return False  # most end here, at once
    return name_similarity(field.path, parameter.name) == 1.0 == label_similarity(field.label, parameter.label)


def system_factor(field: OutputField, parameter: Parameter) -> float:
    """How far codes of two services can be believed to be of one system: less where theirs are of regions."""
    if is_region_code(field.label, field.kind) and is_region_code(parameter.label, parameter.kind):
        return _OTHER_SYSTEM[region_codes(field, parameter)]
    return 1.0


def score(field: OutputField, parameter: Parameter, *, same_service: bool, own_name: bool = False) -> float:
    """Return how well the field's meaning fits the parameter's in [0, 1], transforms aside.

    `own_name`: the field is what the record is called. Within a service equal names mean one thing; across services
    a code that may be of another system is believed less, whatever it is called.
    """
    kinds = kind_factor(field.kind, parameter.kind)
    if (parameter.enum or field.values) and translations(field, parameter):
        kinds = max(kinds, 0.9)  # other words for the same thing
    if kinds < _ALIKE and _called_alike(field, parameter):
        kinds = _ALIKE
    if kinds == 0.0 or not agree(field, parameter):
        return 0.0
    if field.kind == parameter.kind and field.kind in _SHARED:
        return 0.85  # any longitude is a longitude: names differ from platform to platform
    floor = concept_floor(field, parameter, own_name=own_name or same_service)
    name = name_similarity(field.path, parameter.name)
    label = label_similarity(field.label, parameter.label)
    bonus = 0.08 if same_service and max(name, label) > 0.5 else 0.0
    floor += 0.1 if floor and compact(field.label)[:4] in compact(parameter.description) else 0.0
    likeness = kinds * (0.75 * max(name, label) + 0.25 * min(name, label))
    if not same_service:
        likeness *= system_factor(field, parameter)
    return min(1.0, max(floor, likeness + bonus))


def fits(
    fields: tuple[OutputField, ...], parameter: Parameter, *, same_service: bool, name_field: str | None = None
) -> list[Fit]:
    """Return the ways to fill `parameter` from `fields`, best first; ties by path and transform.

    `name_field` is the path of what a record is called.
    """
    found = [
        Fit(f.path, transform, round(base * factor, 4))
        for f in fields
        if not f.private
        and (base := score(f, parameter, same_service=same_service, own_name=f.path == name_field)) > 0.15
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
