"""Wire values <-> how they are written in Japanese, and what must be heard in a Japanese request."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from edge.llm.offline.plain import distance, wire_moment

_SPOKEN = re.compile(r"(\d{4})年(?:(\d{1,2})月(?:(\d{1,2})日(?:(\d{1,2})時(?:(\d{1,2})分)?)?)?)?")
_CLOCK = re.compile(r"([01]\d|2[0-4]):?([0-5]\d)(?::?[0-5]\d)?")
_SAID = re.compile(r"(\d{1,2})時(?:(\d{1,2})分)?")


def date_of(value: str) -> str:
    """Return "2026年5月3日", "2026年5月", "2026年" or "2026年5月3日14時30分"; other text unchanged."""
    read = wire_moment(value)
    if read is None:
        return value
    moment, kind = read
    said = f"{moment.year:04d}年"
    if kind != "year":
        said += f"{moment.month}月"
    if kind in ("date", "datetime"):
        said += f"{moment.day}日"
    return said + (_clock(moment.hour, moment.minute) if kind == "datetime" else "")


def read_date(text: str, pattern: str | None = None) -> str | None:
    """Return the wire form of a written date, by `pattern` (strptime) if there is one; None for other text."""
    match = _SPOKEN.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day, hour, minute = match.groups()
    wanted = pattern or ("%Y%m%d%H%M" if hour else "%Y%m%d" if day else "%Y%m" if month else "%Y")
    if ("%d" in wanted and not day) or ("%m" in wanted and not month) or ("%H" in wanted and not hour):
        return None
    try:
        return datetime(int(year), int(month or 1), int(day or 1), int(hour or 0), int(minute or 0)).strftime(wanted)
    except ValueError:
        return None


def time_of(value: str) -> str:
    """Return "14時30分" for "1430"; other text unchanged."""
    match = _CLOCK.fullmatch(value.strip())
    return _clock(int(match[1]), int(match[2])) if match else value


def read_time(text: str) -> str | None:
    """Return the wire form of a written time of day; None for other text."""
    match = _SAID.fullmatch(text.strip())
    return f"{int(match[1]):02d}{int(match[2] or 0):02d}" if match else None


def _clock(hour: int, minute: int) -> str:
    return f"{hour}時{minute}分" if minute else f"{hour}時"


def measure(text: str, unit: str | None) -> str:
    """Return a number grouped, with its unit directly behind it."""
    plain = text.replace(",", "").strip()
    match = re.fullmatch(r"([+-]?)(\d+)(\.\d+)?", plain)
    if match is None:
        return text
    return f"{match[1]}{int(match[2]):,}{match[3] or ''}{unit or ''}"


def near_month(text: str, today: str) -> str | None:
    """Return 先月, 今月 or 来月 where the written month is that."""
    away = distance(read_date(text), today, "month")
    return None if away is None else {0: "今月", -1: "先月", 1: "来月"}.get(away)


def near_day(text: str, today: str) -> str | None:
    """Return 昨日, 今日 or 明日 where the written date is that."""
    away = distance(read_date(text), today, "date")
    return None if away is None else {0: "今日", -1: "昨日", 1: "明日"}.get(away)


def near_year(text: str, today: str) -> str | None:
    """Return 昨年, 今年 or 来年 where the written year is that."""
    away = distance(read_date(text), today, "year")
    return None if away is None else {0: "今年", -1: "昨年", 1: "来年"}.get(away)


def names_moment(label: str) -> bool:
    """Whether a label names a date."""
    return bool(re.search(r"(?:年月日?|日付|年度|時点)$", label))


def people(domain: str) -> tuple[str, ...]:
    """Return who plausibly asks about a domain."""
    return _PEOPLE.get(domain, ("自治体の職員", "記者", "大学生"))


def asked(label: str, noun: str) -> tuple[str, ...]:
    """Return the ways to ask for a value: its label, without remarks in brackets."""
    return (label, re.sub(r"[(（][^)）]*[)）]", "", label).strip() or label)


_PEOPLE: Mapping[str, tuple[str, ...]] = {
    "real estate": ("部屋を探している会社員", "不動産業者"),
    "healthcare": ("家族の介護をしている人", "救急隊員"),
    "education": ("保護者", "教員"),
    "finance": ("個人投資家", "会計士"),
    "transport": ("通勤者", "旅行者"),
}
CRITERIA: Mapping[str, str] = {
    "max": r"最も|一番|最大|最高|最多",
    "min": r"最も|一番|最小|最低|最少",
    "latest": r"最も新し|最新|最近|直近",
    "earliest": r"最も早|最も古|最初|一番早",
    "nearest": r"最も近|一番近|最寄り",
    "count": r"何|いくつ|件数|数",
    "sum": r"合計|総",
    "mean": r"平均",
    "distinct": r"異なる|種類",
    "top": r"上位|最も|多い順|大きい順",
    "bottom": r"下位|最も|少ない順|小さい順",
    "at_least": r"以上|超",
    "at_most": r"以下|未満",
    "contains": r"含|入",
}
BRANCHING = r"なら|れば|場合"
COMPARING = r"比べ|比較|どちら|どれ|どこ|より"
REQUESTING = r"教え|知らせ|お知らせ|教示|確認|照会|調べ|知りた|わかる|願い|ください|[?？]|か。"
RELATIVE = r"先月|今月|来月|昨日|今日|明日|昨年|今年|来年|先週|今週|来週"
