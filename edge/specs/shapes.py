"""the tree of a response -> where its records are and which fields they have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from edge.specs.envelope_words import is_envelope
from edge.specs.model import Profile
from edge.specs.nodes import Node
from edge.specs.typing import Evidence


@dataclass(frozen=True, slots=True)
class Shape:
    """Where records are (dotted from the root, "" for the root itself) and what is in them."""

    records: str
    fields: tuple[Evidence, ...]


def find_shape(node: Node, profile: Profile, hidden: frozenset[str], *, known: bool = True) -> Shape:
    """Return the records of a response.

    A platform's own places come first (with or without their first step, which many documents leave out, and in any
    case). Else the way leads from the root over what stands alone among paging, counts, status and messages: an object
    with more than that beside its inner list is the record itself.

    Args:
        node: The response.
        profile: Of the platform.
        hidden: Parameters that are not offered, which answers repeat.
        known: Whether the profile describes this very platform; a generic one names no places to trust.
    """
    own = _known_place(node, profile.envelope.records) if known else None
    path, records = own or _descend(node, profile, hidden)
    left_out = frozenset[str]()
    if records is node:
        left_out = _envelope_names(profile, hidden) if known else _paired_names(node, profile)
    return Shape(".".join(path), tuple(_fields(records, "", left_out)))


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


def _descend(node: Node, profile: Profile, hidden: frozenset[str]) -> tuple[list[str], Node]:
    """Return what is reached by going down while one part stands alone among those of the envelope."""
    places = (*profile.envelope.code, *profile.envelope.message)
    envelope = _envelope_names(profile, hidden) | {
        step.casefold() for place in places for step in place.split(".")[:-1]
    }
    path: list[str] = []
    while not node.repeats:
        name = _alone(node, envelope)
        if name is None:
            break
        path.append(name)
        node = node.children[name]
    return path, node


def _alone(node: Node, envelope: frozenset[str]) -> str | None:
    """Return the one child with children beside which there is nothing but envelope, None where there is no such."""
    own = [name for name, child in node.children.items() if not _is_envelope(name, child, envelope)]
    if own:
        return own[0] if len(own) == 1 and node.children[own[0]].children else None
    # All is called like an envelope: a list of errors, of pages, of messages was asked for.
    lists = [name for name, child in node.children.items() if child.repeats and child.children]
    return lists[0] if len(lists) == 1 else None


def _is_envelope(name: str, node: Node, envelope: frozenset[str]) -> bool:
    if not node.children:
        return name.casefold() in envelope or is_envelope(name)
    if is_envelope(name, holds_records=True):
        return True
    # An object or list is the envelope's, whatever it is called, where it holds nothing else.
    return all(_is_envelope(inner, child, envelope) for inner, child in node.children.items())


def _envelope_names(profile: Profile, hidden: frozenset[str]) -> frozenset[str]:
    envelope = profile.envelope
    places = (*envelope.total, *envelope.code, *envelope.message)
    return frozenset(name.casefold() for name in (*(place.rpartition(".")[2] for place in places), *hidden))


def _paired_names(node: Node, profile: Profile) -> frozenset[str]:
    """Return the names of code and message where a record that is the whole answer has both: one alone is its own."""
    names = {name.casefold() for name in node.children}
    pair = [
        names.intersection(place.casefold() for place in places)
        for places in (profile.envelope.code, profile.envelope.message)
    ]
    return frozenset(pair[0] | pair[1]) if all(pair) else frozenset()


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
