"""Requests become answer keys: read back offline, or written blind by a model (UserTask -> CallSequence)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from edge.errors import ModelAnswerError
from edge.ids import Json
from edge.llm.answers import KeyAnswer
from edge.llm.prompts import Prompt
from edge.llm.protocol import Model
from edge.plans.model import CallPlan, UserTask
from edge.sequences.agreement import compare
from edge.sequences.model import CallSequence
from edge.sequences.readback import SlotLost, read_back
from edge.specs.model import Tool
from edge.specs.schema import function_schema


class KeyFailed(Exception):
    """No answer key came of a request. `reason` is a reject reason."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


def key_variables(task: UserTask, offered: Sequence[Tool]) -> dict[str, Json]:
    """Return the variables of the prompt `answer_key`: the request and the offered tools, nothing of the plan."""
    return {
        "query": task.query,
        "today": task.plan.today,
        "tools": [function_schema(t) for t in offered],
        "outputs": {t.tool_id: {f.path: f.label for f in t.outputs if not f.private} for t in offered},
    }


async def write_key(
    task: UserTask, tools: Mapping[str, Tool], offered: Sequence[Tool], model: Model, prompt: Prompt
) -> CallSequence:
    """Return the answer key.

    The offline writer reads every argument back from the request's words. A model sees the request and the offered
    tools only; its calls are compared with the plan, and the plan is kept as the key when both agree.

    A negative's key is that nothing is called.

    Raises:
        KeyFailed: a slot cannot be read, the model gave no usable answer, or its calls differ from the plan.
    """
    generator = f"{model.provider}/{model.name}"
    if task.gap is not None and model.provider == "offline":
        return CallSequence(task.task_id, nothing(task.plan), "no_call", generator, prompt.hash)
    if model.provider == "offline":
        try:
            return CallSequence(task.task_id, read_back(task, tools), "read_back", generator, prompt.hash)
        except SlotLost as error:
            raise KeyFailed("missing_slot", str(error)) from error
    try:
        answer = await model.answer(prompt, key_variables(task, offered), KeyAnswer)
    except ModelAnswerError as error:
        raise KeyFailed(error.reason, error.detail[:300]) from error
    agreement = compare(answer.value, task.plan)
    if agreement != "agrees":
        raise KeyFailed("key_disagrees", agreement)
    return CallSequence(task.task_id, task.plan, agreement, generator, prompt.hash)


def nothing(plan: CallPlan) -> CallPlan:
    """Return the key of a request that cannot be carried out: no call."""
    return CallPlan(plan.plan_id, (), plan.today, ())
