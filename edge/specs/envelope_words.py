"""the name of a field -> whether it is part of an envelope: paging, counts, status and message around the records."""

from __future__ import annotations

import re
from functools import lru_cache

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ALONE = frozenset(
    {"success", "ok", "error", "errors", "warning", "warnings", "fault", "header", "head", "meta", "metadata", "links"}
    | {"envelope", "self", "href", "url", "version", "timestamp", "took", "elapsed", "request", "query", "facets"}
    | {"aggregations", "kind", "etag", "sort", "sorted", "empty", "number", "requestid", "traceid", "lastbuilddate"}
    | {"apiversion", "responsetime", "requesttime", "sortorder", "orderby", "haserror", "issuccess"}
)
_ALONE_VALUE = frozenset({"rows", "size", "start", "more", "first", "last", "object"})
# A name is a count's or a page's where one of the first is among its words and the others are of the second.
_COUNTS = frozenset(
    {"page", "pages", "paging", "pageable", "pagination", "paginator", "limit", "offset", "cursor", "skip", "next"}
    | {"prev", "previous", "total", "totals", "count", "counts", "cnt", "tot", "display", "per", "num", "has", "rows"}
)
_COUNTED = frozenset(
    {"result", "results", "record", "records", "item", "items", "list", "data", "element", "elements", "row", "of"}
    | {"no", "number", "index", "token", "current", "max", "match", "matched", "all", "is", "search", "found", "size"}
    | {"first", "last", "start", "more", "end"}
)
# And a status's or a message's likewise.
_SAYINGS = frozenset({"status", "code", "message", "msg", "cd"})
_SAID = frozenset({"result", "results", "response", "return", "res", "rs", "rslt", "error", "err", "api", "http", "is"})
_RUN_TOGETHER = re.compile(
    r"(?:total|tot|result|match|current|page|row)(?:count|cnt|code|msg|message|no|num|size|index)"
    r"|errmsg|errcode|perpage|numofrows|totalpages?|(?:total|numberof)elements"
)
_KOREAN = re.compile(
    r"(?:전체|총|조회|검색|현재)?(?:결과)?(?:건수|개수)|(?:전체|총|현재)?페이지(?:수|번호|크기)?"
    r"|(?:결과|응답|처리|오류|에러)(?:코드|메시지|메세지|상태|여부)|상태|메시지|메세지"
)


@lru_cache(maxsize=4096)
def is_envelope(name: str, *, holds_records: bool = False) -> bool:
    """Whether a field of this name says something about an answer and is not what was asked for.

    Args:
        name: A key of an answer: "totalCount", "result_msg", "페이지 번호".
        holds_records: Whether it is an object or a list of objects, which "rows" and "first" may be called, too.
    """
    folded = re.sub(r"[\s_@$.-]", "", name).casefold()
    if folded in _ALONE_VALUE:
        return not holds_records
    if folded in _ALONE or _RUN_TOGETHER.fullmatch(folded) or _KOREAN.fullmatch(folded):
        return True
    words = {word.casefold() for word in _PART.findall(name)}
    return any(
        words & core and words <= core | beside for core, beside in ((_COUNTS, _COUNTED), (_SAYINGS, _SAYINGS | _SAID))
    )
