"""What runs that end badly say, how secrets come to tasks, and that a page which cannot be shown stops nothing."""

from __future__ import annotations

import uuid
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from edge.datasets.work import WorkDir
from edge.errors import UsageError
from edge.stages.claims import claim, let_go
from tasks.endings import outputs_of, say_what_stays, work_of

pytestmark = pytest.mark.prefect


def begun(outputs: Path, flow_run: str) -> None:
    claim(outputs, "r1", flow_run=flow_run)
    WorkDir(outputs, "r1", "compile").put_batch("k1", {}, {"tools": 3})
    WorkDir(outputs, "r1", "explore").put_batch("k2", {})
    WorkDir(outputs, "r1", "explore").put_batch("k3", {})
    let_go(outputs, "r1")


def test_the_work_of_a_flow_run_is_found(tmp_path: Path) -> None:
    begun(tmp_path, "f1")
    assert work_of(tmp_path, "f1") == ("r1", {"compile": 1, "explore": 2})
    assert work_of(tmp_path, "f2") == ("", {})
    assert outputs_of({"params": {"outputs": str(tmp_path)}}) == tmp_path
    assert outputs_of({}) == Path("outputs").absolute()


@pytest.mark.usefixtures("prefect_api")
async def test_a_run_that_ends_badly_says_what_stays(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterKey

    flow_run = str(uuid.uuid4())
    begun(tmp_path, flow_run)
    about: Any = SimpleNamespace(id=flow_run, name="mine", parameters={"params": {"outputs": str(tmp_path)}})
    with caplog.at_level("WARNING", logger="edge.prefect"):
        await say_what_stays(
            flow=SimpleNamespace(name="synthesize"),  # type: ignore[arg-type]
            flow_run=about,
            state=SimpleNamespace(name="Cancelled", message="by hand"),  # type: ignore[arg-type]
        )
    assert "mine Cancelled; finished: compile 1, explore 2; resume=true goes on from there" in caplog.text
    async with get_client() as client:
        wanted = ArtifactFilter(key=ArtifactFilterKey(any_=["unfinished"]))
        found = [a for a in await client.read_artifacts(artifact_filter=wanted) if a.description == "r1"]
    assert "explore: 2 finished batches" in str(found[0].data)


@pytest.mark.usefixtures("prefect_api")
async def test_secrets_come_from_blocks_into_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    from prefect.blocks.system import Secret

    from tasks.secrets import unlock

    name = f"key-{uuid.uuid4().hex[:8]}"
    await Secret(value="Pl4nted/secret==").asave(name)  # type: ignore[misc]
    monkeypatch.setenv("EDGE_TASK_SECRETS", f'{{"EDGE_KEY_DATAGOKR": "{name}"}}')
    monkeypatch.setenv("EDGE_KEY_DATAGOKR", "x")  # what was there before the test comes back
    monkeypatch.delenv("EDGE_KEY_DATAGOKR")
    await unlock()
    assert os.environ["EDGE_KEY_DATAGOKR"] == "Pl4nted/secret=="
    monkeypatch.setenv("EDGE_KEY_DATAGOKR", "mine")
    await unlock()
    assert os.environ["EDGE_KEY_DATAGOKR"] == "mine"  # what is set goes over blocks
    monkeypatch.setenv("EDGE_TASK_SECRETS", '{"EDGE_KEY_JUSO": "nowhere"}')
    with pytest.raises(UsageError, match="EDGE_KEY_JUSO is to come from the Secret block nowhere, which is not there"):
        await unlock()


async def test_a_page_that_cannot_be_shown_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    from tasks.progress import shown

    async def broken(**_: object) -> uuid.UUID:
        raise ConnectionError("no server")

    with caplog.at_level("WARNING", logger="edge.prefect"):
        assert await shown(broken, key="x") is None
    assert "Prefect shows no artifact: no server" in caplog.text
