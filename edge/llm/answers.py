"""Model answer -> validated value: the pydantic shapes that the prompts ask for."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

RestSource = Literal["default", "enum", "clock", "request", "value_pool", "link"]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Shape(BaseModel):
    """Every field is required and no other is allowed: what strict structured output can express."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class BindingAnswer(_Shape):
    """One output path of the source that fills one parameter of the target."""

    source_path: Text
    target_parameter: Text
    transform: str | None


class RestAnswer(_Shape):
    """One required parameter that a binding set leaves open, and where its value comes from."""

    parameter: Text
    source: RestSource


class LinkCandidateAnswer(_Shape):
    """One binding set, where the rest of the required parameters comes from, and how likely it runs."""

    score: float = Field(ge=0, le=1)
    bindings: list[BindingAnswer]
    rest: list[RestAnswer]
    reason: str


class PairAnswer(_Shape):
    """What is said of one of the targets that were asked about: none, one or a few binding sets."""

    target: Text
    candidates: list[LinkCandidateAnswer]


class LinkAnswer(_Shape):
    """Answer of `link_feasibility`: one entry for each target."""

    pairs: list[PairAnswer]


class RequestAnswer(_Shape):
    """Answer of `user_request`."""

    query: Text


class OutlinedAnswer(_Shape):
    """Answer of `outlined_request`: a sentence for each line of the outline."""

    sentences: list[Text] = Field(min_length=1)


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


class JudgementAnswer(_Shape):
    """Answer of `request_judge`: whether a request meets each criterion of the rubric."""

    reason: str
    natural: bool
    plausible: bool
    unambiguous: bool
