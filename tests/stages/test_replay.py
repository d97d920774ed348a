"""A recorded run is replayed without anybody to ask: the same parts, verified, packed, resumed, and no key in it."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from pathlib import Path

import httpx
import pytest
from stageruns import SMALL_SPECS, Finished, calls_counted, run_stages, small_params
from tapeworld import plain

from edge import cli
from edge.commands.recordings import print_run_drift
from edge.commands.verify import reexecute
from edge.datasets.manifests import Manifest
from edge.datasets.store import Store
from edge.errors import UsageError
from edge.execution.keys import DEMO_KEY, Redactor
from edge.execution.segments import SegmentWriter
from edge.execution.takes import takes_at
from edge.ids import digest_bytes
from edge.sandbox_process import SandboxProcess
from edge.specs.compile import compile_paths
from edge.stages.context import Context
from edge.stages.link_exploration import explore_stage
from edge.stages.probing import probe_endpoint, probe_recording
from edge.stages.spec_compilation import compile_stage, propose_stage
from edge.stages.start import start_run


@pytest.fixture(scope="module")
def recorded(small_run: Finished, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A run whose sandbox is gone."""
    with pytest.raises(httpx.ConnectError):
        httpx.get(small_run.run.url, trust_env=False)
    return small_run.copied(tmp_path_factory.mktemp("recorded"))


def store_of(done: Finished) -> Path:
    return done.run.params.outputs / "recordings"


def parts(done: Finished) -> dict[str, list[str]]:
    """Return the names of the parts of a version: hashes of their bytes."""
    folders = done.run.params.outputs.glob(f"*/version={done.summary.version}")
    return {m.dataset: [p.path for p in m.parts] for m in map(Manifest.load, folders)}


def test_a_replay_gives_the_same_parts(recorded: Finished, tmp_path: Path) -> None:
    params = small_params(tmp_path, endpoint="replay", recordings=store_of(recorded))
    again = asyncio.run(run_stages(params, "replay"))
    assert again.run.run_id == recorded.run.run_id
    assert parts(again) == parts(recorded)
    assert parts(again)["outcomes"]
    assert not (tmp_path / "recordings").exists()


def test_a_packed_recording_is_replayed_and_verified(recorded: Finished, tmp_path: Path) -> None:
    outputs, packed = recorded.run.params.outputs, tmp_path / "shipped.zip"
    pack = ["recordings", "pack", str(packed), "--version", recorded.summary.version, "--outputs", str(outputs)]
    assert cli.main(pack) == 0
    params = small_params(tmp_path / "out", endpoint="replay", recordings=packed)
    again = asyncio.run(run_stages(params, "replay"))
    assert parts(again) == parts(recorded)
    repeated, found = reexecute(Store(outputs), recorded.summary.version, "replay", packed)
    assert (repeated, found) == (recorded.summary.counts["trajectories"], [])
    repeated, found = reexecute(Store(outputs), recorded.summary.version, "replay")
    assert found == []


def test_verify_says_what_the_recording_does_not_hold(recorded: Finished, tmp_path: Path) -> None:
    take = takes_at(store_of(recorded))[0]
    folder = tmp_path / "recordings" / take.name
    folder.mkdir(parents=True)
    shutil.copy(take.segments[0].path, folder)  # what exploring asked, not what the trajectories did
    repeated, found = reexecute(Store(recorded.run.params.outputs), recorded.summary.version, "replay", folder.parent)
    assert repeated
    assert found
    assert all("not_recorded" in line for line in found)


def test_another_seed_misses_and_says_so(recorded: Finished, tmp_path: Path) -> None:
    params = small_params(tmp_path, endpoint="replay", recordings=store_of(recorded), seed=99)
    run = asyncio.run(start_run(params, "replay", own_sandbox=False))
    assert (run.endpoint, run.now.date()) == (recorded.run.endpoint, recorded.run.now.date())
    assert run.run_id != recorded.run.run_id
    for stage in (compile_stage, propose_stage, explore_stage):
        asyncio.run(stage(run))
    outcomes = Context(run).rows("explore", "outcomes")
    missed = [o for o in outcomes if o["reason"] == "not_recorded"]
    assert missed
    assert {(o["outcome"], o["attempts"], o["pages"]) for o in missed} == {("environmental", 0, 0)}
    assert len(missed) < len(outcomes)


def test_nothing_to_replay_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match="holds no recorded run"):
        asyncio.run(start_run(small_params(tmp_path, endpoint="replay"), "replay", own_sandbox=False))
    missing = ["synthesize", "--endpoint", "replay", "--recordings", str(tmp_path), "--outputs", str(tmp_path / "o")]
    assert cli.guarded(lambda: cli.main(missing)) == 2
    assert "holds no recorded run" in capsys.readouterr().err


def test_no_key_is_in_a_recording(recorded: Finished) -> None:
    stored = plain(takes_at(store_of(recorded)))
    assert '"serviceKey":"***"' in stored
    assert not Redactor([DEMO_KEY]).hides(stored)


def test_nothing_is_recorded_where_nobody_wants_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGE_EXECUTION_RECORD", "0")
    with SandboxProcess() as sandbox:
        run = asyncio.run(start_run(small_params(tmp_path, iterations=1), sandbox.url, own_sandbox=True))
        for stage in (compile_stage, propose_stage, explore_stage):
            asyncio.run(stage(run))
    assert Context(run).rows("explore", "outcomes")
    assert not (tmp_path / "recordings").exists()


def test_a_run_cut_off_inside_a_stage_asks_nothing_twice(recorded: Finished, tmp_path: Path) -> None:
    """What a killed run leaves: the calls of an unfinished batch in the recording, the batch itself not there."""
    with SandboxProcess() as sandbox:
        run = asyncio.run(start_run(small_params(tmp_path), sandbox.url, own_sandbox=True))
        for stage in (compile_stage, propose_stage, explore_stage):
            asyncio.run(stage(run))
        Context(run).clear(["explore"])
        segment = takes_at(tmp_path / "recordings")[0].segments[0]
        segment.path.write_bytes(segment.path.read_bytes()[: segment.size * 2 // 3])
        lines = [json.loads(line) for line in plain(takes_at(tmp_path / "recordings")).splitlines()]
        ended = [line for line in lines if "page" in line and line["outcome"] != "environmental"]
        held = sum(page["attempts"] for page in ended)
        before = calls_counted(sandbox.url)
        done = asyncio.run(run_stages(small_params(tmp_path, resume=True), sandbox.url))
        made = calls_counted(sandbox.url) - before
    assert done.run.take == run.version != done.run.version
    assert parts(done) == parts(recorded)
    assert made == recorded.calls - held
    assert held > 20
    replayed = small_params(tmp_path / "replayed", endpoint="replay", recordings=tmp_path / "recordings")
    assert parts(asyncio.run(run_stages(replayed, "replay"))) == parts(recorded)


async def test_probes_read_what_a_run_heard(recorded: Finished) -> None:
    tools = compile_paths(SMALL_SPECS).tools
    from_bodies = await probe_recording(tools, store_of(recorded))
    assert from_bodies.counts()["agrees"] + from_bodies.counts()["differs"] > 3
    replayed = await probe_endpoint(tools, "replay", everything=True, recordings=store_of(recorded))
    assert {r.reason for r in replayed.results if r.status == "not_probed"} >= {"environmental:not_recorded"}


def test_show_and_drift_of_the_command_line(recorded: Finished, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = str(recorded.run.params.outputs)
    assert cli.main(["recordings", "show", "--outputs", outputs]) == 0
    shown = capsys.readouterr().out
    assert recorded.run.version in shown
    assert "ok: ok" in shown
    assert cli.guarded(lambda: cli.main(["recordings", "drift", "--outputs", outputs])) == 2
    assert "only one run of sandbox is recorded" in capsys.readouterr().err
    assert cli.main(["recordings", "drift", "--endpoint", "sandbox", "--outputs", outputs]) == 0
    assert "0 of" in capsys.readouterr().out
    assert cli.main(["doctor", "--endpoint", "replay", "--outputs", outputs]) == 0
    assert f"1 recorded runs in {outputs}/recordings, the newest {recorded.run.version}" in capsys.readouterr().out


def test_a_later_run_says_what_changed(recorded: Finished, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A later take of the same endpoint in which one operation gives a number where it gave a text."""
    print_run_drift(tmp_path, "sandbox")
    assert capsys.readouterr().out == ""
    shutil.copytree(store_of(recorded), tmp_path / "recordings")
    print_run_drift(tmp_path, "sandbox")
    assert capsys.readouterr().out == ""
    first = takes_at(tmp_path / "recordings")[0]
    answer = next(line for line in plain([first]).splitlines() if '"jibunAddr' in line and '"text"' in line)
    body = json.loads(answer)["text"]
    changed = re.sub(r'"admCd":\s*"(\d+)"', r'"admCd":\1', body)
    assert changed != body
    name = digest_bytes(changed.encode())
    lines = [line.replace(json.loads(answer)["body"], name) for line in plain([first]).splitlines()]
    lines = [json.dumps({"body": name, "text": changed}, separators=(",", ":")) if name in line and '"text"' in line
             else line for line in lines]  # fmt: skip
    head, *pages = [line.encode() for line in lines if '"format"' not in line or line == lines[0]]
    writer = SegmentWriter(tmp_path / "recordings" / "v29990101T000000Z-later", head)
    for page in pages:
        writer.append([page] if page.startswith(b'{"a') else [b"{}", page])
    writer.close()
    print_run_drift(tmp_path, "sandbox")
    shown = capsys.readouterr().out
    assert "1 of" in shown
    assert "wrong_type" in shown
    assert "admCd" in shown
