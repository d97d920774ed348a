"""Conditions of the depository's share service in, ranks and totals out."""

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World

_MARKET_TOTALS = {"11": "vctfMart", "12": "kosdaqMart", "14": "konexMart"}


@view("dividend_ranks")
def dividend_ranks(world: World, request: Request) -> list[Row]:
    """By dividend on price (1) or on par value (2), ranked anew inside the market that was asked for."""
    by = {"1": "on_price", "2": "on_par"}.get(request.get("rankTpcd"))
    if by is None:
        raise Refusal("bad_parameter")
    market = request.get("listTpcd")
    rows = [row for row in world.part("depository_dividends", request.get("year")) if market in ("", row["market"])]
    rows.sort(key=lambda row: -float(str(row[by])))
    return [row | {"rank": str(rank)} for rank, row in enumerate(rows, start=1)]


@view("market_dividends")
def market_dividends(world: World, request: Request) -> list[Row]:
    """The main market's ranks of a year."""
    rows = [row for row in world.part("depository_dividends", request.get("schStdYy")) if row["market"] == "11"]
    return [row | {"rank": str(rank)} for rank, row in enumerate(rows, start=1)]


@view("issued_totals")
def issued_totals(world: World, request: Request) -> list[Row]:
    """One row: shares issued in each market on a day with prices."""
    day = request.get("schStdDt")
    totals: Row = {_MARKET_TOTALS[str(row["market"])]: row["shares"] for row in world.part("depository_markets", day)}
    return [totals | {"schStdDt": day}] if totals else []
