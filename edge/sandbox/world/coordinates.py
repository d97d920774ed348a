"""Degrees in, the grids and metres of Korean platforms out (KMA grid, Bessel-era TM, UTM-K), and distances."""

import math

# KMA guide, section on grid conversion: Lambert conformal conic, spherical earth, 5 km cells.
_EARTH_KM = 6371.00877
_CELL_KM = 5.0
_PARALLELS = (30.0, 60.0)
_ORIGIN = (126.0, 38.0)
_ORIGIN_CELL = (43, 136)

# GRS80 ellipsoid, for both transverse Mercator systems.
_AXIS = 6378137.0
_FLATTENING = 1 / 298.257222101


def kma_grid(lon: float, lat: float) -> tuple[int, int]:
    """Cell (nx, ny) of the village forecast grid for degrees."""
    scale = _EARTH_KM / _CELL_KM
    first, second = (math.radians(p) for p in _PARALLELS)
    lon0, lat0 = (math.radians(v) for v in _ORIGIN)
    cone = math.log(math.cos(first) / math.cos(second)) / math.log(
        math.tan(math.pi / 4 + second / 2) / math.tan(math.pi / 4 + first / 2)
    )
    factor = math.tan(math.pi / 4 + first / 2) ** cone * math.cos(first) / cone
    origin_radius = scale * factor / math.tan(math.pi / 4 + lat0 / 2) ** cone
    radius = scale * factor / math.tan(math.pi / 4 + math.radians(lat) / 2) ** cone
    angle = (math.radians(lon) - lon0) * cone
    x = math.floor(radius * math.sin(angle) + _ORIGIN_CELL[0] + 0.5)
    y = math.floor(origin_radius - radius * math.cos(angle) + _ORIGIN_CELL[1] + 0.5)
    return x, y


def _meridian_arc(lat: float, e2: float) -> float:
    return _AXIS * (
        (1 - e2 / 4 - 3 * e2**2 / 64 - 5 * e2**3 / 256) * lat
        - (3 * e2 / 8 + 3 * e2**2 / 32 + 45 * e2**3 / 1024) * math.sin(2 * lat)
        + (15 * e2**2 / 256 + 45 * e2**3 / 1024) * math.sin(4 * lat)
        - (35 * e2**3 / 3072) * math.sin(6 * lat)
    )


def _transverse_mercator(
    lon: float, lat: float, lon0: float, lat0: float, scale: float, east: float, north: float
) -> tuple[float, float]:
    """Snyder, Map Projections: A Working Manual (1987), equations 8-9 to 8-15."""
    e2 = _FLATTENING * (2 - _FLATTENING)
    second = e2 / (1 - e2)
    phi = math.radians(lat)
    n = _AXIS / math.sqrt(1 - e2 * math.sin(phi) ** 2)
    t = math.tan(phi) ** 2
    c = second * math.cos(phi) ** 2
    a = math.radians(lon - lon0) * math.cos(phi)
    arc = _meridian_arc(phi, e2) - _meridian_arc(math.radians(lat0), e2)
    x = n * (a + (1 - t + c) * a**3 / 6 + (5 - 18 * t + t**2 + 72 * c - 58 * second) * a**5 / 120)
    y = arc + n * math.tan(phi) * (
        a**2 / 2 + (5 - t + 9 * c + 4 * c**2) * a**4 / 24 + (61 - 58 * t + t**2 + 600 * c - 330 * second) * a**6 / 720
    )
    return east + scale * x, north + scale * y


def tm_middle(lon: float, lat: float) -> tuple[float, float]:
    """Metres on the middle belt (origin 127E 38N, false 200,000 / 500,000), as AirKorea's tmX and tmY."""
    return _transverse_mercator(lon, lat, 127.0, 38.0, 1.0, 200_000.0, 500_000.0)


def degrees_of_tm_middle(x: float, y: float) -> tuple[float, float]:
    """Degrees of metres on the middle belt: the miss of the forward projection is taken off until it is none."""
    lon, lat = 127.0, 38.0
    for _ in range(12):
        east, north = tm_middle(lon, lat)
        lat += (y - north) / 111_000.0
        lon += (x - east) / (111_000.0 * math.cos(math.radians(lat)))
    return lon, lat


def utm_k(lon: float, lat: float) -> tuple[float, float]:
    """Metres in EPSG:5179 (origin 127.5E 38N, scale 0.9996), as juso's entX and entY."""
    return _transverse_mercator(lon, lat, 127.5, 38.0, 0.9996, 1_000_000.0, 2_000_000.0)


def distance_m(lon1: float, lat1: float, lon2: float, lat2: float) -> float:
    """Great-circle metres between two points in degrees; infinite where one is no place on earth."""
    if not (abs(lat1) <= 90 and abs(lat2) <= 90 and math.isfinite(lon1) and math.isfinite(lon2)):
        return math.inf
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    half = (
        math.sin((phi2 - phi1) / 2) ** 2
        + math.cos(phi1) * math.cos(phi2) * math.sin(math.radians(lon2 - lon1) / 2) ** 2
    )
    return 2 * _EARTH_KM * 1000 * math.asin(math.sqrt(half))
