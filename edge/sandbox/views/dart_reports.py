"""OpenDART requests for the rest of a report in, rows out: several companies at once, ratios, files inside a ZIP."""

from edge.sandbox.model import Refusal, Request, Row
from edge.sandbox.registry import view
from edge.sandbox.views.dart import checked_report, corp_code, report_view
from edge.sandbox.world import World
from edge.sandbox.world.corporations import registry_document
from edge.sandbox.world.finance_details import RATIOS, instance, original

_AT_ONCE = 100


@view("dart_registry")
def company_registry(world: World, _request: Request) -> list[Row]:
    """One file with every registered company."""
    return [{"file": "CORPCODE.xml", "content": registry_document(world)}]


@view("dart_original")
def original_file(world: World, request: Request) -> list[Row]:
    """The original document of one filing."""
    found = original(world, request.get("rcept_no"))
    return [{"file": f"{found[0]['rcept_no']}.xml", "content": found[1]}] if found else []


@view("dart_xbrl")
def xbrl_file(world: World, request: Request) -> list[Row]:
    """The XBRL instance of one periodic report."""
    found = instance(world, request.get("rcept_no"))
    if found is None:
        return []
    return [{"file": f"entity{found[0]['corp_code']}_{found[0]['year']}-12-31.xbrl", "content": found[1]}]


def _codes(request: Request) -> list[str]:
    codes = request.get("corp_code").split(",")
    if len(codes) > _AT_ONCE:
        raise Refusal("bad_parameter", "companies")
    if not all(len(code) == 8 and code.isdecimal() for code in codes):
        raise Refusal("bad_parameter", "corp_code")
    return codes


@view("dart_many_accounts")
def many_accounts(world: World, request: Request) -> list[Row]:
    """Main accounts of up to a hundred companies, in the order asked."""
    year, report = checked_report(request)
    return [row for code in _codes(request) for row in world.part("dart_accounts", code, year, report)]


@view("dart_all_accounts")
def all_accounts(world: World, request: Request) -> list[Row]:
    """Every account on one basis."""
    year, report = checked_report(request)
    basis = request.get("fs_div")
    if basis not in ("CFS", "OFS"):
        raise Refusal("bad_parameter", "fs_div")
    return world.part("dart_all_accounts", corp_code(request), year, report, basis)


@view("dart_ratios")
def ratios(world: World, request: Request) -> list[Row]:
    """Ratios of one class, of one company or several."""
    year, report = checked_report(request)
    kind = request.get("idx_cl_code")
    if kind not in RATIOS:
        raise Refusal("bad_parameter", "idx_cl_code")
    return [row for code in _codes(request) for row in world.part("dart_ratios", code, year, report, kind)]


@view("dart_officer_holdings")
def officer_holdings(world: World, request: Request) -> list[Row]:
    """Reports of officers and main owners on one company."""
    return world.part("dart_officer_holdings", corp_code(request))


for _name in (
    *("dart_officers", "dart_paid_officers", "dart_owner_changes", "dart_stakes"),
    *("dart_stock_totals", "dart_own_shares", "dart_issues"),
):
    view(_name)(report_view(_name))
