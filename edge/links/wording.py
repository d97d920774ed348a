"""The wording of a value becomes the wording that a parameter wants: parts, affixes, numbers, codes (text -> text)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from urllib.parse import unquote

from edge.ids import Json
from edge.text import fold

Args = tuple[str, ...]

# Short and official names of the first-level regions; platforms ask for the one or the other.
PROVINCES: dict[str, str] = {
    "서울": "서울특별시",
    "부산": "부산광역시",
    "대구": "대구광역시",
    "인천": "인천광역시",
    "광주": "광주광역시",
    "대전": "대전광역시",
    "울산": "울산광역시",
    "세종": "세종특별자치시",
    "경기": "경기도",
    "강원": "강원특별자치도",
    "충북": "충청북도",
    "충남": "충청남도",
    "전북": "전북특별자치도",
    "전남": "전라남도",
    "경북": "경상북도",
    "경남": "경상남도",
    "제주": "제주특별자치도",
}
FORMER = {"강원도": "강원", "전라북도": "전북", "제주도": "제주"}
_SHORT = {full: short for short, full in PROVINCES.items()} | FORMER
# Full names may run into what follows ("서울특별시강남구"); after a short one a space tells 부산 진구 from 부산진구.
_IN_PROVINCE = re.compile(rf"^(?:(?:{'|'.join(_SHORT)})\s*|(?:{'|'.join(PROVINCES)})\s+)(?P<rest>\S.*)$")
_NUMBER = re.compile(r"^\s*(?P<whole>[+-]?(?:\d{1,3}(?:,\d{3})+|\d+))(?P<part>\.\d+)?(?P<unit>[^\d.,]\D*)?$", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


def sliced(value: str, _: Mapping[str, Json], args: Args) -> str | None:
    """Return the letters from one position to another; None where the value ends before."""
    start, stop = int(args[0]), int(args[1])
    return value[start:stop] or None if len(value) >= stop else None


def padded(value: str, _: Mapping[str, Json], args: Args) -> str | None:
    """Fill digits with zeros from the left."""
    return value.zfill(int(args[0])) if value.isdigit() else None


def unpadded(value: str, _: Mapping[str, Json], __: Args) -> str | None:
    """Take zeros off the left of digits; the last one stays."""
    return value[:-1].lstrip("0") + value[-1] if value.isdigit() else None


def unlettered(value: str, _: Mapping[str, Json], __: Args) -> str | None:
    """Take one letter off digits ("A005930")."""
    return value[1:] if len(value) > 1 and value[0].isalpha() and value[1:].isdigit() else None


def stripped(value: str, _: Mapping[str, Json], __: Args) -> str | None:
    """Take blanks off both ends."""
    return value.strip() or None


def digits(value: str, _: Mapping[str, Json], __: Args) -> str | None:
    """Keep the digits alone."""
    return re.sub(r"\D", "", value) or None


def number(value: str, _: Mapping[str, Json], __: Args) -> str | None:
    """Take thousands separators and a trailing unit off a number ("1,234.5명" -> "1234.5")."""
    found = _NUMBER.match(value)
    return found["whole"].replace(",", "") + (found["part"] or "") if found else None


def added(value: str, _: Mapping[str, Json], args: Args) -> str | None:
    """Add to a whole number: two scales of codes may begin at 0 and 1."""
    return str(int(value) + int(args[0])) if _WHOLE.fullmatch(value) else None


def wrapped(value: str, _: Mapping[str, Json], args: Args) -> str | None:
    """Put text before and after ("22" -> "제22대")."""
    return unicodedata.normalize("NFC", args[0] + value + args[1])


def unwrapped(value: str, _: Mapping[str, Json], args: Args) -> str | None:
    """Take off the text that `wrapped` puts on; None where it is not there."""
    before, after = args
    inside = len(value) > len(before) + len(after) and value.startswith(before) and value.endswith(after)
    return value[len(before) : len(value) - len(after)] if inside else None


def unbracketed(value: str, _: Mapping[str, Json], __: Args) -> str | None:
    """Drop what stands in brackets ("서울역(1호선)" -> "서울역")."""
    return " ".join(_BRACKETS.sub(" ", value).split()) or None


def word(value: str, _: Mapping[str, Json], args: Args) -> str | None:
    """Return the n-th word, counted from 0."""
    words = value.split()
    return words[int(args[0])] if int(args[0]) < len(words) else None


def first_word(value: str, _: Mapping[str, Json], __: Args) -> str | None:
    """Return what stands before the first blank."""
    return value.split(" ")[0] or None


def last_word(value: str, _: Mapping[str, Json], __: Args) -> str | None:
    """Return what stands after the last blank."""
    return value.split(" ")[-1] or None


def first_item(value: str, _: Mapping[str, Json], __: Args) -> str | None:
    """Return the first of several values written in one field, parted by commas or semicolons."""
    return re.split("[,;]", value)[0].strip() or None


def province_short(value: str, _: Mapping[str, Json], __: Args) -> str | None:
    """Return the short name of the province that a text begins with by its full name."""
    return _SHORT.get(value.split(" ")[0])


def province_full(value: str, _: Mapping[str, Json], __: Args) -> str | None:
    """Return the full name of a province called by its short one."""
    return PROVINCES.get(value)


def in_province(value: str, _: Mapping[str, Json], __: Args) -> str | None:
    """Return what follows the province's name, whether parted by a blank or not."""
    found = _IN_PROVINCE.match(value.strip())
    return found["rest"] if found else None


def mapping(pairs: Iterable[tuple[str, str]]) -> str:
    """Return the transform that says `pairs` ("주의" -> "1"): what an enumeration calls a value becomes the value."""
    return "map:" + ",".join(f"{_quoted(left)}={_quoted(right)}" for left, right in pairs)


def mapped(value: str, _: Mapping[str, Json], args: Args) -> str | None:
    """Look a value up in the pairs of the argument; case, width and blanks around do not count."""
    return _table(args[0]).get(fold(value))


@lru_cache(maxsize=4096)
def _table(pairs: str) -> dict[str, str]:
    split = (pair.partition("=") for pair in pairs.split(","))
    return {fold(unquote(left)): unicodedata.normalize("NFC", unquote(right)) for left, _, right in split}


def _quoted(text: str) -> str:
    return re.sub("[%=,:|]", lambda found: f"%{ord(found[0]):02X}", text)
