"""Prompt variables -> typed brief: what a writer of any language may know, as docs/design/brief.md lays it down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from edge.errors import UsageError
from edge.ids import Json

ReducerKind = Literal[
    "only", "filter", "max", "min", "latest", "earliest", "count", "all", "nearest",
    "sum", "mean", "distinct", "top", "bottom", "at_least", "at_most", "contains",
]  # fmt: skip
MANY: frozenset[ReducerKind] = frozenset({"all", "top", "bottom", "at_least", "at_most", "contains"})
COMPUTING: frozenset[ReducerKind] = frozenset({"count", "sum", "mean", "distinct"})


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Input(_Part):
    """A value the user states. `whole_name`: it is all of the record's name. `relation`: how a date lies to today."""

    name: str = ""
    label: str
    kind: str = "unknown"
    text: str
    phrase: str | None = None
    whole_name: bool = False
    relation: str | None = None


class Reducer(_Part):
    """How the records of a step become the few that matter, or one value. `within` narrows them first."""

    kind: ReducerKind = "only"
    label: str | None = None
    text: str | None = None
    names_record: bool = False
    field_kind: str | None = None
    unit: str | None = None
    k: int | None = None
    near_step: str | None = None
    within: Reducer | None = None
    names: tuple[str, ...] = ()  # of several records set side by side

    @property
    def texts(self) -> tuple[str, ...]:
        """What must be said for it, innermost first."""
        inner = self.within.texts if self.within else ()
        own = [self.text] if self.text else []
        return (*inner, *own, *([str(self.k)] if self.k is not None else []))


class Ask(_Part):
    """A value the answer must state."""

    label: str
    unit: str | None = None
    kind: str = "unknown"


class Fact(_Part):
    """A value found, as people read it. `operation`: how it was made where no record holds it."""

    step: str = ""
    entity: str | None = None
    label: str
    text: str
    unit: str | None = None
    kind: str = "unknown"
    operation: str | None = None


class Condition(_Part):
    """The predicate under which a step comes; without a label it is over what the step's reducer computes."""

    step: str
    label: str | None = None
    field_kind: str | None = None
    unit: str | None = None
    operator: Literal[">=", "<=", "=="] = ">="
    value: str = "1"
    text: str | None = None
    truth: bool = True

    @property
    def exists(self) -> bool:
        """Whether it asks no more than if there are any."""
        return self.label is None and self.operator == ">=" and self.value == "1"


class Comparison(_Part):
    """What is set side by side: several steps, each with the name it is known by, or one that fans out."""

    steps: tuple[str, ...]
    kind: Literal["max", "min"] = "max"
    label: str | None = None
    field_kind: str | None = None
    unit: str | None = None
    names: tuple[str | None, ...] = ()


class Step(_Part):
    """One step of the plan, in labels. `beside`: asked by where its parent lies. `merged`: it stands for twins."""

    id: str
    title: str = ""
    noun: str = ""
    domain: str = ""
    parent: str | None = None
    parents: tuple[str, ...] = ()
    when: Condition | None = None
    junction: str | None = None
    via: str | None = None
    beside: bool = False
    inputs: tuple[Input, ...] = ()
    reducer: Reducer = Reducer()
    asks: tuple[Ask, ...] = ()
    merged: bool = False

    @property
    def many(self) -> bool:
        """Whether several records may be kept."""
        return self.reducer.kind in MANY

    @property
    def computes(self) -> bool:
        """Whether its records become one value."""
        return self.reducer.kind in COMPUTING

    @property
    def texts(self) -> list[str]:
        """Everything that must be said for it."""
        said = [item.text for item in self.inputs] + list(self.reducer.texts)
        return [*said, self.when.text] if self.when and self.when.text else said


class Brief(_Part):
    """The whole document; `facts` only in the brief of an answer. `untaken`: the branch that was not chosen."""

    today: str = ""
    language: str = "ko"
    style: str = ""
    persona: str = ""
    seed: int = 0
    steps: tuple[Step, ...]
    untaken: tuple[Step, ...] = ()
    comparison: Comparison | None = None
    facts: tuple[Fact, ...] = ()

    @property
    def all_steps(self) -> tuple[Step, ...]:
        """The steps of both branches."""
        return (*self.steps, *self.untaken)

    def step(self, step_id: str | None) -> Step | None:
        """Return the step with this id, if there is one."""
        return next((s for s in self.all_steps if s.id == step_id), None)

    def ancestors(self, step: Step) -> list[Step]:
        """Return the chain from the root down to the first parent of `step`."""
        chain: list[Step] = []
        current = self.step(step.parent)
        while current is not None and current not in chain:
            chain.insert(0, current)
            current = self.step(current.parent)
        return chain

    def condition_of(self, step: Step) -> Condition | None:
        """Return the predicate under which a step is reached, its own or that of the step it hangs on."""
        return next((s.when for s in [step, *reversed(self.ancestors(step))] if s.when), None)

    @property
    def wanted(self) -> list[Step]:
        """The steps of which something is asked, those of the other branch too; the last step when there is none.

        A count that only decides which branch is taken is not asked.
        """
        deciding = {s.when.step for s in self.all_steps if s.when}
        found = [s for s in self.all_steps if s.asks or (s.computes and not (_counts(s) and s.id in deciding))]
        return found or [self.steps[-1]]


def _counts(step: Step) -> bool:
    return step.reducer.kind == "count"


def read_brief(variables: Mapping[str, Json]) -> Brief:
    """Read the variables of `user_request` or `final_answer`; a brief nested under "brief" is read from there.

    Raises:
        UsageError: the variables are no brief.
    """
    nested = variables.get("brief")
    source = (
        {**nested, **{k: v for k, v in variables.items() if k != "brief"}} if isinstance(nested, Mapping) else variables
    )
    try:
        brief = Brief.model_validate(source)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(
            f"the brief does not have the shape of docs/design/brief.md: {where}: {first['msg']}"
        ) from error
    if not brief.steps:
        raise UsageError("the brief has no steps")
    return brief
