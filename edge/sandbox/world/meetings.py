"""Bills with the days of their steps in, committee and plenary meetings with agendas and records out."""

from collections.abc import Callable
from datetime import date
from functools import lru_cache, partial

from edge.sandbox.world.assembly import TERM_START
from edge.sandbox.world.lazy import mix
from edge.sandbox.world.old_bills import PER_MEETING, bill_of_entry, entries_of_bill, old_bill_at, old_order, terms
from edge.sandbox.world.reading import mapping, mappings, texts
from edge.sandbox.world.store import Row, World, table

# The list of bills by meeting really counts this many over all terms.
AGENDA_ENTRIES = 187_373
_FIRST_ID = 50_001
_FIRST_RECORD = 61_007
_LAW_COMMITTEE = ("법제사법위원회", "9700006")
_PLENARY = ("국회본회의", "")


def _occasions(bill: Row) -> list[tuple[str, str, str, str]]:
    """(day, meeting, its committee code, what came of it) of each time a bill was on an agenda."""
    own = (str(bill["committee"]), str(bill["committee_id"]))
    steps = (
        (bill["cmt_present"], own, "상정"),
        (bill["cmt_done"], own, bill["cmt_result"]),
        (bill["law_done"], _LAW_COMMITTEE, bill["law_result"]),
        (bill["plenary_in"], _PLENARY, bill["result"]),
    )
    return [(str(day), where[0], where[1], str(came)) for day, where, came in steps if day]


@table("meetings")
def build_meetings(world: World) -> list[Row]:
    """Meetings of the 22nd assembly, newest first: conf_id (N + 6), record number, session, committee and agenda."""
    agendas: dict[tuple[str, str, str], list[Row]] = {}
    for bill in reversed(world.table("bills")):
        for day, name, code, came in _occasions(bill):
            entry: Row = {"bill": bill, "came": came}
            agendas.setdefault((day, name, code), []).append(entry)
    rows: list[Row] = []
    degrees: dict[tuple[str, int], int] = {}
    for day, name, code in sorted(agendas):
        when = date.fromisoformat(day)
        session = 415 + (when - TERM_START).days // 60
        degree = degrees[name, session] = degrees.get((name, session), 0) + 1
        rows.append(_meeting(len(rows), (day, name, code), session, degree) | {"agenda": agendas[day, name, code]})
    for row in rows:
        entries = mappings(row["agenda"])
        lines = [f"{n}. {_title(mapping(entry['bill']))}" for n, entry in enumerate(entries, start=1)]
        row["lines"], row["agenda_text"] = lines, "<br>".join(lines) + "<br>"
    return rows[::-1]


def _meeting(order: int, where: tuple[str, str, str], session: int, degree: int) -> Row:
    day, name, code = where
    plenary = name == "국회본회의"
    hour = 10 + mix(order, 3) % 5
    # Every fourth committee meeting is one of the committee's panel on bills.
    panel = "" if plenary or mix(order, 5) % 4 else "법안심사소위원회"
    record = _FIRST_RECORD + 3 * order
    return {
        "conf_id": f"N{_FIRST_ID + order:06d}",
        "record": str(record),
        "kind": "본회의" if plenary else "상임위원회",
        "record_kind": "국회본회의 회의록" if plenary else "상임위원회 회의록",
        "committee": "" if plenary else name,
        "dept_cd": code,
        "short_code": "" if plenary else f"{code[-2:]}",
        "panel": panel,
        "panel_code": "A" if panel else "",
        "title": f"제{session}회 제{degree}차 {name}" + (f" {panel}" if panel else ""),
        "day": day,
        "session": f"제{session}회",
        "session_long": f"제{session}회국회({'정기회' if day[5:7] in ('09', '10', '11', '12') else '임시회'})",
        "degree": f"제{degree}차",
        "degree_no": degree,
        "eraco": "제22대",
        "dae": "22",
        "unit_cd": "100022",
        "unit_nm": "제22대",
        "place": "국회 본회의장" if plenary else f"국회 본관 {400 + order % 40}호",
        "begins": f"{hour:02d}:{10 * (order % 4):02d}",
        "ends": f"{hour + 1 + order % 3:02d}:{7 * (order % 8):02d}",
        "lasts": f"{1 + order % 3}시간 {7 * (order % 8):02d}분",
        "file_id": str(record + 2000),
        "url": f"https://record.assembly.go.kr/assembly/viewer/minutes/download/pdf.do?id={record}",
        "vod": f"https://w3.assembly.go.kr/main/player.do?menu=30&mc=10&ct1=22&no={order + 1}",
    }


def _title(bill: Row) -> str:
    by = f"({bill['lead']} 의원 대표발의)" if bill["lead"] else ""
    return f"{bill['name']}{by}(의안번호 {bill['bill_no']})"


_KEPT = (
    *("bill_id", "bill_no", "name", "proposer", "proposed", "link"),
    *("conf_id", "record", "record_kind", "kind", "title", "dae", "eraco", "session", "degree", "day", "committee"),
    *("dept_cd", "vod", "url", "file_id"),
)


@table("agenda")
def build_agenda(world: World) -> list[Row]:
    """One row a meeting and bill, newest meeting first: the meeting's columns, the bill's, the line and the outcome."""
    rows: list[Row] = []
    for meeting in world.table("meetings"):
        pairs = zip(mappings(meeting["agenda"]), texts(meeting["lines"]), strict=True)
        for number, (entry, line) in enumerate(pairs, start=1):
            bill = mapping(entry["bill"])
            both = bill | meeting | {"title": meeting["title"], "name": bill["name"], "link": bill["link"]}
            row: Row = {column: both[column] for column in _KEPT}
            rows.append(row | {"line": line, "number": str(number), "came": entry["came"]})
    return rows


def old_entry_count(world: World) -> int:
    """Agenda entries of the earlier terms."""
    return AGENDA_ENTRIES - len(world.table("agenda"))


def old_entries(world: World) -> Callable[[int], Row]:
    """A maker of agenda entries of earlier terms, newest first, shaped as rows of `agenda`.

    Neighbours are about the same bill and of the same meeting, so the maker remembers the last few of both.
    """
    count = old_entry_count(world)
    bill_at = lru_cache(maxsize=16)(partial(old_bill_at, world))
    meeting_at = lru_cache(maxsize=4)(partial(old_meeting, world))

    def make(entry: int) -> Row:
        bill = bill_at(bill_of_entry(entry, count))
        place = entry % PER_MEETING + 1
        came = bill["cmt_result"] or "상정"
        own: Row = {"name": bill["name"], "number": str(place), "line": f"{place}. {bill['name']}", "came": came}
        return bill | meeting_at(entry // PER_MEETING) | own

    return make


def old_meeting(world: World, order: int) -> Row:
    """An old meeting is where a dozen neighbouring entries were dealt with, some weeks after they were received."""
    bill = old_bill_at(world, bill_of_entry(order * PER_MEETING, old_entry_count(world)))
    row = _meeting(-1 - order, (str(bill["cmt_present"]), str(bill["committee"]), str(bill["committee_id"])), 0, 1)
    term = next(term for term in terms() if str(term.number) == bill["age"])
    # A term has about 36 sessions and the present one opened with the 415th.
    session = f"제{max(1, 415 - 36 * (22 - term.number)) + order % 36}회"
    age = {"eraco": f"제{term.number}대", "dae": str(term.number), "unit_cd": f"1000{term.number:02d}"}
    title = f"{session} 제{order % 9 + 1}차 {bill['committee']}"
    return (
        row
        | age
        | {"session": session, "degree": f"제{order % 9 + 1}차", "title": title, "panel": "", "panel_code": ""}
    )


def old_meeting_order(world: World, conf_id: str) -> int | None:
    """Where a meeting ID stands among the old ones, newest first."""
    digits = conf_id.removeprefix("N")
    if len(conf_id) != 7 or not conf_id.startswith("N") or not digits.isdecimal():
        return None
    order = _FIRST_ID - 1 - int(digits)
    return order if 0 <= order <= (old_entry_count(world) - 1) // PER_MEETING else None


def old_entries_of(world: World, bill: Row) -> list[Row]:
    """Agenda entries of one old bill."""
    order = old_order(str(bill["bill_no"]))
    if order is None:
        return []
    make = old_entries(world)
    return [make(entry) for entry in entries_of_bill(order, old_entry_count(world))]
