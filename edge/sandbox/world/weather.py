"""A grid cell and an hour in, the weather there out: one smooth function that every KMA service reads."""

import math
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from hashlib import blake2b

from edge.sandbox.world.store import Row, World, table

# Mean temperature of Seoul by month, and half the daily swing; the climate is this coarse on purpose.
_MONTH_MEAN = (-2.0, 0.6, 6.2, 12.7, 18.3, 22.9, 25.6, 26.2, 21.6, 15.0, 7.6, 0.4)
_SWING = 4.6
# Weather systems are this many cells across (5 km each).
_SYSTEM_CELLS = 16


@dataclass(frozen=True, slots=True)
class Weather:
    """One cell, one hour: degrees C, %, m/s, KMA sky (1, 3, 4) and precipitation (0, 1, 2, 3, 4) codes, mm."""

    temperature: float
    humidity: int
    wind: float
    direction: int
    sky: int
    kind: int
    rain: float
    chance: int
    lightning: bool


def noise(seed: int, *scope: object) -> float:
    """A repeatable number in [0, 1) for any scope; far cheaper than a generator of its own."""
    digest = blake2b(":".join(map(str, (seed, *scope))).encode(), digest_size=6).digest()
    return int.from_bytes(digest) / 2**48


@lru_cache(maxsize=4096)
def _system(seed: int, block_x: int, block_y: int, day: int) -> tuple[float, float, float]:
    """(temperature offset, wetness 0..1, wind factor) of one day and region; neighbours share a national part."""
    shared = noise(seed, "day", day)
    own = noise(seed, "block", block_x, block_y, day)
    wet = 0.55 * shared + 0.45 * own
    return (noise(seed, "warm", day) - 0.5) * 7 + (own - 0.5) * 2, wet, 0.6 + noise(seed, "wind", day, block_x)


@lru_cache(maxsize=65536)
def weather_at(seed: int, nx: int, ny: int, hour: datetime) -> Weather:
    """The weather of a cell in the hour that begins at `hour` (naive or Korean time alike)."""
    day = hour.date().toordinal()
    offset, wet, wind_factor = _system(seed, nx // _SYSTEM_CELLS, ny // _SYSTEM_CELLS, day)
    # Warmer to the south (low ny); the hour of the maximum is 15.
    mean = _MONTH_MEAN[hour.month - 1] + (127 - ny) * 0.045 + offset
    swing = _SWING * (1.1 - 0.6 * wet) * math.cos((hour.hour - 15) / 24 * 2 * math.pi)
    local = (noise(seed, "cell", nx, ny) - 0.5) * 1.6
    temperature = round(mean + swing + local, 1)
    gust = noise(seed, "hour", nx // 4, ny // 4, day, hour.hour)
    raining = wet > 0.62 and gust < (wet - 0.5) * 1.9
    kind = 0 if not raining else 3 if temperature < 0 else 2 if temperature < 1.5 else 4 if gust < 0.05 else 1
    rain = round((wet - 0.55) * 22 * (0.3 + gust), 1) if raining else 0.0
    chance = min(90, max(0, round((wet - 0.3) * 150 / 10) * 10)) if not raining else max(60, round(wet * 10) * 10)
    return Weather(
        temperature=temperature,
        humidity=min(98, max(20, round(45 + 45 * wet - 1.6 * swing))),
        wind=round(wind_factor * (1.2 + 2.6 * gust), 1),
        direction=round(noise(seed, "dir", day, nx // 8, ny // 8) * 360 + 20 * gust) % 360,
        sky=4 if raining or wet > 0.6 else 3 if wet > 0.45 else 1,
        kind=kind,
        rain=rain,
        chance=chance,
        lightning=raining and gust < 0.03,
    )


def day_hours(day: date) -> list[datetime]:
    """The 24 hours of a day."""
    start = datetime(day.year, day.month, day.day)
    return [start + timedelta(hours=hour) for hour in range(24)]


def extremes(seed: int, nx: int, ny: int, day: date) -> tuple[float, float]:
    """(minimum, maximum) of the hourly temperatures of a day."""
    values = [weather_at(seed, nx, ny, hour).temperature for hour in day_hours(day)]
    return min(values), max(values)


@table("weather_warnings")
def build_weather_warnings(world: World) -> list[Row]:
    """Warning bulletins of the last ten days: stn_id of the issuing office, tm_fc (12 digits), tm_seq, texts."""
    kinds = ("호우주의보", "강풍주의보", "풍랑주의보", "폭염주의보", "건조주의보")
    rows: list[Row] = []
    for office in sorted({str(row["kma_office"]) for row in world.table("provinces")}, key=int):
        provinces = "·".join(str(row["name"]) for row in world.table("provinces") if row["kma_office"] == office)
        rng = world.rng("warnings", office)
        sequence = rng.randrange(20, 60)
        for back in range(10, -1, -1):
            day = world.today - timedelta(days=back)
            for hour in sorted(rng.sample(range(10 if back == 0 else 24), rng.choice((0, 1, 1, 2)))):
                sequence += 1
                kind, verb = rng.choice(kinds), rng.choice(("발표", "해제", "변경"))
                stamp = f"{day:%Y%m%d}{hour:02d}{rng.choice((0, 10, 30)):02d}"
                rows.append(
                    {
                        "stn_id": office,
                        "tm_fc": stamp,
                        "day": stamp[:8],
                        "tm_seq": sequence,
                        "title": f"[특보] 제{day.month:02d}-{sequence}호 : {stamp[:4]}.{stamp[4:6]}.{stamp[6:8]}."
                        f"{stamp[8:10]}:{stamp[10:]} / {kind} {verb}(*)",
                        "t1": f"{kind} {verb}",
                        "t2": f"{provinces} 일부",
                        "t3": f"{stamp[4:6]}월 {stamp[6:8]}일 {hour + 1:02d}시 00분",
                        "t4": f"o {provinces} 일부 지역에 {kind}를 {verb}합니다.",
                        "t5": f"{stamp[:4]}년 {stamp[4:6]}월 {stamp[6:8]}일 {stamp[8:10]}시 {stamp[10:]}분",
                        "t6": f"o {kind} : {provinces} 일부" if verb != "해제" else "o 없음",
                        "t7": "o 없음",
                        "other": "o 없음",
                    }
                )
    return sorted(rows, key=lambda row: (str(row["tm_fc"]), str(row["stn_id"])), reverse=True)
