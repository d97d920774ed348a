"""Yearly figures of companies in, lines of balance sheets and income statements out, three years side by side."""

from edge.sandbox.world.store import Row, World, table

_BALANCE = (
    ("ifrs_Assets", "자산총계", "assets"),
    ("ifrs_Liabilities", "부채총계", "debt"),
    ("ifrs_Equity", "자본총계", "equity"),
    ("ifrs_IssuedCapital", "자본금", "capital"),
)
_INCOME = (
    ("ifrs_Revenue", "매출액", "sales"),
    ("dart_OperatingIncomeLoss", "영업이익(손실)", "operating_profit"),
    ("ifrs_ProfitLossBeforeTax", "법인세비용차감전순이익(손실)", "pretax"),
    ("ifrs_ProfitLoss", "당기순이익(손실)", "net_income"),
)
_MEMBERS = {"CFS": ("ConsolidatedMember", "연결재무제표 [member]"), "OFS": ("SeparateMember", "별도재무제표 [member]")}


def _lines(world: World, prefix: str, accounts: tuple[tuple[str, str, str], ...]) -> list[Row]:
    filed = world.table("company_finance")
    by_year = {(str(row["corp_code"]), str(row["basis"]), int(str(row["year"]))): row for row in filed}
    rows: list[Row] = []
    for filing in filed:
        member, member_name = _MEMBERS[str(filing["basis"])]
        own = (str(filing["corp_code"]), str(filing["basis"]))
        for account, name, column in accounts:
            row: Row = {
                "crno": filing["crno"],
                "year": filing["year"],
                "base_date": filing["base_date"],
                "statement": f"{prefix}_ifrs_{member}",
                "statement_name": member_name,
                "account": account,
                "account_name": name,
            }
            for back, period in enumerate(("this", "prev", "before")):
                past = by_year.get((*own, int(str(filing["year"])) - back))
                row[period] = str(past[column]) if past else "0"
            rows.append(row)
    return rows


@table("balance_lines")
def build_balance(world: World) -> list[Row]:
    """Accounts of the balance sheet by company, year and basis; amounts are texts in 원, 0 where a year is missing."""
    return _lines(world, "FS", _BALANCE)


@table("income_lines")
def build_income(world: World) -> list[Row]:
    """Accounts of the income statement."""
    return _lines(world, "PL", _INCOME)
