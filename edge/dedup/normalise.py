"""Rows -> what may be compared with what: the text key and the gate of each row."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from edge.dedup.records import DedupRow
from edge.text import compact, fold

Gate: TypeAlias = "tuple[str, ...]"

_NUMBER = re.compile(r"(?:(?<!\w)-)?\d+")
# Names of places and stations before a particle or a break. A word that only looks like one costs a missed duplicate,
# a place that is missed costs a real row: hence generous.
_PLACE = re.compile(
    r"[가-힣]{1,6}(?:시|도|군|구|읍|면|동|리|로|길|역|항|산|천|댐)"
    r"(?=의|에|을|를|은|는|이|가|과|와|랑|로|도|만|부터|까지|쪽|[^가-힣]|$)"
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A row with its text key and its gate; only rows of one gate are ever compared by text or meaning."""

    row: DedupRow
    text: str
    gate: Gate

    @property
    def known(self) -> bool:
        """Whether the gate is plan and arguments, and not a guess from the text."""
        return self.row.need is not None


def prepare(rows: Iterable[DedupRow]) -> list[Prepared]:
    """Return the rows, in order, with text keys and gates."""
    return [Prepared(row, text_key(row.text), gate(row)) for row in rows]


def text_key(text: str) -> str:
    """Return letters and digits only, folded; the folded text itself where there are none ("?!…"); "" for blanks."""
    return compact(text) or fold(text)


def gate(row: DedupRow) -> Gate:
    """Return what must be equal before texts are compared.

    Two requests that differ in one district or month are as alike as two politeness forms of one request (Jaccard .83
    against .86), so no threshold tells them apart. Where plan and arguments are known they decide; else the numbers
    and place names of the text must be equal, in order.
    """
    if row.need is not None:
        return ("need", *row.need)
    folded = fold(row.text)
    return ("text", *_NUMBER.findall(folded), "|", *_PLACE.findall(folded))


def groups(rows: Sequence[Prepared], key: Callable[[Prepared], Gate | None]) -> list[list[Prepared]]:
    """Return groups of two or more rows with an equal key, rows and groups in the order given; None joins no group."""
    found: dict[Gate, list[Prepared]] = defaultdict(list)
    for row in rows:
        name = key(row)
        if name is not None:
            found[name].append(row)
    return [group for group in found.values() if len(group) > 1]
