"""Large companies in, designated business groups by month of designation out."""

from edge.sandbox.world.regions import number
from edge.sandbox.world.store import Row, World, table

_GROUPS = 72
_STRICT = 45
_DESIGNATION = "0001"


@table("business_groups")
def build_groups(world: World) -> list[Row]:
    """One row a group and May: code (K + 7 digits), name, head, leading company, affiliates, limits by size."""
    leaders = sorted(world.table("companies"), key=lambda row: -number(row, "sales"))
    heads = [row for row in leaders if row["market"] == "KOSPI"][:_GROUPS]
    rows: list[Row] = []
    for published in world.find("group_months", "job", _DESIGNATION):
        month = str(published["month"])
        for order, leader in enumerate(heads):
            rng = world.rng("business_groups", month, leader["corp_code"])
            # The smallest come and go with the years.
            if order > _STRICT and rng.random() < 0.25:
                continue
            rows.append(
                {
                    "month": month,
                    "code": f"K{1_000_001 + order * 31}",
                    "name": str(leader["name"]).removesuffix(str(leader["industry_name"])),
                    "head": leader["ceo"],
                    "leader": leader["name"],
                    "affiliates": str(max(4, 130 - order * 2 + rng.randrange(-3, 4))),
                    "limit": "상호출자제한집단" if order < _STRICT else "공시대상기업집단",
                    "class": "일반",
                }
            )
    return rows
