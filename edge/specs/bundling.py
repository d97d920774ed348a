"""a document that refers to other files and URLs -> one that holds what it refers to: readers stay inside it."""

from __future__ import annotations

import os
import re
from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from edge.errors import SpecError
from edge.specs.documents import Document, text_of
from edge.specs.plain import MAX_BYTES, Plain, read_tree
from edge.specs.refs import ANCHORS, FOREIGN, escape

_MAX_DOCUMENTS: Final = 5_000
_MAX_NODES: Final = 2_000_000  # of the document and all that is brought in
# A reference that is no JSON pointer into its own document, as JSON and YAML write it; values on the next line too.
_FOREIGN_REF = re.compile(rb"""\$ref["']?\s*:\s*["']?(?:[^#"'\s]|#[^/"'\s,}\]])""")
_WIDE = (b"\xff\xfe", b"\xfe\xff")
# Below these, keys are names that the document gives; elsewhere these keys hold what is no schema.
_NAMES: Final = frozenset(
    {"properties", "patternProperties", "definitions", "$defs", "dependentSchemas", "schemas", "responses", "content"}
    | {"parameters", "requestBodies", "headers", "pathItems", "paths", "callbacks", "links", "additionalOperations"}
)
_PAYLOADS: Final = frozenset({"example", "examples", "default", "enum", "const"})


class Fetch(Protocol):
    """How a document at a URL is had. What may be asked for is the fetcher's business."""

    def __call__(self, url: str, /) -> bytes:
        """Return the bytes at `url`.

        Raises:
            SpecError: it is not allowed, not there or too large.
        """
        ...


@dataclass(frozen=True, slots=True)
class Bundle:
    """A document that holds all it refers to, and the files that were brought in."""

    document: Document
    files: frozenset[Path] = frozenset()


def bundled(document: Document, base: str, inside: Path | None, fetch: Fetch | None = None) -> Bundle:
    """Return `document` with other documents it refers to under a key of their own, references leading there.

    Each is loaded once; its own references are relative to where it lies. One that cannot be had costs only what uses
    it: its place holds the reason, which `resolve` reports. A document without such references is returned as it is.

    Args:
        document: A Swagger or OpenAPI document.
        base: Its URI, which references are relative to.
        inside: The folder that files must lie in, however they are referred to; None where no file may be read.
        fetch: How http and https references are had; None refuses them.
    """
    if document.data[:2] not in _WIDE and not _FOREIGN_REF.search(document.data):
        return Bundle(document)
    return _Bundler(document, base, inside and inside.resolve(), fetch).bundle()


class _Bundler:
    """Brings in what one document refers to, one document after the other."""

    def __init__(self, document: Document, base: str, inside: Path | None, fetch: Fetch | None) -> None:
        self._document = document
        self._base = base
        self._inside = inside
        self._fetch = fetch
        self._places: dict[str, str] = {}  # URI of a document, or of a part with a name of its own -> JSON pointer
        self._waiting: deque[str] = deque()
        self._contents: dict[str, bytes] = {}
        self._files: set[Path] = set()
        self._nodes = 0

    def bundle(self) -> Bundle:
        """Return the document with all that could be had."""
        own = text_of(self._document.tree.get("$self"))
        self._places |= {self._base: "#", **({own: "#"} if own else {})}
        tree = self._taken(self._document.tree, self._base, "#")
        foreign: dict[str, Plain] = {}
        while self._waiting:
            uri = self._waiting.popleft()
            foreign[self._key(uri)] = self._brought(uri)
        whole = {**(tree if isinstance(tree, dict) else {}), FOREIGN: foreign}
        # What a tool is compiled from is all of it: a change in a part must show in the hash.
        data = b"\0".join([self._document.data, *(self._contents[uri] for uri in sorted(self._contents))])
        return Bundle(replace(self._document, tree=whole, data=data), frozenset(self._files))

    def _key(self, uri: str) -> str:
        """Return what people call a document: its path below the folder, else its URL."""
        if not uri.startswith("file:") or self._inside is None:
            return uri
        return Path(os.path.relpath(unquote(urlsplit(uri).path), self._inside)).as_posix()

    def _place(self, uri: str) -> str:
        """Return the JSON pointer of a document, which will be brought in where it is asked for first."""
        if uri not in self._places:
            self._places[uri] = f"#/{FOREIGN}/{escape(self._key(uri))}"
            self._waiting.append(uri)
        return self._places[uri]

    def _brought(self, uri: str) -> Plain:
        """Return the tree of a document, or the reason why there is none."""
        try:
            if len(self._contents) >= _MAX_DOCUMENTS or sum(map(len, self._contents.values())) > MAX_BYTES:
                raise SpecError(f"more than {_MAX_DOCUMENTS} documents or {MAX_BYTES} bytes are referred to")
            data = self._loaded(uri)
            tree = read_tree(data, urlsplit(uri).path)
            self._contents[uri] = data
            return self._taken(tree, uri, self._places[uri])
        except SpecError as error:
            return str(error)

    def _loaded(self, uri: str) -> bytes:
        scheme = urlsplit(uri).scheme
        if scheme == "file":
            return self._file(unquote(urlsplit(uri).path))
        if scheme not in ("http", "https"):
            raise SpecError(f"references by {scheme or 'such an address'!r} are not read")
        if self._fetch is None:
            raise SpecError("it is remote, and no host may be asked; allow its host, or copy it beside this file")
        return self._fetch(uri)

    def _file(self, name: str) -> bytes:
        try:
            path = Path(name).resolve()
            if self._inside is None or not path.is_relative_to(self._inside):
                raise SpecError("it lies outside the folder of this document; copy it there to use it")
            if not path.is_file():
                raise SpecError("there is no such file")
            if path.stat().st_size > MAX_BYTES:
                raise SpecError(f"file is larger than {MAX_BYTES} bytes")
            data = path.read_bytes()
        except (OSError, ValueError) as error:
            raise SpecError(f"cannot be read ({type(error).__name__})") from None
        self._files.add(path)
        return data

    def _taken(self, tree: Plain, uri: str, at: str) -> Plain:
        """Return a document's tree with its references rewritten; its anchors hang under a key of their own."""
        anchors: dict[str, Plain] = {}
        self._index(tree, uri, at, anchors)
        rewritten = self._rewritten(tree, uri, uri, at, names=False)
        return {**rewritten, ANCHORS: anchors} if anchors and isinstance(rewritten, dict) else rewritten

    def _index(self, node: Plain, base: str, at: str, anchors: dict[str, Plain]) -> None:
        """Note parts with a URI ("$id") or a name ("$anchor") of their own."""
        self._nodes += 1
        if self._nodes > _MAX_NODES:
            raise SpecError(f"more than {_MAX_NODES} nodes together with what is referred to")
        if isinstance(node, list):
            for position, item in enumerate(node):
                self._index(item, base, f"{at}/{position}", anchors)
        if not isinstance(node, dict):
            return
        if isinstance(node.get("$id"), str):
            base = _joined(base, text_of(node["$id"]))
            self._places.setdefault(urldefrag(base)[0], at)
        for key in ("$anchor", "$dynamicAnchor"):
            if isinstance(node.get(key), str):
                anchors.setdefault(text_of(node[key]), {"$ref": at})
        for key, value in node.items():
            if isinstance(value, dict | list):
                self._index(value, base, f"{at}/{escape(key)}", anchors)

    def _rewritten(self, node: Plain, base: str, uri: str, at: str, *, names: bool) -> Plain:
        """Return a node with references led into the bundle. `names` says that its keys are names of the document's."""
        if isinstance(node, list):
            return [self._rewritten(item, base, uri, at, names=False) for item in node]
        if not isinstance(node, dict):
            return node
        if isinstance(node.get("$id"), str) and not names:
            base = _joined(base, text_of(node["$id"]))
        rewritten: dict[str, Plain] = {}
        for key, value in node.items():
            if key == "$ref" and isinstance(value, str):  # a property called so would have a mapping
                rewritten[key] = self._led(value.strip(), base, uri)
            elif isinstance(value, dict | list) and (names or key not in _PAYLOADS):
                rewritten[key] = self._rewritten(value, base, uri, at, names=key in _NAMES and not names)
            else:
                rewritten[key] = value
        return rewritten

    def _led(self, reference: str, base: str, uri: str) -> str:
        """Return a reference as a pointer into the bundle."""
        named, fragment = urldefrag(_joined(base, reference))
        # A part that has this very URI is meant; else a reference is relative to where its document lies.
        target = named if named in self._places else urldefrag(_joined(uri, reference))[0]
        place = self._places[uri] if reference.startswith("#") else self._place(target)
        if not fragment or fragment.startswith("/"):
            return f"{place}{fragment}"
        return f"{place}/{ANCHORS}/{escape(unquote(fragment))}"


def _joined(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference)
    except ValueError:
        return f"invalid:{reference}"
