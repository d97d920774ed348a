"""Candidate retrieval by the book: every supply against every need, every source against every target, in plain loops.

It says what `propose` must come to and shares with it only the rules of kinds (`semantics`), the words of names and
labels, and the settings; there are no blocks, no sparse matrices and no short cuts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from edge.links import candidates, nearness, neighbours
from edge.links.evidence_rules import words
from edge.links.fillers import statically_fillable
from edge.links.lexicon import grams
from edge.links.semantics import semantics
from edge.links.transform_rules import without_boxes
from edge.specs.model import OutputField, Parameter, Tool
from edge.text import compact

Tokens = tuple[Sequence[str], Sequence[str], Sequence[str]]


def tokens(item: OutputField | Parameter) -> Tokens:
    """Words of the name, of the label, labels of the enumeration."""
    if isinstance(item, OutputField):
        return words(item.path.rsplit(".", 1)[-1]), grams(item.label), [compact(v.label) for v in item.values]
    return words(item.name), grams(item.label), [compact(v.label) for v in item.enum]


class Weights:
    """How telling each token is, and what a text must weigh to be told from others."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        kept = [sorted(set(t)) for t in texts if t]
        counts = Counter(token for t in kept for token in t)
        self.of = {token: math.log((1 + len(kept)) / (0.5 + n)) for token, n in counts.items()}
        sums = [sum(self.of[t] ** 2 for t in text) for text in dict.fromkeys(map(tuple, kept))]
        self.telling = float(np.quantile(sums, 0.05)) if sums else 1.0

    def size(self, text: Sequence[str]) -> tuple[float, float]:
        """What a text is divided by, and how long it is then."""
        square = sum(self.of[t] ** 2 for t in set(text))
        norm = math.sqrt(max(square, self.telling))
        return norm, math.sqrt(square) / norm

    def product(self, a: Sequence[str], b: Sequence[str]) -> float:
        """How much two texts share."""
        shared = sum(self.of[t] ** 2 for t in set(a) & set(b))
        return shared / (self.size(a)[0] * self.size(b)[0])


def supply_key(field: OutputField, own: bool) -> tuple[object, ...]:
    """Supplies that are one."""
    return (field.label, field.path.rsplit(".", 1)[-1], field.kind, field.format, field.values, own)


def need_key(p: Parameter) -> tuple[object, ...]:
    """Needs that are one."""
    return (p.label, p.name, p.kind, p.format, p.enum)


class Scores:
    """How near each distinct supply is to each distinct need."""

    def __init__(
        self,
        supplies: dict[tuple[object, ...], OutputField],
        needs: dict[tuple[object, ...], Parameter],
        embedder: nearness.Embedder,
    ) -> None:
        left = {key: tokens(f) for key, f in supplies.items()}
        right = {key: tokens(p) for key, p in needs.items()}
        every = [*left.values(), *right.values()]
        self.weights = [Weights([t[i] for t in every]) for i in range(3)]
        here = embedder.encode([nearness.supply_text(f) for f in supplies.values()])
        there = embedder.encode([nearness.need_text(p) for p in needs.values()])
        step = max(1, len(here) // 256)
        base = float(np.clip(np.quantile(here[::step][:256] @ there.T, 0.9), 0.0, 0.95))
        rules = {
            (a, b): semantics(f, p, own_name=bool(a[-1])) for a, f in supplies.items() for b, p in needs.items()
        }  # fmt: skip
        kinds = {(supplies[a].kind, needs[b].kind) for (a, b), rule in rules.items() if any(rule)}
        self.of: dict[tuple[object, object], float] = {}
        for (a, f), x in zip(supplies.items(), here, strict=True):
            for (b, p), y in zip(needs.items(), there, strict=True):
                cosine = (float(x @ y) - base) / (1 - base)
                like = self.likeness(cosine, left[a], right[b])
                factor, floor = rules[a, b]
                near = max(like * factor, floor)
                if (f.kind, p.kind) in kinds and self.weights[2].product(left[a][2], right[b][2]) > 0.5:
                    near = max(near, nearness.SHARED)
                alike = (left[a][0], compact(f.label)) == (right[b][0], compact(p.label))
                self.of[a, b] = max(near, nearness.ALIKE) if alike else near

    def likeness(self, cosine: float, a: Tokens, b: Tokens) -> float:
        """How alike two texts are, in [0, 1]."""
        named, labelled, _ = self.weights
        names, labels = named.product(a[0], b[0]), labelled.product(a[1], b[1])
        size, told = labelled.size(b[1])
        if told > 0.9 and labels * labelled.size(a[1])[0] > 0.99 * size * told**2:
            labels = max(labels, 0.85)
        telling = [max(named.size(t[0])[1], labelled.size(t[1])[1]) for t in (a, b)]
        both = 0.75 * max(names, labels) + 0.25 * min(names, labels)
        return min(1.0, max(0.0, cosine * min(telling), both))


def search(
    tools: Sequence[Tool], embedder: nearness.Embedder, same_domain: int, cross_domain: int
) -> dict[str, list[tuple[str, float]]]:
    """Return the neighbours of every source with their similarity, nearest first."""
    called = [t for t in tools if t.read_only]
    sources = [t for t in called if any(not f.private for f in t.outputs)]
    targets = [t for t in called if t.offered]
    if not sources or not targets:
        return {}
    supplies: dict[tuple[object, ...], OutputField] = {}
    for t in sources:
        for f in t.outputs:
            if not f.private:
                supplies.setdefault(supply_key(f, f.path == t.name_field), f)
    wanted = {t.tool_id: without_boxes(t.offered) for t in targets}
    needs: dict[tuple[object, ...], Parameter] = {}
    for t in targets:
        for p in wanted[t.tool_id]:
            needs.setdefault(need_key(p), p)
    scores = Scores(supplies, needs, embedder)
    titles = dict(zip((t.tool_id for t in called), embedder.encode([t.title for t in called]), strict=True))
    concept = dict(zip(needs, neighbours.concepts(list(needs.values())).tolist(), strict=True))
    found: dict[str, list[tuple[str, float]]] = {}
    for source in sources:
        keys = [supply_key(f, f.path == source.name_field) for f in source.outputs if not f.private]
        near = {b: round(max(scores.of[a, b] for a in keys), neighbours.DIGITS) for b in needs}
        rated: list[tuple[float, str, object, Tool]] = []
        for t in targets:
            score, owed = per_tool(near, source, wanted[t.tool_id])
            alike = min(1.0, max(0.0, float(titles[source.tool_id] @ titles[t.tool_id])))
            context = alike + (t.service == source.service) - 1.0
            score = round(min(1.0, score * (1 + neighbours.CONTEXT * context)), 5)
            if score >= neighbours.FLOOR and t is not source:
                rated.append((score, t.tool_id, owed, t))
        found[source.tool_id] = chosen(source, rated, concept, same_domain, cross_domain)
    return found


def per_tool(near: dict[tuple[object, ...], float], source: Tool, wanted: Sequence[Parameter]) -> tuple[float, object]:
    """The score of a target for a source, and the need that it is owed to most."""
    carried = {(compact(p.name), p.kind) for p in source.offered}
    only = [p for p in wanted if p.required and not statically_fillable(p) and (compact(p.name), p.kind) not in carried]
    others = [p for p in wanted if not (p.required and not statically_fillable(p))]
    rate = {id(p): near[need_key(p)] for p in wanted}
    worth = {id(p): rate[id(p)] * float(candidates._weight(p)) for p in wanted}
    if only:
        rates = [rate[id(p)] for p in only]
        joint = 0.5 * max(rates) + 0.5 * sum(rates) / len(rates)
        free = max((worth[id(p)] for p in others), default=0.0)
        best = max(only, key=lambda p: worth[id(p)])
        return max(joint, candidates.PARTIAL * free), need_key(best)
    best = max(wanted, key=lambda p: worth[id(p)])
    more = sum(r >= candidates.JOINED for r in rate.values()) - 1
    return worth[id(best)] + min(2, max(0, more)) * candidates.JOINT, need_key(best)


def chosen(
    source: Tool, rated: list[tuple[float, str, object, Tool]], concept: dict[object, int], own: int, others: int
) -> list[tuple[str, float]]:
    """Who gets a place: crowds of one need and of one concept make room, then each side has its share."""
    adjusted = {name: score for score, name, _, _ in rated}
    owed = {name: need for _, name, need, _ in rated}
    tools = {name: t for _, name, _, t in rated}
    order = sorted(adjusted, key=lambda n: (-adjusted[n], n))
    crowds = (
        (neighbours.CROWDING, lambda n: owed[n]),
        (neighbours.CONCEPT_CROWDING, lambda n: concept[owed[n]] if concept[owed[n]] >= 0 else None),
    )
    for most, group in crowds:
        before: Counter[object] = Counter()
        for name in order:
            key = group(name)
            crowd = before[key] if key is not None else 0
            before[key] += 1
            adjusted[name] = round(adjusted[name] * (1 - most * (1 - 0.7**crowd)), 5)
        order = sorted(adjusted, key=lambda n: (-adjusted[n], n))
    taken: list[str] = []
    for mine, places in ((True, own), (False, others)):
        side = [n for n in order if (tools[n].domain == source.domain) is mine and adjusted[n] >= neighbours.GOOD]
        taken += side[:places]
    left = [n for n in order if n not in taken and (own if tools[n].domain == source.domain else others)]
    taken += left[: own + others - len(taken)]
    similar = {name: score for score, name, _, _ in rated}
    return [(n, similar[n]) for n in sorted(taken, key=lambda n: (-similar[n], n))]
