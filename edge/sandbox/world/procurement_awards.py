"""Opened tenders and companies in, bids with the winner and the contracts that follow out."""

import random
from datetime import date, datetime, timedelta

from edge.sandbox.world.store import Row, World, table

_DIVISION_CODES = {"물품": "1", "외자": "2", "공사": "3", "용역": "5", "기타": ""}
# What a bid repeats of its notice; a copy of every column would be most of the memory of this topic.
_KEPT = (
    "no", "ord", "division", "name", "contract_method", "award_method", "agency_code", "agency", "demand_code",
    "demand", "estimate", "opens", "opens_at", "closes",
)  # fmt: skip
_STAMP = "%Y-%m-%d %H:%M:%S"


def hyphened(bizr_no: object) -> str:
    """1018612345 -> 101-86-12345, as the open standard writes business numbers."""
    text = str(bizr_no)
    return f"{text[:3]}-{text[3:5]}-{text[5:]}"


@table("bid_results")
def build_results(world: World) -> list[Row]:
    """One row a bid of an opened tender, by rank; winner columns repeat in each, and are blank where nobody won."""
    companies = [row for row in world.table("companies") if row["market"] != "KOSPI"]
    rows: list[Row] = []
    for notice in world.table("bid_notices"):
        if notice["over"] and notice["division"] != "기타":
            rows.extend(_bids(world.rng("bid_results", notice["no"]), notice, companies))
    return rows


def _bids(rng: random.Random, notice: Row, companies: list[Row]) -> list[Row]:
    outcome = rng.choices(("개찰완료", "유찰", "재입찰"), (88, 8, 4))[0]
    bidders = rng.sample(companies, rng.randint(2, 7) if outcome != "유찰" else 1)
    base = int(int(str(notice["budget"])) * rng.uniform(0.97, 1.0))
    reserve = int(base * rng.uniform(0.98, 1.02))
    rates = sorted(round(rng.uniform(87.75, 99.5), 3) for _ in bidders)
    opened = datetime.strptime(str(notice["opens"]), _STAMP)
    winner = bidders[0] if outcome == "개찰완료" else None
    final: Row = {
        "winner": winner["name"] if winner else "",
        "winner_no": hyphened(winner["bizr_no"]) if winner else "",
        "winner_ceo": winner["ceo"] if winner else "",
        "winner_address": winner["address"] if winner else "",
        "final_amount": str(int(reserve * rates[0] / 100)) if winner else "",
        "final_rate": f"{rates[0]:.3f}" if winner else "",
        "final_date": f"{opened + timedelta(days=1):%Y-%m-%d}" if winner else "",
    }
    return [
        {column: notice[column] for column in _KEPT}
        | final
        | {
            "division_code": _DIVISION_CODES[str(notice["division"])],
            "outcome": outcome,
            "base": str(base),
            "reserve": str(reserve),
            "rank": str(rank),
            "bidder": bidder["name"],
            "bidder_no": hyphened(bidder["bizr_no"]),
            "bidder_ceo": bidder["ceo"],
            "bid_amount": str(int(reserve * rate / 100)),
            "bid_rate": f"{rate:.3f}",
            "won": "Y" if winner is bidder else "N",
        }
        for rank, (bidder, rate) in enumerate(zip(bidders, rates, strict=True), start=1)
    ]


@table("bid_contracts")
def build_contracts(world: World) -> list[Row]:
    """Contracts of won tenders, signed some days after the opening."""
    rows: list[Row] = []
    for result in world.table("bid_results"):
        if result["won"] != "Y":
            continue
        rng = world.rng("bid_contracts", result["no"])
        signed = date.fromisoformat(str(result["opens"])[:10]) + timedelta(days=rng.randrange(2, 12))
        if signed <= world.today and rng.random() < 0.9:
            term = rng.choice((60, 120, 240, 365))
            number = f"R{signed:%y}TA{int(str(result['no'])[5:]) + 210_000:08d}"
            rows.append(
                result
                | {
                    "contract_no": f"{number}00",
                    "unity_no": number,
                    "signed": f"{signed:%Y-%m-%d}",
                    "signed_at": f"{signed:%Y%m%d}",
                    "term": f"{signed:%Y-%m-%d} ~ {signed + timedelta(days=term):%Y-%m-%d}",
                }
            )
    return rows
