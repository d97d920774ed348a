"""Outcomes update the Beta posterior of a link, and the posterior decides its state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias, cast

from scipy import special  # pyright: ignore[reportMissingTypeStubs]

from edge.calls import OutcomeClass
from edge.links.model import Evidence, Link

Verdict: TypeAlias = "OutcomeClass | Literal['ignored', 'refuted', 'sparse', 'quiet']"
"""What a trial says of its link. "ignored": records came, but not because of the bound value. "refuted": none came, but
they do for a known-good value in its place. "sparse": none came, but the source has values that are known to be good
for such a parameter. "quiet": none came for the known-good value either."""


@dataclass(frozen=True, slots=True)
class BeliefSettings:
    """How strongly evidence counts: pseudo-counts of a Beta distribution over the chance that a link gives records.

    A link is pruned when trials >= `min_trials` (n_min) and P(theta >= `viable`) < `doubt` (tau and delta).
    """

    prior_strength: float = 2.0
    """k of the prior Beta(1 + k s, 1 + k (1 - s)) with feasibility s"""
    success_weight: float = 1.0
    structural_weight: float = 3.0
    """the platform says that the link is wrong, or answers the same whatever the link brings"""
    refuted_weight: float = 2.0
    """no records, though a known-good value in the same call brings some; 1 for a link that has succeeded"""
    empty_weight: float = 0.3
    """no records and nothing to compare with: the first `patience` of them, which may be quiet days"""
    repeated_empty_weight: float = 2.0
    """further ones of a link without a success; each came with another value"""
    patience: int = 2
    environmental_weight: float = 0.02
    """an outage, or a call that is empty with a known-good value as well"""
    min_trials: int = 3
    viable: float = 0.3
    doubt: float = 0.1


def prior(link: Link, settings: BeliefSettings) -> Evidence:
    """Return the evidence of a link never tried: its weak prior."""
    k, score = settings.prior_strength, link.feasibility
    return Evidence(alpha=1.0 + k * score, beta=1.0 + k * (1.0 - score))


def probability_viable(alpha: float, beta: float, viable: float) -> float:
    """Return P(theta >= viable) for theta ~ Beta(alpha, beta): 1 - I_viable(alpha, beta)."""
    regularised = cast(Any, special).betainc(alpha, beta, viable)
    return 1.0 - float(regularised)


def update(
    evidence: Evidence,
    verdict: Verdict,
    settings: BeliefSettings,
    *,
    cardinality: int,
    at: str,
) -> None:
    """Add one trial with its verdict; a quiet one counts as environmental."""
    match verdict:
        case "ok":
            evidence.alpha += settings.success_weight
            evidence.successes += 1
        case "structural" | "ignored":
            evidence.beta += settings.structural_weight
            evidence.structural_failures += 1
        case "empty":
            repeated = evidence.successes == 0 and evidence.empties >= settings.patience
            evidence.beta += settings.repeated_empty_weight if repeated else settings.empty_weight
            evidence.empties += 1
        case "sparse":
            evidence.beta += settings.empty_weight
            evidence.empties += 1
        case "refuted":
            evidence.beta += settings.success_weight if evidence.successes else settings.refuted_weight
            evidence.empties += 1
        case "environmental" | "quiet":
            evidence.beta += settings.environmental_weight
            evidence.environmental_failures += 1
    evidence.first_executed_at = evidence.first_executed_at or at
    evidence.last_executed_at = at
    evidence.cardinalities = [*(evidence.cardinalities or []), cardinality]
    decide(evidence, settings)


@lru_cache(maxsize=200_000)
def failures_to_prune(
    alpha: float, beta: float, trials: int, empties: int, settings: BeliefSettings, weighed: bool
) -> int:
    """Return how many failures more would prune a link without a success; 9 stands for more than eight.

    `weighed` means that each can be weighed against a known-good value; else patience with `empties` rules.
    """
    for number in range(1, 9):
        patient = not weighed and empties + number <= settings.patience
        plain = settings.refuted_weight if weighed else settings.repeated_empty_weight
        beta += settings.empty_weight if patient else plain
        enough = trials + number >= settings.min_trials
        if enough and probability_viable(alpha, beta, settings.viable) < settings.doubt:
            return number
    return 9


def decide(evidence: Evidence, settings: BeliefSettings) -> None:
    """Set the state: pruned when viability is ruled out, verified with a success of its own, else candidate."""
    hopeless = (
        evidence.trials >= settings.min_trials
        and probability_viable(evidence.alpha, evidence.beta, settings.viable) < settings.doubt
    )
    if hopeless:
        evidence.status = "pruned"
    elif evidence.successes > 0:
        evidence.status = "verified"
    else:
        evidence.status = "candidate"
