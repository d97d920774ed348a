"""Control calls: did the answer depend on the bound value, or does the platform ignore the parameter?"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from edge.calls import Caller, Outcome
from edge.ids import Json, canonical_json
from edge.links.periods import range_end
from edge.specs.model import Parameter, Tool

_NONSENSE: dict[str, str] = {
    "longitude": "1.5",
    "latitude": "1.5",
    "projected_x": "1",
    "projected_y": "1",
    "name": "없는이름Q",
    "address": "없는주소Q",
    "text": "없는낱말Q",
}
_DIGITS = str.maketrans("0123456789", "5678901234")
_SHAPED = {"year", "date", "month", "datetime", "time"}


Key: TypeAlias = "tuple[str, tuple[str, ...], str]"  # tool, bound parameters, the one in question
Made: TypeAlias = "tuple[Tool, dict[str, str], Outcome]"  # a call and what came of it


@dataclass(frozen=True, slots=True)
class Case:
    """A successful call whose `bound` parameters got their values through a link."""

    tool: Tool
    arguments: Mapping[str, str]
    bound: tuple[str, ...]
    outcome: Outcome


@dataclass(slots=True)
class Sensitivity:
    """Remembers, per tool, bound parameters and parameter, whether a nonsense value leaves the answer as it was.

    Public platforms drop parameters they do not know without a word, so a wrong binding can look like a success. One
    control call for each of them tells: the same arguments with a nonsense value in that place. The same answer means
    that the parameter was ignored, and a success proves nothing about the link. What else is bound matters: a platform
    that takes one of two keys ignores the other only when it has both.
    """

    known: dict[Key, bool] = field(default_factory=dict[Key, bool])

    def ignored(self, tool: Tool, bound: Iterable[str]) -> bool:
        """Whether any of the parameters is known not to matter to the tool when these are bound."""
        together = tuple(sorted(bound))
        return any(self.known.get((tool.tool_id, together, name), False) for name in together)

    def plain(self) -> dict[str, Json]:
        """Return what is known as JSON: text of [tool, [bound parameters], parameter] -> whether it is ignored."""
        return {canonical_json(key): known for key, known in self.known.items()}

    @classmethod
    def of(cls, plain: Mapping[str, Json]) -> Sensitivity:
        """Return what such JSON says."""
        known: dict[Key, bool] = {}
        for text, ignored in plain.items():
            tool, together, name = json.loads(text)
            known[tool, tuple(together), name] = bool(ignored)
        return cls(known)

    async def learn(
        self, caller: Caller, cases: Iterable[Case], gate: asyncio.Semaphore, limit: int | None = None
    ) -> list[Made]:
        """Make the control calls still lacking, each with the first case that binds those parameters of that tool.

        Which case that is depends on the order of the cases alone, so that parallel calls decide nothing. A control
        that meets an outage decides nothing either: a later case makes it again. At most `limit` calls are made;
        they are returned.
        """
        wanted: dict[Key, tuple[Case, Parameter]] = {}
        for case in cases:
            together = tuple(sorted(case.bound))
            for name in together:
                key, parameter = (case.tool.tool_id, together, name), case.tool.parameter(name)
                if parameter is not None and key not in self.known:
                    wanted.setdefault(key, (case, parameter))

        async def control(case: Case, parameter: Parameter) -> Made:
            spoilt = {**case.arguments, parameter.name: nonsense(parameter, case.arguments[parameter.name])}
            async with gate:
                return case.tool, spoilt, await caller.call(case.tool, spoilt)

        allowed = list(wanted.items())[:limit]
        made = await asyncio.gather(*(control(*pair) for _, pair in allowed))
        for (key, (case, _)), (_, _, outcome) in zip(allowed, made, strict=True):
            if outcome.outcome != "environmental":
                self.known[key] = outcome.ok and outcome.response_hash == case.outcome.response_hash
        return made


def nonsense(parameter: Parameter, value: str) -> str:
    """Return a value of the same shape that names nothing.

    A period that begins in 1901 holds everything, so its beginning is put behind its end.
    """
    if parameter.kind in _SHAPED:
        return ("2099" if range_end(parameter) == "begin" else "1901") + value[4:]
    return _NONSENSE.get(parameter.kind, value.translate(_DIGITS) if any(c.isdigit() for c in value) else value + "Q")
