"""Tree -> records: one normaliser for every envelope, driven by the profile alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from edge.calls import Record
from edge.ids import Json
from edge.specs.model import Envelope, OutputField, Tool

Step = str | int
Trail = tuple[Step, ...]
_POSITION = re.compile(r"\[(\d*)\]")
_EACH = -1  # "[]": every element of a list
_ROOT = "{root}"
SCALAR_KEY = "value"  # name of the one field of a record that came as a bare value


@dataclass(frozen=True, slots=True)
class Found:
    """A value and where it was."""

    value: Json
    trail: Trail


@dataclass(frozen=True, slots=True)
class Opened:
    """What an envelope says: result code, message, stated total, and the raw records node where there is one."""

    code: str | None
    message: str
    total: int | None
    node: Found | None
    drifted: bool


@lru_cache(maxsize=4096)
def parse_path(path: str) -> Trail:
    """Return the steps of a dotted path; "[n]" is a position, "[]" every element, "" and "." the root itself."""
    steps: list[Step] = []
    for piece in path.split("."):
        name = _POSITION.sub("", piece)
        if name:
            steps.append(name)
        steps.extend(int(position) if position else _EACH for position in _POSITION.findall(piece))
    return tuple(steps)


def find(tree: Json, path: str, root: str = "") -> Found | None:
    """Return the value at `path`, or None where the path does not exist (a null that is there is found)."""
    return _walk(tree, parse_path(path), root, ())


def _walk(node: Json, steps: Trail, root: str, trail: Trail) -> Found | None:
    if not steps:
        return Found(node, trail)
    step, rest = steps[0], steps[1:]
    if isinstance(step, int):
        return _walk_position(node, step, rest, root, trail)
    if not isinstance(node, dict):
        return None
    key = _root_key(node, root) if step == _ROOT else step
    if key in node:
        return _walk(node[key], rest, root, (*trail, key))
    if rest and isinstance(rest[0], str) and f"{key}.{rest[0]}" in node:  # a key that itself holds a dot
        joined = f"{key}.{rest[0]}"
        return _walk(node[joined], rest[1:], root, (*trail, joined))
    return None


def _walk_position(node: Json, step: int, rest: Trail, root: str, trail: Trail) -> Found | None:
    if not isinstance(node, list):  # one element often comes without its list
        return _walk(node, rest, root, trail) if step in (0, _EACH) and node is not None else None
    if step != _EACH:
        return _walk(node[step], rest, root, (*trail, step)) if step < len(node) else None
    found = [item for position, each in enumerate(node) if (item := _walk(each, rest, root, (*trail, position)))]
    if not found and node:
        return None
    flat: list[Json] = []
    for item in found:
        flat.extend(item.value if isinstance(item.value, list) else [item.value])
    return Found(flat, trail)


def _root_key(node: dict[str, Json], root: str) -> str:
    if root:
        return root
    return next(iter(node)) if len(node) == 1 else _ROOT


def first_scalar(tree: Json, paths: tuple[str, ...], root: str) -> Found | None:
    """Return the first value under `paths` that is a text or a number."""
    for path in paths:
        found = find(tree, path, root)
        if found is not None and isinstance(found.value, str | int | float) and str(found.value).strip():
            return found
    return None


def open_envelope(tool: Tool, tree: Json) -> Opened:
    """Return what the envelope of `tool`'s profile says about `tree`."""
    envelope = tool.profile.envelope
    code = first_scalar(tree, envelope.code, tool.root)
    message = first_scalar(tree, envelope.message, tool.root)
    total = first_scalar(tree, envelope.total, tool.root)
    node = _records_node(tool, tree)
    known = [found.trail for found in (code, message, total) if found is not None]
    return Opened(
        code=str(code.value).strip() if code else None,
        message=str(message.value).strip() if message else "",
        total=whole_number(total.value) if total else None,
        node=_without_envelope(node, known) if node is not None and not node.trail else node,
        drifted=_drifted(tool, tree, node, known),
    )


def _records_node(tool: Tool, tree: Json) -> Found | None:
    """Return the first place of records that exists.

    One object where the document has the records must hold a field that the tool declares, or other places go before
    it: gateways wrap what documents leave bare. The whole answer is none without: any object has a root.
    """
    documented = tool.profile.envelope.documented
    found = [(path, at) for path in tool.profile.envelope.records if (at := find(tree, path, tool.root)) is not None]
    whole = documented == ""
    sure = (at for path, at in found if (at.trail and path != documented) or _is_declared(tool, at, whole=whole))
    return next(sure, None) or next((at for _, at in found if at.trail or not whole), None)


def _is_declared(tool: Tool, found: Found, *, whole: bool) -> bool:
    if not isinstance(found.value, dict) or not (found.trail or whole):
        return True
    declared = {output.path.partition(".")[0].removesuffix("[]").casefold() for output in tool.outputs}
    return not declared or any(name.casefold() in declared for name in found.value)


def whole_number(value: Json) -> int | None:
    """Return a count sent as number or text ("1,234", "4 ", 4.0), or None."""
    text = str(value).strip().replace(",", "")
    text = text[:-2] if text.endswith(".0") else text
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None


def _without_envelope(node: Found, known: list[Trail]) -> Found:
    """Drop code, message and total from a record that is the root itself."""
    if not isinstance(node.value, dict):
        return node
    top = {trail[0] for trail in known if trail}
    return Found({key: value for key, value in node.value.items() if key not in top}, node.trail)


def _drifted(tool: Tool, tree: Json, node: Found | None, known: list[Trail]) -> bool:
    """Whether rows lie where the profile does not look: the path stopped matching, which is no empty result (A12)."""
    if node is None:
        return any(all(trail[: len(rows)] != rows for trail in known) for rows in _row_lists(tree, ()))
    if isinstance(node.value, dict) and len(node.value) == 1:
        name, inner = next(iter(node.value.items()))
        declared = any(output.path.partition(".")[0].removesuffix("[]") == name for output in tool.outputs)
        return not declared and isinstance(inner, list) and any(isinstance(item, dict) for item in inner)
    return False


def _row_lists(node: Json, trail: Trail, depth: int = 0) -> Iterator[Trail]:
    if depth > 8:
        return
    if isinstance(node, list) and node and all(isinstance(item, dict) for item in node):
        yield trail
    if isinstance(node, dict):
        for key, value in node.items():
            yield from _row_lists(value, (*trail, key), depth + 1)
    elif isinstance(node, list):
        for position, value in enumerate(node[:8]):
            yield from _row_lists(value, (*trail, position), depth + 1)


def records_of(tool: Tool, node: Found | None) -> list[Record]:
    """Return the records of a node: one object is one record; "", {}, null and nothing are none.

    Missing-value texts become None, everything else stays as sent. Private fields are dropped here, before anything
    is returned or stored.
    """
    if node is None or node.value is None or node.value == "" or node.value == {}:
        return []
    items = node.value if isinstance(node.value, list) else [node.value]
    missing = frozenset(tool.profile.envelope.missing)
    records = [_record(item, missing) for item in items if item is not None and item not in ("", {})]
    for path in private_paths(tool.outputs):
        steps = parse_path(path)
        for record in records:
            record.pop(path, None)  # a key that itself holds the dots, or a plain name
            if steps != (path,):
                _drop(record, steps)
    return records


def _record(item: Json, missing: frozenset[str]) -> Record:
    value = _present(item, missing)
    return value if isinstance(value, dict) else {SCALAR_KEY: value}


def _present(value: Json, missing: frozenset[str]) -> Json:
    if isinstance(value, str):
        return None if value in missing or value.strip() in missing else value
    if isinstance(value, dict):  # texts are looked at here as well: a call for each of them took a third of the time
        return {
            key: _present(item, missing)
            if not isinstance(item, str)
            else None
            if item in missing or item.strip() in missing
            else item
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_present(item, missing) for item in value]
    return None if value is not None and not isinstance(value, bool) and str(value) in missing else value


def _drop(node: Json, steps: Trail) -> None:
    step, rest = steps[0], steps[1:]
    if isinstance(node, list):
        for item in node:
            _drop(item, steps if isinstance(step, str) else rest)
    elif isinstance(step, int):
        if rest:
            _drop(node, rest)
    elif isinstance(node, dict) and step in node:
        if rest and rest != (_EACH,):
            _drop(node[step], rest)
        else:
            del node[step]


def private_paths(outputs: tuple[OutputField, ...]) -> tuple[str, ...]:
    """Return the paths that are never stored."""
    return tuple(output.path for output in outputs if output.private and parse_path(output.path))


def names_private(tool: Tool, text: str) -> bool:
    """Whether a text that is no tree names a private field: nobody can tell where its value ends."""
    names = {path.rpartition(".")[2].removesuffix("[]") for path in private_paths(tool.outputs)}
    return any(name in text for name in names)


def expects_records(envelope: Envelope) -> bool:
    """Whether a success without the records path must be drift: the profile says nothing is ever left out."""
    return not envelope.empty_without_records
