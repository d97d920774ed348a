"""Requests are written for plans and checked; a failing one is written again, then given up (CallPlan -> UserTask)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from edge.errors import ModelAnswerError
from edge.ids import Json, digest
from edge.llm.answers import OutlinedAnswer, RequestAnswer
from edge.llm.offline.brief import read_brief
from edge.llm.offline.packs import pack_of
from edge.llm.prompts import Prompt, load_prompt
from edge.llm.protocol import Model
from edge.plans.brief import request_brief
from edge.plans.checks import problem_with
from edge.plans.model import CallPlan, UserTask
from edge.plans.request_rules import wording_problem
from edge.plans.runner import Execution
from edge.specs.model import Tool
from edge.text import compact


@dataclass(frozen=True, slots=True)
class RequestSettings:
    """How requests are written: language, the styles to draw from, and how often a failing one is written again.

    The first `free` attempts are made from the whole brief, the others from its outline in words.
    """

    language: str = "ko"
    styles: tuple[str, ...] = ("formal", "formal", "polite", "polite", "casual", "casual", "terse")
    attempts: int = 4
    free: int = 2


@dataclass(frozen=True, slots=True)
class RequestPrompts:
    """The prompt that shows the whole brief, and the one that shows its outline."""

    brief: Prompt
    outline: Prompt

    @staticmethod
    def load() -> RequestPrompts:
        """Return the project's own."""
        return RequestPrompts(load_prompt("user_request"), load_prompt("outlined_request"))


class RequestFailed(Exception):
    """No request for a plan passed the rules. `reason` is a reject reason."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


def difficulty_of(plan: CallPlan) -> str:
    """Return easy, medium or hard: by calls, and by whether something must be reduced or fanned out."""
    points = plan.n_calls + 2 * sum(s.junction in ("DRV", "FAN", "CMP", "COND") for s in plan.steps)
    return "easy" if points <= 3 else "medium" if points <= 6 else "hard"


async def write_request(
    plan: CallPlan,
    execution: Execution | None,
    tools: Mapping[str, Tool],
    model: Model,
    prompts: RequestPrompts,
    settings: RequestSettings,
    *,
    seed: int,
    personas: Sequence[str] = (),
) -> UserTask:
    """Return the plan's request, as one of `personas` makes it; without them, as one who plausibly asks about it.

    Raises:
        RequestFailed: every attempt broke a rule; the last reason.
    """
    failure, feedback = RequestFailed("unwritten", plan.plan_id), cast("dict[str, Json]", {})
    people = list(personas) or list(pack_of(settings.language).people(tools[plan.steps[-1].tool_id].domain))
    for attempt in range(settings.attempts):
        rng = random.Random(f"{seed}:{plan.plan_id}:{attempt}")
        style, persona = rng.choice(settings.styles), rng.choice(people)
        brief = request_brief(
            plan, tools, language=settings.language, style=style, persona=persona, seed=rng.randrange(2**31)
        )
        free = attempt < settings.free
        told = {**brief, "feedback": feedback, **({} if free else {"outline": outline_of(brief)})}
        try:
            query = await _asked(model, prompts, told)
        except ModelAnswerError as error:
            failure = RequestFailed(error.reason, error.detail[:300])
            feedback = {"problem": error.reason, "detail": failure.detail}
            continue
        problem = _copied(query, told) or problem_with(query, plan, execution, tools)
        problem = problem or wording_problem(query, plan, execution, tools, settings.language)
        if problem is None:
            return UserTask(
                task_id=digest(["task", plan.plan_id, query], 16),
                plan=plan,
                query=query,
                language=settings.language,
                persona=persona,
                style=style,
                difficulty=difficulty_of(plan),
                generator=f"{model.provider}/{model.name}",
                prompt_hash=(prompts.brief if free else prompts.outline).hash,
            )
        reason, _, detail = problem.partition(": ")
        failure = RequestFailed(f"request_{reason}", f"{detail} | {query}")
        feedback = {"problem": reason, "detail": detail}  # not the request: small models copy what they are shown
    raise failure


async def _asked(model: Model, prompts: RequestPrompts, told: Mapping[str, Json]) -> str:
    """Return the request that a model writes from a brief, or from its outline where that is told."""
    if "outline" not in told:
        return (await model.answer(prompts.brief, told, RequestAnswer)).value.query.strip()
    answer = await model.answer(prompts.outline, told, OutlinedAnswer)
    return " ".join(sentence.strip() for sentence in answer.value.sentences)


def outline_of(brief: Mapping[str, Json]) -> list[Json]:
    """Return what a brief asks, a line for each thing, in the words of its language.

    Raises:
        UsageError: it is no brief, or there is no pack for its language.
    """
    read = read_brief(brief)
    return list(pack_of(read.language).outline(read))


def _copied(query: str, told: Mapping[str, Json]) -> str | None:
    """Say that a request is nothing but the outline: then nobody has written it."""
    lines = told.get("outline", [])
    shown = compact(" ".join(map(str, lines))) if isinstance(lines, list) else ""
    return f"copied: {query}" if shown and compact(query) == shown else None
