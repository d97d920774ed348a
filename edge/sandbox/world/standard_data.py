"""Libraries, festivals and districts in, the lists that local governments file as standard data sets out."""

from edge.sandbox.world.buildings import site
from edge.sandbox.world.health import phone
from edge.sandbox.world.regions import read_csv
from edge.sandbox.world.store import Row, World, table

_TYPES = ("노상", "노외", "부설")


def _offices(world: World) -> dict[str, Row]:
    """Who files the rows of a district, under the seven digits of local governments."""
    codes = {str(row["code5"]): row["office"] for row in read_csv("license_offices.csv")}
    return {
        str(row["code5"]): {"office": codes.get(str(row["code5"]), ""), "office_name": row["full_name"]}
        for row in world.table("districts")
    }


@table("public_libraries")
def build_public_libraries(world: World) -> list[Row]:
    """The libraries of the book services with what their district files: kind, hours, seats, books."""
    rows: list[Row] = []
    offices = _offices(world)
    for library in world.table("libraries"):
        district = world.find("districts", "code5", library["code5"])[0]
        rng = world.rng("public_libraries", library["code"])
        rows.append(
            library
            | offices[str(district["code5"])]
            | {
                "sido": district["sido"],
                "sigungu": district["name"] or "세종특별자치시",
                "kind": rng.choice(("공공도서관", "공공도서관", "작은도서관", "어린이도서관")),
                "closed": rng.choice(("월요일", "매주 금요일", "매월 둘째 화요일")),
                "opens": "09:00",
                "closes": rng.choice(("18:00", "22:00")),
                "seats": str(rng.randrange(30, 900)),
                "books": str(rng.randrange(8_000, 260_000)),
                "road_address": str(library["address"]).split(" (")[0],
                "phone": phone(rng, district["code2"]),
                "filed": f"{world.today.year - 1}-{rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}",
            }
        )
    return rows


@table("registered_parking")
def build_registered_parking(world: World) -> list[Row]:
    """A few car parks of every district: number, owner, type, spaces, fee of the first half hour."""
    rows: list[Row] = []
    offices = _offices(world)
    for district in world.table("districts"):
        rng = world.rng("registered_parking", district["code5"])
        dongs = world.find("dongs", "code5", district["code5"])
        for order in range(rng.randint(8, 20)):
            dong = rng.choice(dongs)
            spot = site(world, dong["code10"], rng)
            free = rng.random() < 0.3
            public = rng.random() < 0.75
            rows.append(
                spot
                | offices[str(district["code5"])]
                | {
                    "number": f"{district['code5']}-{1 if public else 2}-{order + 1:06d}",
                    "name": f"{dong['dong']} {'공영' if public else '민영'}주차장 {order + 1}",
                    "owner": "공영" if public else "민영",
                    "kind": rng.choice(_TYPES),
                    "spaces": str(rng.randrange(8, 400)),
                    "days": "평일+토요일+공휴일",
                    "paid": "무료" if free else "유료",
                    "minutes": "0" if free else "30",
                    "fee": "0" if free else str(rng.randrange(3, 20) * 100),
                    "phone": phone(rng, district["code2"]),
                    "filed": f"{world.today.year - 1}-{rng.randrange(1, 13):02d}-{rng.randrange(1, 29):02d}",
                }
            )
    return rows


@table("filed_festivals")
def build_filed_festivals(world: World) -> list[Row]:
    """The festivals of the tourism service as their governments file them, under the same names and days."""
    rows: list[Row] = []
    offices = _offices(world)
    for festival in world.find("attractions", "type", "15"):
        rng = world.rng("filed_festivals", festival["content_id"])
        rows.append(
            festival
            | offices[str(festival["code5"])]
            | {
                "about": "공연, 체험, 먹거리 장터",
                "filed": f"{world.today.year}-{rng.randrange(1, 5):02d}-{rng.randrange(1, 29):02d}",
            }
        )
    return rows
