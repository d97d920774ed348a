"""Two enumerations become the table from one side's codes to the other's (output field, parameter -> transform)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from edge.links.transforms import CHAINED
from edge.links.wording import PROVINCES, mapping
from edge.specs.model import EnumValue, Kind, OutputField, Parameter
from edge.text import compact

_WORDS: Final[frozenset[Kind]] = frozenset({"name", "text", "unknown"})
_NUMBERED: Final[frozenset[Kind]] = frozenset({"code", "number", "count", "unknown"})
_AROUND_DIGITS = re.compile(r"(\D*)\d+(\D*)", re.ASCII)
_CALLED: Final = _WORDS | _NUMBERED | {"flag"}
_HANGUL = re.compile("[가-힣 ]+")
_LONGEST = 100  # entries of a table: longer ones are lists of places, which a table read from a document never ends


def translations(field: OutputField, parameter: Parameter) -> tuple[str, ...]:
    """Return the transforms that turn what the field says into what the parameter takes, as both enumerations tell.

    Codes of two systems meet in their labels; a word becomes the code that is called so; a code becomes its word
    where no code is asked for. Empty where the enumerations say nothing, or that the values are the same.
    """
    if parameter.kind not in _CALLED or max(len(field.values), len(parameter.enum)) > _LONGEST:
        return ()
    return _translations(field.kind, field.values, parameter.kind, parameter.enum)


@lru_cache(maxsize=50_000)
def _translations(
    field: Kind, values: tuple[EnumValue, ...], parameter: Kind, enum: tuple[EnumValue, ...]
) -> tuple[str, ...]:
    if values and enum:
        return _joined(values, enum)
    if enum:
        return _from_words(field, enum)
    if values and field == "code" and parameter in ("name", "text") and speaks(values):
        return (mapping((v.value, v.label) for v in values),)
    return ()


def speaks(values: tuple[EnumValue, ...]) -> bool:
    """Whether labels say more than the values that they stand beside."""
    return any(v.label != v.value for v in values) and all(v.label and v.value for v in values)


def _joined(values: tuple[EnumValue, ...], enum: tuple[EnumValue, ...]) -> tuple[str, ...]:
    """The table between two systems of codes, if they agree on most of what the field can say but not on the codes."""
    codes = {compact(e.label): e.value for e in enum}
    pairs = [(v.value, codes[compact(v.label)]) for v in values if compact(v.label) in codes]
    if 2 * len(pairs) <= len(values) or all(left == right for left, right in pairs):
        return ()
    return (mapping(pairs),)


def _from_words(field: Kind, enum: tuple[EnumValue, ...]) -> tuple[str, ...]:
    if field in _NUMBERED:
        around = {m.groups() if (m := _AROUND_DIGITS.fullmatch(e.value)) else ("", "") for e in enum}
        before, after = around.pop() if len(around) == 1 else ("", "")
        if _HANGUL.fullmatch(before + after):  # "제22대" and its like: the parameter wants words around a number
            return (f"wrap:{before}:{after}",)
    if not speaks(enum):
        return ()
    numbered = all(e.value.isdigit() and e.value in e.label for e in enum)
    if field not in _WORDS and not (field == "code" and numbered):
        return ()
    table = mapping((e.label, e.value) for e in enum)
    return (table, *(f"{name}{CHAINED}{table}" for name in _region_spellings(enum)))


def _region_spellings(enum: tuple[EnumValue, ...]) -> tuple[str, ...]:
    """How names of provinces must be spelled to be found among the labels."""
    labels = {e.label for e in enum}
    short, full = len(labels & PROVINCES.keys()), len(labels & set(PROVINCES.values()))
    return (("province_short",) if short > 1 else ()) + (("province_full",) if full > 1 else ())
