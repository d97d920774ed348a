"""Requests become answer keys: read back offline, or written blind by a model (UserTask -> CallSequence)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edge.calls import Caller
from edge.errors import ModelAnswerError
from edge.ids import Json, canonical_json
from edge.links.transforms import TRANSFORMS
from edge.llm.answers import KeyAnswer
from edge.llm.prompts import Prompt
from edge.llm.protocol import Model
from edge.plans.model import CallPlan, UserTask
from edge.plans.runner import Execution, StepFailed, run_plan
from edge.sequences.agreement import difference
from edge.sequences.model import CallSequence
from edge.sequences.reached import reached
from edge.sequences.readback import SlotLost, read_back
from edge.sequences.reading import Unusable, steps_of
from edge.specs.model import Tool
from edge.specs.schema import function_schema

ATTEMPTS = 3


class KeyFailed(Exception):
    """No answer key came of a request. `reason` is a reject reason."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class KeyWriter:
    """Writes answer keys. `caller` makes the calls of keys that differ from their plan; offline nothing is called."""

    tools: Mapping[str, Tool]
    model: Model
    prompt: Prompt
    caller: Caller | None = None

    async def write(self, task: UserTask, offered: Sequence[Tool]) -> CallSequence:
        """Return the answer key.

        The offline writer reads every argument back from the request's words. A model sees the request and the offered
        tools only. Where its calls are not those of the plan they are made: do they reach the same records, the plan is
        kept as the key and the other path noted; do they fail, the model is told how and asked again, up to ATTEMPTS
        times. A negative's key is that nothing is called.

        Raises:
            KeyFailed: missing_slot (the request does not say a value), ambiguous_request (other calls that run reach
                other records), key_fails (no attempt runs), negative_is_answered (calls where none can help), or what
                the model gave for an answer.
        """
        offline = self.model.provider == "offline"
        if task.gap is not None:
            if not offline:
                await self._refuse_calls(task, offered)
            return self._sequence(task, nothing(task.plan), "no_call")
        try:
            read = read_back(task, self.tools)
        except SlotLost as error:
            raise KeyFailed("missing_slot", str(error)) from error
        return self._sequence(task, read, "read_back") if offline else await self._blind(task, offered)

    async def _blind(self, task: UserTask, offered: Sequence[Tool]) -> CallSequence:
        failures: list[str] = []  # all are told: the same question again would bring the same answer
        for _ in range(ATTEMPTS):
            answer = await self._ask(task, offered, "\n".join(failures))
            apart = difference(answer, task.plan, self.tools, task.language)
            if not apart:
                return self._sequence(task, task.plan, "agrees")
            try:
                steps = steps_of(answer, task.plan, {t.tool_id: t for t in offered}, task.language)
                execution = await run_plan(steps, self.tools, self._caller())
            except Unusable as error:
                failures.append(str(error))
                continue
            except StepFailed as error:
                failures.append(f"{error.step_id}: {error.reason} {error.detail}".strip())
                continue
            if reached(task.plan, execution) != reached(task.plan, await self._planned(task)):
                raise KeyFailed("ambiguous_request", apart)
            calls = canonical_json(answer.model_dump(mode="json"))
            return self._sequence(task, task.plan, "other_valid_path", apart, calls)
        raise KeyFailed("key_fails", failures[-1])

    async def _planned(self, task: UserTask) -> Execution:
        try:
            return await run_plan(task.plan.steps, self.tools, self._caller())
        except StepFailed as error:
            raise KeyFailed("plan_fails", f"{error.step_id}: {error.reason} {error.detail}".strip()) from error

    async def _refuse_calls(self, task: UserTask, offered: Sequence[Tool]) -> None:
        answer = await self._ask(task, offered, "")
        if answer.calls:
            raise KeyFailed("negative_is_answered", ", ".join(c.tool for c in answer.calls))

    async def _ask(self, task: UserTask, offered: Sequence[Tool], failure: str) -> KeyAnswer:
        variables = key_variables(task, offered) | ({"feedback": failure} if failure else {})
        try:
            return (await self.model.answer(self.prompt, variables, KeyAnswer)).value
        except ModelAnswerError as error:
            raise KeyFailed(error.reason, error.detail[:300]) from error

    def _caller(self) -> Caller:
        if self.caller is None:
            raise KeyFailed("key_fails", "nothing can be called to compare the records reached")
        return self.caller

    def _sequence(
        self, task: UserTask, plan: CallPlan, agreement: str, apart: str = "", calls: str = ""
    ) -> CallSequence:
        generator = f"{self.model.provider}/{self.model.name}"
        return CallSequence(task.task_id, plan, agreement, generator, self.prompt.hash, apart, calls)


def key_variables(task: UserTask, offered: Sequence[Tool]) -> dict[str, Json]:
    """Return the variables of the prompt `answer_key`: the request and the offered tools, nothing of the plan."""
    return {
        "query": task.query,
        "today": task.plan.today,
        "tools": [function_schema(t) for t in offered],
        "outputs": {t.tool_id: {f.path: f.label for f in t.outputs if not f.private} for t in offered},
        "transforms": {name: named.says for name, named in TRANSFORMS.items()},
    }


def nothing(plan: CallPlan) -> CallPlan:
    """Return the key of a request that cannot be carried out: no call."""
    return CallPlan(plan.plan_id, (), plan.today, ())
