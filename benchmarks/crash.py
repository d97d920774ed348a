"""A run is killed (kill -9) at random moments over all its stages and goes on each time, until it ends.

Run: python benchmarks/crash.py [--kills 30] [--seed 1] [--target 8]

Printed: for each story (a run from nothing to its end) where the kills fell; whether the published parts are those of
an uninterrupted run, byte for byte; how many calls were made more than once for each kill; and what a reader saw that
looked at the folder and at the catalog all the time: a version of which a listed file was missing or other than its
manifest says, a run that was shown before all of its datasets were there, opens of the catalog that failed.
The exit code is 1 where anything differs.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import httpx

from edge.datasets.manifests import Manifest
from edge.datasets.store import Store
from edge.errors import StoreError
from edge.sandbox_process import SandboxProcess
from edge.specs.compile import BUNDLED_SPECS
from edge.stages.params import SynthesizeParams
from edge.stages.start import STAGES

SPECS = [BUNDLED_SPECS / name for name in ("juso", "datagokr/mois.yaml", "datagokr/molit.yaml")]
DRIVER = Path(__file__).with_name("direct_run.py")
DATASETS = ("tools", "links", "user_tasks", "call_sequences", "trajectories", "outcomes", "stage_ledger")


def small_params(outputs: Path, target: int, *, resume: bool) -> SynthesizeParams:
    """Return the parameters of a run that goes through all stages in seconds, several batches in each."""
    return SynthesizeParams(
        specs=SPECS, outputs=outputs, target=target, batch=4, iterations=4, paths=40, rounds_a_batch=1, seed=3,
        resume=resume,
    )  # fmt: skip


def parts(outputs: Path) -> dict[str, list[str]]:
    """Return the names of the parts of the newest whole version, hashes of their bytes, by dataset."""
    store = Store(outputs)
    version = store.latest("runs")
    folders = sorted(outputs.glob(f"*/version={version}"))
    return {m.dataset: [p.path for p in m.parts] for m in map(Manifest.load, folders)}


def calls(url: str) -> int:
    """Return how many calls the sandbox has answered."""
    return int(httpx.get(f"{url}/__sandbox__/statistics", trust_env=False).json()["calls"])


@dataclass
class Reader:
    """Looks at an outputs folder until it is stopped, and keeps what it should not have seen."""

    outputs: Path
    looks: int = 0
    seen: list[str] = field(default_factory=list[str])
    _checked: set[Path] = field(default_factory=set[Path])
    _stop: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Reader:
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._stop.wait(0.02):
            self.looks += 1
            self._look_at_files()
            self._look_at_catalog()

    def _look_at_files(self) -> None:
        for manifest in self.outputs.glob("*/version=*/_manifest.json"):
            folder = manifest.parent
            if folder in self._checked:
                continue
            self._checked.add(folder)
            try:
                self.seen += Manifest.load(folder).problems(folder)
            except StoreError as error:
                self.seen.append(str(error))
            if folder.parent.name == "runs":  # the seal: all else must be there
                missing = [n for n in DATASETS if not (self.outputs / n / folder.name / "_manifest.json").is_file()]
                self.seen += [f"{folder.name} is shown without {name}" for name in missing]

    def _look_at_catalog(self) -> None:
        path = self.outputs / "edge.duckdb"
        if not path.is_file():
            return
        try:
            with duckdb.connect(str(path), read_only=True) as connection:
                shown = {
                    name: connection.execute(f"SELECT count(*), max(version) FROM {name}_all").fetchall()[0][1]
                    for name in ("trajectories", "links", "runs")
                }
        except duckdb.Error as error:
            self.seen.append(f"catalog: {str(error).splitlines()[0]}")
            return
        if len(set(shown.values())) > 1:
            self.seen.append(f"catalog: a mixture is shown: {shown}")


@dataclass
class Story:
    """What came of a run that was killed over and over."""

    killed_in: list[str]
    made: int
    same: bool
    seen: list[str]
    looks: int


def start(outputs: Path, url: str, target: int, *, resume: bool) -> subprocess.Popen[str]:
    """Start a run in a process of its own; it has begun when this returns."""
    outputs.mkdir(parents=True, exist_ok=True)
    given = outputs.parent / f"{outputs.name}.json"
    given.write_text(small_params(outputs, target, resume=resume).model_dump_json(), encoding="utf-8")
    command = [sys.executable, str(DRIVER), str(given), url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    return process


def ended(process: subprocess.Popen[str], seconds: float | None = None) -> int:
    """Wait for the end of a run and return its exit code; raises TimeoutExpired where it lives longer."""
    code = process.wait(seconds)
    if process.stdout is not None:
        process.stdout.close()
    return code


def where(outputs: Path) -> str:
    """Return the last stage that had begun: the one of the newest file; "publish" where versions are there."""
    if any(outputs.glob("*/version=*")):
        return "publish"
    files = [p for p in outputs.glob(".work/*/*/*") if p.is_file()]
    newest = max(files, key=lambda p: p.stat().st_mtime_ns, default=None)
    return newest.parent.name if newest else "start"


def story(outputs: Path, url: str, target: int, whole: dict[str, list[str]], lifetimes: Sequence[float]) -> Story:
    """Kill a run after each of these seconds, as long as it lives, then let it end."""
    before, killed = calls(url), list[str]()
    with Reader(outputs) as reader:
        for seconds in lifetimes:
            process = start(outputs, url, target, resume=True)
            try:
                ended(process, seconds)
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                ended(process)
                killed.append(where(outputs))
        else:
            process = start(outputs, url, target, resume=True)
            ended(process)
        time.sleep(0.1)
    assert process.returncode == 0
    return Story(killed, calls(url) - before, parts(outputs) == whole, reader.seen, reader.looks)


def lifetimes(rng: random.Random, seconds: float, number: int) -> list[float]:
    """Return random lives: short beside a whole run, so that a story has several, and some ending in each stage."""
    return [rng.uniform(0.05, 0.6) * seconds for _ in range(number)]


def main() -> int:
    """Print the stories and what they come to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", type=int, default=8)
    args = parser.parse_args()
    rng, told, bad = random.Random(args.seed), Counter[str](), 0
    kills = more = looks = 0
    with tempfile.TemporaryDirectory() as folder, SandboxProcess() as sandbox:
        before, began = calls(sandbox.url), time.monotonic()
        process = start(Path(folder) / "whole", sandbox.url, args.target, resume=False)
        assert ended(process) == 0
        seconds, needed = time.monotonic() - began, calls(sandbox.url) - before
        whole = parts(Path(folder) / "whole")
        print(f"uninterrupted: {seconds:.1f} s, {needed} calls, {sum(map(len, whole.values()))} parts")
        number = 0
        while kills < args.kills:
            number += 1
            lives = lifetimes(rng, seconds, min(8, args.kills - kills))
            one = story(Path(folder) / f"story-{number}", sandbox.url, args.target, whole, lives)
            kills += len(one.killed_in)
            more += one.made - needed
            looks += one.looks
            told.update(one.killed_in)
            if not one.killed_in:  # the machine is quicker than it was
                seconds *= 0.6
            bad += (not one.same) + len(one.seen)
            print(f"story {number}: killed in {', '.join(one.killed_in) or 'nothing'}; same bytes: {one.same}")
            print(f"  {one.made - needed} calls more; a reader looked {one.looks} times: {one.seen or 'nothing wrong'}")
    spread = ", ".join(f"{stage} {told[stage]}" for stage in ("start", *STAGES, "publish") if told[stage])
    print(f"{kills} kills ({spread}): {more / max(1, kills):.1f} calls repeated for each")
    print(f"a reader looked {looks} times; {bad} differences in all")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
