"""Buildings in, electric vehicle charging stations and chargers out."""

from datetime import timedelta

from edge.sandbox.world.buildings import site, stem
from edge.sandbox.world.store import Row, World, table

_OPERATORS = (("ME", "기후부"), ("KP", "한국전력"), ("EV", "에버온빛"), ("HM", "한마음충전"), ("SJ", "새주차충전"))
_PLACES = ("공영주차장", "주민센터", "아파트", "도서관", "체육관", "시장 주차장", "공원", "보건지소")
_TYPES = ("01", "02", "03", "04", "05", "06", "07")
# 1 communication fault, 2 free, 3 charging, 4 suspended, 5 under inspection, 9 unknown.
_STATES = ("2", "2", "2", "2", "3", "3", "3", "1", "4", "5", "9")


@table("chargers")
def build_chargers(world: World) -> list[Row]:
    """One row a charger: station id (two letters, six digits), charger id, state now and when it last changed."""
    rows: list[Row] = []
    stations = 0
    for dong in world.table("dongs"):
        rng = world.rng("chargers", dong["code10"])
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            stations += 1
            prefix, operator = rng.choice(_OPERATORS)
            place = site(world, dong["code10"], rng)
            station: Row = {
                "stat_id": f"{prefix}{stations * 13 % 900_000 + 100_000:06d}",
                "name": f"{stem(str(dong['dong']))}{rng.choice(_PLACES)}",
                "address": place["road_address"],
                "lon": place["lon"],
                "lat": place["lat"],
                "code2": dong["code2"],
                "code5": dong["code5"],
                "operator": prefix,
                "operator_name": operator,
                "hours": rng.choice(("24시간 이용가능", "24시간 이용가능", "09:00~18:00")),
                "parking_free": rng.choice(("Y", "N")),
            }
            for charger in range(1, rng.choice((1, 2, 2, 4, 6)) + 1):
                changed = world.now - timedelta(minutes=rng.randrange(1, 4000), seconds=rng.randrange(60))
                kind = rng.choice(_TYPES)
                rows.append(
                    station
                    | {
                        "charger_id": f"{charger:02d}",
                        "type": kind,
                        "output": "7" if kind == "02" else rng.choice(("50", "100", "200")),
                        "state": rng.choice(_STATES),
                        "changed": f"{changed:%Y%m%d%H%M%S}",
                    }
                )
    return rows
