"""ZIP bytes -> the document inside: some platforms pack a table, and an archive can be a bomb."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """What an archive may hold: entries, bytes of the document, and bytes per compressed byte."""

    max_entries: int = 1000
    max_bytes: int = 64_000_000
    max_ratio: float = 200.0


class ArchiveError(ValueError):
    """The archive cannot or must not be opened; `reason` is the outcome's reason code."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


def largest_document(body: bytes, limits: ArchiveLimits) -> bytes:
    """Return the largest entry of a ZIP archive; the size is counted while reading, not believed from the header.

    Raises:
        ArchiveError: broken, encrypted, empty or beyond the limits.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if not entries:
                raise ArchiveError("invalid_archive", "the archive is empty")
            if len(entries) > limits.max_entries:
                raise ArchiveError("too_large", f"the archive has more than {limits.max_entries} entries")
            entry = max(entries, key=lambda candidate: (candidate.file_size, candidate.filename))
            _check_ratio(entry, limits)
            with archive.open(entry) as stream:
                content = stream.read(limits.max_bytes + 1)
    except ArchiveError:
        raise
    # A crafted directory makes zipfile seek before the start (ValueError) or unpack too little (struct.error).
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError, OSError) as error:
        raise ArchiveError("invalid_archive", f"{type(error).__name__}: {error}") from error
    if len(content) > limits.max_bytes:
        raise ArchiveError("too_large", f"the archive unpacks to more than {limits.max_bytes} bytes")
    return content


def _check_ratio(entry: zipfile.ZipInfo, limits: ArchiveLimits) -> None:
    if entry.file_size > 1_000_000 and entry.file_size > limits.max_ratio * max(1, entry.compress_size):
        raise ArchiveError("too_large", f"{entry.filename} is compressed more than {limits.max_ratio:g} times")
