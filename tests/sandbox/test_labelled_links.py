"""Every labelled link with both ends served, executed over HTTP: sound ones give records, wrong ones give none."""

import pytest
from linkfollow import LABELS, WHY, follow, labels, outcomes, table
from linkways import SPARSE

facts = pytest.mark.skipif(not LABELS.exists(), reason="no labelled links beside this checkout (../shared/facts)")
SERVED = [index for index, label in enumerate(labels()) if label.served and str(label) not in WHY]


@facts
@pytest.mark.parametrize("index", SERVED, ids=lambda index: str(labels()[index]))
def test_a_link_does_what_its_label_says(index: int) -> None:
    outcome = follow(index)
    assert outcome.followed, "the source gives no record with the field"
    assert outcome.as_labelled, outcome.last
    if outcome.label.valid and (outcome.label.source, outcome.label.target) not in SPARSE:
        assert outcome.worked == outcome.followed, outcome.last


@facts
def test_shares_are_those_promised() -> None:
    print(table())
    found = outcomes()
    assert len(found) >= 0.8 * len(labels())
    for valid in (True, False):
        tried = [outcome for outcome in found if outcome.label.valid == valid]
        assert sum(outcome.as_labelled for outcome in tried) >= 0.97 * len(tried)
    # Whoever explains an exception away says so of one that there is.
    assert set(WHY) == {str(outcome.label) for outcome in found if not outcome.as_labelled}
