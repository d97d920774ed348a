"""Control calls: did the answer depend on the bound value, or does the platform ignore the parameter?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from edge.calls import Caller, Outcome
from edge.specs.model import Parameter, Tool

_NONSENSE: dict[str, str] = {
    "longitude": "1.5",
    "latitude": "1.5",
    "projected_x": "1",
    "projected_y": "1",
    "name": "없는이름Q",
    "address": "없는주소Q",
    "text": "없는낱말Q",
    "year": "1901",
}
_DIGITS = str.maketrans("0123456789", "5678901234")
_SHAPED = {"date", "month", "datetime", "time"}


@dataclass(slots=True)
class Sensitivity:
    """Remembers, per tool and parameter, whether a nonsense value changes the answer.

    Public platforms drop parameters they do not know without a word, so a wrong binding can look like a success. One
    control call per tool and parameter tells: the same arguments with a nonsense value in that place. The same answer
    means that the parameter was ignored, and a success proves nothing about the link.
    """

    known: dict[tuple[str, str], bool] = field(default_factory=dict[tuple[str, str], bool])

    async def ignored(
        self, caller: Caller, tool: Tool, arguments: Mapping[str, str], bound: Mapping[str, str], outcome: Outcome
    ) -> bool:
        """Whether any of the bound parameters did not matter to `outcome`."""
        for name in bound:
            key = (tool.tool_id, name)
            if key not in self.known:
                parameter = tool.parameter(name)
                if parameter is None:
                    continue
                control = await caller.call(tool, {**arguments, name: nonsense(parameter, arguments[name])})
                if control.outcome == "environmental":
                    continue
                self.known[key] = control.ok and control.response_hash == outcome.response_hash
            if self.known.get(key):
                return True
        return False


def nonsense(parameter: Parameter, value: str) -> str:
    """Return a value of the same shape that names nothing."""
    if parameter.kind in _SHAPED:
        return "1901" + value[4:]
    return _NONSENSE.get(parameter.kind, value.translate(_DIGITS) if any(c.isdigit() for c in value) else value + "Q")
