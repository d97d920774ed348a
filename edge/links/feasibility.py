"""Candidate pairs become feasible links: a model scores binding sets, all it names is checked (Pair -> Link)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from edge.errors import ModelAnswerError
from edge.ids import Json
from edge.links.binding_sets import binding_sets
from edge.links.candidates import Pair
from edge.links.fillers import statically_fillable
from edge.links.model import Binding, Link
from edge.links.transforms import TRANSFORMS, companion, known
from edge.llm.answers import BindingAnswer, LinkAnswer, LinkCandidateAnswer
from edge.llm.prompts import Prompt
from edge.llm.protocol import Model
from edge.specs.model import OutputField, Parameter, Tool


@dataclass(slots=True)
class Judged:
    """What became of the candidate pairs. `dropped` counts pairs by reason; `rejects` are (item, reason, detail)."""

    links: list[Link] = field(default_factory=list[Link])
    dropped: dict[str, int] = field(default_factory=dict[str, int])
    rejects: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])

    def drop(self, item: str, reason: str, detail: str = "") -> None:
        """Count a pair out and keep the row."""
        self.dropped[reason] = self.dropped.get(reason, 0) + 1
        self.rejects.append((item, reason, detail))


def feasibility_variables(source: Tool, target: Tool) -> dict[str, Json]:
    """Return the variables of the prompt `link_feasibility` for one pair."""
    return {
        "same_service": source.service == target.service,
        "source": {
            "tool_id": source.tool_id,
            "title": source.title,
            "description": source.description,
            "outputs": [
                {"path": f.path, "label": f.label, "kind": f.kind, "format": f.format, "examples": []}
                for f in source.outputs
                if not f.private
            ],
            "arguments": [{"path": f"@{p.name}", "label": p.label, "kind": p.kind} for p in source.offered],
        },
        "target": {
            "tool_id": target.tool_id,
            "title": target.title,
            "description": target.description,
            "parameters": [
                {
                    "name": p.name,
                    "label": p.label,
                    "kind": p.kind,
                    "format": p.format,
                    "required": p.required,
                    "description": p.description,
                    "enum": [{"value": e.value, "label": e.label} for e in p.enum],
                    "fillable": statically_fillable(p),
                }
                for p in target.offered
            ],
        },
        "transforms": [{"name": name, "description": named.says} for name, named in TRANSFORMS.items()],
    }


def offline_feasibility(variables: Mapping[str, Json]) -> LinkAnswer:
    """Answer `link_feasibility` from names, labels, kinds and formats (the offline writer's scorer)."""
    source = cast("dict[str, list[dict[str, str]]]", variables["source"])
    target = cast("dict[str, list[dict[str, object]]]", variables["target"])
    outputs = [_field(f) for f in source["outputs"]]
    carried = [OutputField(path=a["path"], label=a["label"], kind=a["kind"]) for a in source["arguments"]]  # type: ignore[arg-type]
    parameters = [_parameter(p) for p in target["parameters"]]
    fillable = frozenset(str(p["name"]) for p in target["parameters"] if p["fillable"])
    sets = binding_sets(outputs, parameters, fillable, carried, same_service=bool(variables["same_service"]))
    return LinkAnswer(
        candidates=[
            LinkCandidateAnswer(
                score=s.score,
                reason=s.reason,
                bindings=[
                    BindingAnswer(source_path=b.source_path, target_parameter=b.target_parameter, transform=b.transform)
                    for b in s.bindings
                ],
            )
            for s in sets
        ]
    )


def _field(raw: Mapping[str, str]) -> OutputField:
    return OutputField(path=raw["path"], label=raw["label"], kind=raw["kind"], format=raw["format"])  # type: ignore[arg-type]


def _parameter(raw: Mapping[str, object]) -> Parameter:
    return Parameter(
        name=str(raw["name"]),
        label=str(raw["label"]),
        description=str(raw["description"]),
        required=bool(raw["required"]),
        kind=cast("str", raw["kind"]),  # type: ignore[arg-type]
        format=cast("str | None", raw["format"]),
    )


async def judge(
    pairs: Sequence[Pair],
    tools: Mapping[str, Tool],
    model: Model,
    prompt: Prompt,
    *,
    threshold: float = 0.3,
    concurrency: int = 8,
) -> Judged:
    """Score every pair with `model`; keep binding sets at or above `threshold` whose names exist in both signatures."""
    judged = Judged()
    gate = asyncio.Semaphore(concurrency)

    async def ask(pair: Pair) -> LinkAnswer | ModelAnswerError:
        async with gate:
            variables = feasibility_variables(tools[pair.source], tools[pair.target])
            try:
                return (await model.answer(prompt, variables, LinkAnswer)).value
            except ModelAnswerError as error:
                return error

    answers = await asyncio.gather(*(ask(pair) for pair in pairs))
    for pair, answer in zip(pairs, answers, strict=True):
        item = f"{pair.source}->{pair.target}"
        if isinstance(answer, ModelAnswerError):
            judged.drop(item, answer.reason, answer.detail[:300])
            continue
        links, reason, detail = _check(pair, answer, tools, threshold)
        if links:
            judged.links.extend(links)
        else:
            judged.drop(item, reason, detail)
    return judged


def _check(pair: Pair, answer: LinkAnswer, tools: Mapping[str, Tool], threshold: float) -> tuple[list[Link], str, str]:
    """Return the links that hold, else why none does."""
    source, target = tools[pair.source], tools[pair.target]
    links: dict[str, Link] = {}
    reason, detail = "infeasible", ""
    for candidate in answer.candidates:
        if candidate.score < threshold:
            continue
        problem = problem_of(source, target, candidate.bindings)
        if problem:
            reason, detail = "unknown_name", problem
            continue
        bindings = tuple(Binding(b.source_path, b.target_parameter, b.transform) for b in candidate.bindings)
        link = Link(source.tool_id, target.tool_id, bindings, candidate.score, candidate.reason)
        links.setdefault(link.link_id, link)
    return list(links.values()), reason, detail


def problem_of(source: Tool, target: Tool, bindings: Sequence[BindingAnswer]) -> str:
    """Return what is wrong with a binding set ("" when nothing is): invented names, transforms, unfilled parameters."""
    seen: set[str] = set()
    for binding in bindings:
        parameter = target.parameter(binding.target_parameter)
        if not _supplies(source, binding.source_path):
            return f"{source.tool_id} has no output {binding.source_path}"
        if parameter is None or parameter.filled_by != "model":
            return f"{target.tool_id} has no parameter {binding.target_parameter}"
        if not known(binding.transform):
            return f"no transform {binding.transform}"
        other = companion(binding.transform)
        if other is not None and not _supplies(source, other):
            return f"{source.tool_id} has no output {other}"
        if binding.target_parameter in seen:
            return f"{binding.target_parameter} is bound twice"
        seen.add(binding.target_parameter)
    if all(b.source_path.startswith("@") for b in bindings):
        return "no output is bound"
    unfilled = [p.name for p in target.required if p.name not in seen and not statically_fillable(p)]
    return f"{target.tool_id}: nothing fills {', '.join(unfilled)}" if unfilled else ""


def _supplies(source: Tool, path: str) -> bool:
    """Whether the source gives this path: an output field that is not private, or "@name" for one of its arguments."""
    if path.startswith("@"):
        carried = source.parameter(path[1:])
        return carried is not None and carried.filled_by == "model"
    field = source.output(path)
    return field is not None and not field.private
