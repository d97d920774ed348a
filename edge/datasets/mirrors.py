"""What outputs are called -> the folder in which they are worked on: a path itself, or the mirror of a URL."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BeforeValidator

from edge.datasets.files import write_atomic
from edge.errors import UsageError
from edge.ids import digest

MARKER = ".remote"
MIRRORS = "EDGE_MIRRORS"


def folder_of(outputs: str | Path) -> Path:
    """Return the folder of outputs that are named by a path, or by a URL such as "s3://bucket/folder".

    The mirror of a URL is made if need be, under `EDGE_MIRRORS` (by default the user's cache); nothing is asked of the
    place here.

    Raises:
        UsageError: the URL carries a key, or names no place.
        StoreError: the mirror cannot be made.
    """
    text = str(outputs)
    if "://" not in text:
        return Path(outputs)
    parts, url = urlsplit(text), text.rstrip("/")
    if not parts.scheme or not (parts.netloc or parts.path.strip("/")):
        raise UsageError(f"{text!r} is no place for outputs; give a folder or a URL such as s3://bucket/folder")
    if parts.username or parts.password or parts.query:
        raise UsageError("the URL of outputs must hold no key; object stores read theirs from the environment")
    base = Path(os.environ.get(MIRRORS) or Path.home() / ".cache" / "edge" / "outputs")
    folder = base / f"{parts.netloc or 'files'}-{digest(url, 12)}"
    if not (folder / MARKER).exists():
        write_atomic(folder / MARKER, json.dumps({"url": url, "known": []}).encode())
    return folder


def _parsed(value: object) -> object:
    if not isinstance(value, str | Path):
        return value
    try:
        return folder_of(value)
    except UsageError as error:
        raise ValueError(str(error)) from None


Outputs = Annotated[Path, BeforeValidator(_parsed)]
"""A parameter or setting that names outputs."""
