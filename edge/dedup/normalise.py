"""Texts -> text keys (what makes two texts the same) and gates (what must be equal before texts are compared)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from edge.llm.offline.packs import LANGUAGES, pack_of
from edge.text import clean, compact, fold

Codes: TypeAlias = "NDArray[np.uint32]"

_NUMBER = r"(?:\B-)?\d+"
# Names of places and stations before a particle or a break. A word that only looks like one costs a missed duplicate,
# a place that is missed costs a real row: hence generous.
_PLACE = (
    r"([가-힣]{1,6}(?:시|도|군|구|읍|면|동|리|로|길|역|항|산|천|댐))"
    r"(?:의|에|을|를|은|는|이|가|과|와|랑|로|도|만|부터|까지|쪽|[^가-힣]|$)"
)
_UNSEEN = "[\u200b-\u200f\u2060-\u206f\ufeff\u00ad]"
_MARK = "\x1f"
# Letters that are drawn like Latin ones, Cyrillic and Greek; and the fillers of Hangul, letters that nobody sees.
# Digits that resemble letters stay: they mean something.
_DRAWN_ALIKE = str.maketrans(
    "АВЕКМНОРСТУХІЈЅԚԜаеорсухіјѕһԁԛԝ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧορνϲϳ",
    "ABEKMHOPCTYXIJSQWaeopcyxijshdqw" + "ABEZHIKMNOPTYXopvcj",
    "\u115f\u1160\u3164\uffa0",
)
_AT_ONCE = 65_536  # texts; keeps the arrays of code points small
_DROP, _ASK = 0, 0xFFFFFFFF


def text_key(text: str) -> str:
    """Return letters and digits only, folded, look-alikes as one; without any, the folded text; "" for blanks."""
    seen = unicodedata.normalize("NFKC", clean(text)).translate(_DRAWN_ALIKE)
    return compact(seen) or fold(seen)


def text_keys(texts: pl.Series) -> pl.Series:
    """Return the text key of each text, as `text_key` does, many at once.

    Args:
        texts: strings, without nulls.
    """
    chunks = [_keys(texts[start : start + _AT_ONCE]) for start in range(0, len(texts), _AT_ONCE)]
    return pl.concat(chunks) if chunks else pl.Series("key", [], dtype=pl.String)


def _keys(texts: pl.Series) -> pl.Series:
    """Map code points one by one; texts with any that depends on its neighbours are left to `text_key`."""
    lengths = texts.str.len_chars().to_numpy().astype(np.int64)
    codes = np.frombuffer(texts.str.join().item().encode("utf-32-le"), dtype=np.uint32)
    mapped = _table()[codes]
    owner = np.repeat(np.arange(len(texts)), lengths)
    asked = np.bincount(owner[mapped == _ASK], minlength=len(texts)) > 0
    stays = (mapped != _DROP) & (mapped != _ASK)
    kept = np.bincount(owner[stays], minlength=len(texts))
    whole = mapped[stays].tobytes().decode("utf-32-le")
    ends = np.cumsum(kept)
    keys = [whole[start:end] for start, end in zip((ends - kept).tolist(), ends.tolist(), strict=True)]
    for i in np.flatnonzero(asked | (kept == 0)).tolist():
        keys[i] = text_key(texts[i])
    return pl.Series("key", keys, dtype=pl.String)


@lru_cache(maxsize=1)
def _table() -> Codes:
    """Return for each code point the one it stands for in a key, 0 where it is dropped, or that it must be asked for.

    Only characters that never combine with a neighbour are in it: ASCII, Hangul syllables, Chinese characters, and the
    punctuation and wide forms of Korean texts.
    """
    table = np.full(0x110000, _ASK, dtype=np.uint32)
    for low, high in ((0xAC00, 0xD7A4), (0x4E00, 0xA000)):
        table[low:high] = np.arange(low, high)
    for low, high in ((0x00, 0x80), (0xB7, 0xB8), (0x2010, 0x2028), (0x3000, 0x3021), (0xFF01, 0xFF5F)):
        for code in range(low, high):
            letters = compact(chr(code))
            if len(letters) <= 1:
                table[code] = ord(letters) if letters else _DROP
    return table


def text_gates(texts: pl.Series) -> pl.Series:
    """Return numbers, place names and criteria of each text: what must be equal where the plan is unknown.

    Two requests that differ in one district or month are as alike as two politeness forms of one request (Jaccard .83
    against .86), so no threshold tells them apart. Where plan and arguments are known, they are the gate. Numbers and
    places count in their order.
    """
    text = pl.col("text").str.normalize("NFKC").str.replace_all(_UNSEEN, "").str.to_lowercase()
    marked = text.str.replace_all(_PLACE, f"{_MARK}${{1}}{_MARK}").str.extract_all(f"{_MARK}[^{_MARK}]*{_MARK}")
    whole = pl.concat_str(text.str.extract_all(_NUMBER).list.join(" "), marked.list.join(""), separator="|")
    return pl.DataFrame({"text": texts}).select(pl.concat_str(whole, _criteria(text), separator="|")).to_series()


def operator_gates(texts: pl.Series) -> pl.Series:
    """Return the words of each text by which records are chosen or counted ("most", "mean", "how many"), each once."""
    text = pl.col("text").str.normalize("NFKC").str.to_lowercase()
    return pl.DataFrame({"text": texts}).select(_criteria(text)).to_series()


def _criteria(text: pl.Expr) -> pl.Expr:
    return text.str.extract_all(_criterion()).list.unique().list.sort().list.join(" ")


@lru_cache(maxsize=1)
def _criterion() -> str:
    """Return the criteria of all languages, as the packs hear them.

    What may stand beside a word is left out: these expressions cannot look around, and a word too many only keeps rows
    apart. Without that, one that cannot be read at all is left out too.
    """
    found = {pattern for name in LANGUAGES for pattern in pack_of(name).criteria.values()}
    plain = {re.sub(r"\(\?<?[=!](?:\[[^\]]*\]|[^()])*\)", "", pattern) for pattern in found}
    return "|".join(f"(?:{pattern})" for pattern in sorted(plain) if _readable(pattern))


def _readable(pattern: str) -> bool:
    try:
        pl.Series([""]).str.contains(pattern)
    except pl.exceptions.ComputeError:
        return False
    return True
