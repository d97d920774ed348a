"""Text as it enters the project: NFC, no lone surrogates, folded whitespace."""

from __future__ import annotations

import unicodedata

_ZERO_WIDTH = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff"))


def clean(text: str) -> str:
    """Return `text` in NFC with lone surrogates replaced by U+FFFD; whitespace is kept."""
    repaired = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return unicodedata.normalize("NFC", repaired)


def fold(text: str) -> str:
    """Return the comparison key of `text`: NFKC, casefolded, zero-width characters dropped, whitespace collapsed."""
    normal = unicodedata.normalize("NFKC", clean(text)).translate(_ZERO_WIDTH)
    return " ".join(normal.casefold().split())


def compact(text: str) -> str:
    """Return `fold(text)` with letters and digits only: Korean spacing and punctuation are unstable."""
    return "".join(filter(str.isalnum, fold(text)))
