"""Proven links -> the few of them that lead a run to every tool it can reach."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from edge.links.model import LearnedLink


def leading(links: Iterable[LearnedLink], entries: Collection[str]) -> set[str]:
    """Return ids of verified links over which every tool is reached that any verified links reach from `entries`.

    One link leads to each tool, on a shortest path the most likely one. A run that starts from a stored graph tries
    them again: they bring the records from which other links start, and tell whether a tool still answers as it did.
    """
    verified = [x for x in links if x.evidence.status == "verified"]
    reached, chosen = set(entries), set[str]()
    while True:
        best: dict[str, LearnedLink] = {}
        for x in verified:
            if x.link.source_tool in reached and x.link.target_tool not in reached:
                rival = best.get(x.link.target_tool)
                if rival is None or _rank(x) > _rank(rival):
                    best[x.link.target_tool] = x
        if not best:
            return chosen
        chosen |= {x.link.link_id for x in best.values()}
        reached |= best.keys()


def _rank(x: LearnedLink) -> tuple[float, str]:
    return x.evidence.mean, x.link.link_id
