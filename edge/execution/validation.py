"""The answer key runs from scratch, the answer is written and grounded (CallSequence -> Trajectory | Reject)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial

from edge.calls import Caller
from edge.errors import ModelAnswerError
from edge.execution.messages import chat
from edge.execution.model import Failure, Trajectory, ValidationFailed
from edge.execution.recovery import Faults, provoke
from edge.execution.showing import Unreadable, rounds_of
from edge.ids import Json
from edge.llm.answers import FinalAnswer
from edge.llm.offline.packs import DEFAULT, pack_of
from edge.llm.prompts import Prompt
from edge.llm.protocol import Model
from edge.plans.brief import answer_brief, request_brief
from edge.plans.checks import problem_with
from edge.plans.facts import Fact, facts_of
from edge.plans.model import UserTask
from edge.plans.request_rules import named_only
from edge.plans.runner import Execution, StepFailed, run_step
from edge.plans.sayings import say_fact
from edge.sequences.model import CallSequence
from edge.specs.model import Tool
from edge.text import compact

NotedStep = Callable[[str, str], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class ValidationSettings:
    """How often an answer that leaves out a fact is written again, and the ceilings of a trajectory."""

    answer_attempts: int = 3
    max_calls: int = 14
    max_facts: int = 24
    min_calls: int = 2


async def validate(
    task: UserTask,
    sequence: CallSequence,
    tools: Mapping[str, Tool],
    caller: Caller,
    model: Model,
    prompt: Prompt,
    settings: ValidationSettings,
    *,
    offered: Sequence[Tool],
    system: str,
    noted: NotedStep,
    faults: Faults | None = None,
) -> Trajectory:
    """Execute the sequence, write the answer and check that it states every fact.

    A recovery row whose calls cannot be made to fail becomes a positive one.

    Raises:
        ValidationFailed: a call fails, a reducer is not unique, a rule is broken or the answer leaves out a fact.
    """
    execution = await _execute(task, sequence, tools, caller, settings, noted)
    if len(execution.calls) < settings.min_calls:
        raise ValidationFailed("too_few_calls", str(len(execution.calls)))
    problem = problem_with(task.query, sequence.plan, execution, tools)
    if problem is not None:
        raise ValidationFailed(f"request_{problem.partition(': ')[0]}", problem)
    try:
        facts = facts_of(sequence.plan.steps, execution, tools, sequence.plan.comparison)
    except ValueError as error:
        raise ValidationFailed("no_winner", str(error)) from error
    if not 1 <= len(facts) <= settings.max_facts:
        raise ValidationFailed("fact_count", str(len(facts)))
    try:
        for call in execution.calls:
            rounds_of(call, sequence.plan, tools[call.tool_id])
    except Unreadable as error:
        raise ValidationFailed("unreadable_answer", str(error)) from error
    answer = await _answer(task, sequence, facts, tools, model, prompt, settings)
    failures = await _failures(task, sequence, execution, tools, caller, noted, faults)
    messages = chat(
        sequence.plan, execution, tools, system=system, query=task.query, answer=answer, failures=failures
    )  # fmt: skip
    return Trajectory(
        task=task,
        plan=sequence.plan,
        execution=execution,
        facts=tuple(facts),
        answer=answer,
        messages=tuple(messages),
        offered=tuple(t.tool_id for t in offered),
        generator=task.generator,
        kind="recovery" if failures else "positive",
        failures=failures,
    )


async def _failures(
    task: UserTask,
    sequence: CallSequence,
    execution: Execution,
    tools: Mapping[str, Tool],
    caller: Caller,
    noted: NotedStep,
    faults: Faults | None,
) -> tuple[Failure, ...]:
    if task.kind != "recovery":
        return ()
    rng = random.Random(f"{task.task_id}:recovery")
    found = await provoke(
        sequence.plan, execution, tools, caller, lambda place: noted(task.task_id, place), rng, faults
    )  # fmt: skip
    return (found,) if found is not None else ()


async def _execute(
    task: UserTask,
    sequence: CallSequence,
    tools: Mapping[str, Tool],
    caller: Caller,
    settings: ValidationSettings,
    noted: NotedStep,
) -> Execution:
    execution = Execution()
    for step in sequence.plan.steps:
        try:
            with noted(task.task_id, step.step_id):
                await run_step(step, execution, tools, caller, max_calls=settings.max_calls)
        except StepFailed as error:
            raise ValidationFailed(error.reason, f"{step.tool_id}: {error.detail}") from error
    return execution


async def _answer(
    task: UserTask,
    sequence: CallSequence,
    facts: Sequence[Fact],
    tools: Mapping[str, Tool],
    model: Model,
    prompt: Prompt,
    settings: ValidationSettings,
) -> str:
    """Write the answer; one that leaves out a fact or reads broken is written again with that as feedback."""
    missing, reason = list[str](), "answer_misses_fact"
    by_step = {s.step_id: tools[s.tool_id] for s in sequence.plan.steps}
    for attempt in range(settings.answer_attempts):
        seed = random.Random(f"{task.task_id}:{attempt}").randrange(2**31)
        brief = request_brief(
            sequence.plan, tools, language=task.language, style=task.style, persona=task.persona, seed=seed
        )
        say = partial(say_fact, language=task.language)
        variables: dict[str, Json] = answer_brief(brief, task.query, facts, sequence.plan, tools, say)
        variables["feedback"] = ", ".join(missing)
        try:
            answer = (await model.answer(prompt, variables, FinalAnswer)).value.answer.strip()
        except ModelAnswerError as error:
            raise ValidationFailed(error.reason, error.detail[:300]) from error
        missing = unstated(answer, facts, by_step, task.language)
        values = [t for f in facts for t in (f.value, say(f, by_step[f.step_id]), f.entity or "")]
        strange = pack_of(task.language).odd(named_only(answer, values)) if not missing else None
        if not missing and strange is None:
            return answer
        missing = [strange] if strange else missing
        reason = "answer_odd_wording" if strange else "answer_misses_fact"
    raise ValidationFailed(reason, "; ".join(missing))


def unstated(answer: str, facts: Sequence[Fact], by_step: Mapping[str, Tool], language: str = DEFAULT) -> list[str]:
    """Return the facts that the answer does not state, neither as the response has them nor as people read them."""
    squeezed = compact(answer)
    return [
        f"{f.label} {f.value}"
        for f in facts
        if compact(f.value) not in squeezed and compact(say_fact(f, by_step[f.step_id], language)) not in squeezed
    ]
