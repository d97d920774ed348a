"""Base times and grid cells in, rows of the KMA village forecast services out."""

import math
from collections.abc import Iterator
from datetime import datetime, timedelta

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World
from edge.sandbox.world.store import KST
from edge.sandbox.world.weather import Weather, extremes, weather_at

_GRID = (149, 253)
_KEPT_DAYS = 3
_VILLAGE_SLOTS = ("0200", "0500", "0800", "1100", "1400", "1700", "2000", "2300")


def base_moment(world: World, request: Request, published_after_min: int) -> datetime:
    """base_date and base_time as a moment. 10 when badly formed, 03 when too old or not out yet."""
    text = request.get("base_date") + request.get("base_time")
    if len(text) != 12 or not text.isdigit():
        raise Refusal("bad_parameter", "10")
    try:
        moment = datetime.strptime(text, "%Y%m%d%H%M").replace(tzinfo=KST)
    except ValueError:
        raise Refusal("bad_parameter", "10") from None
    age = world.now - moment
    if age < timedelta(minutes=published_after_min) or age > timedelta(days=_KEPT_DAYS):
        raise Refusal("empty")
    return moment


def cell(request: Request) -> tuple[int, int]:
    """nx and ny; degrees or other text give 10, a cell off the map 03."""
    try:
        nx, ny = int(request.get("nx")), int(request.get("ny"))
    except ValueError:
        raise Refusal("bad_parameter", "10") from None
    if not (1 <= nx <= _GRID[0] and 1 <= ny <= _GRID[1]):
        raise Refusal("empty")
    return nx, ny


def _vector(weather: Weather) -> tuple[str, str]:
    """East-west and north-south wind components with the sign of KMA (from-direction, so negated)."""
    angle = math.radians(weather.direction)
    return f"{-weather.wind * math.sin(angle):.1f}", f"{-weather.wind * math.cos(angle):.1f}"


def rain_text(weather: Weather) -> str:
    """Hourly amount as the forecasts write it."""
    if weather.rain <= 0:
        return "강수없음"
    return "1mm 미만" if weather.rain < 1 else f"{weather.rain:.1f}mm" if weather.rain < 30 else "30.0~50.0mm"


def _naive(moment: datetime) -> datetime:
    return moment.replace(tzinfo=None, minute=0)


@view("kma_nowcast")
def nowcast(world: World, request: Request) -> list[Row]:
    """Eight categories observed on the hour."""
    moment = base_moment(world, request, 10)
    nx, ny = cell(request)
    weather = weather_at(world.seed, nx, ny, _naive(moment))
    east, north = _vector(weather)
    values = {
        "PTY": str(weather.kind),
        "REH": str(weather.humidity),
        "RN1": f"{weather.rain:g}",
        "T1H": f"{weather.temperature:.1f}",
        "UUU": east,
        "VEC": str(weather.direction),
        "VVV": north,
        "WSD": f"{weather.wind:.1f}",
    }
    head: Row = {"baseDate": request.get("base_date"), "baseTime": f"{moment:%H}00"}
    return [head | {"category": name, "nx": nx, "ny": ny, "obsrValue": value} for name, value in values.items()]


@view("kma_ultra_forecast")
def ultra_forecast(world: World, request: Request) -> list[Row]:
    """Ten categories for each of the next six hours; bases at half past only."""
    moment = base_moment(world, request, 15)
    nx, ny = cell(request)
    if moment.minute != 30:
        raise Refusal("empty")
    hours = [_naive(moment) + timedelta(hours=n) for n in range(1, 7)]
    rows: list[Row] = []
    for category in ("LGT", "PTY", "RN1", "SKY", "T1H", "REH", "UUU", "VVV", "VEC", "WSD"):
        for hour in hours:
            rows.append(
                {
                    "baseDate": request.get("base_date"),
                    "baseTime": request.get("base_time"),
                    "category": category,
                    "fcstDate": f"{hour:%Y%m%d}",
                    "fcstTime": f"{hour:%H}00",
                    "fcstValue": _ultra_value(category, weather_at(world.seed, nx, ny, hour)),
                    "nx": nx,
                    "ny": ny,
                }
            )
    return rows


def _ultra_value(category: str, weather: Weather) -> str:
    east, north = _vector(weather)
    return {
        "LGT": "1" if weather.lightning else "0",
        "PTY": str(weather.kind),
        "RN1": rain_text(weather),
        "SKY": str(weather.sky),
        "T1H": f"{weather.temperature:.0f}",
        "REH": str(weather.humidity),
        "UUU": east,
        "VVV": north,
        "VEC": str(weather.direction),
        "WSD": f"{weather.wind:.0f}",
    }[category]


def _village_values(weather: Weather) -> Iterator[tuple[str, str]]:
    east, north = _vector(weather)
    yield "TMP", f"{weather.temperature:.0f}"
    yield "UUU", east
    yield "VVV", north
    yield "VEC", str(weather.direction)
    yield "WSD", f"{weather.wind:.1f}"
    yield "SKY", str(weather.sky)
    yield "PTY", str(weather.kind)
    yield "POP", str(weather.chance)
    yield "WAV", f"{weather.wind / 5:.1f}"
    yield "PCP", rain_text(weather)
    yield "REH", str(weather.humidity)
    yield "SNO", "적설없음"


@view("kma_village_forecast")
def village_forecast(world: World, request: Request) -> list[Row]:
    """Twelve categories an hour to the end of the third day, plus TMN at 06 and TMX at 15."""
    moment = base_moment(world, request, 10)
    nx, ny = cell(request)
    if request.get("base_time") not in _VILLAGE_SLOTS:
        raise Refusal("empty")
    first = _naive(moment) + timedelta(hours=1)
    last = _naive(moment).replace(hour=0) + timedelta(days=3)
    rows: list[Row] = []
    hour = first
    while hour <= last:
        values = list(_village_values(weather_at(world.seed, nx, ny, hour)))
        if hour.hour in (6, 15):
            low, high = extremes(world.seed, nx, ny, hour.date())
            values.append(("TMN", f"{low:.1f}") if hour.hour == 6 else ("TMX", f"{high:.1f}"))
        rows.extend(
            {
                "baseDate": request.get("base_date"),
                "baseTime": request.get("base_time"),
                "category": category,
                "fcstDate": f"{hour:%Y%m%d}",
                "fcstTime": f"{hour:%H}00",
                "fcstValue": value,
                "nx": nx,
                "ny": ny,
            }
            for category, value in values
        )
        hour += timedelta(hours=1)
    return rows
