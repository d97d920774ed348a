"""KOSIS requests in, rows out: the tree of lists, search, classifications and figures of up to eight axes."""

from itertools import product

from edge.sandbox.model import Refusal, Request, Row
from edge.sandbox.registry import view
from edge.sandbox.world import World
from edge.sandbox.world.kosis import axis_values, figure, spec_of, times_of, written
from edge.sandbox.world.reading import mapping, read_yaml, split, texts

_CELLS = 40_000
_AXES = 8


@view("kosis_list")
def list_children(world: World, request: Request) -> list[Row]:
    """What lies one step below a list: lists, or tables at the end of a branch."""
    data = read_yaml("kosis.yaml")
    code, parent = request.get("vwCd"), request.get("parentListId")
    name = mapping(data["views"]).get(code)
    if name is None:
        raise Refusal("bad_parameter", "vwCd")
    head: Row = {"VW_CD": code, "VW_NM": name}
    lines = [split(line) for line in texts(data["lists"])]
    rows: list[Row] = [
        head | {"LIST_ID": own, "LIST_NM": text}
        for above, own, text in lines
        if above == parent or (parent == code and above.startswith("MT_"))
    ]
    for row in world.find("kosis_tables", "list", parent):
        leaf: Row = {"ORG_ID": row["org"], "TBL_ID": row["id"], "TBL_NM": row["name"], "STAT_ID": row["survey"]}
        rows.append(head | leaf | {"REC_TBL_SE": "N"})
    return rows


@view("kosis_search")
def search_tables(world: World, request: Request) -> list[Row]:
    """Tables whose name, survey or path has every word."""
    words = request.get("searchNm").split()
    found = [
        row
        for row in world.table("kosis_tables")
        if all(word in f"{row['name']} {row['survey_name']} {row['path']}" for word in words)
    ]
    address = "https://kosis.kr/statHtml/statHtml.do"
    return [
        row | {"count": str(len(found)), "query": request.get("searchNm")}
        | {"url": f"{address}?orgId={row['org']}&tblId={row['id']}", "about": f"{row['survey_name']}의 {row['name']}"}
        for row in found
    ]  # fmt: skip


def _spec(request: Request) -> tuple[str, list[list[str]], list[list[str]], list[str]]:
    """(table, axes, items, cycles) of the table that both ids name together; unknown ones are simply not found."""
    spec = spec_of(request.get("tblId"))
    if spec is None or spec["org"] != request.get("orgId"):
        raise Refusal("empty")
    axes = [split(line) for line in texts(spec["axes"])]
    return str(spec["id"]), axes, [split(line) for line in texts(spec["items"])], texts(spec["cycles"])


@view("kosis_items")
def classifications(world: World, request: Request) -> list[Row]:
    """Values of every axis in its order, and the items, whose axis is called ITEM and has no number."""
    _, axes, items, _ = _spec(request)
    rows: list[Row] = []
    for order, (axis, name, kind) in enumerate(axes, start=1):
        for value in axis_values(world, kind):
            own: Row = {"OBJ_ID": axis, "OBJ_NM": name, "ITM_ID": value["code"], "ITM_NM": value["name"]}
            rows.append(own | {"UP_ITM_ID": value["parent"], "OBJ_ID_SN": str(order), "UNIT_NM": ""})
    for code, name, unit, _ in items:
        own = {"OBJ_ID": "ITEM", "OBJ_NM": "항목", "ITM_ID": code, "ITM_NM": name}
        rows.append(own | {"UP_ITM_ID": "", "OBJ_ID_SN": "", "UNIT_NM": unit})
    return rows


@view("kosis_periods")
def table_periods(world: World, request: Request) -> list[Row]:
    """Cycles of one table with their first and last period."""
    _, _, _, cycles = _spec(request)
    rows: list[Row] = []
    for cycle in cycles:
        times = times_of(world, cycle)
        rows.append({"PRD_SE": cycle, "STRT_PRD_DE": times[0], "END_PRD_DE": times[-1], "PRD_DE": times[-1]})
    return rows


def _chosen(values: list[Row], wanted: str) -> list[Row]:
    """ALL, or codes joined by plus signs (which arrive as blanks where the caller did not encode them)."""
    codes = wanted.replace("+", " ").split()
    return values if wanted.upper() == "ALL" else [row for row in values if row["code"] in codes]


def _periods(world: World, request: Request, cycles: list[str]) -> list[str]:
    cycle = request.get("prdSe")
    times = times_of(world, cycle) if cycle in cycles else []
    latest = request.get("newEstPrdCnt")
    if latest.isdecimal():
        return times[-int(latest) :] if int(latest) else []
    first, last = request.get("startPrdDe"), request.get("endPrdDe")
    if not first or not last:
        raise Refusal("missing_parameter", "startPrdDe")
    return [time for time in times if first <= time <= last]


@view("kosis_data")
def figures(world: World, request: Request) -> list[Row]:
    """Every cell asked for; as many objL as the table has axes, at most 40,000 cells."""
    table_id, axes, items, cycles = _spec(request)
    given = [request.get(f"objL{number}") for number in range(1, _AXES + 1)]
    if not all(given[: len(axes)]):
        raise Refusal("missing_parameter", f"objL{len(axes)}")
    if any(given[len(axes) :]):
        raise Refusal("bad_parameter", "objL")
    picked = [_chosen(axis_values(world, kind), text) for (_, _, kind), text in zip(axes, given, strict=False)]
    codes: list[Row] = [{"code": code, "name": name, "unit": unit} for code, name, unit, _ in items]
    times = _periods(world, request, cycles)
    wanted = list(product(_chosen(codes, request.get("itmId")), *picked, times))
    if len(wanted) > _CELLS:
        raise Refusal("bad_parameter", "cells")
    head = _head(world, table_id, request.get("prdSe"))
    return [_cell(world, head, axes, list(cells)) for cells in wanted]


def _head(world: World, table_id: str, cycle: str) -> Row:
    row = world.find("kosis_tables", "id", table_id)[0]
    return {"ORG_ID": row["org"], "TBL_ID": table_id, "TBL_NM": row["name"], "PRD_SE": cycle}


def _cell(world: World, head: Row, axes: list[list[str]], cells: list[Row | str]) -> Row:
    item, *rest = cells
    time = str(rest.pop())
    places = [cell for cell in rest if isinstance(cell, dict)]
    if not isinstance(item, dict):
        raise TypeError("the first of a cell's coordinates is its item")
    row = head | {"ITM_ID": item["code"], "ITM_NM": item["name"], "UNIT_NM": item["unit"], "PRD_DE": time}
    for number, (axis, place) in enumerate(zip(axes, places, strict=True), start=1):
        row |= {f"C{number}": place["code"], f"C{number}_NM": place["name"], f"C{number}_OBJ_NM": axis[1]}
    value = figure(world, str(head["TBL_ID"]), str(item["code"]), places, time)
    return row | {"DT": written(value, str(item["unit"])), "LST_CHN_DE": f"{world.today:%Y-%m}-01"}


@view("kosis_survey")
def survey(_world: World, request: Request) -> list[Row]:
    """What a survey is for."""
    found = mapping(read_yaml("kosis.yaml")["surveys"]).get(request.get("statId"))
    if found is None:
        return []
    name, purpose, law = split(str(found))
    row: Row = {"statsNm": name, "statsPeriod": "매년", "writingPurps": purpose, "basisLaw": law}
    return [row | {"examinObjArea": "전국", "mainTermExpl": f"{name}에서 쓰는 말은 통계표의 주석에 있다."}]
