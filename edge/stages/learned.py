"""Two versions of the links and the calls between them -> what exploring has taught, in all and by platform."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from edge.datasets.rows import Row
from edge.datasets.store import Store

STATES = ("candidate", "verified", "pruned")
_HELD = ("quota_parked", "circuit_open")  # reasons of calls that were not sent: the platform was left alone


@dataclass(slots=True)
class Lesson:
    """What was learned of the links to the tools of one platform, or of all.

    `before` and `after` count links by state. `proven` links have succeeded in this run and are verified, of which
    `verified` were not verified before; `pruned` and `lost` ones newly are, or no longer are verified. `untried` were
    never tried, though their source has given records; `unreached` were not either, because it has not. `held` counts
    calls that were not sent because the platform was left alone, `failed` those that ended environmental, by reason.
    """

    before: Counter[str] = field(default_factory=Counter[str])
    after: Counter[str] = field(default_factory=Counter[str])
    proven: int = 0
    verified: int = 0
    pruned: int = 0
    lost: int = 0
    untried: int = 0
    unreached: int = 0
    reopened: Counter[str] = field(default_factory=Counter[str])
    calls: int = 0
    held: Counter[str] = field(default_factory=Counter[str])
    failed: Counter[str] = field(default_factory=Counter[str])
    unserved: list[str] = field(default_factory=list[str])

    @property
    def calls_per_link(self) -> float | None:
        """Calls spent for each link proven in this run; None where there is none."""
        return self.calls / self.proven if self.proven else None


@dataclass(frozen=True, slots=True)
class Learned:
    """What a version has taught: `started_from` is the version before it, "" for none; `gone` counts by reason."""

    version: str
    started_from: str
    all: Lesson
    platforms: Mapping[str, Lesson]
    gone: Mapping[str, int]


def what_was_learned(outputs: Path, version: str) -> Learned:
    """Compare a version of the links with the one that it started from.

    Raises:
        StoreError: the version is not there, or is spoilt.
    """
    store = Store(outputs)
    parent = store.manifest("links", version).parents.get("links", "")
    there = parent if parent in store.versions("links") else ""
    earlier = {str(row["link_id"]): str(row["status"]) for row in store.rows("links", there)} if there else {}
    platform_of = {str(row["tool_id"]): str(row["platform"]) for row in store.rows("tools", version)}
    whole, platforms = Lesson(), dict[str, Lesson]()

    def lessons(tool_id: object) -> tuple[Lesson, Lesson]:
        return whole, platforms.setdefault(platform_of.get(str(tool_id), "unknown"), Lesson())

    shapes = list(store.rows("tool_shapes", version))
    answered = {str(row["tool_id"]) for row in shapes if row["records"]}
    for row in store.rows("links", version):
        for lesson in lessons(row["target_tool"]):
            _take_link(lesson, row, earlier.get(str(row["link_id"]), ""), answered)
    for row in store.rows("outcomes", version):
        if str(row["step_id"]).startswith("explore"):
            for lesson in lessons(row["tool_id"]):
                _take_call(lesson, row)
    for row in shapes:
        if not row["served"]:
            for lesson in lessons(row["tool_id"]):
                lesson.unserved.append(str(row["tool_id"]))
    gone = Counter(str(r["reason"]) for r in store.rows("rejects", version) if r["stage"] == "link_exploration")
    return Learned(version, parent, whole, dict(sorted(platforms.items(), key=_most_calls)), dict(gone.most_common()))


def _most_calls(item: tuple[str, Lesson]) -> tuple[int, str]:
    return -item[1].calls, item[0]


def _take_link(lesson: Lesson, row: Row, before: str, answered: Collection[str]) -> None:
    status = str(row["status"])
    told = cast("dict[str, object]", json.loads(str(row["evidence"] or "{}")))
    if before:
        lesson.before[before] += 1
    lesson.after[status] += 1
    lesson.proven += status == "verified" and bool(told.get("successes"))
    lesson.verified += status == "verified" != before
    lesson.pruned += status == "pruned" != before
    lesson.lost += before == "verified" != status
    if row["last_executed_at"] is None:
        lesson.untried += str(row["source_tool"]) in answered
        lesson.unreached += str(row["source_tool"]) not in answered
    if told.get("reopened"):
        lesson.reopened[str(told["reopened"])] += 1


def _take_call(lesson: Lesson, row: Row) -> None:
    reason = str(row["reason"])
    if reason in _HELD:
        lesson.held[reason] += 1
        return
    lesson.calls += 1
    if row["outcome"] == "environmental":
        lesson.failed[reason] += 1


def lesson_table(learned: Learned) -> list[dict[str, str]]:
    """Return a row a platform, the one with the most calls first: small enough for a terminal and for an artifact."""
    return [
        {
            "platform": name,
            "calls": str(one.calls),
            "verified": _moved(one, "verified"),
            "pruned": _moved(one, "pruned"),
            "open": _moved(one, "candidate"),
            "reopened": str(one.reopened.total() or ""),
            "not served": str(len(one.unserved) or ""),
            "failed": ", ".join(f"{reason} {n}" for reason, n in one.failed.most_common(1)),
            "left alone": ", ".join(sorted(one.held)),
        }
        for name, one in learned.platforms.items()
    ]


def _moved(lesson: Lesson, state: str) -> str:
    change = lesson.after[state] - lesson.before[state]
    return f"{lesson.after[state]} ({change:+d})" if change and lesson.before.total() else str(lesson.after[state])


def lesson_lines(learned: Learned, *, shown: int = 5) -> list[str]:
    """Return what was learned in all as lines of a label and what there is to say; long lists are cut at `shown`."""
    one = learned.all
    lines = [f"version       {learned.version}", f"started from  {learned.started_from or 'nothing'}"]
    lines.append("links         " + ", ".join(f"{_moved(one, state)} {state}" for state in STATES))
    moved = f"{one.verified} newly verified, {one.pruned} newly pruned, {one.lost} no longer verified"
    lines.append(f"learned       {moved}")
    if untried := one.untried + one.unreached:
        why = f"{one.unreached} whose source gave no records, {one.untried} beyond rounds and budget (--iterations)"
        lines.append(f"never tried   {untried}: {why}")
    lines += _listed("reopened", one.reopened, shown)
    lines += _listed("dropped", learned.gone, shown)
    each = f", {one.calls_per_link:.1f} for each of {one.proven} links proven" if one.calls_per_link else ""
    lines.append(f"calls         {one.calls}{each}")
    if one.unserved:
        names = ", ".join(one.unserved[:3]) + (" ..." if len(one.unserved) > 3 else "")
        lines.append(f"not served    {len(one.unserved)} tools: {names}")
    alone = [f"{name} ({', '.join(sorted(x.held))})" for name, x in learned.platforms.items() if x.held]
    lines.append(f"left alone    {', '.join(alone) or 'no platform'}")
    return lines


def _listed(label: str, counts: Mapping[str, int], shown: int) -> list[str]:
    if not counts:
        return []
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    lines = [f"{label:<13} {sum(counts.values())} links", *(f"  {n:>6}  {why}" for why, n in most[:shown])]
    rest = sum(n for _, n in most[shown:])
    return [*lines, f"  {rest:>6}  for {len(most) - shown} other reasons"] if rest else lines
