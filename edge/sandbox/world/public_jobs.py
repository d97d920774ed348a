"""Ministries and local offices in, their job postings with grades and files out."""

import random
from datetime import date, timedelta

from edge.sandbox.world.reading import read_yaml, split, texts
from edge.sandbox.world.store import Row, World, part, table

_POSTINGS = 9000
_FIRST_DAY = date(2018, 1, 2)
_KINDS = ("e01", "e02", "e03", "e04", "e06")
_FILES = ("공고문.hwp", "응시원서.hwp", "직무기술서.pdf")
_STOCK = read_yaml("public_jobs.yaml")
# g01 ministries, g02 local governments, g03 public institutions, g04 offices of education.
_SECTORS = ("g01", "g02", "g03", "g04")


@table("hiring_offices")
def build_offices(world: World) -> list[Row]:
    """code (7 digits), name and sector of everyone who hires."""
    rows: list[Row] = [
        {"code": f"1{order + 30:03d}000", "name": name, "sector": "g01"}
        for order, name in enumerate(texts(_STOCK["ministries"]))
    ]
    for agency in world.table("bid_agencies"):
        name = str(agency["name"])
        sector = "g03" if name.startswith("재단법인") else "g04" if name.endswith("교육청") else "g02"
        if agency["code"] != "1230000":
            rows.append({"code": agency["code"], "name": name, "sector": sector})
    return rows


@table("job_postings")
def build_postings(world: World) -> list[Row]:
    """idx ascending with the day of posting: title, office, sector, kind, days (8 digits), readers, HTML contents."""
    rng = world.rng("job_postings")
    offices: dict[str, list[Row]] = {sector: [] for sector in _SECTORS}
    for office in world.table("hiring_offices"):
        offices[str(office["sector"])].append(office)
    span = (world.today - _FIRST_DAY).days + 1
    days = sorted(rng.randrange(span) for _ in range(_POSTINGS))
    rows: list[Row] = []
    idx = 1
    for offset in days:
        idx += rng.randrange(1, 4)
        sector = rng.choices(_SECTORS, (45, 30, 10, 15))[0]
        rows.append(_posting(rng, idx, _FIRST_DAY + timedelta(days=offset), rng.choice(offices[sector])))
    return rows


def _posting(rng: random.Random, idx: int, day: date, office: Row) -> Row:
    post = rng.choice(texts(_STOCK["posts"]))
    title = f"{day.year}년 {office['name']} {post} 채용 공고"
    return {
        "idx": str(idx),
        "title": title,
        "office": office["name"],
        "sector": office["sector"],
        "kind": rng.choices(_KINDS, (30, 34, 20, 12, 4))[0],
        "posted": f"{day:%Y%m%d}",
        "changed": f"{day + timedelta(days=rng.choice((0, 0, 0, 1, 3))):%Y%m%d}",
        "ends": f"{day + timedelta(days=rng.randrange(7, 30)):%Y%m%d}",
        "area": "00000",
        "readers": str(int(rng.lognormvariate(7.4, 0.8))),
        "contents": f"<p>{title}</p><p>자세한 내용은 붙임 공고문을 참고하시기 바랍니다.</p>",
        "link": f"https://www.gojobs.go.kr/apmView.do?empmnsn={idx}",
    }


@table("job_grades")
def build_grades(_world: World) -> list[Row]:
    """Grades with their code (5 digits) and the code of their group."""
    rows: list[Row] = []
    for line in texts(_STOCK["grades"]):
        name, code = split(line)
        rows.append({"code": code, "name": name, "full_name": f"채용직급 > {name}", "parent": f"{code[0]}0000"})
    return rows


@part("job_positions")
def build_positions(world: World, idx: str) -> list[Row]:
    """One to three grades of a posting with the number wanted."""
    rng = world.rng("job_positions", idx)
    wanted = rng.choice((1, 1, 1, 2, 3)) if world.find("job_postings", "idx", idx) else 0
    grades = rng.sample(world.table("job_grades"), wanted)
    return [grade | {"posting": idx, "count": str(rng.choice((1, 1, 1, 2, 3, 8)))} for grade in grades]


@part("job_files")
def build_files(world: World, idx: str) -> list[Row]:
    """One to three files of a posting; a file's own idx is of another range than the posting's."""
    if not world.find("job_postings", "idx", idx):
        return []
    rng = world.rng("job_files", idx)
    return [
        {
            "idx": str(900_000 + int(idx) * len(_FILES) + order),
            "posting": idx,
            "order": str(order + 1),
            "name": _FILES[order],
            "path": f"https://www.gojobs.go.kr/cmm/fms/FileDown.do?fileSn={order + 1}&atchFileId={idx}",
            "size": str(rng.randrange(20_000, 900_000)),
        }
        for order in range(rng.choice((1, 2, 2, 3)))
    ]
