"""a decoded body -> its records, looked for elsewhere where the profile's places hold none."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from edge.calls import Record
from edge.execution.answers import Look
from edge.execution.envelopes import Found, Trail, find, first_scalar, open_envelope
from edge.execution.failures import judge
from edge.ids import Json
from edge.specs.model import Envelope, Tool
from edge.specs.profiles import generic, profile_of

# What the gateway says where it found nothing, though there may be something.
_ELSEWHERE = frozenset({"records_not_found", "unknown_envelope", "no_data"})
_MAX_DEPTH = 8
_MAX_NODES = 20_000


@dataclass(frozen=True, slots=True)
class Read:
    """An answer with records. `tool` is the one that reads them; `moved`: its profile did not know the `place`."""

    tool: Tool
    place: str
    records: tuple[Record, ...]
    moved: bool


def read_answer(tool: Tool, look: Look) -> Read | None:
    """Return the records of an answer, private fields included, or None where it has none.

    Where the profile finds nothing, these are tried in order, those with most of the declared names first: usual
    places that hold a list, the shallowest lists of objects, usual places that hold an object, and, where nothing says
    that the answer is an envelope, the object itself. A place counts when the gateway reads records there.
    """
    decoded, status = look.decoded, look.outcome.status_code or 200
    if decoded is None or decoded.kind not in ("json", "xml"):
        return None
    bare = replace(tool, outputs=tuple(replace(output, private=False) for output in tool.outputs))
    verdict = judge(bare, status, decoded)
    if verdict.outcome == "ok":
        node = open_envelope(bare, decoded.tree).node
        return Read(tool, place_of(node.trail if node else ()), verdict.records, moved=False)
    if verdict.reason not in _ELSEWHERE:
        return None
    for found in _candidates(bare, decoded.tree, alone=verdict.reason == "unknown_envelope"):
        place = place_of(found.trail)
        again = judge(_placed(bare, place), status, decoded)
        if again.outcome == "ok":
            return Read(_placed(tool, place), place, again.records, moved=True)
    return None


def place_of(trail: Trail) -> str:
    """Return a trail as a profile writes it: names joined by dots, [n] for positions, "." for the root."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in trail)
    return text.removeprefix(".") or "."


def _placed(tool: Tool, place: str) -> Tool:
    envelope = tool.profile.envelope
    records = (place, *(known for known in envelope.records if known != place))
    return replace(tool, profile=replace(tool.profile, envelope=replace(envelope, records=records)))


@functools.cache
def _usual() -> Envelope:
    return profile_of(generic("any.host").tree)[0].envelope


def _candidates(tool: Tool, tree: Json, *, alone: bool) -> list[Found]:
    usual = [found for path in _usual().records if (found := find(tree, path)) is not None]
    lists = [found for found in usual if _is_rows(found.value)]
    lists += sorted(_row_lists(tree), key=lambda one: (_wraps(one.value), len(one.trail), -_length(one.value)))
    objects = [found for found in usual if isinstance(found.value, Mapping) and found.value]
    inner = _inner_object(tree)
    objects += [inner] if alone and len(_names(inner.value)) > 1 else []
    heads = _heads(tool, tree)
    names = {output.path.partition(".")[0].removesuffix("[]").casefold() for output in tool.outputs}
    apart = [f for f in (*lists, *objects) if not f.trail or all(head[: len(f.trail)] != f.trail for head in heads)]
    return sorted(
        (found for found in apart if not _refuses(found)), key=lambda found: -len(names & _names(found.value))
    )  # stable: else the order above


def _heads(tool: Tool, tree: Json) -> list[Trail]:
    """Return where the result code, message and total are: what holds them is no record."""
    places = [(e.code, e.message, e.total) for e in (tool.profile.envelope, _usual())]
    found = [first_scalar(tree, paths, tool.root) for group in places for paths in group]
    return [head.trail for head in found if head is not None]


def _is_rows(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)


def _wraps(value: Json) -> bool:
    """Whether a list of objects holds no value itself, only what is inside of them (tableList[0].items.item)."""
    rows = value if isinstance(value, list) else []
    return all(isinstance(item, Mapping) and not _scalars(item) for item in rows)


def _scalars(row: Mapping[str, Json]) -> bool:
    return any(not isinstance(value, dict | list) for value in row.values())


def _length(value: Json) -> int:
    return len(value) if isinstance(value, list) else 0


def _row_lists(tree: Json) -> Iterator[Found]:
    """Yield the lists of objects, level by level."""
    level = [Found(tree, ())]
    left = _MAX_NODES
    for _ in range(_MAX_DEPTH):
        below: list[Found] = []
        for found in level:
            if _is_rows(found.value):
                yield found
            if isinstance(found.value, Mapping):
                below += [Found(value, (*found.trail, name)) for name, value in found.value.items()]
            elif isinstance(found.value, list):
                below += [Found(value, (*found.trail, n)) for n, value in enumerate(found.value[:_MAX_DEPTH])]
        level = below[:left]
        left -= len(level)


def _inner_object(tree: Json) -> Found:
    """Return the object reached by going down while there is nothing but one object inside another."""
    found = Found(tree, ())
    while isinstance(found.value, Mapping) and len(found.value) == 1 and len(found.trail) < _MAX_DEPTH:
        name, inner = next(iter(found.value.items()))
        if not isinstance(inner, Mapping) or not inner:
            break
        found = Found(inner, (*found.trail, name))
    return found


def _names(value: Json) -> set[str]:
    rows = value[:1] if isinstance(value, list) else [value]
    return {name.casefold() for row in rows if isinstance(row, Mapping) for name in row}


def _refuses(found: Found) -> bool:
    """Whether an object reads like a refusal that no profile knows: one record is learned, an error is not."""
    names = _names(found.value) if isinstance(found.value, Mapping) else set[str]()
    return any(name.startswith(("err", "exception", "fault")) for name in names)
