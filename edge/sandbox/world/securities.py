"""Companies and trading days in, listed items and daily prices out."""

from datetime import date, timedelta

from edge.sandbox.world.calendar import trading_days
from edge.sandbox.world.regions import number
from edge.sandbox.world.store import Row, World, table

# About 108 trading days are kept.
_KEPT_DAYS = 164


def last_price_day(world: World) -> date:
    """Prices are served up to the previous trading day."""
    return trading_days(world, world.today - timedelta(days=30), world.today - timedelta(days=1))[-1]


@table("trading_days")
def build_trading_days(world: World) -> list[Row]:
    """Days with prices, oldest first."""
    days = trading_days(world, world.today - timedelta(days=_KEPT_DAYS), last_price_day(world))
    return [{"date": f"{day:%Y%m%d}"} for day in days]


@table("stock_prices")
def build_stock_prices(world: World) -> list[Row]:
    """One row an item and trading day, newest day first: close, change, rate, open, high, low, volume, value, cap."""
    days = [str(row["date"]) for row in world.table("trading_days")]
    by_day: dict[str, list[Row]] = {day: [] for day in days}
    for company in world.table("companies"):
        if not company["stock_code"]:
            continue
        rng = world.rng("stock_prices", company["stock_code"])
        shares = int(number(company, "shares"))
        price = max(900.0, number(company, "sales") * rng.uniform(0.3, 1.8) / shares)
        drift = rng.gauss(0.0004, 0.0008)
        close = _tick(price)
        for day in days:
            before = close
            price *= 1 + max(-0.29, min(0.29, rng.gauss(drift, 0.021)))
            close = _tick(price)
            first = _tick(before * (1 + rng.gauss(0, 0.006)))
            high = _tick(max(first, close) * (1 + abs(rng.gauss(0, 0.008))))
            low = _tick(min(first, close) * (1 - abs(rng.gauss(0, 0.008))))
            volume = int(shares * rng.uniform(0.0005, 0.012))
            by_day[day].append(
                {
                    "date": day,
                    "stock_code": company["stock_code"],
                    "isin": company["isin"],
                    "name": company["stock_name"],
                    "market": company["market"],
                    "close": str(close),
                    "change": str(close - before),
                    "rate": _rate(close, before),
                    "open": str(first),
                    "high": str(high),
                    "low": str(low),
                    "volume": str(volume),
                    "value": str(volume * (high + low) // 2),
                    "shares": str(shares),
                    "cap": str(close * shares),
                }
            )
    return [row for day in reversed(days) for row in by_day[day]]


def _tick(price: float) -> int:
    """Rounded down to the exchange's price step (2023 table)."""
    for bound, step in ((2_000, 1), (5_000, 5), (20_000, 10), (50_000, 50), (200_000, 100), (500_000, 500)):
        if price < bound:
            return max(step, int(price) // step * step)
    return int(price) // 1_000 * 1_000


def _rate(close: int, before: int) -> str:
    """Two decimals without a leading zero, as the service sends it: -.42, 1.07, 0."""
    text = f"{100 * (close - before) / before:.2f}" if before else "0"
    if float(text) == 0:
        return "0"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


@table("listed_items")
def build_listed_items(world: World) -> list[Row]:
    """Listed items by base date, for the last twenty trading days; the short code carries an A here."""
    days = [str(row["date"]) for row in world.table("trading_days")][-20:]
    return [
        {
            "date": day,
            "short_code": f"A{company['stock_code']}",
            "isin": company["isin"],
            "market": company["market"],
            "item_name": company["stock_name"],
            "crno": company["crno"],
            "corp_name": company["formal_name"],
        }
        for day in reversed(days)
        for company in world.table("companies")
        if company["stock_code"]
    ]


@table("exchange_items")
def build_exchange_items(world: World) -> list[Row]:
    """What is listed by trading day, as the exchange itself lists it: 12- and 6-digit codes, first day, shares."""
    listed = [row for row in world.table("companies") if row["stock_code"]]
    kept = ("isin", "stock_code", "formal_name", "stock_name", "market")
    rows: list[Row] = []
    for day in reversed(world.table("trading_days")):
        for company in listed:
            first = int(str(company["est_date"])) + 30_000
            dates: Row = {"date": day["date"], "listed": str(first), "shares": str(company["shares"])}
            rows.append({column: company[column] for column in kept} | dates)
    return rows
