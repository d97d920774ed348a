"""A request that cannot be carried out is answered without a call (UserTask with a gap -> Trajectory)."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence

from edge.errors import ModelAnswerError
from edge.execution.messages import opening
from edge.execution.model import Trajectory, ValidationFailed
from edge.ids import Json
from edge.llm.answers import FinalAnswer
from edge.llm.prompts import Prompt
from edge.llm.protocol import Model
from edge.plans.model import CallPlan, Gap, UserTask
from edge.plans.runner import Execution
from edge.specs.model import Tool
from edge.text import compact

ATTEMPTS = 3


async def answer_without_calls(
    task: UserTask, model: Model, prompt: Prompt, *, offered: Sequence[Tool], system: str
) -> Trajectory:
    """Return the example: the request, the offered tools, and a question back or that it cannot be done.

    Raises:
        ValidationFailed: the gap is none after all, or no attempt says what is lacking.
    """
    gap = task.gap
    problem = gap_problem(gap, task.query, [t.tool_id for t in offered]) if gap else "no gap"
    if gap is None or problem:
        raise ValidationFailed("negative_is_none", problem)
    answer = await _said(task, gap, model, prompt, offered)
    messages: list[Mapping[str, Json]] = [
        *opening(task.plan.today, system=system, query=task.query),
        {"role": "assistant", "content": answer},
    ]
    return Trajectory(
        task=task, plan=task.plan, execution=Execution(), facts=(), answer=answer, messages=tuple(messages),
        offered=tuple(t.tool_id for t in offered), generator=task.generator, kind=gap.kind,
    )  # fmt: skip


def gap_problem(gap: Gap, query: str, offered: Collection[str]) -> str:
    """Return why a request could be carried out in spite of its gap; "" where it cannot."""
    there = sorted(set(gap.tools) & set(offered))
    if there:
        return f"{', '.join(there)} is offered"
    if gap.text is not None and compact(gap.text) in compact(query):
        return f"{gap.text!r} is in the request"
    return ""


async def _said(task: UserTask, gap: Gap, model: Model, prompt: Prompt, offered: Sequence[Tool]) -> str:
    feedback = ""
    for attempt in range(ATTEMPTS):
        variables: dict[str, Json] = {
            "today": task.plan.today,
            "language": task.language,
            "style": task.style,
            "query": task.query,
            "act": "ask" if gap.reason == "missing" else "decline",
            "label": gap.label,
            "kind": _kind(gap, task.plan, offered),
            "seed": random.Random(f"{task.task_id}:{attempt}").randrange(2**31),
            "feedback": feedback,
        }
        try:
            answer = (await model.answer(prompt, variables, FinalAnswer)).value.answer.strip()
        except ModelAnswerError as error:
            raise ValidationFailed(error.reason, error.detail[:300]) from error
        if names(gap.label, answer):
            return answer
        feedback = f"{gap.label}?"
    raise ValidationFailed("answer_misses_gap", gap.label)


def _kind(gap: Gap, plan: CallPlan, offered: Sequence[Tool]) -> str:
    """Return of what kind the missing value is: one asks "when" for a date, "which" for a name."""
    tool = next((t for t in offered if gap.step and t.tool_id == plan.step(gap.step).tool_id), None)
    parameter = tool.parameter(gap.parameter) if tool is not None and gap.parameter else None
    return parameter.kind if parameter is not None else "unknown"


def names(label: str, answer: str) -> bool:
    """Whether an answer says what a label speaks of: its whole, or one of its words."""
    squeezed = compact(answer)
    words = [w for w in map(compact, label.split()) if len(w) > 1]
    return compact(label) in squeezed or any(w in squeezed for w in words)
