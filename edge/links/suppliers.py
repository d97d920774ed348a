"""Which fields give out what a parameter needs, and what earlier calls had there (Parameter -> fields, values)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from edge.specs.model import Kind, Parameter, Tool
from edge.text import compact

Field: TypeAlias = "tuple[str, str]"  # tool id, path

_PLACES: frozenset[Kind] = frozenset({"longitude", "latitude", "projected_x", "projected_y", "grid"})


class Suppliers:
    """Fields by what they are called: the name or label of a parameter, or a coordinate of its kind."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._fields: dict[str, list[Field]] = {}
        self._tools = {t.tool_id: t for t in tools if t.read_only}
        for tool in self._tools.values():
            for field in tool.outputs:
                if not field.private:
                    for key in _keys(field.path.rsplit(".", 1)[-1], field.label, field.kind):
                        self._fields.setdefault(key, []).append((tool.tool_id, field.path))

    def of(self, parameter: Parameter) -> set[str]:
        """Return the ids of the tools."""
        return {tool_id for tool_id, _ in self._called(parameter)}

    def values(self, target: Tool, parameter: Parameter, seen: Mapping[Field, Mapping[str, None]]) -> list[str]:
        """Return the values that such fields had (`seen`: field -> values), of those nearest to the target alone.

        Fields of the target's own service come first, then those of its provider, of its platform, and any others:
        who issues a code is the provider, and elsewhere the same name is often another numbering.
        """
        ranked: dict[int, dict[str, None]] = {}
        for tool_id, path in self._called(parameter):
            if found := seen.get((tool_id, path)):
                ranked.setdefault(_distance(self._tools[tool_id], target), {}).update(found)
        return list(ranked[min(ranked)]) if ranked else []

    def _called(self, parameter: Parameter) -> list[Field]:
        keys = _keys(parameter.name, parameter.label, parameter.kind)
        return list(dict.fromkeys(field for key in keys for field in self._fields.get(key, ())))


def _keys(name: str, label: str, kind: Kind) -> list[str]:
    return [f"name {compact(name)}", f"label {compact(label)}", *([f"kind {kind}"] if kind in _PLACES else [])]


def _distance(one: Tool, other: Tool) -> int:
    if one.service == other.service:
        return 0
    if one.provider and one.provider == other.provider:
        return 1
    return 2 if one.platform == other.platform else 3
