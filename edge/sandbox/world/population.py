"""Regions in, residents by legal dong and month out."""

from edge.sandbox.world.store import Row, World, table
from edge.sandbox.world.weather import noise


@table("residents")
def build_residents(world: World) -> list[Row]:
    """Standing number of residents and households a dong; months vary around it (see `month_row`)."""
    rows: list[Row] = []
    for dong in world.table("dongs"):
        rng = world.rng("residents", dong["code10"])
        rural = str(dong["dong"]).endswith(("읍", "면"))
        people = int(rng.lognormvariate(8.3 if rural else 9.6, 0.7))
        rows.append(
            {
                "code10": dong["code10"],
                "admin_code": dong["admin_code"],
                "sido": dong["sido"],
                "sigungu": dong["sigungu"],
                "dong": dong["dong"],
                "people": people,
                "households": int(people / rng.uniform(1.9, 2.6)),
                "male_share": rng.uniform(0.47, 0.52),
            }
        )
    return rows


def month_counts(world: World, row: Row, month: str) -> tuple[int, int, int, int]:
    """(people, households, men, women) of a dong in a 6-digit month."""
    wave = 1 + 0.03 * (noise(world.seed, "residents", row["code10"], month) - 0.5)
    people = int(float(str(row["people"])) * wave)
    households = int(float(str(row["households"])) * wave)
    men = int(people * float(str(row["male_share"])))
    return people, households, men, people - men
