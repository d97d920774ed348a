"""Floors of diversity: what is too monotonous to be published (text -> floor; measures, floors -> what is short)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from edge.errors import UsageError

if TYPE_CHECKING:
    import polars as pl

# What is counted, from which column: text, or a list of texts.
COUNTED = ("tools", "links", "plans", "junctions", "values")
MEASURES = {
    **dict.fromkeys(COUNTED, ("distinct", "entropy", "effective", "evenness")),
    "words": ("distinct_1", "distinct_2", "distinct_char_3", "compression"),
    "meanings": ("vendi", "vendi_share", "nearest_distance"),
}


def check_floor(measured: pl.DataFrame, floors: Sequence[tuple[str, str, float]]) -> list[str]:
    """Return one line for each measure that lies below its floor (measure, subject, least); none if all hold.

    Raises:
        UsageError: a floor names a measure that there is not.
    """
    found = {(m, s): float(v) for m, s, v in measured.select("measure", "subject", "value").rows()}
    short: list[str] = []
    for measure, subject, least in floors:
        if (measure, subject) not in found:
            known = sorted({f"{s}.{m}" for m, s in found if ":" not in s})
            raise UsageError(f"no measure {subject}.{measure}; there are {', '.join(known)}")
        if found[measure, subject] < least:
            short.append(f"{subject}.{measure} is {found[measure, subject]:.4g}, below {least:g}")
    return short


def read_floor(text: str) -> tuple[str, str, float]:
    """Read "plans.effective=40" as (measure, subject, least); a number alone is a floor of words.distinct_2.

    Raises:
        ValueError: it is neither, or there is no such measure.
    """
    name, _, value = text.rpartition("=")
    subject, _, measure = (name or "words.distinct_2").rpartition(".")
    floor = float(value)
    if not math.isfinite(floor) or not (subject.startswith("values:") or measure in MEASURES.get(subject, ())):
        raise ValueError(f"must be a number or like plans.effective=40, not {text!r}")
    return measure, subject, floor
