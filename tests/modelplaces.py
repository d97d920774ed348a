"""Folders in which whole `edge` runs ask a model service on loopback, and the service that knows every prompt."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from edge import cli
from edge.datasets.store import Store
from edge.llm.books import FILE
from edge.specs.compile import BUNDLED_SPECS

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
    target: int = 4

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        price = f"price: {{input: {IN}, output: {OUT}, batch_input: {IN / 2}, batch_output: {OUT / 2}}}"
        entries = [f"- {{provider: {who}, match: [m], batch: true, {price}}}" for who in ("openai", "anthropic")]
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
            "EDGE_LLM_BATCH_GATHER_S": "0.3",
            "EDGE_LLM_BATCH_POLL_S": "0.1",
            "EDGE_EXPLORATION_MAX_CALLS": "300",
        }
        with (self.folder / f"{name}.log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "edge.cli", *command, "--outputs", str(self.outputs)],
                cwd=self.folder, env=environment, stdout=log, stderr=log,
            )  # fmt: skip

    def synthesize(self, name: str, *more: str) -> subprocess.Popen[bytes]:
        told = ["--target", str(self.target), "--seed", "3", "--specs", *SPECS]
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
