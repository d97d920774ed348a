"""OpenDART requests in, rows out where the platform checks identifiers and periods before it looks anything up."""

import re
from datetime import date, timedelta

from edge.sandbox.model import Refusal, Request, Row
from edge.sandbox.registry import View, view
from edge.sandbox.world import World
from edge.sandbox.world.corporations import registered
from edge.sandbox.world.finance import REPORTS

_OPEN_ENDED = timedelta(days=92)
_FIRST_REPORT_YEAR = 2015


def corp_code(request: Request) -> str:
    """The eight digits of a company; names and stock codes are refused, unknown digits are merely empty."""
    code = request.get("corp_code")
    if code and not re.fullmatch(r"\d{8}", code):
        raise Refusal("bad_parameter", "corp_code")
    return code


def _day(request: Request, name: str) -> date | None:
    text = request.get(name)
    if not text:
        return None
    if not re.fullmatch(r"\d{8}", text):
        raise Refusal("bad_parameter", name)
    try:
        return date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        raise Refusal("bad_parameter", name) from None


@view("dart_list")
def list_filings(world: World, request: Request) -> list[Row]:
    """Filings of a period, newest first; without a company the period may not exceed three months."""
    code = corp_code(request)
    end = _day(request, "end_de") or world.today
    begin = _day(request, "bgn_de")
    if not code and begin is not None and end - begin > _OPEN_ENDED:
        raise Refusal("bad_parameter", "period")
    # Guide pages disagree on the default start; without one a company's whole record is searched.
    first = begin or (date(1999, 1, 1) if code else end - _OPEN_ENDED)
    rows = world.find("dart_filings", "corp_code", code) if code else world.table("dart_filings")
    chosen = [row for row in rows if f"{first:%Y%m%d}" <= str(row["day"]) <= f"{end:%Y%m%d}"]
    for name, column in (("corp_cls", "corp_cls"), ("pblntf_ty", "kind"), ("pblntf_detail_ty", "detail")):
        wanted = request.get(name)
        if wanted:
            chosen = [row for row in chosen if row[column] == wanted]
    if request.get("last_reprt_at") == "Y":
        chosen = [row for row in chosen if not row["superseded"] or str(row["superseded"]) > f"{world.today:%Y%m%d}"]
    keys = {"crp": "corp_name", "rpt": "report"}
    column = keys.get(request.get("sort"), "rcept_no")
    return sorted(chosen, key=lambda row: str(row[column]), reverse=request.get("sort_mth", "desc") != "asc")


@view("dart_company")
def company(world: World, request: Request) -> list[Row]:
    """One company's overview; most registered companies have little more than a name."""
    row = registered(world, corp_code(request))
    return [{"acc_month": "12"} | row] if row is not None else []


def checked_report(request: Request) -> tuple[str, str]:
    """Business year and report code; both are checked before anything is looked up."""
    year, report = request.get("bsns_year"), request.get("reprt_code")
    if report not in REPORTS or not year.isdecimal() or int(year) < _FIRST_REPORT_YEAR:
        raise Refusal("bad_parameter", "reprt_code" if report not in REPORTS else "bsns_year")
    return year, report


def report_view(part: str) -> View:
    """A view of one table inside a company's periodic report."""

    def rows(world: World, request: Request) -> list[Row]:
        return world.part(part, corp_code(request), *checked_report(request))

    return rows


def _decision(part: str) -> View:
    def rows(world: World, request: Request) -> list[Row]:
        begin, end = _day(request, "bgn_de"), _day(request, "end_de")
        found = world.part(part, corp_code(request))
        return [row for row in found if f"{begin:%Y%m%d}" <= str(row["day"]) <= f"{end:%Y%m%d}"]

    return rows


@view("dart_holdings")
def holdings(world: World, request: Request) -> list[Row]:
    """Large-holding reports of one company."""
    return world.part("dart_holdings", corp_code(request))


for _name in ("dart_accounts", "dart_dividends", "dart_employees", "dart_owners", "dart_audits"):
    view(_name)(report_view(_name))
for _name in ("dart_capital_increases", "dart_convertibles"):
    view(_name)(_decision(_name))
