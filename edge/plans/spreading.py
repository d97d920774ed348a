"""Values drawn so that every region has its turn, however many of them lie in one (values -> a few of them).

Lists of places are lists of the capital's places first of all: drawn evenly over values, one request in three is about
Seoul; drawn by region first, one in seventeen.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from edge.links.wording import PROVINCES

T = TypeVar("T")
_FULL = {full: short for short, full in PROVINCES.items()}


@lru_cache(maxsize=1 << 16)
def region_of(text: str) -> str:
    """Return the first-level region that a text begins with, by its short name; empty where it names none."""
    head = text.strip()
    for full, short in _FULL.items():
        if head.startswith(full):
            return short
    first = head.split(" ", 1)[0]
    return first if first in PROVINCES else ""


def spread(values: Sequence[str], rng: random.Random, count: int) -> list[str]:
    """Return `count` of the values, regions taking turns, in drawn order; fewer where there are fewer."""
    return spread_by(values, rng, count, lambda value: value)


def spread_by(values: Sequence[T], rng: random.Random, count: int, text: Callable[[T], str]) -> list[T]:
    """Return `count` of the values, the regions that their texts begin with taking turns, in drawn order."""
    groups: dict[str, list[T]] = {}
    for value in values:
        groups.setdefault(region_of(text(value)), []).append(value)
    queues = [rng.sample(groups[name], len(groups[name])) for name in sorted(groups)]
    rng.shuffle(queues)
    # Values that name no region are no region: they take turns with the regions by their number.
    longest = max((len(q) for q in queues), default=0)
    found = [q[i] for i in range(longest) for q in queues if i < len(q)]
    return found[:count]
