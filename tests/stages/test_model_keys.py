"""Stage 3 with a model service: keys are written blind, compared, told why they fail, and every loss has its reason."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from llmserver import ScriptedServer, serving
from stageruns import small_params
from starlette.requests import Request
from starlette.responses import Response

from edge.llm.books import FILE, Books
from edge.plans.model import BoundValue, CallPlan, UserTask, UserValue
from edge.plans.rows import task_of
from edge.sequences.keys import ATTEMPTS
from edge.stages.context import Context
from edge.stages.link_exploration import explore_stage
from edge.stages.params import Run, StageRef
from edge.stages.sequence_generation import keys_stage
from edge.stages.spec_compilation import compile_stage, propose_stage
from edge.stages.start import start_run
from edge.stages.task_generation import requests_stage

NOTHING = '{"calls": []}'


@pytest.fixture(scope="module")
def offline(sandbox_url: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, StageRef]:
    """A run whose requests were written without a model."""

    async def made() -> tuple[Run, StageRef]:
        params = small_params(tmp_path_factory.mktemp("keys"), negatives=0.4)
        run = await start_run(params, sandbox_url, own_sandbox=True)
        await compile_stage(run)
        await propose_stage(run)
        await explore_stage(run)
        return run, await requests_stage(run, 0, 16)

    return asyncio.run(made())


class Finder(ScriptedServer):
    """Answers each request with the key that is known for it, and with no call where none is."""

    def __init__(self) -> None:
        super().__init__()
        self.known: dict[str, str] = {}

    async def answer(self, request: Request) -> Response:
        asked = json.loads(await request.body())["messages"][-1]["content"]
        known = {json.dumps(query, ensure_ascii=False): key for query, key in self.known.items()}
        found = next((key for query, key in known.items() if query in asked), NOTHING)
        self.script.clear()
        self.openai(found)
        return await super().answer(request)


@pytest.fixture
def server() -> Iterator[Finder]:
    finder = Finder()
    with serving(finder):
        yield finder


def key_of(plan: CallPlan) -> str:
    """The key that a model would write that finds the plan."""
    calls: list[dict[str, Any]] = []
    for step in plan.steps:
        literal = {n: s.text for n, s in step.arguments if isinstance(s, UserValue)}
        bound = [
            {"parameter": n, "call": s.step, "path": s.path, "transform": s.transform}
            for n, s in step.arguments if isinstance(s, BoundValue)
        ]  # fmt: skip
        calls.append({"id": step.step_id, "tool": step.tool_id, "arguments": literal, "references": bound})
    return json.dumps({"calls": calls}, ensure_ascii=False)


async def keys(offline: tuple[Run, StageRef], server: Finder) -> tuple[list[UserTask], Context, StageRef]:
    run, requests = offline
    tasks = [task_of(row) for row in Context(run).read(requests, "user_tasks")]
    assert {t.kind for t in tasks} >= {"positive", "irrelevant"}
    told = {"llm": "openai", "model": "m", "llm_base_url": f"{server.url}/v1", "no_cache": True}
    asked = run.model_copy(update={"params": run.params.model_copy(update=told)})
    context = Context(asked)
    context.clear(["keys"])
    Books(context.outputs / FILE).disown(run.run_id)
    return tasks, context, await keys_stage(asked, requests)


async def test_a_model_that_finds_the_plans_keeps_every_request(offline: tuple[Run, StageRef], server: Finder) -> None:
    run, requests = offline
    tasks = [task_of(row) for row in Context(run).read(requests, "user_tasks")]
    server.known = {t.query: key_of(t.plan) for t in tasks if not t.gap}
    tasks, context, ref = await keys(offline, server)
    rows = context.read(ref, "call_sequences")
    assert len(rows) == len(tasks) == len(server.seen)
    assert Counter(r["agreement"] for r in rows) == Counter("no_call" if t.gap else "agrees" for t in tasks)
    assert context.read(ref, "outcomes") == context.read(ref, "rejects") == []
    asked = [body["messages"][-1]["content"] for body in server.seen]
    for task in tasks:
        assert sum(json.dumps(task.query, ensure_ascii=False) in text for text in asked) == 1
        assert not any(task.plan.plan_id in text for text in asked)


async def test_a_model_that_never_calls_is_right_about_negatives_only(
    offline: tuple[Run, StageRef], server: Finder
) -> None:
    tasks, context, ref = await keys(offline, server)
    negatives = [t.task_id for t in tasks if t.gap]
    assert {r["task_id"] for r in context.read(ref, "call_sequences")} == set(negatives)
    rejected = {r["item_id"]: (r["reason"], r["detail"]) for r in context.read(ref, "rejects")}
    assert rejected == {t.task_id: ("key_fails", "no call is made") for t in tasks if not t.gap}
    assert len(server.seen) == len(negatives) + ATTEMPTS * len(rejected)
    assert any("no call is made" in body["messages"][-1]["content"] for body in server.seen)
    (ledger,) = context.read(ref, "stage_ledger")
    assert (ledger["rows_in"], ledger["rows_out"]) == (len(tasks), len(negatives))
