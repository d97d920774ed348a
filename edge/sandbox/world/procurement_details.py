"""Tender notices in, what hangs on one out: licences, regions, goods, files, changes, base amounts, cost items."""

import random
from collections.abc import Callable, Iterator

from edge.sandbox.world.store import Row, World, table

_FILES = ("제안요청서", "과업지시서", "제안서 평가기준", "특수조건")
_ITEMS = (("입찰마감일시", "closes"), ("개찰일시", "opens"), ("입찰자격등록일시", "qualified"))
_SHARED = ("no", "ord", "division", "name", "noticed", "noticed_at", "opens_at", "changed_at", "demand_code", "demand")


def _each(world: World, name: str, wanted: Callable[[Row], bool]) -> Iterator[tuple[random.Random, Row, Row]]:
    """(generator, notice, the columns every detail shares) for the notices that have the detail."""
    for notice in world.table("bid_notices"):
        if wanted(notice):
            yield world.rng(name, notice["no"]), notice, {column: notice[column] for column in _SHARED}


@table("bid_licences")
def build_licences(world: World) -> list[Row]:
    """One row an allowed trade of a limited notice."""
    return [
        shared | {"group": "1", "serial": "1", "licence": notice["licence"], "allowed": f"[{notice['licence']}]"}
        for _, notice, shared in _each(world, "bid_licences", lambda row: row["limited"] == "Y")
    ]


@table("bid_regions")
def build_regions(world: World) -> list[Row]:
    """The region that may take part, for notices open to one province only."""
    return [
        shared | {"serial": "1", "region": notice["region"]}
        for _, notice, shared in _each(world, "bid_regions", lambda row: row["region_code"] != "00")
    ]


@table("bid_products")
def build_products(world: World) -> list[Row]:
    """What a notice buys: product numbers of 8 and 10 digits, quantity, unit, unit price in 원, place and term."""
    rows: list[Row] = []
    for rng, notice, shared in _each(world, "bid_products", lambda row: bool(row["product"])):
        quantity = rng.choice((1, 1, 2, 5, 10, 40)) if notice["division"] == "물품" else 1
        rows.append(
            shared
            | {
                "product": notice["product"],
                "class_no": str(notice["product"])[:8],
                "product_name": notice["product_name"],
                "quantity": str(quantity),
                "unit": {"물품": "대", "용역": "식"}.get(str(notice["division"]), "SET"),
                "price": str(int(str(notice["budget"])) // quantity),
                "days": str(rng.choice((30, 60, 90, 180))),
                "hsk": f"90{rng.randrange(10**7, 10**8)}",
            }
        )
    return rows


@table("bid_files")
def build_files(world: World) -> list[Row]:
    """Electronic order documents of services, one to four a notice."""
    rows: list[Row] = []
    for rng, notice, shared in _each(world, "bid_files", lambda row: bool(row["ordered_online"])):
        for order, kind in enumerate(_FILES[: rng.randint(1, len(_FILES))], start=1):
            url = f"https://www.g2b.go.kr/pn/pnp/pnpe/{notice['no']}/{order}"
            rows.append(shared | {"serial": str(order), "kind": kind, "file": f"{kind}.hwpx", "url": url})
    return rows


@table("bid_changes")
def build_changes(world: World) -> list[Row]:
    """Changed items of amended notices, with the value before and after in the service's two spellings."""
    rows: list[Row] = []
    for rng, notice, shared in _each(world, "bid_changes", lambda row: bool(row["amended"])):
        for item, column in rng.sample(_ITEMS, rng.randint(1, 2)):
            after = str(notice[column])[:16]
            before = f"{after[:8]}{max(1, int(after[8:10]) - 1):02d}{after[10:]}"
            values = {"before": before.replace("-", ""), "after": after.replace("-", "/")}
            rows.append(shared | {"changed": notice["changed"], "item": item} | values)
    return rows


@table("bid_amounts")
def build_amounts(world: World) -> list[Row]:
    """Base amounts in 원 and, for works, the cost items that the price formula leaves untouched."""
    rows: list[Row] = []
    for rng, notice, shared in _each(world, "bid_amounts", lambda row: bool(row["published"])):
        amount = int(int(str(notice["budget"])) * rng.uniform(0.97, 1.0)) // 100 * 100
        works = notice["division"] == "공사"
        parts = {
            name: str(int(amount * share)) if works else "0"
            for name, share in (("safety", 0.017), ("retire", 0.007), ("health", 0.011), ("pension", 0.014))
        }
        rows.append(
            shared
            | parts
            | {
                "amount": str(amount),
                "low": "-3" if works else "-2",
                "high": "+3" if works else "+2",
                "care": str(int(amount * 0.0014)) if works else "0",
                "quality": str(int(amount * 0.004)) if works else "0",
                "formula": "Y" if works else "N",
                "budget": notice["budget"],
                "estimate": notice["estimate"],
                "vat": notice["vat"],
                "industry": notice["industry"],
            }
        )
    return rows
