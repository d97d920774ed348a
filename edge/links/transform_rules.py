"""Kinds, formats and enumerations say which transforms are worth trying (output field, parameter -> transforms)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from edge.links.code_tables import translations
from edge.links.places import DEGREES, system_of
from edge.links.transforms import chain
from edge.links.wording import PROVINCES
from edge.specs.model import Kind, OutputField, Parameter
from edge.text import compact

Weighed = list[tuple[str | None, float]]
RegionCodes = Literal["fit", "perhaps", "differ"]

DATES: Final[frozenset[Kind]] = frozenset({"date", "month", "year", "datetime"})
AXES: Final[dict[Kind, int]] = {"longitude": 0, "projected_x": 0, "latitude": 1, "projected_y": 1}
_ACROSS: Final[dict[Kind, tuple[Kind, ...]]] = {
    "longitude": ("latitude",),
    "latitude": ("longitude",),
    "projected_x": ("projected_y",),
    "projected_y": ("projected_x",),
}
_REGION = re.compile("법정동|행정동|지역|행정구역|시군구|시도|읍면동|구군")
_LEVELS: Final = {
    "town": re.compile("읍면동|뒤"),
    "district": re.compile("시군구|자치구|구군"),
    "province": re.compile("시도"),
}
LEVELS: Final = frozenset(_LEVELS)  # as `format` spells them for names of regions
_REGISTERED = re.compile("등록번호|전화번호|우편번호")  # people write these with hyphens
_EXCLUSIVE = re.compile("보다 작은|미만|포함하지 않|제외한 이전")
_SLICES = ("slice:0:5", "slice:0:2", "slice:2:5", "slice:5:10", "slice:0:8")
_QUANTITIES: Final[frozenset[Kind]] = frozenset({"amount", "count", "number"})


def is_region_code(label: str, kind: Kind) -> bool:
    """Whether a label speaks of a code of an administrative region."""
    return kind in ("code", "unknown") and "코드" in label and "교육청" not in label and bool(_REGION.search(label))


def region_codes(field: OutputField, parameter: Parameter) -> RegionCodes:
    """Return how two codes of regions stand to each other, as far as lengths and levels tell.

    Codes with which the state counts its regions have known lengths, and the whole holds its parts; a platform's own
    codes are of any length. They "fit" where a part of the one is the other, "differ" where no part can be.
    """
    have, want = code_length(field), code_length(parameter)
    levels = region_level(field.label), region_level(parameter.label)
    if have and want:
        if have == want:
            return "differ" if None not in levels and levels[0] != levels[1] else "fit"
        return "fit" if any(_slice_fits(s, have, want) for s in _SLICES) or have + 2 == want else "differ"
    if None not in levels and levels[0] != levels[1]:
        return "differ"
    return "perhaps"


def region_level(label: str) -> str | None:
    """The level of region that a label speaks of; None where it says none, or a whole code that has all."""
    return next((name for name, said in _LEVELS.items() if said.search(label)), None)


def is_region_name(parameter: Parameter) -> bool:
    """Whether a parameter takes the name of an administrative region."""
    return parameter.format in LEVELS or (parameter.format is None and bool(_REGION.search(parameter.label)))


def without_boxes(parameters: Sequence[Parameter]) -> list[Parameter]:
    """Return the parameters, edges of a box as plain numbers: two of one axis are no place that a record has."""
    counts = Counter(p.kind for p in parameters)
    return [replace(p, kind="number") if p.kind in AXES and counts[p.kind] > 1 else p for p in parameters]


def transforms_for(field: OutputField, parameter: Parameter) -> Weighed:
    """Return the transforms worth trying for this field and parameter, each with a factor on the score."""
    if parameter.kind in DATES and field.kind in DATES:
        return _dates(field, parameter)
    if parameter.kind == "time" and field.kind in ("time", "datetime"):
        return _times(field, parameter)
    if tables := translations(field, parameter):
        plain = 0.35 if field.kind in ("name", "text") else 0.6 if field.values else 0.85
        return [(None, plain), *((table, 0.95) for table in tables)]
    if parameter.kind == "code" and field.kind in ("code", "unknown", "number"):
        return _codes(field, parameter)
    if parameter.kind in ("name", "text") and (found := _regions(field, parameter)):
        return found
    if field.kind == parameter.kind and field.kind in _QUANTITIES and field.type == "string":
        return [(None, 1.0), ("number", 0.75)]
    return [(None, 1.0)]


def _dates(field: OutputField, parameter: Parameter) -> Weighed:
    pattern = parameter.format if parameter.format and "%" in parameter.format else None
    if pattern is None:
        return [(None, 1.0)]
    found: Weighed = [(None, 1.0)] if field.format == pattern else [(f"date:{pattern}", 0.95), (None, 0.4)]
    if _EXCLUSIVE.search(parameter.description):
        found.append((f"date_shift:1:{pattern}", 0.9))
    return found


def _times(field: OutputField, parameter: Parameter) -> Weighed:
    """Where the parameter takes a few issue times only, the last one that had come."""
    slots = [e.value for e in parameter.enum]
    if not slots or not all(s.isascii() and s.isdigit() and len(s) == len(slots[0]) == 4 for s in slots):
        return [(None, 1.0)]
    floor = f"floor:{','.join(slots)}"
    return [(chain("date:%H%M", floor) if field.kind == "datetime" else floor, 0.95), (None, 0.5)]


def _codes(field: OutputField, parameter: Parameter) -> Weighed:
    have, want = code_length(field), code_length(parameter)
    found: Weighed = [(None, _length_factor(have, want))]
    regions = is_region_code(parameter.label, parameter.kind) and bool(_REGION.search(field.label))
    if regions and have != want:
        factor = (0.9 if want else 0.75) if have else 0.65
        found.extend((s, factor) for s in _SLICES if _slice_fits(s, have or 10, want))
    elif have and want and have > want and compact(field.label) == compact(parameter.label):
        found.append((f"slice:0:{want}", 0.7))
    if have and want and have < want:  # zeros say "the whole" of a region, and fill any other number from the left
        if regions:
            found.append((f"wrap::{'0' * (want - have)}", 0.7))
        elif compact(field.label) == compact(parameter.label):
            found.append((f"pad:{want}", 0.7))
    if want and not have and _REGISTERED.search(field.label):
        found.append(("digits", 0.8))
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


def code_length(item: OutputField | Parameter) -> int | None:
    """Return the digits of a code: as its format says, else those that all its values have."""
    values = item.values if isinstance(item, OutputField) else item.enum
    lengths = {len(v.value) if v.value.isdigit() else 0 for v in values}
    return _digits(item.format) or ((lengths.pop() or None) if len(lengths) == 1 else None)


def _digits(text: str | None) -> int | None:
    return int(text) if text and text.isdigit() else None


def _regions(field: OutputField, parameter: Parameter) -> Weighed:
    """Spellings of provinces, and the part of an address that names a district."""
    if parameter.format == "district" and field.kind == "address":
        return [(None, 0.5), ("in_province|first_word", 0.9)]
    if "시도" not in field.label + parameter.label and parameter.format != "province":
        return []
    taken = {e.value for e in parameter.enum}
    short = not taken or bool(taken & PROVINCES.keys())
    full = not taken or bool(taken & set(PROVINCES.values()))
    return [(None, 1.0), *([("province_short", 0.9)] if short else []), *([("province_full", 0.8)] if full else [])]


def coordinate_system(kind: Kind, said: str | None) -> str | None:
    """Return the system of a coordinate: degrees are WGS84 unless said otherwise, metres are what is said or None."""
    return system_of(said or DEGREES) if kind in ("longitude", "latitude") else system_of(said)


def agree(field: OutputField, parameter: Parameter) -> bool:
    """Whether two coordinates may be in one system: not where both are known to be in different ones."""
    systems = coordinate_system(field.kind, field.format), coordinate_system(parameter.kind, parameter.format)
    return None in systems or systems[0] == systems[1]


def reprojects(field: OutputField, parameter: Parameter) -> bool:
    """Whether a field is the parameter's coordinate in another system, and both systems are known."""
    axis = AXES.get(field.kind)
    return axis is not None and axis == AXES.get(parameter.kind) and not agree(field, parameter)


def projections(fields: Sequence[OutputField], parameter: Parameter) -> list[tuple[str, str]]:
    """Return (path, transform) for the coordinates of a record that a projection turns into what the parameter takes.

    None where the record has them in the parameter's own system.
    """
    if any(f.kind == parameter.kind and agree(f, parameter) for f in fields):
        return []
    target = coordinate_system(parameter.kind, parameter.format)
    found: list[tuple[str, str]] = []
    for index, field in enumerate(fields):
        if not reprojects(field, parameter):
            continue
        source = coordinate_system(field.kind, field.format)
        other = partner(fields, index)
        if other is not None:
            axis = "xy"[AXES[field.kind]]
            found.append((field.path, f"project_{axis}:{source}:{target}:{other}"))
    return found


def partner(fields: Sequence[OutputField], index: int) -> str | None:
    """Return the path of the coordinate that stands nearest to this one and is of its system and of the other axis."""
    mine = fields[index]
    system = coordinate_system(mine.kind, mine.format)
    others = [
        (abs(index - i), f.path)
        for i, f in enumerate(fields)
        if f.kind in _ACROSS.get(mine.kind, ()) and coordinate_system(f.kind, f.format) == system
    ]
    plain = [(distance, path) for distance, path in others if not set(path) & set(":|")]
    return min(plain)[1] if plain else None
