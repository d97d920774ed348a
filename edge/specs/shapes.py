"""the tree of a response -> where its records are and which fields they have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from edge.specs.model import Profile
from edge.specs.nodes import Node
from edge.specs.profiles import usual_records
from edge.specs.typing import Evidence


@dataclass(frozen=True, slots=True)
class Shape:
    """Where records are (dotted from the root, "" for the root itself) and what is in them."""

    records: str
    fields: tuple[Evidence, ...]


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
            yield Evidence(
                name=path,
                label=child.label or name,
                description=child.description,
                examples=child.examples,
                type=child.type,
                stated_format=child.format,
                enum=child.values,
            )
