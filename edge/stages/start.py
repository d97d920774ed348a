"""Parameters become a run: its clock, its identity, its version (RunParams -> Run)."""

from __future__ import annotations

import logging
from datetime import UTC, date, datetime, time
from pathlib import Path

from edge import __version__
from edge.datasets.schemas import SCHEMAS
from edge.datasets.store import Store
from edge.errors import UsageError
from edge.execution.endpoint import KST, Endpoint, endpoint_today
from edge.execution.takes import Take
from edge.ids import digest, digest_bytes
from edge.llm.backends import check_model
from edge.llm.batches_books import BatchBooks
from edge.llm.books import FILE as BOOKS
from edge.llm.books import Books
from edge.llm.prompts import PROMPTS, load_prompt
from edge.settings import Settings
from edge.specs.compile import BUNDLED_SPECS
from edge.stages.claims import claim
from edge.stages.context import Context
from edge.stages.graphs import Graph, graph_of
from edge.stages.params import Check, Run, SynthesizeParams
from edge.stages.recordings import REPLAY, bring_outputs, recordings_of, take_to_record, take_to_replay

logger = logging.getLogger("edge.models")

STAGES = ("compile", "propose", "explore", "requests", "keys", "trajectories", "dedup", "revalidate")
PROMPT_NAMES = (
    "link_feasibility", "user_request", "outlined_request", "answer_key", "final_answer", "no_call", "tool_description",
)  # fmt: skip
MORNING = time(10, 35)  # the hour at which a run pretends to be: after the morning bulletins
# Where things lie, how far it may go, what holds it back at the end, and what is hashed for itself.
_NAMES_NO_RUN = {
    "outputs", "recordings", "resume", "specs", "today", "links", "budget_usd", "no_cache", "llm_batch",
    "min_diversity", "part_rows",
}  # fmt: skip


def spec_paths(params: SynthesizeParams) -> list[Path]:
    """Return the documents of a run: those named, else the bundled ones."""
    return list(params.specs) if params.specs else [BUNDLED_SPECS]


def hash_of_files(paths: list[Path]) -> str:
    """Return one hash over the bytes of all files under `paths`, by relative name.

    Raises:
        UsageError: a path does not exist or cannot be read.
    """
    listed: list[list[str]] = []
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder")
        files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        try:
            listed.extend([f.relative_to(path.parent).as_posix(), digest_bytes(f.read_bytes())] for f in files)
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    return digest(listed)


async def start_run(params: SynthesizeParams, url: str, *, own_sandbox: bool, check: Check | None = None) -> Run:
    """Ask the endpoint for its date, name the run by what decides its rows, and make its version.

    Raises:
        EndpointError: the endpoint does not answer.
        UsageError: a document or prompt cannot be read, or the links to start from are not there.
        RunTaken: another process works on the same run; what is here is this process's until `let_go`.
    """
    bring_outputs(params)
    asking = params.asking(Settings.model_validate({}).llm)
    check_model(params.llm, params.model, params.llm_base_url, params.budget_usd, asking)
    prompts = {name: load_prompt(name).hash for name in PROMPT_NAMES}
    prompts["agent"] = hash_of_files([PROMPTS / "agent"])
    spec_hash, prompt_hash = hash_of_files(spec_paths(params)), digest(prompts)

    def identity(endpoint: str, day: date, graph: Graph) -> str:
        made = params.model_dump(mode="json", exclude=_NAMES_NO_RUN)
        made |= {"endpoint": endpoint, "links": graph.hash}
        made |= {"check": check.model_dump()} if check else {}
        return digest([made, day.isoformat(), spec_hash, prompt_hash, __version__], 16)

    def of_take(take: Take) -> str:  # what was published when it began is what it started from
        graph = graph_of(params, take.run.endpoint, before=take.name)
        return identity(take.run.endpoint, params.today or take.run.today, graph)

    replayed = take_to_replay(params, of_take) if params.endpoint == REPLAY else None
    if replayed is not None:
        params = params.model_copy(update={"endpoint": replayed.run.endpoint})
        today = params.today or replayed.run.today
    else:
        today = params.today or await _today(Endpoint.parse(url))
    graph = graph_of(params, params.endpoint, before=replayed.name if replayed else "")
    run_id = identity(params.endpoint, today, graph)
    last = claim(params.outputs, run_id)
    started = datetime.now(UTC)
    version = Store(params.outputs.absolute()).new_version(started, run_id)
    if params.resume:
        version = _begun(params.outputs, str(last.get("version") or "")) or version
    claim(params.outputs, run_id, version=version)
    run = Run(
        run_id=run_id,
        version=version,
        url=url,
        own_sandbox=own_sandbox,
        take=replayed.name if replayed else take_to_record(params, run_id, version),
        replays=recordings_of(params) if replayed else None,
        graph=graph.version,
        graph_hash=graph.hash,
        now=datetime.combine(today, MORNING, KST),
        started_at=started,
        spec_hash=spec_hash,
        prompt_hash=prompt_hash,
        params=params,
        check=check,
    )
    if not params.resume:
        Context(run).clear(STAGES)
        if params.llm != "offline":
            Books(params.outputs.absolute() / BOOKS).disown(run_id)
    elif params.llm != "offline" and not params.llm_batch:
        _say_what_waits(params.outputs.absolute() / BOOKS, run_id)
    return run


def _begun(outputs: Path, version: str) -> str:
    """Return the version if a killed run had published a part of it and nothing came after it, else ""."""
    store = Store(outputs.absolute())
    newest = max((v for name in SCHEMAS for v in store.published(name)), default="")
    return version if version and version == newest and version not in store.versions("runs") else ""


def _say_what_waits(books: Path, run_id: str) -> None:
    waiting = BatchBooks(books).waiting(run_id)
    if waiting:
        logger.warning("models: %d prompts are in a batch and are asked again now; go on with --llm-batch", waiting)


async def _today(place: Endpoint) -> date:
    return datetime.now(KST).date() if place.live else await endpoint_today(place)
