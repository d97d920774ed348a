"""Every named thing of the world in, one list of places for the map search out."""

from edge.sandbox.world.buildings import site
from edge.sandbox.world.regions import number
from edge.sandbox.world.store import Row, World, table

# Kakao category groups by what the place is.
_ATTRACTION_GROUPS = {"12": "AT4", "14": "CT1", "15": "", "28": "", "32": "AD5", "38": "MT1", "39": "FD6"}
_GROUP_NAMES = {
    "HP8": "병원", "PM9": "약국", "SC4": "학교", "SW8": "지하철역", "AT4": "관광명소", "CT1": "문화시설", "AD5": "숙박",
    "MT1": "대형마트", "FD6": "음식점", "PO3": "공공기관", "": "",
}  # fmt: skip


def _place(group: str, category: str, name: object, address: object, road: object, spot: Row, phone: object) -> Row:
    lon, lat = round(number(spot, "lon"), 9), round(number(spot, "lat"), 9)
    return {
        "group": group,
        "group_name": _GROUP_NAMES[group],
        "category": category,
        "name": name,
        "address": address,
        "road_address": road,
        "phone": phone,
        "lon": lon,
        "lat": lat,
        "x": str(lon),
        "y": str(lat),
    }


def _district_places(world: World) -> list[Row]:
    """One office a district, as 강남구청."""
    rows: list[Row] = []
    for district in world.table("districts"):
        dong = world.find("dongs", "code5", district["code5"])[0]
        spot = site(world, dong["code10"], world.rng("district_office", district["code5"]))
        name = f"{str(district['name'] or '세종시').split(' ')[-1]}청"
        category = "사회,공공기관 > 행정기관 > 구청"
        rows.append(_place("PO3", category, name, spot["lot_address"], spot["road_address"], spot, ""))
    return rows


def _subway_places(world: World) -> list[Row]:
    """Seoul stations stand at a spot of their district that only the name decides, so that lines share it."""
    offices = {row["name"]: row for row in world.table("districts") if row["code2"] == "11"}
    rows: list[Row] = []
    for station in world.table("subway_stations"):
        district = offices.get(station["gu"]) or next(iter(offices.values()))
        rng = world.rng("subway_place", station["base_name"])
        dong = rng.choice(world.find("dongs", "code5", district["code5"]))
        spot = site(world, dong["code10"], rng)
        name = f"{str(station['base_name']).removesuffix('역')}역 {station['line_label']}"
        category = f"교통,수송 > 지하철,전철 > 수도권{station['line_label']}"
        rows.append(_place("SW8", category, name, spot["lot_address"], spot["road_address"], spot, ""))
    return rows


def _school_places(world: World) -> list[Row]:
    """Schools carry an address text only; the spot is one of their district."""
    rows: list[Row] = []
    for school in world.table("schools"):
        address = str(school.get("address", ""))
        words = address.split(" ")
        # Districts of a city are named in three words, others in two, and one city has none at all.
        names = (" ".join(words[:count]) for count in (3, 2, 1))
        district = next((found[0] for name in names if (found := world.find("districts", "full_name", name))), None)
        if district is None:
            continue
        rng = world.rng("school_place", school["code"])
        dong = rng.choice(world.find("dongs", "code5", district["code5"]))
        spot = site(world, dong["code10"], rng)
        category = f"교육,학문 > 학교 > {school['kind']}"
        rows.append(_place("SC4", category, school["name"], spot["lot_address"], address, spot, ""))
    return rows


@table("places")
def build_places(world: World) -> list[Row]:
    """id, name, category group, addresses and degrees (x, y as text) of offices, stations, clinics, schools, sights."""
    rows = _district_places(world) + _subway_places(world) + _school_places(world)
    for hospital in world.table("hospitals"):
        category = f"의료,건강 > 병원 > {hospital['cl_name']}"
        where = (hospital["lot_address"], str(hospital["full_address"]).split(" (")[0])
        rows.append(_place("HP8", category, hospital["name"], *where, hospital, hospital["phone"]))
    for pharmacy in world.table("pharmacies"):
        where = (pharmacy["lot_address"], str(pharmacy["full_address"]).split(" (")[0])
        rows.append(_place("PM9", "의료,건강 > 약국", pharmacy["name"], *where, pharmacy, pharmacy["phone"]))
    for sight in world.table("attractions"):
        if sight["type"] != "15":
            group = _ATTRACTION_GROUPS[str(sight["type"])]
            category = f"여행 > {_GROUP_NAMES[group] or '레저'}"
            where = (sight["address"], sight["address"])
            rows.append(_place(group, category, sight["title"], *where, sight, sight["phone"]))
    for home in world.table("apartments"):
        category = "부동산 > 주거시설 > 아파트"
        rows.append(_place("", category, f"{home['name']}아파트", home["lot_address"], home["road_address"], home, ""))
    for order, row in enumerate(rows):
        row["id"] = str(8_000_000 + order * 37)
        row["url"] = f"http://place.map.kakao.com/{row['id']}"
        row["search"] = f"{row['name']} {row['address']} {row['road_address']}"
    return rows
