"""A real `edge synthesize` is killed in the middle and goes on; a planted key is looked for in all that runs leave."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, quote_plus

import duckdb
import httpx
import polars as pl
import pytest

from edge import cli
from edge.datasets.manifests import Manifest
from edge.execution.keys import DEMO_KEY, Redactor
from edge.execution.segments import members
from edge.execution.takes import takes_at
from edge.sandbox_process import SandboxProcess
from edge.specs.compile import BUNDLED_SPECS

pytestmark = [pytest.mark.prefect, pytest.mark.slow, pytest.mark.timeout(600)]

SPECS = [str(BUNDLED_SPECS / name) for name in ("juso", "datagokr/mois.yaml", "datagokr/molit.yaml")]
PLANTED = "Zk9+planted/s3cret+key-for-nobody=="
KILL_AT = 0.6  # share of the calls of a whole run


@dataclass
class Place:
    """A folder in which runs are started: outputs, Prefect's home with its database, and what was printed."""

    folder: Path
    url: str
    more: dict[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)

    @property
    def outputs(self) -> Path:
        return self.folder / "outputs"

    def start(self, name: str, *options: str) -> subprocess.Popen[bytes]:
        """Start a run that says all it can say and lets Prefect keep what it logs."""
        asked = ("--endpoint", self.url, "--target", "8", "--seed", "3", "--specs", *SPECS)
        return self.edge(name, "synthesize", "-v", *asked, *options)

    def edge(self, name: str, *words: str) -> subprocess.Popen[bytes]:
        """Start a command on these outputs."""
        command = [sys.executable, "-m", "edge.cli", *words, "--outputs", str(self.outputs)]
        environment = {
            **{k: v for k, v in os.environ.items() if k not in ("PREFECT_API_URL", "PREFECT_LOGGING_TO_API_ENABLED")},
            "PREFECT_HOME": str(self.folder / "prefect"),
            "PREFECT_LOGGING_TO_API_ENABLED": "true",
            "PREFECT_LOGGING_LEVEL": "DEBUG",
            "PYTHONPATH": str(Path(cli.__file__).parents[1]),
            "EDGE_DEBUG": "1",
            **self.more,
        }
        with (self.folder / f"{name}.log").open("wb") as log:
            return subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log)

    def run(self, name: str, *options: str) -> int:
        """Run to the end."""
        return self.start(name, *options).wait(240)

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(encoding="utf-8")

    def parts(self) -> dict[str, list[str]]:
        """Return the names of the published parts: hashes of their bytes."""
        newest: dict[str, list[str]] = {}
        for folder in sorted(self.outputs.glob("*/version=*")):
            manifest = Manifest.load(folder)
            newest[manifest.dataset] = [part.path for part in manifest.parts]
        return newest

    def batches(self) -> dict[str, int]:
        """Return the entries of finished batches, each with the time at which it was written."""
        entries = self.outputs.glob(".work/*/*/*.json")
        return {path.relative_to(self.outputs).as_posix(): path.stat().st_mtime_ns for path in entries}

    def held(self) -> int:
        """Return how many requests the recording has an answer to, from pages that ended."""
        rows = [json.loads(line) for line in recorded(self.outputs)]
        return sum(row["attempts"] for row in rows if "page" in row and row["outcome"] != "environmental")


def recorded(outputs: Path) -> list[str]:
    """Return the lines of everything that was recorded, unpacked."""
    takes = takes_at(outputs / "recordings")
    return [line.decode() for take in takes for s in take.segments for _, lines in members(s) for line in lines]


def calls(url: str) -> int:
    return int(httpx.get(f"{url}/__sandbox__/statistics", trust_env=False).json()["calls"])


@dataclass(frozen=True)
class Story:
    """Three runs of the same parameters against the same sandbox."""

    whole: Place
    needed: int
    killed: Place
    made: int
    held: int
    finished: dict[str, int]
    ended: dict[str, int]
    resumed: int


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    folder = tmp_path_factory.mktemp("killed")
    with SandboxProcess(arguments=("--latency-ms", "20")) as sandbox:
        start = calls(sandbox.url)
        whole = Place(folder / "whole", sandbox.url)
        assert whole.run("first") == 0, whole.log("first")
        needed = calls(sandbox.url) - start

        killed = Place(folder / "killed", sandbox.url)
        start = calls(sandbox.url)
        process = killed.start("first")
        while process.poll() is None and calls(sandbox.url) - start < needed * KILL_AT:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        made, held = calls(sandbox.url) - start, killed.held()
        finished = killed.batches()
        start = calls(sandbox.url)
        assert killed.run("second", "--resume") == 0, killed.log("second")
        resumed = calls(sandbox.url) - start
        yield Story(whole, needed, killed, made, held, finished, killed.batches(), resumed)


def test_nothing_that_was_finished_is_asked_twice(story: Story) -> None:
    assert story.finished  # there were whole batches, and one that was cut off
    assert 0 < story.held <= story.made < story.needed
    assert story.resumed == story.needed - story.held
    assert story.made - story.held <= 16  # asked, but killed before the answer was written


def test_only_the_batch_in_flight_is_computed_again(story: Story) -> None:
    assert any("/explore/" in name for name in story.finished)
    assert {name: story.ended[name] for name in story.finished} == story.finished
    assert len(story.ended) > len(story.finished)


def test_the_result_is_that_of_an_uninterrupted_run(story: Story) -> None:
    assert story.killed.parts() == story.whole.parts()
    assert len(story.whole.parts()["trajectories"]) > 0


def test_what_was_shipped_is_checked_from_the_shell(story: Story) -> None:
    shipped = len(pl.concat(pl.read_parquet(p) for p in story.whole.outputs.glob("trajectories/version=*/part-*")))
    assert story.whole.edge("again", "revalidate").wait(240) == 0, story.whole.log("again")
    said = story.whole.log("again")
    assert f"{shipped}  holds" in said
    assert "all as they were: no new version" in said
    with duckdb.connect(str(story.whole.outputs / "edge.duckdb"), read_only=True) as catalog:
        assert catalog.execute("SELECT verdict, count(*) FROM revalidations GROUP BY 1").fetchall() == [
            ("holds", shipped)
        ]


def spellings(key: str) -> set[str]:
    once = quote(key, safe="")
    found = {key, once, quote(once, safe=""), quote_plus(key), quote(key), key.replace("/", "\\/")}
    return found | {text.replace("%2B", "%2b").replace("%2F", "%2f").replace("%3D", "%3d") for text in found}


def texts(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield every file as text, and what only its format shows: rows of Parquet, members of a recording, tables."""
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        yield str(path), path.read_bytes().decode("latin-1")
        if path.suffix == ".parquet":
            yield f"rows of {path}", json.dumps(pl.read_parquet(path).to_dicts(), default=str, ensure_ascii=False)
        elif path.suffix == ".db":
            with sqlite3.connect(path) as database:
                yield f"tables of {path}", "\n".join(database.iterdump())
    for outputs in folder.rglob("outputs"):
        if (outputs / "recordings").is_dir():
            yield f"recordings of {outputs}", "\n".join(recorded(outputs))


def search(folder: Path, key: str, tail: str) -> dict[str, str]:
    """Assert that no text holds the key; return the texts."""
    found = dict(texts(folder))
    redactor = Redactor([key])
    for name, text in found.items():
        for spelling in spellings(key) | {tail}:
            assert spelling not in text, name
        if "tables of" not in name and name.endswith((".log", ".json")):
            assert not redactor.hides(text), name
    return found


def test_the_key_of_runs_that_end_well_is_nowhere(story: Story) -> None:
    for place in (story.whole, story.killed):
        found = search(place.folder, DEMO_KEY, "sandbox/key")
        tables = next(text for name, text in found.items() if name.startswith("tables of"))
        assert "synthesize-8-seed-3" in tables  # runs, their parameters, logs and artifacts are in there
        assert "how the calls of" in tables
        assert any("serviceKey" in text for name, text in found.items() if name.startswith("recordings of"))


def test_the_key_of_a_run_that_fails_is_nowhere(tmp_path: Path) -> None:
    """The key is refused, connections break in between, every log and the traceback are on."""
    faults = ("--fault-rate", "0.3", "--fault-kinds", "reset,truncated,malformed,server_error,html,redirect")
    planted = {f"EDGE_KEY_{name}": PLANTED for name in ("JUSO", "JUSO_COORD", "DATAGOKR")}
    with SandboxProcess(arguments=faults) as sandbox:
        place = Place(tmp_path / "refused", sandbox.url, {**planted, "EDGE_EXECUTION_BACKOFF_BASE_S": "0.01"})
        assert place.run("first") == 1
        assert calls(sandbox.url) > 5  # made with the key
    said = place.log("first")
    assert "Traceback" in said
    found = search(place.folder, PLANTED, "s3cret")
    tables = next(text for name, text in found.items() if name.startswith("tables of"))
    assert "FAILED" in tables
    asked = next(text for name, text in found.items() if name.startswith("recordings of"))
    assert "key_rejected" in asked
