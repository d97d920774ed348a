"""`edge verify`: a published version -> every difference from its manifests and from what its calls return now."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from edge.commands.options import Subparsers, add_command, add_endpoint, add_outputs
from edge.errors import UsageError

if TYPE_CHECKING:
    from edge.datasets.store import Store


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "verify", "re-hash a version and re-execute its trajectories", run)
    parser.add_argument("--version", metavar="V", help="which version (default: the newest)")
    parser.add_argument("--hashes-only", action="store_true", help="make no calls")
    add_endpoint(parser)
    add_outputs(parser)


def run(args: argparse.Namespace) -> int:
    """Print every difference; 1 when there is any."""
    from edge.commands.defaults import outputs_of
    from edge.datasets.store import Store

    outputs = outputs_of(args)
    if not outputs.is_dir():
        raise UsageError(f"{outputs} is not a folder of outputs; run: edge synthesize --outputs {outputs}")
    store = Store(outputs)
    version = args.version or newest(store)
    differences, files = rehash(store, version)
    print(f"{version}: {files} files re-hashed")
    if not args.hashes_only and not differences:
        repeated, found = reexecute(store, version, args.endpoint, args.recordings)
        print(f"{version}: {repeated} trajectories re-executed")
        differences += found
    for line in differences:
        print(line)
    print("no difference" if not differences else f"{len(differences)} differences")
    return int(bool(differences))


def newest(store: Store) -> str:
    """Return the newest version that holds trajectories, else the newest of any dataset.

    Raises:
        UsageError: nothing is published.
    """
    from edge.datasets.schemas import SCHEMAS

    # What was made visible, whole or not: a damaged newest version is what a check must find.
    published = {name: store.published(name) for name in SCHEMAS}
    found = max(published["trajectories"], default="") or max((v for vs in published.values() for v in vs), default="")
    if not found:
        raise UsageError(f"{store.root} holds no published version; run: edge synthesize --outputs {store.root}")
    return found


def rehash(store: Store, version: str) -> tuple[list[str], int]:
    """Return what differs between the files of a version and its manifests, and how many files were read.

    Raises:
        UsageError: no dataset has this version.
    """
    from edge.datasets.schemas import SCHEMAS

    present = [name for name in SCHEMAS if store.folder(name, version).is_dir()]
    if not present:
        raise UsageError(f"{store.root} holds no version {version}; runs_all in the catalog lists them")
    problems = [line for name in present for line in store.check(name, version)]
    if problems:
        return problems, sum(len(list(store.folder(name, version).glob("*.parquet"))) for name in present)
    manifests = [store.manifest(name, version) for name in present]
    for manifest in manifests:
        problems += [
            f"{manifest.dataset} {version}: its parent {parent} {of} is missing"
            for parent, of in manifest.parents.items()
            if parent in SCHEMAS and not store.folder(parent, of).is_dir()
        ]
    return problems, sum(len(manifest.files) for manifest in manifests)


def reexecute(
    store: Store, version: str, endpoint: str | None, recordings: Path | None = None
) -> tuple[int, list[str]]:
    """Run every shipped trajectory again; return how many there are and what came out differently."""
    from edge.datasets.remotes import sync
    from edge.execution.budgets import board_of
    from edge.execution.endpoint import Endpoint
    from edge.execution.gateway import GatewayClient
    from edge.execution.keys import Keys
    from edge.execution.memo import MemoCaller
    from edge.execution.verify import verify_trajectories
    from edge.sandbox_process import serving
    from edge.settings import Settings
    from edge.specs.rows import tool_of
    from edge.stages.recordings import FOLDER, REPLAY, tape_of_version

    rows = store.rows("trajectories", version) if store.folder("trajectories", version).is_dir() else []
    if not rows:
        return 0, []
    tools = {tool.tool_id: tool for tool in map(tool_of, store.rows("tools", version))}
    recorded = next(iter(store.rows("runs", version)), None)

    chosen = endpoint or str((recorded or {}).get("endpoint") or "sandbox")
    run_id = str((recorded or {}).get("run_id") or "")
    if chosen == REPLAY and recordings is None:
        sync(store.root, FOLDER)
    tape = tape_of_version(recordings or store.root / "recordings", run_id, version) if chosen == REPLAY else None

    async def again(url: str, own: bool) -> list[str]:
        place = Endpoint() if tape else Endpoint.parse(url)
        keys = Keys.demo() if own else Keys.from_environment(loopback=place.loopback, env_file=Path(".env"))
        settings, quota = Settings.model_validate({}).execution, None if tape else board_of(place, store.root)
        async with GatewayClient(place, keys, settings=settings, tape=tape, quota=quota) as client:
            # A recording is asked in the places where the calls were made, which may have been told different things.
            found = await verify_trajectories(
                rows, tools, client if tape else MemoCaller(client), recorded=tape is not None
            )
        return [f"{difference.trajectory_id}: {difference.kind}: {difference.detail}" for difference in found]

    # The world of a sandbox does not depend on the run's seed, only on its date.
    with serving(chosen, today=str(rows[0].get("today") or "") or None) as (url, own):
        return len(rows), asyncio.run(again(url, own))
