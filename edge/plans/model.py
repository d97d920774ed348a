"""The call plan: a directed acyclic graph of calls with live-grounded values, and the request written for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from edge.plans.reducer import COMPUTING, Point, Reducer, ReducerKind

__all__ = [
    "COMPUTING", "ArgumentSource", "BoundValue", "CallPlan", "Comparison", "Condition", "DefaultValue", "Gap",
    "GapReason", "JunctionKind", "Operator", "PlanStep", "Point", "Reducer", "ReducerKind", "TaskKind", "UserTask",
    "UserValue",
]  # fmt: skip
JunctionKind = Literal["SEQ", "FAN", "DRV", "SEM", "CMP", "COND"]
Operator = Literal[">=", "<=", "=="]


@dataclass(frozen=True, slots=True)
class UserValue:
    """An argument the user states: the wire value, and how people say it ("2026년 5월" for "202605").

    `relation` says how a date lies to today where people have a word for it: "month-1" (last month), "day-1", "year-1".
    """

    value: str
    text: str
    relation: str | None = None


@dataclass(frozen=True, slots=True)
class DefaultValue:
    """An argument a client would send without being asked, from the document or the clock."""

    value: str


@dataclass(frozen=True, slots=True)
class BoundValue:
    """An argument taken from the reduced records of an earlier step."""

    step: str
    path: str
    transform: str | None = None


ArgumentSource = UserValue | DefaultValue | BoundValue


@dataclass(frozen=True, slots=True)
class Condition:
    """A predicate over the result of `step` that decides whether a step comes next.

    Compared with `value` (a number, except for "==") is the value at `field` of the step's one record, or where there
    is no field what its reducer computes (a count: "are there any" is >= 1). `truth` is how it must come out for the
    step.
    """

    step: str
    operator: Operator
    value: str
    truth: bool
    field: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Values that the answer sets side by side, and which of them wins; ties are refused.

    The calls of `steps` (all of one tool) are compared by the number at `field` of their one record, or where there is
    no field by what their reducer computes. Several steps are branches for several values that the user states, one
    step is a fan-out.
    """

    steps: tuple[str, ...]
    kind: Literal["max", "min"]
    field: str | None = None


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One tool in the plan. A step bound to a step that leaves several records runs once for each of them.

    `asks` are the output paths whose values the answer must state (empty for look-up steps).
    `link_id` is the verified link that feeds it (None for an entry step). `via` says in words what it is asked about
    where that is not the parent's own record but, say, its district ("the district of that trade").
    `when` is the predicate under which it runs at all. `may_be_empty`: that nothing came is an answer (a count of 0).
    `also_links` are further links that feed it: those of a join of two branches.
    """

    step_id: str
    tool_id: str
    arguments: tuple[tuple[str, ArgumentSource], ...]
    reducer: Reducer
    asks: tuple[str, ...] = ()
    link_id: str | None = None
    junction: JunctionKind | None = None
    via: str | None = None
    when: Condition | None = None
    may_be_empty: bool = False
    also_links: tuple[str, ...] = ()

    @property
    def parents(self) -> tuple[str, ...]:
        """The steps whose records feed this one, each once; two or more where branches join."""
        return tuple(dict.fromkeys(s.step for _, s in self.arguments if isinstance(s, BoundValue)))

    @property
    def parent(self) -> str | None:
        """The first step that feeds this one."""
        return next(iter(self.parents), None)

    @property
    def needs(self) -> tuple[str, ...]:
        """The steps that must be done before: those that feed it, decide on it, or give the place it measures from."""
        decides = (self.when.step,) if self.when else ()
        near = self.reducer.near.step if self.reducer.near else None
        return tuple(dict.fromkeys([*self.parents, *decides, *([near] if near else [])]))


@dataclass(frozen=True, slots=True)
class CallPlan:
    """A plan whose every call has been made once with these values. `widths` counts the calls of each step.

    `untaken` are the steps of a branch that the data did not choose: said in the request, never called.
    """

    plan_id: str
    steps: tuple[PlanStep, ...]
    today: str
    widths: tuple[int, ...]
    untaken: tuple[PlanStep, ...] = ()
    comparison: Comparison | None = None

    def step(self, step_id: str) -> PlanStep:
        """Return the step with this id."""
        return next(s for s in self.steps if s.step_id == step_id)

    def fields_read(self, step_id: str) -> tuple[str, ...]:
        """Return the paths of a step's records that later steps, conditions, distances and the comparison read."""
        found: list[str] = []
        for step in (*self.steps, *self.untaken):
            found += [s.path for _, s in step.arguments if isinstance(s, BoundValue) and s.step == step_id]
            if step.when and step.when.step == step_id and step.when.field:
                found.append(step.when.field)
            near = step.reducer.near
            if near and near.step == step_id:
                found += [near.latitude, near.longitude]
        if self.comparison and self.comparison.field and step_id in self.comparison.steps:
            found.append(self.comparison.field)
        return tuple(dict.fromkeys(found))

    @property
    def levels(self) -> tuple[int, ...]:
        """The depth of each step: 1 for entry steps, one more than the deepest step that it needs for the rest."""
        found: dict[str, int] = {}
        for step in self.steps:
            found[step.step_id] = 1 + max((found[s] for s in step.needs), default=0)
        return tuple(found.values())

    @property
    def n_calls(self) -> int:
        """How many calls the plan takes, fan-outs included."""
        return sum(self.widths)

    @property
    def max_parallel(self) -> int:
        """The most calls that can be made at once: those on one level."""
        by_level: dict[int, int] = {}
        for level, width in zip(self.levels, self.widths, strict=True):
            by_level[level] = by_level.get(level, 0) + width
        return max(by_level.values(), default=0)

    @property
    def junctions(self) -> tuple[JunctionKind, ...]:
        """The junction kinds in step order, each once."""
        return tuple(dict.fromkeys(s.junction for s in self.steps if s.junction))

    @property
    def link_ids(self) -> tuple[str, ...]:
        """The links walked, in step order, each once."""
        walked = [x for s in self.steps for x in (s.link_id, *s.also_links) if x]
        return tuple(dict.fromkeys(walked))


TaskKind = Literal["positive", "irrelevant", "missing_parameter", "recovery"]
GapReason = Literal["unrelated", "withheld", "missing"]


@dataclass(frozen=True, slots=True)
class Gap:
    """What a negative lacks: the right act is to say so, or to ask for it, and to call nothing.

    unrelated: none of `tools`, all that the plan calls, is offered, nor anything near them. withheld: `tools`, those
    that hold what is asked, are not offered. missing: the request does not say `text`, the value of `parameter` of
    `step`. `label` names what is lacking in words: what was to be looked up, or the value to ask for.
    """

    reason: GapReason
    label: str
    tools: tuple[str, ...] = ()
    step: str | None = None
    parameter: str | None = None
    text: str | None = None

    @property
    def kind(self) -> TaskKind:
        """The kind of the rows that it makes."""
        return "missing_parameter" if self.reason == "missing" else "irrelevant"


@dataclass(frozen=True, slots=True)
class UserTask:
    """A plan and the request a person would make for it; `gap` says what a negative lacks to carry it out."""

    task_id: str
    plan: CallPlan
    query: str
    language: str
    persona: str
    style: str
    difficulty: str
    generator: str
    prompt_hash: str
    kind: TaskKind = "positive"
    gap: Gap | None = None
