"""Districts in, air quality stations and hourly readings out."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from edge.sandbox.world.buildings import site, stem
from edge.sandbox.world.coordinates import tm_middle, utm_k
from edge.sandbox.world.regions import number
from edge.sandbox.world.store import Row, World, table
from edge.sandbox.world.weather import noise, weather_at

# Grade bounds of AirKorea: up to the first is 1 (good), then 2, 3, else 4.
_GRADES = {
    "pm10": (30, 80, 150),
    "pm25": (15, 35, 75),
    "o3": (0.03, 0.09, 0.15),
    "no2": (0.03, 0.06, 0.2),
    "co": (2, 9, 15),
    "so2": (0.02, 0.05, 0.15),
    "khai": (50, 100, 250),
}
_FLAGS = ("점검및교정", "장비점검", "자료이상", "통신장애")
_LOST = 0.02


@dataclass(frozen=True, slots=True)
class Air:
    """One station-hour: values by pollutant, None where the instrument was out, with the reason in `flags`."""

    values: dict[str, float | None]
    flags: dict[str, str]


@table("air_stations")
def build_air_stations(world: World) -> list[Row]:
    """One or two a district: name (unique), code (6 digits), network, address, degrees, TM and UTM-K metres."""
    rows: list[Row] = []
    taken: set[str] = set()
    for district in world.table("districts"):
        rng = world.rng("air_stations", district["code5"])
        dongs = world.find("dongs", "code5", district["code5"])
        for order, dong in enumerate(rng.sample(dongs, 1 if rng.random() < 0.45 else 2)):
            # In Seoul a station carries the name of its district; elsewhere that of the dong.
            name = str(district["name"]) if district["code2"] == "11" and order == 0 else str(dong["dong"])
            if name in taken:
                name = f"{district['sido_short']}{stem(str(dong['dong']))}{order + 1}"
            taken.add(name)
            place = site(world, dong["code10"], rng)
            lon, lat = number(place, "lon"), number(place, "lat")
            tm_x, tm_y = tm_middle(lon, lat)
            utm_x, utm_y = utm_k(lon, lat)
            rows.append(
                {
                    "name": name,
                    "code": f"{district['code2']}{1000 + len(rows)}",
                    "network": "도시대기" if order == 0 else rng.choice(("도시대기", "도로변대기")),
                    "address": place["short_lot_address"],
                    "sido_short": district["sido_short"],
                    "code5": district["code5"],
                    "year": str(rng.randrange(1991, 2022)),
                    "item": "SO2, CO, O3, NO2, PM10, PM2.5",
                    "lon": lon,
                    "lat": lat,
                    "tm_x": tm_x,
                    "tm_y": tm_y,
                    "utm_x": utm_x,
                    "utm_y": utm_y,
                    "nx": place["nx"],
                    "ny": place["ny"],
                }
            )
    return rows


def reading(world: World, station: Row, hour: datetime) -> Air:
    """What a station measured in the hour that ends at `hour`; still, dry air is dirtier."""
    name = station["name"]
    weather = weather_at(world.seed, int(number(station, "nx")), int(number(station, "ny")), hour)
    day = hour.toordinal()
    national = noise(world.seed, "haze", day) ** 2
    local = 0.75 + 0.5 * noise(world.seed, "air", name) + 0.2 * noise(world.seed, "air", name, day, hour.hour)
    clean = 0.55 if weather.kind else 1.15 - min(0.5, weather.wind / 12)
    fine = (9 + 26 * national) * local * clean
    sun = max(0.0, 1 - abs(hour.hour - 15) / 9)
    values: dict[str, float | None] = {
        "pm10": float(round(fine * 1.75 + 6)),
        "pm25": float(round(fine)),
        "o3": round(0.012 + 0.062 * sun * (1.3 if weather.sky == 1 else 0.7), 3),
        "no2": round(0.008 + 0.022 * local * (1.2 - sun), 3),
        "co": round(0.2 + 0.4 * local * (1.1 - sun), 1),
        "so2": round(0.002 + 0.002 * noise(world.seed, "so2", name, day), 3),
    }
    flags: dict[str, str] = {}
    for pollutant in values:
        draw = noise(world.seed, "lost", name, day, hour.hour // 3, pollutant)
        if draw < _LOST:
            values[pollutant] = None
            flags[pollutant] = _FLAGS[int(draw / _LOST * len(_FLAGS))]
    return Air(values, flags)


def grade(pollutant: str, value: float | None) -> str | None:
    """1 to 4 by the public bounds; None for a missing value."""
    if value is None:
        return None
    return str(1 + sum(value > bound for bound in _GRADES[pollutant]))


def overall(air: Air) -> int | None:
    """The combined index: the worst share of the bound between ordinary and bad, in per cent; None if unknown."""
    shares = [value / _GRADES[name][1] for name, value in air.values.items() if value is not None]
    if air.values["pm10"] is None or air.values["pm25"] is None or not shares:
        return None
    return max(10, round(100 * max(shares)))


def stamp(hour: datetime) -> str:
    """Midnight is written as 24:00 of the day before."""
    if hour.hour == 0:
        return f"{hour - timedelta(days=1):%Y-%m-%d} 24:00"
    return f"{hour:%Y-%m-%d %H}:00"
