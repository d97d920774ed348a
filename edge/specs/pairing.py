"""declared fields and observed ones -> which are the same: by path, by spelling, by label, by likeness."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from edge.specs.kinds import kind_of
from edge.specs.model import OutputField
from edge.specs.observing import Observed
from edge.text import compact

_LIKENESS = 0.85  # "salesAmount" and "saleAmount"; "sigunguCode" and "sigunguName" stay apart
_SHORTEST = 5  # shorter names are alike by chance


@dataclass(frozen=True, slots=True)
class Pair:
    """A declared field and the observed one that it is; `how` is "" where the name is the same."""

    declared: OutputField
    observed: Observed
    how: str = ""


@dataclass(slots=True)
class Pairing:
    """The pairs in declared order, and what is left of either side."""

    pairs: list[Pair] = field(default_factory=list[Pair])
    declared: list[OutputField] = field(default_factory=list[OutputField])
    observed: list[Observed] = field(default_factory=list[Observed])


def bare(path: str) -> str:
    """Return a path without the marks of repeating names."""
    return path.replace("[]", "")


def pair_fields(declared: Sequence[OutputField], observed: Sequence[Observed]) -> Pairing:
    """Pair every declared field with at most one observed field, the surest evidence first."""
    found = Pairing(declared=list(declared), observed=list(observed))
    _by_key(found, lambda d: d.path, lambda o: o.path, "")
    _by_key(found, lambda d: bare(d.path), lambda o: bare(o.path), "")
    _by_key(found, lambda d: _plain(d.path), lambda o: _plain(o.path), "the name in another spelling")
    _by_key(found, lambda d: _beside(d.path, d.label), lambda o: _beside(o.path, _leaf(o.path)), "its label as a name")
    _by_likeness(found)
    order = {d.path: position for position, d in enumerate(declared)}
    found.pairs.sort(key=lambda pair: order[pair.declared.path])
    return found


def _by_key(
    found: Pairing, of_declared: Callable[[OutputField], str], of_observed: Callable[[Observed], str], how: str
) -> None:
    """Move the pairs of equal keys; of several fields with one key the first on either side."""
    free: dict[str, Observed] = {}
    for one in found.observed:
        free.setdefault(of_observed(one), one)
    for one in list(found.declared):
        same = free.pop(of_declared(one), None)
        if same is not None:
            _move(found, Pair(one, same, how))


def _by_likeness(found: Pairing) -> None:
    scored = sorted(_likenesses(found), key=lambda item: -item[0])  # stable: equal scores keep the order of fields
    for _, declared, observed in scored:
        if declared in found.declared and observed in found.observed:
            _move(found, Pair(declared, observed, "a similar name"))


def _likenesses(found: Pairing) -> Iterator[tuple[float, OutputField, Observed]]:
    for declared in found.declared:
        for observed in found.observed:
            score = _likeness(declared, observed)
            if score >= _LIKENESS:
                yield score, declared, observed


def _likeness(declared: OutputField, observed: Observed) -> float:
    parent, _, name = _plain(declared.path).rpartition(".")
    other_parent, _, other = _plain(observed.path).rpartition(".")
    if parent != other_parent or min(len(name), len(other)) < _SHORTEST or not _may_hold(declared, observed):
        return 0.0
    if re.findall(r"\d+", name) != re.findall(r"\d+", other):  # pm10Value is not pm25Value
        return 0.0
    kind = kind_of(observed.path, _leaf(observed.path))
    if "unknown" not in (kind, declared.kind) and kind != declared.kind:
        return 0.0
    return SequenceMatcher(None, name, other, autojunk=False).ratio()


def _may_hold(declared: OutputField, observed: Observed) -> bool:
    """Whether the values seen are of the declared type, as far as text tells."""
    if observed.type is None:
        return True
    if declared.type in ("integer", "number"):
        return observed.numeric >= 0.5
    return declared.type == observed.type or declared.type == "string"


def _move(found: Pairing, pair: Pair) -> None:
    found.pairs.append(pair)
    found.declared.remove(pair.declared)
    found.observed.remove(pair.observed)


def _plain(path: str) -> str:
    """Return a path by letters and digits alone: "HOSP_NM" and "hospNm" are one name."""
    return ".".join(compact(step) or step for step in bare(path).split("."))


def _beside(path: str, name: str) -> str:
    """Return where a field called `name` would be beside the field at `path`."""
    return f"{_plain(path).rpartition('.')[0]}.{compact(name)}"


def _leaf(path: str) -> str:
    return bare(path).rpartition(".")[2]
