"""Folder or packed file -> the recorded runs in it (takes) and where each page and body of them is."""

from __future__ import annotations

import json
import re
import struct
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import cast

from edge.errors import StoreError, UsageError
from edge.execution.segments import SUFFIX, Place, Segment, members
from edge.ids import Json, canonical_json

FORMAT = 1
PACKED = ".zip"
_TAKE = re.compile(r"v[A-Za-z0-9_-]{1,80}")
_SEGMENT = re.compile(r"\d{20}-[0-9a-f]{8}" + re.escape(SUFFIX))


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """The run that a take was made of. `endpoint` and `today` are as the run stored them."""

    run_id: str
    endpoint: str
    today: date

    def head(self) -> bytes:
        """Return the first line of every segment of the take."""
        head: dict[str, Json] = {"format": FORMAT, "run_id": self.run_id, "endpoint": self.endpoint}
        return canonical_json({**head, "today": self.today.isoformat()}).encode()


@dataclass(frozen=True, slots=True)
class Take:
    """One recorded run: its name (they sort by time), the run, and the files with its pages."""

    name: str
    run: RecordedRun
    segments: tuple[Segment, ...]

    @property
    def size(self) -> int:
        """The bytes of its files."""
        return sum(segment.size for segment in self.segments)


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A recorded page of an operation: where it is, what was asked, how it ended, and the hash of the body."""

    place: Place
    identity: str
    outcome: str
    reason: str
    body_hash: str


@dataclass(slots=True)
class Index:
    """Where everything of a take is. Where a stage was retried, the later page of a turn counts."""

    turns: dict[tuple[str, str, int], Place] = field(default_factory=dict[tuple[str, str, int], Place])
    places: dict[tuple[str, str], Place] = field(default_factory=dict[tuple[str, str], Place])
    requests: dict[str, Place] = field(default_factory=dict[str, Place])
    bodies: dict[str, Place] = field(default_factory=dict[str, Place])
    operations: dict[str, list[PageEntry]] = field(default_factory=dict[str, "list[PageEntry]"])
    outcomes: Counter[str] = field(default_factory=Counter[str])

    @classmethod
    def of(cls, take: Take) -> Index:
        """Read through a take."""
        index = cls()
        for segment in take.segments:
            for place, lines in members(segment):
                index._take_in(place, lines)
        return index

    def _take_in(self, place: Place, lines: list[bytes]) -> None:
        try:
            rows = [cast("dict[str, Json]", json.loads(lines[0]))] if lines else []
            for row in rows:
                if "page" in row:
                    self._page(place, row)
            for line in lines[1:]:
                self.bodies.setdefault(line[9:73].decode("ascii"), place)  # {"body":"<64 hex digits>",...
        except (ValueError, KeyError, TypeError):
            return  # a line that is none of ours is as good as not recorded

    def _page(self, place: Place, row: dict[str, Json]) -> None:
        identity, where, number = str(row["page"]), str(row["place"]), int(str(row["n"]))
        self.turns[identity, where, number] = place
        self.places[identity, where] = place
        self.requests[identity] = place
        entry = PageEntry(place, identity, str(row["outcome"]), str(row["reason"]), str(row["hash"]))
        self.operations.setdefault(str(row["operation"]), []).append(entry)
        self.outcomes[f"{row['outcome']}: {row['reason']}"] += 1


def takes_at(path: Path) -> list[Take]:
    """Return the takes of a store (a folder of takes) or of a packed file, the oldest first.

    Raises:
        UsageError: the path is neither, or holds no recorded run.
    """
    try:
        listed = _packed(path) if path.is_file() else _listed(path)
        found = [take for name, segments in sorted(listed.items()) if (take := _take(name, segments))]
    except (OSError, zipfile.BadZipFile, StoreError, struct.error) as error:
        raise UsageError(f"{path} cannot be read as a recording: {error}") from None
    if not found:
        raise UsageError(f"{path} holds no recorded run; name outputs/recordings or a file that was packed from it")
    return found


def holds_takes(path: Path) -> bool:
    """Whether a path looks like a store of takes or a packed file of them."""
    if path.is_file():
        return zipfile.is_zipfile(path)
    return path.is_dir() and any(_TAKE.fullmatch(folder.name) and folder.is_dir() for folder in path.iterdir())


def _listed(path: Path) -> dict[str, list[Segment]]:
    folders = [folder for folder in path.iterdir() if _TAKE.fullmatch(folder.name)] if path.is_dir() else []
    return {
        folder.name: [Segment(file.name, file, 0, file.stat().st_size) for file in _files(folder)] for folder in folders
    }


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if _SEGMENT.fullmatch(file.name)) if folder.is_dir() else []


def _packed(path: Path) -> dict[str, list[Segment]]:
    listed: dict[str, list[Segment]] = {}
    with zipfile.ZipFile(path) as archive, path.open("rb") as file:
        for entry in sorted(archive.infolist(), key=lambda entry: entry.filename):
            take, _, name = entry.filename.partition("/")
            if not _TAKE.fullmatch(take) or not _SEGMENT.fullmatch(name):
                continue
            if entry.compress_type != zipfile.ZIP_STORED or entry.file_size != entry.compress_size:
                raise StoreError(f"{entry.filename} is packed twice; pack it with: edge recordings pack")
            file.seek(entry.header_offset + 26)
            start = entry.header_offset + 30 + sum(struct.unpack("<HH", file.read(4)))
            listed.setdefault(take, []).append(Segment(name, path, start, entry.file_size))
    return listed


def _take(name: str, segments: list[Segment]) -> Take | None:
    """Return a take, or None where no file of it has a whole first line."""
    whole = [segment for segment in segments if segment.size > 0]
    head = next(_heads(whole), None)
    return Take(name, head, tuple(whole)) if head is not None else None


def _heads(segments: list[Segment]) -> Iterator[RecordedRun]:
    for segment in segments:
        first = next(members(segment), None)
        try:
            row = cast("dict[str, Json]", json.loads(first[1][0])) if first else {}
            if row.get("format") == FORMAT:
                day = date.fromisoformat(str(row["today"]))
                yield RecordedRun(str(row["run_id"]), str(row["endpoint"]), day)
        except (ValueError, KeyError, IndexError, AttributeError):
            continue
