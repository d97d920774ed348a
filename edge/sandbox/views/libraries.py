"""A book's number in, the libraries that hold it out, and whether one of them can lend it."""

from edge.sandbox.model import Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World
from edge.sandbox.world.libraries import holds, on_loan


@view("libraries_with")
def libraries_with(world: World, request: Request) -> list[Row]:
    """Libraries of a region (and district, if given) that hold the book; the numbers are Library Naru's own."""
    isbn, detail = request.get("isbn"), request.get("dtl_region")
    if not world.find("printed_books", "isbn", isbn):
        return []
    rows = world.find("libraries", "region", request.get("region"))
    return [row for row in rows if detail in ("", row["dtl_region"]) and holds(world, row, isbn)]


@view("library_holding")
def library_holding(world: World, request: Request) -> list[Row]:
    """hasBook and loanAvailable as Y or N; an unknown library or number simply has nothing."""
    isbn = request.get("isbn13")
    known = bool(world.find("printed_books", "isbn", isbn))
    libraries = world.find("libraries", "code", request.get("libCode"))
    has = known and bool(libraries) and holds(world, libraries[0], isbn)
    lends = has and not on_loan(world, libraries[0], isbn)
    return [{"hasBook": "Y" if has else "N", "loanAvailable": "Y" if lends else "N"}]
