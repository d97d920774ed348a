"""Outcomes move the belief in a link: how far, and what state follows."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linkparts import make_link

from edge.links.model import Evidence
from edge.links.posterior import (
    BeliefSettings,
    decide,
    failures_to_prune,
    prior,
    probability_viable,
    update,
)

SETTINGS = BeliefSettings()
VERDICTS = st.sampled_from(("ok", "empty", "refuted", "sparse", "structural", "environmental", "quiet", "ignored"))
NO_TRIAL = ("environmental", "quiet")
SCORES = st.floats(0.0, 1.0)


def after(*verdicts: Any, score: float = 0.6, settings: BeliefSettings = SETTINGS) -> Evidence:
    evidence = prior(make_link("a", "b", ("x", "y"), score=score), settings)
    for number, verdict in enumerate(verdicts):
        update(evidence, verdict, settings, cardinality=number, at=f"2026-06-15T00:00:0{number % 10}+00:00")
    return evidence


@pytest.mark.parametrize(("score", "alpha", "beta"), [(0.0, 1.0, 3.0), (0.5, 2.0, 2.0), (1.0, 3.0, 1.0)])
def test_the_prior_is_weak(score: float, alpha: float, beta: float) -> None:
    evidence = after(score=score)
    assert (evidence.alpha, evidence.beta, evidence.status, evidence.trials) == (alpha, beta, "candidate", 0)
    assert evidence.first_executed_at is None and evidence.cardinalities is None


@pytest.mark.parametrize(
    ("verdict", "alpha", "beta", "counts", "status"),
    [
        ("ok", 1.0, 0.0, (1, 0, 0, 0), "verified"),
        ("structural", 0.0, 3.0, (0, 1, 0, 0), "candidate"),
        ("ignored", 0.0, 3.0, (0, 1, 0, 0), "candidate"),
        ("empty", 0.0, 0.3, (0, 0, 1, 0), "candidate"),
        ("refuted", 0.0, 2.0, (0, 0, 1, 0), "candidate"),
        ("sparse", 0.0, 0.3, (0, 0, 1, 0), "candidate"),
        ("environmental", 0.0, 0.02, (0, 0, 0, 1), "candidate"),
        ("quiet", 0.0, 0.02, (0, 0, 0, 1), "candidate"),
    ],
)
def test_what_one_outcome_does(
    verdict: str, alpha: float, beta: float, counts: tuple[int, int, int, int], status: str
) -> None:
    before, evidence = after(), after(verdict)
    assert evidence.alpha - before.alpha == pytest.approx(alpha) and evidence.beta - before.beta == pytest.approx(beta)
    seen = (evidence.successes, evidence.structural_failures, evidence.empties, evidence.environmental_failures)
    assert (seen, evidence.status, evidence.trials) == (counts, status, 0 if verdict in NO_TRIAL else 1)


def needed(verdict: str, *, score: float, first: tuple[str, ...] = ()) -> int:
    """How many outcomes of one kind prune a link."""
    return next(n for n in range(1, 100) if after(*first, *[verdict] * n, score=score).status == "pruned")


def test_one_empty_answer_is_nearly_neutral_and_repeated_ones_prune() -> None:
    assert after().mean - after("empty").mean < 0.05
    assert after("empty", "empty").status == "candidate"
    assert [needed("empty", score=s) for s in (0.0, 0.3, 0.6, 0.9)] == [4, 5, 7, 8]


def test_what_a_known_good_value_refutes_weighs_at_once() -> None:
    assert [needed("refuted", score=s) for s in (0.0, 0.3, 0.6, 0.9)] == [3, 4, 5, 7]
    assert after("ok", "refuted").beta - after("ok").beta == pytest.approx(1.0), "once there was a success"
    assert after("ok", *["refuted"] * 3).status == "verified"


@given(SCORES, st.lists(st.sampled_from(("empty", "refuted", "structural")), max_size=6), st.booleans())
def test_failures_to_prune_are_as_many_as_it_takes(score: float, before: list[str], weighed: bool) -> None:
    start = after(*before, score=score)
    number = failures_to_prune(start.alpha, start.beta, start.trials, start.empties, SETTINGS, weighed)
    more = [("refuted" if weighed else "empty")] * number
    assert after(*before, *more, score=score).status == "pruned" or number == 9
    if start.status != "pruned":
        assert after(*before, *more[1:], score=score).status == "candidate"


def test_empties_of_a_link_that_has_succeeded_stay_light() -> None:
    evidence = after("ok", *["empty"] * 6)
    assert evidence.status == "verified" and evidence.beta - after("ok").beta == pytest.approx(6 * 0.3)


def test_structural_failures_prune_whatever_the_prior() -> None:
    assert after("structural", "structural", score=0.0).status == "candidate", "too few trials"
    for verdict in ("structural", "ignored"):
        assert [needed(verdict, score=s) for s in (0.0, 0.3, 0.6, 1.0)] == [3, 3, 4, 5]


def test_a_verified_link_can_fall_and_rise() -> None:
    assert [needed("structural", score=0.6, first=("ok",) * n) for n in (1, 2, 3)] == [5, 6, 7]
    assert after(*["structural"] * 4).status == "pruned"
    assert after(*["structural"] * 4, "ok").status == "verified"


def test_times_and_cardinalities_are_kept() -> None:
    evidence = after("ok", "empty", "ok")
    assert (evidence.first_executed_at, evidence.last_executed_at) == (
        "2026-06-15T00:00:00+00:00",
        "2026-06-15T00:00:02+00:00",
    )
    assert evidence.cardinalities == [0, 1, 2]


@given(SCORES, st.integers(0, 60))
def test_an_outage_never_prunes_and_hardly_moves(score: float, number: int) -> None:
    evidence = after(*["environmental"] * number, score=score)
    assert evidence.status == "candidate" and evidence.trials == 0
    assert evidence.beta - prior(make_link("a", "b", ("x", "y"), score=score), SETTINGS).beta <= 0.02 * number + 1e-9


@given(SCORES, st.lists(VERDICTS, max_size=15))
def test_states_follow_their_definition(score: float, verdicts: list[str]) -> None:
    evidence = after(*verdicts, score=score)
    assert evidence.trials == sum(v not in NO_TRIAL for v in verdicts)
    if evidence.status == "verified":
        assert evidence.successes >= 1
    if evidence.status == "pruned":
        assert evidence.trials >= SETTINGS.min_trials
        assert probability_viable(evidence.alpha, evidence.beta, SETTINGS.viable) < SETTINGS.doubt
    if "ok" not in verdicts:
        assert evidence.status != "verified"
    if len(verdicts) < SETTINGS.min_trials:
        assert evidence.status != "pruned"


@given(SCORES, st.lists(VERDICTS, max_size=12), st.randoms(use_true_random=False))
def test_counts_do_not_depend_on_the_order(score: float, verdicts: list[str], rng: Any) -> None:
    turned = verdicts[:]
    rng.shuffle(turned)
    one, two = after(*verdicts, score=score), after(*turned, score=score)
    assert one.alpha == pytest.approx(two.alpha) and one.trials == two.trials
    assert (one.successes, one.empties) == (two.successes, two.empties)


def test_the_probability_of_viability() -> None:
    assert probability_viable(1, 1, 0.3) == pytest.approx(0.7), "uniform"
    assert probability_viable(2, 1, 0.3) == pytest.approx(1 - 0.3**2), "P(theta < t) = t^a for Beta(a, 1)"
    assert probability_viable(1, 3, 0.3) == pytest.approx(0.7**3)


def test_stricter_settings_decide_again() -> None:
    evidence = after("ok", "structural", "structural")
    assert evidence.status == "verified"
    decide(evidence, BeliefSettings(viable=0.7))
    assert evidence.status == "pruned"
