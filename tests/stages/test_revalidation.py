"""Shipped trajectories are executed again: those that hold stay, others are refreshed or leave with a reason."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from stageruns import Finished, run_stages, small_params

from edge.commands.verify import reexecute
from edge.datasets.store import Store
from edge.errors import RunError, UsageError
from edge.sandbox_process import SandboxProcess
from edge.stages.claims import let_go
from edge.stages.params import RevalidateParams, RunSummary, StageRef
from edge.stages.revalidation import (
    home_of,
    publish_revalidation,
    revalidate_stage,
    seal_stage,
    what_to_check,
)
from edge.stages.staleness import found_in, moved, staleness
from edge.stages.start import start_run


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A version made on one day."""
    with SandboxProcess(today="2026-06-15") as sandbox:
        return asyncio.run(run_stages(small_params(tmp_path_factory.mktemp("shipped")), sandbox.url))


async def revalidated(url: str, outputs: Path, **more: object) -> tuple[RunSummary, list[StageRef]]:
    """Run the stages of a revalidation in the order of flows/revalidate.py."""
    params = RevalidateParams.model_validate({"outputs": outputs, "endpoint": url, "batch": 3, **more})
    check, endpoint = what_to_check(params)
    run = await start_run(params.of_run(endpoint), url, own_sandbox=True, check=check)
    batches = [
        await revalidate_stage(run, low, min(low + check.batch, check.rows))
        for low in range(0, check.rows, check.batch)
    ]
    summary = publish_revalidation(run, batches, seal_stage(run, batches))
    let_go(outputs, run.run_id)
    return summary, batches


def test_nothing_is_published_anew_where_all_holds(shipped: Finished) -> None:
    outputs = shipped.run.params.outputs
    with SandboxProcess(today="2026-06-15") as sandbox:
        summary, batches = asyncio.run(revalidated(sandbox.url, outputs))
    rows = shipped.summary.counts["trajectories"]
    assert found_in(outputs, summary.version) == {"holds": rows}
    assert len(batches) == -(-rows // 3)
    assert "trajectories" not in summary.counts
    store = Store(outputs)
    assert store.latest("trajectories") == shipped.summary.version
    assert store.manifest("revalidations").parents == {"trajectories": shipped.summary.version}
    (ledger,) = store.rows("stage_ledger", summary.version)
    assert (ledger["stage"], ledger["rows_in"], ledger["rows_out"]) == ("revalidation", rows, rows)
    assert summary.counts["outcomes"] >= sum(int(str(r["n_calls"])) for r in store.rows("trajectories"))


def test_what_changed_is_refreshed_or_leaves_with_the_reason(shipped: Finished) -> None:
    outputs, old = shipped.run.params.outputs, shipped.summary.version
    store = Store(outputs)
    with SandboxProcess(today="2027-02-03") as later:  # another world: figures, lists and what is there at all
        summary, _ = asyncio.run(revalidated(later.url, outputs, version=old))
        found = {str(r["trajectory_id"]): r for r in store.rows("revalidations", summary.version)}
        verdicts = found_in(outputs, summary.version)
        assert set(verdicts) - {"holds", "unreached"}, "the later world is the same"
        assert sum(verdicts.values()) == len(found) == shipped.summary.counts["trajectories"]
        before = {str(r["trajectory_id"]): r for r in store.rows("trajectories", old)}
        after = {str(r["trajectory_id"]): r for r in store.rows("trajectories", summary.version)}
        for item, row in found.items():
            if row["verdict"] == "holds":
                assert after[item] == before[item]
            elif row["verdict"] == "refreshed":
                new = after[str(row["now_id"])]
                assert (new["query"], new["split"]) == (before[item]["query"], before[item]["split"])
                assert new["run_id"] != before[item]["run_id"]
            else:
                assert (row["verdict"], bool(row["reason"])) == ("stale", True)
                assert item not in after
        assert len(after) == len([r for r in found.values() if r["verdict"] != "stale"])
        stale = [r["item_id"] for r in store.rows("rejects", summary.version)]
        assert sorted(map(str, stale)) == sorted(i for i, r in found.items() if r["verdict"] == "stale")
        # The new version is whole and true: its files, its rows executed again now, and the tools that it needs.
        assert {n: store.check(n, summary.version) for n in summary.counts} == {n: [] for n in summary.counts}
        assert reexecute(store, summary.version, later.url) == (len(after), [])
    assert store.manifest("trajectories").parents == {"trajectories": old}
    assert store.rows("trajectories", old) == list(before.values())
    (ledger,) = store.rows("stage_ledger", summary.version)
    assert ledger["rows_in"] == int(str(ledger["rows_out"])) + sum(json.loads(str(ledger["dropped"])).values())
    table = staleness(outputs, summary.version)
    assert {row["platform"] for row in table} >= {p for r in before.values() for p in r["platforms"]}  # type: ignore[attr-defined]
    assert home_of(store, summary.version, "tools") == summary.version


def test_without_refreshing_what_changed_leaves(shipped: Finished) -> None:
    outputs, old = shipped.run.params.outputs, shipped.summary.version
    with SandboxProcess(today="2027-02-03") as later:
        try:
            summary, _ = asyncio.run(revalidated(later.url, outputs, version=old, refresh=False))
        except RunError as error:
            assert "no trajectory" in str(error)
        else:
            assert "refreshed" not in found_in(outputs, summary.version)


def test_an_outage_says_nothing_about_rows(shipped: Finished, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGE_EXECUTION_BACKOFF_BASE_S", "0")
    monkeypatch.setenv("EDGE_EXECUTION_ATTEMPTS", "1")
    outputs, old = shipped.run.params.outputs, shipped.summary.version
    rows = [r for r in Store(outputs).rows("trajectories", old) if r["golden_calls"] != "[]"]
    with SandboxProcess(arguments=("--fault-rate", "1", "--fault-kinds", "server_error")) as down:
        if len(rows) == shipped.summary.counts["trajectories"]:
            with pytest.raises(RunError, match="nothing is published"):
                asyncio.run(revalidated(down.url, outputs, version=old))
            return
        summary, _ = asyncio.run(revalidated(down.url, outputs, version=old))
    assert found_in(outputs, summary.version)["unreached"] == len(rows)
    assert "trajectories" not in summary.counts


def test_what_is_not_there_is_said(shipped: Finished, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no trajectories; run: edge synthesize"):
        what_to_check(RevalidateParams(outputs=tmp_path))
    with pytest.raises(UsageError, match="holds no trajectories v1; the newest are v"):
        what_to_check(RevalidateParams(outputs=shipped.run.params.outputs, version="v1"))


def test_platforms_that_moved_most_come_first() -> None:
    rows = [
        {"platforms": ["a", "b"], "verdict": "holds", "reason": None},
        {"platforms": ["b"], "verdict": "stale", "reason": "call_empty"},
        {"platforms": [], "verdict": "holds", "reason": None},
    ]
    said = [one.said() for one in moved(rows)]
    assert [r["platform"] for r in said] == ["b", "(no call)", "a"]
    assert said[0] == {
        "platform": "b", "rows": "2", "holds": "1", "refreshed": "0", "stale": "1", "unreached": "0",
        "why": "call_empty 1",
    }  # fmt: skip


def test_a_run_of_its_own_checks_nothing(shipped: Finished) -> None:
    with pytest.raises(RunError, match="checks no version"):
        asyncio.run(revalidate_stage(shipped.run, 0, 1))
