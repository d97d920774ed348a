"""the response schema of a document -> where its records are and which fields they have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from edge.specs.documents import first_text, list_of, mapping_of, resolve, text_of
from edge.specs.model import JsonType, Profile
from edge.specs.plain import Plain
from edge.specs.profiles import usual_records
from edge.specs.typing import Evidence, json_type

_MAX_DEPTH = 12
_MAX_NODES = 5_000  # one response; the widest real one has 300 fields
_LABEL_LENGTH = 60


@dataclass(slots=True)
class Node:
    """A schema with its references resolved: what a response holds at one place."""

    type: JsonType = "string"
    label: str = ""
    description: str = ""
    examples: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    repeats: bool = False
    children: dict[str, Node] = field(default_factory=dict[str, "Node"])


@dataclass(frozen=True, slots=True)
class Shape:
    """Where records are (dotted from the root, "" for the root itself) and what is in them."""

    records: str
    fields: tuple[Evidence, ...]


def read_schema(root: dict[str, Plain], schema: Plain, at: str) -> Node:
    """Return the tree of a schema; a reference that leads back to a schema it stands in ends there.

    Raises:
        Unresolved: a reference leads nowhere.
    """
    return _Reader(root).node(schema, at, ())


class _Reader:
    """Reads one schema, counting nodes so that references that fan out cannot grow without end."""

    def __init__(self, root: dict[str, Plain]) -> None:
        self._root = root
        self._nodes = 0

    def node(self, schema: Plain, at: str, inside: tuple[str, ...]) -> Node:
        """Return the node of one schema. `inside` are the references that lead here."""
        self._nodes += 1
        reference = text_of(mapping_of(schema).get("$ref"))
        if reference in inside or len(inside) > _MAX_DEPTH or self._nodes > _MAX_NODES:
            return Node(type="object")
        resolved = resolve(self._root, schema, at)
        # Anonymous levels count too: a chain of inline schemas is as deep as one of references.
        inside = (*inside, reference or f"{at}{len(inside)}")
        node = _leaf(resolved)
        for part in _parts(resolved):
            below = self.node(part, at, inside)
            node.children.update(below.children)
            node.repeats = node.repeats or below.repeats
            node.label, node.description = node.label or below.label, node.description or below.description
            node.type = below.type if "type" not in resolved else node.type
        for name, child in mapping_of(resolved.get("properties")).items():
            node.children[name] = self.node(child, f"{at}/properties/{name}", inside)
        if "items" in resolved and not mapping_of(resolved.get("properties")):
            self._take_items(node, resolved["items"], at, inside)
        return node

    def _take_items(self, node: Node, items: Plain, at: str, inside: tuple[str, ...]) -> None:
        element = self.node(items, f"{at}/items", inside)
        node.repeats = True
        node.children = element.children
        node.type = element.type
        node.label, node.description = node.label or element.label, node.description or element.description


def _parts(schema: dict[str, Plain]) -> Sequence[Plain]:
    """Return the schemas combined in `schema`: all of allOf, the first of oneOf or anyOf that says anything."""
    chosen = list(list_of(schema.get("allOf")))
    for key in ("oneOf", "anyOf"):
        options = [option for option in list_of(schema.get(key)) if text_of(mapping_of(option).get("type")) != "null"]
        chosen.extend(options[:1])
    return chosen


def _leaf(schema: dict[str, Plain]) -> Node:
    label = label_of(schema)
    return Node(
        type=type_of(schema) or ("object" if schema.get("properties") else "string"),
        label=label,
        description=text_of(schema.get("description")),
        examples=examples_of(schema),
        values=tuple(text for text in map(text_of, list_of(schema.get("enum"))) if text),
    )


def type_of(schema: dict[str, Plain]) -> JsonType | None:
    """Return a schema's type in any spelling of "or null": "string", ["string", "null"], nullable beside it."""
    stated = schema.get("type")
    words = [text_of(word) for word in list_of(stated)] or [text_of(stated)]
    known: list[JsonType | None] = [json_type(word) for word in words if word != "null"]
    return next(filter(None, known), None)


def label_of(schema: dict[str, Plain]) -> str:
    """Return the short Korean name of a field: a vendor's name key, else the first line of its description."""
    vendor = (text_of(value) for key, value in schema.items() if key.startswith("x-") and key.endswith("-name"))
    text = next(filter(None, vendor), "") or first_text(schema, ("description", "title"))
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line[:_LABEL_LENGTH].strip()


def examples_of(schema: dict[str, Plain]) -> tuple[str, ...]:
    """Return a schema's examples as text."""
    many = schema.get("examples")
    values = [schema.get("example"), schema.get("x-example"), *list_of(many)]
    values += [mapping_of(example).get("value") for example in mapping_of(many).values()]
    return tuple(dict.fromkeys(text for text in map(text_of, values) if text))


def find_shape(node: Node, profile: Profile, hidden: frozenset[str]) -> Shape:
    """Return the records of a response.

    Tried in order: the places where the platform keeps records (with or without their first step, which many documents
    leave out, and in any case), the first list of objects, the places usual elsewhere, the one object below the
    envelope, the root itself.
    """
    path, records = (
        _known_place(node, profile.envelope.records)
        or _first_list(node)
        or _known_place(node, usual_records())
        or _descend(node, profile, hidden)
    )
    envelope = _envelope_names(profile, hidden) if records is node else frozenset[str]()
    return Shape(".".join(path), tuple(_fields(records, "", envelope)))


def _known_place(node: Node, places: Sequence[str]) -> tuple[list[str], Node] | None:
    for place in places:
        steps = place.split(".")
        for variant in (steps, steps[1:]):
            found = _follow(node, variant)
            # A place that only holds the next container ("items" with its "item") is not the record yet.
            if found and variant and found[1].children and not _is_container(found[1]):
                return found
    return None


def _follow(node: Node, steps: Sequence[str]) -> tuple[list[str], Node] | None:
    path: list[str] = []
    for step in steps:
        name = next((name for name in node.children if name.casefold() == step.casefold()), None)
        if name is None:
            return None
        path.append(name)
        node = node.children[name]
    return path, node


def _is_container(node: Node) -> bool:
    return len(node.children) == 1 and not node.repeats and bool(next(iter(node.children.values())).children)


def _first_list(node: Node) -> tuple[list[str], Node] | None:
    """Return the shallowest list of objects, in document order."""
    if node.repeats and node.children:
        return [], node
    level: list[tuple[list[str], Node]] = [([], node)]
    while level:
        below = [([*path, name], child) for path, place in level for name, child in place.children.items()]
        found = next((item for item in below if item[1].repeats and item[1].children), None)
        if found:
            return found
        level = below
    return None


def _descend(node: Node, profile: Profile, hidden: frozenset[str]) -> tuple[list[str], Node]:
    """Return the object reached by going down while there is but one that is not the envelope's head."""
    heads = {place.split(".")[-2].casefold() for place in profile.envelope.code if "." in place}
    envelope = _envelope_names(profile, hidden)
    path: list[str] = []
    while True:
        inner = [(n, c) for n, c in node.children.items() if c.children and n.casefold() not in heads]
        own = [n for n, c in node.children.items() if not c.children and n.casefold() not in envelope | heads]
        if len(inner) != 1 or own:
            return path, node
        path.append(inner[0][0])
        node = inner[0][1]


def _envelope_names(profile: Profile, hidden: frozenset[str]) -> frozenset[str]:
    envelope = profile.envelope
    places = (*envelope.total, *envelope.code, *envelope.message)
    return frozenset(name.casefold() for name in (*(place.rpartition(".")[2] for place in places), *hidden))


def _fields(node: Node, prefix: str, left_out: frozenset[str]) -> Iterator[Evidence]:
    for name, child in node.children.items():
        path = f"{prefix}{name}[]" if child.repeats else f"{prefix}{name}"
        if child.children:
            yield from _fields(child, f"{path}.", frozenset())
        elif name.casefold() not in left_out:
            yield Evidence(path, child.label or name, child.description, child.examples, child.type)
