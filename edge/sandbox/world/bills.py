"""Acts and members in, about 6,000 bills of the 22nd assembly with proposers, progress and votes out."""

import random
from datetime import date, timedelta
from typing import cast

from edge.sandbox.world.assembly import TERM_START
from edge.sandbox.world.old_bills import old_bill
from edge.sandbox.world.reading import day, integer, mapping, texts
from edge.sandbox.world.store import Row, World, part, table

BILL_COUNT = 6000
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FIRST_NO = 2200001
_STEPS = (
    *("sent", "cmt_present", "cmt_done", "cmt_result", "law_sent", "law_present", "law_done", "law_result"),
    *("plenary_in", "done", "result", "conference", "to_government", "prom_name", "prom_day", "prom_no"),
)


@table("bills")
def build_bills(world: World) -> list[Row]:
    """All bills, newest first: bill_id (PRC_ + 30), bill_no (7), name, proposers, committee and each step's day.

    A bill that became law carries the promulgation number and day of the act it amended.
    """
    rng = world.rng("bills")
    acts = [row for row in world.table("laws") if row["kind"] == "법률"]
    members = world.table("members")
    codes = {str(c["name"]): str(c["code"]) for c in world.table("committees")}
    drafts: list[Row] = []
    span = (world.today - TERM_START).days - 3
    for _ in range(BILL_COUNT - len(acts)):
        proposed = TERM_START + timedelta(days=int(span * rng.random()))
        drafts.append({"proposed": proposed, "law": rng.choice(acts), "fate": _fate(rng, world.today - proposed)})
    for act in acts:
        promulgated = day(act["day"])
        if promulgated > TERM_START + timedelta(days=60):
            before = rng.randrange(45, max(46, min(400, (promulgated - TERM_START).days - 2)))
            drafts.append({"proposed": promulgated - timedelta(days=before), "law": act, "fate": "공포"})
    drafts.sort(key=lambda draft: str(draft["proposed"]))
    rows = [_bill(rng, order, draft, members, codes) for order, draft in enumerate(drafts)]
    return rows[::-1]


def _fate(rng: random.Random, age: timedelta) -> str:
    if age < timedelta(days=40):
        return "접수" if rng.random() < 0.5 else "회부"
    return rng.choices(("회부", "상정", "대안반영폐기", "철회"), (46, 34, 18, 2))[0]


def _bill(rng: random.Random, order: int, draft: Row, members: list[Row], codes: dict[str, str]) -> Row:
    target, proposed, fate = mapping(draft["law"]), day(draft["proposed"]), draft["fate"]
    by_committee = fate == "공포" and rng.random() < 0.4
    proposers = rng.sample(members, rng.randrange(10, 16))
    lead = proposers[0]
    committee = str(target["committee"])
    number = str(_FIRST_NO + order)
    bill_id = "PRC_" + "".join(rng.choice(_LETTERS) + str(rng.randrange(10)) for _ in range(15))
    row: Row = {
        "bill_id": bill_id,
        "bill_no": number,
        "name": f"{target['name']} 일부개정법률안" + (f"(대안)({committee}장)" if by_committee else ""),
        "kind": "법률안",
        "proposer_kind": "위원장" if by_committee else "의원",
        "proposer": f"{committee}장" if by_committee else f"{lead['name']}의원 등 {len(proposers)}인",
        "lead": "" if by_committee else lead["name"],
        "lead_code": "" if by_committee else lead["mona_cd"],
        "joint": "" if by_committee else ",".join(str(m["name"]) for m in proposers[1:]),
        "joint_codes": "" if by_committee else ",".join(str(m["mona_cd"]) for m in proposers[1:]),
        "member_codes": [] if by_committee else [str(m["mona_cd"]) for m in proposers],
        "proposed": str(proposed),
        "session": f"제22대 ({proposed.year}) 제{415 + (proposed - TERM_START).days // 60}회",
        "committee": committee,
        "committee_id": codes[committee],
        "age": "22",
        "eraco": "제22대",
        "law": target["name"],
        "link": f"https://likms.assembly.go.kr/bill/billDetail.do?billId={bill_id}",
        "members_link": f"http://likms.assembly.go.kr/bill/coactorListPopup.do?billId={bill_id}",
        "detail_link": f"http://likms.assembly.go.kr/bill/billDetail.do?billId={bill_id}&ageFrom=22&ageTo=22",
        "fate": fate,
    }
    return row | _steps(rng, proposed, target, str(fate))


def _steps(rng: random.Random, proposed: date, law: Row, fate: str) -> Row:
    """Days of each step that was reached; the rest stay null, as on the platform."""
    row = cast("Row", dict.fromkeys(_STEPS))
    if fate == "접수":
        return row
    row["sent"] = str(proposed + timedelta(days=rng.randrange(1, 4)))
    if fate == "회부":
        return row
    row["cmt_present"] = str(proposed + timedelta(days=rng.randrange(8, 30)))
    if fate == "철회":
        return row | {"result": "철회", "done": str(proposed + timedelta(days=33))}
    if fate == "대안반영폐기":
        done = str(proposed + timedelta(days=rng.randrange(33, 40)))
        return row | {"cmt_done": done, "cmt_result": "대안반영폐기", "result": "대안반영폐기", "done": done}
    if fate == "공포":
        promulgated = day(law["day"])
        plenary = promulgated - timedelta(days=12)
        result = rng.choice(("원안가결", "원안가결", "수정가결"))
        row |= {
            "cmt_present": str(plenary - timedelta(days=24)),
            "cmt_done": str(plenary - timedelta(days=15)), "cmt_result": result,
            "law_sent": str(plenary - timedelta(days=14)), "law_present": str(plenary - timedelta(days=3)),
            "law_done": str(plenary - timedelta(days=2)), "law_result": result,
            "plenary_in": str(plenary), "done": str(plenary), "result": result,
            "conference": "국회본회의", "to_government": str(plenary + timedelta(days=4)),
            "prom_name": law["name"], "prom_day": str(promulgated), "prom_no": law["number"],
        }  # fmt: skip
    return row


@table("member_bills")
def build_member_bills(world: World) -> list[Row]:
    """The bills that members proposed; those a committee proposed are left out."""
    return [row for row in world.table("bills") if row["proposer_kind"] == "의원"]


@table("pending_bills")
def build_pending_bills(world: World) -> list[Row]:
    """Bills waiting in a committee: sent there, no result yet."""
    return [row for row in world.table("bills") if row["sent"] and not row["result"]]


@table("votes")
def build_votes(world: World) -> list[Row]:
    """One row a plenary vote on a bill: result, members seated, votes cast, yes, no and abstentions."""
    rows: list[Row] = []
    for bill in world.table("bills"):
        if bill["plenary_in"]:
            rng = world.rng("vote", bill["bill_id"])
            cast = rng.randrange(165, 292)
            no, blank = int(cast * rng.random() ** 3 * 0.4), rng.randrange(0, 14)
            counts: Row = {"seated": 300, "cast": cast, "yes": cast - no - blank, "no": no, "blank": blank}
            rows.append(bill | counts)
    return sorted(rows, key=lambda row: (str(row["done"]), str(row["bill_no"])), reverse=True)


@part("member_votes")
def build_member_votes(world: World, bill_id: str) -> list[Row]:
    """How each member voted on one bill; the counts equal those of the vote."""
    found = world.find("votes", "bill_id", bill_id)
    if not found:
        return []
    vote = found[0]
    rng = world.rng("member votes", bill_id)
    members = list(world.table("members"))
    rng.shuffle(members)
    marks = [
        label for label, key in (("찬성", "yes"), ("반대", "no"), ("기권", "blank")) for _ in range(integer(vote[key]))
    ]
    marks += ["불참"] * (len(members) - len(marks))
    rows: list[Row] = []
    for order, (member, mark) in enumerate(zip(members, marks, strict=True)):
        done = str(vote["done"]).replace("-", "")
        rows.append(
            vote
            | {
                "member_name": member["name"],
                "hanja": member["hanja"],
                "party": member["party"],
                "orig": member["orig"],
                "mona_cd": member["mona_cd"],
                "member_no": member["member_no"],
                "vote": mark,
                "session_cd": 415 + int(done) % 97 // 6,
                "currents_cd": int(done) % 12 + 1,
                "vote_day": f"{done} 14{order // 60:02d}{order % 60:02d}",
            }
        )
    return sorted(rows, key=lambda row: str(row["member_name"]))


@part("proposers")
def build_proposers(world: World, bill_id: str) -> list[Row]:
    """Members who proposed one bill, the lead first; a committee's bill has its committee alone."""
    found = world.find("bills", "bill_id", bill_id)
    bill = found[0] if found else old_bill(world, bill_id)
    if bill is None:
        return []
    rows: list[Row] = []
    # Of earlier terms only the lead is known.
    for order, code in enumerate(texts(bill.get("member_codes", []))):
        member = world.find("members", "mona_cd", code)[0]
        rows.append(
            bill
            | {
                "member_name": member["name"],
                "hanja": member["hanja"],
                "party": member["party"],
                "role": "대표발의" if order == 0 else "공동발의",
            }
        )
    alone: Row = {"member_name": bill["lead"] or bill["proposer"], "hanja": "", "party": "", "role": "대표발의"}
    return rows or [bill | alone]
