"""platform, service and operation -> the function name that models see: readable, unique and stable.

The name is a function of the three parts alone, so it does not depend on which other files are compiled. Whatever is
lost on the way (a replaced character, Korean letters romanised, a cut) is made good by a hash of the original parts.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from edge.ids import digest

MAX_LENGTH = 64
_HASH = 6
_INITIALS, _VOWELS, _FINALS = (
    row.split()
    for row in (
        "g kk n d tt r m b pp s ss - j jj ch k t p h",
        "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i",
        "- k k k n n n t l k m l l l p l m p p t t ng t t k t p t",
    )
)
_UNSAFE = re.compile(r"[^a-zA-Z0-9_-]+")


@dataclass(frozen=True, slots=True, order=True)
class Identity:
    """What a tool is, wherever it is read from. `url` and `method` only settle collisions."""

    platform: str
    service: str
    operation: str
    method: str = "GET"
    url: str = ""


def romanise(text: str) -> str:
    """Return `text` with each Hangul syllable spelled by the Revised Romanisation, sound changes ignored.

    "법령조회" gives "beopryeongjohoe". Other characters stay.
    """
    return "".join(map(_syllable, unicodedata.normalize("NFC", text)))


def _syllable(letter: str) -> str:
    index = ord(letter) - 0xAC00
    if not 0 <= index < 11_172:
        return letter
    initial, rest = divmod(index, 588)
    vowel, final = divmod(rest, 28)
    return (_INITIALS[initial] + _VOWELS[vowel] + _FINALS[final]).replace("-", "")


def _safe(part: str) -> str:
    return _UNSAFE.sub("_", romanise(part)).strip("_")


def _parts(identity: Identity) -> list[str]:
    """Return the parts worth showing: a service named like its platform, or empty, is not repeated."""
    parts = [identity.platform, identity.service, identity.operation]
    if _safe(identity.service).casefold() in ("", _safe(identity.platform).casefold()):
        del parts[1]
    return parts


def tool_name(identity: Identity) -> str:
    """Return the name of one tool: 1 to 64 characters of [a-zA-Z0-9_-]."""
    parts = _parts(identity)
    name = "_".join(filter(None, map(_safe, parts)))
    if name and len(name) <= MAX_LENGTH and all(_safe(part) == part for part in parts):
        return name
    return _with_hash(identity, digest([identity.platform, identity.service, identity.operation], _HASH))


def _with_hash(identity: Identity, suffix: str) -> str:
    """Return the parts cut to fit before `suffix`: first the platform gives way, then the service."""
    room = MAX_LENGTH - len(suffix) - 1
    parts = [part for part in map(_safe, _parts(identity)) if part] or ["tool"]
    if len(parts) > 2 and len("_".join(parts)) > room:
        del parts[0]
    *front, operation = parts
    operation = operation[:room]
    left = room - len(operation) - 1
    head = "_".join(front)[: max(left, 0)].rstrip("_")
    return "_".join(filter(None, (head, operation, suffix)))


def assign_names(identities: Iterable[Identity]) -> dict[Identity, str]:
    """Return a distinct name for each distinct identity, whatever their order.

    Identities whose plain names coincide ("a" + "b_c" and "a_b" + "c") all get a hash of everything that tells them
    apart, so none of them depends on which was read first.
    """
    distinct = sorted(set(identities))
    plain = {identity: tool_name(identity) for identity in distinct}
    uses = Counter(plain.values())
    named: dict[Identity, str] = {}
    for identity, name in plain.items():
        everything = [identity.platform, identity.service, identity.operation, identity.method, identity.url]
        named[identity] = name if uses[name] == 1 else _with_hash(identity, digest(everything, _HASH + 4))
    return named
