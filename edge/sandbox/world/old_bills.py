"""Terms 1 to 21 in, their 110,650 bills and 180,000 agenda entries out, each made when somebody reaches it."""

import random
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import cast

from edge.sandbox.world.assembly import committee_names
from edge.sandbox.world.lazy import mix
from edge.sandbox.world.people import people
from edge.sandbox.world.store import Row, World, table

# Term, first day, bills received; the earliest terms share the rest evenly.
_RECENT = (
    (21, date(2020, 5, 30), 25_858), (20, date(2016, 5, 30), 24_141), (19, date(2012, 5, 30), 17_822),
    (18, date(2008, 5, 30), 13_913), (17, date(2004, 5, 30), 7_489), (16, date(2000, 5, 30), 2_507),
    (15, date(1996, 5, 30), 1_951),
)  # fmt: skip
_EARLY = (
    (14, date(1992, 5, 30)), (13, date(1988, 5, 30)), (12, date(1985, 4, 11)), (11, date(1981, 4, 11)),
    (10, date(1979, 3, 12)), (9, date(1973, 3, 12)), (8, date(1971, 7, 1)), (7, date(1967, 7, 1)),
    (6, date(1963, 12, 17)), (5, date(1960, 7, 29)), (4, date(1958, 5, 31)), (3, date(1954, 5, 31)),
    (2, date(1950, 5, 31)), (1, date(1948, 5, 31)),
)  # fmt: skip
_EARLY_BILLS = 16_969
_END = date(2024, 5, 29)
# Agenda entries an old meeting had.
PER_MEETING = 12
_FATES = ("임기만료폐기", "대안반영폐기", "원안가결", "수정가결", "철회", "부결")
_WEIGHTS = (55, 26, 9, 7, 2, 1)
# Where the seven digits of a bill number sit among the fifteen digits of its ID; the others say nothing.
_PLACES = (3, 11, 6, 0, 9, 13, 4)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Term:
    """One term: `first` is the place of its newest bill among all old ones, newest first."""

    number: int
    opened: date
    closed: date
    count: int
    first: int


@table("old_members")
def build_old_members(world: World) -> list[Row]:
    """Those who led bills in earlier terms; their names are all that is left of them."""
    return [{"name": someone.name} for someone in people(world.rng("old members"), 900)]


@cache
def terms() -> tuple[Term, ...]:
    """Terms 21 to 1."""
    share, rest = divmod(_EARLY_BILLS, len(_EARLY))
    sized = [*_RECENT, *((number, day, share + (rest if number == 1 else 0)) for number, day in _EARLY)]
    found: list[Term] = []
    closed, first = _END, 0
    for number, opened, count in sized:
        found.append(Term(number, opened, closed, count, first))
        closed, first = opened - timedelta(days=1), first + count
    return tuple(found)


def old_count() -> int:
    """How many bills the 21 terms received."""
    return terms()[-1].first + terms()[-1].count


def old_bill_at(world: World, order: int) -> Row:
    """Bill number `order` among the old ones, newest first."""
    term = next(term for term in terms() if order < term.first + term.count)
    return _bill(world, term, term.count - (order - term.first))


def old_bill(world: World, bill_id: str = "", bill_no: str = "") -> Row | None:
    """The old bill with an ID or a number; None for anything else."""
    number = _number(bill_id) if bill_id else bill_no
    order = old_order(number)
    row = old_bill_at(world, order) if order is not None else None
    return row if row is not None and bill_id in ("", row["bill_id"]) and bill_no in ("", row["bill_no"]) else None


def old_order(bill_no: str) -> int | None:
    """Where a bill number stands among the old ones, newest first."""
    if len(bill_no) != 7 or not bill_no.isdecimal():
        return None
    for term in terms():
        if term.number == int(bill_no[:2]) and 1 <= int(bill_no[2:]) <= term.count:
            return term.first + term.count - int(bill_no[2:])
    return None


def _number(bill_id: str) -> str:
    digits = bill_id.removeprefix("PRC_")[1::2]
    return "".join(digits[place] for place in _PLACES) if len(digits) == 15 else ""


def _identifier(rng: random.Random, bill_no: str) -> str:
    digits = list(f"{rng.randrange(10**15):015d}")
    for place, digit in zip(_PLACES, bill_no, strict=True):
        digits[place] = digit
    bits = rng.getrandbits(75)
    letters = (_LETTERS[(bits >> 5 * n & 31) % 26] for n in range(15))
    return "PRC_" + "".join(letter + digit for letter, digit in zip(letters, digits, strict=True))


def _bill(world: World, term: Term, number: int) -> Row:
    bill_no = f"{term.number:02d}{number:05d}"
    # Thousands are made for one page: a number seeds faster than a text.
    rng = random.Random(mix(world.seed, int(bill_no)))
    acts = _acts(world)
    committee, code = rng.choice(committee_names())
    proposed = term.opened + (term.closed - term.opened) * ((number - 1) / term.count)
    kind = rng.choices(("의원", "정부", "위원장"), (78, 14, 8))[0]
    lead = str(rng.choice(world.table("old_members"))["name"]) if kind == "의원" else ""
    bill_id = _identifier(rng, bill_no)
    return {
        "bill_id": bill_id,
        "bill_no": bill_no,
        "name": f"{rng.choice(acts)['name']} 일부개정법률안",
        "kind": "법률안",
        "proposer_kind": kind,
        "proposer": f"{lead}의원 등 {rng.randrange(10, 30)}인"
        if lead
        else "정부"
        if kind == "정부"
        else f"{committee}장",
        "lead": lead,
        "proposed": str(proposed),
        "session": f"제{term.number}대 ({proposed.year})",
        "committee": committee,
        "committee_id": code,
        "age": str(term.number),
        "eraco": f"제{term.number}대",
        "link": f"https://likms.assembly.go.kr/bill/billDetail.do?billId={bill_id}",
    } | _steps(rng, proposed, term)


def _acts(world: World) -> list[Row]:
    return world.find("laws", "kind", "법률")


def _steps(rng: random.Random, proposed: date, term: Term) -> Row:
    """Days of the steps it reached, none of them after the term; the others stay null."""
    names = ("cmt_result", "law_sent", "law_present", "law_done", "law_result", "plenary_in", "conference")
    more = ("to_government", "prom_name", "prom_day", "prom_no", "cmt_done")
    row = cast("Row", dict.fromkeys((*names, *more)))
    fate = rng.choices(_FATES, _WEIGHTS)[0]
    done = min(term.closed, proposed + timedelta(days=rng.randrange(40, 500)))
    row |= {"sent": str(min(done, proposed + timedelta(days=1))), "result": fate, "done": str(done)}
    row["cmt_present"] = str(min(done, proposed + timedelta(days=rng.randrange(8, 39))))
    if fate in ("원안가결", "수정가결"):
        row |= {"cmt_done": row["cmt_present"], "cmt_result": fate, "plenary_in": str(done), "conference": "국회본회의"}
    elif fate == "임기만료폐기":
        row["done"] = str(term.closed)
    return row


def bill_of_entry(entry: int, entries: int) -> int:
    """Which old bill an old agenda entry is about: entries are spread evenly, so that neighbours share meetings."""
    return entry * old_count() // entries


def entries_of_bill(order: int, entries: int) -> range:
    """The agenda entries of one old bill, one or two."""
    count = old_count()
    return range(-(-order * entries // count), -(-(order + 1) * entries // count))
