"""A response body -> what may be stored of it: no key in any spelling, no value of a private field.

Most bodies are stored as they came. One that holds a key or private values is stored decoded, with keys masked and
private values emptied: judging that again gives the same records. Emptied values keep place, type and form ("010-1234"
becomes "000-0000"), for what is learned from the shape of an answer must not change either.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import cast

from edge.execution.decoding import BodyKind, Decoded, decode_text
from edge.execution.envelopes import SCALAR_KEY, Trail, names_private, open_envelope, parse_path, private_paths
from edge.execution.keys import MASK, Redactor
from edge.execution.tape import Heard
from edge.ids import Json, digest_bytes
from edge.specs.model import Tool


@dataclass(frozen=True, slots=True)
class Stored:
    """What is stored of a body: a line of a segment, under the hash of the content in it."""

    name: str
    line: bytes


class NotStorable(Exception):
    """Nothing of a body may be stored."""


def store_body(tool: Tool, heard: Heard, redactor: Redactor) -> Stored:
    """Return what may be stored of a response.

    Raises:
        NotStorable: nothing may, for a key or a private value cannot be told from the rest.
    """
    exchange, decoded = heard.exchange, heard.decoded
    if exchange is None or decoded is None:
        raise NotStorable
    if decoded.kind not in ("json", "xml") and names_private(
        tool, decode_text(exchange.body, exchange.content_type)[0]
    ):
        raise NotStorable
    tree = without_private(tool, decoded.tree)
    if tree == decoded.tree and not _tells_key(exchange.body, decoded, redactor):
        return _as_it_came(exchange.body, heard.body_hash)
    kept: dict[str, Json] = {"kind": decoded.kind, "tree": tree, "problem": decoded.problem, "notes": decoded.notes}
    if decoded.kind not in ("json", "xml"):
        kept["text"] = decoded.text
    content = json.dumps(kept, ensure_ascii=False)  # keys stay in order: it is the order of fields
    if redactor.hides(content):
        raise NotStorable
    name = digest_bytes(content.encode("utf-8", "surrogatepass"))
    return Stored(name, f'{{"body":"{name}","decoded":{content}}}'.encode("utf-8", "surrogatepass"))


def read_stored(line: Json) -> tuple[bytes, Decoded | None]:
    """Return the body that a stored line holds, or its decoded form.

    Raises:
        KeyError, TypeError, ValueError: the line is none of ours.
    """
    row = cast("dict[str, Json]", line)
    if "decoded" in row:
        kept = cast("dict[str, Json]", row["decoded"])
        notes = tuple(str(note) for note in cast("list[str]", kept["notes"]))
        kind = cast("BodyKind", kept["kind"])
        return b"", Decoded(kind, str(kept.get("text", "")), kept["tree"], str(kept["problem"]), notes)
    body = str(row["text"]).encode() if "text" in row else base64.b64decode(str(row["base64"]), validate=True)
    if digest_bytes(body) != row["body"]:
        raise ValueError("the body is not the one that its name says")
    return body, None


def _as_it_came(body: bytes, name: str) -> Stored:
    try:
        content = f'"text":{json.dumps(body.decode(), ensure_ascii=False)}'
    except UnicodeDecodeError:
        content = f'"base64":"{base64.b64encode(body).decode()}"'
    return Stored(name, f'{{"body":"{name}",{content}}}'.encode())


def _tells_key(body: bytes, decoded: Decoded, redactor: Redactor) -> bool:
    """Whether a body holds a key, or cannot be looked through; `decoded` is masked already."""
    if decoded.kind == "broken" and not body.isascii():
        return True
    text = body.decode("latin-1") if decoded.kind == "broken" else decoded.text
    return MASK in text or redactor.hides(text)


def without_private(tool: Tool, tree: Json) -> Json:
    """Return the tree with the values of private fields emptied.

    In records they are found by path. Elsewhere whatever has the name of a private field is emptied, but for code,
    message and total: rows may lie where nobody expects them.

    Raises:
        NotStorable: the records themselves are private.
    """
    private = private_paths(tool.outputs)
    if not private or not isinstance(tree, dict | list):
        return tree
    copy: Json = json.loads(json.dumps(tree))
    node = open_envelope(tool, copy).node
    items = [] if node is None else node.value if isinstance(node.value, list) else [node.value]
    records = [copy] if node is not None and not node.trail and isinstance(copy, dict) else items
    if SCALAR_KEY in private and any(not isinstance(record, dict) for record in records):
        raise NotStorable
    for record in records:
        for path in private:
            _empty_path(record, parse_path(path), path)
    envelope = tool.profile.envelope
    said = {_name(parse_path(path)) for path in (*envelope.code, *envelope.message, *envelope.total)}
    names = {name for path in private for name in (path, _name(parse_path(path)))} - said
    _empty_names(copy, names, {id(record) for record in records})
    return copy


def _name(steps: Trail) -> str:
    return next((step for step in reversed(steps) if isinstance(step, str)), "")


def _empty_path(node: Json, steps: Trail, path: str = "") -> None:
    """Empty what a path leads to, as `records_of` would drop it."""
    if isinstance(node, dict) and path in node:  # a key that itself holds the dots
        node[path] = _emptied(node[path])
    step, rest = steps[0], steps[1:]
    if isinstance(node, list):
        for item in node:
            _empty_path(item, steps if isinstance(step, str) else rest or steps)
    elif isinstance(step, int):
        if rest:
            _empty_path(node, rest)
    elif isinstance(node, dict) and step in node:
        if any(isinstance(later, str) for later in rest):
            _empty_path(node[step], rest)
        else:
            node[step] = _emptied(node[step])


def _empty_names(node: Json, names: set[str], records: set[int]) -> None:
    if id(node) in records:
        return
    if isinstance(node, dict):
        for name, value in node.items():
            if name in names:
                node[name] = _emptied(value)
            else:
                _empty_names(value, names, records)
    elif isinstance(node, list):
        for item in node:
            _empty_names(item, names, records)


def _emptied(value: Json) -> Json:
    """Return a value of the same shape that says nothing."""
    if isinstance(value, dict):
        return {name: _emptied(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_emptied(item) for item in value]
    if isinstance(value, str):  # still a number, a date or a telephone number to whoever looks at its form
        return "".join("0" if ch.isdigit() else "x" if ch.isalpha() else ch for ch in value)
    return value if value is None else type(value)()
