"""a text with HTML and Markdown in it -> what it says: tags, entities and rows of tables are taken out."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

_BREAKS = frozenset(
    {"br", "p", "div", "li", "ul", "ol", "dl", "dt", "dd", "tr", "table", "thead", "tbody", "tfoot", "caption", "hr"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "section", "article", "details", "summary"}
)
_INLINE = frozenset(
    {"b", "i", "u", "s", "a", "em", "strong", "span", "font", "code", "small", "big", "sub", "sup", "mark", "del"}
    | {"ins", "kbd", "samp", "tt", "abbr", "cite", "center", "img", "nobr", "strike", "wbr", "label", "body", "html"}
)
_CELLS = frozenset({"td", "th"})
_SILENT = frozenset({"script", "style", "head"})
_LONE_AMPERSAND = re.compile(r"&(?!(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,31});)")
_TABLE_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*")
_TABLE_RULE = re.compile(r"(?=.*-)(?=.*\|)[\s|:-]+")


def plain(text: str) -> str:
    """Return a text without tags and entities of HTML; "<YYYYMMDD>" and "R&D" are neither.

    A tag that ends a line becomes a line's end, so that what stood apart stays apart.
    """
    if "<" not in text and "&" not in text:
        return text
    stripper = _Stripper()
    bare = text.replace("<![CDATA[", "").replace("]]>", "").replace("<![", "&lt;![")  # what the parser chokes on
    stripper.feed(_LONE_AMPERSAND.sub("&amp;", bare))
    stripper.close()
    said = "".join(stripper.pieces).replace("\xa0", " ")
    return re.sub(r"[ \t]*\n\s*", "\n", said).strip()


def without_tables(text: str) -> str:
    """Return a text without the rows of Markdown tables."""
    if "|" not in text:
        return text
    lines = text.splitlines()
    kept: list[str] = []
    inside = False
    for line in lines:
        rule = bool(_TABLE_RULE.fullmatch(line))
        if rule and kept and "|" in kept[-1]:
            kept.pop()  # the head of a table that is written without outer bars
        inside = rule or (inside and "|" in line)
        if not inside and not _TABLE_ROW.fullmatch(line):
            kept.append(line)
    return "\n".join(kept).strip()


class _Stripper(HTMLParser):
    """Gathers the text between tags; what no tag of HTML is called stays as it was written."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in the beginning of an element."""
        self._silent += tag in _SILENT
        written = self.get_starttag_text() or ""
        if tag in _INLINE and attrs and all(value is None for _, value in attrs):
            self.handle_data(written)  # "a<b and c>d"
        else:
            self._take(tag, written)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in an element without content."""
        self._take(tag, self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        """Take in the end of an element."""
        self._silent = max(0, self._silent - (tag in _SILENT))
        self._take(tag, f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Take in text."""
        if not self._silent:
            self.pieces.append(data)

    def _take(self, tag: str, written: str) -> None:
        if tag in _BREAKS:
            self.pieces.append("\n")
        elif tag in _CELLS:
            self.pieces.append(" ")
        elif tag not in _INLINE and tag not in _SILENT:
            self.handle_data(unescape(written))  # "<a&b>" had its ampersand escaped
