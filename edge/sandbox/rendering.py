"""Python values in, JSON and XML bytes out: the two spellings every envelope style is written with."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import cast
from xml.sax.saxutils import escape

from edge.sandbox.model import Response

_NUMBER = re.compile(r"-?(0|[1-9]\d{0,15})(\.\d+)?")
JSON_TYPE = "application/json;charset=UTF-8"
_LONGEST_NUMBER = 40
XML_TYPE = "text/xml;charset=UTF-8"
_XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'


def json_response(value: object, status: int = 200, content_type: str = JSON_TYPE) -> Response:
    """Compact JSON with Korean text unescaped."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return Response(status, content_type, body)


def xml_response(root: str, value: object, status: int = 200, content_type: str = XML_TYPE) -> Response:
    """One document; dicts become elements, lists repeat the element that holds them, None and "" stay empty."""
    return Response(status, content_type, f"{_XML_HEAD}{xml_element(root, value)}".encode())


def xml_element(name: str, value: object) -> str:
    """An element as text; a list gives one element per entry."""
    if isinstance(value, Mapping):
        inner = "".join(xml_element(key, child) for key, child in cast("Mapping[str, object]", value).items())
        return f"<{name}>{inner}</{name}>" if inner else f"<{name}/>"
    if isinstance(value, list | tuple):
        return "".join(xml_element(name, child) for child in cast("list[object]", value))
    if value is None or value == "":
        return f"<{name}/>"
    return f"<{name}>{escape(str(value))}</{name}>"


def recoded(response: Response, label: str) -> Response:
    """The same text in the bytes of an old server: it says `label` (EUC-KR, say) and sends the wider CP949."""
    text = response.body.decode("utf-8").replace('encoding="UTF-8"', f'encoding="{label}"')
    kind = response.content_type.partition(";")[0]
    return replace(response, content_type=f"{kind};charset={label}", body=text.encode("cp949", "xmlcharrefreplace"))


def loose_numbers(value: object) -> object:
    """What an automatic XML-to-JSON step does: 1700 becomes a number, 0830 stays text."""
    return _loose(value) if isinstance(value, str) and len(value) <= _LONGEST_NUMBER else value


@lru_cache(maxsize=16_384)
def _loose(text: str) -> object:
    # Kept, since the same codes, days and prices come up on every page.
    if not _NUMBER.fullmatch(text):
        return text
    return float(text) if "." in text else int(text)
