"""Invented people and titles in, the national bibliography out: books, e-books, journals, recordings, other media."""

import random

from edge.sandbox.world.people import people
from edge.sandbox.world.reading import read_yaml, split, texts
from edge.sandbox.world.store import Row, World, table

_STOCK = read_yaml("books.yaml")
_AUTHORS = 1400
# Kind: (how many, prefix of the control number, digits after it). Online numbers look nothing like the printed ones.
_KINDS = {
    "book": (6000, "KMO", 9),
    "nonbook": (800, "KAV", 9),
    "ebook": (2500, "CNTS-000", 8),
    "journal": (600, "CNTS-001", 8),
    "multimedia": (500, "CNTS-002", 8),
}
_FIRST_YEAR = 1996


def isbn13(body: str) -> str:
    """Twelve digits with their check digit."""
    total = sum(int(digit) * (3 if position % 2 else 1) for position, digit in enumerate(body))
    return f"{body}{-total % 10}"


@table("authors")
def build_authors(world: World) -> list[Row]:
    """number (KAC + 9 digits) and name of everyone who wrote something."""
    rng = world.rng("authors")
    return [
        {"number": f"KAC{201_800_000 + order * 37:09d}", "name": someone.name}
        for order, someone in enumerate(people(rng, _AUTHORS))
    ]


@table("bibliography")
def build_bibliography(world: World) -> list[Row]:
    """kind, control number, title, author and subject (number and name), isbn (13 or blank), publisher, year, KDC."""
    authors = world.table("authors")
    rows: list[Row] = []
    for kind, (count, prefix, digits) in _KINDS.items():
        rng = world.rng("bibliography", kind)
        serial = rng.randrange(10**4)
        for _ in range(count):
            serial += rng.randrange(1, 16)
            year = rng.randint(_FIRST_YEAR, world.today.year)
            own = f"{year}{serial:0{digits - 4}d}" if prefix.startswith("K") else f"{serial:0{digits}d}"
            rows.append(_record(rng, kind, f"{prefix}{own}", year, rng.choice(authors)))
    return rows


def _record(rng: random.Random, kind: str, number: str, year: int, author: Row) -> Row:
    order = rng.randrange(len(texts(_STOCK["subjects"])))
    subject, kdc, keyword = split(texts(_STOCK["subjects"])[order])
    title = rng.choice(texts(_STOCK["titles"])).format(rng.choice((subject, keyword)))
    stock = rng.choice((f"97911{rng.randrange(10**7):07d}", f"97889{rng.randrange(10**7):07d}"))
    series = rng.choice(texts(_STOCK["series"]))
    return {
        "kind": kind,
        "number": number,
        "uri": f"http://lod.nl.go.kr/resource/{number}",
        "title": title,
        "author_no": author["number"],
        "author_uri": f"http://lod.nl.go.kr/resource/{author['number']}",
        "author": author["name"],
        "statement": f"{author['name']} 지음",
        "subject_uri": f"http://lod.nl.go.kr/resource/KSH{1_998_000_000 + order * 4_129}",
        "subject": subject,
        "keyword": keyword,
        "isbn": isbn13(stock) if kind in ("book", "ebook") else "",
        "publisher": rng.choice(texts(_STOCK["publishers"])),
        "place": rng.choice(texts(_STOCK["places"])),
        "year": str(year),
        "extent": f"{rng.randrange(90, 620)} p.",
        "kdc": f"{kdc}.{rng.randrange(1, 10)}",
        "series": series,
        "search": f"{title} {subject} {keyword}",
    }


@table("printed_books")
def build_printed(world: World) -> list[Row]:
    """Printed books, as public libraries hold them; reprints share a title but never an isbn."""
    return world.find("bibliography", "kind", "book")
