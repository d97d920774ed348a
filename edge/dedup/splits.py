"""Survivors -> train, validation and test, whole groups at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from edge.errors import UsageError

Split = Literal["train", "validation", "test"]


@dataclass(frozen=True, slots=True)
class SplitSettings:
    """Shares of validation and test, each in [0, 1); the rest is train. Another `seed` gives another division."""

    validation: float = 0.1
    test: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        if not (0 <= self.validation < 1 and 0 <= self.test < 1 and self.validation + self.test < 1):
            raise UsageError("splits: validation and test must be 0 or more and leave something for train")


def split_of(group: str, settings: SplitSettings | None = None) -> Split:
    """Return the split of a group: a function of its name and the settings alone, so new rows move no old ones."""
    settings = settings or SplitSettings()
    data = hashlib.sha256(f"{settings.seed}\x1f{group}".encode()).digest()
    point = int.from_bytes(data[:8], "big") / 2**64
    if point < settings.test:
        return "test"
    return "validation" if point < settings.test + settings.validation else "train"


def assign_splits(rows: Iterable[tuple[str, Iterable[str]]], settings: SplitSettings | None = None) -> dict[str, Split]:
    """Return the split of each row so that rows that share any group key, directly or through others, stay together.

    Args:
        rows: (id, group keys), such as the plan signature or the link ids. Without keys a row is alone.
        settings: shares and seed.
    """
    parent: dict[str, str] = {}
    members: dict[str, str] = {}
    for row, keys in rows:
        names = [f"group:{key}" for key in sorted(set(keys))] or [f"row:{row}"]
        members[row] = names[0]
        for name in names:
            _join(parent, names[0], name)
    return {row: split_of(_root(parent, name), settings) for row, name in members.items()}


def _root(parent: dict[str, str], name: str) -> str:
    parent.setdefault(name, name)
    while parent[name] != name:
        parent[name] = parent[parent[name]]
        name = parent[name]
    return name


def _join(parent: dict[str, str], left: str, right: str) -> None:
    """Unite two groups; the smaller name stands for both, whatever the order of the rows."""
    low, high = sorted((_root(parent, left), _root(parent, right)))
    parent[high] = low
