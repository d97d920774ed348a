"""Identity: canonical JSON and hashes of it, the only way the project names things by content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


def canonical_json(value: object) -> str:
    """Return JSON text with sorted keys, no spaces and unescaped Unicode; NaN and infinities are refused.

    Raises:
        ValueError: the value holds NaN or an infinity.
        TypeError: the value is not JSON.
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest(value: object, length: int = 24) -> str:
    """Return the first `length` hex digits of the SHA-256 of the canonical JSON of `value`."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()[:length]


def digest_bytes(data: bytes, length: int = 64) -> str:
    """Return the first `length` hex digits of the SHA-256 of `data`."""
    return hashlib.sha256(data).hexdigest()[:length]
