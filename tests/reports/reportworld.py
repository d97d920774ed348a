"""A small published link graph: three tools of two platforms, texts that would break out of pages, one outage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from edge.datasets.parts import write_part
from edge.datasets.store import Store
from edge.links.freshness import History
from edge.links.model import Binding, Evidence, LearnedLink, Link, Rest
from edge.links.rows import link_row
from edge.specs.model import Envelope, Profile, Tool
from edge.specs.rows import tool_row

HOSTILE = '</script><script>alert(1)</script><img src=http://elsewhere.test/x onerror=alert(2)> \x01 & "말"'
SEEN = "2026-06-15T01:35:00+00:00"
OLD, NEW = "v20260615T000000Z-old", "v20260616T000000Z-new"
PROFILE = Profile(
    platform="plain",
    title="시험",
    hosts=("api.plain.test",),
    auth=None,
    envelope=Envelope(records=("items",), total=("total",), code=("code",), message=("message",), success=("00",)),
)


def tool(tool_id: str, key: str, title: str, platform: str = "plain") -> Tool:
    """Return a tool without parameters."""
    values: dict[str, Any] = {
        "tool_id": tool_id,
        "operation_key": key,
        "platform": platform,
        "service": platform,
        "provider": "기관",
        "domain": "시험",
        "title": title,
        "description": "",
        "method": "GET",
        "url": f"https://api.plain.test/{tool_id}",
        "parameters": (),
        "outputs": (),
        "profile": PROFILE,
    }
    return Tool(**values)


TOOLS = (
    tool("plain_cities", "Plain.getCityList", "도시 목록"),
    tool("plain_stops", "Plain.getStopList", "정류소 목록"),
    tool("other_stops", "Other.getStopByName", HOSTILE, platform="other"),
)


def learned(source: str, target: str, status: str, *bindings: tuple[str, ...], **evidence: Any) -> LearnedLink:
    """Return a link with evidence."""
    rest = (Rest("day", "clock"),)
    link = Link(source, target, tuple(Binding(*b) for b in bindings), 0.8, f"because {HOSTILE}", rest)
    said: dict[str, Any] = {"alpha": 2.6, "beta": 1.4, "status": status, **evidence}
    return LearnedLink(link, Evidence(**said))


CITY = learned(
    "plain_cities", "plain_stops", "verified", ("citycode", "cityCode", "pad:5"),
    alpha=5.6, successes=3, empties=1, cardinalities=[17, 17, 4], first_executed_at=SEEN, last_executed_at=SEEN,
)  # fmt: skip
NAME = learned("plain_stops", "other_stops", "verified", ("nodenm", "q"), successes=1, environmental_failures=2)
BACK = learned("other_stops", "plain_cities", "pruned", ("code", "cityCode"), beta=9.0, structural_failures=3)
MAYBE = learned("plain_cities", "plain_stops", "candidate", ("cityname", "q"))
LINKS = (CITY, NAME, BACK, MAYBE)
PROVEN = "2026-06-01T00:00:00+00:00"
HISTORY = {
    CITY.link.link_id: History(SEEN, proven_at=PROVEN),
    MAYBE.link.link_id: History(SEEN, reopened="signature of plain_stops"),
}


def publish(
    outputs: Path, version: str = NEW, links: Sequence[LearnedLink] = LINKS, tools: Sequence[Tool] = TOOLS
) -> Store:
    """Publish tools and links as one version."""
    store = Store(outputs)
    rows = {
        "tools": [tool_row(each) for each in tools],
        "links": [
            link_row(each, endpoint="sandbox", spec_hashes={}, run_id="r", history=HISTORY.get(each.link.link_id))
            for each in links
        ],
    }
    for dataset, each in rows.items():
        if each:
            part = write_part(outputs / ".work", dataset, each)
            store.publish(dataset, version, [part], run_id="r")
    return store
