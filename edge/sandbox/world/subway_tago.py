"""Seoul's subway stations in, the same stations under TAGO's ids, with what lies at their exits, out."""

from edge.sandbox.world.store import Row, World, table

_PLACES = ("주민센터", "우체국", "초등학교", "공원", "시장", "도서관", "파출소", "병원", "교회", "아파트")


def subway_id(code: object) -> str:
    """MTRS1 and the four digits of the operator: no other id of TAGO looks like it."""
    return f"MTRS1{code}"


@table("tago_subway_stations")
def build_tago_subway_stations(world: World) -> list[Row]:
    """One row a station and line; a transfer station has one id for each of its lines."""
    return [row | {"station": subway_id(row["code"])} for row in world.table("subway_stations")]


def _exits(world: World, station: Row) -> int:
    return world.rng("exits", station["code"]).randrange(2, 9)


@table("subway_exit_places")
def build_exit_places(world: World) -> list[Row]:
    """Two or three places at each exit."""
    rows: list[Row] = []
    for station in world.table("tago_subway_stations"):
        rng = world.rng("exit_places", station["code"])
        for number in range(1, _exits(world, station) + 1):
            for place in rng.sample(_PLACES, rng.randrange(2, 4)):
                name = f"{str(station['base_name']).removesuffix('역')}{place}"
                rows.append({"station": station["station"], "exit": str(number), "place": name})
    return rows


@table("subway_exit_buses")
def build_exit_buses(world: World) -> list[Row]:
    """Seoul bus numbers that stop at each exit; some exits have none."""
    labels = [str(row["name"]) for row in world.table("bus_routes")]
    rows: list[Row] = []
    for station in world.table("tago_subway_stations"):
        rng = world.rng("exit_buses", station["code"])
        for number in range(1, _exits(world, station) + 1):
            for label in rng.sample(labels, rng.randrange(0, 4)):
                rows.append({"station": station["station"], "exit": str(number), "label": label})
    return rows
