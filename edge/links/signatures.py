"""A link and its tools -> what of their signatures it rests on, so that other changes of a document leave it alone."""

from __future__ import annotations

from collections.abc import Mapping

from edge.ids import digest
from edge.links.model import Link
from edge.links.transforms import companion
from edge.specs.model import OutputField, Parameter, Tool

_LENGTH = 8  # hex digits: enough to tell what a field was from what it is


def signature(link: Link, tools: Mapping[str, Tool]) -> dict[str, str]:
    """Return a short hash of each part that the link uses, by what people call the part.

    Parts are the addresses of both operations, the bound fields and parameters with what decides their values, and
    which parameters the target requires. Labels and prose are none: a mended typing error proves nothing wrong.

    Raises:
        KeyError: a tool of the link is not there.
    """
    source, target = tools[link.source_tool], tools[link.target_tool]
    parts: dict[str, str] = {
        "address of the source": digest([source.method, source.url], _LENGTH),
        "address of the target": digest([target.method, target.url], _LENGTH),
        "required parameters": digest(sorted(p.name for p in target.required), _LENGTH),
    }
    for binding in link.bindings:
        for path in (binding.source_path, companion(binding.transform)):
            if path is not None:
                parts |= _source_part(source, path)
        name = binding.target_parameter
        parts[f"parameter {name}"] = _parameter(target.parameter(name))
    return parts


def changed(then: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Return the parts that are no longer what they were, sorted."""
    return sorted(name for name in {*then, *now} if then.get(name) != now.get(name))


def _source_part(source: Tool, path: str) -> dict[str, str]:
    if path.startswith("@"):  # an argument of the source's own call
        return {f"argument {path}": _parameter(source.parameter(path[1:]))}
    return {f"field {path}": _field(source.output(path))}


def _field(field: OutputField | None) -> str:
    if field is None:
        return ""
    values = sorted(v.value for v in field.values)
    return digest([field.type, field.kind, field.format, field.repeats, field.private, values], _LENGTH)


def _parameter(parameter: Parameter | None) -> str:
    if parameter is None:
        return ""
    p, values = parameter, sorted(e.value for e in parameter.enum)
    return digest([p.type, p.kind, p.format, p.location, p.style, p.filled_by, values], _LENGTH)
