"""Wire values as people say and read them, through the language pack (value -> words)."""

from __future__ import annotations

import re

from edge.llm.offline.packs import DEFAULT, pack_of
from edge.plans.facts import Fact
from edge.specs.model import OutputField, Parameter, Tool

_DATED = ("date", "month", "year", "datetime")
_MEASURED = ("amount", "count", "number")
_UNTYPED = ("text", "unknown", "code", "number")
_LONG_FRACTION = re.compile(r"(\.\d{3})\d+$")  # distances come with a dozen digits; people read three
_ZEROS = re.compile(r"(?<=\d)\.0+$|(?<=\.\d)0+$|(?<=\.\d\d)0$")  # 27864.00 is 27,864
_PLAIN_NUMBER = re.compile(r"-?[\d,]+(\.\d+)?")


def say_parameter(parameter: Parameter, value: str, language: str = DEFAULT) -> str:
    """Return how a person states an argument: dates spelled out, enumerated values by label, the rest as it is."""
    pack = pack_of(language)
    if parameter.kind in _DATED:
        return pack.date(value)
    if parameter.kind == "time":
        return pack.time(value)
    return next((e.label for e in parameter.enum if e.value == value), value)


def say_fact(fact: Fact, tool: Tool, language: str = DEFAULT) -> str:
    """Return a fact's value as people read it: code lists by label, dates spelled out, numbers grouped, units."""
    field = tool.output(fact.path.partition("].")[2])
    if field is not None and (label := _enumerated(field, fact.value)):
        return label
    kind = "date" if fact.kind in _UNTYPED and pack_of(language).names_moment(fact.label) else fact.kind
    return _said(fact.value, kind, fact.unit, language)


def say_field(field: OutputField, value: str, language: str = DEFAULT) -> str:
    """Return how a person states a value of an output field, say the threshold of a condition."""
    return _enumerated(field, value) or _said(value, field.kind, field.unit, language)


def _enumerated(field: OutputField, value: str) -> str | None:
    return next((e.label for e in field.values if e.value == value), None)


def _said(value: str, kind: str, unit: str | None, language: str) -> str:
    pack, text = pack_of(language), value.strip()
    if kind in _DATED:
        return pack.date(text)
    if kind == "time":
        return pack.time(text)
    if (unit or kind in _MEASURED) and _PLAIN_NUMBER.fullmatch(text):
        return pack.measure(_ZEROS.sub("", _LONG_FRACTION.sub(r"\1", text)), unit)
    return text
