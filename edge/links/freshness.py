"""A stored graph becomes what a new run starts from: evidence ages, and what has changed is open again.

Three things may be wrong with a success of last month: time has passed, the documents have changed, the platform
answers in another way. Time halves the weight of evidence and in the end asks for a new proof; a change takes the
proof away (docs/design/freshness.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime

from edge.links.model import Evidence, LearnedLink, Link
from edge.links.posterior import BeliefSettings, decide, prior
from edge.links.signatures import changed, signature
from edge.specs.model import Tool

_DAY_S = 86_400.0
COUNTS = tuple(f.name for f in fields(Evidence) if f.type == "int")


@dataclass(frozen=True, slots=True)
class FreshnessSettings:
    """How evidence ages."""

    half_life_days: float = 30.0
    """pseudo-counts beyond the prior halve in this time; so long a pruned link is let be"""
    stale_days: float = 14.0
    """a link that is not pruned and was last tried longer ago is tried again"""
    reopened_share: float = 0.25
    """what is left of the pseudo-counts of a link whose tools have changed: what was true of the old ones makes it
    likely and proves nothing"""


@dataclass(frozen=True, slots=True)
class History:
    """What is told of a link beside its counts. Times are ISO 8601 text.

    `as_of` is the moment for which alpha and beta hold, `proven_at` that of the last success. `trials` and `successes`
    are those of the run that wrote the link; `reopened` says why that run asked for a new proof, "" where it did not.
    """

    as_of: str
    proven_at: str | None = None
    trials: int = 0
    successes: int = 0
    reopened: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """A link of a stored graph: what was learned, where, and from which documents."""

    learned: LearnedLink
    history: History
    endpoint: str
    signature: Mapping[str, str]
    spec_hashes: tuple[str | None, str | None]


@dataclass(frozen=True, slots=True)
class Carried:
    """How a stored link enters a run: what the explorer starts from, and what is added again when the link is written.

    A link that is to be tried again starts without counts, or the explorer would call it settled; those in `kept`
    stay its own all the same. A reopened link keeps none: its counts begin anew.
    """

    start: Evidence
    kept: Evidence
    proven_at: str | None = None
    reopened: str = ""


@dataclass(frozen=True, slots=True)
class Carriage:
    """A stored graph made ready: links by id, and what is no more as (link id, reason, detail)."""

    carried: dict[str, Carried] = field(default_factory=dict[str, Carried])
    gone: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Ageing:
    """By which rules and until when evidence ages."""

    as_of: str
    settings: FreshnessSettings = field(default_factory=FreshnessSettings)
    belief: BeliefSettings = field(default_factory=BeliefSettings)


def carry(
    stored: Iterable[Stored], links: Iterable[Link], tools: Mapping[str, Tool], endpoint: str, ageing: Ageing
) -> Carriage:
    """Match stored links with the proposed ones and let their evidence age.

    What was learned at another endpoint is left behind, for it says nothing about this one: those links begin with
    their prior. Stored links that are proposed no more are `gone`.
    """
    proposed = {link.link_id: link for link in links}
    carried: dict[str, Carried] = {}
    gone: list[tuple[str, str, str]] = []
    for one in stored:
        link = proposed.get(one.learned.link.link_id)
        if one.endpoint != endpoint:
            continue
        if link is None:
            gone.append(_gone(one, tools))
        else:
            carried[link.link_id] = _carried(one, link, tools, ageing)
    return Carriage(carried, tuple(sorted(gone)))


def _gone(one: Stored, tools: Mapping[str, Tool]) -> tuple[str, str, str]:
    link = one.learned.link
    missing = [tool for tool in (link.source_tool, link.target_tool) if tool not in tools]
    said = f"{link.source_tool} -> {link.target_tool}, {one.learned.evidence.status}"
    return link.link_id, "tool_gone" if missing else "not_proposed", said


def _carried(one: Stored, link: Link, tools: Mapping[str, Tool], ageing: Ageing) -> Carried:
    share = 0.5 ** (days_between(one.history.as_of, ageing.as_of) / ageing.settings.half_life_days)
    kept = _weighed(one.learned, link, share, ageing.belief)
    found = Carried(kept, kept, one.history.proven_at)
    if parts := _changed_parts(one, link, tools):
        return reopen(found, link, f"signature: {', '.join(parts)}", ageing)
    if kept.status == "pruned" and _stale(one, ageing) and _judged(kept, ageing.belief).status != "pruned":
        return reopen(found, link, "age: what spoke against it has faded", ageing)
    return again(found) if kept.status != "pruned" and _stale(one, ageing) else found


def _changed_parts(one: Stored, link: Link, tools: Mapping[str, Tool]) -> list[str]:
    """Return what the link rests on and is no longer what it was; nothing while both documents are the same bytes."""
    now = (tools[link.source_tool].spec_hash, tools[link.target_tool].spec_hash)
    if one.spec_hashes == now:
        return []
    return changed(one.signature, signature(link, tools)) if one.signature else ["unknown"]


def _weighed(learned: LearnedLink, link: Link, share: float, belief: BeliefSettings) -> Evidence:
    """Return the evidence with `share` of its pseudo-counts, over the prior that the link has now."""
    before, now, evidence = prior(learned.link, belief), prior(link, belief), learned.evidence
    return replace(
        evidence,
        alpha=now.alpha + max(0.0, evidence.alpha - before.alpha) * share,
        beta=now.beta + max(0.0, evidence.beta - before.beta) * share,
    )


def _judged(evidence: Evidence, belief: BeliefSettings) -> Evidence:
    judged = replace(evidence)
    decide(judged, belief)
    return judged


def _stale(one: Stored, ageing: Ageing) -> bool:
    """Whether a link that was tried has to be tried again: the last success, else the last trial, is too long ago.

    One that is pruned is let be for a half-life: it stands where trials ceased, and the first day would reopen it.
    """
    evidence, settings = one.learned.evidence, ageing.settings
    last = (one.history.proven_at if evidence.status == "verified" else None) or evidence.last_executed_at
    limit = settings.half_life_days if evidence.status == "pruned" else settings.stale_days
    return last is not None and days_between(last, ageing.as_of) > limit


def again(carried: Carried) -> Carried:
    """Return the link as one to be tried again in this run: it starts without counts and keeps them."""
    return replace(carried, start=_counted(carried.start, {}))


def reopen(carried: Carried, link: Link, why: str, ageing: Ageing) -> Carried:
    """Return the link as a candidate that must succeed anew, with a share of its evidence and without counts."""
    first, share = prior(link, ageing.belief), ageing.settings.reopened_share
    start = replace(_counted(carried.start, {}), proof=None)
    start.alpha = first.alpha + max(0.0, start.alpha - first.alpha) * share
    start.beta = first.beta + max(0.0, start.beta - first.beta) * share
    return Carried(start, start, carried.proven_at, why)


def ran(now: Evidence, carried: Carried | None) -> dict[str, int]:
    """Return the counts that this run has added to a link."""
    return {name: int(getattr(now, name)) - (int(getattr(carried.start, name)) if carried else 0) for name in COUNTS}


def restarted(now: Evidence, before: Carried, after: Carried, belief: BeliefSettings) -> Evidence:
    """Return what an explorer goes on with where a link is reopened during a run: what this run has seen stays."""
    fresh = _counted(now, ran(now, before))
    fresh.alpha = after.start.alpha + now.alpha - before.start.alpha
    fresh.beta = after.start.beta + now.beta - before.start.beta
    return _judged(fresh, belief)


def _counted(evidence: Evidence, counts: Mapping[str, int]) -> Evidence:
    """Return the evidence with these counts alone."""
    plain = replace(evidence, status="candidate", cardinalities=None)
    for name in COUNTS:
        setattr(plain, name, counts.get(name, 0))
    return plain


def written(now: Evidence, carried: Carried | None, ageing: Ageing) -> tuple[Evidence, History]:
    """Return what is written of a link after a run: kept counts and those of the run, and the state that they give.

    A verified link that was tried again often enough for a state to be taken away, and never succeeded, is open again.
    """
    counts = ran(now, carried)
    trials = _counted(now, counts).trials
    ended = replace(now)
    if carried is not None:
        proven = counts["successes"] or carried.kept.status != "verified" or carried.start.successes
        if not proven and trials >= ageing.belief.min_trials:
            carried = replace(carried, kept=_counted(carried.kept, {}), reopened=f"not proven again in {trials} trials")
        ended = _counted(now, {name: int(getattr(carried.kept, name)) + counts[name] for name in COUNTS})
        ended.cardinalities = now.cardinalities or carried.kept.cardinalities
        ended.first_executed_at = carried.kept.first_executed_at or now.first_executed_at
    if carried is None or any(counts.values()):  # age alone changes no state
        decide(ended, ageing.belief)
    else:
        ended.status = carried.kept.status
    proven_at = ageing.as_of if counts["successes"] else carried.proven_at if carried else None
    reopened = carried.reopened if carried else ""
    return ended, History(ageing.as_of, proven_at, trials, counts["successes"], reopened)


def days_between(then: str, now: str) -> float:
    """Return the days from one moment to another, 0 where the second is the earlier one."""
    passed = datetime.fromisoformat(now) - datetime.fromisoformat(then)
    return max(0.0, passed.total_seconds() / _DAY_S)
