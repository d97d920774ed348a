"""declared outputs and an observed answer -> the outputs to go by, and every point where the two disagree."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from edge.specs.building import build_output
from edge.specs.dates import example_date
from edge.specs.model import JsonType, Kind, OutputField
from edge.specs.observing import Observed
from edge.specs.pairing import Pair, Pairing, bare, pair_fields
from edge.specs.typing import Evidence

DifferenceKind = Literal[
    "missing_wrapper", "missing_field", "extra_field", "renamed_field", "wrong_type", "repeats_differ", "no_schema"
]
ENOUGH_RECORDS = 10  # a field that none of so many records holds is not there; XML leaves empty ones out
_DATES: frozenset[Kind] = frozenset({"date", "month", "year", "datetime", "time"})
_NUMERIC: frozenset[Kind] = frozenset({"number", "count", "amount", "grid"})
# Values that name or reach a person, whatever the field is called.
_PERSONAL = re.compile(
    r"^(?:01[016-9]-?\d{3,4}-?\d{4}|0\d{1,2}[-)]\d{3,4}-\d{4}|1[5-9]\d\d-\d{4}|[\w.+-]+@[\w-]+\.[\w.-]+|\d{6}-[1-4*][\d*]{6})$"
)
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Difference:
    """One disagreement. `path` is the declared path (the observed one for extra fields), "" for the whole answer."""

    kind: DifferenceKind
    path: str
    declared: str
    observed: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """What stands after an answer was seen."""

    outputs: tuple[OutputField, ...]
    differences: tuple[Difference, ...]


def compare(
    declared: Sequence[OutputField],
    observed: Sequence[Observed],
    records: int,
    *,
    lists_told: bool = True,
    labels: Mapping[str, str] | None = None,
) -> Compared:
    """Compare the fields of a document with those of `records` live records.

    Args:
        declared: The outputs of the document; none where it has no response schema.
        observed: What was seen.
        records: In how many records.
        lists_told: Whether the format tells a list of one from a single value (JSON does, XML does not).
        labels: What fields are called elsewhere in the service, by case-folded name.
    """
    names = labels or {}
    if not declared:
        outputs = tuple(_learned(one, names) for one in observed)
        told = f"{len(outputs)} fields in {records} records"
        return Compared(outputs, (Difference("no_schema", "", "", f"{len(outputs)} fields", told),))
    found = pair_fields(declared, observed)
    judged = [_judge(pair, lists_told and records >= ENOUGH_RECORDS) for pair in found.pairs]
    rest, dropped, told = _leftovers(found, records)
    outputs = [field for field, _ in judged] + [_learned(one, names) for one in found.observed if one.type is not None]
    outputs += [field for field in rest if field not in dropped]
    differences = [difference for _, listed in judged for difference in listed] + told
    return Compared(tuple(outputs), tuple(sorted(differences, key=lambda d: (d.kind, d.path, d.observed))))


def _learned(observed: Observed, labels: Mapping[str, str]) -> OutputField:
    """Return the output field of an observed one; what looks personal is private and its values are not read."""
    label = labels.get(bare(observed.path).rpartition(".")[2].casefold(), "")
    plain = build_output(Evidence(observed.path, label, type=observed.type))
    if plain.private or any(map(_PERSONAL.match, observed.examples)):
        return replace(plain, private=True)
    made = build_output(Evidence(observed.path, label, examples=observed.examples, type=observed.type))
    return _retyped(made, observed) if _unnumbered(made, observed) else made


def _judge(pair: Pair, lists_told: bool) -> tuple[OutputField, list[Difference]]:
    """Return the field to go by for a pair and the differences of the two."""
    declared, observed = pair.declared, pair.observed
    found: list[Difference] = []
    path = observed.path
    if pair.how:
        found.append(Difference("renamed_field", declared.path, declared.path, path, pair.how))
    elif path != declared.path:
        if path.count("[]") < declared.path.count("[]") and not lists_told:
            path = declared.path
        else:
            found.append(Difference("repeats_differ", declared.path, declared.path, path))
    field = replace(declared, path=path, repeats="[]" in path)
    wrong = _type_difference(declared, observed)
    if wrong is not None:
        return _retyped(field, observed), [*found, wrong]
    return _refined(field, observed), found


def _type_difference(declared: OutputField, observed: Observed) -> Difference | None:
    said, seen = _types(declared, observed)
    if said == seen:
        return None
    example = "" if declared.private or not observed.examples else f"e.g. {observed.examples[0][:_SHOWN]!r}"
    return Difference("wrong_type", declared.path, said, seen, example)


def _types(declared: OutputField, observed: Observed) -> tuple[str, str]:
    """Return declared and observed type as far as they contradict each other; portals send numbers as text."""
    said, seen = declared.type, observed.type
    if seen is None:
        return said, said
    if "object" in (said, seen) or seen == "array":
        return said, seen
    if _unnumbered(declared, observed) or (said == "boolean" and not _yes_or_no(observed)):
        return said, seen
    if said == "integer" and observed.numeric >= 0.5 and not observed.whole:
        return said, "number"
    return _date_formats(declared, observed) or (said, said)


def _unnumbered(field: OutputField, observed: Observed) -> bool:
    """Whether a number was expected and most values are none."""
    return field.type in ("integer", "number") and observed.type is not None and observed.numeric < 0.5


def _yes_or_no(observed: Observed) -> bool:
    return observed.type == "boolean" or {text.casefold() for text in observed.examples} <= {"true", "false"}


def _date_formats(declared: OutputField, observed: Observed) -> tuple[str, str] | None:
    """Return the declared and the observed date format where no value follows the declared one."""
    examples = tuple(text for text in observed.examples if text.strip("0-:. /"))  # "00000000" is no date
    form = declared.format or ""
    if declared.kind not in _DATES or "%" not in form or not examples:  # without "%" it counts seconds
        return None
    if any(_follows(text, form) for text in examples):
        return None
    seen = example_date(declared.kind, examples)
    return f"{declared.kind} {form}", f"{seen[0]} {seen[1]}" if seen else "text"


def _follows(text: str, form: str) -> bool:
    try:
        again = datetime.strptime(text, form).strftime(form)
    except ValueError:
        return False
    return again == text or "%f" in form  # fractions have as many digits as they like


def _retyped(field: OutputField, observed: Observed) -> OutputField:
    """Return the field with the observed type; what is no number has no unit."""
    seen: JsonType = observed.type or field.type
    if seen in ("array", "object") or _unnumbered(field, observed):
        kind = "text" if field.kind in _NUMERIC and seen == "string" else "unknown"
        return replace(field, type=seen, kind=kind, format=None, unit=None)
    if field.kind in _DATES:
        kind, form = example_date(field.kind, observed.examples) or (field.kind, None)
        return replace(field, kind=kind, format=form)
    return replace(field, type="number" if field.type == "integer" and seen == "string" else seen)


def _refined(field: OutputField, observed: Observed) -> OutputField:
    """Return the field with what the document left open: a kind, a date format, the type of what it calls text."""
    if field.private or observed.type is None:
        return field
    if field.kind in _DATES and field.format is None:
        seen = example_date(field.kind, observed.examples)
        return replace(field, format=seen[1]) if seen and seen[0] == field.kind else field
    if field.kind != "unknown":
        return field
    made = build_output(Evidence(field.path, field.label, examples=observed.examples, type=observed.type))
    if _unnumbered(made, observed):
        return field
    return replace(field, type=made.type, kind=made.kind, format=made.format)


def _leftovers(found: Pairing, records: int) -> tuple[list[OutputField], list[OutputField], list[Difference]]:
    """Return the declared fields that nothing was paired with, those of them to drop, and the differences."""
    told: list[Difference] = []
    dropped: list[OutputField] = []
    explained: set[str] = set()
    for field in found.declared:
        below = [one for one in found.observed if bare(one.path).startswith(f"{bare(field.path)}.")]
        above = [one for one in found.observed if bare(field.path).startswith(f"{bare(one.path)}.")]
        explained |= {one.path for one in (*below, *above)}
        if any(one.type is None for one in above):
            continue  # what would hold the field was empty in every record
        if below:
            told.append(Difference("wrong_type", field.path, field.type, "object", f"holds {below[0].path}"))
        elif above:
            told.append(Difference("wrong_type", field.path, "inside an object", above[0].type or "", above[0].path))
        elif records >= ENOUGH_RECORDS:
            told.append(Difference("missing_field", field.path, field.path, "", f"in none of {records} records"))
        else:
            continue
        if not field.private:  # what may come back after all must not be kept then
            dropped.append(field)
    for one in found.observed:
        if one.path not in explained:
            empty = "always empty" if one.type is None else one.type
            told.append(Difference("extra_field", one.path, "", one.path, empty))
    return list(found.declared), dropped, told
