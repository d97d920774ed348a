"""Evidence ages by half-lives, stays behind at another endpoint, and is asked for anew where something has changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linkparts import make_link, make_tool

from edge.links.freshness import (
    COUNTS,
    Ageing,
    Carried,
    FreshnessSettings,
    History,
    Stored,
    again,
    carry,
    ran,
    reopen,
    restarted,
    written,
)
from edge.links.model import Evidence, LearnedLink
from edge.links.posterior import BeliefSettings, decide, prior, update
from edge.links.signatures import signature
from edge.specs.model import OutputField, Parameter

THEN = datetime.fromisoformat("2026-06-01T01:35:00+00:00")
SOURCE = make_tool("corps", [OutputField("corp", "번호"), OutputField("name", "이름")], spec_hash="s1")
TARGET = make_tool("filings", [OutputField("no", "번호")], [Parameter("corp", "번호", required=True)], spec_hash="t1")
TOOLS = {"corps": SOURCE, "filings": TARGET}
LINK = make_link("corps", "filings", ("corp", "corp"))
BELIEF = BeliefSettings()
WORDS = {"s": "ok", "f": "structural", "e": "empty", "o": "environmental"}


def evidence(trials: str, at: str = THEN.isoformat()) -> Evidence:
    """Return what trials leave: s(uccess), f(ailure), e(mpty), o(utage)."""
    made = prior(LINK, BELIEF)
    for letter in trials:
        update(made, WORDS[letter], BELIEF, cardinality=3, at=at)  # type: ignore[arg-type]
    return made


def stored(trials: str, *, endpoint: str = "sandbox") -> Stored:
    found = evidence(trials)
    proven = THEN.isoformat() if found.successes else None
    history, told = History(THEN.isoformat(), proven), signature(LINK, TOOLS)
    return Stored(LearnedLink(LINK, found), history, endpoint, told, ("s1", "t1"))


def ageing(days: float, **settings: float) -> Ageing:
    return Ageing((THEN + timedelta(days=days)).isoformat(), FreshnessSettings(**settings))


def carried(one: Stored, days: float, **more: float) -> Carried:
    return carry([one], [LINK], TOOLS, "sandbox", ageing(days, **more)).carried[LINK.link_id]


def test_pseudo_counts_beyond_the_prior_halve_and_counts_stay() -> None:
    one, first = stored("sssse"), prior(LINK, BELIEF)
    for days, share in ((0, 1.0), (10, 0.5), (20, 0.25)):
        kept = carried(one, days, half_life_days=10).kept
        assert kept.alpha == pytest.approx(first.alpha + 4 * share)
        assert kept.beta == pytest.approx(first.beta + 0.3 * share)
        assert (kept.successes, kept.empties, kept.status) == (4, 1, "verified")


@given(st.floats(0, 60), st.floats(0, 60))
def test_to_age_twice_is_to_age_for_the_sum_of_the_times(first: float, second: float) -> None:
    settings = FreshnessSettings(stale_days=1e6)
    until = Ageing((THEN + timedelta(days=first)).isoformat(), settings)
    once = carry([stored("sss")], [LINK], TOOLS, "sandbox", until).carried[LINK.link_id]
    kept, history = written(once.start, once, until)
    between = Stored(LearnedLink(LINK, kept), history, "sandbox", signature(LINK, TOOLS), ("s1", "t1"))
    later = Ageing((THEN + timedelta(days=first) + timedelta(days=second)).isoformat(), settings)
    twice = carry([between], [LINK], TOOLS, "sandbox", later).carried[LINK.link_id]
    direct = carry([stored("sss")], [LINK], TOOLS, "sandbox", later).carried[LINK.link_id]
    assert twice.kept.alpha == pytest.approx(direct.kept.alpha)
    assert twice.kept.beta == pytest.approx(direct.kept.beta)
    assert twice.proven_at == direct.proven_at == THEN.isoformat()


def test_a_clock_that_went_back_ages_nothing() -> None:
    assert carried(stored("ss"), -9).kept == evidence("ss")


def test_what_was_learned_at_another_endpoint_is_left_behind() -> None:
    assert carry([stored("sss", endpoint="live")], [LINK], TOOLS, "sandbox", ageing(0)).carried == {}


def test_links_that_are_proposed_no_more_are_gone_with_a_reason() -> None:
    found = carry([stored("sss")], [], TOOLS, "sandbox", ageing(0))
    assert (found.carried, found.gone[0][:2]) == ({}, (LINK.link_id, "not_proposed"))
    assert carry([stored("s")], [], {"corps": SOURCE}, "sandbox", ageing(0)).gone[0][1:] == (
        "tool_gone", "corps -> filings, verified",
    )  # fmt: skip


def test_old_evidence_is_asked_for_again_and_new_evidence_is_not() -> None:
    fresh, old = carried(stored("sss"), 14), carried(stored("sss"), 14.1)
    assert (fresh.start.successes, fresh.start.status) == (3, "verified")
    assert (old.start.trials, old.start.status) == (0, "candidate")
    assert (old.kept.successes, old.reopened) == (3, "")
    assert written(old.start, old, ageing(14.1))[0].status == "verified"  # nobody came to try it: it stays what it is
    assert carried(stored("e"), 15).start.trials == 0
    pruned = carried(stored("ffff"), 15)
    assert (pruned.start.trials, pruned.reopened) == (4, "")
    assert written(pruned.start, pruned, ageing(15))[0].status == "pruned"


def test_a_pruned_link_is_open_again_when_what_spoke_against_it_has_faded() -> None:
    one = stored("ffff")
    assert one.learned.evidence.status == "pruned"
    assert carried(one, 30).reopened == ""
    later = carried(one, 31)
    assert later.reopened.startswith("age")
    assert (later.kept.trials, later.kept.status) == (0, "candidate")
    flaky = carried(stored("s" + "f" * 5), 120)
    assert flaky.reopened
    assert (flaky.kept.successes, flaky.kept.status) == (0, "candidate")  # an old success does not verify it by itself


def reopened_by(source: object = SOURCE, target: object = TARGET) -> str:
    tools = {"corps": source, "filings": target}
    return carry([stored("sss")], [LINK], tools, "sandbox", ageing(0)).carried[LINK.link_id].reopened  # type: ignore[arg-type]


def test_only_what_the_link_uses_reopens_it() -> None:
    need = TARGET.parameters[0]
    assert reopened_by(replace(SOURCE, spec_hash="s2", description="mended", title="x")) == ""
    assert reopened_by(replace(SOURCE, spec_hash="s2", outputs=(SOURCE.outputs[0],))) == ""
    more = (need, Parameter("page", "쪽"))
    assert reopened_by(target=replace(TARGET, spec_hash="t2", parameters=more)) == ""
    renamed = (OutputField("corp_no", "번호"), SOURCE.outputs[1])
    assert reopened_by(replace(SOURCE, spec_hash="s2", outputs=renamed)) == "signature: field corp"
    number = (replace(SOURCE.outputs[0], type="integer"), SOURCE.outputs[1])
    assert reopened_by(replace(SOURCE, spec_hash="s2", outputs=number)) == "signature: field corp"
    assert reopened_by(replace(SOURCE, spec_hash="s1", outputs=number)) == ""  # the same bytes: nothing has changed
    demanding = (need, Parameter("year", "연도", required=True))
    assert reopened_by(target=replace(TARGET, spec_hash="t2", parameters=demanding)) == "signature: required parameters"
    coded = (replace(need, kind="code"),)
    assert reopened_by(target=replace(TARGET, spec_hash="t2", parameters=coded)) == "signature: parameter corp"
    moved = replace(TARGET, spec_hash="t2", url="https://api.plain.test/v2/filings")
    assert reopened_by(target=moved) == "signature: address of the target"


def test_a_document_that_changed_under_a_link_without_signature_reopens_it() -> None:
    older = replace(stored("sss"), signature={})
    found = carry([older], [LINK], {**TOOLS, "corps": replace(SOURCE, spec_hash="s2")}, "sandbox", ageing(0))
    assert found.carried[LINK.link_id].reopened == "signature: unknown"


def test_a_reopened_link_must_succeed_anew() -> None:
    before = carried(stored("sssss"), 0)
    after = reopen(before, LINK, "because", ageing(0))
    assert (after.start.trials, after.start.status, after.kept.successes) == (0, "candidate", 0)
    assert after.start.alpha == pytest.approx(prior(LINK, BELIEF).alpha + 5 * 0.25)
    untouched, history = written(after.start, after, ageing(0))
    assert (untouched.status, untouched.successes, history.reopened) == ("candidate", 0, "because")
    assert history.proven_at == THEN.isoformat()  # when it last was; the state says that it is no more
    now = replace(after.start)
    update(now, "ok", BELIEF, cardinality=1, at="2026-07-01T01:35:00+00:00")
    proven, history = written(now, after, ageing(30))
    assert (proven.status, proven.successes, history.successes) == ("verified", 1, 1)
    assert proven.first_executed_at == THEN.isoformat()


@pytest.mark.parametrize(
    ("tries", "status", "successes"), [("ee", "verified", 3), ("oooo", "verified", 3), ("eee", "candidate", 0),
                                       ("fffffff", "pruned", 0), ("eeeeees", "verified", 4)],
)  # fmt: skip
def test_what_was_proven_once_and_fails_whenever_it_is_tried_again_is_open(
    tries: str, status: str, successes: int
) -> None:
    due = carried(stored("sss"), 20)
    now = replace(due.start)
    for letter in tries:
        update(now, WORDS[letter], BELIEF, cardinality=1, at="2026-07-01T01:35:00+00:00")  # type: ignore[arg-type]
    ended, history = written(now, due, ageing(20))
    assert (ended.status, ended.successes) == (status, successes)
    assert bool(history.reopened) == (successes == 0)


TRIALS = st.text("sfeo", max_size=9)


@given(TRIALS, TRIALS, st.sampled_from(["rest", "again", "reopened"]), st.floats(0, 40))
def test_what_is_written_is_what_was_kept_and_what_the_run_added(
    earlier: str, later: str, way: str, days: float
) -> None:
    entered = carried(stored(earlier), days, stale_days=1e6)
    if way != "rest":
        entered = again(entered) if way == "again" else reopen(entered, LINK, "why", ageing(days))
    now = replace(entered.start)
    for letter in later:
        update(now, WORDS[letter], BELIEF, cardinality=1, at="2026-07-01T01:35:00+00:00")  # type: ignore[arg-type]
    assert ran(now, entered) == ran(evidence(later), None)
    ended, history = written(now, entered, ageing(days))
    failed = way == "again" and entered.kept.status == "verified" and "s" not in later and evidence(later).trials >= 3
    assert history.reopened.startswith("not proven again" if failed else entered.reopened)
    for name in COUNTS:
        kept = 0 if failed else getattr(entered.kept, name)
        assert getattr(ended, name) == kept + getattr(evidence(later), name)
    assert (ended.alpha, ended.beta) == (now.alpha, now.beta)
    assert (history.trials, history.successes) == (evidence(later).trials, later.count("s"))
    judged = replace(ended)
    decide(judged, BELIEF)
    assert ended.status == (judged.status if later else entered.kept.status)
    if ended.status == "verified":  # never without a success of its own since it was last opened
        assert ended.successes >= 1
        assert "s" in later or not history.reopened


@given(TRIALS, TRIALS)
def test_a_link_reopened_during_a_run_keeps_what_the_run_has_seen_of_it(earlier: str, later: str) -> None:
    before = carried(stored(earlier), 0)
    now = replace(before.start)
    for letter in later:
        update(now, WORDS[letter], BELIEF, cardinality=1, at="2026-06-01T01:35:00+00:00")  # type: ignore[arg-type]
    after = reopen(before, LINK, "why", ageing(0))
    onward = restarted(now, before, after, BELIEF)
    assert ran(onward, after) == ran(now, before)
    assert onward.alpha == pytest.approx(after.start.alpha + now.alpha - before.start.alpha)
    assert written(onward, after, ageing(0))[0].successes == later.count("s")


def test_a_link_that_no_graph_knew_is_written_as_it_was_explored() -> None:
    found, history = written(evidence("sse"), None, ageing(3))
    assert found == evidence("sse")
    assert history == History(ageing(3).as_of, ageing(3).as_of, 3, 2)
    assert written(prior(LINK, BELIEF), None, ageing(3))[1] == History(ageing(3).as_of)
