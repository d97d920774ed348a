"""Parts of a run -> immutable versions of datasets under `outputs/`, visible only when whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from edge.datasets.columns import Schema
from edge.datasets.files import discard, read_bytes, write_atomic
from edge.datasets.ledger import StageCount
from edge.datasets.locks import writing
from edge.datasets.manifests import MANIFEST, MEASURED, Manifest, as_text
from edge.datasets.measures import join_measured, merge_measured
from edge.datasets.parts import PartRef, encode_frame, grouped, read_frame, read_parts, write_part
from edge.datasets.remotes import Remote
from edge.datasets.rows import Row
from edge.datasets.schemas import SCHEMAS, schema_of
from edge.datasets.versions import is_version, version_name
from edge.errors import StoreError
from edge.ids import digest_bytes

_PUBLISH_WAIT_S = 30.0


class Store:
    """The datasets under one outputs folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def writer(self, wait_s: float = 0.0) -> AbstractContextManager[None]:
        """Hold the folder for a whole run; raises StoreError where another process does."""
        return writing(self.root, wait_s)

    def new_version(self, now: datetime, run_id: str) -> str:
        """Return a version name that sorts after every version there is, such as "v20261129T143000Z-ab12cd34".

        Args:
            now: a time with zone; moved on by seconds where the clock is behind the newest version.
            run_id: its first eight letters and digits tell runs of one second apart.

        Raises:
            StoreError: `now` has no zone.
        """
        newest = max((v for name in SCHEMAS for v in self._folders(name)), default="")
        return version_name(now, run_id, newest)

    def publish(
        self,
        dataset: str,
        version: str,
        parts: Sequence[PartRef],
        *,
        run_id: str,
        parents: Mapping[str, str] | None = None,
        hashes: Mapping[str, str] | None = None,
        counts: Sequence[StageCount] = (),
        measured: Iterable[Mapping[str, object]] = (),
    ) -> Manifest:
        """Copy parts into the version's folder, small ones together, and then make it visible; return the manifest.

        Publishing the same content again changes nothing and returns the first manifest.

        Args:
            dataset: a declared dataset.
            version: from `new_version`; one name for all datasets of a run.
            parts: in the order in which readers shall see them; none gives a typed empty version.
            run_id: the run that made them.
            parents: versions read, by dataset.
            hashes: "spec", "prompt", "config" and whatever else decided the content.
            counts: counts of the stages between the parents and this dataset.
            measured: further measured values, rows of key columns and measured columns; they win over the sidecars.

        Raises:
            StoreError: other content is published under this name, a part is not what its reference says, two rows
                share a key, or the disk refused.
        """
        schema, folder = schema_of(dataset), self.folder(dataset, version)
        with self.writer(_PUBLISH_WAIT_S):
            parts = self._effective(dataset, run_id, parts)
            groups = grouped(parts)
            if (folder / MANIFEST).exists():
                published = _same_content(folder, [self._together(schema, group)[0] for group in groups])
                if published.complete(folder):
                    self._pass_on(published)
                    return published
            # One file at a time: a version may be larger than the memory.
            listed = tuple(_placed(folder, *self._together(schema, group)) for group in groups)
            paths = [folder / part.path for part in listed]
            _check_keys(schema, paths)
            manifest = Manifest(
                dataset=dataset,
                version=version,
                schema_version=schema.version,
                run_id=run_id,
                rows=sum(part.rows for part in listed),
                parts=listed,
                measured=self._write_measured(schema, version, folder, parts, measured),
                parents=as_text(parents or {}),
                hashes=as_text(hashes or {}),
                counts=tuple(counts),
            )
            _sweep(folder, manifest)
            manifest.save(folder)
            self._pass_on(manifest)
        return manifest

    def versions(self, dataset: str) -> list[str]:
        """Return the complete versions, oldest first: manifest in place and every listed file there in full size."""
        return [m.version for m in self.manifests(dataset)]

    def published(self, dataset: str) -> list[str]:
        """Return every version made visible, oldest first, its files whole or not: what a check must visit."""
        return [v for v in self._folders(dataset) if (self.folder(dataset, v) / MANIFEST).exists()]

    def manifests(self, dataset: str) -> list[Manifest]:
        """Return the manifests of the complete versions, oldest first."""
        found: list[Manifest] = []
        for version in self._folders(dataset):
            folder = self.folder(dataset, version)
            try:
                manifest = Manifest.load(folder)
            except StoreError:
                continue  # not published (yet), or spoilt: `check` tells, readers go on with what is whole
            if manifest.complete(folder):
                found.append(manifest)
        return found

    def latest(self, dataset: str) -> str | None:
        """Return the newest complete version; None where there is none."""
        versions = self.versions(dataset)
        return versions[-1] if versions else None

    def manifest(self, dataset: str, version: str | None = None) -> Manifest:
        """Return the manifest of a version, by default the newest complete one.

        Raises:
            StoreError: there is no such version.
        """
        version = version or self.latest(dataset)
        if version is None:
            raise StoreError(f"{self.root} holds no version of {dataset}; run: edge synthesize")
        return Manifest.load(self.folder(dataset, version))

    def check(self, dataset: str, version: str) -> list[str]:
        """Re-hash every file of a version; return what differs from the manifest, one line each, nothing if whole."""
        folder = self.folder(dataset, version)
        try:
            return Manifest.load(folder).problems(folder)
        except StoreError as error:
            return [str(error)]

    def rows(self, dataset: str, version: str | None = None) -> list[Row]:
        """Return the rows of a version with their measured columns; no version at all gives no rows.

        Raises:
            StoreError: `version` is given and is not there, or a file is spoilt.
        """
        schema = schema_of(dataset)
        if version is None and self.latest(dataset) is None:
            return []
        manifest = self.manifest(dataset, version)
        folder = self.folder(dataset, manifest.version)
        rows = read_parts(dataset, [folder / part.path for part in manifest.parts])
        sidecar = read_parts(dataset, [folder / manifest.measured.path]) if manifest.measured else []
        return join_measured(schema, rows, sidecar)

    def folder(self, dataset: str, version: str) -> Path:
        """Return the folder of a version, there or not.

        Raises:
            StoreError: the dataset is not declared, or the name is not a version's.
        """
        if not is_version(version):
            raise StoreError(f"{version!r} is not a version: it must be 'v' and letters, digits, '-' or '_'")
        return self.root / schema_of(dataset).dataset / f"version={version}"

    def locate(self, path: str) -> Path:
        """Return where the file of a reference is: as given, or relative to the outputs folder."""
        inside = self.root / path
        return inside if inside.exists() else Path(path)

    def _folders(self, dataset: str) -> list[str]:
        names = (path.name.removeprefix("version=") for path in (self.root / dataset).glob("version=*"))
        return sorted(name for name in names if is_version(name))

    def _effective(self, dataset: str, run_id: str, parts: Sequence[PartRef]) -> list[PartRef]:
        """Leave out empty parts beside others; refuse parts of other datasets and a part given twice."""
        strangers = [part.path for part in parts if part.dataset != dataset]
        if strangers:
            raise StoreError(f"not a part of {dataset}: {strangers[0]}")
        chosen = [part for part in parts if part.rows] or list(parts[:1])
        if len({part.sha256 for part in chosen}) < len(chosen):
            raise StoreError(f"{dataset}: the same part is given twice")
        return chosen or [write_part(self.root / ".work" / run_id / "empty", dataset, [])]

    def _pass_on(self, manifest: Manifest) -> None:
        """Copy a version to the place that this folder mirrors, if it does."""
        remote, name = Remote.of(self.root), f"{manifest.dataset}/version={manifest.version}"
        if remote is not None and name not in remote.known:
            remote.push_version(self.root, name)

    def _together(self, schema: Schema, group: Sequence[PartRef]) -> tuple[PartRef, bytes]:
        """Return the parts of a group as one published part: many small files are slow to read and to list.

        They are copied and not linked: a published file must not change when somebody writes to the working file.
        """
        for part in group:
            if digest_bytes(read_bytes(self.locate(part.path))) != part.sha256:
                raise StoreError(f"{part.path} changed after it was written; run again with --resume")
        if len(group) == 1:
            data = read_bytes(self.locate(group[0].path))
        else:
            data = encode_frame(read_frame([self.locate(part.path) for part in group]).select(schema.names))
        sha = digest_bytes(data)
        name = f"part-{sha[:24]}.parquet"
        return PartRef(schema.dataset, name, sum(part.rows for part in group), len(data), sha), data

    def _write_measured(
        self,
        schema: Schema,
        version: str,
        folder: Path,
        parts: Sequence[PartRef],
        extra: Iterable[Mapping[str, object]],
    ) -> PartRef | None:
        if not schema.measured:
            if list(extra):
                raise StoreError(f"{schema.dataset} has no measured columns")
            return None
        sidecars = [read_frame([self.locate(p.measured)]) for p in parts if p.measured]
        keys = read_frame([self.locate(part.path) for part in parts], schema.key)
        merged = merge_measured(schema, version, keys, sidecars, extra)
        if not merged.height:
            return None
        data = encode_frame(merged)
        write_atomic(folder / MEASURED, data)
        return PartRef(schema.dataset, MEASURED, merged.height, len(data), digest_bytes(data))


def _placed(folder: Path, part: PartRef, data: bytes) -> PartRef:
    write_atomic(folder / part.path, data)
    return part


def _same_content(folder: Path, parts: Sequence[PartRef]) -> Manifest:
    """Return the manifest of a published version; other content under its name is refused."""
    published = Manifest.load(folder)
    if published.content != tuple(part.sha256 for part in parts):
        raise StoreError(
            f"{published.dataset} {published.version} is published with other content; versions never change"
        )
    return published


def _check_keys(schema: Schema, paths: Sequence[Path]) -> None:
    """Refuse two rows of one key: a batch written again under another name must not count twice."""
    if not schema.key:
        return
    keys = read_frame(paths, schema.key)
    twice = keys.filter(keys.is_duplicated())
    if twice.height:
        raise StoreError(f"{schema.dataset}: {twice.height} rows share a key, such as {twice.row(0)!r}")


def _sweep(folder: Path, manifest: Manifest) -> None:
    """Remove what an interrupted publish left in a folder that is not visible yet."""
    listed = {part.path for part in manifest.files}
    for path in folder.iterdir():
        if path.name not in listed:
            discard(path)
