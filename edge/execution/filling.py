"""tool -> arguments for a first call: what its document shows, the clock, and identifiers that other calls gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from edge.links.fillers import Filler
from edge.specs.model import OutputField, Parameter, Tool
from edge.specs.observing import Observed

_MAX_LENGTH = 60  # longer values are prose, no identifiers
_KEPT = 3
_TELLING = 4  # "ykiho" is one thing all over a platform; "id" and "no" are another in every service


@dataclass(slots=True)
class SeenValues:
    """Values that came back, by the name of their field, within a platform or, for short names, a service."""

    values: dict[tuple[str, str], list[str]] = field(default_factory=dict[tuple[str, str], list[str]])

    def add(self, tool: Tool, outputs: Sequence[OutputField], observed: Sequence[Observed]) -> None:
        """Remember what fields held; private ones give nothing."""
        public = {output.path for output in outputs if not output.private}
        for one in observed:
            if one.path in public:
                known = self.values.setdefault(_scope(tool, one.path), [])
                fresh = [text for text in one.examples if len(text) <= _MAX_LENGTH and text not in known]
                known.extend(fresh[: _KEPT - len(known)])

    def of(self, tool: Tool, parameter: Parameter) -> list[str]:
        """Return the values of fields that are called like a parameter."""
        return self.values.get(_scope(tool, parameter.name), [])


def _scope(tool: Tool, path: str) -> tuple[str, str]:
    name = path.rpartition(".")[2].removesuffix("[]").casefold()
    return tool.platform if len(name) >= _TELLING else f"{tool.platform}/{tool.service}", name


def attempts(tool: Tool, filler: Filler, seen: SeenValues, limit: int) -> list[dict[str, str]]:
    """Return up to `limit` different sets of arguments, the likeliest first; none where a parameter has no value.

    The last one also has the optional parameters that the document gives examples for: many documents call nothing
    required.
    """
    choices = {p.name: _choices(tool, p, filler, seen) for p in tool.required}
    if not all(choices.values()):
        return []
    sets = [{name: values[min(n, len(values) - 1)] for name, values in choices.items()} for n in range(limit)]
    shown = {p.name: p.examples[0] for p in tool.offered if p.examples and p.name not in choices}
    distinct = {tuple(made.items()): made for made in sets}
    made = list(distinct.values())[: limit - 1 if shown else limit]
    return [*made, {**made[0], **shown}] if shown else made


def _choices(tool: Tool, parameter: Parameter, filler: Filler, seen: SeenValues) -> list[str]:
    """Return the values for a parameter: its default, the document's examples, what came back elsewhere, the rest."""
    options = [option.value for option in filler.options(tool, parameter)]
    first = [parameter.default] if parameter.default is not None else []
    return [v for v in dict.fromkeys((*first, *parameter.examples, *seen.of(tool, parameter), *options)) if v.strip()]
