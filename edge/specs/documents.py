"""a file -> a document of a known kind, told by what it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from edge.errors import SpecError
from edge.specs.catalogue_words import lists_tools, rows_of
from edge.specs.plain import MAX_BYTES, Plain, read_tree

DocumentKind = Literal["profile", "services", "swagger2", "openapi3", "catalogue", "mcp"]
COMPILED = "Swagger 2.0, OpenAPI 3.x, catalogues of services, MCP tool lists and platform files (services:)"
SUFFIXES = frozenset({".json", ".yaml", ".yml"})


@dataclass(frozen=True, slots=True)
class Document:
    """A provider's document. `data` is the file's bytes, for the spec hash.

    A document that is a bare list has it as `rows` (catalogue) or `tools` (mcp) in `tree`.
    """

    path: Path
    kind: DocumentKind
    tree: dict[str, Plain]
    data: bytes


@dataclass(frozen=True, slots=True)
class UnknownKind(Exception):
    """A readable file that is none of the documents this package compiles. `found` says what it looks like."""

    found: str

    def __str__(self) -> str:
        return f"{self.found}; compiled are {COMPILED}"


def load_document(path: Path) -> Document:
    """Return the document in a JSON or YAML file.

    Raises:
        SpecError: unreadable or broken, with line and column.
        UnknownKind: readable, but no document this package compiles.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise SpecError(f"file is larger than {MAX_BYTES} bytes")
        data = path.read_bytes()
    except OSError as error:
        raise SpecError(f"cannot be read: {error.strerror or error}") from None
    return read_document(path, data)


def read_document(path: Path, data: bytes) -> Document:
    """Return the document in the bytes of a JSON or YAML file; `path` names it.

    Raises:
        SpecError: broken, with line and column.
        UnknownKind: readable, but no document this package compiles.
    """
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if start in (b"", b"<"):
        raise UnknownKind("file is HTML or XML" if start else "file is empty")
    read = read_tree(data, path.name)
    tree = _listed(read) if isinstance(read, list) else read
    if not isinstance(tree, dict):
        raise UnknownKind("file holds no mapping")
    return Document(path, _kind_of(tree, path), tree, data)


def _listed(items: list[Plain]) -> dict[str, Plain]:
    """Return a bare list under the name of what it lists."""
    if lists_tools(items):
        return {"tools": items}
    if rows_of({"rows": items}):
        return {"rows": items}
    raise UnknownKind("top level is a list, neither of services nor of tools")


def _kind_of(tree: dict[str, Plain], path: Path) -> DocumentKind:
    if text_of(tree.get("swagger")).startswith("2"):
        return "swagger2"
    if text_of(tree.get("openapi")).startswith("3."):
        return "openapi3"
    if path.name == "profile.yaml" or {"platform", "envelope"} <= tree.keys():
        return "profile"
    if rows_of(tree):
        return "catalogue"
    if "services" in tree:
        return "services"
    if isinstance(tree.get("tools"), list) or isinstance(mapping_of(tree.get("result")).get("tools"), list):
        return "mcp"
    marks = {"swagger": "Swagger", "openapi": "OpenAPI", "asyncapi": "AsyncAPI"}
    for key, title in marks.items():
        if key in tree:
            version = text_of(tree[key])
            raise UnknownKind(f"{title} {version}".strip() + " is not read")
    if isinstance(tree.get("paths"), dict):
        raise UnknownKind("paths, but neither swagger: nor openapi: says which version")
    keys = ", ".join(list(tree)[:4]) or "nothing"
    raise UnknownKind(f"unknown document (top-level keys: {keys})")


def text_of(node: Plain) -> str:
    """Return a scalar as trimmed text; "" for None, lists and mappings."""
    if isinstance(node, bool):
        return "true" if node else "false"
    return node.strip() if isinstance(node, str) else ""


def mapping_of(node: Plain) -> dict[str, Plain]:
    """Return `node` where it is a mapping, else an empty one."""
    return node if isinstance(node, dict) else {}


def list_of(node: Plain) -> list[Plain]:
    """Return `node` where it is a list, else an empty one."""
    return node if isinstance(node, list) else []


def is_true(node: Plain) -> bool:
    """Whether a scalar says yes, as a JSON boolean or as a word."""
    return text_of(node).casefold() in ("true", "yes", "y", "1")


def first_text(node: Mapping[str, Plain], keys: Sequence[str]) -> str:
    """Return the first non-empty text among `keys`."""
    return next((text for text in (text_of(node.get(key)) for key in keys) if text), "")
