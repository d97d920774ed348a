"""Whole `edge synthesize --llm-batch` runs in both protocols: killed while requests are in a batch, and ended."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from batchwriter import WriterBatches
from llmserver import served_by
from modelplaces import IN, OUT, Place

pytestmark = [pytest.mark.prefect, pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_a_run_in_batches_that_is_killed_pays_for_no_line_twice(protocol: str, tmp_path: Path) -> None:
    with served_by(WriterBatches()) as server:
        base = server.url + ("/v1" if protocol == "openai" else "")
        asked = ["--llm", protocol, "--model", "m", "--llm-base-url", base, "--llm-batch"]
        place = Place(tmp_path / "run", asked, target=1)
        first = place.synthesize("killed")
        while first.poll() is None and "user_request" not in server.names():
            time.sleep(0.01)
        first.send_signal(signal.SIGKILL)
        assert first.wait() == -signal.SIGKILL, place.log("killed")
        before = len(server.batches)

        assert place.synthesize("ended", "--resume").wait(200) == 0, place.log("ended")

    names = server.names()
    assert (
        len(names) > before and names.count("link_feasibility") == 1
    )  # nothing of the time before the kill is sent again
    assert {"user_request", "answer_key", "final_answer"} <= set(names)
    assert server.seen == [] and max(server.told.values()) == 1
    usage = place.rows("usage")
    used = [sum(int(str(row[side])) for row in usage) for side in ("input_tokens", "output_tokens")]
    assert tuple(used) == tuple(server.tokens) == place.paid()[1:3]
    assert place.paid()[3] == pytest.approx((used[0] * IN + used[1] * OUT) / 2 / 1e6)
    made = place.rows("trajectories")
    assert made and {row["generator"] for row in made} == {f"{protocol}/m"}
