"""The shape of a body: which paths it has and what JSON types stand there; and how two shapes differ."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

# What stands at these keys decides what a client does next: its spelling belongs to the shape.
_CODES = {"resultCode", "returnReasonCode", "CODE", "errorCode", "headerCd", "errCd", "err", "code", "status"}
_LEAVES = {"text", "number", "boolean", "nothing"}


@dataclass(frozen=True)
class Shape:
    """`types` by path, `[]` for any entry of a list; `codes` are the result codes as they are spelled."""

    types: dict[str, set[str]]
    codes: dict[str, set[str]]


def parse(text: str) -> Any:
    """JSON as it is; XML as nested dicts in which a repeated element is a list."""
    body = text.lstrip("\ufeff \r\n")
    return _element(ElementTree.fromstring(body)) if body.startswith("<") else json.loads(body)


def _element(node: ElementTree.Element) -> Any:
    children: dict[str, list[Any]] = {}
    for child in node:
        children.setdefault(child.tag, []).append(_element(child))
    if not children:
        return (node.text or "").strip()
    return {tag: found if len(found) > 1 else found[0] for tag, found in children.items()}


def shape(bodies: Iterable[Any], xml: bool = False) -> Shape:
    """Types and codes of one body or of several records of one operation taken together."""
    found = Shape({}, {})
    for body in bodies:
        for path, value in _walk(body, "", "" if xml else "[]"):
            kind = _type(value)
            # One element and many are written alike in XML.
            if not (xml and kind == "list"):
                found.types.setdefault(path, set()).add(kind)
            if path.rpartition(".")[2] in _CODES and kind in _LEAVES:
                found.codes.setdefault(path, set()).add(str(value))
    return found


def _walk(value: Any, path: str, entry: str) -> Iterator[tuple[str, Any]]:
    yield path, value
    if isinstance(value, dict):
        for key, child in value.items():
            yield from _walk(child, f"{path}.{key}", entry)
    elif isinstance(value, list):
        for child in value:
            yield from _walk(child, f"{path}{entry}", entry)


def _type(value: Any) -> str:
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, dict | list):
        return "object" if isinstance(value, dict) else "list"
    return "text"


def differences(real: Shape, ours: Shape, optional: bool = False, invented: bool = False) -> Iterator[tuple[str, str]]:
    """What a client would notice: (path, in words). What may be empty may be anything in another record.

    `optional`: our body may have more leaves, since empty ones are left out of the real one.
    `invented`: a body written by hand binds as to names and nesting only.
    """
    for path, types in real.types.items():
        if path not in ours.types:
            yield path, "not sent"
            continue
        kinds, have = types - {"nothing"}, ours.types[path] - {"nothing"}
        if invented:
            kinds, have = ({"leaf" if kind in _LEAVES else kind for kind in part} for part in (kinds, have))
        if kinds and have and not kinds & have:
            yield path, f"{'/'.join(sorted(have))}, really {'/'.join(sorted(kinds))}"
    if not optional and not invented:
        yield from ((path, "sent, but not in reality") for path in ours.types if path not in real.types)
    if not invented:
        for path, codes in real.codes.items():
            if ours.codes.get(path, codes) != codes:
                yield path, f"{sorted(ours.codes[path])}, really {sorted(codes)}"
