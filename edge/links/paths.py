"""A path and a record become the value there; paths in both spellings, ours and RFC 9535 (record, path -> value).

Signatures, bindings and answer keys spell paths as documents do: names joined by dots, "[]" after a repeating name
("a.b[].c"). That is a small part of JSONPath, so reading one value needs no query engine; whoever wants more of a
record, or a spelling that other programs read, gets the standard.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from edge.calls import Record
from edge.errors import UsageError
from edge.ids import Json

if TYPE_CHECKING:
    from jsonpath import JSONPath

_ESCAPES = {"'": r"\'", "\\": r"\\", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t"}


def scalar(value: Json) -> str | None:
    """Return a scalar as the text that goes on the wire; None for missing or nested values."""
    if type(value) is str:  # most are, and lists of thousands are read again and again
        return value or None
    if value is None or isinstance(value, bool | list | tuple | dict | Mapping):
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = str(value)
    return text or None


def get_path(record: Mapping[str, Json], path: str) -> Json:
    """Return the value at a record-relative path ("a.b", "rows[].name" takes the first row); None where absent."""
    if "." not in path and "[" not in path:
        return record.get(path)
    here: Json = record
    for part in path.split("."):
        name = part.removesuffix("[]")
        if not isinstance(here, Mapping) or name not in here:
            return None
        here = here[name]
        if part.endswith("[]"):
            here = here[0] if isinstance(here, list) and here else None
    return here


def with_arguments(record: Record, arguments: Mapping[str, str]) -> Record:
    """Return the record with the arguments of its call, under "@name": what a later call can carry over."""
    return record | {f"@{name}": value for name, value in arguments.items()}


def arguments_of(record: Record) -> dict[str, str]:
    """Return the arguments that `with_arguments` put into a record."""
    return {name[1:]: str(value) for name, value in record.items() if name.startswith("@")}


def to_jsonpath(path: str, *, first: bool = False) -> str:
    """Return a path of ours as an RFC 9535 query: "a.b[].c" -> "$.a.b[*].c", or [0] for the `first` row alone."""
    rows = "[0]" if first else "[*]"
    parts = ((part.removesuffix("[]"), part.endswith("[]")) for part in path.split("."))
    return "$" + "".join(_segment(name) + (rows if repeats else "") for name, repeats in parts)


def _segment(name: str) -> str:
    """A name as a segment: in short where the standard's grammar lets it stand bare, else quoted and escaped."""
    starts = name[:1].isascii() and (name[:1].isalpha() or name[:1] == "_")
    if starts and name.isascii() and name.replace("_", "a").isalnum():
        return f".{name}"
    if name and all("가" <= ch <= "힣" for ch in name):
        return f".{name}"
    return f"['{''.join(_escaped(ch) for ch in name)}']"


def _escaped(character: str) -> str:
    if character < " " and character not in _ESCAPES:
        return f"\\u{ord(character):04x}"
    return _ESCAPES.get(character, character)


def from_jsonpath(expression: str) -> str:
    """Return an RFC 9535 query as a path of ours ("$.a.b[*].c" and "$.a.b[0].c" -> "a.b[].c").

    Raises:
        UsageError: it is no query, or says more than a path can: filters, slices, other positions, descendants.
    """
    parts: list[str] = []
    for selector in _selectors(expression):
        if isinstance(selector, str):
            if "." in selector or selector.endswith("[]"):
                raise UsageError(f"{expression}: a path cannot hold the name {selector!r}")
            parts.append(selector)
        elif parts and not parts[-1].endswith("[]"):
            parts[-1] += "[]"
        else:
            raise UsageError(f"{expression}: a path starts with a name and has one [] after a name")
    if not parts:
        raise UsageError(f"{expression} names nothing; write for example $.items[*].code")
    return ".".join(parts)


def _selectors(expression: str) -> list[str | None]:
    """The names of a query, with None for "all rows" or "the first row"."""
    from jsonpath.segments import JSONPathChildSegment
    from jsonpath.selectors import IndexSelector, NameSelector, WildcardSelector

    found: list[str | None] = []
    for segment in _query(expression).segments:
        selector = segment.selectors[0]
        if not isinstance(segment, JSONPathChildSegment) or len(segment.selectors) != 1:
            raise UsageError(f"{expression}: a path has one selector at a time and no '..'")
        if isinstance(selector, NameSelector):
            found.append(selector.name)
        elif isinstance(selector, WildcardSelector) or (isinstance(selector, IndexSelector) and selector.index == 0):
            found.append(None)
        else:
            raise UsageError(f"{expression}: a path selects by name, [*] or [0] alone")
    return found


def select(expression: str, record: Mapping[str, Json] | Sequence[Json]) -> list[Json]:
    """Return all values that an RFC 9535 query finds in a record, or a list of records, in document order.

    Raises:
        UsageError: the expression is no query.
    """
    query = _query(expression)
    try:
        return cast("list[Json]", query.findall(record))
    except RecursionError:
        raise UsageError(f"{expression}: the record is nested too deeply for it") from None


@lru_cache(maxsize=512)
def _query(expression: str) -> JSONPath:
    from jsonpath import JSONPath, JSONPathEnvironment, JSONPathError  # at first use: most runs meet our paths alone

    try:
        query = JSONPathEnvironment(strict=True).compile(expression)
    except (JSONPathError, RecursionError) as error:
        why = error.args[0] if error.args else "it cannot be read"  # its own text may fail to be made
        raise UsageError(f"{expression} is no JSONPath (RFC 9535): {why}") from None
    if not isinstance(query, JSONPath):
        raise UsageError(f"{expression} is several queries; write one")
    return query
