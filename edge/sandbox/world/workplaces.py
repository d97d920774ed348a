"""Companies in, what the pension service, the tax service and the fair trade commission publish about them out."""

from datetime import date, timedelta

from edge.sandbox.world.regions import number
from edge.sandbox.world.store import Row, World, table

LOADS = 2
HISTORY_MONTHS = 6
# 원 a month and insured person, employee and employer together.
_CONTRIBUTION = (240_000, 520_000)
_FIRST_GROUP_YEAR = 2021


def month_before(day: date, months: int) -> str:
    """The month that many months before a day, as YYYYMM."""
    index = day.year * 12 + day.month - 1 - months
    return f"{index // 12}{index % 12 + 1:02d}"


@table("pension_workplaces")
def build_pension_workplaces(world: World) -> list[Row]:
    """One row a company and monthly load, newest load first; seq is drawn anew for every load, bizr_no is masked."""
    rows: list[Row] = []
    for load in range(1, LOADS + 1):
        month = month_before(world.today, load)
        seqs = world.rng("pension_seq", month).sample(range(10_000_000, 99_999_999), len(world.table("companies")))
        for company, seq in zip(world.table("companies"), seqs, strict=True):
            rng = world.rng("pension", company["corp_code"], month)
            insured = max(3, int(number(company, "employees") * rng.uniform(0.9, 1.02)))
            rows.append(
                {
                    "seq": seq,
                    "month": month,
                    "name": company["formal_name"],
                    "masked": f"{str(company['bizr_no'])[:6]}****",
                    "address": company["address"],
                    "code2": str(company["code5"])[:2],
                    "code3": str(company["code5"])[2:],
                    "industry_code": company["industry_code"],
                    "industry": f"{company['industry_name']}업",
                    "joined": company["est_date"],
                    "insured": insured,
                    "billed": insured * rng.randrange(*_CONTRIBUTION, 10),
                }
            )
    return rows


@table("tax_status")
def build_tax_status(world: World) -> list[Row]:
    """State of every registered number: going on (01), resting (02) or closed (03); only unlisted ones are not 01."""
    rows: list[Row] = []
    for company in world.table("companies"):
        rng = world.rng("tax_status", company["bizr_no"])
        draw = 0.0 if company["stock_code"] else rng.random()
        code, word = ("01", "계속사업자") if draw < 0.9 else ("02", "휴업자") if draw < 0.93 else ("03", "폐업자")
        ended = world.today - timedelta(days=rng.randrange(30, 1500))
        rows.append(
            {
                "b_no": company["bizr_no"],
                "b_stt": word,
                "b_stt_cd": code,
                "tax_type": "부가가치세 일반과세자",
                "tax_type_cd": "01",
                "end_dt": f"{ended:%Y%m%d}" if code == "03" else "",
                "utcc_yn": "N",
                "tax_type_change_dt": "",
                "invoice_apply_dt": "",
                "rbf_tax_type": "해당없음",
                "rbf_tax_type_cd": "99",
                "start_dt": company["est_date"],
                "p_nm": company["ceo"],
            }
        )
    return rows


@table("group_months")
def build_group_months(world: World) -> list[Row]:
    """Months with a designation of business groups (0001, each May) or of holding companies (0002, each December)."""
    rows: list[Row] = []
    for year in range(_FIRST_GROUP_YEAR, world.today.year + 1):
        for job, month in (("0001", "05"), ("0002", "12")):
            if f"{year}{month}" <= f"{world.today:%Y%m}":
                rows.append({"job": job, "month": f"{year}{month}"})
    return rows
