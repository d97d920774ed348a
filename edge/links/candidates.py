"""Typed tools become candidate pairs: what one supplies is near to what another needs (Tool -> Pair)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from edge.links.fillers import statically_fillable
from edge.links.lexicon import Matrix, Rows
from edge.links.nearness import Embedder, Nearness, last_name
from edge.links.neighbours import DIGITS, NEGLIGIBLE, Mask, Neighbourhood, Scored, concepts
from edge.links.semantics import Supply
from edge.links.transform_rules import AXES, without_boxes
from edge.specs.model import OutputField, Parameter, Tool
from edge.text import compact

T = TypeVar("T")

SAME_DOMAIN, CROSS_DOMAIN = 15, 10
PARTIAL = 0.6  # what an optional parameter is worth where required ones stay open
JOINED, JOINT = 0.6, 0.05  # each further parameter from this score on, two at most, brings a target nearer


@dataclass(frozen=True, slots=True)
class Pair:
    """A candidate: some output of `source` reads like some parameter of `target` (similarity in [0, 1])."""

    source: str
    target: str
    similarity: float


def propose(
    tools: Sequence[Tool],
    embedder: Embedder,
    *,
    same_domain: int = SAME_DOMAIN,
    cross_domain: int = CROSS_DOMAIN,
    held: int = 8_000_000,
) -> list[Pair]:
    """Return, for each tool as a source, its nearest targets: `same_domain` of its own and `cross_domain` of others.

    A source's supply is the set of its output fields and a target's need the set of its offered parameters, embedded
    apart: `Nearness` says how near they are, `_per_tool` what that makes of tools, `Neighbourhood` who gets a place.
    Private fields supply nothing. Exact search in blocks of sources, with `held` scores (32 MB) at once whatever the
    number of tools. Tools that change state are neither sources nor targets. Sources keep their order; the targets of
    one come by falling similarity, then name.
    """
    called = [t for t in tools if t.read_only]
    sources = [t for t in called if _supply(t)]
    targets = [t for t in called if t.offered]
    if not sources or not targets:
        return []
    supply, needs = _Supplies.of(sources), _Needs.of(targets)
    nearness = Nearness(supply.distinct, needs.distinct, embedder)
    concept, carried = concepts(needs.distinct), _carried(sources, needs.distinct)
    around, about = (Neighbourhood.of(side, embedder, called) for side in (targets, sources))
    pairs: list[Pair] = []
    for block in supply.blocks(max(1, held // len(needs.distinct))):
        first, last = supply.starts[block.start], supply.starts[block.stop]
        unique, back = np.unique(supply.ids[first:last], return_inverse=True)
        scores, titles = nearness.scores(unique), around.alike(about, block)
        for i in block:
            own = back[supply.starts[i] - first : supply.starts[i + 1] - first]
            scored = _per_tool(scores[own].max(axis=0).round(DIGITS), carried[i], needs)
            alike, places = titles[i - block.start], (same_domain, cross_domain)
            chosen = around.nearest(about, i, alike, scored, concept, places)
            near = ((targets[t].tool_id, similar) for t, similar in chosen)
            pairs.extend(Pair(sources[i].tool_id, target, similarity) for target, similarity in near)
    return pairs


def _supply(tool: Tool) -> list[OutputField]:
    return [f for f in tool.outputs if not f.private]


def _weight(parameter: Parameter) -> float:
    """How much a parameter wants a link where a call can do without: identifiers most, what anything fills least."""
    if parameter.kind == "code" or parameter.kind in AXES or parameter.kind == "grid":
        wanted = 0.7 if parameter.enum else 1.0
    elif parameter.kind in ("name", "address", "text", "unknown"):
        wanted = 0.8
    else:
        wanted = 0.6
    return wanted * (0.7 if parameter.default is not None else 1.0) * (1.0 if parameter.required else 0.75)


def _distinct(items: Sequence[T], keys: Sequence[Hashable]) -> tuple[list[T], Rows]:
    """Return the items with different keys and, for every item, which of them it is."""
    first: dict[Hashable, int] = {}
    ids = [first.setdefault(key, len(first)) for key in keys]
    kept = dict(zip(reversed(ids), reversed(items), strict=True))
    return [kept[i] for i in range(len(first))], np.asarray(ids, dtype=np.int64)


def _starts(sizes: Sequence[int]) -> Rows:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


@dataclass(frozen=True, slots=True)
class _Supplies:
    """The sources' fields side by side: which distinct supply each is, and where sources begin (one more: the end)."""

    distinct: list[Supply]
    ids: Rows
    starts: Rows

    @classmethod
    def of(cls, sources: Sequence[Tool]) -> _Supplies:
        supplies = [Supply(f, f.path == t.name_field) for t in sources for f in _supply(t)]
        fields = [(s.field, s.own_name) for s in supplies]
        keys = [(f.label, last_name(f.path), f.kind, f.format, f.values, own) for f, own in fields]
        return cls(*_distinct(supplies, keys), _starts([len(_supply(t)) for t in sources]))

    def blocks(self, limit: int) -> Iterator[range]:
        """Yield runs of sources that have at most `limit` fields together; one source at least."""
        begin = 0
        for i in range(1, len(self.starts)):
            if i + 1 == len(self.starts) or self.starts[i + 1] - self.starts[begin] > limit:
                yield range(begin, i)
                begin = i


@dataclass(frozen=True, slots=True)
class _Needs:
    """The targets' parameters side by side: which distinct need each is, where targets begin and how many they have.

    `weights` say how wanted a parameter is; `linked` are those that nothing but a link can fill.
    """

    distinct: list[Parameter]
    ids: Rows
    starts: Rows
    sizes: Rows
    weights: Matrix
    linked: Mask

    @classmethod
    def of(cls, targets: Sequence[Tool]) -> _Needs:
        offered = [p for t in targets for p in without_boxes(t.offered)]
        keys = [(p.label, p.name, p.kind, p.format, p.enum) for p in offered]
        linked = [p.required and not statically_fillable(p) for t in targets for p in t.offered]
        sizes = [len(t.offered) for t in targets]
        starts = _starts(sizes)[:-1]
        weights = np.asarray([_weight(p) for p in offered], dtype=np.float32)
        distinct, ids = _distinct(offered, keys)
        order = sorted(range(len(distinct)), key=lambda i: (distinct[i].kind, i))  # as `Nearness` wants them
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        found = [distinct[i] for i in order]
        return cls(found, place[ids], starts, np.asarray(sizes), weights, np.asarray(linked))


def _carried(sources: Sequence[Tool], distinct: Sequence[Parameter]) -> list[Rows]:
    """The distinct needs that each source is itself called with: a link carries these arguments on."""
    by_name: dict[Hashable, list[int]] = {}
    for i, p in enumerate(distinct):
        by_name.setdefault((compact(p.name), p.kind), []).append(i)
    found = [[i for p in t.offered for i in by_name.get((compact(p.name), p.kind), ())] for t in sources]
    return [np.asarray(ids, dtype=np.int64) for ids in found]


def _per_tool(near: Matrix, carried: Rows, needs: _Needs) -> Scored:
    """Return the targets that may be near enough, their scores and the distinct need that each is owed to most.

    The needs that nothing but a link can fill count all together, as much by the best as by their mean: what is missing
    may come from elsewhere. Where there is none, the best of the others counts, by how much it wants a link, and a bit
    for each other one that the source can fill as well.
    """
    targets = np.flatnonzero(np.logical_or.reduceat((near >= NEGLIGIBLE)[needs.ids], needs.starts))
    if not len(targets):
        return Scored(targets, np.zeros(0, dtype=np.float32), targets)
    sizes = needs.sizes[targets]
    starts = np.cumsum(sizes) - sizes
    at: Rows = np.repeat(needs.starts[targets] - starts, sizes) + np.arange(int(sizes.sum()), dtype=np.int64)
    ids, linked_only, weights = needs.ids[at], needs.linked[at], needs.weights[at]
    scores = near[ids]
    taken = np.zeros(len(near), dtype=np.bool_)
    taken[carried] = True
    only = linked_only & ~taken[ids]
    number = np.add.reduceat(only.astype(np.float32), starts)
    linked = np.where(only, scores, np.float32(0))
    mean = np.add.reduceat(linked, starts) / np.maximum(number, 1)
    wanted = scores * weights
    free = np.maximum.reduceat(np.where(linked_only, np.float32(0), wanted), starts)
    joint = np.maximum(0.5 * np.maximum.reduceat(linked, starts) + 0.5 * mean, PARTIAL * free)
    counted = np.where(only | np.repeat(number == 0, sizes), wanted, np.float32(-1))
    best = np.maximum.reduceat(counted, starts)
    first = np.where(counted == np.repeat(best, sizes), np.arange(len(ids)), len(ids))
    more = np.add.reduceat((scores >= JOINED).astype(np.float32), starts) - 1
    loose = best + np.clip(more, 0, 2) * JOINT
    found = np.where(number > 0, joint, loose).astype(np.float32)
    return Scored(targets, found, ids[np.minimum.reduceat(first, starts)])
