"""Warnings, offices and the weather itself in, coded warnings, bulletins, news and impact levels of KMA out."""

import random
from datetime import date, datetime, timedelta
from typing import cast

from edge.sandbox.world.coordinates import kma_grid
from edge.sandbox.world.reading import mapping, read_yaml
from edge.sandbox.world.regions import number
from edge.sandbox.world.store import KST, Row, World, table
from edge.sandbox.world.weather import extremes

_KINDS = {
    "강풍": 1,
    "호우": 2,
    "한파": 3,
    "건조": 4,
    "폭풍해일": 5,
    "풍랑": 6,
    "태풍": 7,
    "대설": 8,
    "황사": 9,
    "폭염": 12,
}
_COMMANDS = {"발표": 1, "해제": 3, "변경": 6}
_HOURS, _HOURS_TODAY = ("0410", "1110", "1630"), ("0410", "0500", "0720")
_STAMP = "%Y%m%d%H%M"
_DAYS = 10
# Bulletin kinds: name in the title, days between two of them at most.
_NOTICES = {"info": ("정보", 1), "news": ("속보", 2), "preliminary": ("예비특보", 3)}
# Felt degrees from which a level holds, highest first; a sector shifts them a little.
_HEAT = ((36.0, "위험"), (33.5, "경고"), (31.0, "주의"), (27.5, "관심"))
_COLD = ((-18.0, "위험"), (-15.0, "경고"), (-12.0, "주의"), (-7.0, "관심"))
_FELT_EXTRA = 2.0


@table("warning_zones")
def build_warning_zones(world: World) -> list[Row]:
    """Land zones L1..., one a weather station, and sea zones S1...: neither is a zone of the forecasts."""
    offices = {row["code2"]: (order, row["kma_office"]) for order, row in enumerate(world.table("provinces"), start=1)}
    counts: dict[object, int] = {}
    rows: list[Row] = []
    for station in world.table("weather_stations"):
        order, office = offices[station["code2"]]
        counts[office, order] = counts.get((office, order), 0) + 1
        nx, ny = kma_grid(number(station, "lon"), number(station, "lat"))
        code = f"L1{order:02d}{counts[office, order]:02d}00"
        rows.append({"zone": code, "name": station["name"], "office": office, "nx": nx, "ny": ny, "sea": False})
    for order, (name, office) in enumerate(
        (("서해중부앞바다", "109"), ("남해동부앞바다", "159"), ("동해중부앞바다", "105"))
    ):
        rows.append({"zone": f"S1{order + 1}22100", "name": name, "office": office, "nx": 1, "ny": 1, "sea": True})
    return rows


@table("warning_codes")
def build_warning_codes(world: World) -> list[Row]:
    """One row a warning bulletin and zone it names: kind, strength and command as codes."""
    zones = world.index("warning_zones", "office")
    rows: list[Row] = []
    for warning in world.table("weather_warnings"):
        word, verb = str(warning["t1"]).split(" ")
        name = word.removesuffix("주의보").removesuffix("경보")
        choice = [zone for zone in zones.get(str(warning["stn_id"]), []) if zone["sea"] == (name == "풍랑")]
        rng = world.rng("warning_codes", warning["stn_id"], warning["tm_fc"])
        issued = datetime.strptime(str(warning["tm_fc"]), _STAMP).replace(tzinfo=KST)
        starts = issued + timedelta(hours=rng.randrange(1, 9))
        for zone in rng.sample(choice, min(len(choice), rng.randrange(1, 4))):
            rows.append(
                warning
                | {
                    "zone": zone["zone"],
                    "zone_name": zone["name"],
                    "kind": _KINDS[name],
                    "strength": 0 if word.endswith("주의보") else 1,
                    "command": _COMMANDS[verb],
                    "starts": int(f"{starts:{_STAMP}}") if verb != "해제" else 0,
                    "ends": int(f"{issued:{_STAMP}}") if verb == "해제" else 0,
                }
            )
    return rows


@table("weather_notices")
def build_weather_notices(world: World) -> list[Row]:
    """Bulletins, news and preliminary warnings of each office in the last ten days, newest first."""
    rows: list[Row] = []
    offices = sorted({str(row["kma_office"]) for row in world.table("provinces")}, key=int)
    for office in ("108", *offices):
        for kind, (word, gap) in _NOTICES.items():
            rng = world.rng("weather_notices", office, kind)
            rows += _office_notices(world, rng, office, (kind, word, gap))
    return sorted(rows, key=lambda row: (str(row["tm_fc"]), str(row["stn_id"])), reverse=True)


def _office_notices(world: World, rng: random.Random, office: str, kind: tuple[str, str, int]) -> list[Row]:
    rows: list[Row] = []
    sequence, back = rng.randrange(5, 30), _DAYS
    while back >= 0:
        day = world.today - timedelta(days=back)
        back -= rng.randrange(1, kind[2] + 1)
        sequence += 1
        # What comes out today is out before the standing clock.
        stamp = f"{day:%Y%m%d}{rng.choice(_HOURS_TODAY if day == world.today else _HOURS)}"
        number_ = f"제{day.month:02d}-{sequence}호"
        subject = rng.choice(("비", "강풍", "높은 기온", "안개", "건조한 공기"))
        rows.append(
            {
                "kind": kind[0],
                "stn_id": office,
                "tm_fc": int(stamp),
                "day": stamp[:8],
                "tm_seq": sequence,
                "title": f"[{kind[1]}] {number_} : {stamp[:4]}.{stamp[4:6]}.{stamp[6:8]}.{stamp[8:10]}:{stamp[10:]}",
                "text": f"{number_} {kind[1]}\n\no {subject}에 대비하시기 바랍니다.\no 최신 기상특보를 참고하십시오.",
                "count": rng.randrange(1, 5),
                "rem": "없음",
            }
        )
    return rows


@table("warning_status")
def build_warning_status(world: World) -> list[Row]:
    """One row: what the newest bulletin says is in force everywhere."""
    newest = world.table("weather_warnings")[0]
    lines = [str(row["t4"]) for row in world.table("weather_warnings")[:4]]
    stamp = int(str(newest["tm_fc"]))
    row: Row = {"tm_fc": stamp, "tm_ef": stamp, "tm_seq": newest["tm_seq"]}
    return [row | {"t6": "\n".join(lines), "t7": "o 없음", "other": "o 없음"}]


def sectors(season: str) -> list[tuple[str, str]]:
    """(name, advice) of the sectors of `heat` or `cold`, in the order of their codes from 1."""
    pairs = cast("list[list[str]]", read_yaml("impact.yaml")[season])
    return [(name, advice) for name, advice in pairs]


def impact_level(world: World, season: str, zone: Row, day: date, sector: int) -> str:
    """The level of one sector in a zone on a day; "" below the lowest."""
    low, high = extremes(world.seed, int(number(zone, "nx")), int(number(zone, "ny")), day)
    shift = sector % 3 * 0.4
    if season == "heat":
        return next((level for limit, level in _HEAT if high + _FELT_EXTRA - shift >= limit), "")
    return next((level for limit, level in _COLD if low - _FELT_EXTRA + shift <= limit), "")


@table("impact_advice")
def build_impact_advice(_world: World) -> list[Row]:
    """What to do by season, sector (code and name) and level."""
    rows: list[Row] = []
    for season, letter in (("heat", "H"), ("cold", "C")):
        for code, (name, advice) in enumerate(sectors(season), start=1):
            for order, (level, more) in enumerate(mapping(read_yaml("impact.yaml")["levels"]).items(), start=1):
                row: Row = {"season": season, "code": str(code), "name": name, "level": level}
                row |= {"number": f"{letter}{code}{order:02d}", "short": f"{advice}.", "long": f"{advice}. {more}"}
                rows.append(row)
    return rows
