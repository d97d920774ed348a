"""method and words of a documented operation -> whether it only reads, and whether it has an answer to read."""

from __future__ import annotations

import re
from typing import Final

SAFE: Final = frozenset({"get", "query", "search", "report", "propfind"})  # the last three in `additionalOperations`
STANDARD: Final = ("get", "query", "post", "put", "patch", "delete", "head", "options", "trace")
NO_ANSWER: Final = frozenset({"head", "options", "trace"})

# The one table of words. A POST reads where one of the first stands where the verb stands, and none of the second
# stands anywhere: what is in doubt is never called.
READS: Final = frozenset(
    {"search", "find", "filter", "query", "list", "count", "lookup", "check", "read", "preview", "get", "fetch"}
    | {"retrieve", "view", "show", "browse", "inquire", "inquiry", "select", "paginate", "look", "autocomplete"}
)
WRITES: Final = frozenset(
    {"create", "add", "insert", "new", "update", "edit", "modify", "change", "set", "put", "patch", "write", "save"}
    | {"delete", "remove", "destroy", "clear", "reset", "drop", "send", "submit", "upload", "import", "register"}
    | {"start", "stop", "restart", "execute", "trigger", "enable", "disable", "approve", "reject", "cancel", "mark"}
    | {"move", "copy", "merge", "replace", "rename", "publish", "transfer", "assign", "invite", "subscribe", "revoke"}
    | {"login", "logout", "sign", "pay", "charge", "rerun", "rerequest", "redeliver", "increment", "decrement"}
)
READS_KOREAN = re.compile(r"조회|검색|목록|확인|찾기|열람|통계|현황")
WRITES_KOREAN = re.compile(r"등록|생성|추가|예약|수정|변경|삭제|취소|전송|발송|업로드|신청|저장|결제|발급|해지")
# A GET is taken at its word, but for these where the verb stands: documents of old say it for deeds.
_CHANGES: Final = frozenset(
    {"create", "insert", "update", "modify", "delete", "remove", "destroy", "save", "submit", "cancel"}
)
_CHANGES_KOREAN = re.compile(r"(?:삭제|수정|변경|취소|등록|신청|예약|해지|발송|전송)(?:하기|합니다|한다)?\.?$")
_COMINGS = re.compile(r"\b(?:check|sign|log) (?:in|out|off)\b")  # "checkIn" checks nothing
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LITERAL = re.compile(r"/([^/{}?]+)(?=[/?]|$)")


def reads(method: str, path: str, name: str, summary: str) -> bool:
    """Return whether an operation only reads, as far as its method and its words say.

    Args:
        method: In small letters. Words outrank it: a GET that deletes does not read.
        path: As in the document.
        name: The operationId, "" where there is none.
        summary: Its title in the document.
    """
    if method == "get":
        return not _gets_in_name_only(path, name, summary)
    if method != "post":
        return method in SAFE
    # FastAPI writes path and method into its names behind the function's; only the front of a name is its verb.
    words = [_words(part) for part in (_last(re.split(r"[/.:]", name)), _last(_LITERAL.findall(path)), summary)]
    verbs = {part[0] for part in words[:2] if part} | {_stem(word) for word in words[2][:1]}
    said = {word for part in words for word in part}
    text = f"{name} {path} {summary}"
    if said & WRITES or WRITES_KOREAN.search(text) or any(_COMINGS.search(" ".join(part)) for part in words):
        return False
    return bool(verbs & READS or READS_KOREAN.search(text))


def _gets_in_name_only(path: str, name: str, summary: str) -> bool:
    """Whether an operation is called with GET although its verb says that it changes something: "deleteMember"."""
    verbs = [_words(part)[:1] for part in (_last(re.split(r"[/.:]", name)), _last(_LITERAL.findall(path)))]
    said = next((verb[0] for verb in verbs if verb), "")
    return said in _CHANGES or bool(_CHANGES_KOREAN.search(summary) and not READS_KOREAN.search(summary))


def _last(parts: list[str]) -> str:
    return next((part for part in reversed(parts) if part), "")


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _stem(verb: str) -> str:
    """Return a sentence's verb without the ending of the third person: "Lists all users" lists; "/lists" are things."""
    bare = verb.removesuffix("es") if verb.endswith(("shes", "ches")) else verb.removesuffix("s")
    return verb if verb in READS else bare
