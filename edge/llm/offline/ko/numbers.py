"""Number -> how Korean people write it: grouped digits, 만·억 amounts, units with the usual spacing."""

from __future__ import annotations

import re
from decimal import Decimal

_SPELLED = 1_000_000  # won below this are written in digits, as prices are
_GROUPS = ((10**16, "경"), (10**12, "조"), (10**8, "억"), (10**4, "만"))
_AMOUNT = re.compile(
    r"(?:(\d[\d,]*)\s*경)?\s*(?:(\d[\d,]*)\s*조)?\s*(?:(\d[\d,]*)\s*억)?\s*(?:(\d[\d,]*)\s*만)?\s*(\d[\d,]*)?\s*원"
)
_UNIT_WON = {"원": 1, "천원": 10**3, "만원": 10**4, "백만원": 10**6, "억원": 10**8}


def grouped(value: int | float | str) -> str:
    """Return the number with commas; text that is not a number comes back unchanged."""
    text = str(value).replace(",", "").strip()
    match = re.fullmatch(r"([+-]?)(\d+)(\.\d+)?", text)
    if not match:
        return str(value)
    sign, whole, fraction = match.groups()
    return f"{sign}{int(whole):,}{fraction or ''}"


def won_text(value: int, unit: str = "원") -> str:
    """Return an amount the way people say it: (125000, "만원") -> "12억 5,000만 원".

    Raises:
        ValueError: the unit is not a won unit.
    """
    if unit not in _UNIT_WON:
        raise ValueError(f"not a won unit: {unit!r}")
    rest = abs(value) * _UNIT_WON[unit]
    parts: list[str] = []
    for size, name in _GROUPS:
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count:,}{name}")
    if rest or not parts:
        parts.append(f"{rest:,}")
    sign = "-" if value < 0 else ""
    joiner = "" if rest or not value else " "
    return f"{sign}{' '.join(parts)}{joiner}원"


def measured(text: str, unit: str | None) -> str:
    """Return a plain number as people read it: won amounts in 만 and 억, other numbers grouped, with their unit."""
    plain = text.replace(",", "").strip()
    if not re.fullmatch(r"[+-]?\d+(?:\.\d+)?", plain):
        return with_unit(text, unit)
    won = Decimal(plain) * _UNIT_WON[unit] if unit in _UNIT_WON else None
    if won is not None and won == won.to_integral_value() and (abs(won) >= _SPELLED or unit != "원"):
        return won_text(int(won))
    if won is not None and abs(won) >= _SPELLED:
        return _with_part(won)
    return with_unit(grouped(plain), unit)


def _with_part(won: Decimal) -> str:
    """An amount with a part of a won, as means have: "827억 1,486만 7,907.25원"."""
    whole, part = int(won), str(abs(won) % 1).removeprefix("0")
    said = won_text(whole)
    return f"{said.removesuffix(' 원')} 0{part}원" if said.endswith(" 원") else f"{said.removesuffix('원')}{part}원"


def won_value(text: str) -> int | None:
    """Return the won of "12억 5,000만 원"; None when the text is no such amount."""
    sign, body = (-1, text.strip()[1:]) if text.strip().startswith("-") else (1, text.strip())
    match = _AMOUNT.fullmatch(body)
    if not match or not any(match.groups()):
        return None
    sizes = [size for size, _ in _GROUPS] + [1]
    return sign * sum(
        int(part.replace(",", "")) * size for part, size in zip(match.groups(), sizes, strict=True) if part
    )


def with_unit(text: str, unit: str | None) -> str:
    """Return a bare number with its unit, written without a space; other text comes back unchanged."""
    if not unit or text.endswith(unit) or not re.fullmatch(r"[+-]?[\d,]+(?:\.\d+)?", text):
        return text
    return f"{text}{unit}"
