"""Where arguments come from when no link feeds them: defaults, enumerations, the clock, examples, seen values."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Literal, TypeAlias, cast

from edge.links.periods import agrees, anchor, fineness, in_cycle, pattern_of, range_end
from edge.links.suppliers import Suppliers
from edge.specs.model import EnumValue, Kind, Parameter, Tool
from edge.text import compact

Given: TypeAlias = "Mapping[str, str] | Collection[str]"  # names, or names with their values
Origin = Literal["default", "enum", "clock", "example", "pool"]
_SAYABLE: frozenset[Kind] = frozenset({"name", "address", "text", "number", "count"})
_NAMED = 8  # moments that worked, beside those of the clock
_CLOCK: frozenset[Kind] = frozenset({"date", "month", "year", "datetime", "time"})


@dataclass(frozen=True, slots=True)
class Filling:
    """One value for one parameter. `sayable` means that a person could state it; `text` is how."""

    value: str
    origin: Origin
    sayable: bool
    text: str


def is_clock(parameter: Parameter) -> bool:
    """Whether the run's moment can fill a parameter."""
    return parameter.kind in _CLOCK


def is_sayable(parameter: Parameter) -> bool:
    """Whether a person could state the value."""
    return parameter.kind in _SAYABLE


def statically_fillable(parameter: Parameter) -> bool:
    """Whether a value can be had without any call: default, enumeration, clock or an example that one can say."""
    if parameter.default is not None or parameter.enum or is_clock(parameter):
        return True
    return bool(parameter.examples) and is_sayable(parameter)


def clock_values(parameter: Parameter, now: datetime) -> list[str]:
    """Return dates, months, years or times before `now` in the parameter's format, most useful first.

    Platforms publish with a lag (trades up to last month, statistics up to last year), so the newest is not first.
    """
    pattern = pattern_of(parameter)
    if pattern is None:
        return []
    bound = range_end(parameter)
    today = now.date()
    if parameter.kind == "datetime":
        days = _issue_times(now)
    elif parameter.kind == "time":  # it may stand beside today's date
        days = [t for t in _issue_times(now) if t.date() == today]
    elif parameter.kind == "year":
        days = [date(today.year - n, 1, 1) for n in (1, 2, 3, 0)]
    elif parameter.kind == "month":
        first = today.replace(day=1)
        days = [_months_back(first, n) for n in (1, 2, 3, 4)]
    elif bound == "begin":
        days = [today - timedelta(days=n) for n in (30, 14, 365)]
    elif bound == "end":
        days = [today - timedelta(days=1), today]
    else:
        days = [today - timedelta(days=n) for n in (0, 1, 3, 7, 14)]
    return list(dict.fromkeys(d.strftime(pattern) for d in days))


def _issue_times(now: datetime) -> list[datetime]:
    """Times at which bulletins are issued: full and half hours lately, and six in the morning and evening."""
    hour = now.replace(minute=0, second=0, microsecond=0)
    recent = [hour - timedelta(minutes=30 * n) for n in (0, 1, 2, 3)]
    six = now.replace(hour=6, minute=0, second=0, microsecond=0)
    daily = [t for t in (six + timedelta(hours=12), six, six - timedelta(hours=12)) if t <= now]
    return [*daily, *recent]


def _months_back(first: date, months: int) -> date:
    index = first.year * 12 + first.month - 1 - months
    return date(index // 12, index % 12 + 1, 1)


def switched(tool: Tool, parameter: Parameter, given: Iterable[str]) -> EnumValue | None:
    """Return the value of a switch that says by which of its parameters a tool is asked ("2": by the notice number).

    It is the one that is called like a parameter that is `given`; None where none or several are.
    """
    names = set(given)
    labels = {compact(p.label) for p in tool.parameters if p.name in names} if parameter.enum else set[str]()
    called = [e for e in parameter.enum if compact(e.label) in labels]
    return called[0] if len(called) == 1 and len(parameter.enum) > 1 else None


@dataclass(slots=True)
class ValuePool:
    """Values seen in successful calls: by output field of a tool, and by parameter of a tool (those that worked)."""

    outputs: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict[tuple[str, str], dict[str, None]])
    accepted: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict[tuple[str, str], dict[str, None]])
    limit: int = 400

    def add_output(self, tool_id: str, path: str, value: str) -> None:
        """Remember a value that an output field had."""
        values = self.outputs.setdefault((tool_id, path), {})
        if len(values) < self.limit:
            values.setdefault(value)

    def add_accepted(self, tool_id: str, parameter: str, value: str) -> None:
        """Remember an argument with which a call returned records."""
        values = self.accepted.setdefault((tool_id, parameter), {})
        if len(values) < self.limit:
            values.setdefault(value)

    def sayable(self, tool: Tool, parameter: Parameter) -> list[str]:
        """Return the values of the tool's own outputs that mean what the parameter means: names a person would know."""
        wanted = compact(parameter.label)
        found: dict[str, None] = {}
        for out in tool.outputs:
            same = compact(out.label) == wanted or out.path.lower() == parameter.name.lower()
            if (same or out.path == tool.name_field) and out.kind in _SAYABLE and not out.private:
                found.update(self.outputs.get((tool.tool_id, out.path), {}))
        return [v for v in found if 1 < len(v) <= 40 and "\n" not in v]


@dataclass(slots=True)
class Filler:
    """Chooses values for parameters that no link feeds.

    `say` turns a wire value into the words people use for it; `suppliers` know where else what is needed is seen.
    """

    now: datetime
    pool: ValuePool
    say: Callable[[Parameter, str], str]
    suppliers: Suppliers = field(default_factory=lambda: Suppliers(()))

    def options(self, tool: Tool, parameter: Parameter, given: Given = ()) -> list[Filling]:
        """Return every filling known for a parameter beside those `given`: those a person would state first.

        Where `given` holds the values as well, moments agree with them.
        """
        if switch := switched(tool, parameter, given):
            return [Filling(switch.value, "enum", True, switch.label)]
        found: list[Filling] = []
        if parameter.default is not None:
            found.append(Filling(parameter.default, "default", False, parameter.default))
        found.extend(Filling(e.value, "enum", True, e.label) for e in parameter.enum)
        if parameter.kind in _CLOCK:
            found.extend(self._moments(tool, parameter, _values(given)))
        if parameter.kind in _SAYABLE:
            found.extend(Filling(v, "example", True, self.say(parameter, v)) for v in parameter.examples)
            found.extend(Filling(v, "pool", True, v) for v in self.pool.sayable(tool, parameter))
        return found

    def _moments(self, tool: Tool, parameter: Parameter, given: Mapping[str, str]) -> list[Filling]:
        """Return the moments that agree with those given; all where none does: the platform may know better.

        Where none of the clock's has ever worked and others have, those come first: days that name something, as
        elections are named.
        """
        written = in_cycle(tool, parameter, given)
        values = clock_values(written, anchor(tool, written, given, self.now))
        worked = self.pool.accepted.get((tool.tool_id, parameter.name), {})
        origins: dict[str, Origin] = dict.fromkeys(values, "clock")
        if worked.keys().isdisjoint(origins):
            origins = {**dict.fromkeys(sorted(worked, reverse=True)[:_NAMED], "pool"), **origins}
        agreeing = [value for value in origins if agrees(tool, written, given, value)]
        return [Filling(v, origins[v], True, self.say(written, v)) for v in agreeing or origins]

    def choose(self, tool: Tool, parameter: Parameter, rng: random.Random, given: Given = ()) -> Filling | None:
        """Return one filling: the default where there is one, else mostly a value that worked before."""
        options = self.options(tool, parameter, given)
        if not options:
            return None
        if options[0].origin == "default":
            return options[0]
        worked = self.pool.accepted.get((tool.tool_id, parameter.name), {})
        good = [o for o in options if o.value in worked]
        return rng.choice(good) if good and rng.random() < 0.7 else rng.choice(options)

    def pooled(self, tool: Tool, parameter: Parameter) -> tuple[list[str], list[str]]:
        """Return values for what nobody can say: those with which the tool gave records, and those seen elsewhere."""
        worked = list(self.pool.accepted.get((tool.tool_id, parameter.name), ()))
        return worked, self.suppliers.values(tool, parameter, self.pool.outputs)

    def _from_pool(self, tool: Tool, parameter: Parameter, rng: random.Random) -> Filling | None:
        """Return one such value: mostly one that worked before."""
        worked, seen = self.pooled(tool, parameter)
        values = worked if worked and (not seen or rng.random() < 0.7) else seen
        return Filling(value := rng.choice(values), "pool", False, value) if values else None

    def fill(
        self, tool: Tool, given: Given, rng: random.Random, pooled: Collection[str] = ()
    ) -> dict[str, Filling] | None:
        """Fill the required parameters that are not `given`; None where one cannot be filled.

        Those that are `pooled` may have what earlier calls gave out where there is nothing else.
        """
        fixed = _values(given)
        filled: dict[str, Filling] = {}
        for parameter in sorted(tool.required, key=fineness):  # moments follow what is chosen, days their year
            if parameter.name in fixed:
                continue
            filling = self.choose(tool, parameter, rng, fixed)
            if filling is None and parameter.name in pooled:
                filling = self._from_pool(tool, parameter, rng)
            if filling is None:
                return None
            filled[parameter.name] = filling
            fixed[parameter.name] = filling.value
        return filled


def _values(given: Given) -> dict[str, str]:
    """Return names with their values, "" where they are not known."""
    if isinstance(given, Mapping):
        return dict(cast("Mapping[str, str]", given))
    return dict.fromkeys(given, "")
