"""The flow through Prefect's API: few task runs, artifacts, and the same data as the stages alone."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from edge.datasets.store import Store
from edge.specs.compile import BUNDLED_SPECS
from edge.stages.params import SynthesizeParams

pytestmark = pytest.mark.prefect


SPECS = [BUNDLED_SPECS / name for name in ("juso", "datagokr/mois.yaml", "datagokr/molit.yaml")]


@pytest.mark.usefixtures("prefect_api")
async def test_the_flow_publishes_and_takes_few_task_runs(sandbox_url: str, tmp_path: Path) -> None:
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterKey, FlowRunFilter, FlowRunFilterName

    from flows.synthesize import synthesize

    name = f"run-{uuid.uuid4().hex}"
    params = SynthesizeParams(
        endpoint=sandbox_url, specs=SPECS, outputs=tmp_path, target=5, batch=8, iterations=2, paths=40, seed=3,
        part_rows=4,
    )  # fmt: skip
    summary = await synthesize.with_options(flow_run_name=name)(params)
    assert summary.counts["trajectories"] >= 5
    store = Store(tmp_path)
    assert {d: store.check(d, summary.version) for d in summary.counts} == {d: [] for d in summary.counts}

    async with get_client() as client:
        (run,) = await client.read_flow_runs(flow_run_filter=FlowRunFilter(name=FlowRunFilterName(any_=[name])))
        assert run.state_name == "Completed"
        artifacts = await client.read_artifacts(
            artifact_filter=ArtifactFilter(key=ArtifactFilterKey(any_=["calls", "funnel", "summary"]))
        )
        assert {a.key for a in artifacts if a.flow_run_id == run.id} == {"calls", "funnel", "summary"}
        task_runs = await _settled(client, run.id)
    # begin, compile, propose, explore, publish, report; a deduplication of nothing; three a batch and perhaps another.
    batches = sum(r.name.startswith("write-requests") for r in task_runs)
    assert batches >= 1
    parts = [r for r in task_runs if r.name.startswith("judge-repeats")]  # only as many rows need them
    assert len(parts) >= 2
    assert len(task_runs) - len(parts) <= 6 + 1 + 4 * batches < 60  # case C19: never a task run for each row
    assert {r.state_name for r in task_runs} == {"Completed"}
    assert all(r.run_count == 1 for r in task_runs)


async def _settled(client, flow_run_id):  # type: ignore[no-untyped-def]
    """Return the task runs of a flow run; they reach the server by events, after the flow has gone on."""
    import asyncio

    from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId

    wanted = FlowRunFilter(id=FlowRunFilterId(any_=[flow_run_id]))
    found = []
    for _ in range(150):
        found = await client.read_task_runs(flow_run_filter=wanted)
        ended = [r for r in found if r.state_name == "Completed"]
        if any(r.name == "report" for r in ended) and len(ended) == len(found):
            return found
        await asyncio.sleep(0.2)
    return found


@pytest.mark.usefixtures("prefect_api")
async def test_compiling_alone_publishes_tools(sandbox_url: str, tmp_path: Path) -> None:
    from edge.stages.params import CompileParams
    from flows.compile_specs import compile_specs

    summary = await compile_specs(CompileParams(endpoint=sandbox_url, specs=SPECS[:1], outputs=tmp_path))
    assert summary.counts["tools"] == len(Store(tmp_path).rows("tools")) > 0
    assert "trajectories" not in summary.counts
    assert summary.catalog.is_file()


@pytest.mark.usefixtures("prefect_api")
async def test_exploring_alone_publishes_the_graph(sandbox_url: str, tmp_path: Path) -> None:
    from edge.stages.params import ExploreParams
    from flows.explore_links import explore_links

    params = ExploreParams(endpoint=sandbox_url, specs=SPECS, outputs=tmp_path, iterations=1, paths=20, seed=3)
    summary = await explore_links(params)
    rows = Store(tmp_path).rows("links")
    assert summary.counts["links"] == len(rows) > 0
    assert "verified" in {r["status"] for r in rows}
    assert [r["stage"] for r in Store(tmp_path).rows("stage_ledger")] == [
        "spec_compilation", "link_candidates", "link_exploration",
    ]  # fmt: skip


@pytest.mark.usefixtures("prefect_api")
async def test_exploration_is_a_few_tasks_and_says_what_it_learned(sandbox_url: str, tmp_path: Path) -> None:
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterKey, FlowRunFilter, FlowRunFilterName

    from edge.stages.params import ExploreParams
    from flows.explore_links import explore_links

    params = ExploreParams(
        endpoint=sandbox_url, specs=SPECS, outputs=tmp_path, iterations=5, paths=12, rounds_a_batch=2
    )
    first = await explore_links(params)
    name = f"run-{uuid.uuid4().hex}"
    second = await explore_links.with_options(flow_run_name=name)(params)
    assert Store(tmp_path).manifest("links", second.version).parents["links"] == first.version
    async with get_client() as client:
        (run,) = await client.read_flow_runs(flow_run_filter=FlowRunFilter(name=FlowRunFilterName(any_=[name])))
        (learned,) = [
            artifact
            for artifact in await client.read_artifacts(
                artifact_filter=ArtifactFilter(key=ArtifactFilterKey(any_=["learned"]))
            )
            if artifact.flow_run_id == run.id
        ]
        names = sorted(r.name for r in await _settled(client, run.id))
    batches = [n for n in names if n.startswith("explore-links-")]
    assert 1 <= len(batches) <= 3
    assert batches == [f"explore-links-{n}" for n in range(len(batches))]
    others = [n for n in names if n not in batches and not n.startswith("begin-run")]
    assert others == ["compile-specs", "propose-links", "publish", "report"]
    assert f"started from  {first.version}" in learned.description
    assert '"platform": "juso"' in str(learned.data)


@pytest.mark.usefixtures("prefect_api")
async def test_a_wrong_document_fails_the_run_at_once(sandbox_url: str, tmp_path: Path) -> None:
    from edge.errors import UsageError
    from edge.stages.params import CompileParams
    from flows.compile_specs import compile_specs

    with pytest.raises(UsageError, match="no such file or folder"):
        await compile_specs(CompileParams(endpoint=sandbox_url, specs=[tmp_path / "nope"], outputs=tmp_path / "out"))
