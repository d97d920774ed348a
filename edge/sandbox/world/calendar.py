"""Public holidays of three years in, holiday rows and trading days out."""

from datetime import date, timedelta

from edge.sandbox.world.store import Row, World, table

# Date and name as announced; days off in lieu carry their occasion in brackets.
_HOLIDAYS = """
20250101 1월1일
20250127 임시공휴일
20250128 설날
20250129 설날
20250130 설날
20250301 삼일절
20250303 대체공휴일(삼일절)
20250505 어린이날
20250505 부처님오신날
20250506 대체공휴일(부처님오신날)
20250603 대통령선거일
20250606 현충일
20250815 광복절
20251003 개천절
20251005 추석
20251006 추석
20251007 추석
20251008 대체공휴일(추석)
20251009 한글날
20251225 기독탄신일
20260101 1월1일
20260216 설날
20260217 설날
20260218 설날
20260301 삼일절
20260302 대체공휴일(삼일절)
20260505 어린이날
20260524 부처님오신날
20260525 대체공휴일(부처님오신날)
20260603 전국동시지방선거
20260606 현충일
20260815 광복절
20260817 대체공휴일(광복절)
20260924 추석
20260925 추석
20260926 추석
20261003 개천절
20261005 대체공휴일(개천절)
20261009 한글날
20261225 기독탄신일
20270101 1월1일
20270206 설날
20270207 설날
20270208 설날
20270209 대체공휴일(설날)
20270301 삼일절
20270505 어린이날
20270513 부처님오신날
20270606 현충일
20270815 광복절
20270816 대체공휴일(광복절)
20270914 추석
20270915 추석
20270916 추석
20271003 개천절
20271004 대체공휴일(개천절)
20271009 한글날
20271011 대체공휴일(한글날)
20271225 기독탄신일
20271227 대체공휴일(기독탄신일)
"""
# Days on which only the exchange is closed.
_EXCHANGE_CLOSED = {(5, 1), (12, 31)}


@table("holidays")
def build_holidays(_world: World) -> list[Row]:
    """Columns: date (8 digits), year, month, name, seq (1, 2 ... where two fall on one day)."""
    rows: list[Row] = []
    previous, seq = "", 0
    for line in _HOLIDAYS.split("\n"):
        day, _, name = line.partition(" ")
        if not name:
            continue
        seq = seq + 1 if day == previous else 1
        previous = day
        rows.append({"date": day, "year": day[:4], "month": day[4:6], "name": name, "seq": seq})
    return rows


def is_trading_day(world: World, day: date) -> bool:
    """Weekdays that are neither a public holiday nor one of the exchange's own."""
    if day.weekday() >= 5 or (day.month, day.day) in _EXCHANGE_CLOSED:
        return False
    return not world.find("holidays", "date", day.strftime("%Y%m%d"))


def trading_days(world: World, first: date, last: date) -> list[date]:
    """Trading days from `first` to `last`, both included, oldest first."""
    days = (first + timedelta(days=n) for n in range((last - first).days + 1))
    return [day for day in days if is_trading_day(world, day)]
