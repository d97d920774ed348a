"""records of a live answer -> the fields that are really there: path, JSON type, examples, how often empty."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from edge.ids import Json
from edge.specs.model import JsonType

_MAX_RECORDS = 500  # a first page; more of it tells nothing new
_MAX_ELEMENTS = 50  # of one list inside a record
_MAX_DEPTH = 6
_MAX_FIELDS = 500  # the widest real record has some 300
_MAX_EXAMPLES = 8
_EXAMPLE_LENGTH = 80  # longer values are prose and show no pattern
_NAME_LENGTH = 100
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d{1,2})?")
_UNREADABLE = re.compile(r"\[\d*\]|[\x00-\x1f\x7f]")  # a path cannot say such a name


@dataclass(frozen=True, slots=True)
class Observed:
    """One field as it came.

    `path` is written as in `OutputField`. `type` is the JSON type of its values, None where all were null. `numeric`
    is the share of the values that are numbers, sent as such or as text ("1,234"); `nulls` the share of the records
    that hold the field without a value.
    """

    path: str
    type: JsonType | None
    examples: tuple[str, ...] = ()
    numeric: float = 0.0
    whole: bool = True
    nulls: float = 0.0

    @property
    def repeats(self) -> bool:
        """Whether it came in a list."""
        return "[]" in self.path


@dataclass(slots=True)
class _Node:
    """What was seen at one place of all records."""

    seen: int = 0
    nulls: int = 0
    lists: bool = False
    values: int = 0
    numbers: int = 0
    whole: bool = True
    types: set[JsonType] = field(default_factory=set[JsonType])
    examples: dict[str, None] = field(default_factory=dict[str, None])
    children: dict[str, _Node] = field(default_factory=dict[str, "_Node"])


def observe(records: Sequence[Mapping[str, Json]]) -> tuple[Observed, ...]:
    """Return the fields of `records`, in the order in which they first come.

    A field that is a list in one record and a single value in another repeats: portals drop the list of one.
    """
    root = _Node()
    for record in records[:_MAX_RECORDS]:
        _take_object(root, record, 0)
    return tuple(islice(_fields(root, "", 1), _MAX_FIELDS))


def _take_object(node: _Node, value: Mapping[str, Json], depth: int) -> None:
    for name, item in value.items():
        if name in node.children or (len(node.children) < _MAX_FIELDS and _sayable(name)):
            _take(node.children.setdefault(name, _Node()), item, depth + 1)


def _sayable(name: str) -> bool:
    return bool(name.strip()) and len(name) <= _NAME_LENGTH and not _UNREADABLE.search(name)


def _take(node: _Node, value: Json, depth: int) -> None:
    node.seen += 1
    if isinstance(value, Sequence) and not isinstance(value, str):
        node.lists = True
        for item in value[:_MAX_ELEMENTS]:
            _take_value(node, item, depth)
        if not value:
            node.nulls += 1
    else:
        _take_value(node, value, depth)


def _take_value(node: _Node, value: Json, depth: int) -> None:
    if value is None or value == {}:
        node.nulls += 1
    elif isinstance(value, Mapping):
        if depth < _MAX_DEPTH:
            _take_object(node, value, depth)
        else:
            node.types.add("object")
    elif isinstance(value, Sequence) and not isinstance(value, str):
        node.types.add("array")
    else:
        _take_scalar(node, value)


def _take_scalar(node: _Node, value: bool | float | str) -> None:
    node.values += 1
    node.types.add(_type_of(value))
    number = None if isinstance(value, bool) else _number(value)
    if number is not None:
        node.numbers += 1
        node.whole = node.whole and number.is_integer()
    text = str(value).strip()
    if text and len(text) <= _EXAMPLE_LENGTH and len(node.examples) < _MAX_EXAMPLES:
        node.examples.setdefault(text)


def _type_of(value: bool | float | str) -> JsonType:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    return "integer" if isinstance(value, int) else "number"


def _number(value: float | str) -> float | None:
    text = str(value).strip().replace(",", "")
    return float(text) if len(text) < 40 and text.isascii() and _NUMBER.fullmatch(text) else None


def _fields(node: _Node, prefix: str, depth: int) -> Iterator[Observed]:
    for name, child in node.children.items():
        path = f"{prefix}{name}[]" if child.lists else f"{prefix}{name}"
        if child.children:
            yield from _fields(child, f"{path}.", depth + 1)
        else:
            yield Observed(
                path=path,
                type=_joined(child.types),
                examples=tuple(child.examples),
                numeric=child.numbers / child.values if child.values else 0.0,
                whole=child.whole,
                nulls=min(1.0, child.nulls / child.seen),
            )


def _joined(types: set[JsonType]) -> JsonType | None:
    """Return the one type of a field whose values had these: whole and broken numbers are numbers, else text."""
    if len(types) == 1:
        return next(iter(types))
    if types and types <= {"integer", "number"}:
        return "number"
    return "string" if types else None
