"""Two signatures as a model is shown them, and the offline answer from the same (Tool -> variables -> LinkAnswer)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from edge.ids import Json
from edge.links.binding_sets import ScoredSet, binding_sets
from edge.links.checking import static_source
from edge.links.transforms import TRANSFORMS
from edge.llm.answers import BindingAnswer, LinkAnswer, LinkCandidateAnswer, PairAnswer, RestAnswer, RestSource
from edge.specs.model import EnumValue, JsonType, Kind, OutputField, Parameter, Tool

Shown = Mapping[str, object]


def feasibility_variables(source: Tool, targets: Sequence[Tool]) -> dict[str, Json]:
    """Return the variables of the prompt `link_feasibility` for some targets of one source."""
    return {
        "source": {
            "tool_id": source.tool_id,
            "title": source.title,
            "description": source.description,
            "record_name": source.name_field,
            "outputs": [_output(f) for f in source.outputs if not f.private],
            "arguments": [{"path": f"@{p.name}", "label": p.label, "kind": p.kind} for p in source.offered],
        },
        "targets": [_target(source, target) for target in targets],
        "transforms": [{"name": name, "description": named.says} for name, named in TRANSFORMS.items()],
    }


def _output(field: OutputField) -> Json:
    return {
        "path": field.path,
        "label": field.label,
        "type": field.type,
        "kind": field.kind,
        "format": field.format,
        "values": _said(field.values),
    }


def _target(source: Tool, target: Tool) -> Json:
    return {
        "tool_id": target.tool_id,
        "title": target.title,
        "description": target.description,
        "same_service": source.service == target.service,
        "same_provider": bool(source.provider) and source.provider == target.provider,
        "same_domain": source.domain == target.domain,
        "parameters": [_wanted(p) for p in target.offered],
    }


def _wanted(parameter: Parameter) -> Json:
    """One parameter; `fillable` says from where its value can be had without any call, None: from a link alone."""
    return {
        "name": parameter.name,
        "label": parameter.label,
        "kind": parameter.kind,
        "format": parameter.format,
        "required": parameter.required,
        "description": parameter.description,
        "enum": _said(parameter.enum),
        "fillable": static_source(parameter),
    }


def _said(values: tuple[EnumValue, ...]) -> list[Json]:
    return [{"value": e.value, "label": e.label} for e in values]


def offline_feasibility(variables: Mapping[str, Json]) -> LinkAnswer:
    """Answer `link_feasibility` from names, labels, kinds and formats (the offline writer's scorer)."""
    source = cast("Shown", variables["source"])
    targets = cast("Sequence[Shown]", variables["targets"])
    outputs = [_field(f) for f in cast("Sequence[Shown]", source["outputs"])]
    carried = [_field(a) for a in cast("Sequence[Shown]", source["arguments"])]
    called = cast("str | None", source["record_name"])
    return LinkAnswer(pairs=[_pair(target, outputs, carried, called) for target in targets])


def _pair(target: Shown, outputs: list[OutputField], carried: list[OutputField], called: str | None) -> PairAnswer:
    """Answer for one target. Names are worth a search in their own domain only."""
    shown = cast("Sequence[Shown]", target["parameters"])
    parameters = [_parameter(p) for p in shown]
    sources: dict[str, RestSource | None] = {str(p["name"]): cast("RestSource | None", p["fillable"]) for p in shown}
    fillable = frozenset(name for name, where in sources.items() if where is not None)
    same = bool(target["same_service"] or target["same_provider"])
    named = called if target["same_domain"] else None
    sets = binding_sets(outputs, parameters, fillable, carried, same_service=same, name_field=named)
    required: dict[str, RestSource] = {}
    for parameter in parameters:
        where = sources[parameter.name]
        if parameter.required and where is not None:
            required[parameter.name] = where
    return PairAnswer(target=str(target["tool_id"]), candidates=[_candidate(s, required) for s in sets])


def _candidate(scored: ScoredSet, required: Mapping[str, RestSource]) -> LinkCandidateAnswer:
    bound = {b.target_parameter for b in scored.bindings}
    return LinkCandidateAnswer(
        score=scored.score,
        bindings=[
            BindingAnswer(source_path=b.source_path, target_parameter=b.target_parameter, transform=b.transform)
            for b in scored.bindings
        ],
        rest=[
            *(RestAnswer(parameter=name, source=where) for name, where in required.items() if name not in bound),
            *(RestAnswer(parameter=name, source="value_pool") for name in sorted(scored.pooled)),
        ],
        reason=scored.reason,
    )


def _field(raw: Shown) -> OutputField:
    return OutputField(
        path=str(raw["path"]),
        label=str(raw["label"]),
        type=cast("JsonType", raw.get("type", "string")),
        kind=cast("Kind", raw["kind"]),
        format=cast("str | None", raw.get("format")),
        values=_values(raw.get("values", ())),
    )


def _parameter(raw: Shown) -> Parameter:
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
