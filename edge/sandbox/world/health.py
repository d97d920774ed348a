"""Buildings in, hospitals and pharmacies out, each under two identities that share no key (HIRA and NEMC)."""

import base64
import random

from edge.sandbox.world.buildings import site, stem
from edge.sandbox.world.reading import read_yaml
from edge.sandbox.world.store import Row, World, table

# HIRA class: code, name, name ending, NEMC division and name, departments from-to, doctors from-to.
_Class = tuple[str, str, str, str, str, int, int, int, int]
_CLASSES: dict[str, _Class] = {
    "01": ("1", "상급종합", "대학교병원", "A", "종합병원", 22, 27, 300, 1400),
    "11": ("11", "종합병원", "종합병원", "A", "종합병원", 11, 18, 40, 180),
    "21": ("21", "병원", "병원", "B", "병원", 4, 8, 6, 30),
    "28": ("28", "요양병원", "요양병원", "D", "요양병원", 2, 4, 3, 9),
    "31": ("31", "의원", "의원", "C", "의원", 1, 3, 1, 4),
    "51": ("51", "치과의원", "치과의원", "N", "치과의원", 1, 2, 1, 3),
    "93": ("93", "한의원", "한의원", "G", "한의원", 1, 2, 1, 2),
    "71": ("71", "보건소", "보건소", "R", "보건소", 2, 4, 2, 6),
}
_WORDS = str(read_yaml("health.yaml")["hospitals"]).split()
_PHARMACY_WORDS = str(read_yaml("health.yaml")["pharmacies"]).split()
# HIRA department codes.
DEPARTMENTS = {
    "01": "내과", "02": "신경과", "03": "정신건강의학과", "04": "외과", "05": "정형외과", "06": "신경외과",
    "07": "심장혈관흉부외과", "08": "성형외과", "09": "마취통증의학과", "10": "산부인과", "11": "소아청소년과",
    "12": "안과", "13": "이비인후과", "14": "피부과", "15": "비뇨의학과", "16": "영상의학과", "17": "방사선종양학과",
    "18": "병리과", "19": "진단검사의학과", "21": "재활의학과", "22": "핵의학과", "23": "가정의학과",
    "24": "응급의학과", "25": "직업환경의학과", "26": "예방의학과", "49": "치과", "50": "구강악안면외과",
}  # fmt: skip
_EQUIPMENT = ("hvctayn", "hvmriayn", "hvangioayn", "hvventiayn", "hvincuayn", "hvcrrtayn", "hvecmoayn", "hvamyn")
_CLINIC = ("01", "05", "10", "11", "12", "13", "14", "15", "23", "21")
_DENTAL, _ORIENTAL = {"49": "치과", "50": "구강악안면외과"}, {"80": "한방내과", "85": "침구과"}


def ykiho(rng: random.Random) -> str:
    """HIRA's opaque institution key: long, base64, useless anywhere else."""
    return base64.b64encode(f"$4810{rng.randrange(10**5)}#5{rng.randrange(10**9):09d}$1#$2".encode()).decode()


def phone(rng: random.Random, code2: object) -> str:
    """A switchboard number of an institution; 000 exchanges are not assigned to anyone."""
    area = {"11": "02", "26": "051", "27": "053", "28": "032", "29": "062", "30": "042", "31": "052", "41": "031"}
    return f"{area.get(str(code2), '063')}-000-{rng.randrange(1000, 9999)}"


def _kinds(rng: random.Random, order: int, code2: str) -> list[str]:
    """What one district has: one general hospital in most, a university hospital in a few, many clinics."""
    kinds = ["31"] * rng.randrange(3, 9) + ["51"] * rng.randrange(1, 4) + ["93"] * rng.randrange(1, 3) + ["71"]
    kinds += ["21"] * rng.randrange(0, 3) + ["28"] * rng.randrange(0, 2)
    # The capital has an emergency room in every district, the country has gaps.
    if code2 == "11" or rng.random() < 0.75:
        kinds += ["11"] * rng.choice((1, 1, 2, 3 if code2 == "11" else 1))
    if order % (5 if code2 == "11" else 14) == 0:
        kinds.append("01")
    return kinds


@table("hospitals")
def build_hospitals(world: World) -> list[Row]:
    """ykiho (HIRA) and hpid A....... (NEMC), name, class, address, degrees, hours, departments as joined codes."""
    rows: list[Row] = []
    for order, district in enumerate(world.table("districts")):
        rng = world.rng("hospitals", district["code5"])
        dongs = world.find("dongs", "code5", district["code5"])
        for kind in _kinds(rng, order, str(district["code2"])):
            rows.append(_hospital(world, rng, kind, district, rng.choice(dongs), len(rows)))
    return rows


def _hospital(world: World, rng: random.Random, kind: str, district: Row, dong: Row, count: int) -> Row:
    code, class_name, ending, division, division_name, low, high, few, many = _CLASSES[kind]
    place = site(world, dong["code10"], rng)
    head = str(district["name"] or district["sido_short"]).split(" ")[-1]
    head = head[:-1] if len(head) > 2 else head
    local = stem(str(dong["dong"])) if kind in ("31", "51", "93", "28", "21") else head
    word = "" if kind == "71" else rng.choice(_WORDS)
    codes = _departments(rng, kind, rng.randint(low, high))
    doctors = rng.randint(few, many)
    specialists = int(doctors * rng.uniform(0.5, 0.9))
    emergency = kind == "01" or (kind == "11" and (district["code2"] == "11" or rng.random() < 0.8))
    return (
        _common(rng, place, district)
        | {
            "ykiho": ykiho(rng),
            "phpid": f"{11_000_000 + count * 17}",
            "hpid": f"A{int(str(district['code2'])) % 60 + 10:02d}{count:05d}",
            "name": f"{local}{word}{ending}",
            "cl_code": code,
            "cl_name": class_name,
            "division": division,
            "division_name": division_name,
            "departments": ",".join(codes),
            "department_names": ",".join(department_name(code) for code in codes),
            "doctors": doctors,
            "specialists": specialists,
            "emergency": 1 if emergency else 2,
            "em_code": ("G001" if kind == "01" else rng.choice(("G006", "G007"))) if emergency else "",
            "em_name": "",
            "beds": doctors * rng.randint(2, 4) if kind in ("01", "11", "21", "28") else 0,
            "parking": rng.randrange(0, 40) * 10 if kind in ("01", "11", "21") else rng.randrange(0, 12),
            "opens": rng.choice(("0830", "0900", "0900", "0930")),
            "closes": rng.choice(("1700", "1730", "1800", "1830", "1900")),
            "saturday": rng.choice(("1200", "1230", "1300", "1400", "")),
        }
        | _staff(kind, doctors, specialists)
    )


def _staff(kind: str, doctors: int, specialists: int) -> Row:
    """Counts under HIRA's names: medicine, dentistry and Korean medicine are told apart by their prefix."""
    branch = {"51": "dety", "93": "cmdc"}.get(kind, "mdept")
    residents = int(doctors * 0.2) if kind in ("01", "11") else 0
    interns = int(doctors * 0.05) if kind == "01" else 0
    general = max(0, doctors - specialists - residents - interns)
    counts = {"Sdr": specialists, "Gdr": general, "Resdnt": residents, "Intn": interns}
    branches = ("mdept", "dety", "cmdc")
    return {f"{one}{name}Cnt": count if one == branch else 0 for one in branches for name, count in counts.items()}


def _common(rng: random.Random, place: Row, district: Row) -> Row:
    keep = ("code10", "code5", "sido", "sido_short", "sigungu", "dong", "full_address", "lot_address", "lon", "lat")
    founded = f"{rng.randrange(1975, 2025)}{rng.randrange(1, 13):02d}{rng.randrange(1, 29):02d}"
    return {name: place[name] for name in keep} | {
        "zip": place["zip"],
        "hira_sido": district["hira_sido"],
        "hira_sggu": district["hira"],
        "hira_sggu_name": str(district["name"] or "세종시").replace(" ", ""),
        "phone": phone(rng, district["code2"]),
        "founded": founded,
    }


def _departments(rng: random.Random, kind: str, count: int) -> list[str]:
    if kind == "51":
        return list(_DENTAL)[:count]
    if kind == "93":
        return list(_ORIENTAL)[:count]
    stock = list(_CLINIC) if kind in ("31", "71", "28") else [code for code in DEPARTMENTS if code < "49"]
    chosen = set(rng.sample(stock, min(count, len(stock))))
    return sorted(chosen | ({"01", "04", "24"} if kind in ("01", "11") else set()))


def department_name(code: str) -> str:
    """Name of a HIRA department code."""
    return (DEPARTMENTS | _ORIENTAL)[code]


@table("emergency_hospitals")
def build_emergency_hospitals(world: World) -> list[Row]:
    """The hospitals with an emergency room, with the NEMC class name and the bed counts of this hour."""
    names = {"G001": "권역응급의료센터", "G006": "지역응급의료센터", "G007": "지역응급의료기관"}
    rows: list[Row] = []
    for hospital in world.table("hospitals"):
        if hospital["emergency"] != 1:
            continue
        rng = world.rng("emergency", hospital["hpid"], world.today)
        large = hospital["em_code"] == "G001"
        # Over-full rooms report negative beds; the real feed does too.
        beds = {
            "hvec": rng.randint(-6, 28) if large else rng.randint(-2, 15),
            "hvoc": rng.randint(0, 12),
            "hvcc": rng.randint(0, 6),
            "hvncc": rng.randint(0, 9),
            "hvccc": rng.randint(0, 8),
            "hvicc": rng.randint(0, 22),
            "hvgc": rng.randint(0, 260 if large else 70),
            "hvs01": rng.randint(28, 40) if large else rng.randint(8, 20),
        }
        flags = {name: rng.choice("YYYN") for name in _EQUIPMENT}
        clock = f"{rng.choice((9, 10)):02d}{rng.randrange(35):02d}{rng.randrange(60):02d}"
        updated = f"{world.today:%Y%m%d}{clock}"
        rows.append(hospital | beds | flags | {"em_name": names[str(hospital["em_code"])], "updated": updated})
    return rows


@table("emergency_messages")
def build_emergency_messages(world: World) -> list[Row]:
    """Notices that an emergency room cannot take some cases; about half of the rooms have one or more."""
    kinds = (
        ("Y0010", "심근경색의 재관류중재술"), ("Y0031", "뇌출혈수술"), ("Y0060", "사지접합"), ("Y0081", "응급투석"),
        ("Y0100", "신생아"), ("Y0111", "중증화상"),
    )  # fmt: skip
    rows: list[Row] = []
    for hospital in world.table("emergency_hospitals"):
        rng = world.rng("emergency_messages", hospital["hpid"])
        for code, name in rng.sample(kinds, rng.choice((0, 0, 1, 1, 2, 3))):
            start = world.now.strftime("%Y%m%d") + f"{rng.randrange(0, 10):02d}{rng.randrange(60):02d}00"
            rows.append(
                {
                    "hpid": hospital["hpid"],
                    "name": hospital["name"],
                    "address": hospital["full_address"],
                    "sido": hospital["sido"],
                    "sigungu": hospital["sigungu"],
                    "message": f"{name} {rng.choice(('의료진 부족으로 수용 불가', '병상 부족으로 수용 어려움'))}",
                    "kind": rng.choice(("중증", "응급실")),
                    "code": code,
                    "code_name": name,
                    "start": start,
                    "end": world.now.strftime("%Y%m%d") + "235900",
                }
            )
    return rows


@table("pharmacies")
def build_pharmacies(world: World) -> list[Row]:
    """ykiho (HIRA) and hpid C....... (NEMC); more of them where hospitals are."""
    rows: list[Row] = []
    for district in world.table("districts"):
        rng = world.rng("pharmacies", district["code5"])
        for dong in world.find("dongs", "code5", district["code5"]):
            for _ in range(rng.choice((0, 1, 1, 2))):
                place = site(world, dong["code10"], rng)
                word = rng.choice(_PHARMACY_WORDS)
                name = f"{word}약국" if rng.random() < 0.4 else f"{stem(str(dong['dong']))}{word}약국"
                hours = {"opens": rng.choice(("0830", "0900", "0930")), "closes": rng.choice(("1900", "2000", "2200"))}
                rows.append(
                    _common(rng, place, district)
                    | hours
                    | {
                        "ykiho": ykiho(rng),
                        "hpid": f"C{int(str(district['code2'])) % 60 + 10:02d}{len(rows):05d}",
                        "name": name,
                        "saturday": rng.choice(("1300", "1500", "1800", "")),
                        "sunday": rng.choice(("", "", "", "1800")),
                        "holiday": rng.choice(("", "", "1000")),
                    }
                )
    return rows
