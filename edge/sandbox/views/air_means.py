"""Stations in, AirKorea's means out, by city, by province and by month, and the combined index of a station."""

from datetime import datetime, timedelta

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.views.air import last_hour
from edge.sandbox.world import Row, World
from edge.sandbox.world.air import Air, grade, overall, reading, stamp

_SHAPES = {"so2": "{:.3f}", "co": "{:.1f}", "o3": "{:.3f}", "no2": "{:.3f}", "pm10": "{:.0f}", "pm25": "{:.0f}"}
_CITY_HOURS = {"HOUR": 1, "DAILY": 24}
_PROVINCES = {
    "서울": "seoul", "부산": "busan", "대구": "daegu", "인천": "incheon", "광주": "gwangju", "대전": "daejeon",
    "울산": "ulsan", "경기": "gyeonggi", "강원": "gangwon", "충북": "chungbuk", "충남": "chungnam", "전북": "jeonbuk",
    "전남": "jeonnam", "경북": "gyeongbuk", "경남": "gyeongnam", "제주": "jeju", "세종": "sejong",
}  # fmt: skip
_ITEMS = {"SO2": "so2", "CO": "co", "O3": "o3", "NO2": "no2", "PM10": "pm10", "PM25": "pm25"}
_DAYS = {"WEEK": 7, "MONTH": 30}
# So many stations stand for a province where a whole mean over days would be dear.
_ENOUGH = 4


def _mean(airs: list[Air], pollutant: str) -> str:
    values = [value for air in airs if (value := air.values[pollutant]) is not None]
    return _SHAPES[pollutant].format(sum(values) / len(values)) if values else "-"


@view("air_by_city")
def by_city(world: World, request: Request) -> list[Row]:
    """Hourly means of each city or district of a province (short name), newest hour first."""
    hours = _CITY_HOURS.get(request.get("searchCondition").upper())
    if hours is None:
        raise Refusal("bad_parameter", "10")
    cities: dict[str, list[Row]] = {}
    for station in world.find("air_stations", "sido_short", request.get("sidoName")):
        name = str(world.find("districts", "code5", station["code5"])[0]["name"] or "세종시").split(" ")[0]
        cities.setdefault(name, []).append(station)
    newest = last_hour(world)
    rows: list[Row] = []
    for back in range(hours):
        hour = newest - timedelta(hours=back)
        for city, stations in cities.items():
            airs = [reading(world, station, hour) for station in stations]
            row: Row = {"dataTime": stamp(hour), "sidoName": request.get("sidoName"), "cityName": city}
            rows.append(row | {"cityNameEng": ""} | {f"{name}Value": _mean(airs, name) for name in _SHAPES})
    return rows


@view("air_by_provinces")
def by_provinces(world: World, request: Request) -> list[Row]:
    """One pollutant in every province side by side: the last day by hours, or a week or month by days."""
    item = _ITEMS.get(request.get("itemCode").upper().replace(".", ""))
    kind = request.get("dataGubun").upper()
    if item is None or kind not in ("HOUR", "DAILY"):
        raise Refusal("bad_parameter", "10")
    newest = last_hour(world)
    if kind == "HOUR":
        hours = [newest - timedelta(hours=back) for back in range(24)]
        return [_across(world, request, item, stamp(hour), [hour]) for hour in hours]
    days = _DAYS.get(request.get("searchCondition").upper(), _DAYS["WEEK"])
    noon = newest.replace(hour=12)
    starts = [noon - timedelta(days=back) for back in range(1, days + 1)]
    return [_across(world, request, item, f"{day:%Y-%m-%d}", [day, day.replace(hour=20)]) for day in starts]


def _across(world: World, request: Request, item: str, time: str, hours: list[datetime]) -> Row:
    gubun = "시간평균" if len(hours) == 1 else "일평균"
    row: Row = {"dataTime": time, "itemCode": request.get("itemCode").upper(), "dataGubun": gubun}
    for short, name in _PROVINCES.items():
        stations = world.find("air_stations", "sido_short", short)[:_ENOUGH]
        row[name] = _mean([reading(world, station, hour) for station in stations for hour in hours], item)
    return row


@view("air_monthly")
def monthly(world: World, request: Request) -> list[Row]:
    """Monthly means from inqBginMm to inqEndMm (finished months), of one station or of all."""
    first, last = request.get("inqBginMm"), request.get("inqEndMm")
    if not all(len(text) == 6 and text.isdigit() and 1 <= int(text[4:]) <= 12 for text in (first, last)):
        raise Refusal("bad_parameter", "10")
    end = min(last, f"{world.today.replace(day=1) - timedelta(days=1):%Y%m}")
    months = range(int(first[:4]) * 12 + int(first[4:]) - 1, int(end[:4]) * 12 + int(end[4:]))
    name = request.get("msrstnName")
    stations = world.find("air_stations", "name", name) if name else world.table("air_stations")
    return [_month(world, station, datetime(n // 12, n % 12 + 1, 1)) for station in stations for n in months[:12]]


def _month(world: World, station: Row, first: datetime) -> Row:
    airs = [reading(world, station, first + timedelta(days=day, hours=hour)) for day in (4, 13, 22) for hour in (3, 14)]
    row: Row = {"msurMm": f"{first:%Y-%m}", "msrstnName": station["name"], "stationCode": station["code"]}
    return row | {f"{name}Value": _mean(airs, name) for name in _SHAPES}


@view("air_index")
def index(world: World, request: Request) -> list[Row]:
    """The combined index of a station in the last day's hours, newest first, with the pollutant that sets it."""
    newest = last_hour(world)
    rows: list[Row] = []
    for station in world.find("air_stations", "name", request.get("stationName")):
        for back in range(24):
            hour = newest - timedelta(hours=back)
            air = reading(world, station, hour)
            value = overall(air)
            row: Row = {"dataTime": stamp(hour), "stationName": station["name"], "stationCode": station["code"]}
            row |= {"mangName": station["network"], "khaiValue": "-" if value is None else str(value)}
            rows.append(row | {"khaiGrade": grade("khai", value), "khaiItem": "-" if value is None else _worst(air)})
    return rows


def _worst(air: Air) -> str:
    bounds = {"pm10": 80, "pm25": 35, "o3": 0.09, "no2": 0.06, "co": 9, "so2": 0.05}
    shares = {name: (air.values[name] or 0) / bound for name, bound in bounds.items()}
    worst = max(shares, key=lambda name: shares[name])
    return "PM" if worst.startswith("pm") else worst.upper()
