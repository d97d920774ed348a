"""Stations and regions in, rows of the AirKorea services out."""

import math
from datetime import datetime, timedelta

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World
from edge.sandbox.world.air import Air, grade, overall, reading, stamp
from edge.sandbox.world.regions import number

_HOURS = {"DAILY": 24, "MONTH": 24 * 30, "3MONTH": 24 * 90}
_SHAPES = {"so2": "{:.3f}", "co": "{:.1f}", "o3": "{:.3f}", "no2": "{:.3f}", "pm10": "{:.0f}", "pm25": "{:.0f}"}
_NEAREST = 3
_TOO_FAR_M = 150_000.0


def last_hour(world: World) -> datetime:
    """The newest published hour."""
    return world.now.replace(tzinfo=None, minute=0)


def _shape(pollutant: str, value: float | None) -> str:
    return "-" if value is None else _SHAPES[pollutant].format(value)


def _row(world: World, station: Row, hour: datetime, version: str) -> Row:
    air = reading(world, station, hour)
    index = overall(air)
    # Every version of the service adds fields: names and fine dust, day means, the network, grades of the hour.
    row: Row = {"dataTime": stamp(hour)}
    if version:
        row["stationName"] = station["name"]
    if version >= "1.2":
        row |= {"stationCode": station["code"], "mangName": station["network"]}
    for name in _SHAPES:
        row[f"{name}Value"] = _shape(name, air.values[name])
    row["khaiValue"] = "-" if index is None else str(index)
    row["khaiGrade"] = grade("khai", index)
    if version >= "1.3":
        row |= {f"{name}Grade1h": grade(name, air.values[name]) for name in ("pm10", "pm25")}
    if version >= "1.1":
        row |= {f"{name}Value24": _day_mean(world, station, hour, name) for name in ("pm10", "pm25")}
    for name in _SHAPES:
        row[f"{name}Grade"] = grade(name, air.values[name])
        row[f"{name}Flag"] = air.flags.get(name)
    return row


def _day_mean(world: World, station: Row, hour: datetime, pollutant: str) -> str:
    # Four hours stand for the day: the mean is wanted in every row and need not be exact.
    hours = (hour - timedelta(hours=n) for n in (0, 6, 12, 18))
    values = [value for h in hours if (value := reading(world, station, h).values[pollutant]) is not None]
    return f"{sum(values) / len(values):.0f}" if values else "-"


@view("air_by_province")
def by_province(world: World, request: Request) -> list[Row]:
    """The newest hour of every station of a province; short names only (서울), or 전국."""
    sido = request.get("sidoName")
    stations = world.table("air_stations") if sido == "전국" else world.find("air_stations", "sido_short", sido)
    version = request.get("ver") or "1.0"
    return [_row(world, row, last_hour(world), version) | {"sidoName": row["sido_short"]} for row in stations]


@view("air_by_station")
def by_station(world: World, request: Request) -> list[Row]:
    """Hours of one station, newest first, as far back as dataTerm says."""
    hours = _HOURS.get(request.get("dataTerm").upper())
    if hours is None:
        raise Refusal("bad_parameter", "10")
    newest = last_hour(world)
    return [
        _row(world, station, newest - timedelta(hours=n), request.get("ver"))
        for station in world.find("air_stations", "name", request.get("stationName"))
        for n in range(hours)
    ]


@view("air_bad_stations")
def bad_stations(world: World, _request: Request) -> list[Row]:
    """Stations whose combined grade is bad or worse in the newest hour; none on a clean day."""
    rows: list[Row] = []
    for station in world.table("air_stations"):
        air: Air = reading(world, station, last_hour(world))
        value = overall(air)
        if value is not None and value > 100:
            rows.append({"stationName": station["name"], "stationCode": station["code"], "addr": station["address"]})
    return rows


@view("air_stations")
def stations(world: World, request: Request) -> list[Row]:
    """The station list by address and name fragments; before version 1.1 dmX is the latitude."""
    address, name = request.get("addr"), request.get("stationName")
    swapped = (request.get("ver") or "1.0") < "1.1"
    rows: list[Row] = []
    for row in world.table("air_stations"):
        if address in str(row["address"]) and name in str(row["name"]):
            x, y = ("lat", "lon") if swapped else ("lon", "lat")
            rows.append(
                {
                    "stationCode": row["code"],
                    "stationName": row["name"],
                    "addr": row["address"],
                    "year": row["year"],
                    "mangName": row["network"],
                    "item": row["item"],
                    "dmX": f"{number(row, x):.6f}",
                    "dmY": f"{number(row, y):.6f}",
                }
            )
    return rows


@view("air_nearby")
def nearby(world: World, request: Request) -> list[Row]:
    """The three stations nearest to a point in metres: TM, or UTM-K with ver=1.0; tm is the distance in km."""
    try:
        x, y = float(request.get("tmX")), float(request.get("tmY"))
    except ValueError:
        raise Refusal("bad_parameter", "10") from None
    prefix = "utm" if request.get("ver") == "1.0" else "tm"
    found: list[tuple[float, Row]] = []
    for row in world.table("air_stations"):
        found.append((math.hypot(number(row, f"{prefix}_x") - x, number(row, f"{prefix}_y") - y), row))
    found.sort(key=lambda pair: pair[0])
    return [
        {"stationCode": row["code"], "stationName": row["name"], "addr": row["address"], "tm": round(metres / 1000, 1)}
        for metres, row in found[:_NEAREST]
        if metres < _TOO_FAR_M
    ]


@view("air_daily")
def daily(world: World, request: Request) -> list[Row]:
    """Daily means from inqBginDt to inqEndDt (up to yesterday), of one station or of all."""
    try:
        first = datetime.strptime(request.get("inqBginDt"), "%Y%m%d")
        last = datetime.strptime(request.get("inqEndDt"), "%Y%m%d")
    except ValueError:
        raise Refusal("bad_parameter", "10") from None
    name = request.get("msrstnName")
    stations_ = world.find("air_stations", "name", name) if name else world.table("air_stations")
    end = min(last, datetime(world.today.year, world.today.month, world.today.day) - timedelta(days=1))
    days = [first + timedelta(days=n) for n in range(min(31, (end - first).days + 1))]
    return [_mean_row(world, station, day) for station in stations_ for day in days]


def _mean_row(world: World, station: Row, day: datetime) -> Row:
    airs = [reading(world, station, day + timedelta(hours=hour)) for hour in range(0, 24, 4)]
    row: Row = {"msurDt": f"{day:%Y-%m-%d}", "msrstnName": station["name"], "stationCode": station["code"]}
    for name in _SHAPES:
        values = [value for air in airs if (value := air.values[name]) is not None]
        row[f"{name}Value"] = _shape(name, sum(values) / len(values) if values else None)
    return row
