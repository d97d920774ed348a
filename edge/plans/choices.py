"""What can be said about records: which binding says which thing, and the reducers that leave one record."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from edge.calls import Record
from edge.links.evidence_rules import label_similarity
from edge.links.model import Binding, Link
from edge.links.paths import get_path, scalar
from edge.links.transform_rules import is_region_code
from edge.plans.drawing import Sayable, comparable, distance_to_here, ordered, quantity
from edge.plans.model import Reducer
from edge.plans.reducers import NotUnique, exact, moment, number, reduce_records, unique_values
from edge.plans.referring import referring
from edge.plans.sense import in_future
from edge.plans.spreading import spread
from edge.plans.utterable import askworthy, countable, machine_like
from edge.specs.model import Kind, OutputField, Parameter, Tool

_DATED: frozenset[Kind] = frozenset({"date", "datetime"})
_SLICE_LEVELS = {"slice:0:2": (2, "시도"), "slice:0:5": (5, "시군구"), "slice:2:5": (5, "시군구")}
VISIBLE = 150  # records of which a model sees every one (edge.execution.messages shows as many)
_SIMPLE = 8  # reducers of one value each that come before those of two
_BY_DATE = ("latest", "earliest")
_SUFFIX = re.compile(r"\s*(?:\(.*?\)|\d+자리|일련번호|고유번호|코드|번호|ID|아이디|명칭|이름|명)\s*$")
_IDENTIFYING: frozenset[Kind] = frozenset(
    {"code", "name", "address", "text", "longitude", "latitude", "grid", "projected_x", "projected_y", "number"}
)


def core_label(label: str) -> str:
    """Return what a label speaks of, without what it is written as: "법정동코드 10자리" -> "법정동"."""
    core = label.strip()
    while (shorter := _SUFFIX.sub("", core)) and shorter != core:
        core = shorter
    return core


def identifying(link: Link, source: Tool, target: Tool) -> list[Binding]:
    """Return the bindings that say *which* thing the target is asked about; dates, switches and the like do not."""
    found: list[Binding] = []
    for b in link.bindings:
        field, parameter = source.output(b.source_path), target.parameter(b.target_parameter)
        if field is None or parameter is None or parameter.enum:
            continue
        if field.kind in _IDENTIFYING and parameter.kind in _IDENTIFYING:
            found.append(b)
    return found


def via_of(link: Link, source: Tool, target: Tool, records: Sequence[Record], chosen: Record) -> str | None:
    """Return in words what the target is really asked about where that is not the source's own record, or None.

    A slice of a region code names the region above ("시군구"), unless the record is that region itself; a field that
    names another thing gives that thing. None as soon as one bound field names the record; coordinates always do.
    """
    elsewhere: list[str] = []
    for b in identifying(link, source, target):
        field = source.output(b.source_path)
        if field is None or field.kind not in ("code", "name", "address", "text"):
            return None
        level = _sliced_level(b.transform, scalar(get_path(chosen, b.source_path)) or "")
        if level is None and (_own(field, source, records) or _whole(b.transform)):
            return None
        elsewhere.append(level or core_label(field.label))
    return elsewhere[0] if elsewhere else None


def _sliced_level(transform: str | None, value: str) -> str | None:
    """The level that a slice of a region code stands for, None where nothing below it was cut off."""
    if transform not in _SLICE_LEVELS:
        return None
    stop, level = _SLICE_LEVELS[transform]
    return level if value[stop:].strip("0") else None


def _whole(transform: str | None) -> bool:
    return transform in _SLICE_LEVELS


def _own(field: OutputField, source: Tool, records: Sequence[Record]) -> bool:
    """Whether a field names its record: it is the name, shares a word with the noun, or no two records share it."""
    core, said = core_label(field.label), f"{source.noun} {source.title}"
    if field.path == source.name_field or core in said or len(core) < 2 or _SUFFIX.fullmatch(core):
        return True  # a label that says number or code alone names no other thing
    if any(len(word) > 1 and word in core for word in source.noun.split()):
        return True
    values = [scalar(get_path(r, field.path)) for r in records]
    if len(values) > 1:
        return len(set(values)) == len(values)
    return not (is_region_code(field.label, field.kind) or field.kind == "name")


def clean_name(value: str) -> bool:
    """Whether a value can stand in a request as a name."""
    return (
        1 < len(value) <= 40
        and not any(c in value for c in "\n\t*")
        and not machine_like(value)
        and not value.replace(".", "").isdigit()
    )


def reducers_for(
    tool: Tool,
    records: Sequence[Record],
    said: Sequence[str],
    rng: random.Random,
    *,
    leaf: bool,
    now: datetime,
    favoured: Collection[int] = (),
) -> list[Reducer]:
    """Return reducers that single out one record of many, in the order to try them.

    A record whose name the user has said already ("서울특별시 강남구") comes first; then, shuffled by weight, a unique
    name (not where the tool itself takes one), a unique extreme of a measured field or of a date up to `now`, in lists
    that a model can see whole. `leaf` also allows counting. Names of the records at `favoured` positions come first.
    """
    exact = _said_filter(tool, records, said)
    if exact is not None:
        return [exact]
    found = [] if takes_name(tool) else _name_filters(tool, records, rng, favoured, leaf=leaf)
    found.extend(_extremes(tool, records, now) if len(records) <= VISIBLE else [])
    if not leaf and len(records) <= VISIBLE:
        told = referring(
            tool, records, rng, favoured, lambda some: [s.reducer for s in _extremes(tool, some, now)], clean_name
        )
        return [*ordered(found, rng)[:_SIMPLE], *told]
    named = tool.output(tool.name_field) if tool.name_field else None
    if leaf and len(records) <= 500 and named is not None and named.kind == "name" and countable(tool):
        found.append(Sayable(Reducer("count"), 0.15))
    return ordered(found, rng)


def takes_name(tool: Tool) -> bool:
    """Whether the tool has a parameter for the name of its records: who knows the name passes it."""
    return naming_parameter(tool) is not None


def naming_parameter(tool: Tool) -> Parameter | None:
    """Return the parameter that takes the name of the tool's records, if there is one."""
    named = tool.output(tool.name_field) if tool.name_field else None
    if named is None:
        return None
    for parameter in tool.offered:
        if parameter.kind not in ("name", "text", "address") or parameter.enum:
            continue
        same = parameter.name == named.path or label_similarity(parameter.label, named.label) >= 0.6
        if same or (not parameter.required and "검색어" in parameter.label):
            return parameter
    return None


def _said_filter(tool: Tool, records: Sequence[Record], said: Sequence[str]) -> Reducer | None:
    if tool.name_field is None:
        return None
    unique = unique_values(records, tool.name_field)
    match = next((text for text in said if text.strip() in unique), None)
    return Reducer("filter", tool.name_field, match.strip(), match.strip()) if match else None


def _name_filters(
    tool: Tool, records: Sequence[Record], rng: random.Random, favoured: Collection[int], *, leaf: bool
) -> list[Sayable]:
    field = tool.output(tool.name_field) if tool.name_field else None
    if field is None or field.kind not in ("name", "address", "text", "unknown"):
        return []
    places = unique_values(records, field.path)
    names = sorted(name for name in places if clean_name(name))
    picked = spread([name for name in names if places[name] in favoured] or names, rng, 3)
    weight = 0.25 if leaf else 1.0
    return [Sayable(Reducer("filter", field.path, name, name), weight) for name in picked]


def _extremes(tool: Tool, records: Sequence[Record], now: datetime) -> list[Sayable]:
    found: list[Sayable] = []
    for field in tool.outputs:
        if field.private or field.repeats or "[]" in field.path:
            continue
        kinds: tuple[str, ...] = ()
        if quantity(field) and _share(records, field.path, number) >= 0.8:
            values = [v for r in records if (v := exact(get_path(r, field.path))) is not None]
            if not comparable(values):
                continue
            kinds = ("min",) if distance_to_here(tool, field) else ("max", "min")
        elif field.kind in _DATED and askworthy(field) and _share(records, field.path, moment) >= 0.8:
            kinds = ("earliest",) if any(in_future(get_path(r, field.path), now) for r in records) else _BY_DATE
        for kind in kinds:
            reducer = Reducer(kind, field.path)  # type: ignore[arg-type]
            if _unique(reducer, records):
                found.append(Sayable(reducer, 0.8 if kind in ("max", "latest") else 0.35))
    return found


def _share(records: Sequence[Record], path: str, read: Callable[[object], object | None]) -> float:
    sample = records[:: max(1, len(records) // 200)]
    return sum(read(get_path(r, path)) is not None for r in sample) / max(1, len(sample))


def _unique(reducer: Reducer, records: Sequence[Record]) -> bool:
    try:
        reduce_records(reducer, records)
    except NotUnique:
        return False
    return True
