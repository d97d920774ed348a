"""Prompt variables -> typed brief: what a writer may know, as docs/design/brief.md lays it down."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from edge.errors import UsageError
from edge.ids import Json

ReducerKind = Literal["only", "filter", "max", "min", "latest", "earliest", "count", "all", "nearest"]


_COMPANY = ("회사", "기업", "법인", "종목", "상장종목")
_WHOLE_NAME = re.compile(r"^이름이 '\{v\}'인$|^'\{v\}'\{josa:[^}]*\} 찾은$")


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Input(_Part):
    """A value the user states."""

    name: str = ""
    label: str
    kind: str = "unknown"
    text: str
    phrase: str | None = None


class Reducer(_Part):
    """How the records of a step become the few that matter."""

    kind: ReducerKind = "only"
    label: str | None = None
    text: str | None = None
    names_record: bool = False
    field_kind: str | None = None


class Ask(_Part):
    """A value the answer must state."""

    label: str
    unit: str | None = None
    kind: str = "unknown"


class Fact(_Part):
    """A value found, as people read it."""

    step: str = ""
    entity: str | None = None
    label: str
    text: str
    unit: str | None = None
    kind: str = "unknown"


class Step(_Part):
    """One step of the plan, in labels."""

    id: str
    title: str = ""
    noun: str = ""
    domain: str = ""
    parent: str | None = None
    junction: str | None = None
    via: str | None = None
    inputs: tuple[Input, ...] = ()
    reducer: Reducer = Reducer()
    asks: tuple[Ask, ...] = ()

    @property
    def own_name(self) -> str | None:
        """The name by which the one record is known: a filter on its name, or an input that states the whole name."""
        if self.reducer.kind == "filter" and self.reducer.names_record:
            return self.reducer.text
        if self.reducer.kind == "only":
            return next((item.text for item in self.inputs if _names(item, self.noun)), None)
        return None

    @property
    def named(self) -> bool:
        """Whether the record has a name by which people know it."""
        return bool(self.own_name)

    @property
    def wanted(self) -> bool:
        """Whether the request asks for something of this step."""
        return bool(self.asks) or self.reducer.kind == "count"

    @property
    def many(self) -> bool:
        """Whether every record is kept."""
        return self.reducer.kind == "all"


def _names(item: Input, noun: str) -> bool:
    """Whether an input states the whole name of a record: 회사명 of a 회사, not 시도명 of a 단지."""
    if _WHOLE_NAME.search(item.phrase or ""):
        return True
    of = re.sub(r"\s*(?:명칭|이름|명)$", "", item.label)
    named = of != item.label and (of in noun or (of in _COMPANY and noun in _COMPANY))
    return item.kind == "name" and item.phrase in ("{v}", "'{v}'", "{v}라는") and named


class Brief(_Part):
    """The whole document; `facts` only in the brief of an answer."""

    today: str = ""
    language: str = "ko"
    style: str = ""
    persona: str = ""
    seed: int = 0
    steps: tuple[Step, ...]
    facts: tuple[Fact, ...] = ()

    def step(self, step_id: str | None) -> Step | None:
        """Return the step with this id, if there is one."""
        return next((s for s in self.steps if s.id == step_id), None)

    def ancestors(self, step: Step) -> list[Step]:
        """Return the chain from the root down to the parent of `step`."""
        chain: list[Step] = []
        current = self.step(step.parent)
        while current is not None and current not in chain:
            chain.insert(0, current)
            current = self.step(current.parent)
        return chain

    @property
    def wanted(self) -> list[Step]:
        """The steps of which something is asked; the last step when the brief names none."""
        return [s for s in self.steps if s.wanted] or [self.steps[-1]]


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
