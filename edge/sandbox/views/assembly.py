"""Assembly requests over all terms in, rows out: the present term from its tables, earlier ones as they are reached."""

from collections.abc import Sequence

from edge.sandbox.model import Request, Row
from edge.sandbox.registry import view
from edge.sandbox.world import World
from edge.sandbox.world.lazy import LazyRows
from edge.sandbox.world.meetings import (
    old_entries,
    old_entries_of,
    old_entry_count,
    old_meeting,
    old_meeting_order,
)
from edge.sandbox.world.old_bills import PER_MEETING, old_bill, old_bill_at, old_count, terms


@view("assembly_received")
def received_bills(world: World, request: Request) -> Sequence[Row]:
    """Bills received, newest first: 116,650 over all terms, or those of one term (제21대)."""
    wanted = request.get("ERACO")
    own = world.table("bills")
    if not wanted:
        return LazyRows(len(own) + old_count(), lambda n: own[n] if n < len(own) else old_bill_at(world, n - len(own)))
    term = next((term for term in terms() if wanted == f"제{term.number}대"), None)
    if term is None:
        return world.find("bills", "eraco", wanted)
    return LazyRows(term.count, lambda n: old_bill_at(world, term.first + n))


@view("assembly_bill")
def one_bill(world: World, request: Request) -> list[Row]:
    """The bill of any term with an ID, a number, or both."""
    bill_id, number = request.get("BILL_ID"), request.get("BILL_NO")
    column, value = ("bill_id", bill_id) if bill_id else ("bill_no", number)
    found = world.find("bills", column, value)
    if found:
        return found
    old = old_bill(world, bill_id, number)
    return [old] if old is not None else []


@view("assembly_agenda")
def agenda_of_all_terms(world: World, request: Request) -> Sequence[Row]:
    """Bills by meeting: of one meeting, of one bill, or all 187,373 entries, newest meeting first."""
    meeting, bill_id = request.get("CONF_ID"), request.get("BILL_ID")
    if meeting:
        rows = world.find("agenda", "conf_id", meeting) or _old_agenda(world, meeting)
        return [row for row in rows if bill_id in ("", row["bill_id"])]
    if bill_id:
        return agenda_of_bill(world, request)
    own = world.table("agenda")
    make, count = old_entries(world), len(own) + old_entry_count(world)
    return LazyRows(count, lambda n: own[n] if n < len(own) else make(n - len(own)))


def _old_agenda(world: World, conf_id: str) -> list[Row]:
    order = old_meeting_order(world, conf_id)
    if order is None:
        return []
    make, last = old_entries(world), min((order + 1) * PER_MEETING, old_entry_count(world))
    return [make(entry) for entry in range(order * PER_MEETING, last)]


@view("assembly_bill_meetings")
def agenda_of_bill(world: World, request: Request) -> list[Row]:
    """The meetings that dealt with one bill; none before it was presented."""
    bill_id = request.get("BILL_ID")
    found = world.find("agenda", "bill_id", bill_id)
    old = None if found else old_bill(world, bill_id)
    return old_entries_of(world, old) if old is not None else found


@view("assembly_judging")
def judging_meetings(world: World, request: Request) -> list[Row]:
    """The committee meetings among them."""
    return [row for row in agenda_of_bill(world, request) if row["kind"] != "본회의"]


@view("assembly_meeting")
def one_meeting(world: World, request: Request) -> list[Row]:
    """One meeting by its ID; record numbers are no IDs."""
    conf_id = request.get("CONF_ID")
    order = old_meeting_order(world, conf_id)
    return world.find("meetings", "conf_id", conf_id) or ([] if order is None else [old_meeting(world, order)])
