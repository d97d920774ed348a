"""A seed, a rate and scripted rules in; whether a call fails, and how, out: the same again for the same calls."""

import random
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import yaml

from edge.sandbox.faults import PASSING_KINDS, Fault, read_fault

_PASSING = tuple(read_fault(kind) for kind in PASSING_KINDS)
_MAX_RULES = 1000
_CALLS = re.compile(r"(\d{1,9})(?:(\.\.)(\d{1,9})?)?")


@dataclass(frozen=True, slots=True)
class Rule:
    """A fault for some calls, counted from 1 for each operation, or over all calls of the rule where `together`.

    An empty `operation` or `path` takes every call; `last` is None where the rule never ends.
    """

    fault: Fault
    operation: str = ""
    path: str = ""
    first: int = 1
    last: int | None = None
    rate: float = 1.0
    together: bool = False

    def covers(self, operation: str, path: str) -> bool:
        """Whether calls of this operation, at this path with its host in front, are the rule's."""
        return self.operation in ("", operation) and path.startswith(self.path)

    def row(self) -> dict[str, object]:
        """The rule as it is written."""
        last = "" if self.last is None else self.last
        return {
            "fault": str(self.fault),
            "operation": self.operation,
            "path": self.path,
            "calls": f"{self.first}..{last}",
            "rate": self.rate,
            "together": self.together,
        }


@dataclass(slots=True)
class FaultPlan:
    """Which call fails depends on the seed and on how many calls its operation had, not on what came in between."""

    seed: int = 7
    rate: float = 0.0
    kinds: tuple[Fault, ...] = _PASSING
    rules: tuple[Rule, ...] = ()
    _calls: Counter[str] = field(default_factory=Counter[str])

    def next(self, operation: str, path: str) -> Fault | None:
        """The fault of the next call of an operation: the first rule that applies, else the coin."""
        self._calls[operation] += 1
        number = self._calls[operation]
        for position, rule in enumerate(self.rules):
            if rule.covers(operation, path) and self._applies(rule, f"rule {position}", operation, number):
                return rule.fault
        if not self.rate:
            return None
        rng = random.Random(f"{self.seed}:fault:{operation}:{number}")
        return rng.choice(self.kinds) if rng.random() < self.rate else None

    def _applies(self, rule: Rule, name: str, operation: str, number: int) -> bool:
        if rule.together:
            # Names of operations hold no blank, so that a rule's own count cannot meet one of theirs.
            self._calls[name] += 1
            number = self._calls[name]
        if number < rule.first or (rule.last is not None and number > rule.last):
            return False
        return rule.rate >= 1 or random.Random(f"{self.seed}:{name}:{operation}:{number}").random() < rule.rate

    def row(self) -> dict[str, object]:
        """The plan as it is written."""
        return {
            "seed": self.seed,
            "rate": self.rate,
            "kinds": [str(kind) for kind in self.kinds],
            "timeline": [rule.row() for rule in self.rules],
        }

    def again(self) -> "FaultPlan":
        """The same plan before its first call."""
        return FaultPlan(self.seed, self.rate, self.kinds, self.rules)


def read_kinds(text: str) -> tuple[Fault, ...]:
    """`kind,kind=value,...`; the passing kinds where it is empty. Raises ValueError for an unknown one."""
    return tuple(read_fault(part) for part in text.split(",") if part.strip()) or _PASSING


def read_plan(text: str, standing: FaultPlan) -> FaultPlan:
    """A plan from JSON or YAML: a list is a timeline, a mapping may also say seed, rate and kinds.

    What the text leaves out stays as in `standing`; counting starts anew. Raises ValueError with one line.
    """
    try:
        loaded = cast("object", yaml.safe_load(text))
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(f"neither JSON nor YAML: {' '.join(str(error).split())[:200]}") from None
    whole: object = {"timeline": cast("object", loaded)} if isinstance(loaded, list) else loaded
    node = _mapping(whole, "the plan")
    _only(node, {"seed", "rate", "kinds", "timeline"}, "the plan")
    entries = node.get("timeline", [])
    if not isinstance(entries, list) or len(cast("list[object]", entries)) > _MAX_RULES:
        raise ValueError(f"timeline must be a list of at most {_MAX_RULES} entries")
    rules = tuple(_rule(entry, f"timeline entry {n}") for n, entry in enumerate(cast("list[object]", entries), start=1))
    return FaultPlan(
        seed=_whole(node.get("seed", standing.seed), "seed"),
        rate=_share(node.get("rate", standing.rate), "rate"),
        kinds=_kinds(node["kinds"]) if "kinds" in node else standing.kinds,
        rules=rules if "timeline" in node else standing.rules,
    )


def _rule(value: object, where: str) -> Rule:
    node = _mapping(value, where)
    _only(node, {"fault", "operation", "path", "calls", "rate", "together"}, where)
    if "fault" not in node:
        raise ValueError(f"{where} says no fault")
    first, last = _calls(_text(node.get("calls", "1.."), f"{where}: calls"), where)
    try:
        fault = read_fault(_text(node["fault"], "fault"))
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    return Rule(
        fault=fault,
        operation=_text(node.get("operation", ""), f"{where}: operation"),
        path=_text(node.get("path", ""), f"{where}: path"),
        first=first,
        last=last,
        rate=_share(node.get("rate", 1.0), f"{where}: rate"),
        together=node.get("together") is True,
    )


def _calls(text: str, where: str) -> tuple[int, int | None]:
    found = _CALLS.fullmatch(text.strip())
    if found is None or int(found[1]) < 1:
        raise ValueError(f"{where}: calls must be like 3, 3..5 or 3.., not {text!r}")
    first = int(found[1])
    last = int(found[3]) if found[3] else None if found[2] else first
    if last is not None and last < first:
        raise ValueError(f"{where}: calls {text} ends before it begins")
    return first, last


def _kinds(value: object) -> tuple[Fault, ...]:
    if not isinstance(value, list):
        raise ValueError("kinds must be a list")
    return tuple(read_fault(_text(kind, "kinds")) for kind in cast("list[object]", value)) or _PASSING


def _mapping(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ValueError(f"{where} must be an object with names and values")
    return {str(name): inner for name, inner in cast("dict[object, object]", value).items()}


def _only(node: Mapping[str, object], known: set[str], where: str) -> None:
    if unknown := sorted(set(node) - known):
        raise ValueError(f"{where}: unknown {unknown[0]!r}; use {', '.join(sorted(known))}")


def _text(value: object, where: str) -> str:
    if not isinstance(value, str | int):
        raise ValueError(f"{where} must be a text")
    return str(value)


def _whole(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{where} must be a whole number, not {value!r}")
    return value


def _share(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{where} must be a number from 0 to 1, not {value!r}")
    return float(value)
