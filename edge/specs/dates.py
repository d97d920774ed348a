"""the prose and examples of a field -> how its dates are written, as a kind and a strptime pattern."""

from __future__ import annotations

import re
from typing import Final

from edge.specs.model import Kind

DATES: Final[frozenset[Kind]] = frozenset({"date", "month", "year", "datetime", "time"})
EPOCH_SECONDS, EPOCH_MILLISECONDS = "epoch_s", "epoch_ms"

# "YYYYMMDDHH24MI", "yyyy-MM-dd'T'HH:mm:ss", "YYYY년 MM월": tokens with what may stand between them.
_PART = r"(?:yyyy|yy|mm|dd|hh24|hh|mi|ss|\.sss|\.fff)"
_RUN = re.compile(
    rf"(?i)(?<![a-z]){_PART}(?:[-./:_,\s년월일시분']{{0,2}}'?T?'?{_PART})*(?:'?Z'?|[년월일시분초])?(?![a-z])"
)
_PARTS = re.compile(rf"(?i){_PART}")
_UNITS: Final = frozenset("년월일시분초")
_LETTERS: Final = {
    "yyyy": "Y", "yy": "y", "mm": "m", "dd": "d", "hh24": "H", "hh": "H", "mi": "M", "ss": "S", ".sss": "f", ".fff": "f"
}  # fmt: skip
_ORDERS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("Ymd", "ymd", "mdY", "dmY", "md"), "date"),
    **dict.fromkeys(("Ym", "ym", "mY"), "month"),
    "Y": "year",
    **dict.fromkeys(("YmdHMSf", "YmdHMS", "YmdHM", "YmdH", "ymdHMS", "ymdHM", "mdYHMS", "dmYHMS", "mdYHM"), "datetime"),
    **dict.fromkeys(("HMS", "HM"), "time"),
}
# One token alone may be a unit (mm of rain), so it counts only where the field is known to be a date.
# One of twelve, without its year.
_OF_A_YEAR = re.compile(r"^월\s*(?:\(|$)|월\s?\(1\s?[-~]\s?12\)", re.M)
_LONE: Final[tuple[tuple[re.Pattern[str], Kind, str], ...]] = (
    (re.compile(r"\((?:MM|mm)\)"), "month", "%m"),
    (re.compile(r"\((?:HH|HH24|hh)\)"), "time", "%H"),
)
_KOREAN_RUNS: Final = (("년월일시분초", "%Y%m%d%H%M%S"), ("년월일시분", "%Y%m%d%H%M"), ("년월일시", "%Y%m%d%H"))
_ISO = re.compile(r"(?i)\bISO[\s-]?8601\b|\bRFC[\s-]?3339\b")
_ISO_MOMENT = re.compile(r"(?i)date[\s-]?(?:and[\s-])?time|timestamp|time|시각|일시|시간")
_EPOCH = re.compile(r"(?i)\bunix\s?(?:epoch|time)|\bepoch\b|유닉스\s?(?:시간|타임|에포크)")
_MILLI = re.compile(r"(?i)milli|\bms\b|밀리")
_BY_DIGITS: Final[dict[tuple[Kind, str], tuple[Kind, str]]] = {
    ("date", "8"): ("date", "%Y%m%d"),
    ("date", "6"): ("date", "%y%m%d"),
    ("date", "4"): ("date", "%m%d"),
    ("date", "12"): ("datetime", "%Y%m%d%H%M"),
    ("date", "14"): ("datetime", "%Y%m%d%H%M%S"),
    ("datetime", "14"): ("datetime", "%Y%m%d%H%M%S"),
    ("datetime", "12"): ("datetime", "%Y%m%d%H%M"),
    ("datetime", "10"): ("datetime", "%Y%m%d%H"),
    ("datetime", "8"): ("date", "%Y%m%d"),
    ("month", "6"): ("month", "%Y%m"),
    ("month", "2"): ("month", "%m"),
    ("year", "4"): ("year", "%Y"),
    ("time", "6"): ("time", "%H%M%S"),
    ("time", "4"): ("time", "%H%M"),
    ("time", "2"): ("time", "%H"),
}

_Y, _M, _D = r"(?:19|20)\d{2}", r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"
_HH, _MI = r"(?:[01]\d|2[0-4])", r"[0-5]\d"
_SHAPES: Final[tuple[tuple[str, Kind, str], ...]] = (
    (rf"{_Y}-{_M}-{_D} {_HH}:{_MI}:{_MI}", "datetime", "%Y-%m-%d %H:%M:%S"),
    (rf"{_Y}/{_M}/{_D} {_HH}:{_MI}:{_MI}", "datetime", "%Y/%m/%d %H:%M:%S"),
    (rf"{_Y}-{_M}-{_D} {_HH}:{_MI}", "datetime", "%Y-%m-%d %H:%M"),
    (rf"{_Y}/{_M}/{_D} {_HH}:{_MI}", "datetime", "%Y/%m/%d %H:%M"),
    (rf"{_Y}-{_M}-{_D}T{_HH}:{_MI}:{_MI}\.\d{{1,6}}Z", "datetime", "%Y-%m-%dT%H:%M:%S.%fZ"),
    (rf"{_Y}-{_M}-{_D}T{_HH}:{_MI}:{_MI}Z", "datetime", "%Y-%m-%dT%H:%M:%SZ"),
    (rf"{_Y}-{_M}-{_D}T{_HH}:{_MI}:{_MI}", "datetime", "%Y-%m-%dT%H:%M:%S"),
    (rf"{_Y}{_M}{_D}{_HH}{_MI}{_MI}", "datetime", "%Y%m%d%H%M%S"),
    (rf"{_Y}{_M}{_D}{_HH}{_MI}", "datetime", "%Y%m%d%H%M"),
    (rf"{_Y}{_M}{_D}{_HH}", "datetime", "%Y%m%d%H"),
    (rf"{_Y}-{_M}-{_D}", "date", "%Y-%m-%d"),
    (rf"{_Y}\.{_M}\.{_D}", "date", "%Y.%m.%d"),
    (rf"{_Y}/{_M}/{_D}", "date", "%Y/%m/%d"),
    (rf"{_Y}{_M}{_D}", "date", "%Y%m%d"),
    (rf"{_Y}-{_M}", "month", "%Y-%m"),
    (rf"{_Y}\.{_M}", "month", "%Y.%m"),
    (rf"{_Y}{_M}", "month", "%Y%m"),
    (rf"{_Y}", "year", "%Y"),
    (rf"{_HH}:{_MI}:{_MI}", "time", "%H:%M:%S"),
    (rf"{_HH}:{_MI}", "time", "%H:%M"),
    (rf"{_HH}{_MI}{_MI}", "time", "%H%M%S"),
    (rf"{_HH}{_MI}", "time", "%H%M"),
    (_HH, "time", "%H"),
    (_M, "month", "%m"),
)
_EXAMPLES: Final[tuple[tuple[re.Pattern[str], Kind, str], ...]] = tuple(
    (re.compile(shape), kind, form) for shape, kind, form in _SHAPES
)
_TIMES: Final = tuple(entry for entry in _EXAMPLES if entry[1] == "time")
_DAYS: Final = tuple(entry for entry in _EXAMPLES if entry[1] != "time")
# Four digits are a time of day, a year or a month and day, and two an hour or a month: the kind decides.
_MONTH_DAY: Final[tuple[re.Pattern[str], Kind, str]] = (re.compile(f"{_M}{_D}"), "date", "%m%d")
_CLOCKS: Final = tuple(entry for entry in _TIMES if entry[2] in ("%H:%M:%S", "%H:%M", "%H%M"))
_TRIED: Final[dict[Kind, tuple[tuple[re.Pattern[str], Kind, str], ...]]] = {
    "time": _TIMES + _DAYS,
    "date": (*_DAYS, _MONTH_DAY, *_CLOCKS),
    "datetime": (*(entry for entry in _DAYS if entry[2] not in ("%Y", "%m")), *_CLOCKS),
}
_PLAIN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# The document's own format words (JSON Schema): the kind they mean and the pattern they prescribe.
_STATED: Final[dict[str, tuple[Kind, str | None]]] = {
    "date": ("date", "%Y-%m-%d"),
    "date-time": ("datetime", "%Y-%m-%dT%H:%M:%SZ"),
    "datetime": ("datetime", "%Y-%m-%dT%H:%M:%SZ"),
    "time": ("time", "%H:%M:%S"),
    **dict.fromkeys(("uri", "url", "uri-reference", "iri"), ("url", None)),
    **dict.fromkeys(("uuid", "guid"), ("code", None)),
    **dict.fromkeys(("email", "idn-email", "password", "duration", "byte", "binary"), ("text", None)),
}


def date_pattern(text: str, *, known: bool = True) -> tuple[Kind, str] | None:
    """Return the kind and pattern that `text` names: "(YYYYMMDD)" gives ("date", "%Y%m%d").

    `known` says that the field is a date for other reasons, so that one token alone may be believed.
    """
    for found in _RUN.finditer(text):
        read = _read(found.group())
        if read:
            return read
    for run, form in _KOREAN_RUNS:
        if run in text:
            return "datetime", form
    if _ISO.search(text) and "duration" not in text.lower():
        rest = _ISO.sub("", text)
        return ("datetime", "%Y-%m-%dT%H:%M:%SZ") if _ISO_MOMENT.search(rest) else ("date", "%Y-%m-%d")
    if known and _OF_A_YEAR.search(text):
        return "month", "%m"
    if known:
        return next(((kind, form) for pattern, kind, form in _LONE if pattern.search(text)), None)
    return None


def _read(run: str) -> tuple[Kind, str] | None:
    """Return what one run of tokens means; None for an order of tokens that nobody writes dates in."""
    letters, form, end = "", "", 0
    for part in _PARTS.finditer(run):
        letter = _LETTERS[part.group().lower()]
        if letter == "m" and letters[-1:] == "H":
            letter = "M"
        form += run[end : part.start()].replace("'", "") + (".%f" if letter == "f" else f"%{letter}")
        letters, end = letters + letter, part.end()
    kind, rest = _ORDERS.get(letters), run[end:].replace("'", "")
    if rest in _UNITS and not _UNITS.intersection(form):
        rest = ""  # "YYYYMMDD일" is eight digits; only "YYYY년 MM월" spells its units
    return (kind, form + rest) if kind else None


def epoch_format(text: str) -> str | None:
    """Return how a moment is counted where `text` says that it is: seconds or milliseconds since 1970."""
    if not _EPOCH.search(text):
        return None
    return EPOCH_MILLISECONDS if _MILLI.search(text) else EPOCH_SECONDS


def digits_date(kind: Kind, digits: str | None) -> tuple[Kind, str] | None:
    """Return what a date of so many digits is: "년월일(8자리)" gives ("date", "%Y%m%d")."""
    return _BY_DIGITS.get((kind, digits)) if digits else None


def example_date(kind: Kind, examples: tuple[str, ...]) -> tuple[Kind, str] | None:
    """Return the kind and pattern that all `examples` of a field known to be a date follow."""
    if not examples:
        return None
    tried = _TRIED.get(kind, _DAYS)
    return next(((seen, form) for pattern, seen, form in tried if all(map(pattern.fullmatch, examples))), None)


def are_plain_numbers(examples: tuple[str, ...]) -> bool:
    """Whether all examples are numbers, so that a field none of whose examples is a date cannot be one."""
    return bool(examples) and all(map(_PLAIN_NUMBER.fullmatch, examples))


def stated_kind(word: str | None) -> tuple[Kind, str | None] | None:
    """Return what a document's own format word ("date-time", "uuid", "yyyyMMdd") means, None for widths of numbers."""
    if not word:
        return None
    return _STATED.get(word.lower()) or date_pattern(word, known=False)
