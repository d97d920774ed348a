"""Coordinates of one record become those that a parameter wants: other systems, grid cells (two fields -> text)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from edge.ids import Json
from edge.links.paths import get_path, scalar

if TYPE_CHECKING:
    from pyproj import Transformer

DEGREES: Final = "WGS84"
# The registry's systems of Korea that platforms use. 5173 to 5175 stand on the Bessel ellipsoid, the rest on GRS80.
_EPSG: Final = ("5173", "5174", "5175", "5179", "5181", "5185", "5186", "5187")
# KATEC, the system of car navigation, is in no registry: transverse Mercator on the Bessel ellipsoid, 128 E 38 N, scale
# 0.9999, false origin 400,000 / 600,000, with the seven parameters of the National Geographic Information Institute
# from Korean 1985 to WGS84. Naver and Opinet answered with it for years, and their public examples check it.
_KATEC: Final = (
    "+proj=tmerc +lat_0=38 +lon_0=128 +k=0.9999 +x_0=400000 +y_0=600000 +ellps=bessel +units=m "
    "+towgs84=-115.80,474.99,674.11,1.16,-2.31,-1.63,6.43 +no_defs"
)
SYSTEMS: Final[Mapping[str, str]] = {
    DEGREES: "EPSG:4326",
    "KATEC": _KATEC,
    **{code: f"EPSG:{code}" for code in _EPSG},
}
_EAST_WEST, _SOUTH_NORTH = (122.0, 135.0), (30.0, 45.0)  # Korea and its seas


def system_of(text: str | None) -> str | None:
    """Return the system that the `format` of a field names ("EPSG:5179" -> "5179"), None where it is none of ours."""
    name = (text or "").removeprefix("EPSG:")
    return name if name in SYSTEMS else None


@lru_cache(maxsize=64)
def _transformer(source: str, target: str) -> Transformer:
    from pyproj import Transformer  # a third of a second, and only some platforms speak in metres

    return Transformer.from_crs(SYSTEMS[source], SYSTEMS[target], always_xy=True)


def projected(x: float, y: float, source: str, target: str) -> tuple[float, float] | None:
    """Return a point's (x, y) in another system, longitude before latitude; None for what lies far from Korea.

    Registers write 0 for a place that they do not know, and in metres that is a point in the sea off Heuksando.
    """
    if not (math.isfinite(x) and math.isfinite(y)) or (source != DEGREES and max(abs(x), abs(y)) < 1000):
        return None
    degrees = (x, y) if source == DEGREES else _transformer(source, DEGREES).transform(x, y)
    if not (_within(degrees[0], _EAST_WEST) and _within(degrees[1], _SOUTH_NORTH)):
        return None
    return degrees if target == DEGREES else _transformer(DEGREES, target).transform(*degrees)


def _within(value: float, bounds: tuple[float, float]) -> bool:
    return bounds[0] <= value <= bounds[1]


def kma_grid(longitude: float, latitude: float) -> tuple[int, int]:
    """Return the (nx, ny) cell of the weather service's 5 km Lambert conformal grid.

    Constants as the service documents them: Earth radius 6371.00877 km, cell 5 km, standard parallels 30 and 60 N,
    origin 126 E 38 N at cell (43, 136).
    """
    to_rad = math.pi / 180.0
    radius = 6371.00877 / 5.0
    slat1, slat2, olon, olat = 30 * to_rad, 60 * to_rad, 126 * to_rad, 38 * to_rad
    tan_ratio = math.tan(math.pi * 0.25 + slat2 * 0.5) / math.tan(math.pi * 0.25 + slat1 * 0.5)
    sn = math.log(math.cos(slat1) / math.cos(slat2)) / math.log(tan_ratio)
    sf = math.tan(math.pi * 0.25 + slat1 * 0.5) ** sn * math.cos(slat1) / sn
    ro = radius * sf / math.tan(math.pi * 0.25 + olat * 0.5) ** sn
    ra = radius * sf / math.tan(math.pi * 0.25 + latitude * to_rad * 0.5) ** sn
    theta = (longitude * to_rad - olon + math.pi) % (2 * math.pi) - math.pi
    theta *= sn
    return int(ra * math.sin(theta) + 43 + 0.5), int(ro - ra * math.cos(theta) + 136 + 0.5)


def _pair(value: str, other: str | None, axis: int) -> tuple[float, float] | None:
    """The two numbers in the order x, y, where `axis` says which of them `value` is."""
    try:
        mine, its = float(value), float(other or "")
    except ValueError:
        return None
    return (mine, its) if axis == 0 else (its, mine)


def to_grid(axis: int) -> Callable[[str, Mapping[str, Json], tuple[str, ...]], str | None]:
    """Return the transform to the column or row of the weather grid; its argument is the path of the other degree."""

    def cell(value: str, record: Mapping[str, Json], args: tuple[str, ...]) -> str | None:
        pair = _pair(value, scalar(get_path(record, args[0])), axis)
        degrees = projected(*pair, DEGREES, DEGREES) if pair else None
        return str(kma_grid(*degrees)[axis]) if degrees else None

    return cell


def to_system(axis: int) -> Callable[[str, Mapping[str, Json], tuple[str, ...]], str | None]:
    """Return the transform to x or y of another system; arguments: from, to and the path of the other coordinate.

    A digit more than platforms print (degrees to a centimetre, metres to a millimetre): what comes back is the same
    place, and the last bits of a library's arithmetic are in no row.
    """

    def project(value: str, record: Mapping[str, Json], args: tuple[str, ...]) -> str | None:
        source, target, path = args
        pair = _pair(value, scalar(get_path(record, path)), axis)
        point = projected(*pair, source, target) if pair else None
        return f"{point[axis]:.{7 if target == DEGREES else 3}f}" if point else None

    return project
