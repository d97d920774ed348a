"""Column functions over ten-digit region codes."""

from edge.sandbox.model import Row
from edge.sandbox.registry import column


@column("code_sido")
def code_sido(value: object, _row: Row) -> object:
    """Digits 1-2."""
    return str(value)[:2]


@column("code_sgg")
def code_sgg(value: object, _row: Row) -> object:
    """Digits 3-5."""
    return str(value)[2:5]


@column("code_umd")
def code_umd(value: object, _row: Row) -> object:
    """Digits 6-8."""
    return str(value)[5:8]


@column("bracketed")
def bracketed(value: object, _row: Row) -> object:
    """역삼동 -> " (역삼동)"."""
    return f" ({value})"
