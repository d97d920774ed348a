"""An outputs folder -> what nobody needs any more, with the reason, and its removal (`edge gc`)."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from edge.datasets.files import discard
from edge.datasets.manifests import MANIFEST, Manifest
from edge.datasets.schemas import SCHEMAS
from edge.datasets.store import Store
from edge.errors import StoreError

RECORDINGS = "recordings"
WORK = ".work"


@dataclass(frozen=True, slots=True)
class Leftover:
    """A file or folder that can go: `reason` is old_version, unpublished, not_listed, old_recording or finished_work.

    `bytes` counts what it holds.
    """

    path: Path
    reason: str
    bytes: int


def kept_versions(store: Store, keep: int) -> dict[str, set[str]]:
    """Return the versions to keep, by dataset.

    These are the newest `keep` complete versions that ship trajectories, with all their datasets; the newest complete
    version of every dataset; and each version of a dataset that one of these names as its parent, such as the links
    that a run went on from. Parents of parents are not kept for their own sake: a graph that is learned on from run to
    run would keep every version for ever.
    """
    complete = {name: store.manifests(name) for name in SCHEMAS}
    shipped = [m.version for m in complete["trajectories"]][-keep:]
    chosen = [
        manifest
        for manifests in complete.values()
        for manifest in manifests
        if manifest.version in shipped or manifest is manifests[-1]
    ]
    kept: dict[str, set[str]] = {name: set() for name in SCHEMAS}
    for manifest in chosen:
        kept[manifest.dataset].add(manifest.version)
        for parent, version in manifest.parents.items():
            kept.get(parent, set()).add(version)
    return kept


def leftovers(store: Store, keep: int) -> list[Leftover]:
    """Return what can go, in a stable order; nothing is removed.

    Args:
        store: the folder.
        keep: how many shipped versions stay, at least 1; see `kept_versions`.

    Raises:
        StoreError: `keep` is less than 1, or the folder cannot be read.
    """
    if keep < 1:
        raise StoreError("at least one shipped version must be kept")
    kept = kept_versions(store, keep)
    try:
        return [*_versions(store, kept), *_recordings(store.root, kept), *_work(store, kept)]
    except OSError as error:
        raise StoreError(f"cannot read {store.root}: {error.strerror or error}") from error


def remove(found: Iterable[Leftover]) -> None:
    """Remove what `leftovers` found. A version loses its manifest first, so that no reader sees half of it.

    Raises:
        StoreError: the operating system refused.
    """
    for leftover in found:
        try:
            if leftover.path.is_dir():
                discard(leftover.path / MANIFEST)
                shutil.rmtree(leftover.path)
            else:
                leftover.path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"cannot remove {leftover.path}: {error.strerror or error}") from error


def _versions(store: Store, kept: dict[str, set[str]]) -> Iterator[Leftover]:
    for name in SCHEMAS:
        published = set(store.published(name))
        for folder in sorted((store.root / name).glob("version=*")):
            version = folder.name.removeprefix("version=")
            if version in kept[name]:
                yield from _not_listed(folder)
            else:
                yield _leftover(folder, "old_version" if version in published else "unpublished")


def _not_listed(folder: Path) -> Iterator[Leftover]:
    try:
        listed = {part.path for part in Manifest.load(folder).files} | {MANIFEST}
    except StoreError:
        return  # a parent that is spoilt: `edge verify` tells; what it holds may be all there is
    for path in sorted(folder.iterdir()):
        if path.name not in listed:
            yield _leftover(path, "not_listed")


def _recordings(root: Path, kept: dict[str, set[str]]) -> Iterator[Leftover]:
    """Find what was heard by runs of which nothing is kept."""
    versions: set[str] = set[str]().union(*kept.values())
    if not versions or not (root / RECORDINGS).is_dir():
        return
    newest = max(versions)
    for folder in sorted((root / RECORDINGS).iterdir()):
        # A take that is newer than every version belongs to a run that may still be resumed.
        if folder.is_dir() and folder.name.startswith("v") and folder.name not in versions and folder.name < newest:
            yield _leftover(folder, "old_recording")


def _work(store: Store, kept: dict[str, set[str]]) -> Iterator[Leftover]:
    """Find the working files of runs that were published: what they made lies in the versions."""
    finished = {store.manifest("runs", version).run_id for version in store.versions("runs")}
    if (store.root / WORK).is_dir():
        for folder in sorted((store.root / WORK).iterdir()):
            if folder.name in finished:
                yield _leftover(folder, "finished_work")


def _leftover(path: Path, reason: str) -> Leftover:
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return Leftover(path, reason, sum(file.stat().st_size for file in files))
