"""Companies in, the depository's view of their shares out: short codes, markets, dividend ranks, totals a market."""

from datetime import date, timedelta

from edge.sandbox.world.companies import isin
from edge.sandbox.world.regions import number
from edge.sandbox.world.store import Row, World, part, table

# The depository's market codes are not those of any other service.
_MARKETS = {"KOSPI": "11", "KOSDAQ": "12", "KONEX": "14"}
_OVER_THE_COUNTER = "13"
_OTC_COUNT, _OTC_FIRST = 60, 511_000
_PAR = 500


@table("depository_shares")
def build_shares(world: World) -> list[Row]:
    """short (6 digits), isin, customer number, names, market code, dates of issue and listing, shares, capital."""
    rows: list[Row] = []
    others = 0
    for company in world.table("companies"):
        short, market = str(company["stock_code"]), _MARKETS.get(str(company["market"]), "")
        if not short:
            if others == _OTC_COUNT:
                continue
            short, market = f"{_OTC_FIRST + others * 130}", _OVER_THE_COUNTER
            others += 1
        founded = str(company["est_date"])
        rng = world.rng("depository", company["corp_code"])
        issued = date(int(founded[:4]), int(founded[4:6]), 1) + timedelta(days=rng.randrange(400, 3000))
        rows.append(
            {
                "short": short,
                "isin": company["isin"] or isin(short),
                "customer": str(int(short) // 10),
                "name": f"{company['name']}보통주",
                "company": company["name"],
                "name_eng": f"{company['name_eng']} Common",
                "market": market,
                "issued": f"{issued:%Y%m%d}",
                "shares": company["shares"] or int(number(company, "capital")) // _PAR,
                "capital": company["capital"],
                "corp_code": company["corp_code"],
                "month": company["acc_month"],
                "industry_code": company["industry_code"],
                "industry_name": company["industry_name"],
                "listed": bool(company["stock_code"]),
            }
        )
    return rows


def _dividend(world: World, share: Row) -> int:
    """Per share, in 원; the same figure that the company's own report gives, 0 where nothing is paid."""
    rng = world.rng("dividends", share["corp_code"])
    pays = rng.random() < 0.65
    return rng.randrange(5, 260) * 10 if pays and share["listed"] else 0


@part("depository_dividends")
def build_dividends(world: World, year: str) -> list[Row]:
    """Shares by dividend on par value in a past year, highest first; none for years without reports."""
    if not year.isdigit() or not 2021 <= int(year) < world.today.year:
        return []
    rows: list[Row] = []
    for share in world.table("depository_shares"):
        paid = _dividend(world, share)
        if paid:
            price = paid * world.rng("yield", share["isin"], year).uniform(18, 160)
            on_par, on_price = 100 * paid / _PAR, 100 * paid / price
            shown: Row = {"paid": str(paid), "on_par": f"{on_par:.2f}", "on_price": f"{on_price:.2f}", "par": str(_PAR)}
            closing = f"{share['month']}{'30' if share['month'] in ('06', '09') else '31'}"
            rows.append(share | shown | {"closing": closing, "order": on_par})
    rows.sort(key=lambda row: -number(row, "order"))
    for rank, row in enumerate(rows, start=1):
        row["rank"] = str(rank)
    return rows


@part("depository_markets")
def build_markets(world: World, day: str) -> list[Row]:
    """Companies, items, shares, paid-in capital and value of each market on a day with prices."""
    prices = {str(row["isin"]): row for row in world.find("stock_prices", "date", day)}
    if not prices:
        return []
    rows: list[Row] = []
    for market in sorted(_MARKETS.values()):
        shares = world.find("depository_shares", "market", market)
        totals: Row = {
            "shares": str(sum(int(number(row, "shares")) for row in shares)),
            "capital": str(sum(int(number(row, "capital")) for row in shares)),
            "value": str(sum(int(str(prices[str(row["isin"])]["cap"])) for row in shares)),
        }
        rows.append(totals | {"market": market, "count": str(len(shares)), "day": day})
    return rows
