"""Response bytes -> text -> tree: what the body really is, whatever its content type says."""

from __future__ import annotations

import codecs
import json
import math
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import orjson

from edge.execution.archive import ArchiveError, ArchiveLimits, largest_document
from edge.execution.xmltree import XmlError, parse_xml
from edge.ids import Json
from edge.text import clean

BodyKind = Literal["json", "xml", "html", "text", "empty", "broken"]
_KOREAN_LABELS = {
    "euc-kr",
    "euckr",
    "ks_c_5601-1987",
    "ks_c_5601",
    "ksc5601",
    "ksc_5601",
    "ms949",
    "cp949",
    "x-windows-949",
    "uhc",
}
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]+)[\"']", re.IGNORECASE)
_PROLOGUE = r"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*"
_HTML_START = re.compile(_PROLOGUE + r"<(?:!doctype\s+html|html|script|meta)\b", re.IGNORECASE | re.DOTALL)
# Of a text that is no XML only the first element tells: rows hold titles and breaks, and portals call a part "body".
_HTML_ELEMENT = re.compile(
    _PROLOGUE + r"<(?:head|body|title|style|center|div|p|h[1-6]|br|hr|font|table|span|form|iframe|img|pre|ul)\b",
    re.IGNORECASE | re.DOTALL,
)
_HANGUL = re.compile("[\uac00-\ud7a3]")
_SPACED = re.compile(r"[{\[]\s|[\":\]}],\s|\":\s")  # a text with blanks between its parts is no compact one
_LOST_SHARE = 0.01  # a text cut inside a character loses one; more than this share is not that text


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoded body. `tree` is there for json and xml; `problem` is the reason code of a broken body.

    `notes` name what was repaired on the way ("duplicate_key:item", "lenient_xml"): nothing is mended silently.
    """

    kind: BodyKind
    text: str = ""
    tree: Json = None
    problem: str = ""
    notes: tuple[str, ...] = ()


def decode_body(
    body: bytes,
    content_type: str = "",
    *,
    scrub: Callable[[str], str] | None = None,
    archive_limits: ArchiveLimits | None = None,
) -> Decoded:
    """Return what `body` holds; never raises for anything a server can send.

    `scrub` masks keys in the text before it is read. ZIP archives are opened within `archive_limits` and their
    largest document is decoded in their place.
    """
    body = body.removeprefix(codecs.BOM_UTF8)  # also before an archive or a text that is no UTF-8
    if body.startswith(b"PK\x03\x04"):
        try:
            body = largest_document(body, archive_limits or ArchiveLimits())
        except ArchiveError as error:
            return Decoded("broken", problem=error.reason, text=str(error))
        content_type = ""
    text, lost = decode_text(body, content_type)
    if lost > max(2, len(text) * _LOST_SHARE):
        return Decoded("broken", problem="undecodable", text="the body is not text in UTF-8 or CP949")
    decoded = _parse(scrub(text) if scrub else text, scrub or str)
    return decoded if not lost else _noted(decoded, f"lost_characters:{lost}")


def decode_text(body: bytes, content_type: str = "") -> tuple[str, int]:
    """Return the NFC text of `body` and how many characters could not be read (they are left out).

    Labels are hints: UTF-8 is recognised by itself, and every Korean label means CP949, the superset that servers
    really send (cases A18, A19). A byte-order mark is dropped (A20).
    """
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _finish(body.decode("utf-16", "replace"))
    unicode_text = _strict(body, "utf-8-sig")
    if unicode_text is not None and (body.isascii() or not _labelled_korean(body, content_type)):
        return _finish(unicode_text)
    korean_text = _strict(body, "cp949")
    if unicode_text is not None and (korean_text is None or _HANGUL.search(unicode_text)):
        return _finish(unicode_text)  # labelled EUC-KR, but Hangul in UTF-8 is never CP949 by accident
    if korean_text is not None:
        return _finish(korean_text)
    candidates = [body.decode(encoding, "replace") for encoding in ("utf-8-sig", "cp949")]
    return _finish(min(candidates, key=lambda text: text.count("\ufffd")))


def _labelled_korean(body: bytes, content_type: str) -> bool:
    header = _CHARSET.search(content_type)
    declared = _XML_ENCODING.match(body[:200])
    labels = {header.group(1).lower() if header else "", declared.group(1).decode().lower() if declared else ""}
    return bool(labels & _KOREAN_LABELS)


def _strict(body: bytes, encoding: str) -> str | None:
    try:
        return body.decode(encoding)
    except UnicodeDecodeError:
        return None


def _finish(text: str) -> tuple[str, int]:
    lost = text.count("\ufffd")
    kept = text.replace("\ufffd", "") if lost else text
    return (kept if kept.isascii() else unicodedata.normalize("NFC", kept)), lost


def _parse(text: str, scrub: Callable[[str], str]) -> Decoded:
    start = text.lstrip("\ufeff \t\r\n\x00")
    if not start:
        return Decoded("empty")
    if start[0] in "{[":
        return _parse_json(start, scrub)
    if start[0] == "<":
        return Decoded("html", text=text) if _HTML_START.match(start) else _parse_xml(start, scrub)
    return Decoded("text", text=text)


def _parse_json(text: str, scrub: Callable[[str], str]) -> Decoded:
    if not _SPACED.search(text, 0, 400) and (plain := _plain_json(text)) is not None:
        return Decoded("json", text=text, tree=_clean(plain, scrub) if "\\" in text else plain)
    pairs = _Pairs()
    try:
        tree: Json = json.loads(
            text, strict=False, object_pairs_hook=pairs, parse_float=_finite, parse_constant=_no_number
        )
    except (ValueError, RecursionError) as error:
        return Decoded("broken", problem="invalid_json", text=f"{type(error).__name__}: {error}")
    tree = _clean(tree, scrub) if "\\" in text else tree
    return Decoded("json", text=text, tree=tree, notes=tuple(pairs.notes))


def _parse_xml(text: str, scrub: Callable[[str], str]) -> Decoded:
    try:
        tree, notes = parse_xml(text)
    except (XmlError, RecursionError) as error:
        if _HTML_ELEMENT.match(text):
            return Decoded("html", text=text)
        return Decoded("broken", problem="invalid_xml", text=f"{type(error).__name__}: {error}")
    return Decoded("xml", text=text, tree=_clean(tree, scrub) if "&#" in text else tree, notes=notes)


def _plain_json(text: str) -> Json:
    """Return the tree of a compact JSON text in half the time, None for any other text.

    A parser of bare JSON keeps the last of repeated keys and rounds large whole numbers; a text that it writes back
    letter for letter holds neither.
    """
    try:
        tree: Json = orjson.loads(text)
        return tree if orjson.dumps(tree) == text.encode() else None
    except (ValueError, TypeError, RecursionError):  # TypeError: nested too deep to be written
        return None


class _Pairs:
    """Builds objects and notices repeated keys: two lists are joined, other values become a list (case A23)."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def __call__(self, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        made = dict(pairs)
        if len(made) == len(pairs):
            return made
        joined: dict[str, Json] = {}
        for key, value in pairs:
            if key not in joined or joined[key] == value:
                joined[key] = value
            else:
                joined[key] = [*_listed(joined[key]), *_listed(value)]
                self.notes.append(f"duplicate_key:{key}")
        return joined


def _listed(value: Json) -> list[Json]:
    return list(value) if isinstance(value, list) else [value]


def _finite(text: str) -> Json:
    number = float(text)
    return number if math.isfinite(number) else text


def _no_number(_name: str) -> Json:
    return None  # NaN and infinities are no JSON and mean a missing value


def _clean(value: Json, scrub: Callable[[str], str]) -> Json:
    """Return the tree with its texts composed, repaired and masked again.

    Escapes such as "\\u1100", "\\ud800" or "\\u002b" hide from what was done to the text before it was parsed.
    """
    if isinstance(value, str):
        return scrub(clean(value))
    if isinstance(value, dict):
        return {clean(key): _clean(item, scrub) for key, item in value.items()}
    if isinstance(value, list):
        return [_clean(item, scrub) for item in value]
    return value


def _noted(decoded: Decoded, note: str) -> Decoded:
    return Decoded(decoded.kind, decoded.text, decoded.tree, decoded.problem, (*decoded.notes, note))
