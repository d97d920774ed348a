"""Outcomes update the Beta posterior of a link, and the posterior decides its state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast

from scipy import special  # pyright: ignore[reportMissingTypeStubs]

from edge.calls import OutcomeClass
from edge.links.model import Evidence, Link


@dataclass(frozen=True, slots=True)
class BeliefSettings:
    """How strongly evidence counts.

    `prior_strength` is k of Beta(1 + k s, 1 + k (1 - s)) with feasibility s. The weights are pseudo-counts added per
    outcome: a structural failure says the link is wrong, an environmental one says next to nothing. An empty answer is
    what most wrong identifiers give and also what a quiet day gives: the first `patience` empties of a link that never
    succeeded are close to neutral, further ones, each with other values, weigh as much as a failure does. A link is
    pruned when trials >= min_trials and P(theta >= viable) < doubt.
    """

    prior_strength: float = 2.0
    success_weight: float = 1.0
    structural_weight: float = 3.0
    empty_weight: float = 0.3
    repeated_empty_weight: float = 2.0
    patience: int = 2
    environmental_weight: float = 0.02
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
    outcome: OutcomeClass | Literal["ignored"],
    settings: BeliefSettings,
    *,
    cardinality: int,
    at: str,
) -> None:
    """Add one trial. "ignored" means the call succeeded but its answer did not depend on the bound value."""
    match outcome:
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
        case "environmental":
            evidence.beta += settings.environmental_weight
            evidence.environmental_failures += 1
    evidence.first_executed_at = evidence.first_executed_at or at
    evidence.last_executed_at = at
    evidence.cardinalities = [*(evidence.cardinalities or []), cardinality]
    decide(evidence, settings)


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
