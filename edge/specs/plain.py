"""bytes of a provider document -> plain tree: safe reading of JSON and YAML that keeps scalars as they were written."""

from __future__ import annotations

import json
from typing import TypeAlias, cast

import yaml
from yaml.events import (
    AliasEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from edge.errors import SpecError
from edge.text import clean

Plain: TypeAlias = "bool | str | list[Plain] | dict[str, Plain] | None"

MAX_BYTES = 32 * 1024 * 1024  # the largest real document is 2.2 MB
MAX_NODES = 2_000_000  # after alias expansion; 130,000 lines of YAML have about 300,000
MAX_DEPTH = 100
_CHARACTERS_A_NODE = 64  # a long text counts as many nodes: aliases repeat it
_MERGE = "<<"
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


def decode(data: bytes) -> str:
    """Return the text of a document in NFC: UTF-8 with or without a mark, UTF-16 with one, else CP949.

    Raises:
        SpecError: too large, or in none of these encodings.
    """
    if len(data) > MAX_BYTES:
        raise SpecError(f"file has {len(data)} bytes, more than the {MAX_BYTES} this reader takes")
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp949"):
        try:
            return clean(data.decode(encoding))
        except UnicodeDecodeError:
            continue
    raise SpecError("file is not text in UTF-8, UTF-16 or CP949; save it as UTF-8")


def read_tree(data: bytes, name: str) -> Plain:
    """Return the tree of a JSON or YAML file called `name`.

    Raises:
        SpecError: broken, with line and column.
    """
    text = decode(data)
    # A .yaml file may hold JSON and the other way round: what it starts with decides, not its name.
    is_json = text.lstrip()[:1] in ("{", "[") and name.lower().endswith(".json")
    return read_json(text) if is_json else read_yaml(text)


def read_json(text: str) -> Plain:
    """Return the tree of a JSON document. Numbers stay text, so that 1.0 and 00126380 keep their digits.

    Raises:
        SpecError: not JSON (with line and column), too deep, or a key given twice with different values.
    """
    try:
        tree: object = json.loads(text, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_members)
    except json.JSONDecodeError as error:
        raise SpecError(f"line {error.lineno} column {error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise SpecError(f"nested deeper than {MAX_DEPTH} levels") from None
    return _normalised(tree, 0)


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        for key, value in pairs:
            if members[key] != value:
                raise SpecError(f"key {key[:80]!r} is given twice in one mapping, with different values")
    return members


def _text(text: str) -> str:
    """Return a string in NFC and without NUL: escapes such as \\u1109 bypass the normalisation of the whole text."""
    return text.replace("\0", "\ufffd") if text.isascii() else clean(text).replace("\0", "\ufffd")


def _normalised(node: object, depth: int) -> Plain:
    """Return `node` with strings as they enter the project."""
    if depth > MAX_DEPTH:
        raise SpecError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(node, str):
        return _text(node)
    if isinstance(node, list):
        return [_normalised(item, depth + 1) for item in cast("list[object]", node)]
    if isinstance(node, dict):
        members = cast("dict[str, object]", node)
        return {_text(key): _normalised(value, depth + 1) for key, value in members.items()}
    return node if isinstance(node, bool) else None


def read_yaml(text: str) -> Plain:
    """Return the tree of a YAML document: every scalar is text as written ("00", "yes", "1.0"), empty and ~ are None.

    Tags are ignored, merge keys ("<<") are laid under a mapping's own keys, aliases are expanded up to a limit.

    Raises:
        SpecError: not YAML, a key given twice, too deep, or too many nodes; with line and column.
    """
    builder = _Builder()
    loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    try:
        for event in yaml.parse(text, Loader=loader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"line {mark.line + 1} column {mark.column + 1}: " if mark else ""
        raise SpecError(f"{where}not YAML: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise SpecError(f"not YAML: {' '.join(str(error).split())}") from None
    return builder.document


class _Builder:
    """Builds the tree from events: nothing is ever constructed but None, text, lists and mappings."""

    def __init__(self) -> None:
        self.document: Plain = None
        self._open: list[_Collection] = []
        self._anchors: dict[str, tuple[Plain, int, int]] = {}  # value, nodes in it, levels in it
        self._documents = 0
        self._nodes = 0

    def take(self, event: Event) -> None:
        """Consume one parser event."""
        if isinstance(event, ScalarEvent):
            null = not event.style and event.value in _NULLS
            # Only what stands in double quotes can hold escapes; the rest was cleaned with the whole text.
            value = _text(event.value) if event.style == '"' else event.value
            self._add(None if null else value, event, _weight(value), 0)
        elif isinstance(event, (MappingStartEvent, SequenceStartEvent)):
            if len(self._open) >= MAX_DEPTH:
                raise SpecError(f"{_at(event)}nested deeper than {MAX_DEPTH} levels")
            self._open.append(_Collection(isinstance(event, MappingStartEvent), event.anchor, self._nodes))
        elif isinstance(event, (MappingEndEvent, SequenceEndEvent)):
            self._close(event)
        elif isinstance(event, AliasEvent):
            value, size, levels = self._anchors.get(event.anchor or "", (None, 0, 0))
            if not size:
                raise SpecError(f"{_at(event)}alias *{event.anchor} stands inside or before its own anchor")
            if len(self._open) + levels > MAX_DEPTH:
                raise SpecError(f"{_at(event)}nested deeper than {MAX_DEPTH} levels after alias expansion")
            self._add(value, event, size, levels)

    def _close(self, event: Event) -> None:
        done = self._open.pop()
        value: Plain = done.merged() if done.is_mapping else done.items
        size = self._nodes - done.started + 1
        if done.anchor:
            self._anchors[done.anchor] = (value, size, done.levels)
        self._add(value, event, 1, done.levels)

    def _add(self, value: Plain, event: Event, size: int, levels: int) -> None:
        self._nodes += size
        if self._nodes > MAX_NODES:
            raise SpecError(f"{_at(event)}more than {MAX_NODES} nodes after alias expansion")
        if isinstance(event, ScalarEvent) and event.anchor:
            self._anchors[event.anchor] = (value, size, 0)
        if self._open:
            self._open[-1].levels = max(self._open[-1].levels, levels + 1)
            self._open[-1].add(value, event)
            return
        self._documents += 1
        if self._documents > 1:
            raise SpecError(f"{_at(event)}a second YAML document starts; put one document in a file")
        self.document = value


def _weight(text: str) -> int:
    return 1 + len(text) // _CHARACTERS_A_NODE


class _Collection:
    """One mapping or sequence under construction."""

    def __init__(self, is_mapping: bool, anchor: str | None, started: int) -> None:
        self.is_mapping = is_mapping
        self.anchor = anchor
        self.started = started
        self.levels = 1
        self.items: list[Plain] = []
        self.mapping: dict[str, Plain] = {}
        self._key: str | None = None
        self._below: list[dict[str, Plain]] = []

    def merged(self) -> dict[str, Plain]:
        """Return the mapping with what its merge keys name laid under it, the first of several on top."""
        for below in self._below:
            self.mapping = {**below, **self.mapping}
        return self.mapping

    def add(self, value: Plain, event: Event) -> None:
        """Append a list item, or take the next key or its value."""
        if not self.is_mapping:
            self.items.append(value)
        elif self._key is None:
            self._key = self._checked(value, event)
        elif self._key == _MERGE:
            self._below += self._mappings(value, event)
            self._key = None
        else:
            self.mapping[self._key] = value
            self._key = None

    def _mappings(self, value: Plain, event: Event) -> list[dict[str, Plain]]:
        many = value if isinstance(value, list) else [value]
        found = [each for each in many if isinstance(each, dict)]
        if len(found) < len(many):
            raise SpecError(f"{_at(event)}a merge key (<<) takes a mapping or a list of them")
        return found

    def _checked(self, value: Plain, event: Event) -> str:
        if value is None and isinstance(event, ScalarEvent):
            value = event.value
        if not isinstance(value, str):
            raise SpecError(f"{_at(event)}a mapping key must be a single value")
        if value in self.mapping:
            raise SpecError(f"{_at(event)}key {value!r} is given twice")
        return value


def _at(event: Event) -> str:
    mark = event.start_mark
    return f"line {mark.line + 1} column {mark.column + 1}: " if mark else ""
