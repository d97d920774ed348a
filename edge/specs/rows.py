"""Tool -> a row of the `tools` dataset, and Tool <-> JSON in full, for stages that reload tools from files."""

from __future__ import annotations

import functools
from typing import TypedDict, cast

from edge.errors import SpecError
from edge.ids import Json, canonical_json
from edge.specs.model import Tool


class ToolRow(TypedDict):
    """One row of the `tools` dataset."""

    tool_id: str
    operation_key: str
    platform: str
    provider: str
    domain: str
    name: str
    description: str
    method: str
    url: str
    parameters: str
    outputs: str
    required_count: int
    paginated: bool
    spec_file: str
    spec_hash: str


def tool_row(tool: Tool) -> ToolRow:
    """Return the row of a tool; `parameters` and `outputs` are canonical JSON text."""
    tree = tool_to_json(tool)
    return {
        "tool_id": tool.tool_id,
        "operation_key": tool.operation_key,
        "platform": tool.platform,
        "provider": tool.provider,
        "domain": tool.domain,
        "name": tool.name,
        "description": tool.description,
        "method": tool.method,
        "url": tool.url,
        "parameters": canonical_json(tree["parameters"]),
        "outputs": canonical_json(tree["outputs"]),
        "required_count": len(tool.required),
        "paginated": tool.paginated,
        "spec_file": tool.spec_file,
        "spec_hash": tool.spec_hash,
    }


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
