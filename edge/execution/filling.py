"""tool -> arguments for a first call: what its document shows, identifiers that other calls gave, the clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from edge.calls import Record
from edge.links.fillers import Filler
from edge.specs.model import OutputField, Parameter, Tool

_MAX_LENGTH = 60  # longer values are prose, no identifiers
_KEPT = 3  # records of one tool
_TELLING = 4  # "ykiho" is one thing all over a platform; "id" and "no" are another in every service


@dataclass(slots=True)
class SeenValues:
    """Records that came back, flat, by platform: what one record holds fits together."""

    records: dict[str, list[tuple[str, dict[str, str]]]] = field(
        default_factory=dict[str, list[tuple[str, dict[str, str]]]]
    )

    def add(self, tool: Tool, outputs: Sequence[OutputField], records: Sequence[Record]) -> None:
        """Remember the top-level values of the first records; private ones are left out."""
        public = {output.path for output in outputs if not output.private}
        for record in records[:_KEPT]:
            texts = {name: str(v) for name, v in record.items() if name in public and isinstance(v, str | int)}
            short = {name.casefold(): text for name, text in texts.items() if text.strip() and len(text) <= _MAX_LENGTH}
            self.records.setdefault(tool.platform, []).append((tool.service, short))

    def fitting(self, tool: Tool, names: Sequence[str]) -> list[dict[str, str]]:
        """Return what records hold under these parameter names: those that hold most of them first."""
        found: list[dict[str, str]] = []
        for service, record in self.records.get(tool.platform, ()):
            telling = [name for name in names if len(name) >= _TELLING or service == tool.service]
            held = {name: record[name.casefold()] for name in telling if name.casefold() in record}
            if held and held not in found:
                found.append(held)
        return sorted(found, key=lambda held: -len(held))


def attempts(tool: Tool, filler: Filler, seen: SeenValues) -> list[dict[str, str]]:
    """Return different sets of arguments, the likeliest first; none where a parameter has no value.

    First what the document itself shows, then what records hold together, then that with other values. Optional
    parameters come in where the document gives examples for them: many documents call nothing required.
    """
    choices = {p.name: _choices(tool, p, filler) for p in tool.required}
    held = seen.fitting(tool, list(choices))
    sets = [_filled(choices, {}, 0), *(_filled(choices, record, n) for n, record in enumerate(held[:_KEPT]))]
    sets += [_filled(choices, {}, n) for n in range(1, _KEPT)]
    complete = [made for made in sets if all(made.values())]
    optional = {p.name: p.examples[0] for p in tool.offered if p.examples and p.name not in choices}
    if complete and optional:
        complete.insert(1, {**complete[0], **optional})
    return [made for n, made in enumerate(complete) if made not in complete[:n]]


def _filled(choices: Mapping[str, Sequence[str]], held: Mapping[str, str], n: int) -> dict[str, str]:
    return {name: held.get(name) or next(reversed(values[: n + 1]), "") for name, values in choices.items()}


def _choices(tool: Tool, parameter: Parameter, filler: Filler) -> list[str]:
    """Return the values for a parameter: its default, the document's examples, then what the filler knows."""
    options = [option.value for option in filler.options(tool, parameter)]
    first = [parameter.default] if parameter.default is not None else []
    return [value for value in dict.fromkeys((*first, *parameter.examples, *options)) if value.strip()]
