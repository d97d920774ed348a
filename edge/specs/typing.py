"""what a document says of a field -> its type, kind, format, values and flags; what a document states outright wins."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from edge.specs import prose
from edge.specs.dates import (
    DATES,
    are_plain_numbers,
    date_pattern,
    digits_date,
    epoch_format,
    example_date,
    stated_kind,
)
from edge.specs.enumerations import Values, values_in
from edge.specs.kinds import bare_name, kind_of, strip_brackets
from edge.specs.model import EnumValue, JsonType, Kind
from edge.specs.personal import is_personal
from edge.specs.places import DEGREES, PROJECTED, coordinate_system, region_level

# What a date pattern in the prose overrides. A field that chooses a form ("데이터 유형") is none itself.
_DATE_OVERRIDES: Final = DATES | {"unknown", "number", "text"}
_CHOOSES_A_FORM = re.compile(r"(?i)(?:유형|형식|포맷|타입|구분|종류|방식|format|type)$")
# What a closed list of values makes a code or a flag of.
_ENUM_OVERRIDES: Final[frozenset[Kind]] = frozenset({"unknown", "number", "text", "time", "datetime"})
_NUMBER_TYPES: Final[dict[Kind, JsonType]] = {
    "count": "integer",
    "grid": "integer",
    "number": "number",
    "amount": "number",
    "longitude": "number",
    "latitude": "number",
    "projected_x": "number",
    "projected_y": "number",
}
_UNIT_KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("원", "천원", "만원", "백만원", "억원", "원/주"), "amount"),
    **dict.fromkeys(("명", "건", "개", "대", "회", "세대", "호", "석", "병상", "주"), "count"),
    **dict.fromkeys(("%", "㎡", "㎥", "㎍/㎥", "ppm", "km", "m", "t", "kg", "℃"), "number"),
}
# Digits of these are text where they come back: 00126380 is not 126380, and 20240101 is not twenty million.
_TEXT_KINDS: Final = frozenset({"code", "name", "address", "text", "flag", "url"}) | DATES
_LEADING_ZEROS: Final = DATES | {"code"}  # and of these where they are asked for, too
_WHOLE = r"0|-?[1-9][0-9]{0,17}"
_WRITTEN: Final[dict[JsonType, re.Pattern[str]]] = {
    "integer": re.compile(_WHOLE),
    "number": re.compile(rf"{_WHOLE}|-?(?:0|[1-9][0-9]{{0,8}})\.[0-9]{{1,9}}"),
    "boolean": re.compile("true|false"),
}
_DEFAULT_FORMATS: Final[tuple[tuple[re.Pattern[str], Kind, str], ...]] = (
    (re.compile(r"(?i)ymd$|yyyymmdd$"), "date", "%Y%m%d"),
    (re.compile(r"(?i)ym$|yyyymm$"), "month", "%Y%m"),
    (re.compile(r"(?i)ye?a?r$|yyyy$"), "year", "%Y"),
)
_FLAG_VALUES: Final = tuple(map(frozenset, (("Y", "N"), ("true", "false"), ("T", "F"), ("O", "X"))))
_DECLARED: Final[dict[str, Kind]] = {"boolean": "flag", "integer": "number", "number": "number"}
_DURATIONS: Final = frozenset({"분", "초"})
_MAX_TEXT, _MAX_NAME = 3_000, 150  # of what a stranger writes; real ones are far shorter, and patterns backtrack
_MAX_CACHED = 1 << 14  # fields repeat across operations: envelopes, identifiers, filters
_JSON_TYPES: Final[dict[str, JsonType]] = {
    "string": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "array": "array",
    "object": "object",
    "file": "string",
    "int": "integer",
    "float": "number",
    "double": "number",
    "bool": "boolean",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a document says of a field. None and () mean that it says nothing."""

    name: str
    label: str = ""
    description: str = ""
    examples: tuple[str, ...] = ()
    type: JsonType | None = None
    kind: Kind | None = None
    format: str | None = None
    enum: tuple[EnumValue, ...] = ()
    default: str | None = None
    required: bool | None = None
    unit: str | None = None
    private: bool | None = None
    stated_format: str | None = None  # the document's own word: "date-time", "uuid", "int64"


@dataclass(frozen=True, slots=True)
class Typed:
    """What a field is taken to be."""

    type: JsonType
    kind: Kind
    format: str | None
    enum: tuple[EnumValue, ...]
    default: str | None
    required: bool
    unit: str | None
    private: bool
    examples: tuple[str, ...] = ()


@lru_cache(maxsize=_MAX_CACHED)
def infer(field: Evidence, *, output: bool, exact: bool = False) -> Typed:
    """Return the type of a field. Never raises: what cannot be told is "unknown", None or ().

    Args:
        field: What the document says.
        output: Whether the field comes back. Providers declare all of a response "string", so there a numeric kind
            outranks the declared type; for parameters a declared type stands unless it would eat leading zeros.
        exact: Whether the value goes out in its JSON type, as in a body: there the declared type is what is checked.
    """
    # A label taken from a description must not be read twice: its enumeration would seem to repeat itself.
    repeated = field.description.startswith(field.label)
    text = (field.description if repeated else f"{field.label}\n{field.description}")[:_MAX_TEXT]
    values = Values(field.enum) if field.enum or field.type == "object" else values_in(text)
    enum = values.enum
    examples = tuple(e.strip("'\"") for e in field.examples) or values.examples
    field = replace(field, name=field.name[-_MAX_NAME:], label=field.label[:_MAX_NAME], examples=examples)
    unit = field.unit or prose.unit_of(text)
    kind, form = _kind_and_format(field, text, values, unit)
    return Typed(
        type=_type_of(field, kind, enum, output=output, exact=exact),
        kind=kind,
        format=field.format or form,
        enum=enum,
        default=_default_of(field, text, enum),
        required=prose.says_required(text) if field.required is None else field.required,
        unit=unit,
        private=is_personal(bare_name(field.name), field.label) if field.private is None else field.private,
        examples=field.examples,
    )


def _kind_and_format(field: Evidence, text: str, values: Values, unit: str | None) -> tuple[Kind, str | None]:
    stated = stated_kind(field.stated_format)
    if stated and field.kind is None:
        kind, form = stated
        return (date_pattern(text) or example_date(kind, field.examples) or stated) if kind in DATES else (kind, form)
    kind = field.kind or kind_of(field.name, field.label or field.name, field.examples)
    if field.kind is None:
        moment = _moment(field, kind, text)
        if moment:
            return moment
        kind = _refined(field, kind, text, values, unit)
    return _dated(field, kind, text) if kind in DATES else (kind, _format_of(field, kind, text))


def _moment(field: Evidence, kind: Kind, text: str) -> tuple[Kind, str | None] | None:
    """Return the date that the prose itself describes, a count of seconds since 1970 being a number."""
    if kind not in _DATE_OVERRIDES or _CHOOSES_A_FORM.search(strip_brackets(field.label)):
        return None
    epoch = epoch_format(text)
    return ("number", epoch) if epoch else date_pattern(text, known=kind in DATES)


def _refined(field: Evidence, kind: Kind, text: str, values: Values, unit: str | None) -> Kind:
    """Return the kind after values, unit, digit count and declared type have had their say."""
    if values.enum and kind in _ENUM_OVERRIDES and not (kind == "number" and _counts(values.enum)):
        given = {value.value for value in values.enum}
        return "flag" if any(given <= flags for flags in _FLAG_VALUES) else "code"
    if kind == "time" and unit in _DURATIONS:
        return "number"
    if kind in DATES and are_plain_numbers(field.examples) and not _could_be(kind, field.examples):
        return "number"
    if kind in ("unknown", "flag") and unit:
        return _UNIT_KINDS.get(unit, kind)
    if kind == "flag" and field.type == "array":
        return "unknown"  # "exclude_keys" lists what to leave out
    if kind not in ("unknown", "number"):
        return kind
    if values.coded or prose.digit_count(text):
        return "code"
    return kind if kind == "number" else _DECLARED.get(field.type or "string", kind)


def _counts(enum: tuple[EnumValue, ...]) -> bool:
    """Whether listed values are numbers that their labels repeat: 22 for "제22대"."""
    return all(value.value.isdecimal() and value.value in value.label for value in enum)


def _could_be(kind: Kind, examples: tuple[str, ...]) -> bool:
    """Whether examples fit a date kind; "1" is January wherever months are counted."""
    return bool(example_date(kind, examples)) or (kind == "month" and all(len(e) < 3 for e in examples))


def _dated(field: Evidence, kind: Kind, text: str) -> tuple[Kind, str | None]:
    """Return the date kind and pattern; examples may show that a "date" is a month or carries a time."""
    seen = date_pattern(text) or example_date(kind, field.examples) or digits_date(kind, prose.digit_count(text))
    if seen:
        return (field.kind or seen[0]), seen[1]
    usual = next((f for pattern, k, f in _DEFAULT_FORMATS if k == kind and pattern.search(field.name)), None)
    return kind, usual


def _format_of(field: Evidence, kind: Kind, text: str) -> str | None:
    """Return what refines a kind that is no date: digits of a code, system of a coordinate, level of a region."""
    if kind == "code":
        return _code_length(text, field.examples)
    if kind in PROJECTED or kind in DEGREES:
        return coordinate_system(kind, bare_name(field.name), text)
    if kind == "name":
        return region_level(bare_name(field.name), field.label, field.examples)
    return None


def _code_length(text: str, examples: tuple[str, ...]) -> str | None:
    """Return the digit count of a code, from prose or from examples that cannot be of any other length by chance."""
    stated = prose.digit_count(text)
    lengths = {len(example) for example in examples}
    if stated and (not lengths or int(stated) in lengths):
        return stated
    if len(lengths) != 1 or not all(map(str.isdecimal, examples)):
        return None
    length = lengths.pop()
    sure = length >= 5 or len(examples) > 1 or any(example.startswith("0") for example in examples)
    return str(length) if sure and length > 1 else None


def _type_of(field: Evidence, kind: Kind, enum: tuple[EnumValue, ...], *, output: bool, exact: bool) -> JsonType:
    numeric = _NUMBER_TYPES.get(kind)
    declared = field.type
    if declared in ("integer", "number", "boolean") and not output and not all(fits(v.value, declared) for v in enum):
        return "string"
    if declared in ("integer", "number") and not exact and kind in (_TEXT_KINDS if output else _LEADING_ZEROS):
        return "string"
    if output and declared in (None, "string") and numeric:
        return numeric
    if declared:
        return declared
    return numeric if numeric and not enum else "string"


def fits(text: str, kind: JsonType) -> bool:
    """Whether a value that is written as text is the same in a JSON type: 007 is no number, Y no boolean."""
    pattern = _WRITTEN.get(kind)
    return pattern is None or bool(pattern.fullmatch(text))


def _default_of(field: Evidence, text: str, enum: tuple[EnumValue, ...]) -> str | None:
    """Return the stated default; one read from prose only where the values it may take do not exclude it."""
    if field.default is not None:
        return field.default
    found = prose.default_value(text)
    allowed = {value.value for value in enum}
    return found if not allowed or found in allowed else None


def json_type(text: str | None) -> JsonType | None:
    """Return the JSON type that a document's type word means, None where it means none."""
    return _JSON_TYPES.get(text.strip().lower()) if text else None
