"""the keys of a mapping -> those that nobody reads and that look like misspellings of keys that are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from typing import Final

from edge.specs.methods import STANDARD

_CLOSE = 0.8  # "paramaters" is at 0.9 from "parameters", "service" at 0.77 from "server"
_LETTERS = 2  # that a slip adds or leaves out; "service" beside "service_name" is a word of its own
_LONGEST = 40
PATH_ITEM: Final = frozenset({*STANDARD, "parameters", "summary", "description", "servers", "additionalOperations"})
OPERATION: Final = frozenset(
    {"tags", "summary", "description", "externalDocs", "operationId", "parameters", "responses", "deprecated"}
    | {"security", "servers", "schemes", "consumes", "produces", "requestBody", "callbacks"}
)
_SCHEMA: Final = frozenset(
    {"type", "format", "title", "items", "default", "enum", "const", "pattern", "minimum", "maximum", "multipleOf"}
    | {"exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems"}
    | {"properties", "nullable", "readOnly", "writeOnly", "allOf", "anyOf", "oneOf", "xml"}
)
PARAMETER: Final = _SCHEMA | {
    *("name", "in", "description", "required", "deprecated", "allowEmptyValue", "collectionFormat", "schema", "style"),
    *("explode", "allowReserved", "content", "example", "examples"),
}


def misspelled(keys: Iterable[str], known: Iterable[str], fold: Callable[[str], str] | None = None) -> Iterator[str]:
    """Yield what is to be said of each key that is not known but close to one that is.

    Args:
        keys: Of a mapping in a document; those of vendors ("x-...") and "$ref" are their own.
        known: The keys that are read.
        fold: Makes alike what readers take for the same key; None where capitals matter.
    """
    read = {(fold or str.casefold)(key): key for key in known}
    exact = set(read) if fold else set(read.values())
    for key in keys:
        if (fold(key) if fold else key) in exact or key.startswith(("x-", "X-", "$")) or len(key) > _LONGEST:
            continue
        word = (fold or str.casefold)(key)
        alike = [name for name in read if abs(len(name) - len(word)) <= _LETTERS]
        close = get_close_matches(word, alike, n=1, cutoff=_CLOSE)
        close = close or [name for name in alike if sorted(name) == sorted(word)]  # "nmae"
        if close:
            yield f"{key!r} is not read; did you mean {read[close[0]]!r}?"
