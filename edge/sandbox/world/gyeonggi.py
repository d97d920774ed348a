"""Gyeonggi's cities and dongs in, its shops that take local money, strays, restaurants, events and jobs out."""

from datetime import timedelta

from edge.sandbox.world.lazy import LazyRows, mix
from edge.sandbox.world.store import Row, World, table

_SHOPS_A_CITY = 400
_TRADES = ("일반음식점", "편의점", "학원", "미용실", "의원", "약국", "정육점", "세탁소", "카페", "서점")
_WORDS = ("푸른", "행복한", "우리", "한마음", "정성", "새봄", "고운", "든든한", "햇살", "바른", "소담", "큰나무")
_DISHES = ("한우국밥", "매운탕", "메밀국수", "두부전골", "갈비", "칼국수", "쌈밥", "게장", "닭갈비", "보리밥")
_BREEDS = ("[개] 믹스견", "[개] 말티즈", "[개] 푸들", "[고양이] 한국 고양이", "[기타축종] 토끼")


@table("gyeonggi_cities")
def build_cities(world: World) -> list[Row]:
    """Cities and counties by name: SIGUN_NM, SIGUN_CD (5, the city's own) and its dongs."""
    cities: dict[str, Row] = {}
    for district in world.find("districts", "code2", "41"):
        name, _, part = str(district["name"]).partition(" ")
        code = f"{str(district['code5'])[:4]}0" if part else str(district["code5"])
        cities.setdefault(name, {"sigun": name, "sigun_code": code})
    return sorted(cities.values(), key=lambda row: str(row["sigun"]))


def _dongs(world: World, sigun: object) -> list[Row]:
    return [row for row in world.find("dongs", "code2", "41") if str(row["sigungu"]).split(" ")[0] == sigun]


def _spot(world: World, dong: Row, bits: int) -> Row:
    lon = float(str(dong["lon"])) + (bits % 97 - 48) / 9000
    lat = float(str(dong["lat"])) + (bits % 89 - 44) / 9000
    stem = str(dong["dong"]).rstrip("동읍면리")
    return {
        "dong": dong["dong"],
        "road_address": f"{dong['sido']} {dong['sigungu']} {stem}로 {bits % 300 + 1}",
        "lot_address": f"{dong['full_name']} {bits % 700 + 1}-{bits % 30 + 1}",
        "zip": f"{10_000 + (bits + world.seed) % 8_000:05d}",
        "lat": f"{lat:.8f}",
        "lon": f"{lon:.8f}",
    }


def local_money_shops(world: World, cities: list[Row]) -> LazyRows:
    """Shops that take local money, city by city, made as they are reached."""
    places = [_dongs(world, city["sigun"]) for city in cities]
    return LazyRows(len(cities) * _SHOPS_A_CITY, lambda n: _shop(world, cities, places, n))


def _shop(world: World, cities: list[Row], places: list[list[Row]], order: int) -> Row:
    city, number = divmod(order, _SHOPS_A_CITY)
    code = int(str(cities[city]["sigun_code"]))
    bits = mix(world.seed + code, number)
    dong = places[city][bits % len(places[city])]
    trade = _TRADES[bits // 7 % len(_TRADES)]
    name = f"{_WORDS[bits // 11 % len(_WORDS)]}{trade.removeprefix('일반')}{number % 40 + 1}"
    closed = "03" if bits % 50 == 0 else "01"
    return cities[city] | {"name": name, "trade": trade, "state": closed} | _spot(world, dong, bits)


@table("stray_animals")
def build_strays(world: World) -> list[Row]:
    """Stray animals in shelters, newest first."""
    rng = world.rng("stray_animals")
    rows: list[Row] = []
    for city in world.table("gyeonggi_cities"):
        dongs = _dongs(world, city["sigun"])
        for _ in range(rng.randrange(12, 70)):
            begins = world.today - timedelta(days=rng.randrange(1, 300))
            number = f"경기-{city['sigun']}-{begins:%Y}-{rng.randrange(100, 1999):05d}"
            dates: Row = {"begins": f"{begins:%Y%m%d}", "ends": f"{begins + timedelta(days=10):%Y%m%d}"}
            state = (
                "보호중"
                if (world.today - begins).days < 12
                else rng.choice(("종료(입양)", "종료(반환)", "종료(자연사)"))
            )
            own: Row = {
                "number": number,
                "breed": rng.choice(_BREEDS),
                "state": state,
                "shelter": f"{city['sigun']}동물보호센터",
            }
            rows.append(city | own | dates | _spot(world, rng.choice(dongs), rng.randrange(10**6)))
    return sorted(rows, key=lambda row: str(row["begins"]), reverse=True)


@table("good_restaurants")
def build_restaurants(world: World) -> list[Row]:
    """Restaurants that the province recommends: a few to a few dozen a city."""
    rng = world.rng("good_restaurants")
    rows: list[Row] = []
    for city in world.table("gyeonggi_cities"):
        dongs = _dongs(world, city["sigun"])
        for order in range(rng.randrange(3, 34)):
            dish = rng.choice(_DISHES)
            own: Row = {"name": f"{rng.choice(_WORDS)} {dish}{order + 1}", "dish": dish}
            rows.append(city | own | _spot(world, rng.choice(dongs), rng.randrange(10**6)))
    return rows


@table("gyeonggi_population")
def build_population(world: World) -> list[Row]:
    """Residents by dong and the city above it."""
    rows: list[Row] = []
    for dong in world.find("residents", "sido", "경기도"):
        region = f"{dong['sido']} {dong['sigungu']} {dong['dong']}"
        sigun = str(dong["sigungu"]).split(" ")[0]
        rows.append(
            {"kind": "읍면동", "code10": dong["code10"], "region": region, "sigun": sigun, "people": dong["people"]}
        )
    return rows


@table("gyeonggi_events")
def build_events(world: World) -> list[Row]:
    """Culture events: institution, title, category and days; no place of any sort, unlike the sister lists."""
    rng = world.rng("gyeonggi_events")
    cities = world.table("gyeonggi_cities")
    rows: list[Row] = []
    for order in range(1120):
        begins = world.today + timedelta(days=rng.randrange(-200, 90))
        host = f"{rng.choice(cities)['sigun']}문화재단"
        kind = rng.choice(("공연", "전시", "교육", "행사"))
        title = f"{rng.choice(_WORDS)} {kind} {order % 60 + 1}회"
        days: Row = {
            "begins": f"{begins:%Y%m%d}",
            "ends": f"{begins + timedelta(days=rng.choice((0, 0, 2, 20))):%Y%m%d}",
        }
        rows.append(
            {"host": host, "title": title, "kind": kind, "url": f"https://ggc.ggcf.kr/p/{order + 10001}"} | days
        )
    return rows


@table("gyeonggi_jobs")
def build_jobs(world: World) -> list[Row]:
    """Job offers of companies in the province."""
    rng = world.rng("gyeonggi_jobs")
    companies = [row for row in world.table("companies") if str(row["code5"]).startswith("41")]
    posts = ("생산직 사원", "사무보조", "연구원", "영업 사원", "물류 관리", "품질 관리", "웹 개발자", "회계 담당")
    rows: list[Row] = []
    for order in range(860):
        company = rng.choice(companies)
        pay = (
            f"시급 {rng.randrange(10_320, 18_000):,}원"
            if rng.random() < 0.4
            else f"연봉 {rng.randrange(2600, 5200):,}만원"
        )
        head: Row = {
            "serial": str(70_001 + order),
            "title": f"{rng.choice(posts)} 모집",
            "company": company["formal_name"],
        }
        rows.append(head | {"where": company["address"], "pay": pay})
    return rows
