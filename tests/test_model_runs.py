"""Whole `edge synthesize` runs with a model service, in both protocols: killed, stopped by a budget, and ended well.

The service is a process that answers every kind of prompt from its text (benchmarks/model_writer_server.py) and counts
for itself what it was asked, so that what is paid twice is seen where it would be billed.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from edge import cli
from edge.datasets.store import Store
from edge.llm.books import FILE
from edge.specs.compile import BUNDLED_SPECS

pytestmark = [pytest.mark.prefect, pytest.mark.slow, pytest.mark.timeout(600)]

ROOT = Path(cli.__file__).parents[1]
SPECS = [str(BUNDLED_SPECS / name) for name in ("juso", "datagokr/mois.yaml", "datagokr/molit.yaml")]
IN, OUT = 1.0, 4.0  # dollars for a million tokens
AT_A_TIME = 4


@contextmanager
def writer(delay_ms: int = 0) -> Iterator[str]:
    """The service, as a process; gives its address."""
    script = ROOT / "benchmarks" / "model_writer_server.py"
    command = [sys.executable, str(script), "--delay-ms", str(delay_ms), "--exit-with-stdin"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        assert said.startswith("listening on "), said
        try:
            yield said.split()[-1]
        finally:
            process.terminate()


def counted(url: str) -> dict[str, Any]:
    return httpx.get(f"{url}/count", trust_env=False).json()


@dataclass
class Place:
    """A folder in which `edge` is run, with a model or without."""

    folder: Path
    options: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        price = f"price: {{input: {IN}, output: {OUT}}}"
        entries = [f"- {{provider: {who}, match: [m], {price}}}" for who in ("openai", "anthropic")]
        (self.folder / "models.yaml").write_text("\n".join(["models:", *entries]) + "\n", encoding="utf-8")

    @property
    def outputs(self) -> Path:
        return self.folder / "outputs"

    def start(self, name: str, *command: str) -> subprocess.Popen[bytes]:
        environment = {
            **{k: v for k, v in os.environ.items() if k != "PREFECT_API_URL"},
            "PREFECT_HOME": str(self.folder / "prefect"),
            "PYTHONPATH": str(ROOT),
            "EDGE_LLM_MODELS": str(self.folder / "models.yaml"),
            "EDGE_LLM_CONCURRENCY": str(AT_A_TIME),
            "EDGE_EXPLORATION_MAX_CALLS": "300",
        }
        with (self.folder / f"{name}.log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "edge.cli", *command, "--outputs", str(self.outputs)],
                cwd=self.folder, env=environment, stdout=log, stderr=log,
            )  # fmt: skip

    def synthesize(self, name: str, *more: str) -> subprocess.Popen[bytes]:
        told = ["--target", "4", "--seed", "3", "--specs", *SPECS]
        return self.start(name, "synthesize", *told, *self.options, *more)

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(encoding="utf-8")

    def paid(self, prompt: str = "") -> tuple[int, int, int, float]:
        """Turns, tokens in and out, and dollars that the books hold."""
        if not (self.outputs / FILE).is_file():
            return 0, 0, 0, 0.0
        with closing(sqlite3.connect(self.outputs / FILE)) as books:
            try:
                row = books.execute(
                    "SELECT count(*), sum(input), sum(output), sum(usd) FROM paid WHERE ? IN ('', prompt)", (prompt,)
                ).fetchone()
            except sqlite3.OperationalError:  # not made yet
                return 0, 0, 0, 0.0
        return int(row[0]), int(row[1] or 0), int(row[2] or 0), float(row[3] or 0.0)

    def rows(self, dataset: str) -> list[dict[str, object]]:
        store = Store(self.outputs)
        return store.rows(dataset, store.versions(dataset)[-1])

    def verify(self) -> None:
        assert self.start("verify", "verify").wait(200) == 0, self.log("verify")


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
