"""Tool -> a row of the `tools` dataset, and Tool <-> JSON in full, for stages that reload tools from files."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import TypedDict, cast

from edge.errors import SpecError
from edge.ids import Json, canonical_json
from edge.specs.model import Tool


class ToolRow(TypedDict):
    """One row of the `tools` dataset."""

    tool_id: str
    operation_key: str
    platform: str
    service: str
    provider: str
    domain: str
    name: str
    title: str
    description: str
    method: str
    url: str
    parameters: str
    outputs: str
    required_count: int
    paginated: bool
    noun: str
    name_field: str | None
    profile: str
    spec_file: str
    spec_hash: str
    read_only: bool
    declared_outputs: str | None
    original_description: str | None


def tool_row(tool: Tool) -> ToolRow:
    """Return the row of a tool; `parameters`, `outputs` and `profile` are canonical JSON text.

    `profile` also holds the envelope root, which has no column of its own, so that `tool_of` gives the tool back.
    """
    tree = tool_to_json(tool)
    profile = {**cast("dict[str, Json]", tree["profile"]), "root": tool.root}
    return {
        "tool_id": tool.tool_id,
        "operation_key": tool.operation_key,
        "platform": tool.platform,
        "service": tool.service,
        "provider": tool.provider,
        "domain": tool.domain,
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "method": tool.method,
        "url": tool.url,
        "parameters": canonical_json(tree["parameters"]),
        "outputs": canonical_json(tree["outputs"]),
        "required_count": len(tool.required),
        "paginated": tool.paginated,
        "noun": tool.noun,
        "name_field": tool.name_field,
        "profile": canonical_json(profile),
        "spec_file": tool.spec_file,
        "spec_hash": tool.spec_hash,
        "read_only": tool.read_only,
        "declared_outputs": None if tool.declared is None else canonical_json(tree["declared"]),
        "original_description": tool.original or None,
    }


def tool_of(row: Mapping[str, object]) -> Tool:
    """Return the tool of a stored row, equal to the one it was made from.

    Raises:
        SpecError: the row is not one that `tool_row` made.
    """
    plain = ("tool_id", "operation_key", "platform", "service", "provider", "domain", "title", "description")
    plain += ("method", "url", "noun", "name_field", "spec_file", "spec_hash")
    try:
        profile = cast("dict[str, Json]", json.loads(str(row["profile"])))
        root = profile.pop("root", "")
        lists = {name: json.loads(str(row[name])) for name in ("parameters", "outputs")}
        declared = row.get("declared_outputs")
        tree = {**{name: row[name] for name in plain}, **lists, "profile": profile, "root": root}
        tree["read_only"] = row.get("read_only") is not False
        tree["declared"] = None if declared is None else json.loads(str(declared))
        tree["original"] = row.get("original_description") or ""
    except (KeyError, ValueError, AttributeError) as error:
        raise SpecError(f"tool {row.get('tool_id')!r} cannot be read back ({error}); compile the specs again") from None
    return tool_from_json(cast("Json", tree))


@functools.cache
def _adapter():  # TypeAdapter[Tool]; pydantic is imported only where tools are reloaded
    from pydantic import TypeAdapter

    return TypeAdapter(Tool)


def tool_to_json(tool: Tool) -> dict[str, Json]:
    """Return everything a tool holds as JSON; `tool_from_json` gives the tool back."""
    return cast("dict[str, Json]", _adapter().dump_python(tool, mode="json"))


def tool_from_json(tree: Json) -> Tool:
    """Return the tool that `tool_to_json` wrote.

    Raises:
        SpecError: `tree` is not a tool, naming the first wrong field.
    """
    from pydantic import ValidationError

    try:
        return _adapter().validate_python(tree)
    except ValidationError as error:
        fault = error.errors()[0]
        path = ".".join(map(str, fault["loc"])) or "top level"
        raise SpecError(f"not a tool: {path}: {fault['msg']}; compile the specs again") from None
