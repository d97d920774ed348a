"""Fire stations and months in, counts of ambulance runs out, in total and split by one circumstance at a time."""

from collections.abc import Iterator, Mapping

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World
from edge.sandbox.world.weather import noise

_FIRST_MONTH = (2021, 1)
_TRANSFERRED = (0.48, 0.66)
# Operation -> (field and parameter that split the counts, its values with their shares in per cent).
_RESULTS = {"정상": 68, "취소": 14, "거짓": 1, "오인": 3, "기타": 14}
_PLACES = {"집": 58, "도로": 16, "상업시설": 9, "의료관련시설": 9, "기타": 8}
_HISTORIES = {"없음": 34, "고혈압": 24, "당뇨": 16, "심장질환": 12, "기타": 14}
_DECADES = (4, 4, 8, 8, 11, 15, 18, 17)
_AGES = {f"{10 * n}~{10 * n + 9}세": share for n, share in enumerate(_DECADES)} | {"80세이상": 15}
_SPLITS: Mapping[str, tuple[str, Mapping[str, int]]] = {
    "getEmgDispatchResultStats": ("gutTyCdNm", _RESULTS),
    "getTrasferPatientByPlaceStats": ("ruptOccrPlcCdNm", _PLACES),
    "getTrasferPatientByCaseHistoryStats": ("mpwrCdNm", _HISTORIES),
    "getTrasferPatientByAgeGroupStats": ("ageScov", _AGES),
}
_ACCIDENTS = {"운전자": 40, "동승자": 18, "보행자": 22, "오토바이운전자": 14, "자전거운전자": 6}
_CALLS = {
    "hsplMclCo": 9000, "phmcMclCo": 500, "dissCstnCo": 2600, "trttCchCo": 1800, "mclCo": 450, "htrsGdncCo": 240,
    "ambGutCnntCo": 12, "etcCo": 160,
}  # fmt: skip


def _months(world: World, wanted: str) -> Iterator[str]:
    """Finished months since the first one, or the wanted one of them."""
    year, month = _FIRST_MONTH
    while (year, month) < (world.today.year, world.today.month):
        text = f"{year}{month:02d}"
        if wanted in ("", text):
            yield text
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)


def _stations(world: World, request: Request) -> list[Row]:
    office, name = request.get("sidoHqOgidNm"), request.get("rsacGutFsttOgidNm")
    rows = world.table("fire_stations")
    return [row for row in rows if office in str(row["headquarters"]) and name in ("", row["name"])]


def _runs(world: World, station: Row, month: str) -> int:
    size = 150 + 1500 * noise(world.seed, "ambulances", station["code5"])
    return int(size * (0.85 + 0.3 * noise(world.seed, "ambulances", station["code5"], month)))


def _counts(runs: int, draw: float) -> Row:
    low, high = _TRANSFERRED
    moved = int(runs * (low + (high - low) * draw))
    return {"gutCo": str(runs), "trnfCo": str(moved), "trnfPcnt": str(moved + moved // 90)}


def _rows(world: World, request: Request) -> Iterator[tuple[Row, int, Row]]:
    """(identity columns, runs, station) for each station and month that was asked for."""
    wanted = request.get("rcptYm")
    if wanted and not (len(wanted) == 6 and wanted.isdigit()):
        raise Refusal("bad_parameter")
    for station in _stations(world, request):
        for month in _months(world, wanted):
            head: Row = {
                "sidoHqOgidNm": station["headquarters"],
                "rsacGutFsttOgidNm": station["name"],
                "rcptYm": month,
            }
            yield head, _runs(world, station, month), station


@view("ambulance_runs")
def ambulance_runs(world: World, request: Request) -> list[Row]:
    """Runs, transports and patients of a month."""
    return [
        head | _counts(runs, noise(world.seed, "moved", station["code5"], head["rcptYm"]))
        for head, runs, station in _rows(world, request)
    ]


@view("ambulance_splits")
def ambulance_splits(world: World, request: Request) -> list[Row]:
    """The runs of a month by the circumstance that the operation is about."""
    name, shares = _SPLITS[request.path.rsplit("/", 1)[-1]]
    return [
        head | _counts(runs * share // 100, noise(world.seed, "moved", station["code5"], head["rcptYm"], value))
        | {name: value}
        for head, runs, station in _rows(world, request)
        for value, share in shares.items()
    ]  # fmt: skip


@view("ambulance_accidents")
def ambulance_accidents(world: World, request: Request) -> list[Row]:
    """Runs to traffic accidents by who was hurt; about a tenth of all runs."""
    return [
        head
        | _counts(runs * share // 1000, noise(world.seed, "hurt", station["code5"], head["rcptYm"], value))
        | {"rlifAcdAsmCdNm": value, "rlifOccrTyCdNm": "교통사고" if share > 10 else "기타"}
        for head, runs, station in _rows(world, request)
        for value, share in _ACCIDENTS.items()
    ]


@view("ambulance_centres")
def ambulance_centres(world: World, request: Request) -> list[Row]:
    """Calls that each headquarters advised in a month."""
    office = request.get("sidoHqOgidNm")
    offices = dict.fromkeys(str(row["headquarters"]) for row in world.table("fire_stations"))
    rows: list[Row] = []
    for name in offices:
        for month in _months(world, request.get("mclBginYm")) if office in name else ():
            row: Row = {"sidoHqOgidNm": name, "mclBginYm": month}
            for call, mean in _CALLS.items():
                row[call] = str(int(mean * (0.3 + noise(world.seed, call, name, month))))
            rows.append(row)
    return rows
