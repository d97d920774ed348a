"""Acts in, decisions of the constitutional court with digests, gazettes and English versions out."""

import random
from datetime import date, timedelta
from typing import cast

from edge.sandbox.world.reading import mapping, read_yaml, texts
from edge.sandbox.world.store import Row, World, table

_DATA = read_yaml("constitution.yaml")
_CASES = 640
_DIGEST_SHARE = 0.7
_ENGLISH_SHARE = 0.12
_REALM_SHARE = 0.3
_FORMS = {"01": "결정문", "02": "공보", "03": "판례집"}
_FIRST_GAZETTE = date(1993, 8, 1)


@table("constitutional_cases")
def build_constitutional_cases(world: World) -> list[Row]:
    """Decisions, newest first: docket number, name, kind, bench, result, day, provision, texts and a realm code."""
    acts = [row for row in world.table("laws") if row["kind"] == "법률"]
    kinds = mapping(_DATA["kinds"])
    rng = world.rng("constitutional_cases")
    rows: list[Row] = []
    for order in range(_CASES):
        kind = rng.choices(list(kinds), (12, 1, 4, 45, 38))[0]
        day = world.today - timedelta(days=20 + rng.randrange(6_500))
        rows.append(_case(rng, kind, str(rng.choice(acts)["name"]), day, order))
    return sorted(rows, key=lambda row: (str(row["day"]), str(row["docket"])), reverse=True)


def _case(rng: random.Random, kind: str, act: str, day: date, order: int) -> Row:
    manner, results, english = cast("list[object]", mapping(_DATA["kinds"])[kind])
    year = day.year - rng.randrange(1, 4)
    provision = f"{act} 제{rng.randrange(2, 60)}조 제{rng.randrange(1, 4)}항"
    right, principle = rng.choice(texts(_DATA["rights"])), rng.choice(texts(_DATA["principles"]))
    result = rng.choice(texts(results))
    name = f"{provision} {manner}" if kind not in ("헌나", "헌라") else f"{manner} 사건"
    realm = rng.choice(list(mapping(_DATA["realms"])))
    number = 10 + order
    return {
        "docket": f"{year}{kind}{number}",
        "english_docket": f"{year}{english}{number}",
        "name": name,
        "english_name": f"Case on {right_english(order)}",
        "nick": f"{act} 사건",
        "kind": kind,
        "english_kind": english,
        "bench": "전원재판부" if result != "각하" or rng.random() < 0.5 else "지정재판부",
        "result": result,
        "english_result": mapping(_DATA["results"])[result],
        "day": f"{day:%Y%m%d}",
        "english_day": f"{day:%b} {day.day}, {day.year}",
        "provision": provision,
        "points": f"{provision}의 {principle} 위배와 {right} 침해 여부",
        "gist": f"심판대상조항에 {principle}을 적용해 {right}의 제한 정도를 살핀 결과는 {result}이다.",
        "order": f"{provision}에 대한 심판청구의 결론: {result}.",
        "realm": str(realm),
        "realm_name": mapping(_DATA["realms"])[realm],
        "in_realm": rng.random() < _REALM_SHARE,
        "in_digest": rng.random() < _DIGEST_SHARE,
        "in_english": rng.random() < _ENGLISH_SHARE,
        "volume": str(day.year - 1988),
        "series": rng.choice(("상", "하")),
        "pages": str(rng.randrange(1, 700)),
        "registered": f"{day + timedelta(days=15):%Y-%m-%d}",
        "path": f"판례집 제{day.year - 1988}권 > {kind} > {result}",
        "file": f"https://search.example/ccourt/{order:05d}.pdf",
    }


def right_english(order: int) -> str:
    """A subject in English for a case."""
    subjects = ("Freedom of Occupation", "Property Rights", "Equality", "Freedom of Expression", "Right to Trial")
    return subjects[order % len(subjects)]


def _serial(world: World, kind: str, count: int, first: int) -> list[int]:
    return sorted(world.rng("court_serials", kind).sample(range(first, first + count * 20), count), reverse=True)


@table("court_decisions")
def build_court_decisions(world: World) -> list[Row]:
    """A row for every case and form it came out in (decision, gazette, collection), each with a number of its own."""
    pairs: list[tuple[Row, str]] = []
    for case in world.table("constitutional_cases"):
        rng = world.rng("court_forms", case["docket"])
        pairs += [(case, form) for form in _FORMS if form == "01" or rng.random() < 0.45]
    serials = _serial(world, "decisions", len(pairs), 10_000)
    return [case | {"form": form, "serial": serial} for (case, form), serial in zip(pairs, serials, strict=True)]


@table("court_digests")
def build_court_digests(world: World) -> list[Row]:
    """Digests of points of law: their own number, title and text with the docket they come from."""
    cases = [case for case in world.table("constitutional_cases") if case["in_digest"]]
    serials = _serial(world, "digests", len(cases), 100_000)
    return [case | {"serial": serial} for case, serial in zip(cases, serials, strict=True)]


@table("court_realms")
def build_court_realms(world: World) -> list[Row]:
    """Leading cases by realm, under numbers of a board."""
    cases = [case for case in world.table("constitutional_cases") if case["in_realm"]]
    serials = _serial(world, "realms", len(cases), 500)
    return [case | {"serial": serial} for case, serial in zip(cases, serials, strict=True)]


@table("court_english")
def build_court_english(world: World) -> list[Row]:
    """Cases with an English version."""
    cases = [case for case in world.table("constitutional_cases") if case["in_english"]]
    serials = _serial(world, "english", len(cases), 300_000)
    return [case | {"serial": serial} for case, serial in zip(cases, serials, strict=True)]


@table("court_gazettes")
def build_court_gazettes(world: World) -> list[Row]:
    """Monthly gazettes of the last years, newest first, with how many decisions each month had."""
    counts: dict[str, int] = {}
    for case in world.table("constitutional_cases"):
        counts[str(case["day"])[:6]] = counts.get(str(case["day"])[:6], 0) + 1
    rows: list[Row] = []
    for month in sorted(counts, reverse=True):
        number = (int(month[:4]) - _FIRST_GAZETTE.year) * 12 + int(month[4:]) - _FIRST_GAZETTE.month + 1
        title = f"헌법재판소 공보 제{number}호"
        row: Row = {"title": title, "month": month, "count": str(counts[month])}
        files: Row = {"gazette": f"공보_{number}.pdf", "cases": f"판례목록_{number}.pdf"}
        rows.append(row | files | {"link": f"https://search.example/ccourt/gazette/{number}.pdf"})
    return rows
