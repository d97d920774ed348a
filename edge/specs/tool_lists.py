"""one entry of a list of tools, in any of the shapes in which servers and documents give it -> its parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from edge.specs.annotations import read_annotation
from edge.specs.catalogue_words import says_yes
from edge.specs.documents import Document, first_text, mapping_of, text_of
from edge.specs.plain import Plain

_SCHEMAS: Final = ("inputSchema", "input_schema", "parameters")
_SERVERS: Final = ("server", "serverInfo", "server_info", "name")


@dataclass(frozen=True, slots=True)
class ListedTool:
    """One tool of a list. `schema` is that of its arguments, `output` {} where it says nothing of its answer."""

    server: str
    name: str
    title: str
    description: str
    schema: dict[str, Plain]
    output: dict[str, Plain]
    hints: dict[str, Plain]
    described: bool  # whether the list says which arguments the tool takes


def server_of(document: Document, spec_file: str) -> str:
    """Return the server's name as the document gives it, else the path of the file: two lists are two servers."""
    for place in (document.tree, mapping_of(document.tree.get("result"))):
        for key in _SERVERS:
            name = text_of(place.get(key)) or first_text(mapping_of(place.get(key)), ("name", "title"))
            if name:
                return name
    return spec_file.rpartition(".")[0] or spec_file


def listed_tool(item: Plain, server: str) -> ListedTool | None:
    """Return the parts of an entry, None where it has no name. `server` is that of the list."""
    outer = mapping_of(item)
    tool = mapping_of(outer.get("function")) or outer  # OpenAI wraps its functions
    name = first_text(tool, ("name", "tool"))
    if not name:
        return None
    hints = mapping_of(tool.get("annotations"))
    schema = next((mapping_of(tool[key]) for key in _SCHEMAS if isinstance(tool.get(key), dict)), None)
    params = tool.get("params", tool.get("parameters"))
    if schema is None and isinstance(params, list):
        schema = _schema_of(params)
    return ListedTool(
        server=text_of(tool.get("server")) or server,
        name=name,
        title=first_text(tool, ("title",)) or text_of(hints.get("title")),
        description=first_text(tool, ("description", "doc", "summary")),
        schema=schema or {},
        output=mapping_of(tool.get("outputSchema")) or mapping_of(tool.get("output_schema")),
        hints=hints,
        described=schema is not None,
    )


def _schema_of(params: list[Plain]) -> dict[str, Plain]:
    """Return the JSON Schema of arguments listed as names with annotations."""
    properties: dict[str, Plain] = {}
    required: list[Plain] = []
    for param in params:
        members = mapping_of(param) or {"name": param}
        name = text_of(members.get("name"))
        if not name:
            continue
        annotation = read_annotation(text_of(members.get("type")))
        description = text_of(members.get("description")) or annotation.note
        properties[name] = {
            **annotation.schema,
            **({"description": description} if description else {}),
            **({"default": members["default"]} if "default" in members else {}),
        }
        if says_yes(members.get("required")):
            required.append(name)
    return {"type": "object", "properties": properties, "required": required}
