"""An institution key in, its hours, departments, ways to get there and quality grades out (HIRA)."""

from edge.sandbox.model import Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World
from edge.sandbox.world.buildings import stem
from edge.sandbox.world.health import department_name
from edge.sandbox.world.regions import number

_WEEK = ("Mon", "Tue", "Wed", "Thu", "Fri")
_GRADED = tuple(f"{item:02d}" for item in range(1, 25) if item not in (2, 11))


def _institutions(world: World, request: Request) -> list[Row]:
    return world.find("hospitals", "ykiho", request.get("ykiho"))


def _clock(time: object, shift: int) -> str:
    minutes = int(str(time)[:2]) * 60 + int(str(time)[2:]) + shift
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


@view("hira_detail")
def detail(world: World, request: Request) -> list[Row]:
    """Opening hours and parking. A field that the provider leaves out is absent, not empty."""
    rows: list[Row] = []
    for hospital in _institutions(world, request):
        emergency = hospital["emergency"] == 1
        row: Row = {"emyDayYn": "Y" if emergency else "N", "emyNgtYn": "Y" if emergency else "N"}
        if emergency:
            tail = str(hospital["phone"]).partition("-")[2]
            row |= {f"emy{when}TelNo{n}": tail for when in ("Day", "Ngt") for n in (1, 2)}
        row["lunchWeek"] = "12:30 ~ 13:30" if emergency else "13:00 ~ 14:00"
        row |= {"noTrmtHoli": "휴진", "noTrmtSun": "휴진", "parkQty": hospital["parking"]}
        row["parkXpnsYn"] = "Y" if int(number(hospital, "parking")) > 50 else "N"
        if int(number(hospital, "parking")) > 50:
            row["parkEtc"] = "외래 진료 당일 4시간 무료, 입원과 응급실은 들어온 때부터 24시간"
        row["rcvWeek"] = f"{_clock(hospital['opens'], -30)} ~ {_clock(hospital['closes'], -30)}"
        row |= {"plcNm": f"{stem(str(hospital['dong']))}역", "plcDir": "1번 출구", "plcDist": "300m"}
        for day in _WEEK:
            row |= {f"trmt{day}Start": hospital["opens"], f"trmt{day}End": hospital["closes"]}
        if hospital["saturday"]:
            row |= {"trmtSatStart": hospital["opens"], "trmtSatEnd": hospital["saturday"]}
            row["rcvSat"] = f"{_clock(hospital['opens'], -30)} ~ {_clock(hospital['saturday'], -30)}"
        rows.append(row)
    return rows


@view("hira_departments")
def departments(world: World, request: Request) -> list[Row]:
    """One row a department, with its number of specialists; the numbers add up to about all of them."""
    rows: list[Row] = []
    for hospital in _institutions(world, request):
        codes = str(hospital["departments"]).split(",")
        rng = world.rng("hira_departments", hospital["ykiho"])
        share = number(hospital, "specialists") / len(codes)
        for code in codes:
            count = max(0, round(share * rng.uniform(0.4, 1.6)))
            rows.append(
                {"cdiagDrCnt": 0, "dgsbjtCd": code, "dgsbjtCdNm": department_name(code), "dgsbjtPrSdrCnt": count}
            )
    return rows


@view("hira_transport")
def transport(world: World, request: Request) -> list[Row]:
    """Up to four ways to get there; many small practices list none."""
    rows: list[Row] = []
    for hospital in _institutions(world, request):
        rng = world.rng("hira_transport", hospital["ykiho"])
        place = stem(str(hospital["dong"]))
        for _ in range(rng.choice((0, 0, 1, 2, 4)) if hospital["emergency"] != 1 else rng.randrange(2, 5)):
            bus = rng.random() < 0.6
            rows.append(
                {
                    "trafNm": "버스" if bus else "지하철",
                    "lineNo": str(rng.randrange(10, 800)) if bus else f"{rng.randrange(1, 10)}호선",
                    "arivPlc": f"{place}사거리" if bus else f"{place}역",
                    "dir": f"{rng.randrange(1, 9)}번 출구",
                    "dist": f"{rng.randrange(5, 90) * 10}m",
                    "rmk": "",
                }
            )
    return rows


@view("hira_grades")
def grades(world: World, request: Request) -> list[Row]:
    """Quality grades 1 to 5 of hospitals; clinics have few, ungraded items read 등급제외."""
    key = request.get("ykiho")
    hospitals = world.find("hospitals", "ykiho", key) if key else world.table("hospitals")
    rows: list[Row] = []
    for hospital in hospitals:
        if hospital["cl_code"] not in ("1", "11", "21", "28"):
            continue
        rng = world.rng("hira_grades", hospital["ykiho"])
        large = hospital["cl_code"] in ("1", "11")
        row: Row = {name: hospital[column] for name, column in (("ykiho", "ykiho"), ("yadmNm", "name"))}
        row |= {"clCd": hospital["cl_code"], "clCdNm": hospital["cl_name"], "addr": hospital["full_address"]}
        for item in _GRADED:
            graded = rng.random() < (0.85 if large else 0.3)
            row[f"asmGrd{item}"] = str(rng.choices(range(1, 6), (45, 28, 15, 8, 4))[0]) if graded else "등급제외"
        rows.append(row)
    return rows
