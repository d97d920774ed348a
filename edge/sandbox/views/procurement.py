"""A switch parameter with what it asks for in, tender rows out: by dates, by notice number or by a linked number."""

from datetime import datetime, timedelta

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World

_DIVISIONS = {"Thng": "물품", "Cnstwk": "공사", "Servc": "용역", "Frgcpt": "외자", "Etc": "기타"}
_BY_DAY: dict[str, str] = {"1": "noticed_at", "3": "changed_at"}
_SEARCH = {"1": "noticed_at", "2": "opens_at"}
_MONTH, _WEEK = timedelta(days=31), timedelta(days=7)


def _stamp(text: str, form: str) -> datetime:
    try:
        return datetime.strptime(text, form)
    except ValueError:
        raise Refusal("bad_parameter", "06") from None


def _between(rows: list[Row], column: str, first: str, last: str, longest: timedelta) -> list[Row]:
    """Rows stamped from `first` to `last`: 08 when one is missing, 06 when it is no stamp, 07 when it is too long."""
    if not first or not last:
        raise Refusal("missing_parameter")
    form = "%Y%m%d%H%M" if column != "signed_at" else "%Y%m%d"
    begin, end = _stamp(first, form), _stamp(last, form)
    if len(first) != len(f"{begin:{form}}") or not timedelta(0) <= end - begin <= longest:
        raise Refusal("bad_parameter", "07")
    return [row for row in rows if first <= str(row[column]) <= last]


def _division(request: Request) -> str:
    """The business division that the operation's name stands for; blank when it serves all of them."""
    name = request.path.rsplit("/", 1)[-1].removeprefix("getBidPblancListInfo")
    return next((word for part, word in _DIVISIONS.items() if part in name), "")


def _of(world: World, table: str, request: Request) -> list[Row]:
    division = _division(request)
    return world.find(table, "division", division) if division else world.table(table)


def _by_switch(world: World, request: Request, table: str) -> list[Row]:
    """inqryDiv 1 and 3 go by the days of notice and change, 2 by the notice number; nothing else counts then."""
    switch = request.get("inqryDiv")
    if switch == "2":
        number = request.get("bidNtceNo")
        if not number:
            raise Refusal("missing_parameter")
        division = _division(request)
        return [row for row in world.find(table, "no", number) if division in ("", row["division"])]
    if switch not in _BY_DAY:
        raise Refusal("bad_parameter", "07")
    first, last = request.get("inqryBgnDt"), request.get("inqryEndDt")
    return _between(_of(world, table, request), _BY_DAY[switch], first, last, _MONTH)


@view("bid_notices")
def notices(world: World, request: Request) -> list[Row]:
    """Notices of one division."""
    return _by_switch(world, request, "bid_notices")


@view("bid_licences")
def licences(world: World, request: Request) -> list[Row]:
    """Licence limits."""
    return _by_switch(world, request, "bid_licences")


@view("bid_regions")
def regions(world: World, request: Request) -> list[Row]:
    """Regions that may take part."""
    return _by_switch(world, request, "bid_regions")


@view("bid_products")
def products(world: World, request: Request) -> list[Row]:
    """What is bought."""
    return _by_switch(world, request, "bid_products")


@view("bid_files")
def files(world: World, request: Request) -> list[Row]:
    """Attached order documents."""
    return _by_switch(world, request, "bid_files")


@view("bid_changes")
def changes(world: World, request: Request) -> list[Row]:
    """What was changed."""
    return _by_switch(world, request, "bid_changes")


@view("bid_amounts")
def amounts(world: World, request: Request) -> list[Row]:
    """Base amounts."""
    return _by_switch(world, request, "bid_amounts")


@view("bid_formula")
def formula(world: World, request: Request) -> list[Row]:
    """Cost items of works only."""
    return [row for row in _by_switch(world, request, "bid_amounts") if row["formula"] == "Y"]


@view("bid_search")
def search(world: World, request: Request) -> list[Row]:
    """The shop window's search: 1 by days of notice, 2 by days of opening; other conditions are ordinary filters."""
    column = _SEARCH.get(request.get("inqryDiv"))
    if column is None:
        raise Refusal("bad_parameter", "07")
    first, last = request.get("inqryBgnDt"), request.get("inqryEndDt")
    return _between(_of(world, "bid_notices", request), column, first, last, _MONTH)


_NUMBERS = {
    "1": ("bidNtceNo", "no"),
    "2": ("bfSpecRgstNo", "spec_no"),
    "3": ("orderPlanNo", "plan_no"),
    "4": ("prcrmntReqNo", "request_no"),
}


@view("contract_process")
def contract_process(world: World, request: Request) -> list[Row]:
    """A tender from plan to contract, by the number that inqryDiv names."""
    found = _NUMBERS.get(request.get("inqryDiv"))
    if found is None:
        raise Refusal("bad_parameter", "07")
    parameter, column = found
    value = request.get(parameter)
    if not value:
        raise Refusal("missing_parameter")
    order, division = request.get("bidNtceOrd"), _division(request)
    rows = [row for row in world.find("bid_notices", column, value) if row["division"] == division]
    return [_process(world, row) for row in rows if order in ("", row["ord"])]


def _process(world: World, notice: Row) -> Row:
    won = [row for row in world.find("bid_results", "no", notice["no"]) if row["won"] == "Y"]
    signed = world.find("bid_contracts", "no", notice["no"])
    return notice | {
        "ordered": str(notice["noticed_at"])[:6],
        "winners": ",".join(f"[1^{row['winner']}^{row['winner_no']}^{row['final_amount']}]" for row in won),
        "contracts": ",".join(f"[1^{row['contract_no']}^{row['signed']}^{row['final_amount']}]" for row in signed),
    }


def _days(request: Request, names: tuple[str, str], world: World, form: str, back: int) -> tuple[str, str]:
    """The asked range, or the newest days when neither end was given."""
    first, last = (request.get(name) for name in names)
    if first or last:
        return first, last
    now = world.now
    return f"{now - timedelta(days=back):{form}}", f"{now:{form}}"


@view("standard_notices")
def standard_notices(world: World, request: Request) -> list[Row]:
    """Notices of all divisions in the open standard, a month at most."""
    first, last = _days(request, ("bidNtceBgnDt", "bidNtceEndDt"), world, "%Y%m%d%H%M", 1)
    return _between(world.table("bid_notices"), "noticed_at", first, last, _MONTH)


@view("standard_results")
def standard_results(world: World, request: Request) -> list[Row]:
    """Bids of one division by the time of opening, a week at most."""
    first, last = _days(request, ("opengBgnDt", "opengEndDt"), world, "%Y%m%d%H%M", 6)
    code = request.get("bsnsDivCd")
    return _between(world.find("bid_results", "division_code", code), "opens_at", first, last, _WEEK)


@view("standard_contracts")
def standard_contracts(world: World, request: Request) -> list[Row]:
    """Contracts by the day of signature, a month at most."""
    first, last = _days(request, ("cntrctCnclsBgnDate", "cntrctCnclsEndDate"), world, "%Y%m%d", 6)
    return _between(world.table("bid_contracts"), "signed_at", first, last, _MONTH)
