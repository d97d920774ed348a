"""Words or coordinates in, road addresses and their metres out (juso)."""

import re

from edge.sandbox.model import Refusal, Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World

_MOST_RESULTS = 9000
# A district or road alone is fine; a bare province is "too broad".
_PROVINCE = re.compile(r"[가-힣]{2,4}(특별시|광역시|특별자치시|특별자치도|도)")
_PARENTHESES = re.compile(r"\([^)]*\)")


def tokens(query: str) -> list[str]:
    """Words of an address as people type it, brackets dropped."""
    return _PARENTHESES.sub(" ", query.replace(",", " ")).split()


def _holds(text: str, needles: list[str]) -> bool:
    return all(needle in text for needle in needles)


def search_buildings(world: World, query: str) -> list[Row]:
    """Buildings whose spelling has every word: numbers as whole words, names as beginnings of words."""
    words = tokens(query)
    if not words:
        return []
    needles = [f" {word} " if word[0].isdigit() else f" {word}" for word in words]
    # The rarest words come last in an address, so testing from the end rejects sooner.
    needles.reverse()
    return [row for row in world.table("buildings") if _holds(str(row["search"]), needles)]


@view("juso_search")
def juso_search(world: World, request: Request) -> list[Row]:
    """Rows for a keyword. E0006 for a bare province or a single letter."""
    keyword = request.get("keyword")
    if len(keyword) < 2 or _PROVINCE.fullmatch(keyword):
        raise Refusal("bad_parameter", "keyword")
    found = search_buildings(world, keyword)
    if len(found) > _MOST_RESULTS:
        raise Refusal("bad_parameter", "keyword")
    return found


@view("juso_coordinates")
def juso_coordinates(world: World, request: Request) -> list[Row]:
    """The one building whose five numbers all agree; numbers of two buildings find none."""
    return [
        row
        for row in world.find("buildings", "code10", request.get("admCd"))
        if row["road_code"] == request.get("rnMgtSn")
        and str(row["main_no"]) == request.get("buldMnnm")
        and str(row["sub_no"]) == request.get("buldSlno")
        and request.get("udrtYn") == "0"
    ]
