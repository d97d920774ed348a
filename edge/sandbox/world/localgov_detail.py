"""Local governments with their budgets in, settled totals, debt and every programme's spending out."""

from datetime import date

from edge.sandbox.world.lazy import LazyRows, mix
from edge.sandbox.world.store import Row, World, table

_PROGRAMMES = 420
_KINDS = (
    ("사회복지", "기초생활보장", "생계급여 지원"), ("사회복지", "노인·청소년", "청년 월세 지원"),
    ("사회복지", "보육·가족및여성", "영유아 보육료 지원"), ("사회복지", "노인·청소년", "청년 일자리 도약 지원"),
    ("교통및물류", "도로", "도로 유지보수"), ("환경", "폐기물", "생활폐기물 수집운반"),
    ("문화및관광", "문화예술", "지역축제 지원"), ("농림해양수산", "농업·농촌", "친환경 농업 육성"),
    ("국토및지역개발", "지역및도시", "도시재생 뉴딜"), ("보건", "보건의료", "치매안심센터 운영"),
    ("일반공공행정", "일반행정", "청사 관리"), ("교육", "유아및초중등교육", "학교 급식 지원"),
    ("산업ㆍ중소기업및에너지", "산업진흥·고도화", "소상공인 특례보증"),
    ("공공질서및안전", "재난방재·민방위", "재난안전 대비"),
)  # fmt: skip


@table("settled_totals")
def build_totals(world: World) -> list[Row]:
    """Settled spending by government and year: general account, special accounts, funds, and their total."""
    rows: list[Row] = []
    for base in world.table("fiscal_independence"):
        rng = world.rng("totals", base["fyr"], base["laf_cd"])
        general = int(str(base["total"]))
        parts = (general, int(general * rng.uniform(0.05, 0.18)), int(general * rng.uniform(0.01, 0.05)), 0)
        rows.append(base | {"whole": sum(parts)} | {f"part{n}": value for n, value in enumerate(parts, start=1)})
    return rows


@table("debt_ratios")
def build_debts(world: World) -> list[Row]:
    """Debt, budget and debt ratio in percent by government and year; many small ones owe nothing."""
    rows: list[Row] = []
    for base in world.table("fiscal_independence"):
        rng = world.rng("debt", base["laf_cd"])
        share = 0.0 if rng.random() < 0.35 and not base["upper"] else rng.uniform(0.5, 21.0)
        budget = int(str(base["total"]))
        rows.append(base | {"debt": int(budget * share / 100), "budget": budget, "ratio": f"{share:.2f}"})
    return rows


def programmes(world: World, year: str, day: str, governments: list[Row]) -> LazyRows:
    """Spending on every programme up to a day of the fiscal year, row by row; a provincial office has none here."""
    basic = [gov for gov in governments if not gov["upper"]]
    known = len(day) == 8 and day.isdecimal() and day[:4] == year and day <= f"{world.today:%Y%m%d}"
    try:
        elapsed = (date(int(day[:4]), int(day[4:6]), int(day[6:])) - date(int(year), 1, 1)).days / 365 if known else 0.0
    except ValueError:
        known, elapsed = False, 0.0
    count = len(basic) * _PROGRAMMES if known else 0
    return LazyRows(count, lambda n: _programme(world, basic[n // _PROGRAMMES], n % _PROGRAMMES, (year, day, elapsed)))


def _programme(world: World, gov: Row, number: int, when: tuple[str, str, float]) -> Row:
    year, day, elapsed = when
    bits = mix(world.seed + number, int(str(gov["laf_cd"])))
    field, section, name = _KINDS[bits % len(_KINDS)]
    share = (1 + bits // 97 % 900) / 900_000
    budget = int(float(str(gov["budget"])) * share)
    spent = int(budget * min(1.0, elapsed * (0.7 + bits // 13 % 60 / 100)))
    return gov | {
        "fyr": year,
        "code": f"{year}{str(gov['laf_cd'])[:5]}{number:05d}",
        "programme": f"{name}({number % 30 + 1})",
        "field": field,
        "section": section,
        "cash": budget,
        "spent": spent,
        "day": day,
    }
