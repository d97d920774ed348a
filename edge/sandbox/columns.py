"""Named functions a declaration may apply to a column or a parameter, and nothing else it may compute."""

from edge.sandbox.model import Refusal, Row
from edge.sandbox.registry import column


@column("digits")
def digits(value: object, _row: Row) -> object:
    """Only the digits of a text: 2026-06-15 -> 20260615."""
    return "".join(c for c in str(value) if c.isdigit())


@column("dashed_date")
def dashed_date(value: object, _row: Row) -> object:
    """20260615 -> 2026-06-15."""
    text = str(value)
    return f"{text[:4]}-{text[4:6]}-{text[6:8]}" if len(text) >= 8 else text


@column("text")
def text(value: object, _row: Row) -> object:
    """The value as text, where the provider sends numbers in quotes."""
    return "" if value is None else str(value)


@column("strip")
def strip(value: object, _row: Row) -> object:
    """Without blanks at either end."""
    return str(value).strip()


@column("commas")
def commas(value: object, _row: Row) -> object:
    """125000 -> "125,000"."""
    return f"{int(str(value)):,}"


@column("upper")
def upper(value: object, _row: Row) -> object:
    """Upper case, for codes that platforms compare without case."""
    return str(value).upper()


@column("whole")
def whole(value: object, _row: Row) -> object:
    """Digits as a number, where the provider sends codes unquoted."""
    text = str(value)
    return int(text) if text.isdigit() else value


@column("kma_day")
def kma_day(value: object, _row: Row) -> object:
    """Eight digits as they are; the longer stamp of an answer is refused with code 10, as the guide says."""
    text = str(value)
    if len(text) != 8 or not text.isdigit():
        raise Refusal("bad_parameter", "10")
    return text


@column("metres")
def metres(value: object, _row: Row) -> object:
    """Map coordinates as text with six decimals."""
    return f"{float(str(value)):.6f}"


@column("two_digits")
def two_digits(value: object, _row: Row) -> object:
    """6 -> 06."""
    return str(value).zfill(2)


@column("slower")
def slower(value: object, _row: Row) -> object:
    """Weekend headway: a quarter longer than on weekdays."""
    return int(int(str(value)) * 1.25)


@column("decimal")
def decimal(value: object, _row: Row) -> object:
    """A count sent as a floating number: 1200 -> 1200.0."""
    return float(str(value))


@column("persons")
def persons(value: object, _row: Row) -> object:
    """A number with its counting word: 3 -> 3명."""
    return f"{value}명"
