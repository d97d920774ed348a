"""A batch of a stage -> its finished parts in `outputs/.work/`, so that a run cut off anywhere goes on from there."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from edge.datasets.files import read_bytes, write_atomic
from edge.datasets.parts import PartRef, write_part
from edge.errors import StoreError
from edge.ids import canonical_json, digest, digest_bytes

_NAME = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Batch:
    """A finished batch: its parts by dataset, and small figures (counts, usage) that are not rows.

    The paths of the parts are relative to the outputs folder.
    """

    key: str
    parts: tuple[PartRef, ...]
    figures: dict[str, int] = field(default_factory=dict[str, int])

    def part(self, dataset: str) -> PartRef:
        """Return the part of a dataset.

        Raises:
            StoreError: the batch has none.
        """
        for part in self.parts:
            if part.dataset == dataset:
                return part
        raise StoreError(f"batch {self.key} has no part of {dataset}")


def batch_key(**inputs: object) -> str:
    """Return the name of a batch: 24 hex digits of a hash of everything that decides its rows.

    Give it the code version, stage, input hashes, prompt hash, model, sampling settings, schema version and span
    explicitly. Source text or argument identity would miss a changed prompt constant, and tell two equal runs apart.

    Raises:
        TypeError, ValueError: an input is not JSON (a set, NaN): its text would differ between processes.
    """
    return digest(inputs)


class WorkDir:
    """The working folder of one stage of one run: `<root>/.work/<run_id>/<stage>/`."""

    def __init__(self, root: Path, run_id: str, stage: str) -> None:
        """Name the folder; nothing is made yet.

        Raises:
            StoreError: `run_id` or `stage` is not a plain folder name.
        """
        for name in (run_id, stage):
            if not _NAME.fullmatch(name):
                raise StoreError(f"{name!r} is not usable as a folder name: only letters, digits, '-' and '_'")
        self.root = root
        self.folder = root / ".work" / run_id / stage

    def get(self, key: str) -> PartRef | None:
        """Return the part of a batch written by `put` if it is whole; None means: compute it (again)."""
        batch = self.get_batch(key)
        return batch.parts[0] if batch and len(batch.parts) == 1 else None

    def put(self, key: str, dataset: str, rows: Iterable[Mapping[str, object]]) -> PartRef:
        """Write the only part of a batch and record it as done; raises StoreError as `write_part` does."""
        return self.put_batch(key, {dataset: rows}).parts[0]

    def get_batch(self, key: str) -> Batch | None:
        """Return a batch if its entry is there and every file has the hash that the entry states.

        The files are the truth: an entry without them, or with a cut-off one, counts for nothing.
        """
        entry = self._entry(key)
        try:
            batch = _ADAPTER.validate_json(read_bytes(entry))
        except (StoreError, ValidationError):
            return None
        return batch if batch.key == key and all(self._whole(part) for part in batch.parts) else None

    def put_batch(
        self,
        key: str,
        rows: Mapping[str, Iterable[Mapping[str, object]]],
        figures: Mapping[str, int] | None = None,
    ) -> Batch:
        """Write the parts of a batch, then, as the commit point, its entry; the same key again replaces both.

        Args:
            key: from `batch_key`.
            rows: rows by dataset.
            figures: small counts to keep with the batch.

        Raises:
            StoreError: a row does not fit its schema, or the disk refused.
        """
        entry = self._entry(key)
        parts = tuple(self._write(key, dataset, data) for dataset, data in rows.items())
        batch = Batch(key, parts, dict(figures or {}))
        write_atomic(entry, canonical_json(_ADAPTER.dump_python(batch, mode="json")).encode())
        return batch

    def clear(self) -> None:
        """Forget every batch of this stage.

        Raises:
            StoreError: the folder cannot be removed.
        """
        try:
            shutil.rmtree(self.folder)
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreError(f"cannot remove {self.folder}: {error.strerror or error}") from error

    def _entry(self, key: str) -> Path:
        if not _NAME.fullmatch(key):
            raise StoreError(f"{key!r} is not a batch key")
        return self.folder / f"{key}.json"

    def _write(self, key: str, dataset: str, rows: Iterable[Mapping[str, object]]) -> PartRef:
        part = write_part(self.folder, dataset, rows, name=f"{key}.{dataset}.parquet")
        return replace(part, path=self._inside(part.path), measured=part.measured and self._inside(part.measured))

    def _inside(self, path: str) -> str:
        return Path(path).relative_to(self.root).as_posix()

    def _whole(self, part: PartRef) -> bool:
        try:
            whole = digest_bytes(read_bytes(self.root / part.path)) == part.sha256
        except StoreError:
            return False
        return whole and (part.measured is None or (self.root / part.measured).is_file())


_ADAPTER = TypeAdapter(Batch)
