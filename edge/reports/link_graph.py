"""A published version becomes the link graph and parts of it (rows of `tools` and `links` -> LinkGraph)."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from scipy import special  # pyright: ignore[reportMissingTypeStubs]

from edge.datasets.store import Store
from edge.errors import UsageError
from edge.links.model import Evidence, Link
from edge.links.rows import stored_of
from edge.text import compact

Row = Mapping[str, object]

NAMED = 8  # as many tools are named where a name fits several
_CREDIBLE = (0.025, 0.975)


@dataclass(frozen=True, slots=True)
class Node:
    """A tool as the graph shows it."""

    tool_id: str
    operation_key: str = ""
    title: str = ""
    platform: str = ""
    service: str = ""
    domain: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """A link as it is stored. Cardinalities are sizes of the source's answers; times are ISO 8601 UTC text.

    `proven_at` is when it last succeeded, `reopened` why it has to succeed anew ("": it has not).
    """

    link: Link
    evidence: Evidence
    cardinality_median: float | None = None
    cardinality_max: int | None = None
    executed_at: str | None = None
    proven_at: str | None = None
    reopened: str = ""
    endpoint: str | None = None

    @property
    def status(self) -> str:
        """The state of the link."""
        return self.evidence.status

    @property
    def interval(self) -> tuple[float, float]:
        """The equal-tailed interval that holds 95 % of the posterior Beta(alpha, beta)."""
        quantile = cast(Any, special).betaincinv
        low, high = (float(quantile(self.evidence.alpha, self.evidence.beta, share)) for share in _CREDIBLE)
        return low, high

    @property
    def said(self) -> str:
        """Why it was proposed, where that says more than the bindings, and why it was reopened, if it was."""
        plain = ", ".join(f"{b.source_path}→{b.target_parameter}" for b in self.link.bindings)
        reason = "" if self.link.reason == plain else self.link.reason
        return "; ".join(filter(None, (reason, f"reopened: {self.reopened}" if self.reopened else "")))

    @property
    def bindings(self) -> tuple[str, ...]:
        """Each binding in words: path → parameter, and the transform between them."""
        return tuple(
            f"{b.source_path} → {b.target_parameter}" + (f" through {b.transform}" if b.transform else "")
            for b in self.link.bindings
        )

    @property
    def rest(self) -> tuple[str, ...]:
        """From where each other required parameter of the target comes, in words."""
        return tuple(f"{r.parameter} by {r.source}" for r in self.link.rest)


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """Tools by id, in order, and links: the surest first within two tools, these in order."""

    version: str
    nodes: dict[str, Node]
    edges: tuple[Edge, ...]

    def into(self, tool_id: str) -> list[Edge]:
        """Return the links that feed a tool."""
        return [x for x in self.edges if x.link.target_tool == tool_id]

    def out_of(self, tool_id: str) -> list[Edge]:
        """Return the links that a tool feeds."""
        return [x for x in self.edges if x.link.source_tool == tool_id]

    def part(
        self,
        *,
        statuses: Collection[str] = (),
        platforms: Collection[str] = (),
        tool_id: str | None = None,
        depth: int = 1,
    ) -> LinkGraph:
        """Return the links of these states that touch these platforms and lie within `depth` links of a tool.

        What is left empty narrows nothing. Tools are those at the ends of the links, and the one that was named.
        """
        edges = [x for x in self.edges if not statuses or x.status in statuses]
        if tool_id is not None:
            near = _reached(edges, tool_id, depth - 1)
            edges = [x for x in edges if near & {x.link.source_tool, x.link.target_tool}]
        if platforms:
            edges = [x for x in edges if self._platforms(x) & set(platforms)]
        ends = {end for x in edges for end in (x.link.source_tool, x.link.target_tool)} | ({tool_id} - {None})
        return LinkGraph(self.version, {k: node for k, node in self.nodes.items() if k in ends}, tuple(edges))

    def _platforms(self, edge: Edge) -> set[str]:
        return {self.nodes[end].platform for end in (edge.link.source_tool, edge.link.target_tool)}

    def find(self, name: str) -> Node:
        """Return the tool with this id or operation key, or the only one whose id, key or title holds the name.

        Raises:
            UsageError: none does, or several do; says which come near.
        """
        exact = [n for n in self.nodes.values() if name in (n.tool_id, n.operation_key)]
        wanted = compact(name)
        held = [n for n in self.nodes.values() if wanted and any(wanted in compact(text) for text in _names(n))]
        found = exact or held
        if len(found) == 1:
            return found[0]
        if found:
            shown = ", ".join(n.tool_id for n in found[:NAMED]) + (", ..." if len(found) > NAMED else "")
            raise UsageError(f"{name} is part of {len(found)} tools: {shown}")
        near = self._near(name)
        hint = f"near it are {', '.join(near)}" if near else "edge compile --full lists the tools"
        raise UsageError(f"no tool is called {name} in {self.version}; {hint}")

    def _near(self, name: str) -> list[str]:
        known = {compact(text): node.tool_id for node in self.nodes.values() for text in _names(node) if text}
        # The last part is what people remember of a key: "getVilageFcst".
        known |= {compact(node.operation_key.rsplit(".", 1)[-1]): node.tool_id for node in self.nodes.values()}
        close = difflib.get_close_matches(compact(name), sorted(known), n=NAMED, cutoff=0.6)
        return list(dict.fromkeys(known[text] for text in close))[:3]


def _names(node: Node) -> tuple[str, str, str]:
    return node.tool_id, node.operation_key, node.title


def _reached(edges: Iterable[Edge], tool_id: str, steps: int) -> set[str]:
    """Return the tools within so many links of one, whichever way the links point."""
    beside: dict[str, set[str]] = {}
    for x in edges:
        beside.setdefault(x.link.source_tool, set()).add(x.link.target_tool)
        beside.setdefault(x.link.target_tool, set()).add(x.link.source_tool)
    reached, rim = {tool_id}, {tool_id}
    for _ in range(steps):
        rim = {other for one in rim for other in beside.get(one, ())} - reached
        reached |= rim
    return reached


def load_graph(store: Store, version: str | None = None) -> LinkGraph:
    """Return the link graph of a version, by default the newest.

    Raises:
        UsageError: there are no links there.
        StoreError: a file is spoilt.
    """
    if version is not None and version not in store.published("links"):
        raise UsageError(f"{store.root} holds no links of version {version}; runs_all in the catalog lists versions")
    chosen = version or store.latest("links")
    if chosen is None:
        raise UsageError(f"{store.root} holds no links; run: edge explore --outputs {store.root}")
    edges = [edge_of(row) for row in store.rows("links", chosen)]
    nodes = {node.tool_id: node for node in map(_node_of, _tools(store, chosen))}
    for x in edges:  # a version may have been published without its tools
        for end in (x.link.source_tool, x.link.target_tool):
            nodes.setdefault(end, Node(end))
    return LinkGraph(chosen, dict(sorted(nodes.items())), tuple(sorted(edges, key=_order)))


def _tools(store: Store, version: str) -> Sequence[Row]:
    return store.rows("tools", version) if version in store.versions("tools") else store.rows("tools")


def _node_of(row: Row) -> Node:
    named = (str(row[name] or "") for name in ("tool_id", "operation_key", "title", "platform", "service", "domain"))
    return Node(*named)


def edge_of(row: Row) -> Edge:
    """Return the link of a row of `links`."""
    stored, median, most = stored_of(row), row["cardinality_median"], row["cardinality_max"]
    link, evidence, history = stored.learned.link, stored.learned.evidence, stored.history
    return Edge(
        link,
        evidence,
        cardinality_median=None if median is None else float(str(median)),
        cardinality_max=None if most is None else int(str(most)),
        executed_at=evidence.last_executed_at,
        proven_at=history.proven_at,
        reopened=history.reopened,
        endpoint=stored.endpoint or None,
    )


def _order(edge: Edge) -> tuple[str, str, int, float, float, str]:
    link, rank = edge.link, ("verified", "candidate", "pruned").index(edge.status)
    return link.source_tool, link.target_tool, rank, -edge.evidence.mean, -link.feasibility, link.link_id
