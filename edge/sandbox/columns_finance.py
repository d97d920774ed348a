"""Column functions of the financial services: market and statement codes."""

from edge.sandbox.model import Row
from edge.sandbox.registry import column

_MARKETS = {"KOSPI": ("P", "유가증권"), "KOSDAQ": ("A", "코스닥"), "KONEX": ("N", "코넥스")}
_UNLISTED = ("E", "기타")
_BASES = {"CFS": ("110", "연결요약재무제표"), "OFS": ("120", "별도요약재무제표")}


@column("market_code")
def market_code(value: object, _row: Row) -> object:
    """KOSPI -> P; unlisted companies are E."""
    return _MARKETS.get(str(value), _UNLISTED)[0]


@column("market_name")
def market_name(value: object, _row: Row) -> object:
    """KOSPI -> 유가증권."""
    return _MARKETS.get(str(value), _UNLISTED)[1]


@column("basis_code")
def basis_code(value: object, _row: Row) -> object:
    """CFS -> 110 (consolidated), OFS -> 120 (separate)."""
    return _BASES[str(value)][0]


@column("basis_name")
def basis_name(value: object, _row: Row) -> object:
    """Name of the statement basis."""
    return _BASES[str(value)][1]
