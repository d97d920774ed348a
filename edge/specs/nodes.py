"""a schema of a document -> a tree of what an answer or a body holds, references followed and alternatives united."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from edge.specs.catalogue_words import type_named
from edge.specs.documents import first_text, list_of, mapping_of, text_of
from edge.specs.enumerations import enumeration
from edge.specs.markup import plain
from edge.specs.model import EnumValue, JsonType
from edge.specs.plain import Plain
from edge.specs.refs import Source, is_null, variants
from edge.specs.typing import json_type

_DEPTHS = (12, 6, 4, 3, 2)  # tried in turn: what is too wide is cut at the same depth everywhere
_MAX_DEPTH = _DEPTHS[0]
_MAX_NODES = 2_000  # of one answer; the widest real one has 1,200
_LABEL_LENGTH = 60
_PROSE_LENGTH = 2_000  # beyond that nobody reads, and searching prose takes time
_EXAMPLES = 10
_VALUES = 2_000
_VALUE_NAMES = ("x-enum-descriptions", "x-enumNames", "x-enum-varnames")


@dataclass(slots=True)
class Node:
    """A schema with its references resolved: what a response holds at one place."""

    type: JsonType = "string"
    label: str = ""
    description: str = ""
    examples: tuple[str, ...] = ()
    values: tuple[EnumValue, ...] = ()
    format: str | None = None
    repeats: bool = False
    children: dict[str, Node] = field(default_factory=dict[str, "Node"])
    cut: bool = False  # at the top: whether there is more below than was read

    def absorb(self, other: Node) -> None:
        """Take in what an alternative holds beside; what both hold stays as it is here."""
        for name, child in other.children.items():
            mine = self.children.setdefault(name, child)
            if mine is not child and mine.children and child.children:
                mine.absorb(child)
        self.label, self.description = self.label or other.label, self.description or other.description


def read_schema(source: Source, schema: Plain, at: str, *, xml: bool = False) -> Node:
    """Return the tree of a schema; a reference that leads back to a schema it stands in ends there.

    Nodes are shared between the operations of a document: they are not to be changed.

    Args:
        source: The document.
        schema: The schema or a reference to it.
        at: Its JSON pointer.
        xml: Whether it describes XML, where a property may be called otherwise than in the schema.

    Raises:
        Unresolved: a reference leads nowhere.
        TooLarge: the schema's parts multiply.
    """
    return source.once(f"node {xml}", schema, lambda: _read(source, schema, at, xml))


def _read(source: Source, schema: Plain, at: str, xml: bool) -> Node:
    node, deepest = Node(), _MAX_DEPTH + 1
    for depth in _DEPTHS[-1:] if source.tight else _DEPTHS:
        if depth >= deepest:
            continue  # it was full before it came so deep
        reader = _Reader(source, xml, depth)
        node = reader.node(schema, at, (), 0)
        node.cut = depth != _MAX_DEPTH or reader.full
        if not reader.full:
            break
        deepest = reader.deepest
    return node


class _Reader:
    """Reads one schema to one depth, counting nodes so that references that fan out cannot grow without end."""

    def __init__(self, source: Source, xml: bool, depth: int) -> None:
        self._source = source
        self._xml = xml
        self._depth = depth
        self._nodes = 0
        self.deepest = 0

    @property
    def full(self) -> bool:
        """Whether there were more nodes than are read."""
        return self._nodes > _MAX_NODES

    def node(self, schema: Plain, at: str, inside: tuple[str, ...], level: int) -> Node:
        """Return the node of one schema. `inside` are the references that lead here."""
        self._nodes += 1
        self.deepest = max(self.deepest, level)
        self._source.spend()
        if level > self._depth or self.full:
            return Node(type="object")
        names = _names(schema)
        if any(name in inside for name in names):
            return Node(type="object")
        flat = self._source.flat(schema, at)
        inside = (*inside, *names)
        level += 1
        node = self._leaf(flat)
        for name, child in self._source.members(flat, at).items():
            node.children[self._name(name, child)] = self.node(child, f"{at}/properties/{name}", inside, level)
            if self.full:
                break
        if "items" in flat and not node.children:
            self._take_items(node, flat["items"], f"{at}/items", inside, level)
        self._take_variants(node, flat, at, inside, level)
        return node

    def _leaf(self, flat: dict[str, Plain]) -> Node:
        """Return a schema's own words as a node without children; responses share most of their fields."""
        leaf = self._source.once("leaf", flat, lambda: _leaf(flat))
        return Node(leaf.type, leaf.label, leaf.description, leaf.examples, leaf.values, leaf.format)

    def _name(self, name: str, schema: Plain) -> str:
        return text_of(mapping_of(mapping_of(schema).get("xml")).get("name")) or name if self._xml else name

    def _take_items(self, node: Node, items: Plain, at: str, inside: tuple[str, ...], level: int) -> None:
        element = self.node(items, at, inside, level)
        node.repeats = True
        node.children = element.children
        node.type = element.type
        node.values, node.format = node.values or element.values, element.format
        node.label, node.description = node.label or element.label, node.description or element.description

    def _take_variants(
        self, node: Node, flat: Mapping[str, Plain], at: str, inside: tuple[str, ...], level: int
    ) -> None:
        stated = type_of(flat) is not None or bool(node.children) or node.repeats
        for option, place in variants(flat):
            below = self.node(option, f"{at}/{place}", inside, level)
            if not stated:  # the first alternative says what this is, the others what else may stand in it
                node.type, node.repeats, node.values = below.type, below.repeats, below.values
                node.format = below.format
                stated = True
            elif node.values:
                node.values = tuple(dict.fromkeys((*node.values, *below.values))) if below.values else ()
            node.absorb(below)


def _names(schema: Plain) -> list[str]:
    """Return the references that a schema is made of itself: a schema that has them above it stands inside itself."""
    members = mapping_of(schema)
    own = [text_of(mapping_of(part).get("$ref")) for part in list_of(members.get("allOf"))]
    return [name for name in (text_of(members.get("$ref")), *own) if name]


def _leaf(schema: dict[str, Plain]) -> Node:
    text = prose_of(schema)
    return Node(
        type=type_of(schema) or ("object" if schema.get("properties") else "string"),
        label=label_of(schema),
        description=text,
        examples=examples_of(schema),
        values=values_of(schema, text),
        format=text_of(schema.get("format")) or None,
    )


def type_of(schema: Mapping[str, Plain]) -> JsonType | None:
    """Return a schema's type in any spelling of "or null": "string", ["string", "null"], nullable beside it."""
    stated = schema.get("type")
    words = [text_of(word) for word in list_of(stated)] or [text_of(stated)]
    return next(filter(None, (_type_named(word) for word in words if word != "null")), None)


def unknown_type(schema: Mapping[str, Plain]) -> str:
    """Return the type word of a schema of which nobody knows what it means, "" where there is no such."""
    stated = schema.get("type")
    words = [text_of(word) for word in list_of(stated)] or [text_of(stated)]
    return next((word for word in words if word not in ("", "null") and _type_named(word) is None), "")


def _type_named(word: str) -> JsonType | None:
    return json_type(word) or type_named(word)


def prose_of(schema: Mapping[str, Plain], keys: Sequence[str] = ("description",)) -> str:
    """Return the first text among `keys` without tags, cut where nobody reads on."""
    return plain(first_text(schema, keys)[:_PROSE_LENGTH])


def label_of(schema: Mapping[str, Plain]) -> str:
    """Return the short Korean name of a field: a vendor's name key, else the first line of its description."""
    vendor = (text_of(value) for key, value in schema.items() if key.startswith("x-") and key.endswith("-name"))
    text = next(filter(None, vendor), "") or prose_of(schema, ("description", "title"))
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line[:_LABEL_LENGTH].strip()


def examples_of(schema: Mapping[str, Plain]) -> tuple[str, ...]:
    """Return a schema's examples as text; long ones are no examples of a value."""
    many = schema.get("examples")
    values = [schema.get("example"), schema.get("x-example"), *list_of(many)]
    values += [mapping_of(example).get("value") for example in mapping_of(many).values()]
    texts = (text_of(value) for value in values)
    return tuple(dict.fromkeys(text for text in texts if 0 < len(text) <= _PROSE_LENGTH))[:_EXAMPLES]


def values_of(schema: Mapping[str, Plain], text: str = "") -> tuple[EnumValue, ...]:
    """Return the allowed values of a flat schema: its enum or its const.

    What they are called is taken from the vendor's list beside them, else from an enumeration in the prose.
    """
    stated = [schema["const"]] if "const" in schema else _listed(schema.get("enum"))
    values = [value for value in dict.fromkeys(map(text_of, stated)) if value][:_VALUES]
    if not values:
        return ()
    words = list_of(next((schema[key] for key in _VALUE_NAMES if key in schema), None))
    named = {text_of(value): text_of(word) for value, word in zip(stated, words, strict=False)}
    if len(values) == 1 and schema.get("title"):
        named.setdefault(values[0], text_of(schema["title"]))
    spoken = {value.value: value.label for value in enumeration(text)} if text and not named else {}
    return tuple(EnumValue(value, named.get(value) or spoken.get(value) or value) for value in values)


def _listed(node: Plain) -> list[Plain]:
    """Return the values of an enum; some documents write it as one text with commas."""
    return [part.strip() for part in node.split(",")] if isinstance(node, str) else list_of(node)


def decided(source: Source, flat: dict[str, Plain], at: str, depth: int = 0) -> dict[str, Plain]:
    """Return the flat schema of a value that is sent: of its alternatives the first that is not null.

    Where all alternatives are enumerations their values are united; where only some are, any value may be meant.
    """
    options = list(variants(flat))
    if not options or depth > _MAX_DEPTH:
        return flat
    flats = [source.flat(option, f"{at}/{place}") for option, place in options]
    flats[0] = decided(source, flats[0], at, depth + 1)
    own = {key: value for key, value in flat.items() if key not in ("oneOf", "anyOf")}
    if len(flats) > 1:
        first = {key: value for key, value in flats[0].items() if key not in ("enum", "const")}
        values = [values_of(option) for option in flats]
        if all(values) and "enum" not in own:
            united = [value for group in values for value in group]
            own |= {"enum": [value.value for value in united], _VALUE_NAMES[0]: [value.label for value in united]}
        # What one alternative requires beside fields of the whole, another does not.
        return source.laid_together([first], {"required": [], **own} if "properties" in own else own, at)
    return source.laid_together(flats, own, at)


def is_nullable(schema: Mapping[str, Plain]) -> bool:
    """Whether a flat schema allows null, in any of the three spellings."""
    kinds = list_of(schema.get("type"))
    options = [*list_of(schema.get("oneOf")), *list_of(schema.get("anyOf"))]
    stated = text_of(schema.get("nullable")) == "true" or text_of(schema.get("x-nullable")) == "true"
    return stated or any(kind in (None, "null") for kind in kinds) or any(map(is_null, options))
