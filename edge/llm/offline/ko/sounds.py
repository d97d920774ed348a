"""Word -> the sound it ends in when read aloud in Korean: what every particle depends on."""

from __future__ import annotations

import re
import unicodedata
from enum import Enum


class Final(Enum):
    """The last sound: open syllable, closed by ㄹ, or closed by another consonant."""

    OPEN = "open"
    RIEUL = "rieul"
    CLOSED = "closed"


_FIRST, _LAST = ord("가"), ord("힣")
_RIEUL_INDEX = 8  # position of ㄹ among the 28 finals of a Hangul syllable
_SKIPPED = "'\"`‘’“”«»‹›《》〈〉「」『』【】*_~.,!?…:;·․-‐–—/ \t\n"
_BRACKETS = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\]|（[^（）]*）|〔[^〔〕]*〕)\s*$")
_UNIT = re.compile(r"(?<=[\d,.\s/])([A-Za-zµμ㎍/]+[²³23]?)$")
_NUMBER = re.compile(r"(\d[\d,]*)(\.\d+)?$")
_WORD = re.compile(r"[A-Za-z]+$")

_UNIT_READINGS = {
    "m": "미터",
    "km": "킬로미터",
    "cm": "센티미터",
    "mm": "밀리미터",
    "kg": "킬로그램",
    "g": "그램",
    "mg": "밀리그램",
    "l": "리터",
    "ml": "밀리리터",
    "ppm": "피피엠",
    "ppb": "피피비",
    "kcal": "킬로칼로리",
    "kw": "킬로와트",
    "kwh": "킬로와트시",
    "mw": "메가와트",
    "hz": "헤르츠",
    "m/s": "미터 퍼 세크",
    "km/h": "킬로미터",
    "ha": "헥타르",
    "t": "톤",
    "m²": "제곱미터",
    "m2": "제곱미터",
    "m³": "세제곱미터",
    "m3": "세제곱미터",
    "db": "데시벨",
    "hpa": "헥토파스칼",
    "mb": "메가바이트",
    "gb": "기가바이트",
}
_SYMBOLS = {
    "%": "퍼센트",
    "％": "퍼센트",
    "‰": "퍼밀",
    "㎡": "제곱미터",
    "㎥": "세제곱미터",
    "℃": "도",
    "°": "도",
    "㎍": "마이크로그램",
    "㎞": "킬로미터",
    "㎝": "센티미터",
    "㎜": "밀리미터",
    "㎏": "킬로그램",
    "ℓ": "리터",
    "￦": "원",
    "₩": "원",
    "$": "달러",
    "㈜": "주",
    "&": "앤드",
    "+": "플러스",
    "#": "샵",
    "@": "골뱅이",
}
_DIGITS = {"0": "영", "1": "일", "2": "이", "3": "삼", "4": "사", "5": "오", "6": "육", "7": "칠", "8": "팔", "9": "구"}
_PLACES = ("", "십", "백", "천")
_GROUPS = ("", "만", "억", "조", "경")


def final_of(word: str) -> Final:
    """Return the last sound of `word`; bracketed remarks, closing quotes and punctuation are not read."""
    core = _spoken(word)
    if not core:
        return Final.OPEN
    last = core[-1]
    if last in _SYMBOLS:
        return _hangul_final(_SYMBOLS[last][-1])
    if unit := _UNIT.search(core):
        reading = _UNIT_READINGS.get(unit.group(1).lower().rsplit("/", 1)[-1]) or _UNIT_READINGS.get(
            unit.group(1).lower()
        )
        if reading:
            return _hangul_final(reading[-1])
    folded = unicodedata.normalize("NFKC", core)
    if number := _NUMBER.search(folded):
        return _hangul_final(_number_reading(number.group(1).replace(",", ""), number.group(2)))
    if letters := _WORD.search(folded):
        return _latin_final(letters.group())
    return _hangul_final(folded[-1])


def _spoken(word: str) -> str:
    core = unicodedata.normalize("NFC", word).rstrip(_SKIPPED)
    while (match := _BRACKETS.search(core)) and match.start() > 0:
        core = core[: match.start()].rstrip(_SKIPPED)
    return core.rstrip(_SKIPPED + ")]}>（）〔〕")


def _hangul_final(syllable: str) -> Final:
    code = ord(syllable)
    if not _FIRST <= code <= _LAST:
        return Final.OPEN
    index = (code - _FIRST) % 28
    if index == 0:
        return Final.OPEN
    return Final.RIEUL if index == _RIEUL_INDEX else Final.CLOSED


def _number_reading(digits: str, fraction: str | None) -> str:
    """Return the last syllable of the Korean reading: 100 ends in 백, 1,000,000 in 만, 10 to the 12th in 조."""
    if fraction or digits[-1] != "0":
        return _DIGITS[(fraction or digits)[-1]]
    stripped = digits.rstrip("0")
    if not stripped or digits.startswith("0"):
        return _DIGITS["0"]
    zeros = len(digits) - len(stripped)
    if zeros < 4:
        return _PLACES[zeros]
    return _GROUPS[min(zeros // 4, len(_GROUPS) - 1)]


def _latin_final(word: str) -> Final:
    """Initials are read letter by letter; other words by how loanwords are usually written in Hangul."""
    if word.isupper() or len(word) == 1:
        return {"L": Final.RIEUL, "R": Final.RIEUL, "M": Final.CLOSED, "N": Final.CLOSED}.get(
            word[-1].upper(), Final.OPEN
        )
    lower = word.lower()
    if lower.endswith(("l", "le")):
        return Final.RIEUL
    if lower.endswith(("m", "n", "ng", "me", "ne", "ck")) or re.search(r"[aeiou][bpkt]$", lower):
        return Final.CLOSED
    return Final.OPEN
