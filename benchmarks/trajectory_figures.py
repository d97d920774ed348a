"""What a set of trajectories is like, against what it must be like (rows -> figures)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import mean
from typing import Any

from edge.execution.conversation import Shown, answers_shown, chat_problems, fact_shown
from edge.links.paths import with_arguments
from edge.links.transforms import apply
from edge.text import compact

JUNCTIONS = ("SEQ", "FAN", "DRV", "SEM", "CMP", "COND")
NEGATIVE = ("irrelevant", "missing_parameter")
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: what was seen, what is wanted (empty: nothing is), and whether it was reached."""

    name: str
    seen: str
    target: str = ""
    reached: bool | None = None

    def __str__(self) -> str:
        """The figure on a line of its own."""
        verdict = "" if self.reached is None else "reached" if self.reached else "MISSED"
        return f"{self.name:<52} {self.seen}" + (f"   target {self.target}: {verdict}" if self.target else "")


@dataclass(frozen=True)
class Shipped:
    """A trajectory row with its JSON columns read."""

    row: Row

    @cached_property
    def calls(self) -> list[dict[str, Any]]:
        """The golden calls."""
        return json.loads(self.row["golden_calls"])

    @cached_property
    def messages(self) -> list[dict[str, Any]]:
        """The chat."""
        return json.loads(self.row["messages"])

    @cached_property
    def tools(self) -> list[dict[str, Any]]:
        """The offered functions."""
        return json.loads(self.row["tools"])

    @cached_property
    def facts(self) -> list[dict[str, Any]]:
        """The facts that the answer states."""
        return json.loads(self.row["answer_facts"])

    @cached_property
    def recipe(self) -> dict[str, Any]:
        """What the plan leaves open of how the row came about."""
        return json.loads(self.row["recipe"] or "{}")

    @cached_property
    def shown(self) -> dict[str, Shown]:
        """What was shown of each call."""
        return answers_shown(self.messages)

    @cached_property
    def sources(self) -> dict[tuple[str, str], dict[str, Any]]:
        """Where each argument of each step comes from, by the plan."""
        steps = json.loads(self.row["plan"])["steps"] if self.row["plan"] else []
        return {(s["id"], name): source for s in steps for name, source in s["arguments"].items()}


def share(name: str, hits: int, of: int, target: float | None = None, *, most: bool = False) -> Figure:
    """Return a share as a figure; `target` is the least, or the most."""
    value = hits / of if of else 0.0
    seen = f"{hits} of {of} = {100 * value:.1f} %"
    if target is None:
        return Figure(name, seen)
    reached = value <= target if most else value >= target
    return Figure(name, seen, f"{'<=' if most else '>='} {100 * target:g} %", reached)


def shape_figures(rows: Sequence[Shipped]) -> list[Figure]:
    """How many calls, how parallel, fed by how much, joined how."""
    called = [r for r in rows if r.calls]
    numbers = [len(r.calls) for r in called] or [0]
    spread = ", ".join(f"{n}: {c}" for n, c in sorted(Counter(numbers).items()))
    fed = [n for r in called for n in _feeding_records(r)]
    figures = [
        Figure("mean calls of rows that call", f"{mean(numbers):.2f}", ">= 4.9", mean(numbers) >= 4.9),
        Figure("most calls", f"{max(numbers)} ({spread})", ">= 14", max(numbers) >= 14),
        share("rows with parallel calls", sum(r.row["max_parallel"] > 1 for r in called), len(called), 0.59),
        share("chained calls fed by several records", sum(n > 1 for n in fed), len(fed), 0.80),
    ]
    for kind in JUNCTIONS:
        figures.append(share(f"rows with {kind}", sum(kind in r.row["junctions"] for r in rows), len(rows), 0.05))
    return figures


def _feeding_records(r: Shipped) -> Iterable[int]:
    """How many records the answer had that feeds each chained call."""
    for call in r.calls:
        for source in {ref["call"] for ref in call["references"]}:
            if source in r.shown:
                yield r.shown[source].total


def kind_figures(rows: Sequence[Shipped], negatives: float, recovery: float) -> list[Figure]:
    """Kinds against their quotas."""
    kinds = Counter(str(r.row["kind"]) for r in rows)
    seen = ", ".join(f"{k} {n}" for k, n in kinds.most_common())
    lost = sum(kinds[k] for k in NEGATIVE)
    return [
        Figure("rows by kind", seen),
        _quota("negatives", lost, len(rows), negatives),
        _quota("recovery", kinds["recovery"], len(rows), recovery),
    ]


def _quota(name: str, hits: int, of: int, wanted: float) -> Figure:
    """A quota is met when no row more or less would come nearer, give or take a fifth of it."""
    slack = max(1.0, 0.2 * wanted * of)
    return Figure(
        name, f"{hits} of {of} = {100 * hits / max(1, of):.1f} %", f"{100 * wanted:g} % (+- a fifth)",
        abs(hits - wanted * of) <= slack,
    )  # fmt: skip


def proof_figures(rows: Sequence[Shipped]) -> list[Figure]:
    """What each row can prove by itself: arguments, facts, a chat that trainers take."""
    origins = Counter(o for r in rows for o in _origins(r))
    known = sum(n for o, n in origins.items() if o != "nowhere")
    facts = [_found(r, f) for r in rows for f in r.facts]
    sound = [not chat_problems(r.messages, r.tools) for r in rows]
    parts = ", ".join(f"{o} {n}" for o, n in origins.most_common())
    return [
        share("gold arguments from request, default or result", known, origins.total(), 1.0),
        Figure("  of them", parts),
        share("facts shown to the model at their path", sum(facts), len(facts), 1.0),
        share("chats that are valid", sum(sound), len(sound), 1.0),
        Figure("longest chat", f"{max((len(r.row['messages']) for r in rows), default=0):,} characters of JSON"),
    ]


def _found(r: Shipped, fact: Mapping[str, Any]) -> bool:
    return fact_shown(r.shown, fact["call"], fact["path"]) == fact["value"]


def _origins(r: Shipped) -> Iterable[str]:
    """Where each gold argument comes from: request, default, result, or nowhere."""
    query = compact(str(r.row["query"]))
    by_id = {c["id"]: c for c in r.calls}
    for call in r.calls:
        references = {ref["parameter"]: ref for ref in call["references"]}
        for name, value in call["arguments"].items():
            source = r.sources.get((call["step"], name), {})
            if name in references:
                yield "result" if _reached(r, by_id, references[name], value) else "nowhere"
            elif source.get("source") == "user":
                yield "request" if compact(source["text"]) in query else "nowhere"
            else:
                yield "default" if source.get("source") == "default" else "nowhere"


def _reached(r: Shipped, by_id: Mapping[str, Row], reference: Mapping[str, Any], value: object) -> bool:
    """Whether a bound argument can be made from what the model was shown of the call it refers to."""
    shown = r.shown.get(reference["call"])
    record = shown.records.get(reference["record"]) if shown else None
    if record is None:
        return False
    given = {name: str(v) for name, v in by_id[reference["call"]]["arguments"].items()}
    made = apply(reference["transform"], with_arguments(record, given), reference["path"])
    return made is not None and _same(made, value)


def _same(made: str, value: object) -> bool:
    try:
        return made == str(value) or float(made) == float(str(value))
    except ValueError:
        return False


def spread_figures(rows: Sequence[Shipped], links: Sequence[Row], shapes: Sequence[Row]) -> list[Figure]:
    """How evenly domains, links and tools are used."""
    domains = Counter(d for r in rows for d in r.row["domains"])
    crowded, most = domains.most_common(1)[0] if domains else ("none", 0)
    verified = {x["link_id"] for x in links if x["status"] == "verified"}
    used = {i for r in rows for i in r.row["link_ids"]}
    served = {s["tool_id"] for s in shapes if s["served"]}
    called = {c["tool"] for r in rows for c in r.calls}
    return [
        share(f"rows of the most frequent domain ({crowded})", most, len(rows), 0.25, most=True),
        Figure("  domains", ", ".join(f"{d} {n}" for d, n in domains.most_common())),
        share("verified links used (target: in 2,000 rows)", len(used & verified), len(verified), 0.60),
        share("explored tools used (target: in 2,000 rows)", len(called & served), len(served), 0.80),
        Figure("different plan shapes", str(len({r.row["plan_signature"] for r in rows}))),
    ]


def yield_figures(ledger: Sequence[Row], rejects: Sequence[Row]) -> list[Figure]:
    """What each stage kept, and how many plans became trajectories."""
    by_stage = {str(x["stage"]): x for x in ledger}
    figures: list[Figure] = []
    for stage in ("task_generation", "sequence_generation", "execution_validation", "deduplication"):
        row = by_stage.get(stage, {"rows_in": 0, "rows_out": 0, "dropped": "{}"})
        figures.append(share(f"yield of {stage}", int(row["rows_out"]), int(row["rows_in"])))
        dropped: dict[str, int] = json.loads(row["dropped"])
        if dropped:
            worst = sorted(dropped.items(), key=lambda x: -x[1])[:8]
            figures.append(Figure("  dropped", ", ".join(f"{reason} {n}" for reason, n in worst)))
    plans, shipped = by_stage.get("task_generation"), by_stage.get("deduplication")
    if plans and shipped:
        figures.append(share("plans that become trajectories", shipped["rows_out"], plans["rows_in"], 0.60))
    named = all(x["reason"] for x in rejects)
    return [*figures, Figure("rejects with a reason", str(len(rejects)), "all", named)]
