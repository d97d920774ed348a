"""A plan while it is being grounded: its steps, the calls made for it, what the user has said so far."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from edge.calls import Record
from edge.ids import Json, digest
from edge.links.fillers import Filling
from edge.links.paths import get_path, scalar, with_arguments
from edge.plans.codec import plan_to_json
from edge.plans.model import CallPlan, Comparison, PlanStep, Reducer
from edge.plans.reducers import NotUnique
from edge.plans.runner import ExecutedCall, Execution, reduced


class PlanFailed(Exception):
    """No plan came of this walk. `reason` is a reject reason."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason} {detail}".strip())
        self.reason = reason
        self.detail = detail


@dataclass(slots=True)
class Draft:
    """`said` are the texts the request will state; `shared` the value that serves for a kind and label everywhere.

    `proven` are arguments with which tools have answered, by tool: they are taken again where a person can say them.
    """

    rng: random.Random
    steps: list[PlanStep] = field(default_factory=list[PlanStep])
    execution: Execution = field(default_factory=Execution)
    said: list[str] = field(default_factory=list[str])
    shared: dict[tuple[str, str], Filling] = field(default_factory=dict[tuple[str, str], Filling])
    untaken: list[PlanStep] = field(default_factory=list[PlanStep])
    comparison: Comparison | None = None
    proven: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])

    def copy(self) -> Draft:
        """Return a draft that can be tried further without changing this one; it draws from the same generator."""
        execution = Execution(list(self.execution.calls))
        return Draft(
            self.rng, list(self.steps), execution, list(self.said), dict(self.shared), list(self.untaken),
            self.comparison, self.proven,
        )  # fmt: skip

    def step(self, step_id: str) -> PlanStep:
        """Return the step with this id."""
        return next(s for s in self.steps if s.step_id == step_id)

    def calls_of(self, step_id: str) -> list[ExecutedCall]:
        """Return the calls made for a step."""
        return self.execution.of(step_id)

    def next_id(self) -> str:
        """Return the id of the step to come."""
        return f"s{len(self.steps) + 1}"

    def settle(self, step: PlanStep, reducer: Reducer, reduced: Sequence[ExecutedCall]) -> PlanStep:
        """Put the step with its final reducer in place, and its calls with the records chosen; return the step."""
        settled = replace(step, reducer=reducer)
        self.replace_step(settled)
        by_id = {c.call_id: c for c in reduced}
        self.execution.calls = [by_id.get(c.call_id, c) for c in self.execution.calls]
        for named in (reducer, reducer.within):
            if named is not None and named.kind == "filter" and named.text and named.text not in self.said:
                self.said.append(named.text)
        return settled

    def replace_step(self, step: PlanStep) -> None:
        """Put a step in the place of the one with its id."""
        position = next(i for i, s in enumerate(self.steps) if s.step_id == step.step_id)
        self.steps[position] = step

    def mark(self) -> tuple[int, int, int]:
        """Return where the draft is, for `back_to`."""
        return len(self.steps), len(self.execution.calls), len(self.said)

    def back_to(self, mark: tuple[int, int, int]) -> None:
        """Forget what came after a mark: a branch that was tried and did not work."""
        del self.steps[mark[0] :], self.execution.calls[mark[1] :], self.said[mark[2] :]

    def become(self, other: Draft) -> None:
        """Take over what another draft tried with success."""
        self.steps, self.execution, self.said = other.steps, other.execution, other.said
        self.shared, self.untaken, self.comparison = other.shared, other.untaken, other.comparison

    def known_to(self, calls: Sequence[ExecutedCall]) -> list[str]:
        """Return what is known before these calls are made: what the user said, and the records that led to them."""
        values = list(self.said)
        for call in calls:
            lineage = self.execution.lineage(call.sources) or {}
            values.extend(v for place in lineage.values() for v in flat(self.execution.record(place)))
        return values

    def finish(self, today: str) -> CallPlan:
        """Return the plan; its id is a hash of tools, arguments, reducers and what is asked."""
        widths = tuple(len(self.calls_of(s.step_id)) for s in self.steps)
        plan = CallPlan("", tuple(self.steps), today, widths, tuple(self.untaken), self.comparison)
        return replace(plan, plan_id=digest(_essence(plan), 16))


def reduce_all(draft: Draft, calls: Sequence[ExecutedCall], reducer: Reducer) -> list[ExecutedCall] | None:
    """Apply a reducer to every call of a step; None where it does not work for one of them."""
    try:
        return [reduced(c, reducer, draft.execution) for c in calls]
    except NotUnique:
        return None


def feeding(call: ExecutedCall) -> list[Record]:
    """Return the chosen records of a call with the arguments that gave them: what a link binds from."""
    return [with_arguments(r, call.arguments) for r in call.records]


def flat(record: Record) -> list[str]:
    """Return the scalar values of a record's own fields."""
    return [v for key in record if (v := scalar(get_path(record, key))) is not None]


def _essence(plan: CallPlan) -> Json:
    """What makes a plan another plan: all of it but how it was found and how often its steps are called."""
    shape = plan_to_json(plan)
    return {k: v for k, v in shape.items() if k not in ("plan_id", "widths")}
