"""Companies and regions in, registers of single offices out: car parks, waterworks, young companies, court papers."""

from datetime import date, timedelta

from edge.sandbox.world.buildings import stem
from edge.sandbox.world.store import Row, World, table
from edge.sandbox.world.weather import noise

_PLACES = ("광안리", "수영", "해운대", "남포", "서면", "사상", "온천천", "송도", "다대포", "동래", "기장", "영도")
_PARKING_KINDS = ("공영주차장", "환승주차장", "지하주차장")
_WORKS = (
    "배수관 정비공사",
    "급수관 교체공사",
    "배수지 개량공사",
    "누수 복구공사",
    "가압장 설치공사",
    "정수장 설비공사",
)
_WORK_KINDS = ("토목", "건축", "전기", "기계", "통신")
_ITEMS = ("센서", "의료기기", "태양광 모듈", "농업용 로봇", "물류 소프트웨어", "친환경 포장재", "2차전지 소재")


@table("busan_parking")
def build_parking(world: World) -> list[Row]:
    """Car parks of the Busan facility corporation: code, name, places, and how many are taken at the standing hour."""
    rows: list[Row] = []
    for place in _PLACES:
        for kind in _PARKING_KINDS:
            if noise(world.seed, "parking", place, kind) < 0.75:
                number = len(rows) + 1
                limit = 40 + int(noise(world.seed, "parking_size", number) * 460)
                taken = int(limit * noise(world.seed, "parked", number, world.today.toordinal()))
                rows.append(
                    {
                        "code": f"PG{number:03d}",
                        "name": f"{place}{kind}",
                        "limit": str(limit),
                        "taken": str(taken),
                        "free": str(limit - taken),
                        "updated": f"{world.now:%Y-%m-%d %H:%M}:00",
                    }
                )
    return rows


@table("daegu_works")
def build_works(world: World) -> list[Row]:
    """Works of the Daegu waterworks by number (year, serial): kind, names, days (8 digits), contractor, sums in 원."""
    rng = world.rng("daegu_works")
    dongs = world.find("dongs", "code2", "27")
    companies = [row for row in world.table("companies") if row["industry_name"] == "건설"]
    rows: list[Row] = []
    for number in range(600):
        signed = world.today - timedelta(days=rng.randrange(5, 1400))
        start = signed + timedelta(days=rng.randrange(3, 20))
        end = start + timedelta(days=rng.randrange(60, 500))
        name = f"{stem(str(rng.choice(dongs)['dong']))} {rng.choice(_WORKS)}"
        amount = int(rng.lognormvariate(20.0, 0.9)) // 10_000 * 10_000
        rows.append(
            {
                "number": f"{signed.year}{number + 1:05d}",
                "class": rng.choice(("본부", "수도사업소", "정수사업소")),
                "kind": rng.choice(_WORK_KINDS),
                "name": name,
                "office": rng.choice(("급수부", "시설관리소", "매곡정수사업소", "문산정수사업소", "중남부사업소")),
                "signed": f"{signed:%Y%m%d}",
                "start": f"{start:%Y%m%d}",
                "end": f"{end:%Y%m%d}",
                "checked": f"{end + timedelta(days=7):%Y%m%d}" if end < world.today else "",
                "company": rng.choice(companies)["name"],
                "contract": str(amount),
                "material": str(amount // rng.randrange(5, 30)),
            }
        )
    return sorted(rows, key=lambda row: str(row["start"]))


@table("young_companies")
def build_young(world: World) -> list[Row]:
    """Companies in the care of a start-up programme, newest number first; contacts are left out."""
    rng = world.rng("young_companies")
    pool = [row for row in world.table("companies") if not row["stock_code"]]
    rows: list[Row] = []
    for order, company in enumerate(rng.sample(pool, 64)):
        item = rng.choice(_ITEMS)
        since = date(2019, 3, 1) + timedelta(days=40 * order)
        rows.append(
            {
                "seq": str(100 + order * 3),
                "name": company["name"],
                "address": company["address"],
                "item": item,
                "type": rng.choice(("예비창업", "초기창업", "도약")),
                "manager": company["ceo"],
                "intro": f"{since.year}년에 들어온 {item} 기업 {company['name']}.",
                "home": f"http://www.{str(company['name_eng']).split()[0].lower()}.example",
            }
        )
    return rows[::-1]


_COURT_TITLES = ("헌법재판론집", "기본권 연구", "비교헌법 자료집", "헌법실무연구", "결정해설집", "재판소원 연구")
_SERIALS = (("헌법재판소 공보", "월간"), ("헌법논총", "연간"), ("헌법재판연구", "연 2회"), ("헌재 소식", "격월간"))


@table("court_documents")
def build_documents(world: World) -> list[Row]:
    """Articles in the publications of the Constitutional Court: sequence, title, series, author, pages, day."""
    rng = world.rng("court_documents")
    authors = world.table("authors")
    rows: list[Row] = []
    for order in range(900):
        series, topic = (
            rng.choice(_COURT_TITLES),
            rng.choice(("표현의 자유", "평등권", "재산권", "선거제도", "권한쟁의")),
        )
        volume, first = rng.randrange(1, 40), rng.randrange(1, 300)
        rows.append(
            {
                "seq": str(2_000 + order * 3),
                "title": f"{topic}에 관한 {rng.choice(('연구', '고찰', '비교 검토'))}",
                "series": series,
                "author": rng.choice(authors)["name"],
                "publisher": "헌법재판소",
                "day": f"{rng.randrange(1992, world.today.year)}{rng.randrange(1, 13):02d}01",
                "section": rng.choice(("논문", "평석", "자료")),
                "volume": f"제{volume}집",
                "issue": f"{volume}",
                "first": str(first),
                "last": str(first + rng.randrange(8, 60)),
                "text": f"{topic}의 법리를 다룬 글이다.",
            }
        )
    return rows


@table("court_serials")
def build_serials(world: World) -> list[Row]:
    """Periodicals of the Constitutional Court."""
    return [
        {
            "seq": str(10 + order),
            "title": title,
            "frequency": often,
            "text": f"{title}: {often} 간행",
            "issues": f"2016~{world.today.year}",
        }
        for order, (title, often) in enumerate(_SERIALS)
    ]


@table("court_issues")
def build_issues(world: World) -> list[Row]:
    """Issues of each periodical, newest first; a sub-sequence counts through all of them."""
    rows: list[Row] = []
    for serial in world.table("court_serials"):
        for year in range(world.today.year, 2015, -1):
            title = f"{serial['title']} {year}년호"
            link = f"https://library.ccourt.go.kr/file/{serial['seq']}/{year}.pdf"
            rows.append({"seq": serial["seq"], "sub": str(5_000 + len(rows)), "title": title, "link": link})
    return rows
