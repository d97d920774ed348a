"""Bills in, what happened to them on each day, notices for comments, and counts by kind out."""

from datetime import date, timedelta

from edge.sandbox.world.store import Row, World, table

# column of the day -> (stage, step)
_STAGES = (
    ("proposed", "접수", "의안접수", "접수"), ("sent", "위원회 심사", "소관위 회부", "회부"),
    ("cmt_present", "위원회 심사", "소관위 상정", "상정"), ("cmt_done", "위원회 심사", "소관위 처리", "처리"),
    ("law_sent", "체계자구 심사", "법사위 회부", "회부"), ("law_done", "체계자구 심사", "법사위 처리", "처리"),
    ("done", "본회의 심의", "본회의 의결", "의결"), ("to_government", "정부이송", "정부이송", "이송"),
    ("prom_day", "공포", "공포", "공포"),
)  # fmt: skip
_KEPT = ("bill_id", "bill_no", "name", "age", "kind", "committee", "committee_id", "link")
_NOTICE_DAYS = 15


@table("bill_days")
def build_days(world: World) -> list[Row]:
    """One row a bill and step it reached: day, stage, step and what was done."""
    rows: list[Row] = []
    for bill in world.table("bills"):
        base = {column: bill[column] for column in _KEPT}
        rows += [
            base | {"day": str(bill[column]), "stage": stage, "step": step, "act": act}
            for column, stage, step, act in _STAGES
            if bill[column]
        ]
    rows.sort(key=lambda row: (str(row["day"]), str(row["bill_no"])), reverse=True)
    for order, row in enumerate(rows, start=1):
        row["seq"] = order
    return rows


@table("bill_notices")
def build_notices(world: World) -> list[Row]:
    """Bills put up for comments when they were sent to a committee, with the last day of the notice."""
    rows: list[Row] = []
    for bill in world.table("bills"):
        if bill["sent"] and bill["proposer_kind"] == "의원":
            end = date.fromisoformat(str(bill["sent"])) + timedelta(days=_NOTICE_DAYS)
            state = "ongoing" if end >= world.today else "ended"
            base = f"https://pal.assembly.go.kr/napal/lgsltpa/lgsltpa{state.capitalize()}/view.do"
            rows.append(bill | {"until": str(end), "state": state, "notice": f"{base}?lgsltPaId={bill['bill_id']}"})
    return rows


@table("open_notices")
def build_open_notices(world: World) -> list[Row]:
    """Notices that take comments today."""
    return world.find("bill_notices", "state", "ongoing")


@table("decided_bills")
def build_decided(world: World) -> list[Row]:
    """Bills with a result, latest decision first."""
    decided = [row for row in world.table("bills") if row["result"]]
    return sorted(decided, key=lambda row: (str(row["done"]), str(row["bill_no"])), reverse=True)


@table("plenary_bills")
def build_plenary_bills(world: World) -> list[Row]:
    """Bills that came before the plenary, with the votes cast."""
    return [row for row in world.table("votes") if row["plenary_in"]]


@table("bill_counts")
def build_bill_counts(world: World) -> list[Row]:
    """Bills by who proposed them: received, dealt with, waiting."""
    rows: list[Row] = []
    for kind in ("의원", "위원장"):
        own = world.find("bills", "proposer_kind", kind)
        done = sum(bool(row["result"]) for row in own)
        counts: Row = {"received": len(own), "done": done, "waiting": len(own) - done}
        rows.append({"eraco": "제22대", "group": "법률안", "kind": kind} | counts)
    return rows


@table("sessions")
def build_sessions(world: World) -> list[Row]:
    """Sessions of the term, newest first, from the first sitting of each to its last."""
    days: dict[str, list[str]] = {}
    for sitting in world.table("plenary_days"):
        days.setdefault(str(sitting["session"]).partition("국회")[0], []).append(str(sitting["day"]).replace("-", "."))
    return [{"eraco": "제22대", "session": name, "from": min(own), "to": max(own)} for name, own in days.items()]


@table("assembly_schedule")
def build_schedule(world: World) -> list[Row]:
    """Plenary sittings, committee meetings and events of members, newest first."""
    rows: list[Row] = []
    for sitting in world.table("plenary_days"):
        when = str(sitting["hour"])
        base: Row = {
            "kind": "본회의",
            "text": sitting["title"],
            "day": sitting["day"],
            "hour": f"{when[:2]}:{when[2:]}",
        }
        rows.append(base | {"what": "본회의", "session": sitting["session"], "degree": sitting["cha"]})
    for meeting in world.find("meetings", "kind", "상임위원회"):
        base = {"kind": "위원회", "text": meeting["title"], "day": meeting["day"], "hour": meeting["begins"]}
        part: Row = {"session": meeting["session_long"], "degree": meeting["degree"]}
        rows.append(base | part | {"what": meeting["kind"], "committee": meeting["committee"]})
    rng = world.rng("assembly events")
    topics = ("지역 의료", "청년 주거", "기후 적응", "농어촌 교통", "디지털 교육", "중소기업 금융", "돌봄 노동")
    for member in world.table("members"):
        for _ in range(rng.randrange(2, 9)):
            day = world.today - timedelta(days=rng.randrange(-14, 700))
            text = f"{rng.choice(topics)} 정책 토론회"
            place = f"의원회관 제{rng.randrange(1, 10)}세미나실"
            event: Row = {"host": f"{member['name']} 의원실", "place": place, "hour": f"{rng.choice((10, 14))}:00~"}
            rows.append({"kind": "국회행사", "text": text, "day": str(day)} | event)
    return sorted(rows, key=lambda row: str(row["day"]), reverse=True)


@table("all_petitions")
def build_all_petitions(world: World) -> list[Row]:
    """Petitions of the term, newest first: ptt_id (PRC_ + 30) beside the seven-digit number, agreement, outcome."""
    rows: list[Row] = []
    for member in world.table("members"):
        for row in world.part("petitions", str(member["mona_cd"])):
            rng = world.rng("petition", row["ptt_no"])
            letters = rng.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ", k=15)
            identifier = "PRC_" + "".join(letter + str(rng.randrange(10)) for letter in letters)
            open_days = (world.today - date.fromisoformat(str(row["received"]))).days
            ended = open_days > 200 and rng.random() < 0.5
            presented = str(date.fromisoformat(str(row["sent"])) + timedelta(days=40)) if open_days > 60 else None
            rows.append(
                row
                | {
                    "ptt_id": identifier,
                    "kind": "의원소개",
                    "agreed": None,
                    "presented": presented,
                    "done": str(date.fromisoformat(str(row["sent"])) + timedelta(days=150)) if ended else None,
                    "result": rng.choice(("본회의불부의", "철회")) if ended else None,
                    "link": f"https://petitions.assembly.go.kr/status/registered/{identifier}",
                }
            )
    return sorted(rows, key=lambda row: (str(row["received"]), str(row["ptt_no"])), reverse=True)


@table("member_terms")
def build_member_terms(world: World) -> list[Row]:
    """One row a member and term won: what for, from when to when, unit code 1000NN."""
    rows: list[Row] = []
    for member in world.table("members"):
        for back in range(int(str(member["terms"]))):
            term, opened = 22 - back, 2024 - 4 * back
            seat = member["orig"] if back == 0 or member["orig"] != "비례대표" else "비례대표"
            until = "" if back == 0 else f"{opened + 4}.05.29"
            unit: Row = {"unit_cd": f"1000{term}", "unit_nm": f"제{term}대"}
            title = f"제{term}대 {member['party']} {seat}"
            rows.append(member | unit | {"subject": title, "dates": f"{opened}.05.30 ~ {until}"})
    return rows
