"""XML text -> the tree that JSON would have given: element names as keys, repeated elements as lists."""

from __future__ import annotations

import html
import re
from typing import cast
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from edge.ids import Json

MAX_DEPTH = 200
TEXT_KEY = "#text"  # text beside attributes or child elements
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>", re.IGNORECASE)
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_BARE_ENTITY = re.compile(r"&(?!#?\w+;)")
_NAMED_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z]\w*);")
_CDATA = re.compile(r"(<!\[CDATA\[.*?\]\]>)", re.DOTALL)


class XmlError(ValueError):
    """The text is not XML that may be read."""


class _TreeBuilder:
    """Parser target that builds dictionaries at once: no element objects for hundreds of thousands of rows."""

    def __init__(self) -> None:
        self._stack: list[tuple[str, dict[str, Json], list[str]]] = []
        self._root: dict[str, Json] = {}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._stack) >= MAX_DEPTH:
            raise XmlError(f"nested deeper than {MAX_DEPTH}")
        self._stack.append((_local(tag), {_local(name): value for name, value in attributes.items()}, []))

    def data(self, text: str) -> None:
        if self._stack:
            self._stack[-1][2].append(text)

    def end(self, _tag: str) -> None:
        name, children, pieces = self._stack.pop()
        text = "".join(pieces).strip()
        value: Json = children if children else text
        if children and text:
            children[TEXT_KEY] = text
        _add(self._stack[-1][1] if self._stack else self._root, name, value)

    def close(self) -> dict[str, Json]:
        return self._root


def parse_xml(text: str) -> tuple[dict[str, Json], tuple[str, ...]]:
    """Return the tree of an XML text and notes on what had to be repaired.

    The declaration is dropped first: the text is decoded already and its encoding no longer applies (case A18).
    Surrounding white space of element text is layout and is dropped; an empty element is "". Bare ampersands and HTML
    entities are repaired, and noted, because providers paste both into names.

    Raises:
        XmlError: not XML, nested too deeply, or with entity definitions.
    """
    plain = _FORBIDDEN.sub("", _DECLARATION.sub("", text.lstrip("\ufeff"), count=1))
    try:
        return _feed(plain), ()
    except XmlError:
        mended = _mend(plain)
        if mended == plain:
            raise
        return _feed(mended), ("lenient_xml",)


def _feed(text: str) -> dict[str, Json]:
    parser = DefusedXMLParser(target=_TreeBuilder(), forbid_dtd=False, forbid_entities=True, forbid_external=True)
    try:
        parser.feed(text)
        tree = cast("dict[str, Json]", parser.close())  # what the target's close returns
    except (ParseError, DefusedXmlException, UnicodeError) as error:
        raise XmlError(str(error)) from error
    return tree


def _mend(text: str) -> str:
    pieces = _CDATA.split(text)  # odd positions are CDATA sections, which need no escapes
    return "".join(piece if position % 2 else _mend_markup(piece) for position, piece in enumerate(pieces))


def _mend_markup(text: str) -> str:
    known = _NAMED_ENTITY.sub(lambda match: _character(match.group(1)), text)
    return _BARE_ENTITY.sub("&amp;", known)


def _character(name: str) -> str:
    meaning = html.unescape(f"&{name};")
    return meaning if not meaning.startswith("&") else f"&amp;{name};"


def _add(parent: dict[str, Json], name: str, value: Json) -> None:
    if name not in parent:
        parent[name] = value
        return
    present = parent[name]
    if isinstance(present, list):  # a value is a text or a mapping, so a list can only be repeated elements
        present.append(value)
    else:
        parent[name] = [present, value]


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]
