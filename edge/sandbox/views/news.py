"""A query in, invented news about it out: as many as the words decide, none of them a real report."""

from collections.abc import Sequence
from datetime import timedelta
from html import escape

from edge.sandbox.model import Refusal, Request, Row
from edge.sandbox.registry import view
from edge.sandbox.world import World
from edge.sandbox.world.lazy import LazyRows, mix

_REACH = 1000
_TAILS = (
    "개선안 논의",
    "현장 점검",
    "주민 설명회 열려",
    "예산 확정",
    "두고 엇갈린 반응",
    "올해 들어 최대",
    "지원 확대",
    "토론회",
)


@view("naver_news")
def news(world: World, request: Request) -> Sequence[Row]:
    """Reports by day, newest first; the words asked for come in bold."""
    query = request.get("query")
    key = sum(ord(char) * (n + 1) for n, char in enumerate(query))
    start = request.get("start", "1")
    if not start.isdecimal() or not 1 <= int(start) <= _REACH:
        raise Refusal("bad_parameter", "start")
    # `start` is a row and not a page, so the answer begins there.
    skipped = int(start) - 1
    return LazyRows(max(0, mix(world.seed, key) % 40_000 - skipped), lambda n: _report(world, query, key, n + skipped))


def _report(world: World, query: str, key: int, order: int) -> Row:
    bits = mix(world.seed + key, order)
    moment = world.now - timedelta(minutes=17 * order + bits % 17)
    link = f"https://news.example.kr/{key}/{order}"
    title = f"<b>{escape(query)}</b> {_TAILS[bits % len(_TAILS)]}"
    text = f"{title}에 관한 소식. 관계자는 &quot;자세한 내용을 곧 알리겠다&quot;고 말했다."
    stamp = f"{moment:%a, %d %b %Y %H:%M:00 +0900}"
    return {"title": title, "originallink": link, "link": link, "description": text, "pubDate": stamp}
