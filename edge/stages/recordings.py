"""Where a run leaves what it hears, and which recorded run a replay repeats (Run -> tape)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from edge.datasets.remotes import Remote, sync
from edge.errors import UsageError
from edge.execution.budgets import board_of
from edge.execution.drift import Compared, compare_endpoint
from edge.execution.endpoint import Endpoint
from edge.execution.gateway import GatewayClient
from edge.execution.keys import Keys, Redactor
from edge.execution.takes import Index, RecordedRun, Take, takes_at
from edge.execution.tape import Tape
from edge.execution.tapes import RecordingTape, ReplayingTape
from edge.sandbox_process import serving
from edge.settings import Settings
from edge.specs.model import Tool
from edge.stages.params import Run, RunParams

REPLAY = "replay"
FOLDER = "recordings"

logger = logging.getLogger("edge.recordings")


def bring_outputs(params: RunParams) -> None:
    """Bring the mirror of an object store up to date, with what was recorded where the run replays."""
    sync(params.outputs.absolute(), *((FOLDER,) if params.endpoint == REPLAY else ()))


def pass_on_recording(run: Run) -> None:
    """Copy what a run heard to the place that its outputs mirror, if they do."""
    root = run.params.outputs.absolute()
    remote = Remote.of(root)
    if remote is not None and run.take and run.replays is None:
        remote.push_files(root, sorted((root / FOLDER / run.take).iterdir()))


def recordings_of(params: RunParams) -> Path:
    """Return the store of a run, or the store or packed file it was told to replay."""
    return (params.recordings or params.outputs / FOLDER).absolute()


def take_to_replay(params: RunParams, identity: Callable[[Take], str]) -> Take:
    """Return the recorded run that these parameters give, else the newest: `identity` names a run in place of a take.

    Raises:
        UsageError: nothing is recorded.
    """
    takes = takes_at(recordings_of(params))
    same = [take for take in takes if identity(take) == take.run.run_id]
    chosen = (same or takes)[-1]
    known = "" if same else ", recorded with other parameters: what it did not ask is not recorded"
    logger.info("replaying %s (%s, %s)%s", chosen.name, chosen.run.endpoint, chosen.run.today, known)
    return chosen


def take_to_record(params: RunParams, run_id: str, version: str) -> str:
    """Return the take that a run writes: a new one, or when it is resumed the one that was cut off; "" for none."""
    if not Settings.model_validate({}).execution.record:
        return ""
    if params.resume:
        try:
            takes = takes_at(params.outputs.absolute() / FOLDER)
        except UsageError:
            return version
        return next((take.name for take in reversed(takes) if take.run.run_id == run_id), version)
    return version


@contextmanager
def tape_of(run: Run, redactor: Redactor) -> Generator[Tape | None]:
    """Give the tape of a run's gateway; None where nothing is recorded or replayed."""
    if run.replays is not None:
        yield replaying(run.replays, run.take, run.version)
    elif not run.take:
        yield None
    else:
        store = run.params.outputs.absolute() / FOLDER
        earlier = _cut_off(store, run.take, run.version) if run.take != run.version else None
        recorded = RecordedRun(run.run_id, run.endpoint, run.now.date())
        with RecordingTape(store / run.take, recorded, redactor, earlier) as tape:
            yield tape


@lru_cache(maxsize=4)
def replaying(path: Path, name: str, _version: str = "") -> ReplayingTape:
    """Return the tape that replays a take, and what else was recorded of the same endpoint and day.

    It is read once in a process for each run.

    Raises:
        UsageError: the take is not there.
    """
    takes = takes_at(path)
    chosen = next((take for take in takes if take.name == name), None)
    if chosen is None:
        raise UsageError(f"{path} does not hold the recorded run {name} any more; run again")
    world = (chosen.run.endpoint, chosen.run.today)
    others = [take for take in takes if take is not chosen and (take.run.endpoint, take.run.today) == world]
    return ReplayingTape(chosen, tuple(others))


def take_of_version(takes: Sequence[Take], run_id: str, version: str) -> Take:
    """Return the take in which a published version was recorded.

    Raises:
        UsageError: it was not recorded here.
    """
    same = [take for take in takes if take.run.run_id == run_id]
    if not same:
        raise UsageError(f"the run of {version} is not recorded here; replay it with the recording it was shipped with")
    return next((take for take in reversed(same) if take.name <= version), same[-1])


def tape_of_version(path: Path, run_id: str, version: str) -> ReplayingTape:
    """Return the tape that replays the run of a published version.

    Raises:
        UsageError: it is not recorded there.
    """
    return replaying(path.absolute(), take_of_version(takes_at(path), run_id, version).name)


async def ask_again(take: Take, tools: Sequence[Tool], endpoint: str, outputs: Path) -> Compared:
    """Ask recorded questions at an endpoint ("sandbox" is started for it) and compare the answers.

    Raises:
        EndpointError: the endpoint cannot be started.
        UsageError: it is none that can be asked.
    """
    today = take.run.today.isoformat() if take.run.endpoint == "sandbox" else None
    with serving(endpoint, today=today) as (url, own):
        place = Endpoint.parse(url)
        keys = Keys.demo() if own else Keys.from_environment(loopback=place.loopback, env_file=Path(".env"))
        settings, quota = Settings.model_validate({}).execution, board_of(place, outputs)
        async with GatewayClient(place, keys, settings=settings, quota=quota) as client:
            return await compare_endpoint(Index.of(take), client, tools)


@lru_cache(maxsize=1)
def _cut_off(store: Path, name: str, _version: str) -> Index | None:
    """Return what an interrupted run had heard; read once in a process that goes on with it."""
    found = next((take for take in takes_at(store) if take.name == name), None)
    return Index.of(found) if found else None
