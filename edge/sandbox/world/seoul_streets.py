"""Seoul's dongs and stations in, public bicycles, hourly population, bookings, trains on the line and deals out."""

from datetime import date, timedelta

from edge.sandbox.world.lazy import mix
from edge.sandbox.world.store import Row, World, part, table

_BIKE_STATIONS = 3230
# Hourly population comes out five days later.
_POPULATION_LAG = 5
_POPULATION_START = date(2017, 1, 1)


@table("bike_stations")
def build_bike_stations(world: World) -> list[Row]:
    """Rental stations by number: ID (ST-n), number with and without zeros, name, racks, bicycles now, degrees."""
    rng = world.rng("bike_stations")
    dongs = world.find("dongs", "code2", "11")
    ids = rng.sample(range(3, 4400), _BIKE_STATIONS)
    spots = ("역 1번출구 앞", "주민센터 앞", "공원 입구", "사거리", "초등학교 앞", "시장 앞", "도서관", "아파트 후문")
    rows: list[Row] = []
    for order, identifier in enumerate(ids):
        dong = dongs[order * 7 % len(dongs)]
        number = 102 + order
        racks = rng.randrange(6, 31)
        bikes = min(45, int(racks * rng.uniform(0, 1.6)))
        rows.append(
            {
                "id": f"ST-{identifier}",
                "number": f"{number:05d}",
                "name": f"{dong['dong']} {rng.choice(spots)}",
                "title": f"{number}. {dong['dong']} {rng.choice(spots)}",
                "gu": dong["sigungu"],
                "racks": str(racks),
                "bikes": str(bikes),
                "shared": str(100 * bikes // racks),
                "address": f"{dong['full_name']} {rng.randrange(1, 900)}",
                "lat": f"{float(str(dong['lat'])) + rng.uniform(-0.006, 0.006):.8f}",
                "lon": f"{float(str(dong['lon'])) + rng.uniform(-0.006, 0.006):.8f}",
                "open": rng.random() < 0.86,
            }
        )
    for row in rows:
        # One name in both lists.
        row["name"] = str(row["title"]).partition(". ")[2]
    return rows


@table("open_bike_stations")
def build_open_bike_stations(world: World) -> list[Row]:
    """Stations that rent today."""
    return [row for row in world.table("bike_stations") if row["open"]]


@part("hourly_population")
def build_population(world: World, ymd: str) -> list[Row]:
    """People present by administrative dong (8) and hour of a published day."""
    try:
        day = date(int(ymd[:4]), int(ymd[4:6]), int(ymd[6:])) if len(ymd) == 8 else None
    except ValueError:
        day = None
    if day is None or not _POPULATION_START <= day <= world.today - timedelta(days=_POPULATION_LAG):
        return []
    rows: list[Row] = []
    for dong in world.find("residents", "sido", "서울특별시"):
        code, base = str(dong["admin_code"])[:8], float(str(dong["people"]))
        for hour in range(24):
            noise = mix(world.seed + int(ymd), int(code) + hour) % 10_000 / 50_000
            share = 1 + 0.25 * (1 - abs(hour - 14) / 14) * (mix(3, int(code)) % 100 / 50 - 1) + noise
            rows.append({"day": ymd, "hour": f"{hour:02d}", "code": code, "people": f"{base * share:.4f}"})
    return rows


@table("public_bookings")
def build_bookings(world: World) -> list[Row]:
    """Programmes that can be booked: service ID, name, district, state, dates, degrees."""
    rows: list[Row] = []
    for order, event in enumerate(world.table("cultural_events")[:480]):
        start = date.fromisoformat(str(event["from_day"]))
        opens, closes = start - timedelta(days=30), start - timedelta(days=1)
        state = "접수종료" if closes < world.today else "예약마감" if order % 9 == 0 else "접수중"
        rows.append(
            {
                "id": f"S{220_101_100_000_000 + order * 9_173_311}",
                "name": f"{event['title']} 참여 예약",
                "kind": ("교육체험", "전시/관람", "축제", "공연")[order % 4],
                "gu": event["gu"],
                "state": state if opens <= world.today else "안내중",
                "opens": f"{opens} 10:00:00.0",
                "closes": f"{closes} 18:00:00.0",
                "pay": event["free"],
                "place": event["place"],
                "lon": event["lon"],
                "lat": event["lat"],
            }
        )
    return rows


@part("train_positions")
def build_positions(world: World, line: str) -> list[Row]:
    """Trains on a line (2호선, not 02호선) at this moment: one on about every third stretch, both ways."""
    stations = world.find("subway_stations", "line_label", line)
    rng = world.rng("train positions", line)
    rows: list[Row] = []
    for station in stations:
        for way, end in (("0", stations[0]), ("1", stations[-1])):
            if rng.random() < 0.33:
                train = f"{station['line_no']}{rng.randrange(100, 999)}"
                state: Row = {"train": train, "way": way, "terminal": end["base_name"], "state": rng.choice("012")}
                last: Row = {"express": "0", "last": "0", "moment": f"{world.now:%Y-%m-%d %H:%M:%S}"}
                rows.append(station | state | last)
    return rows


@part("seoul_deals")
def build_deals(world: World, year: str, gu_code: str) -> list[Row]:
    """Apartment deals of one district received in a year, newest first; the dong code comes without its district."""
    districts = world.find("districts", "code5", gu_code)
    if not districts:
        return []
    codes = {str(dong["dong"]): str(dong["code10"])[5:] for dong in world.find("dongs", "code5", gu_code)}
    rows: list[Row] = []
    for month in range(12, 0, -1):
        for deal in world.part("apt_trades", gu_code, f"{year}{month:02d}"):
            day = f"{year}{month:02d}{int(str(deal['deal_day'])):02d}"
            own: Row = {"year": year, "gu_code": gu_code, "gu": districts[0]["name"], "day": day}
            amount = str(deal["amount"]).replace(",", "")
            rows.append(deal | own | {"dong_code": codes[str(deal["dong"])], "amount": amount})
    return rows
