"""SGIS requests in, a token or the outlines of regions out: a token first, then codes of the statistics office."""

from edge.sandbox.engine import DEMO_KEY
from edge.sandbox.model import Refusal, Request, Row
from edge.sandbox.registry import view
from edge.sandbox.world import World
from edge.sandbox.world.coordinates import utm_k
from edge.sandbox.world.regions import number

_LIFE_S = 4 * 3600
_FIRST_YEAR = 2000


def _token(world: World) -> str:
    rng = world.rng("sgis token")
    return f"{rng.getrandbits(64):016x}-{rng.getrandbits(32):08x}-{world.today:%Y%m%d}"


@view("sgis_token")
def access_token(world: World, _request: Request) -> list[Row]:
    """A token that lasts four hours of the world's clock."""
    until = int(world.now.timestamp()) + _LIFE_S
    return [{"accessToken": _token(world), "accessTimeout": str(until)}]


@view("sgis_areas")
def boundaries(world: World, request: Request) -> list[Row]:
    """Outlines of a region, of its parts (low_search 1, the default), or of theirs; all provinces without a code."""
    token = request.get("accessToken")
    # The demo key stands for a token too, as a client does that was handed one instead of asking for it.
    if token not in (_token(world), DEMO_KEY):
        raise Refusal("key_invalid" if token else "key_missing")
    year = request.get("year")
    if not year.isdecimal() or not _FIRST_YEAR <= int(year) < world.today.year:
        raise Refusal("empty")
    code, depth = request.get("adm_cd"), request.get("low_search", "1")
    rows = world.table("statistical_regions")
    own = [row for row in rows if row["code"] == code]
    if depth == "0" and code:
        return [_feature(row) for row in own]
    lower = [row for row in rows if row["parent"] == code]
    if depth == "2" and not code:
        lower = [row for row in rows if row["parent"]]
    return [_feature(row) for row in lower]


def _feature(row: Row) -> Row:
    """A square stands for the outline; its size goes with the number of people."""
    x, y = utm_k(number(row, "lon"), number(row, "lat"))
    reach = 1500 + 40_000 * number(row, "weight")
    ring = [[round(x + dx * reach), round(y + dy * reach)] for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))]
    name = row.get("full_name") or row["name"]
    properties: Row = {"adm_cd": row["code"], "adm_nm": name, "x": str(round(x)), "y": str(round(y))}
    return {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [ring]}, "properties": properties}
