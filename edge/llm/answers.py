"""Model answer -> validated value: the pydantic shapes that the prompts ask for."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Shape(BaseModel):
    """Every field is required and no other is allowed: what strict structured output can express."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class BindingAnswer(_Shape):
    """One output path of the source that fills one parameter of the target."""

    source_path: Text
    target_parameter: Text
    transform: str | None


class LinkCandidateAnswer(_Shape):
    """One binding set and how likely it runs."""

    score: float = Field(ge=0, le=1)
    bindings: list[BindingAnswer]
    reason: str


class LinkAnswer(_Shape):
    """Answer of `link_feasibility`: none, one or a few binding sets."""

    candidates: list[LinkCandidateAnswer]


class RequestAnswer(_Shape):
    """Answer of `user_request`."""

    query: Text


class ReferenceAnswer(_Shape):
    """One argument taken from the records of an earlier call."""

    parameter: Text
    call: Text
    path: Text
    transform: str | None


class CallAnswer(_Shape):
    """One call: literal arguments by wire name, and the references that fill the rest."""

    id: Text
    tool: Text
    arguments: dict[str, str]
    references: list[ReferenceAnswer]


class KeyAnswer(_Shape):
    """Answer of `answer_key`: the calls in an order in which they can run."""

    calls: list[CallAnswer]


class FinalAnswer(_Shape):
    """Answer of `final_answer`."""

    answer: Text


class DescriptionAnswer(_Shape):
    """Answer of `tool_description`."""

    description: Text
