"""Schools and the calendar in, meals, timetables and the year's events of one school out, day by day."""

from datetime import date, timedelta

from edge.sandbox.world.reading import mapping, read_yaml, texts
from edge.sandbox.world.schools import school_year
from edge.sandbox.world.store import Row, World, part

_MEALS = {"1": "조식", "2": "중식", "3": "석식"}
_PERIODS = {"초등학교": 6, "중학교": 7, "고등학교": 7, "특수학교": 5}
_MEAL_WINDOW = (timedelta(days=-105), timedelta(days=32))
_TIMETABLE_WINDOW = (timedelta(days=-14), timedelta(days=5))
# month, day, event and the days over which schools spread it
_YEAR = (
    *((3, 2, "개학식", 3), (3, 3, "입학식", 2), (3, 16, "학부모총회", 8), (4, 8, "과학의날 행사", 10)),
    *((4, 24, "중간고사", 6), (5, 8, "체육대회", 12), (5, 19, "현장체험학습", 9), (6, 9, "수행평가 주간", 10)),
    *((6, 29, "기말고사", 6), (7, 17, "여름방학식", 4), (8, 18, "2학기 개학식", 6), (9, 14, "학교설명회", 8)),
    *((10, 12, "2학기 중간고사", 7), (10, 29, "학교 축제", 9), (12, 7, "2학기 기말고사", 6)),
    (12, 29, "겨울방학식", 3),
)


def is_school_day(world: World, day: date) -> bool:
    """Weekdays outside the summer and winter breaks that are no public holiday."""
    if day.weekday() >= 5 or world.find("holidays", "date", f"{day:%Y%m%d}"):
        return False
    return not ((7, 21) <= (day.month, day.day) <= (8, 17) or day.month in (1, 2))


def _school_days(world: World, window: tuple[timedelta, timedelta]) -> list[date]:
    first = world.today + window[0]
    days = (first + timedelta(days=n) for n in range((window[1] - window[0]).days + 1))
    return [day for day in days if is_school_day(world, day)]


@part("meals")
def build_meals(world: World, code: str) -> list[Row]:
    """Meals of one school in the months around today: dishes with allergy numbers, calories, diners."""
    found = world.find("schools", "code", code)
    if not found:
        return []
    school = found[0]
    rng = world.rng("meals", code)
    boarding = school["kind"] == "고등학교" and rng.random() < 0.2
    kinds = ["1", "2", "3"] if boarding else ["2", "3"] if school["kind"] == "고등학교" else ["2"]
    base = int(str(school["grades"])) * int(str(school["classes"])) * rng.randrange(18, 27)
    rows: list[Row] = []
    for day in _school_days(world, _MEAL_WINDOW):
        for kind in kinds:
            if kind == "3" and day.weekday() == 4:
                continue
            rows.append(school | _meal(world, code, day, kind, base))
    return rows


def _meal(world: World, code: str, day: date, kind: str, diners: int) -> Row:
    rng = world.rng("meal", code, day, kind)
    dishes = mapping(read_yaml("schools.yaml")["dishes"])
    plate = [rng.choice(texts(dishes[part])) for part in ("rice", "soup", "main", "side", "kimchi", "dessert")]
    calories = round(rng.uniform(520, 980), 1)
    origin = ["쌀 : 국내산", f"{rng.choice(('돼지고기', '닭고기', '쇠고기(한우)'))} : 국내산", "고춧가루 : 국내산"]
    nutrients = [
        f"탄수화물(g) : {calories * 0.145:.1f}",
        f"단백질(g) : {calories * 0.043:.1f}",
        f"지방(g) : {calories * 0.027:.1f}",
        f"칼슘(mg) : {rng.uniform(180, 520):.1f}",
    ]
    ymd = f"{day:%Y%m%d}"
    return {
        "meal_code": kind,
        "meal_name": _MEALS[kind],
        "day": ymd,
        "diners": float(int(diners * rng.uniform(0.9, 1.0))),
        "dishes": "<br/>".join(plate),
        "origin": "<br/>".join(origin),
        "calories": f"{calories} Kcal",
        "nutrients": "<br/>".join(nutrients),
    }


@part("timetables")
def build_timetables(world: World, code: str) -> list[Row]:
    """Lessons of every class of one school on the school days near today."""
    found = world.find("schools", "code", code)
    if not found or found[0]["kind"] not in _PERIODS:
        return []
    school = found[0]
    kind = str(school["kind"])
    subjects = texts(mapping(read_yaml("schools.yaml")["subjects"])[kind])
    year = str(school_year(world.today))
    classes = [row for row in world.part("school_classes", code) if row["year"] == year]
    days = _school_days(world, _TIMETABLE_WINDOW)
    rows: list[Row] = []
    for row in classes:
        # A class keeps one weekly plan; only the dates change.
        rng = world.rng("plan", code, row["grade"], row["class"])
        plan = [[rng.choice(subjects) for _ in range(_PERIODS[kind] - rng.randrange(2))] for _ in range(5)]
        for day in days:
            for period, subject in enumerate(plan[day.weekday()], start=1):
                rows.append(
                    row
                    | {
                        "room": f"{row['grade']}-{row['class']}",
                        "semester": "1" if 3 <= day.month <= 8 else "2",
                        "day": f"{day:%Y%m%d}",
                        "period": str(period),
                        "subject": subject,
                    }
                )
    return sorted(rows, key=lambda row: (str(row["day"]), str(row["grade"]), int(str(row["class"]))))


@part("school_events")
def build_events(world: World, code: str) -> list[Row]:
    """The school year of one school: ceremonies, exams, trips, breaks, public holidays and Saturdays off."""
    found = world.find("schools", "code", code)
    if not found:
        return []
    school = found[0]
    year = school_year(world.today)
    rng = world.rng("events", code)
    days: list[tuple[date, str, str]] = []
    for month, day, name, spread in _YEAR:
        when = date(year, month, day) + timedelta(days=rng.randrange(spread))
        while when.weekday() >= 5:
            when += timedelta(days=1)
        exam = "고사" in name
        if exam and school["kind"] == "초등학교":
            continue
        days.append((when, name, "해당없음"))
        if exam:
            days += [(when + timedelta(days=n), name, "해당없음") for n in (1, 2) if (when.weekday() + n) < 5]
    for holiday in world.find("holidays", "year", year):
        text = str(holiday["date"])
        days.append((date(int(text[:4]), int(text[4:6]), int(text[6:])), str(holiday["name"]), "공휴일"))
    first = date(year, 3, 1)
    saturdays = (first + timedelta(days=n) for n in range(306))
    days += [(day, "토요휴업일", "휴업일") for day in saturdays if day.weekday() == 5]
    rows: list[Row] = []
    for when, name, closed in sorted(days):
        grades = int(str(school["grades"]))
        only_first = name in ("입학식",)
        joins = 1 if only_first else grades
        flags = {f"g{n}": "*" if n > grades else "Y" if n <= joins else "N" for n in range(1, 7)}
        rows.append(
            school
            | {"year": str(year), "day": f"{when:%Y%m%d}", "event": name, "content": "", "closed": closed}
            | flags
        )
    return rows
