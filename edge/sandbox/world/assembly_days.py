"""The term's first day and its members in, plenary sittings and petitions out."""

from datetime import timedelta

from edge.sandbox.world.assembly import TERM_START
from edge.sandbox.world.reading import read_yaml, texts
from edge.sandbox.world.store import Row, World, part, table


@table("plenary_days")
def build_plenary_days(world: World) -> list[Row]:
    """Plenary sittings of the 22nd assembly, newest first: session, ordinal, title, day, hour."""
    rows: list[Row] = []
    day, session, sitting = TERM_START + timedelta(days=6), 415, 1
    rng = world.rng("plenary")
    while day < world.today + timedelta(days=20):
        regular = day.month in (9, 10, 11, 12)
        kind = "정기회" if regular else "임시회"
        rows.append(
            {
                "session": f"제{session}회국회({kind})",
                "cha": f"제{sitting}차 ",
                "title": f"제{session}-{sitting}차(의사일정)",
                "day": str(day),
                "hour": rng.choice(("1000", "1400", "1400", "1500")),
                "unit_cd": "100022",
                "unit_nm": "제22대",
                "link": f"https://www.assembly.go.kr/portal/na/agenda/agendaSchl.do?uniqId=11000{session}{sitting:02d}",
            }
        )
        day += timedelta(days=rng.choice((1, 2, 5, 7, 8, 9, 14)))
        while day.weekday() >= 5:
            day += timedelta(days=1)
        sitting += 1
        if rng.random() < 0.17:
            session, sitting = session + 1, 1
    return rows[::-1]


@part("petitions")
def build_petitions(world: World, mona_cd: str) -> list[Row]:
    """Petitions one member introduced; the petitioners are not named. Some members have none."""
    found = world.find("members", "mona_cd", mona_cd)
    if not found:
        return []
    rng = world.rng("petitions", mona_cd)
    subjects = texts(read_yaml("assembly.yaml")["petition_subjects"])
    number = int(str(found[0]["member_no"])) - 4000
    rows: list[Row] = []
    for order, subject in enumerate(rng.sample(subjects, rng.choice((0, 1, 1, 2, 2, 3, 4)))):
        received = TERM_START + timedelta(days=30 + rng.randrange((world.today - TERM_START).days - 40))
        rows.append(
            found[0]
            | {
                "ptt_no": f"22{number * 4 + order + 1:05d}",
                "ptt_title": f"{subject}에 관한 청원",
                "received": str(received),
                "sent": str(received + timedelta(days=2)),
                "eraco": "제22대",
            }
        )
    return sorted(rows, key=lambda row: str(row["received"]), reverse=True)
