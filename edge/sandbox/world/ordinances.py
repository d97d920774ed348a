"""Acts and local governments in, ordinances, appeal decisions, constitutional decisions and rulings out."""

from datetime import timedelta
from functools import cache

from edge.sandbox.world.laws import ymd
from edge.sandbox.world.lazy import LazyRows, mix
from edge.sandbox.world.reading import read_yaml, texts
from edge.sandbox.world.store import Row, World, table

_PER_GOVERNMENT = 14
_FORMS = ("지원 조례", "조례", "위원회 운영 조례", "기금 설치 및 운용 조례", "시행규칙")
_TAX_RULINGS = 135_765
_ROAD_RULINGS = 5_660
_TAX_ACTS = (
    "소득세법",
    "법인세법",
    "부가가치세법",
    "상속세 및 증여세법",
    "종합부동산세법",
    "조세특례제한법",
    "국세기본법",
)
_ROAD_ACTS = (
    "건축법",
    "주택법",
    "자동차관리법",
    "공인중개사법",
    "도시 및 주거환경정비법",
    "국토의 계획 및 이용에 관한 법률",
)


def _acts(world: World) -> list[Row]:
    return world.find("laws", "kind", "법률")


@table("ordinances")
def build_ordinances(world: World) -> list[Row]:
    """Ordinances by name: ord_id (7, stable), mst (7, a version), the act they rest on, government, kind, days."""
    acts = _acts(world)
    names = {str(row["short"]): str(row["name"]) for row in world.table("provinces")}
    rows: list[Row] = []
    for order, gov in enumerate(world.table("local_governments")):
        rng = world.rng("ordinances", gov["laf_cd"])
        wide = str(gov["wide_name"])
        own = str(gov["name"]).removeprefix(wide).removesuffix("본청")
        place = f"{names[wide]} {own}".strip()
        for number, act in enumerate(rng.sample(acts, _PER_GOVERNMENT)):
            form = rng.choice(_FORMS)
            day = world.today - timedelta(days=rng.randrange(20, 3600))
            stem = str(act["name"]).removesuffix("에 관한 법률").removesuffix("법")
            serial = order * _PER_GOVERNMENT + number
            rows.append(
                {
                    "ord_id": f"{2_000_101 + 7 * serial}",
                    "mst": f"{1_300_007 + 31 * serial + rng.randrange(29)}",
                    "name": f"{place} {stem} {form}",
                    "act": act["name"],
                    "act_id": act["law_id"],
                    "place": place,
                    "kind": "규칙" if form == "시행규칙" else "조례",
                    "promulgated": ymd(day),
                    "effective": ymd(day + timedelta(days=rng.choice((0, 0, 30, 90)))),
                    "number": f"{rng.randrange(200, 4000)}",
                    "revision": rng.choice(("제정", "일부개정", "일부개정", "전부개정", "타법개정")),
                    "subject": stem,
                    "code5": str(gov["laf_cd"])[:5],
                }
            )
    return sorted(rows, key=lambda row: str(row["name"]))


@table("appeals")
def build_appeals(world: World) -> list[Row]:
    """Decisions on administrative appeals, newest first: serial (6), case, days, authority, decision."""
    rng = world.rng("appeals")
    acts = _acts(world)
    kinds = (
        "영업정지처분 취소청구",
        "과징금부과처분 취소청구",
        "정보공개거부처분 취소청구",
        "운전면허취소처분 취소청구",
    )
    rows: list[Row] = []
    for order in range(640):
        act = acts[order % len(acts)]
        acted = world.today - timedelta(days=120 + rng.randrange(2500))
        decided = acted + timedelta(days=rng.randrange(60, 118))
        result = rng.choices(("기각", "인용", "각하", "일부인용"), (62, 18, 12, 8))[0]
        rows.append(
            {
                "serial": f"{180_003 + 23 * order + rng.randrange(20)}",
                "title": f"{act['name']} 위반 {rng.choice(kinds)}",
                "case_no": f"{decided.year}-{rng.randrange(1000, 29000):05d}",
                "acted": ymd(acted),
                "ymd": ymd(decided),
                "authority": rng.choice(("서울특별시장", "경기도지사", "부산광역시장", str(act["ministry"]))),
                "tribunal": "중앙행정심판위원회",
                "result": result,
                "order": f"청구인의 청구를 {result}한다.",
                "claim": f"피청구인이 {ymd(acted)} 청구인에게 한 처분을 취소한다.",
                "reason": f"{act['name']}의 취지와 처분의 경위를 종합하면 위와 같이 판단된다.",
            }
        )
    return sorted(rows, key=lambda row: (str(row["ymd"]), str(row["serial"])), reverse=True)


@table("constitutional_decisions")
def build_constitutional(world: World) -> list[Row]:
    """Constitutional Court decisions on acts, newest first: serial (5), case name and number, day, gist."""
    rng = world.rng("constitutional")
    rows: list[Row] = []
    for order, act in enumerate(_acts(world) * 3):
        day = world.today - timedelta(days=30 + rng.randrange(6000))
        article = f"제{rng.randrange(2, 25)}조"
        outcome = rng.choice(("합헌", "합헌", "기각", "헌법불합치", "위헌", "각하"))
        rows.append(
            {
                "serial": f"{11_003 + 19 * order + rng.randrange(17)}",
                "title": f"{act['name']} {article} 위헌확인",
                "case_no": f"{day.year - 2}헌{rng.choice('가나마바')}{rng.randrange(1, 1500)}",
                "ymd": ymd(day),
                "law": act["name"],
                "gist": f"{act['name']} {article}는 과잉금지원칙에 비추어 {outcome}로 판단된다.",
                "text": f"【주문】 {outcome} 【이유】 {act['name']} {article}의 입법목적을 살핀다.",
            }
        )
    return sorted(rows, key=lambda row: (str(row["ymd"]), str(row["serial"])), reverse=True)


@table("fair_trade_decisions")
def build_fair_trade(world: World) -> list[Row]:
    """Decisions of the fair trade commission, newest first, on companies of this world."""
    rng = world.rng("fair_trade_decisions")
    companies = world.table("companies")
    wrongs = (
        "부당한 공동행위",
        "불공정하도급거래행위",
        "부당한 표시ㆍ광고행위",
        "시장지배적지위 남용행위",
        "가맹사업법 위반행위",
    )
    rows: list[Row] = []
    for order in range(480):
        day = world.today - timedelta(days=15 + rng.randrange(3000))
        rows.append(
            {
                "serial": f"{6_001 + 11 * order + rng.randrange(9)}",
                "title": f"{rng.choice(companies)['formal_name']}의 {rng.choice(wrongs)}에 대한 건",
                "case_no": f"{day.year}{rng.choice(('서감', '전사', '부사', '카총'))}{rng.randrange(100, 3000):04d}",
                "ymd": ymd(day),
            }
        )
    return sorted(rows, key=lambda row: (str(row["ymd"]), str(row["serial"])), reverse=True)


@table("annexes")
def build_annexes(world: World) -> list[Row]:
    """Annexed tables and forms of statutes: serial, title, statute, kind, file."""
    rows: list[Row] = []
    for order, law in enumerate(world.table("laws")):
        titles = (("별표", f"{law['name']} 과태료의 부과기준"), ("서식", "등록 신청서"), ("서식", "변경신고서"))
        for number, (kind, title) in enumerate(titles, start=1):
            serial = f"{13_000_001 + 10 * order + number}"
            link = f"/LSW/flDownload.do?flSeq={serial}"
            base: Row = {"serial": serial, "title": title, "law": law["name"], "law_id": law["law_id"], "kind": kind}
            rows.append(base | {"link": link, "ministry_code": law["ministry_code"]})
    return rows


def tax_rulings(world: World) -> LazyRows:
    """All 135,765 rulings of the tax office, newest first, made as they are reached."""
    return LazyRows(_TAX_RULINGS, lambda n: _ruling(world, n, _TAX_RULINGS, _TAX_ACTS, "국세청", 400_000))


def road_rulings(world: World) -> LazyRows:
    """The 5,660 rulings of the transport ministry, newest first."""
    return LazyRows(_ROAD_RULINGS, lambda n: _ruling(world, n, _ROAD_RULINGS, _ROAD_ACTS, "국토교통부", 320_000))


@cache
def _topics() -> list[str]:
    return texts(read_yaml("laws.yaml")["topics"])


def _ruling(world: World, order: int, count: int, acts: tuple[str, ...], office: str, first: int) -> Row:
    bits = mix(world.seed + count, order)
    topics = _topics()
    day = world.today - timedelta(days=9 + order * 5400 // count)
    act, topic = acts[bits % len(acts)], topics[(bits >> 8) % len(topics)]
    return {
        "serial": str(first + count - order),
        "title": f"{act}에 따른 {topic}의 적용 여부",
        "docket": f"{day.year % 100:02d}-{bits % 9000 + 1000}",
        "ymd": ymd(day),
        "asker": "민원인" if bits % 3 else "지방청",
        "answerer": office,
    }
