"""Real names of Korean acts in, statutes with versions, articles, precedents, interpretations and rules out."""

import random
from datetime import date, timedelta

from edge.sandbox.world.reading import day, mapping, read_yaml, split, texts
from edge.sandbox.world.store import Row, World, part, table

ASSEMBLY_START = date(2024, 5, 30)
_FIRST_MST = 231007
_FIRST_NUMBER = 20403
_REVISIONS = ("일부개정", "일부개정", "일부개정", "일부개정", "타법개정", "전부개정")
_RULE_SHARE = 0.4


def ymd(when: date) -> str:
    """20260615."""
    return f"{when:%Y%m%d}"


@table("laws")
def build_laws(world: World) -> list[Row]:
    """Current statutes, by name: law_id (6, stable), mst (version), promulgation number and days, ministry, kind.

    An act promulgated since the 22nd assembly opened carries the number under which that assembly passed it.
    """
    rng = world.rng("laws")
    act_only = set(texts(read_yaml("laws.yaml")["act_only"]))
    rows: list[Row] = []
    for ministry, names in mapping(read_yaml("laws.yaml")["ministries"]).items():
        code, office = ministry.split(" ")
        for item in texts(names):
            name, short, committee = split(item)
            base: Row = {"ministry_code": code, "ministry": office, "committee": committee, "act": name}
            rows.append(base | {"name": name, "short": short, "kind": "법률"})
            if name in act_only:
                continue
            rows.append(base | {"name": f"{name} 시행령", "short": "", "kind": "대통령령"})
            if rng.random() < _RULE_SHARE:
                kind = f"{office}령" if office.endswith("부") else "총리령"
                rows.append(base | {"name": f"{name} 시행규칙", "short": "", "kind": kind})
    _number(world, rng, rows)
    # The identifiers that the provider's own documents use as their example.
    next(row for row in rows if row["name"] == "소득세법").update({"law_id": "001565", "mst": "253527"})
    return sorted(rows, key=lambda row: str(row["name"]))


def _number(world: World, rng: random.Random, rows: list[Row]) -> None:
    """Promulgation days first, then numbers in the order of the days, one sequence for each kind of statute."""
    for order, row in enumerate(rows):
        recent = row["kind"] != "법률" or rng.random() < 0.8
        oldest = ASSEMBLY_START + timedelta(days=70) if recent else ASSEMBLY_START - timedelta(days=1500)
        newest = world.today - timedelta(days=12) if recent else ASSEMBLY_START - timedelta(days=40)
        when = oldest + timedelta(days=rng.randrange((newest - oldest).days))
        row["day"] = when
        row["law_id"] = f"{137 + 29 * order:06d}"
        row["promulgated"] = ymd(when)
        row["effective"] = ymd(when + timedelta(days=rng.choice((0, 90, 180, 180, 365))))
        row["revision"] = rng.choice(_REVISIONS)
    rows_by_day = sorted(rows, key=lambda row: (str(row["promulgated"]), str(row["law_id"])))
    counters = {"법률": _FIRST_NUMBER - 700, "대통령령": 33902}
    for order, row in enumerate(rows_by_day):
        kind = str(row["kind"]) if row["kind"] in counters else "부령"
        if kind == "법률" and str(row["promulgated"]) >= ymd(ASSEMBLY_START):
            counters[kind] = max(counters[kind], _FIRST_NUMBER)
        counters[kind] = counters.get(kind, 1203) + rng.randrange(1, 9)
        row["number"] = f"{counters[kind]:05d}"
        row["mst"] = str(_FIRST_MST + 37 * order + rng.randrange(30))
        row["state"] = "현행" if str(row["effective"]) <= ymd(world.today) else "시행예정"


@part("law_articles")
def build_articles(world: World, law_id: str) -> list[Row]:
    """Articles of one statute: number, branch, title, JO (6 digits), text, paragraphs and the day of last change."""
    found = world.find("laws", "law_id", law_id)
    if not found:
        return []
    law = found[0]
    rng = world.rng("articles", law_id)
    topics = texts(read_yaml("laws.yaml")["topics"])
    count = rng.randrange(14, 26) if law["kind"] == "법률" else rng.randrange(8, 16)
    chosen = ["목적", "정의", *[topic for topic in topics[1:] if rng.random() < count / len(topics)]]
    rows: list[Row] = []
    number, branch = 0, 0
    for topic in chosen:
        if number > 3 and rng.random() < 0.12:
            branch += 1
        else:
            number, branch = number + 1, 0
        rows.append(_article(world, law, rng, topic, number, branch))
    return rows


def _article(world: World, law: Row, rng: random.Random, topic: str, number: int, branch: int) -> Row:
    head = f"제{number}조" + (f"의{branch + 1}" if branch else "") + f"({topic})"
    name = law["name"]
    if topic == "목적":
        lines: list[str] = []
        aim = "필요한 사항을 정함으로써 국민의 권리와 공공복리의 증진에 이바지함을 목적으로 한다."
        body = f"{head} 이 {_self_name(str(law['kind']))}은 「{law['act']}」의 시행에 {aim}"
    else:
        body = head
        lines = [
            f"① {_head(str(law['ministry']))}은 {name}에 따른 {topic}에 관한 사항을 정하여 고시하여야 한다.",
            f"② 제1항에 따른 {topic}의 기간은 {rng.choice((7, 10, 14, 15, 20, 30, 60, 90))}일 이내로 한다.",
            f"③ 제1항을 위반한 자에게는 {rng.randrange(1, 31) * 100}만원 이하의 과태료를 부과한다.",
        ][: rng.randrange(1, 4)]
    amended = day(law["day"])
    changed = amended if rng.random() < 0.35 else amended - timedelta(days=rng.randrange(200, 3000))
    return {
        "number": str(number),
        "branch": str(branch + 1) if branch else "",
        "jo": f"{number:04d}{branch + 1 if branch else 0:02d}",
        "title": topic,
        "text": body,
        "paragraphs": lines,
        "changed": ymd(changed),
    }


def _self_name(kind: str) -> str:
    """What a statute calls itself: 이 법, 이 영, 이 규칙."""
    return {"법률": "법", "대통령령": "영"}.get(kind, "규칙")


def _head(ministry: str) -> str:
    """The office that acts: ministers, heads of agencies and commissions are called differently."""
    if ministry.endswith("부"):
        return f"{ministry}장관"
    return (
        f"{ministry}장"
        if ministry.endswith(("청", "처"))
        else f"{ministry}위원장".replace("위원회위원장", "위원회 위원장")
    )


@part("law_history")
def build_history(world: World, law_id: str) -> list[Row]:
    """One row a change of an article of a statute, newest first, with the statute's own columns."""
    found = world.find("laws", "law_id", law_id)
    rows: list[Row] = []
    for article in world.part("law_articles", law_id) if found else []:
        rng = world.rng("history", law_id, article["jo"])
        changed = str(article["changed"])
        when = date(int(changed[:4]), int(changed[4:6]), int(changed[6:]))
        for order in range(rng.randrange(1, 5)):
            reason = "제정" if order == 3 else rng.choice(("개정", "개정", "신설", "타법개정에 따른 자구 수정"))
            rows.append(
                found[0] | {"jo": article["jo"], "article": article["text"], "changed": ymd(when), "reason": reason}
            )
            when -= timedelta(days=rng.randrange(150, 1400))
    return sorted(rows, key=lambda row: str(row["changed"]), reverse=True)


@table("precedents")
def build_precedents(world: World) -> list[Row]:
    """Court decisions, newest first: serial (6), case name and number, court, when with dots, statutes referred to."""
    rng = world.rng("precedents")
    acts = [row for row in world.table("laws") if row["kind"] == "법률"]
    areas = mapping(read_yaml("laws.yaml")["court_areas"])
    marks = {"민사": "다", "형사": "도", "일반행정": "두", "세무": "두", "가사": "므", "특허": "후"}
    rows: list[Row] = []
    for order in range(900):
        area = rng.choice(("민사", "민사", "민사", "형사", "형사", "일반행정", "세무", "가사", "특허"))
        when = world.today - timedelta(days=30 + rng.randrange(3000))
        court = (
            "대법원"
            if rng.random() < 0.8
            else rng.choice(("서울고등법원", "부산고등법원", "수원지방법원", "대전고등법원"))
        )
        law = acts[order % len(acts)]
        subject = rng.choice(texts(areas[area]))
        article = f"제{rng.randrange(2, 25)}조"
        manner = rng.choice(("엄격하게", "합리적으로", "목적에 맞게"))
        rows.append(
            {
                "serial": str(217011 + 17 * order + rng.randrange(15)),
                "title": subject,
                "case_no": f"{when.year - rng.randrange(1, 4)}{marks[area]}{rng.randrange(200000, 299999)}",
                "court": court,
                "court_kind": "400201" if court == "대법원" else "400202",
                "day": f"{when:%Y.%m.%d}",
                "ymd": ymd(when),
                "verdict": rng.choice(("판결", "판결", "판결", "결정")),
                "area": area,
                "law": law["name"],
                "refers": f"{law['name']} {article}",
                "precedent": f"대법원 {when.year - 5}. {rng.randrange(1, 13)}. {rng.randrange(1, 29)}. 선고 판결",
                "holding": f"[1] {law['name']} {article}의 판단 기준 [2] {subject} 사건에서 법리오해가 있는지 여부",
                "gist": f"{law['name']} {article}의 취지와 문언에 비추어 {manner} 해석하여야 한다.",
            }
        )
    return sorted(rows, key=lambda row: (str(row["ymd"]), str(row["serial"])), reverse=True)


@table("interpretations")
def build_interpretations(world: World) -> list[Row]:
    """Answers of the ministry of legislation, newest first: serial (6), title, docket number, asker, when."""
    rng = world.rng("interpretations")
    acts = [row for row in world.table("laws") if row["kind"] == "법률"]
    topics = texts(read_yaml("laws.yaml")["topics"])
    rows: list[Row] = []
    for order in range(360):
        law, topic = acts[(order * 7) % len(acts)], rng.choice(topics)
        when = world.today - timedelta(days=20 + rng.randrange(2600))
        verdict = rng.choice(("포함됩니다", "포함되지 않습니다", "준하여 취급해야 합니다"))
        clause = f"제{rng.randrange(2, 25)}조제{rng.randrange(1, 4)}항"
        rows.append(
            {
                "serial": str(310015 + 61 * order + rng.randrange(55)),
                "title": f"{law['ministry']} - {topic}의 범위({law['name']} {clause} 등 관련)",
                "docket": f"{when.year % 100:02d}-{order % 900 + 100:04d}",
                "asker": law["ministry"] if rng.random() < 0.6 else "민원인",
                "answerer": "법제처",
                "ymd": ymd(when),
                "law": law["name"],
                "question": f"{law['name']} {clause}에 따른 {topic}에 지방자치단체의 장이 포함되는지?",
                "answer": f"이 사안의 경우 {topic}에 {verdict}.",
                "reason": f"{law['name']}의 입법취지와 {clause}의 문언을 종합하면 위와 같이 보는 것이 타당합니다.",
            }
        )
    return sorted(rows, key=lambda row: (str(row["ymd"]), str(row["serial"])), reverse=True)


@table("admin_rules")
def build_admin_rules(world: World) -> list[Row]:
    """Administrative rules in force: serial (13, a version), rule_id (5, stable), name, kind, when, ministry."""
    rng = world.rng("admin_rules")
    acts = [row for row in world.table("laws") if row["kind"] == "법률"]
    subjects = texts(read_yaml("laws.yaml")["rule_subjects"])
    rows: list[Row] = []
    for order in range(420):
        law = acts[(order * 5) % len(acts)]
        when = world.today - timedelta(days=5 + rng.randrange(1800))
        subject = subjects[(order + order // len(acts) * 3) % len(subjects)]
        rows.append(
            {
                "serial": f"21000002{40001 + 97 * order + rng.randrange(90):05d}",
                "rule_id": str(20011 + 41 * order + rng.randrange(40)),
                "name": f"{law['name']}에 따른 {subject}",
                "kind": rng.choice(("고시", "고시", "훈령", "예규")),
                "ymd": ymd(when),
                "effective": ymd(when + timedelta(days=rng.choice((0, 0, 30)))),
                "number": f"{when.year}-{rng.randrange(1, 300)}",
                "ministry": law["ministry"],
                "ministry_code": law["ministry_code"],
                "act": law["name"],
                "subject": subject,
                "articles": [
                    f"제1조(목적) 이 규정은 {law['name']}에 따른 {subject}에 필요한 사항을 정한다.",
                    f"제2조(처리기한) 신청을 받은 날부터 {rng.choice((5, 7, 10, 14, 20, 30))}일 이내에 처리한다.",
                    f"제3조(재검토기한) {when.year + 3}년 12월 31일까지 타당성을 검토한다.",
                ],
            }
        )
    return sorted(rows, key=lambda row: str(row["name"]))
