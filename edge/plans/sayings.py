"""Wire values as people say and read them, through the language pack (value -> words)."""

from __future__ import annotations

import re

from edge.llm.offline.ko.dates import format_date, format_time
from edge.llm.offline.ko.numbers import grouped, with_unit
from edge.plans.facts import Fact
from edge.specs.model import Parameter, Tool

_DATED = ("date", "month", "year", "datetime")
_MEASURED = ("amount", "count", "number")
_LONG_FRACTION = re.compile(r"(\.\d{3})\d+$")  # distances come with a dozen digits; people read three
_PLAIN_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def say_parameter(parameter: Parameter, value: str) -> str:
    """Return how a person states an argument: dates spelled out, enumerated values by label, the rest as it is."""
    if parameter.kind in _DATED:
        return format_date(value)
    if parameter.kind == "time":
        return format_time(value)
    return next((e.label for e in parameter.enum if e.value == value), value)


def say_fact(fact: Fact, tool: Tool) -> str:
    """Return a fact's value as people read it: code lists by label, dates spelled out, numbers grouped, units."""
    field = tool.output(fact.path.partition("].")[2])
    if field is not None:
        label = next((e.label for e in field.values if e.value == fact.value), None)
        if label is not None:
            return label
    text = fact.value.strip()
    if fact.kind in _DATED:
        return format_date(text)
    if fact.kind == "time":
        return format_time(text)
    if fact.kind in _MEASURED and _PLAIN_NUMBER.fullmatch(text):
        text = grouped(_LONG_FRACTION.sub(r"\1", text))
    return with_unit(text, fact.unit)
