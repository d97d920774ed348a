"""Whole `edge synthesize` runs with a model service, in both protocols: killed, stopped by a budget, and ended well.

The service is a process that answers every kind of prompt from its text (benchmarks/model_writer_server.py) and counts
for itself what it was asked, so that what is paid twice is seen where it would be billed.
"""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from modelplaces import AT_A_TIME, IN, OUT, Place, counted, writer

pytestmark = [pytest.mark.prefect, pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """The same run, written by templates."""
    place = Place(tmp_path_factory.mktemp("offline") / "run")
    assert place.synthesize("run").wait(240) == 0, place.log("run")
    return place


def graph(place: Place) -> list[tuple[object, ...]]:
    return sorted((r["source_tool"], r["target_tool"], r["bindings"], r["status"]) for r in place.rows("links"))


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_a_run_that_is_killed_and_stopped_pays_for_no_answer_twice(
    protocol: str, offline: Place, tmp_path: Path
) -> None:
    with writer(delay_ms=25) as url:
        base = f"{url}/v1" if protocol == "openai" else url
        place = Place(tmp_path / "run", ["--llm", protocol, "--model", "m", "--llm-base-url", base])

        first = place.synthesize("killed")
        while first.poll() is None and place.paid("user_request")[0] < 3:
            time.sleep(0.02)
        first.send_signal(signal.SIGKILL)
        assert first.wait() == -signal.SIGKILL, place.log("killed")
        time.sleep(0.5)  # what was under way is answered to nobody
        at_kill, held = counted(url), place.paid()
        lost = at_kill["answered"] - held[0]
        assert 0 <= lost <= AT_A_TIME and at_kill["again"] == 0

        budget = held[3] * 1.01
        stopped = place.synthesize("stopped", "--resume", "--budget-usd", f"{budget:.6f}")
        assert stopped.wait(240) == 1, place.log("stopped")
        assert "--resume" in place.log("stopped") and "budget" in place.log("stopped")
        spent, largest = place.paid(), counted(url)["largest"]
        most = (largest[0] * IN + largest[1] * OUT) / 1e6
        assert budget <= spent[3] <= budget + AT_A_TIME * most
        assert spent[0] > held[0]

        assert place.synthesize("ended", "--resume", "--budget-usd", "100").wait(240) == 0, place.log("ended")
        ended, paid = counted(url), place.paid()
        assert ended["again"] <= lost  # only what was answered to the process that was killed
        assert ended["answered"] - at_kill["answered"] == paid[0] - held[0]
        assert ended["input"] - at_kill["input"] == paid[1] - held[1]
        assert ended["output"] - at_kill["output"] == paid[2] - held[2]
        assert ended["most_at_a_time"] == AT_A_TIME

    usage = place.rows("usage")
    assert {row["provider"] for row in usage} == {protocol}
    assert (sum(row["input_tokens"] for row in usage), sum(row["output_tokens"] for row in usage)) == paid[1:3]  # type: ignore[misc]
    made = place.rows("trajectories")
    assert len(made) >= 4 and {row["generator"] for row in made} == {f"{protocol}/m"}
    assert {row["agreement"] for row in place.rows("call_sequences")} >= {"agrees"}
    assert graph(place) == graph(offline)  # the service judges links as the templates do
    place.verify()
    assert f"{len(made)} rows: $" in place.log("ended")  # the ledger


def test_the_same_run_without_a_model_is_verified_too(offline: Place) -> None:
    assert len(offline.rows("trajectories")) >= 4
    assert {row["provider"] for row in offline.rows("usage")} <= {"offline"}
    offline.verify()
