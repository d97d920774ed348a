"""How well an output field can fill a parameter, by names, labels, kinds and formats alone (offline scorer)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

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
_DATES: frozenset[Kind] = frozenset({"date", "month", "year", "datetime"})
_TEXTS: frozenset[Kind] = frozenset({"name", "address", "text", "unknown"})
_SHARED: frozenset[Kind] = frozenset({"longitude", "latitude"})
_REGION = re.compile("법정동|행정동|지역|행정구역|시군구|시도|읍면동|구군")
_KEYWORD = re.compile("검색어|키워드|질의|keyword|query|srch")
_SLICES = ("slice:0:5", "slice:0:2", "slice:2:5", "slice:5:10", "slice:0:8")


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
    if field in _DATES and parameter in _DATES:
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


def is_region_code(label: str, kind: Kind) -> bool:
    """Whether a label speaks of a code of an administrative region."""
    return kind in ("code", "unknown") and "코드" in label and "교육청" not in label and bool(_REGION.search(label))


def transforms_for(field: OutputField, parameter: Parameter) -> list[tuple[str | None, float]]:
    """Return the transforms worth trying for this field and parameter, each with a factor on the score."""
    if parameter.kind in _DATES and field.kind in _DATES:
        return _date_transforms(field, parameter)
    if parameter.kind == "code" and field.kind in ("code", "unknown", "number"):
        return _code_transforms(field, parameter)
    if parameter.kind in ("name", "text") and _speaks_of_province(field, parameter):
        return [(None, 1.0), ("province_short", 0.9), ("province_full", 0.8)]
    return [(None, 1.0)]


def _date_transforms(field: OutputField, parameter: Parameter) -> list[tuple[str | None, float]]:
    if parameter.format and field.format == parameter.format:
        return [(None, 1.0)]
    if parameter.format and "%" in parameter.format:
        return [(f"date:{parameter.format}", 0.95), (None, 0.4)]
    return [(None, 1.0)]


def _code_transforms(field: OutputField, parameter: Parameter) -> list[tuple[str | None, float]]:
    have, want = _digits(field.format), _digits(parameter.format)
    found: list[tuple[str | None, float]] = [(None, _length_factor(have, want))]
    if _REGION.search(field.label) and is_region_code(parameter.label, parameter.kind) and have != want:
        factor = (0.9 if want else 0.75) if have else 0.65
        found.extend((s, factor) for s in _SLICES if _slice_fits(s, have or 10, want))
    elif have and want and have > want:
        found.append((f"slice:0:{want}", 0.7))
    if "종목" in field.label or "단축" in field.label:
        found.append(("drop_letter", 0.8))
    return found


def _length_factor(have: int | None, want: int | None) -> float:
    """Codes of equal length fit; of unknown length perhaps; of different length hardly."""
    if have == want:
        return 1.0
    return 0.85 if not have or not want else 0.45


def _slice_fits(transform: str, have: int, want: int | None) -> bool:
    _, start, stop = transform.split(":")
    return int(stop) <= have and (want is None or int(stop) - int(start) == want)


def _digits(text: str | None) -> int | None:
    return int(text) if text and text.isdigit() else None


def _speaks_of_province(field: OutputField, parameter: Parameter) -> bool:
    return "시도" in field.label + parameter.label


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
    if kinds == 0.0:
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
    if parameter.kind == "grid":
        found = _grid_fits(tuple(f for f in fields if not f.private), parameter)
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
