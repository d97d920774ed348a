"""what a document says of a field -> its type, kind, format, values and flags; what a document states outright wins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from edge.specs import prose
from edge.specs.kinds import kind_of
from edge.specs.model import EnumValue, JsonType, Kind

_DATES: Final = frozenset({"date", "month", "year", "datetime", "time"})
_DATE_OVERRIDES: Final = _DATES | {"unknown", "number", "text"}
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
# Digits of these are text: 00126380 is not 126380, and 20240101 is not twenty million.
_TEXT_KINDS: Final = frozenset({"code", "name", "address", "text", "flag", "url"}) | _DATES
_DEFAULT_FORMATS: Final[tuple[tuple[re.Pattern[str], Kind, str], ...]] = (
    (re.compile(r"(?i)ymd$|yyyymmdd$"), "date", "%Y%m%d"),
    (re.compile(r"(?i)ym$|yyyymm$"), "month", "%Y%m"),
    (re.compile(r"(?i)ye?a?r$|yyyy$"), "year", "%Y"),
)
_PRIVATE = re.compile(
    r"(?i)전화|휴대폰|연락처|팩스|이메일|e-?mail|주민등록번호|생년월일|담당자\s?(?:명|성명|이름)|계좌번호|카카오|트위터|페이스북"
)
_PRIVATE_NAME = re.compile(r"(?i)tel_?(?:no)?$|phone|fax_?(?:no)?$|e_?mail|mobile_?no")
_FLAG_VALUES: Final[frozenset[str]] = frozenset({"Y", "N"})
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


def infer(field: Evidence, *, output: bool) -> Typed:
    """Return the type of a field. Never raises: what cannot be told is "unknown", None or ().

    Args:
        field: What the document says.
        output: Whether the field comes back. Providers declare all of a response "string", so there a numeric kind
            outranks the declared type; for parameters a declared type stands unless it would eat leading zeros.
    """
    # A label taken from a description must not be read twice: its enumeration would seem to repeat itself.
    repeated = field.description.startswith(field.label)
    text = field.description if repeated else f"{field.label} {field.description}"
    enum = field.enum or prose.enumeration(text)
    kind, form = _kind_and_format(field, text, enum)
    unit = field.unit or prose.unit_of(text)
    if field.kind is None and kind in ("unknown", "flag") and unit:
        kind = _UNIT_KINDS.get(unit, kind)
    return Typed(
        type=_type_of(field, kind, enum, output),
        kind=kind,
        format=field.format or form,
        enum=enum,
        default=_default_of(field, text, enum),
        required=prose.says_required(text) if field.required is None else field.required,
        unit=unit,
        private=_is_private(field) if field.private is None else field.private,
    )


def _kind_and_format(field: Evidence, text: str, enum: tuple[EnumValue, ...]) -> tuple[Kind, str | None]:
    kind = field.kind or kind_of(field.name, field.label or field.name, field.examples)
    if field.kind is None and kind in _DATE_OVERRIDES:
        stated = prose.date_pattern(text)
        if stated:
            return stated
    if kind in _DATES:
        return _dated(field, kind, text)
    if kind == "unknown" and enum:
        kind = "flag" if _FLAG_VALUES.issuperset(value.value for value in enum) else "code"
    return kind, _code_length(text, field.examples) if kind == "code" else None


def _dated(field: Evidence, kind: Kind, text: str) -> tuple[Kind, str | None]:
    """Return the date kind and pattern; examples may show that a "date" is a month or carries a time."""
    seen = prose.date_pattern(text) or prose.example_date(field.examples)
    if seen:
        return (field.kind or seen[0]), seen[1]
    usual = next((f for pattern, k, f in _DEFAULT_FORMATS if k == kind and pattern.search(field.name)), None)
    return kind, usual


def _code_length(text: str, examples: tuple[str, ...]) -> str | None:
    """Return the digit count of a code, from prose or from examples that cannot be of any other length by chance."""
    stated = prose.digit_count(text)
    if stated:
        return stated
    lengths = {len(example) for example in examples}
    if len(lengths) != 1 or not all(map(str.isdecimal, examples)):
        return None
    length = lengths.pop()
    sure = length >= 5 or len(examples) > 1 or any(example.startswith("0") for example in examples)
    return str(length) if sure and length > 1 else None


def _type_of(field: Evidence, kind: Kind, enum: tuple[EnumValue, ...], output: bool) -> JsonType:
    numeric = _NUMBER_TYPES.get(kind)
    declared = field.type
    if declared in ("integer", "number") and (kind in _TEXT_KINDS or (enum and not output)):
        return "string"
    if output and declared in (None, "string") and numeric:
        return numeric
    if declared:
        return declared
    return numeric if numeric and not enum else "string"


def _default_of(field: Evidence, text: str, enum: tuple[EnumValue, ...]) -> str | None:
    """Return the stated default; one read from prose only where the values it may take do not exclude it."""
    if field.default is not None:
        return field.default
    found = prose.default_value(text)
    allowed = {value.value for value in enum}
    return found if not allowed or found in allowed else None


def _is_private(field: Evidence) -> bool:
    return bool(_PRIVATE.search(field.label) or _PRIVATE_NAME.search(field.name))


def json_type(text: str | None) -> JsonType | None:
    """Return the JSON type that a document's type word means, None where it means none."""
    return _JSON_TYPES.get(text.strip().lower()) if text else None
