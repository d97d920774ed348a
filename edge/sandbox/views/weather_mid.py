"""Zones, stations and areas in, rows of the mid-term forecast, daily observation and living index services out."""

from datetime import date, datetime, timedelta

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World
from edge.sandbox.world.coordinates import kma_grid
from edge.sandbox.world.regions import number
from edge.sandbox.world.store import KST
from edge.sandbox.world.weather import day_hours, extremes, noise, weather_at

_SEA_ZONES = ("12A20000", "12A30000", "12B10000", "12B20000", "12B10500", "12C10000", "12C20000")
_LAND_EXTRA = {"11D20000": "105"}
_WORDS = {1: "맑음", 3: "구름많음", 4: "흐림"}


def mid_issue(world: World, request: Request) -> datetime:
    """tmFc as a moment: a 0600 or 1800 slot of the last 24 hours or so, else 03; badly formed 10."""
    text = request.get("tmFc")
    if len(text) != 12 or not text.isdigit():
        raise Refusal("bad_parameter", "10")
    try:
        moment = datetime.strptime(text, "%Y%m%d%H%M").replace(tzinfo=KST)
    except ValueError:
        raise Refusal("bad_parameter", "10") from None
    age = world.now - moment
    if f"{moment:%H%M}" not in ("0600", "1800") or not timedelta(0) <= age <= timedelta(hours=30):
        raise Refusal("empty")
    return moment


def _zone_cell(world: World, zone: str) -> tuple[int, int] | None:
    """The cell of a land zone is that of its first district."""
    rows = world.find("districts", "kma_land", "11D10000" if zone in _LAND_EXTRA else zone)
    if not rows:
        return None
    row = rows[-1] if zone in _LAND_EXTRA else rows[0]
    nx, ny = row["nx"], row["ny"]
    return (nx, ny) if isinstance(nx, int) and isinstance(ny, int) else None


def _half_days(issue: datetime) -> list[tuple[int, str]]:
    """Day number and suffix of each column: halves to day 7, whole days to 10; an evening issue starts at day 5."""
    first = 4 if issue.hour == 6 else 5
    return [(day, half) for day in range(first, 8) for half in ("Am", "Pm")] + [(day, "") for day in range(8, 11)]


def _phrase(world: World, cell: tuple[int, int], day: date, half: str) -> tuple[str, int]:
    hour = 15 if half == "Pm" else 9
    weather = weather_at(world.seed, *cell, datetime(day.year, day.month, day.day, hour))
    wet = weather.kind > 0 or weather.chance >= 60
    words = _WORDS[weather.sky if not wet else 4]
    return ("흐리고 비" if wet else words), weather.chance


@view("kma_mid_land")
def mid_land(world: World, request: Request) -> list[Row]:
    """One wide row a land zone: rain chances rnSt* and phrases wf*; the first served columns are blank."""
    issue = mid_issue(world, request)
    cell = _zone_cell(world, request.get("regId"))
    if cell is None:
        return []
    chances: Row = {f"rnSt{day}{half}": 0 for day in (3, 4) for half in ("Am", "Pm")}
    phrases: Row = {f"wf{day}{half}": "" for day in (3, 4) for half in ("Am", "Pm")}
    for day, half in _half_days(issue):
        phrase, chance = _phrase(world, cell, issue.date() + timedelta(days=day), half)
        chances[f"rnSt{day}{half}"] = chance
        phrases[f"wf{day}{half}"] = phrase
    return [{"regId": request.get("regId")} | chances | phrases]


@view("kma_mid_temperature")
def mid_temperature(world: World, request: Request) -> list[Row]:
    """One wide row a city zone: taMin* and taMax* with their margins."""
    issue = mid_issue(world, request)
    stations = world.find("weather_stations", "fct_id", request.get("regId"))
    if not stations:
        return []
    cell = kma_grid(number(stations[0], "lon"), number(stations[0], "lat"))
    row: Row = {"regId": request.get("regId")}
    for day in range(3, 11):
        low, high = extremes(world.seed, *cell, issue.date() + timedelta(days=day))
        blank = day < (5 if issue.hour == 18 else 4)
        for name, value in (("taMin", low), ("taMax", high)):
            row[f"{name}{day}"] = 0 if blank else round(value)
            row[f"{name}{day}Low"] = 0 if blank else 1
            row[f"{name}{day}High"] = 0 if blank else 1 + day // 6
    return [row]


@view("kma_mid_sea")
def mid_sea(world: World, request: Request) -> list[Row]:
    """One wide row a sea zone: phrases and wave heights from A to B metres."""
    issue = mid_issue(world, request)
    zone = request.get("regId")
    if zone not in _SEA_ZONES:
        return []
    row: Row = {"regId": zone}
    for day, half in _half_days(issue):
        when = issue.date() + timedelta(days=day)
        height = round(0.5 + 2 * noise(world.seed, "wave", zone, when, half), 1) // 0.5 * 0.5
        row[f"wf{day}{half}"] = _WORDS[(1, 3, 4)[int(noise(world.seed, "seasky", zone, when, half) * 3)]]
        row[f"wh{day}A{half}"] = height
        row[f"wh{day}B{half}"] = height + (1.0 if height >= 1 else 0.5)
    return [row]


@view("kma_mid_text")
def mid_text(world: World, request: Request) -> list[Row]:
    """The forecaster's paragraph of one office (108 for the country)."""
    issue = mid_issue(world, request)
    office = request.get("stnId")
    rows = world.find("provinces", "kma_office", office)
    if not rows and office != "108":
        return []
    place = "전국" if office == "108" else "·".join(str(row["name"]) for row in rows)
    cell = _zone_cell(world, str(rows[0]["kma_land"]) if rows else "11B00000") or (60, 127)
    parts: list[str] = []
    for day in range(4, 11):
        when = issue.date() + timedelta(days=day)
        low, high = extremes(world.seed, *cell, when)
        phrase, _ = _phrase(world, cell, when, "Pm")
        range_ = f"아침 기온 {low:.0f}도, 낮 기온 {high:.0f}도"
        parts.append(f"○ {when.day}일은 {place} {phrase}, {range_} 안팎이 되겠습니다.")
    return [{"wfSv": "\n".join(parts)}]


def _day(text: str) -> date:
    try:
        return datetime.strptime(text, "%Y%m%d").date()
    except ValueError:
        raise Refusal("bad_parameter", "10") from None


@view("kma_daily")
def daily(world: World, request: Request) -> list[Row]:
    """One row a station and day, up to yesterday; today or later is refused with 99."""
    first, last = _day(request.get("startDt")), _day(request.get("endDt"))
    if last >= world.today or first > last:
        raise Refusal("bad_parameter", "99")
    if request.get("dataCd") != "ASOS" or request.get("dateCd") != "DAY":
        raise Refusal("bad_parameter", "10")
    rows: list[Row] = []
    for station in request.get("stnIds").split(","):
        for row in world.find("weather_stations", "stn_id", station):
            days = ((first + timedelta(days=n)) for n in range(min(400, (last - first).days + 1)))
            rows.extend(_observed(world, row, day) for day in days)
    return rows


def _observed(world: World, station: Row, day: date) -> Row:
    cell = kma_grid(number(station, "lon"), number(station, "lat"))
    hours = [weather_at(world.seed, *cell, hour) for hour in day_hours(day)]
    temperatures = [hour.temperature for hour in hours]
    rain = round(sum(hour.rain for hour in hours), 1)
    sun = sum(1 for index, hour in enumerate(hours) if hour.sky == 1 and 6 <= index <= 18)
    return {
        "stnId": station["stn_id"],
        "stnNm": station["name"],
        "tm": day.isoformat(),
        "avgTa": f"{sum(temperatures) / 24:.1f}",
        "minTa": f"{min(temperatures):.1f}",
        "minTaHrmt": f"{temperatures.index(min(temperatures)):02d}00",
        "maxTa": f"{max(temperatures):.1f}",
        "maxTaHrmt": f"{temperatures.index(max(temperatures)):02d}00",
        "sumRn": f"{rain:.1f}" if rain else "",
        "avgWs": f"{sum(hour.wind for hour in hours) / 24:.1f}",
        "maxWs": f"{max(hour.wind for hour in hours):.1f}",
        "avgRhm": f"{sum(hour.humidity for hour in hours) / 24:.1f}",
        "minRhm": str(min(hour.humidity for hour in hours)),
        "sumSsHr": f"{sun:.1f}",
        "sumGsr": f"{8 + sun * 1.3:.2f}",
        "avgTca": f"{sum({1: 2, 3: 7, 4: 10}[hour.sky] for hour in hours) / 24:.1f}",
    }


def _area_cell(world: World, area: str) -> tuple[int, int] | None:
    """Provinces and districts by their ten digits, below that administrative dongs only."""
    for name, column in (("districts", "code10"), ("dongs", "admin_code")):
        for row in world.find(name, column, area):
            nx, ny = row["nx"], row["ny"]
            if isinstance(nx, int) and isinstance(ny, int):
                return nx, ny
    if world.find("provinces", "code10", area):
        return _zone_cell(world, str(world.find("provinces", "code10", area)[0]["kma_land"]))
    return None


def _index_issue(world: World, request: Request) -> datetime:
    text = request.get("time")
    try:
        moment = datetime.strptime(text, "%Y%m%d%H").replace(tzinfo=KST)
    except ValueError:
        raise Refusal("bad_parameter", "10") from None
    if not timedelta(0) <= world.now - moment <= timedelta(hours=24):
        raise Refusal("empty")
    return moment.replace(hour=moment.hour // 3 * 3)


@view("kma_uv")
def ultraviolet(world: World, request: Request) -> list[Row]:
    """UV index h0, h3 ... h75 from an issue time of the last day."""
    issue = _index_issue(world, request)
    cell = _area_cell(world, request.get("areaNo"))
    if cell is None:
        return []
    row: Row = {"code": "A07_2", "areaNo": request.get("areaNo"), "date": f"{issue:%Y%m%d%H}"}
    for hours in range(0, 76, 3):
        when = (issue + timedelta(hours=hours)).replace(tzinfo=None)
        strength = max(0, 9 - 2.2 * abs(when.hour - 12.5) / 1.5)
        row[f"h{hours}"] = str(round(strength * {1: 1.0, 3: 0.75, 4: 0.4}[weather_at(world.seed, *cell, when).sky]))
    return [row]


@view("kma_air_diffusion")
def air_diffusion(world: World, request: Request) -> list[Row]:
    """Air diffusion index (25, 50, 75, 100; low is stagnant) h3 ... h78."""
    issue = _index_issue(world, request)
    cell = _area_cell(world, request.get("areaNo"))
    if cell is None:
        return []
    row: Row = {"code": "A09", "areaNo": request.get("areaNo"), "date": f"{issue:%Y%m%d%H}"}
    for hours in range(3, 79, 3):
        wind = weather_at(world.seed, *cell, (issue + timedelta(hours=hours)).replace(tzinfo=None)).wind
        row[f"h{hours}"] = str(100 if wind > 4 else 75 if wind > 3 else 50 if wind > 2 else 25)
    return [row]
