"""Sequence numbers and lists of registration numbers in, pension months and tax states out."""

import json
from datetime import date
from typing import cast

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World
from edge.sandbox.world.regions import number
from edge.sandbox.world.workplaces import HISTORY_MONTHS, month_before

_MOST = 100
_STATE = (
    "b_no", "b_stt", "b_stt_cd", "tax_type", "tax_type_cd", "end_dt", "utcc_yn", "tax_type_change_dt",
    "invoice_apply_dt", "rbf_tax_type", "rbf_tax_type_cd",
)  # fmt: skip
_UNKNOWN = "국세청에 등록되지 않은 사업자등록번호입니다."
_UNSURE = "확인할 수 없습니다."


@view("pension_months")
def pension_months(world: World, request: Request) -> list[Row]:
    """People who joined and left a workplace in the months up to the load that its seq belongs to."""
    rows: list[Row] = []
    for place in world.find("pension_workplaces", "seq", request.get("seq")):
        month = str(place["month"])
        last = date(int(month[:4]), int(month[4:]), 1)
        for back in range(HISTORY_MONTHS):
            rng = world.rng("pension_months", place["masked"], place["name"], month_before(last, back))
            moved = number(place, "insured") * 0.03
            joined, left = (round(moved * rng.uniform(0, 1.4)) for _ in range(2))
            rows.append({"dataCrtYm": month_before(last, back), "nwAcqzrCnt": joined, "lssJnngpCnt": left})
    return rows


def _asked(request: Request, name: str) -> list[object]:
    """The list a body holds under `name`; a form cannot say one and is refused."""
    try:
        loaded: object = json.loads(request.get(name))
    except ValueError:
        raise Refusal("bad_parameter", "not_json") from None
    if not isinstance(loaded, list) or not loaded:
        raise Refusal("bad_parameter", name)
    asked = cast("list[object]", loaded)
    if len(asked) > _MOST:
        raise Refusal("bad_parameter", "too_many")
    return asked


def _state(world: World, b_no: object) -> Row:
    found = world.find("tax_status", "b_no", b_no)
    if not found:
        return dict.fromkeys(_STATE, "") | {"b_no": b_no, "tax_type": _UNKNOWN}
    return {name: found[0][name] for name in _STATE}


@view("tax_status")
def tax_status(world: World, request: Request) -> list[Row]:
    """A row for every number asked about, in order; one that is not registered has no state."""
    return [_state(world, b_no) for b_no in _asked(request, "b_no")]


@view("tax_validity")
def tax_validity(world: World, request: Request) -> list[Row]:
    """01 where number, opening day and representative agree with the register, with the state; else 02 and no more."""
    rows: list[Row] = []
    for item in _asked(request, "businesses"):
        business = cast("Row", item) if isinstance(item, dict) else {"b_no": item}
        given = {name: str(business.get(name, "")) for name in ("b_no", "start_dt", "p_nm")}
        known = world.find("tax_status", "b_no", given["b_no"])
        if known and all(str(known[0][name]) == value for name, value in given.items()):
            param: Row = {"request_param": given, "status": _state(world, given["b_no"])}
            rows.append({"b_no": given["b_no"], "valid": "01", "valid_msg": ""} | param)
        else:
            rows.append({"b_no": given["b_no"], "valid": "02", "valid_msg": _UNSURE, "request_param": given})
    return rows
