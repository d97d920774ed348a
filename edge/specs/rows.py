"""Tool <-> row of the `tools` dataset: what is published is enough to call the tool again."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pydantic import TypeAdapter, ValidationError

from edge.errors import StoreError
from edge.specs.model import Tool

_ADAPTER = TypeAdapter(Tool)
_TEXTS = (
    *("tool_id", "operation_key", "platform", "service", "provider", "domain", "title", "description"),
    *("method", "url", "noun", "name_field", "spec_file", "spec_hash"),
)


def tool_row(tool: Tool) -> dict[str, object]:
    """Return the row of a tool; `profile` also carries the envelope root, which has no column of its own."""
    data = _ADAPTER.dump_python(tool, mode="json")
    return {
        **{name: data[name] for name in _TEXTS},
        "name": tool.name,
        "parameters": data["parameters"],
        "outputs": data["outputs"],
        "profile": {**data["profile"], "root": tool.root},
        "required_count": len(tool.required),
        "paginated": tool.paginated,
    }


def tool_of(row: Mapping[str, object]) -> Tool:
    """Return the tool of a stored row, equal to the one it was made from.

    Raises:
        StoreError: the row is not one that `tool_row` made.
    """
    try:
        profile = json.loads(str(row["profile"]))
        root = profile.pop("root", "")
        lists = {name: json.loads(str(row[name])) for name in ("parameters", "outputs")}
        return _ADAPTER.validate_python({**{n: row[n] for n in _TEXTS}, **lists, "profile": profile, "root": root})
    except (KeyError, AttributeError, ValueError, ValidationError) as error:
        raise StoreError(f"tool {row.get('tool_id')!r} cannot be read back: {str(error).splitlines()[0]}") from None
