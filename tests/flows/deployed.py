"""A Prefect server, a pool, the deployments of this repository and a worker, as the README starts them."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import httpx

ROOT = Path(__file__).parents[2]
DATABASE = "EDGE_TEST_DATABASE_URL"  # postgresql+asyncpg://..., where a database is made; else SQLite in the folder


def until(what: str, found: Callable[[], Any], seconds: float = 180) -> Any:
    """Wait until something is found and return it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := found():
            return value
        time.sleep(0.5)
    raise AssertionError(f"{what} did not happen in {seconds:g} s")


def in_postgresql(url: str, sql: str) -> Any:
    """Return the first value that a statement gives in the database of this URL."""
    import asyncpg

    async def fetched() -> Any:
        connection = await asyncpg.connect(url.replace("+asyncpg", ""))
        try:
            return await connection.fetchval(sql)
        finally:
            await connection.close()

    return asyncio.run(fetched())


@dataclass
class Site:
    """Started on entering, gone on leaving; `api` talks to its server."""

    folder: Path
    started: list[subprocess.Popen[bytes]] = field(default_factory=list[subprocess.Popen[bytes]])
    database: str = ""

    def __enter__(self) -> Self:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("PREFECT_", "EDGE_"))},
            "PREFECT_HOME": str(self.folder / "prefect"),
            "PREFECT_API_URL": f"http://127.0.0.1:{port}/api",
            "PREFECT_UI_ENABLED": "0",
            "PREFECT_WORKER_QUERY_SECONDS": "1",
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "DO_NOT_TRACK": "1",
            "PYTHONPATH": str(ROOT),
        }
        if given := os.environ.get(DATABASE):
            name = f"edge_{secrets.token_hex(6)}"
            in_postgresql(given, f"CREATE DATABASE {name}")
            self.database = f"{given.rpartition('/')[0]}/{name}"
            self.environment["PREFECT_API_DATABASE_CONNECTION_URL"] = self.database
        self.api = httpx.Client(base_url=self.environment["PREFECT_API_URL"], trust_env=False, timeout=30)
        self.start("server", "server", "start", "--host", "127.0.0.1", "--port", str(port))
        until("the server", self._healthy)
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.started):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.api.close()
        if self.database:
            in_postgresql(os.environ[DATABASE], f"DROP DATABASE {self.database.rpartition('/')[2]} WITH (FORCE)")

    def start(self, name: str, *arguments: str, folder: Path = ROOT) -> subprocess.Popen[bytes]:
        """Start a command of prefect that goes on; elsewhere than in the repository it finds no module there."""
        environment = {k: v for k, v in self.environment.items() if k != "PYTHONPATH" or folder == ROOT}
        with (self.folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(self._line(arguments), cwd=folder, env=environment, stdout=log, stderr=log)
        self.started.append(process)
        return process

    def prefect(self, *arguments: str, folder: Path = ROOT) -> str:
        """Run a command of prefect, in the repository unless told otherwise, and return what it says."""
        done = subprocess.run(
            self._line(arguments), cwd=folder, env=self.environment, capture_output=True, text=True, timeout=180
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def flow_runs(self, flow: str) -> list[dict[str, Any]]:
        """Return the runs of a flow, the oldest first."""
        asked = {"flows": {"name": {"any_": [flow]}}, "sort": "START_TIME_ASC"}
        return list(self.api.post("/flow_runs/filter", json=asked).raise_for_status().json())

    def deployment(self, name: str) -> dict[str, Any]:
        """Return a deployment by flow and own name."""
        return dict(self.api.get(f"/deployments/name/{name}").raise_for_status().json())

    def followers(self, flow: str, outputs: Path) -> list[dict[str, Any]]:
        """Return the runs of a flow that something published in a folder has started."""
        return [run for run in self.flow_runs(flow) if run["parameters"]["params"].get("outputs") == str(outputs)]

    def cancel(self, run: dict[str, Any]) -> None:
        """Ask for the end of a run, as the button of the UI does."""
        asked = {"state": {"type": "CANCELLING", "name": "Cancelling"}}
        self.api.post(f"/flow_runs/{run['id']}/set_state", json=asked).raise_for_status()

    def state(self, run: dict[str, Any]) -> str:
        """Return what a run has come to."""
        return str(self.api.get(f"/flow_runs/{run['id']}").raise_for_status().json()["state_name"])

    def run(self, deployment: str, params: dict[str, object], **options: str) -> dict[str, Any]:
        """Start a run of a deployment from the command line and return it."""
        flow = deployment.partition("/")[0]
        before = {r["id"] for r in self.flow_runs(flow)}
        more = [word for name, value in options.items() for word in (f"--{name}", value)]
        self.prefect("deployment", "run", deployment, "--params", json.dumps({"params": params}), *more)
        return next(r for r in self.flow_runs(flow) if r["id"] not in before)

    def artifacts(self, run: dict[str, Any]) -> dict[str, Any]:
        """Return the artifacts of a run by key."""
        asked = {"artifacts": {"flow_run_id": {"any_": [run["id"]]}}}
        return {a["key"]: a for a in self.api.post("/artifacts/filter", json=asked).raise_for_status().json()}

    def beats(self, run: dict[str, Any]) -> int:
        """Return how often a run has told that it lives."""
        asked = {
            "event": {"name": ["prefect.flow-run.heartbeat"]},
            "resource": {"id": [f"prefect.flow-run.{run['id']}"]},
        }
        return int(self.api.post("/events/filter", json={"filter": asked}).raise_for_status().json()["total"])

    def log(self, name: str) -> str:
        """Return what a command said."""
        return (self.folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")

    def _healthy(self) -> bool:
        assert self.started[0].poll() is None, self.log("server")
        try:
            return self.api.get("/health").is_success
        except httpx.HTTPError:
            return False

    @staticmethod
    def _line(arguments: tuple[str, ...]) -> list[str]:
        return [str(Path(sys.executable).with_name("prefect")), "--no-prompt", *arguments] if arguments[0] == (
            "deploy"
        ) else [str(Path(sys.executable).with_name("prefect")), *arguments]  # fmt: skip
