"""Labels, rates and targets: what the benchmark of links compares and how it says so (labels, links -> lines)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edge.links.model import LearnedLink
from edge.specs.model import Tool

Z = 1.96  # of 95 %
ENDS = ("verified", "pruned", "unproven", "only with a transform", "no candidate")


@dataclass(frozen=True, slots=True)
class Rate:
    """`hits` of `of`, with the Wilson interval of 95 % where it is a sample."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        """The share; 0 of nothing is 0."""
        return self.hits / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Lowest and highest share that this sample is compatible with; of nothing: all."""
        if not self.of:
            return 0.0, 1.0
        n, p = self.of, self.value
        middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        """The rate with its interval."""
        low, high = self.interval
        return f"{self.hits} of {self.of} = {self.value:.3f} [{low:.3f}, {high:.3f}]"


def gain(before: Rate, after: Rate) -> tuple[float, float, float]:
    """Return the difference of two independent rates in points and its 95 % interval (Newcombe's hybrid score)."""
    difference = after.value - before.value
    (low_a, high_a), (low_b, high_b) = after.interval, before.interval
    down = math.hypot(after.value - low_a, high_b - before.value)
    up = math.hypot(high_a - after.value, before.value - low_b)
    return 100 * difference, 100 * (difference - down), 100 * (difference + up)


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a part: what was seen, what is wanted (empty: nothing is), and whether it was reached."""

    part: str
    name: str
    seen: str
    target: str = ""
    reached: bool | None = None

    def __str__(self) -> str:
        """The figure on a line of its own."""
        verdict = "" if self.reached is None else "reached" if self.reached else "MISSED"
        wanted = f"   target {self.target}: {verdict}" if self.target else ""
        return f"{self.part:<10} {self.name}: {self.seen}{wanted}"


@dataclass(frozen=True)
class Label:
    """One labelled link between two bundled tools; `links` are the explored ones that it speaks of."""

    raw: Mapping[str, object]
    source: Tool
    target: Tool
    links: tuple[LearnedLink, ...]

    @property
    def valid(self) -> bool:
        """Whether the label says that the link is sound."""
        return bool(self.raw["valid"])

    @property
    def in_signatures(self) -> bool:
        """Whether both names of the label exist in the compiled signatures."""
        field = str(self.raw["source_field"])
        return any(same_path(f.path, field) for f in self.source.outputs) and bool(
            self.target.parameter(str(self.raw["target_param"]))
        )

    @property
    def end(self) -> str:
        """The best state among its links; a wrong label is verified only by the value as it is (transform null)."""
        if not self.links:
            return "no candidate"
        states = {
            x.evidence.status for x in self.links if self.valid or x.evidence.status != "verified" or self._plain(x)
        }
        if not states:
            return "only with a transform"
        best = next(s for s in ("verified", "candidate", "pruned") if s in states)
        return "unproven" if best == "candidate" else best

    def _plain(self, link: LearnedLink) -> bool:
        target = self.raw["target_param"]
        return all(b.transform is None for b in link.link.bindings if b.target_parameter == target)

    def __str__(self) -> str:
        """The label and the states of its links."""
        raw = self.raw
        head = f"{raw['source_op']}.{raw['source_field']} -> {raw['target_op']}.{raw['target_param']}"
        lines = [f"{head}   note: {raw['note'] or '-'}", *(f"      {said(x)}" for x in self.links)]
        return "\n".join(lines)


def said(learned: LearnedLink) -> str:
    """Return a link's bindings and what was seen of it in a line."""
    e = learned.evidence
    bound = "+".join(b.target_parameter + (f"[{b.transform}]" if b.transform else "") for b in learned.link.bindings)
    counts = f"ok={e.successes} bad={e.structural_failures} empty={e.empties} env={e.environmental_failures}"
    return f"{bound} {e.status} {counts}"


def same_path(path: str, field: str) -> bool:
    """Whether an output path is the labelled field: labels name it whole or by its last part."""
    return field in (path, path.rsplit(".", 1)[-1])


def match(
    labels: Sequence[Mapping[str, object]], tools: Mapping[str, Tool], learned: Sequence[LearnedLink]
) -> list[Label]:
    """Return the labels whose two operations are among the tools, each with the links that agree with it."""
    by_key = {t.operation_key: t for t in tools.values()}
    by_ends: dict[tuple[str, str], list[LearnedLink]] = {}
    for x in learned:
        by_ends.setdefault((x.link.source_tool, x.link.target_tool), []).append(x)
    found: list[Label] = []
    for raw in labels:
        source, target = by_key.get(str(raw["source_op"])), by_key.get(str(raw["target_op"]))
        if source is not None and target is not None:
            links = [x for x in by_ends.get((source.tool_id, target.tool_id), ()) if _agrees(x, raw)]
            found.append(Label(raw, source, target, tuple(links)))
    return found


def _agrees(learned: LearnedLink, raw: Mapping[str, object]) -> bool:
    return any(
        same_path(b.source_path, str(raw["source_field"])) and b.target_parameter == raw["target_param"]
        for b in learned.link.bindings
    )


def kept_out(labels: Sequence[Label]) -> Rate:
    """Return how many of the wrong labels with a candidate link are pruned or unproven."""
    wrong = [x for x in labels if not x.valid and x.links]
    return Rate(sum(x.end != "verified" for x in wrong), len(wrong))


def lost(labels: Sequence[Label]) -> Rate:
    """Return how many of the valid labels with a candidate link are pruned."""
    sound = [x for x in labels if x.valid and x.links]
    return Rate(sum(x.end == "pruned" for x in sound), len(sound))
