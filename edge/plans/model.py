"""The call plan: a directed acyclic graph of calls with live-grounded values, and the request written for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

JunctionKind = Literal["SEQ", "FAN", "DRV", "SEM", "CMP", "COND"]
ReducerKind = Literal["only", "filter", "max", "min", "latest", "earliest", "count", "all", "nearest"]


@dataclass(frozen=True, slots=True)
class UserValue:
    """An argument the user states: the wire value, and how people say it ("2026년 5월" for "202605")."""

    value: str
    text: str


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
class Reducer:
    """How the records of a step become the few that matter; deterministic, sayable in one sentence, tie-free.

    only: exactly one record came. filter: `field` equals `value` (exactly one remains). max/min: by number in `field`.
    latest/earliest: by date in `field`. count: how many records. all: keep every one (at most the FAN limit).
    """

    kind: ReducerKind
    field: str | None = None
    value: str | None = None
    text: str | None = None

    @property
    def needs_all_pages(self) -> bool:
        """Whether the reducer is wrong unless every page was read."""
        return self.kind not in ("only",)


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One tool in the plan. A step bound to a step whose reducer is "all" runs once for each of its records.

    `asks` are the output paths whose values the answer must state (empty for look-up steps).
    `link_id` is the verified link that feeds it (None for an entry step). `via` says in words what it is asked about
    where that is not the parent's own record but, say, its district ("the district of that trade").
    """

    step_id: str
    tool_id: str
    arguments: tuple[tuple[str, ArgumentSource], ...]
    reducer: Reducer
    asks: tuple[str, ...] = ()
    link_id: str | None = None
    junction: JunctionKind | None = None
    via: str | None = None

    @property
    def parent(self) -> str | None:
        """The step that feeds this one."""
        return next((source.step for _, source in self.arguments if isinstance(source, BoundValue)), None)


@dataclass(frozen=True, slots=True)
class CallPlan:
    """A plan whose every call has been made once with these values. `widths` counts the calls of each step."""

    plan_id: str
    steps: tuple[PlanStep, ...]
    today: str
    widths: tuple[int, ...]

    def step(self, step_id: str) -> PlanStep:
        """Return the step with this id."""
        return next(s for s in self.steps if s.step_id == step_id)

    @property
    def levels(self) -> tuple[int, ...]:
        """The depth of each step: 1 for entry steps, one more than the parent's for the rest."""
        found: dict[str, int] = {}
        for step in self.steps:
            found[step.step_id] = found[step.parent] + 1 if step.parent else 1
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
        return tuple(dict.fromkeys(s.link_id for s in self.steps if s.link_id))


@dataclass(frozen=True, slots=True)
class UserTask:
    """A plan and the request a person would make for it."""

    task_id: str
    plan: CallPlan
    query: str
    language: str
    persona: str
    style: str
    difficulty: str
    generator: str
    prompt_hash: str
