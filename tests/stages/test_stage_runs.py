"""The stages end to end against a real sandbox process: what is published, what repeats, what is not done twice."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

import duckdb
import polars as pl
import pytest
from stageruns import BATCH, SMALL_SPECS, Finished, calls_counted, run_stages, small_params

from edge.commands.summary import print_calls
from edge.datasets.calls import calls_by_platform
from edge.datasets.catalog import query
from edge.datasets.manifests import Manifest
from edge.datasets.store import Store
from edge.errors import RunError, StoreError
from edge.execution.keys import DEMO_KEY
from edge.sandbox_process import SandboxProcess
from edge.specs.compile import compile_paths
from edge.stages import task_generation
from edge.stages.context import Context
from edge.stages.deduplication import deduplicate_stage
from edge.stages.execution_validation import trajectories_stage
from edge.stages.publishing import publish_stage
from edge.stages.spec_compilation import compile_stage
from edge.stages.start import start_run
from edge.stages.task_generation import requests_stage

STAGES = ("spec_compilation", "link_candidates", "link_exploration", "task_generation", "sequence_generation",
          "execution_validation", "deduplication")  # fmt: skip
COLUMNS = {
    "tools": "tool_id operation_key platform provider domain name description method url parameters outputs "
    "required_count paginated spec_file spec_hash",
    "links": "link_id source_tool target_tool bindings feasibility alpha beta posterior_mean successes "
    "structural_failures environmental_failures empties status cardinality_median cardinality_max first_executed_at "
    "last_executed_at",
    "user_tasks": "task_id query language persona difficulty plan generator",
    "call_sequences": "task_id sequence n_calls depth max_parallel junctions agreement",
    "outcomes": "outcome_id run_id task_id step_id tool_id request status_code outcome reason attempts latency_ms "
    "n_records pages response_hash",
    "trajectories": "trajectory_id query answer answer_facts messages tools golden_calls junctions domains platforms "
    "n_calls depth max_parallel kind difficulty split link_ids generator run_id",
    "rejects": "stage item_id reason detail run_id",
    "duplicates": "trajectory_id duplicate_of method similarity",
    "stage_ledger": "run_id stage rows_in rows_out dropped seconds",
    "usage": "run_id stage provider model prompt_hash calls cached_calls input_tokens output_tokens cost_usd",
    "runs": "run_id version started_at finished_at state seed endpoint config spec_hash code_version",
    "eval_attempts": "benchmark task_id model seed attempt response_pass environment_pass action_score passed "
    "tool_call_accuracy n_calls failure_labels trace",
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[str]:
    """A sandbox of this module's own: its counts are read."""
    with SandboxProcess() as process:
        yield process.url


@pytest.fixture(scope="module")
def done(small_run: Finished, sandbox: str, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """One whole run."""
    return small_run.copied(tmp_path_factory.mktemp("first"), sandbox)


def contents(outputs: Path) -> dict[str, list[tuple[str, bytes]]]:
    """Return the bytes of every published part, by dataset, in the order of the manifest."""
    found: dict[str, list[tuple[str, bytes]]] = {}
    for folder in sorted(outputs.glob("*/version=*")):
        manifest = Manifest.load(folder)
        found[manifest.dataset] = [(p.path, (folder / p.path).read_bytes()) for p in manifest.parts]
    return found


def rows(done: Finished, dataset: str) -> list[dict[str, object]]:
    return [dict(r) for r in Store(done.run.params.outputs).rows(dataset)]


def test_something_is_shipped_and_whole(done: Finished) -> None:
    counts = done.summary.counts
    assert counts["trajectories"] >= done.run.params.target
    assert counts["tools"] == len(compile_paths(SMALL_SPECS).tools) > 5
    store = Store(done.run.params.outputs)
    assert {name: store.check(name, done.summary.version) for name in counts} == {name: [] for name in counts}
    assert len({store.latest(name) for name in counts}) == 1


def test_the_ledger_adds_up(done: Finished) -> None:
    ledger = {str(r["stage"]): r for r in rows(done, "stage_ledger")}
    assert tuple(ledger) == STAGES
    rejected = [str(r["stage"]) for r in rows(done, "rejects")]
    for stage, row in ledger.items():
        dropped: dict[str, int] = json.loads(str(row["dropped"]))
        assert row["rows_in"] == int(str(row["rows_out"])) + sum(dropped.values())
        assert isinstance(row["seconds"], float)
        if stage not in ("link_exploration", "deduplication"):  # their drops are link states and duplicates
            assert rejected.count(stage) == sum(dropped.values()), stage
    out = {stage: row["rows_out"] for stage, row in ledger.items()}
    assert ledger["task_generation"]["rows_in"] == 2 * BATCH
    assert out["task_generation"] == ledger["sequence_generation"]["rows_in"] == done.summary.counts["user_tasks"]
    assert out["sequence_generation"] == ledger["execution_validation"]["rows_in"]
    assert out["execution_validation"] == ledger["deduplication"]["rows_in"]
    assert out["deduplication"] == done.summary.counts["trajectories"]
    assert out["spec_compilation"] == done.summary.counts["tools"]


def test_every_view_has_the_columns_people_rely_on(done: Finished) -> None:
    with duckdb.connect(str(done.summary.catalog), read_only=True) as connection:
        for view, columns in COLUMNS.items():
            there = [str(r[0]) for r in connection.execute(f"DESCRIBE {view}").fetchall()]
            assert set(columns.split()) <= set(there), view
            assert len(connection.execute(f"FROM {view}").fetchall()) == done.summary.counts.get(view, 0)
            versions = connection.execute(f"SELECT DISTINCT version FROM {view}_all").fetchall()
            assert {v[0] for v in versions} <= {done.summary.version}
        run = connection.execute("SELECT run_id, version, state, finished_at >= started_at FROM runs").fetchall()
        assert run == [(done.run.run_id, done.summary.version, "completed", True)]


def test_rows_lead_to_each_other(done: Finished) -> None:
    tasks = {r["task_id"]: r for r in rows(done, "user_tasks")}
    links = {r["link_id"]: r for r in rows(done, "links")}
    tools = {r["tool_id"] for r in rows(done, "tools")}
    seen = {(r["task_id"], r["step_id"]) for r in rows(done, "outcomes") if r["outcome"] == "ok"}
    for row in rows(done, "trajectories"):
        assert tasks[row["task_id"]]["query"] == row["query"]
        assert row["split"]
        for link in row["link_ids"]:  # type: ignore[attr-defined]
            assert (links[link]["status"], int(str(links[link]["successes"])) >= 1) == ("verified", True)
        for call in json.loads(str(row["golden_calls"])):
            assert call["tool"] in tools
            assert (row["task_id"], call["step"]) in seen
    assert {r["task_id"] for r in rows(done, "call_sequences")} <= set(tasks)
    for row in rows(done, "links"):
        assert row["source_tool"] in tools
        assert row["target_tool"] in tools


def test_a07_the_calls_of_every_platform_add_up(done: Finished, capsys: pytest.CaptureFixture[str]) -> None:
    outcomes = rows(done, "outcomes")
    outputs, version = done.run.params.outputs, done.summary.version
    platforms = calls_by_platform(outputs, version)
    assert {one.platform for one in platforms} == {"juso", "datagokr"}
    assert sum(one.calls for one in platforms) == len(outcomes)
    for one in platforms:
        for outcome in ("structural", "environmental"):
            assert sum(one.reasons.get(outcome, {}).values()) == one.ended[outcome]
    print_calls(outputs, version)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"calls         {len(outcomes)}"
    assert len(said) == 1 + len(platforms)
    assert f"{platforms[0].ended['ok']} ok" in said[1]


def spellings(key: str) -> set[str]:
    once = quote(key, safe="")
    found = {key, once, quote(once, safe=""), quote_plus(key), quote(key), key.replace("/", "\\/")}
    found |= {re.sub("%[0-9A-F]{2}", lambda m: m.group().lower(), text) for text in found}
    return found | {"edge+sandbox", "edge%2Bsandbox"}


def test_no_key_in_any_file(done: Finished) -> None:
    assert done.calls > 50  # made with the key: without one the sandbox refuses
    files = [p for p in done.run.params.outputs.rglob("*") if p.is_file()]
    assert any(".work" in p.parts for p in files)
    texts = 0
    for path in files:
        text = path.read_bytes().decode("latin-1")
        if path.suffix == ".parquet":  # compressed: only its rows can be searched
            text += json.dumps(pl.read_parquet(path).to_dicts(), default=str, ensure_ascii=False)
            texts += "serviceKey" in text or "confmKey" in text
        for spelling in spellings(DEMO_KEY):
            assert spelling not in text, path
    assert texts  # the search did see requests


def test_two_runs_of_one_seed_give_the_same_bytes(done: Finished, tmp_path: Path) -> None:
    with SandboxProcess() as other:  # another process, another port
        again = asyncio.run(run_stages(small_params(tmp_path), other.url))
    assert again.run.run_id == done.run.run_id
    assert again.summary.counts == done.summary.counts
    first, second = contents(done.run.params.outputs), contents(tmp_path)
    more = {"value_pool", "tool_shapes", "link_walks", "contamination", "diversity"}
    assert set(first) == set(COLUMNS) - {"eval_attempts"} | more
    for dataset, parts in first.items():
        assert second[dataset] == parts, dataset


def test_resume_reuses_what_is_whole_and_recomputes_what_is_not(
    small_run: Finished, sandbox: str, tmp_path: Path
) -> None:
    params = small_params(tmp_path, resume=True)
    first = small_run.copied(tmp_path, sandbox)
    before = calls_counted(sandbox)
    work = tmp_path / ".work" / first.run.run_id

    # Everything whole: no call at all, and the same content under a new version.
    second = asyncio.run(run_stages(params, sandbox))
    assert calls_counted(sandbox) == before
    assert second.summary.version > first.summary.version

    # A later stage is gone: it is computed again from what the run has heard. Only failures that pass are asked for
    # again: those of recovery rows.
    passing = [o for r in first.refs["outcomes"][3:] for o in Context(first.run).read(r, "outcomes")]
    faults = sum(o["outcome"] == "environmental" for o in passing)
    for path in (work / "trajectories").iterdir():
        path.unlink()
    asyncio.run(run_stages(params, sandbox))
    assert calls_counted(sandbox) == before + faults
    before += faults

    # The recording is gone too: only that stage's own calls are made again.
    shutil.rmtree(tmp_path / "recordings")
    for path in (work / "trajectories").iterdir():
        path.unlink()
    asyncio.run(run_stages(params, sandbox))
    made = calls_counted(sandbox) - before
    asked = [o for r in first.refs["outcomes"][3:] for o in Context(first.run).read(r, "outcomes")]
    expected = sum(int(str(o["attempts"])) for o in asked)  # one for each page
    assert 0 < made == expected

    # A work file that was cut off or written over counts for nothing.
    before = calls_counted(sandbox)
    key = first.refs["user_tasks"][0].key
    damaged = work / "requests" / f"{key}.user_tasks.parquet"
    data = damaged.read_bytes()
    damaged.write_bytes(data[: len(data) // 2])
    asyncio.run(run_stages(params, sandbox))
    assert calls_counted(sandbox) > before
    assert damaged.read_bytes() == data
    store = Store(tmp_path)
    versions = sorted(p.name.removeprefix("version=") for p in (tmp_path / "trajectories").glob("version=*"))
    assert len(versions) == 5
    assert len({store.manifest("trajectories", v).content for v in versions}) == 1
    assert contents(small_run.run.params.outputs)["trajectories"][0][1] == damaged_free(store, versions[-1])


def damaged_free(store: Store, version: str) -> bytes:
    """Return the bytes of the first part of a version."""
    folder = store.folder("trajectories", version)
    return (folder / store.manifest("trajectories", version).parts[0].path).read_bytes()


def test_without_resume_a_run_starts_over(sandbox: str, tmp_path: Path) -> None:
    params = small_params(tmp_path)
    kept = asyncio.run(start_run(params.model_copy(update={"resume": True}), sandbox, own_sandbox=True))
    ref = asyncio.run(compile_stage(kept))
    assert Context(asyncio.run(start_run(kept.params, sandbox, own_sandbox=True))).finished("compile", ref.key) == ref
    again = asyncio.run(start_run(params, sandbox, own_sandbox=True))
    assert again.run_id == kept.run_id
    assert Context(again).finished("compile", ref.key) is None


def test_a_run_without_a_trajectory_publishes_nothing(done: Finished) -> None:
    store = Store(done.run.params.outputs)
    newest = store.latest("trajectories")
    nothing = deduplicate_stage(done.run, [])
    refs = {**done.refs, "trajectories": [nothing], "duplicates": [nothing]}
    later = done.run.model_copy(update={"version": "v20990101T000000Z-00000000"})
    with pytest.raises(RunError, match=r"nothing is published; most frequent reasons: \w+: \w+ \(\d+\)"):
        publish_stage(later, refs)
    assert store.latest("trajectories") == store.latest("tools") == newest


def test_a_request_of_an_earlier_batch_is_dropped(done: Finished, monkeypatch: pytest.MonkeyPatch) -> None:
    first = done.refs["user_tasks"][0]
    context = Context(done.run)
    steered = asyncio.run(requests_stage(done.run, 0, BATCH, [first]))
    kept = [{str(row["task_id"]) for row in context.read(ref, "user_tasks")} for ref in (first, steered)]
    assert kept[1]
    assert not kept[0] & kept[1]
    # Planned without regard to what is there, the same numbers make the same requests.
    for steering in ("used_by", "set_out"):
        monkeypatch.setattr(task_generation, steering, lambda *_: Counter())
    again = asyncio.run(requests_stage(done.run, 0, BATCH, [first], [first]))
    assert again.figures["tasks"] == 0
    assert context.read(again, "user_tasks") == []
    (row,) = context.read(again, "stage_ledger")
    assert json.loads(str(row["dropped"]))["same_task"] == first.figures["tasks"]


def test_work_that_vanished_under_a_stage_is_said(done: Finished) -> None:
    requests, keys = done.refs["user_tasks"][0], done.refs["call_sequences"][0]
    gone = requests.model_copy(update={"key": "0" * 24})
    with pytest.raises(StoreError, match="work files of requests are gone"):
        asyncio.run(trajectories_stage(done.run, gone, keys.model_copy(update={"key": "1" * 24})))


QUERIES = sorted((Path(__file__).parents[2] / "queries").glob("*.sql"))
# Nothing is evaluated here, nothing differs from its document, and one version has no earlier one to compare with.
QUIET = {"pass_at_k", "document_faults", "link_changes", "duplicates"}


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_example_queries_say_what_they_show_and_answer(done: Finished, path: Path, tmp_path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.startswith("-- ")
    columns, found = query(done.run.params.outputs, text)
    assert found or path.stem in QUIET
    assert query(tmp_path, text) == (columns, []) or path.stem == "neighbourhood"


def test_lineage_names_all_that_an_example_rests_on(done: Finished) -> None:
    example = next(row for row in rows(done, "trajectories") if row["kind"] == "positive" and row["link_ids"])
    _, found = query(done.run.params.outputs, f"FROM lineage('{example['trajectory_id']}')")
    ids = {what: [row[1] for row in found if row[0] == what] for what in {str(row[0]) for row in found}}
    calls = json.loads(str(example["golden_calls"]))
    assert ids["trajectory"] == [example["trajectory_id"]]
    assert ids["request"] == ids["answer key"] == [example["task_id"]]
    assert len(ids["call"]) >= len(calls)
    assert sorted(ids["link"]) == sorted(set(example["link_ids"]))  # type: ignore[call-overload]
    assert set(ids["tool"]) == {call["tool"] for call in calls}
    assert ids["run"] == [done.run.run_id]
    recorded = json.loads(next(row[2] for row in found if row[0] == "recorded response"))
    assert (done.run.params.outputs / recorded["recording"]).exists()
    documents = {row[1]: json.loads(row[2])["spec_hash"] for row in found if row[0] == "document"}
    assert documents and set(documents.values()) <= {row["spec_hash"] for row in rows(done, "tools")}
