"""Compact date <-> how Korean people write it: 20260503 <-> 2026년 5월 3일."""

from __future__ import annotations

import re
from datetime import date, datetime

_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(\d{4})[-./]?(\d{2})[-./]?(\d{2})"), "date"),
    (re.compile(r"(\d{4})[-./]?(\d{2})"), "month"),
    (re.compile(r"(\d{4})"), "year"),
    (re.compile(r"(\d{4})[-./]?(\d{2})[-./]?(\d{2})[ T]?(\d{2}):?(\d{2})(?::?\d{2}(?:\.\d+)?)?"), "datetime"),
    (re.compile(r"(\d{4})(\d{2})(\d{2})(\d{2})"), "datetime"),
)
_SPOKEN = re.compile(
    r"(\d{4})년(?:\s*(\d{1,2})월(?:\s*(\d{1,2})일(?:\s*(오전|오후|낮)?\s*(\d{1,2})시(?:\s*(\d{1,2})분)?)?)?)?"
)


def format_date(value: str) -> str:
    """Return the spoken form of a date, month, year or date and time; other text comes back unchanged."""
    text = value.strip()
    for pattern, kind in _PATTERNS:
        match = pattern.fullmatch(text)
        if match and _valid(match.groups()):
            return _spoken([int(part) for part in match.groups()], kind)
    return value


def parse_date(text: str, pattern: str | None = None) -> str | None:
    """Return the wire form of a spoken date ("2026년 5월" -> "202605"); `pattern` is a strptime pattern to write in.

    None when the text is no spoken date or `pattern` needs a part that was not said.
    """
    match = _SPOKEN.fullmatch(text.strip())
    if not match:
        return None
    year, month, day, half, hour, minute = match.groups()
    hours = _hours(half, hour) if hour else 0
    try:
        moment = datetime(int(year), int(month or 1), int(day or 1), hours, int(minute or 0))
    except ValueError:
        return None
    default = "%Y%m%d%H%M" if hour else "%Y%m%d" if day else "%Y%m" if month else "%Y"
    wanted = pattern or default
    if ("%d" in wanted and not day) or ("%m" in wanted and not month) or ("%H" in wanted and not hour):
        return None
    return moment.strftime(wanted)


def format_time(value: str) -> str:
    """Return the spoken form of a time of day ("14:30" -> "오후 2시 30분"), other text as it is."""
    match = re.fullmatch(r"(\d{2}):?(\d{2})(?::?\d{2})?", value.strip())
    if not match or int(match.group(1)) > 24 or int(match.group(2)) > 59:
        return value
    return _clock(int(match.group(1)), int(match.group(2)))


def parse_time(text: str) -> str | None:
    """Return the wire form of a spoken time of day ("오후 2시 30분" -> "1430"); None when the text is none."""
    match = re.fullmatch(r"(?:(오전|오후|낮)\s*)?(\d{1,2})시(?:\s*(\d{1,2})분)?", text.strip())
    return f"{_hours(match.group(1), match.group(2)):02d}{int(match.group(3) or 0):02d}" if match else None


def _clock(hour: int, minute: int) -> str:
    """Midnight is 0시 (or 24시, the end of the day), noon 낮 12시."""
    half = "" if hour in (0, 24) else "낮 " if hour == 12 else "오전 " if hour < 12 else "오후 "
    said = f"{half}{hour if hour in (0, 12, 24) else hour % 12}시"
    return f"{said} {minute}분" if minute else said


def _hours(half: str | None, hour: str) -> int:
    if half is None:
        return int(hour)
    return int(hour) % 12 + (0 if half == "오전" else 12)


def relative_month(text: str, today: str) -> str | None:
    """Return "지난달", "이번 달" or "다음 달" when the spoken month is that, seen from `today` (ISO date)."""
    wire = parse_date(text, "%Y%m")
    if wire is None or "일" in text:
        return None
    now = date.fromisoformat(today[:10])
    distance = (now.year - int(wire[:4])) * 12 + now.month - int(wire[4:])
    return {0: "이번 달", 1: "지난달", -1: "다음 달"}.get(distance)


def relative_year(text: str, today: str) -> str | None:
    """Return "올해", "작년", "재작년" or "내년" when the spoken year is that, seen from `today` (ISO date)."""
    wire = parse_date(text, "%Y")
    if wire is None or "월" in text:
        return None
    return {0: "올해", 1: "작년", 2: "재작년", -1: "내년"}.get(int(today[:4]) - int(wire))


def relative_day(text: str, today: str) -> str | None:
    """Return "오늘", "어제", "그저께", "내일" or "모레" when the spoken date is that, seen from `today` (ISO date)."""
    wire = parse_date(text, "%Y-%m-%d")
    if wire is None or "시" in text:
        return None
    distance = (date.fromisoformat(wire) - date.fromisoformat(today[:10])).days
    return {0: "오늘", -1: "어제", -2: "그저께", 1: "내일", 2: "모레"}.get(distance)


def _valid(parts: tuple[str, ...]) -> bool:
    numbers = [int(part) for part in parts] + [1, 1, 0, 0][len(parts) - 1 :]
    try:
        datetime(numbers[0], numbers[1], numbers[2], 0 if numbers[3] == 24 else numbers[3], numbers[4])
    except ValueError:
        return False
    return numbers[0] >= 1000


def _spoken(parts: list[int], kind: str) -> str:
    spoken = f"{parts[0]}년"
    if kind != "year":
        spoken += f" {parts[1]}월"
    if kind in ("date", "datetime"):
        spoken += f" {parts[2]}일"
    if kind == "datetime":
        spoken += f" {_clock(parts[3], parts[4] if parts[4:] else 0)}"
    return spoken
