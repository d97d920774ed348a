"""Parameters -> what a run will about ask of its model, before it asks anything (documents -> sampled prompts)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from edge.embedding import make_embedder
from edge.ids import Json
from edge.links.candidates import propose
from edge.links.feasibility import batches
from edge.links.offline_scorer import feasibility_variables
from edge.llm.backends import check_model
from edge.llm.books import FILE, Books
from edge.llm.estimates import Estimated, Work, estimate
from edge.llm.prompts import load_prompt
from edge.sequences.offers import OFFERED
from edge.settings import LlmSettings
from edge.specs.compile import BUNDLED_SPECS, compile_paths
from edge.specs.descriptions import brief_of
from edge.specs.model import Tool
from edge.specs.schema import function_schema
from edge.stages.params import RunParams, SynthesizeParams

SAMPLES = 24
PLANS_A_ROW = 2  # as many plans are tried for each row that is missing (`next_batch`)
_CALLS = 3  # of a typical plan


def estimate_run(params: RunParams, settings: LlmSettings, rows: int) -> list[Estimated]:
    """Return what a run for `rows` examples will about ask and cost, by prompt; nothing is called and nothing kept.

    Raises:
        UsageError: the model cannot be asked, or a document cannot be read.
    """
    profile = check_model(params.llm, params.model, params.llm_base_url, params.budget_usd, params.asking(settings))
    tools = sorted(compile_paths(params.specs or [BUNDLED_SPECS], BUNDLED_SPECS).tools, key=lambda tool: tool.tool_id)
    path = params.outputs.absolute() / FILE
    measured = Books(path).means(params.llm, params.model or "") if path.is_file() else {}
    return estimate(work_of(params, tools, rows), profile.price, measured)


def work_of(params: RunParams, tools: Sequence[Tool], rows: int) -> list[Work]:
    """Return the prompts of a run in the order in which they are asked, with samples of these tools."""
    rng, by_id, chosen = random.Random(params.seed), {tool.tool_id: tool for tool in tools}, params.candidates
    embedder = make_embedder(
        params.embedding_model, params.embedding_revision,
        base_url=params.embedding_base_url, prompt=params.embedding_prompt, cache=params.outputs,
    )  # fmt: skip
    pairs = propose(tools, embedder, same_domain=chosen.same_domain, cross_domain=chosen.cross_domain)
    asked = batches(pairs, chosen.per_call)
    some = rng.sample(asked, min(SAMPLES, len(asked)))
    judged = [feasibility_variables(by_id[b[0].source], [by_id[p.target] for p in b]) for b in some]
    offered = params.offered if isinstance(params, SynthesizeParams) else OFFERED
    plans = [rng.sample(list(tools), min(offered, len(tools))) for _ in range(SAMPLES)]

    def number(stage: str, of_all: int) -> int:
        return of_all if params.asks_model(stage) else 0

    written, answers = rows * PLANS_A_ROW, [_answer(plan[:_CALLS]) for plan in plans]
    described = [brief_of(tool) for tool in rng.sample(list(tools), min(SAMPLES, len(tools)))]
    targets = max(1, round(len(pairs) / max(1, len(asked))))
    work = [
        Work(load_prompt("tool_description"), len(tools) if params.describe else 0, described),
        Work(load_prompt("link_feasibility"), number("link_feasibility", len(asked)), judged, answers=targets),
        Work(load_prompt("user_request"), number("task_generation", written), [_brief(p[:_CALLS]) for p in plans]),
        Work(load_prompt("answer_key"), number("sequence_generation", written), [_key(plan) for plan in plans]),
        Work(load_prompt("final_answer"), number("execution_validation", written), answers),
    ]
    return [item for item in work if item.number]


def _brief(plan: Sequence[Tool]) -> Mapping[str, Json]:
    """Return variables of about the size of a brief: its labels, without what only a plan knows."""
    steps: list[Json] = [
        {
            "id": f"s{number}",
            "title": tool.title,
            "noun": tool.title,
            "inputs": [{"name": p.name, "label": p.label, "kind": p.kind, "text": p.label} for p in tool.required],
            "asks": [{"label": f.label, "kind": f.kind} for f in tool.outputs[:2]],
        }
        for number, tool in enumerate(plan, start=1)
    ]
    return {"today": "2026-01-01", "language": "ko", "style": "polite", "persona": "", "steps": steps, "feedback": ""}


def _key(plan: Sequence[Tool]) -> Mapping[str, Json]:
    return {
        "query": " ".join(tool.title for tool in plan[:_CALLS]),
        "today": "2026-01-01",
        "tools": [function_schema(tool) for tool in plan],
        "outputs": {tool.tool_id: {f.path: f.label for f in tool.outputs if not f.private} for tool in plan},
        "feedback": "",
    }


def _answer(plan: Sequence[Tool]) -> Mapping[str, Json]:
    facts: list[Json] = [
        {"step": "s1", "label": f.label, "value": f.label, "text": f.label, "kind": f.kind}
        for tool in plan
        for f in tool.outputs[:2]
    ]
    return {"query": " ".join(tool.title for tool in plan), "style": "polite", "facts": facts, "feedback": ""}
