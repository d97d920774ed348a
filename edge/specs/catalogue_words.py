"""a list in a document -> what it lists: services of a catalogue, told by the words of catalogue.yaml, or MCP tools."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, cast

from edge.errors import SpecError
from edge.specs.model import JsonType
from edge.specs.plain import Plain, decode, read_yaml

Part = Literal["row", "entry"]
_TOOL_MARKS = frozenset({"inputSchema", "input_schema"})


@functools.cache
def _table() -> dict[str, Plain]:
    tree = read_yaml(decode((Path(__file__).parent / "catalogue.yaml").read_bytes()))
    if not isinstance(tree, dict):
        raise SpecError("catalogue.yaml is not a mapping; reinstall edge-synthesis")
    return tree


@functools.cache
def words(*steps: str) -> tuple[str, ...]:
    """Return the words of one place of the table, folded: ("row", "code") gives ("servicecode", ...)."""
    node: Plain = _table()
    for step in steps:
        node = cast("dict[str, Plain]", node)[step]
    return tuple(fold(str(word)) for word in cast("list[Plain]", node))


@functools.cache
def spelled(part: Part) -> frozenset[str]:
    """Return all words that the keys of a row or entry may be, as the table writes them."""
    lists = cast("dict[str, list[str]]", _table()[part]).values()
    return frozenset(word for spellings in lists for word in spellings)


@functools.lru_cache(maxsize=4096)
def fold(word: str) -> str:
    """Return a word so that capitals and marks make no difference."""
    return re.sub(r"[\s_.-]", "", word).casefold() or word


def folded(node: Mapping[str, Plain]) -> dict[str, Plain]:
    """Return what a mapping says, under names folded so that capitals and marks make no difference."""
    said: dict[str, Plain] = {}
    for key, value in node.items():
        if value is not None and value not in ("", [], {}):
            said.setdefault(fold(key), value)
    return said


def pick(said: Mapping[str, Plain], *steps: str) -> Plain:
    """Return what a folded mapping holds under the first of the words at `steps`, None where it holds none."""
    return next((said[word] for word in words(*steps) if word in said), None)


def says_yes(node: Plain) -> bool | None:
    """Return whether a word means yes, None where it means neither yes nor no."""
    if node is None or isinstance(node, bool):
        return node
    word = fold(str(node).strip())
    return True if word in words("yes") else False if word in words("no") else None


@functools.lru_cache(maxsize=1024)
def type_named(word: str) -> JsonType | None:
    """Return the JSON type of a provider's type word ("VARCHAR2(20)"), None where it means none."""
    bare = fold(re.sub(r"[(\[<].*", "", word))
    return next((cast("JsonType", name) for name in _table_types() if bare in words("types", name)), None)


def _table_types() -> list[str]:
    return list(cast("dict[str, Plain]", _table()["types"]))


def rows_of(tree: Mapping[str, Plain]) -> list[Plain]:
    """Return the rows of a document: the first of its lists that holds services, [] where none does."""
    for word in words("lists"):
        for key, value in tree.items():
            if fold(key) == word and isinstance(value, list) and any(map(_is_service, value)):
                return value
    return []


def _is_service(row: Plain) -> bool:
    """Whether a row describes a service: it has a code, a path or a number of its own, and parameters or fields."""
    if not isinstance(row, dict):
        return False
    folded = {fold(key) for key in row}
    named = folded.intersection((*words("row", "code"), *words("row", "path"), *words("row", "number")))
    return bool(named) and bool(folded.intersection((*words("row", "parameters"), *words("row", "outputs"))))


def tools_of(tree: Mapping[str, Plain]) -> list[Plain]:
    """Return the MCP or function tools of a document: its `tools`, also inside a JSON-RPC `result`."""
    result = tree.get("result")
    for place in (tree, result if isinstance(result, dict) else {}):
        tools = place.get("tools")
        if isinstance(tools, list):
            return tools
    return []


def lists_tools(items: list[Plain]) -> bool:
    """Whether a bare list holds tools of a server: their schemas, OpenAI's function shape, or server and tool names."""
    return any(isinstance(item, dict) and _is_tool(item) for item in items)


def _is_tool(item: dict[str, Plain]) -> bool:
    if _TOOL_MARKS & item.keys() or {"server", "tool"} <= item.keys():
        return True
    return item.get("type") == "function" and ("function" in item or "parameters" in item)
