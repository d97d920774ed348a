"""Candidate pairs become feasible links: a model scores binding sets, all it names is checked (Pair -> Link)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from edge.errors import ModelAnswerError, UsageError
from edge.ids import Json
from edge.links.binding_sets import binding_sets
from edge.links.candidates import Pair
from edge.links.fillers import statically_fillable
from edge.links.model import Binding, Link
from edge.links.paths import from_jsonpath
from edge.links.transforms import TRANSFORMS, companion, known
from edge.llm.answers import BindingAnswer, LinkAnswer, LinkCandidateAnswer
from edge.llm.prompts import Prompt
from edge.llm.protocol import Model
from edge.specs.model import EnumValue, JsonType, Kind, OutputField, Parameter, Tool


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
        "same_provider": bool(source.provider) and source.provider == target.provider,
        "same_domain": source.domain == target.domain,
        "source": {
            "tool_id": source.tool_id,
            "title": source.title,
            "description": source.description,
            "record_name": source.name_field,
            "outputs": [
                {
                    "path": f.path,
                    "label": f.label,
                    "type": f.type,
                    "kind": f.kind,
                    "format": f.format,
                    "values": _said(f.values),
                }
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
                    "enum": _said(p.enum),
                    "fillable": statically_fillable(p),
                }
                for p in target.offered
            ],
        },
        "transforms": [{"name": name, "description": named.says} for name, named in TRANSFORMS.items()],
    }


def _said(values: tuple[EnumValue, ...]) -> list[Json]:
    return [{"value": e.value, "label": e.label} for e in values]


def offline_feasibility(variables: Mapping[str, Json]) -> LinkAnswer:
    """Answer `link_feasibility` from names, labels, kinds and formats (the offline writer's scorer)."""
    source = cast("dict[str, list[dict[str, object]]]", variables["source"])
    target = cast("dict[str, list[dict[str, object]]]", variables["target"])
    outputs = [_field(f) for f in source["outputs"]]
    carried = [_field(a) for a in source["arguments"]]
    parameters = [_parameter(p) for p in target["parameters"]]
    fillable = frozenset(str(p["name"]) for p in target["parameters"] if p["fillable"])
    called = cast("str | None", cast("Mapping[str, object]", source)["record_name"])
    named = called if variables["same_domain"] else None  # names of one domain are worth a search in it
    same = bool(variables["same_service"] or variables["same_provider"])
    sets = binding_sets(outputs, parameters, fillable, carried, same_service=same, name_field=named)
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


def _field(raw: Mapping[str, object]) -> OutputField:
    return OutputField(
        path=str(raw["path"]),
        label=str(raw["label"]),
        type=cast("JsonType", raw.get("type", "string")),
        kind=cast("Kind", raw["kind"]),
        format=cast("str | None", raw.get("format")),
        values=_values(raw.get("values", ())),
    )


def _parameter(raw: Mapping[str, object]) -> Parameter:
    return Parameter(
        name=str(raw["name"]),
        label=str(raw["label"]),
        description=str(raw["description"]),
        required=bool(raw["required"]),
        kind=cast("Kind", raw["kind"]),
        format=cast("str | None", raw["format"]),
        enum=_values(raw["enum"]),
    )


def _values(raw: object) -> tuple[EnumValue, ...]:
    return tuple(EnumValue(e["value"], e["label"]) for e in cast("Sequence[Mapping[str, str]]", raw))


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
        answered = [_in_our_spelling(b) for b in candidate.bindings]
        problem = problem_of(source, target, answered)
        if problem:
            reason, detail = "unknown_name", problem
            continue
        bindings = tuple(Binding(b.source_path, b.target_parameter, b.transform) for b in answered)
        link = Link(source.tool_id, target.tool_id, bindings, candidate.score, candidate.reason)
        links.setdefault(link.link_id, link)
    return list(links.values()), reason, detail


def _in_our_spelling(binding: BindingAnswer) -> BindingAnswer:
    """A model that writes paths as JSONPath means the same; what says more than a path stays, and is no name."""
    if not binding.source_path.startswith("$"):
        return binding
    try:
        return binding.model_copy(update={"source_path": from_jsonpath(binding.source_path)})
    except UsageError:
        return binding


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
