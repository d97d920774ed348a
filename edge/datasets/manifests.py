"""Published parts -> the manifest that makes them visible: what is listed here exists, nothing else does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from edge.datasets.files import read_bytes, write_atomic
from edge.datasets.ledger import StageCount
from edge.datasets.parts import PartRef
from edge.errors import StoreError
from edge.ids import canonical_json, digest_bytes

MANIFEST = "_manifest.json"
MEASURED = "_measured.parquet"


@dataclass(frozen=True, slots=True)
class Manifest:
    """One published version of a dataset; the content of `_manifest.json`.

    `parts` have paths relative to the version's folder. `measured` is the sidecar of measured columns: it is hashed
    as a file but is no part of the content, which must not depend on clocks. `parents` are the versions read, by
    dataset; `hashes` what else decided the content ("spec", "prompt", "config"); `counts` what the stage took in, gave
    out and dropped, by reason.
    """

    dataset: str
    version: str
    schema_version: int
    run_id: str
    rows: int
    parts: tuple[PartRef, ...]
    measured: PartRef | None = None
    parents: dict[str, str] = field(default_factory=dict[str, str])
    hashes: dict[str, str] = field(default_factory=dict[str, str])
    counts: tuple[StageCount, ...] = ()
    format: int = 1

    @property
    def content(self) -> tuple[str, ...]:
        """The identity of the content: the hashes of the parts in order."""
        return tuple(part.sha256 for part in self.parts)

    @property
    def files(self) -> tuple[PartRef, ...]:
        """Every file of the version but the manifest."""
        return self.parts if self.measured is None else (*self.parts, self.measured)

    def save(self, folder: Path) -> None:
        """Write the manifest; from then on the version is visible."""
        write_atomic(folder / MANIFEST, (canonical_json(_ADAPTER.dump_python(self, mode="json")) + "\n").encode())

    @classmethod
    def load(cls, folder: Path) -> Manifest:
        """Read the manifest of a version's folder.

        Raises:
            StoreError: there is none, or it is not a manifest.
        """
        return cls.parse(read_bytes(folder / MANIFEST), folder / MANIFEST)

    @classmethod
    def parse(cls, text: bytes, where: object) -> Manifest:
        """Read the bytes of a manifest that lie `where`.

        Raises:
            StoreError: they are none, or list a file outside their folder.
        """
        try:
            manifest = _ADAPTER.validate_json(text)
        except ValidationError as error:
            raise StoreError(f"{where} is not a manifest: {error.errors()[0]['msg']}") from None
        outside = [part.path for part in manifest.files if Path(part.path).name != part.path]
        if outside:
            raise StoreError(f"{where} lists {outside[0]!r}, which is not a file of its folder")
        return manifest

    def complete(self, folder: Path) -> bool:
        """Whether all files are there with their sizes; cheap, reads no content."""
        return all(_size(folder / part.path) == part.bytes for part in self.files)

    def problems(self, folder: Path) -> list[str]:
        """Return what differs between the files and the manifest, one line each; every byte is read."""
        found: list[str] = []
        for part in self.files:
            path = folder / part.path
            if not path.is_file():
                found.append(f"{path}: missing")
            elif digest_bytes(read_bytes(path)) != part.sha256:
                found.append(f"{path}: content differs from the manifest")
        listed = {part.path for part in self.files}
        found += [
            f"{path}: not in the manifest" for path in sorted(folder.glob("*.parquet")) if path.name not in listed
        ]
        if sum(part.rows for part in self.parts) != self.rows:
            found.append(f"{folder / MANIFEST}: the rows of the parts do not add up to {self.rows}")
        return found


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def as_text(hashes: Mapping[str, str]) -> dict[str, str]:
    """Return a copy in sorted order."""
    return dict(sorted(hashes.items()))


_ADAPTER = TypeAdapter(Manifest)
