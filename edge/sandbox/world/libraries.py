"""Districts and printed books in, public libraries with what they hold out."""

from edge.sandbox.world.buildings import site, stem
from edge.sandbox.world.store import Row, World, table
from edge.sandbox.world.weather import noise

# Library Naru counts provinces its own way: 경기 is 31, not 41; 11 is the only number that means the same.
REGIONS = {
    "11": "11", "26": "21", "27": "22", "28": "23", "29": "24", "30": "25", "31": "26", "36": "29", "41": "31",
    "51": "32", "43": "33", "44": "34", "52": "35", "46": "36", "47": "37", "48": "38", "50": "39",
}  # fmt: skip
_SHARE = 0.16


@table("libraries")
def build_libraries(world: World) -> list[Row]:
    """code (6 digits: 1, region, number), name, address, degrees, region (2) and dtl_region (5) of Library Naru."""
    rows: list[Row] = []
    counts: dict[str, int] = {}
    orders: dict[str, int] = {}
    for district in world.table("districts"):
        region = REGIONS[str(district["code2"])]
        orders[region] = orders.get(region, 0) + 1
        rng = world.rng("libraries", district["code5"])
        dongs = world.find("dongs", "code5", district["code5"])
        for dong in rng.sample(dongs, min(len(dongs), rng.randint(2, 5))):
            counts[region] = counts.get(region, 0) + 1
            spot = site(world, dong["code10"], rng)
            rows.append(
                {
                    "code": f"1{region}{counts[region]:03d}",
                    "name": f"{stem(str(dong['dong']))}도서관",
                    "address": spot["full_address"],
                    "lon": spot["lon"],
                    "lat": spot["lat"],
                    "region": region,
                    "dtl_region": f"{region}{orders[region]:02d}0",
                    "code5": district["code5"],
                }
            )
    return rows


def holds(world: World, library: Row, isbn: str) -> bool:
    """Whether a library has a book: newer ones and the larger libraries are likelier."""
    popularity = 0.4 + 1.2 * noise(world.seed, "popular", isbn)
    return noise(world.seed, "holding", library["code"], isbn) < _SHARE * popularity


def on_loan(world: World, library: Row, isbn: str) -> bool:
    """Whether the held copy is out today."""
    return noise(world.seed, "loan", library["code"], isbn, world.today.toordinal()) < 0.4
