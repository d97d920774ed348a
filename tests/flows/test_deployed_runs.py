"""Server, pool, deployments and worker as in the README: runs by hand, by schedule, by event, and one cancelled.

With EDGE_TEST_DATABASE_URL the server keeps its state in a PostgreSQL database that is made there (docs/cluster.md).
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from clones import DEPLOYMENT, OWN, POOL, deploy, killed, repository
from deployed import DATABASE, Site, in_postgresql, until

from edge.datasets.store import Store
from edge.sandbox_process import SandboxProcess
from edge.specs.compile import BUNDLED_SPECS
from edge.stages.claims import claims

pytestmark = [pytest.mark.prefect, pytest.mark.slow, pytest.mark.timeout(900)]

SPECS = [str(BUNDLED_SPECS / name) for name in ("juso", "datagokr/mois.yaml", "datagokr/molit.yaml")]
ENDED = ("Completed", "Failed", "Crashed", "Cancelled", "TimedOut")
SMALL: dict[str, object] = {"specs": SPECS, "target": 5, "batch": 8, "iterations": 2, "paths": 40, "seed": 3}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("site")) as started:
        started.prefect("work-pool", "create", "local", "--type", "process", "--overwrite")
        started.prefect("deploy", "--all")
        started.prefect("automation", "create", "--from-file", "automations/dead_runs.yaml")
        started.start("worker", "worker", "start", "--pool", "local")
        yield started


@dataclass(frozen=True)
class Orphan:
    """A run whose worker and process were killed, and the run that waits for its slot."""

    run: dict[str, Any]
    waiting: dict[str, Any]
    outputs: Path


@pytest.fixture(scope="module")
def orphan(site: Site, sandbox_url: str, tmp_path_factory: pytest.TempPathFactory) -> Orphan:
    """Asked for first and looked at last: that it is dead takes more than a minute to be noticed."""
    folder = tmp_path_factory.mktemp("elsewhere")
    deploy(site, repository(tmp_path_factory.mktemp("repository")))
    worker = site.start("doomed", "worker", "start", "--pool", POOL, folder=folder)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it takes connections and says nothing
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        run = site.run(DEPLOYMENT, {"specs": SPECS[:1], "outputs": str(folder / "dead"), "endpoint": url})
        until("a sign of life", lambda: site.beats(run), 120)
        killed(worker)
    assert site.state(run) == "Running"  # nobody has told the server
    site.start("clones", "worker", "start", "--pool", POOL, folder=folder)
    asked = {"specs": SPECS[:1], "outputs": str(folder / "next"), "endpoint": sandbox_url}
    return Orphan(run, site.run(DEPLOYMENT, asked), folder / "next")


@pytest.fixture(scope="module")
def slow_sandbox() -> Iterator[str]:
    """A sandbox that takes its time, so that a run can be cancelled in the middle."""
    with SandboxProcess(arguments=("--latency-ms", "150")) as sandbox:
        yield sandbox.url


@pytest.mark.usefixtures("orphan")
def test_a_run_by_hand_completes_and_what_waits_for_it_follows(site: Site, tmp_path: Path) -> None:
    run = site.run("synthesize", {**SMALL, "outputs": str(tmp_path)})
    until("the end of the run", lambda: site.state(run) in ENDED, 300)
    assert site.state(run) == "Completed", site.log("worker")
    store = Store(tmp_path)
    assert site.api.get(f"/flow_runs/{run['id']}").json()["name"] == "synthesize-5-seed-3"
    version = store.latest("runs")
    assert version is not None
    assert len(store.rows("trajectories", version)) >= 5
    assert {"progress", "funnel", "calls", "summary"} <= set(site.artifacts(run))
    # The new version is announced, and revalidate takes it from there.
    checked = until("the run that follows", lambda: site.followers("revalidate", tmp_path), 120)[0]
    assert checked["parameters"]["params"] == {"version": version, "outputs": str(tmp_path)}
    until("its end", lambda: site.state(checked) in ENDED, 300)
    assert site.state(checked) == "Completed", site.log("worker")
    assert {r["checked_version"] for r in store.rows("revalidations")} == {version}
    assert "drift" in site.artifacts(checked)


def test_a_schedule_starts_runs(site: Site, tmp_path: Path) -> None:
    deployment = site.deployment("compile-specs/compile-specs")
    soon = datetime.now(UTC) + timedelta(seconds=10)
    schedule = {
        "schedule": {"interval": 60, "anchor_date": soon.isoformat()},
        "active": True,
        "parameters": {"params": {"specs": SPECS[:1], "outputs": str(tmp_path)}},
    }
    made = site.api.post(f"/deployments/{deployment['id']}/schedules", json=[schedule]).raise_for_status().json()

    def completed() -> list[dict[str, Any]]:
        made = site.flow_runs("compile-specs")
        return [r for r in made if r["state_name"] == "Completed" and "auto-scheduled" in r["tags"]]

    until("a scheduled run", completed, 300)
    path = f"/deployments/{deployment['id']}/schedules/{made[0]['id']}"
    # SQLite may be busy with the run's own records: the server then says 503.
    until("the schedule to go", lambda: site.api.delete(path).status_code in (204, 404), 60)
    assert Store(tmp_path).rows("tools")
    # Its tools are new: exploring them follows, on the same documents.
    explored = until("the run that follows", lambda: site.followers("explore-links", tmp_path), 120)[0]
    asked = explored["parameters"]["params"]
    assert (asked["specs"], asked["outputs"], asked["links"]) == (SPECS[:1], str(tmp_path), "latest")
    until("its end", lambda: site.state(explored) in ENDED, 300)
    assert site.state(explored) == "Completed", site.log("worker")


def test_a_cancelled_run_leaves_what_is_finished(site: Site, slow_sandbox: str, tmp_path: Path) -> None:
    asked = {**SMALL, "outputs": str(tmp_path), "endpoint": slow_sandbox, "rounds_a_batch": 1, "iterations": 6}
    run = site.run("synthesize", asked)
    until("a finished batch", lambda: list(tmp_path.glob(".work/*/explore/*.json")))
    site.cancel(run)
    until("its end", lambda: site.state(run) in ENDED, 300)
    assert site.state(run) == "Cancelled"
    assert not list(tmp_path.glob("*/version=*"))
    (note,) = claims(tmp_path)
    assert note["flow_run"] == run["id"]
    finished = {p: p.stat().st_mtime_ns for p in tmp_path.glob(".work/*/*/*.json")}
    told = until("what is told of it", lambda: site.artifacts(run).get("unfinished"), 60)
    assert "explore: " in told["data"]
    again = site.run("synthesize", {**asked, "resume": True})
    until("the end of the run that goes on", lambda: site.state(again) in ENDED, 300)
    assert site.state(again) == "Completed", site.log("worker")
    assert {p: p.stat().st_mtime_ns for p in finished} == finished
    assert Store(tmp_path).rows("trajectories")


def test_a_run_that_dies_with_its_worker_gives_its_slot_to_one_that_clones(site: Site, orphan: Orphan) -> None:
    until("the dead run is noticed", lambda: site.state(orphan.run) == "Crashed", 180)
    until("the end of the next run", lambda: site.state(orphan.waiting) in ENDED, 120)
    assert site.state(orphan.waiting) == "Completed", site.log("clones")
    dead, waiting = (site.api.get(f"/flow_runs/{r['id']}").json() for r in (orphan.run, orphan.waiting))
    assert waiting["start_time"] > dead["end_time"]
    store = Store(orphan.outputs)
    (run,) = store.rows("runs", store.versions("runs")[0])  # the tools are new: exploring them, with this code, follows
    assert run["code_version"] == OWN


def test_the_state_is_in_the_database_that_is_given(site: Site) -> None:
    if not site.database:
        pytest.skip(f"{DATABASE} names no PostgreSQL server")
    assert in_postgresql(site.database, "SELECT count(*) FROM deployment") == 5
    assert not list((site.folder / "prefect").glob("*.db"))
