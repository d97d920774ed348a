"""One process at a time works on a run; the other is told who does, and a killed one leaves no lock behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from edge.stages.claims import CLAIM, RunTaken, claim, claims, let_go

HOLDER = """
import sys, time
from pathlib import Path
from edge.stages.claims import claim
claim(Path(sys.argv[1]), "r1", flow_run="f1")
print("held", flush=True)
time.sleep(60)
"""


def test_another_process_is_refused_until_this_one_is_gone(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(RunTaken, match=rf"run r1 is under way in .*, in process {holder.pid} on "):
            claim(tmp_path, "r1")
        claim(tmp_path, "r2")  # another run is free
        let_go(tmp_path, "r2")
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
    assert [note["flow_run"] for note in claims(tmp_path) if note["run_id"] == "r1"] == ["f1"]
    claim(tmp_path, "r1")
    let_go(tmp_path, "r1")


def test_a_process_may_ask_again_and_notes_are_the_last_ones(tmp_path: Path) -> None:
    claim(tmp_path, "r1")
    claim(tmp_path, "r1", flow_run="f2")
    (note,) = claims(tmp_path)
    assert (note["pid"], note["flow_run"]) == (str(os.getpid()), "f2")
    let_go(tmp_path, "r1")
    let_go(tmp_path, "r1")
    (tmp_path / ".work" / "r9").mkdir()
    (tmp_path / ".work" / "r9" / CLAIM).write_text("{", encoding="utf-8")
    assert len(claims(tmp_path)) == 1
