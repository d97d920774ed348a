"""specs/<platform>/ -> tools: the profile and service files written in docs/design/spec-format.md."""

from __future__ import annotations

from typing import cast

from edge.errors import SpecError
from edge.specs.building import ParameterDraft, Reading, Refused, Skip, build_output, build_parameters
from edge.specs.documents import Document
from edge.specs.file_models import (
    OperationBlock,
    OutputBlock,
    ParameterBlock,
    ServiceBlock,
    ServicesFile,
    checked,
    enum_values,
)
from edge.specs.model import Tool
from edge.specs.profiles import Facts, merge, profile_of, spec_hash
from edge.specs.typing import Evidence
from edge.specs.urls import join


def read_services(document: Document, platform: Facts, spec_file: str) -> Reading:
    """Return the tools of a service file; an operation with a mistake is skipped and the others stay.

    Raises:
        SpecError: the file's own structure is wrong, naming the key.
    """
    reading = Reading()
    file = checked(ServicesFile, document.tree)
    for position, raw in enumerate(file.services):
        where = f"services[{position}]"
        try:
            service = checked(ServiceBlock, raw, where)
            facts = Facts(merge(platform.tree, service.profile), source=platform.source)
            profile_of(facts.tree, f"{where}.profile")
        except SpecError as error:
            lost = [_name(operation, place) for operation, place in _operations(raw, where)] or [where]
            reading.skipped.extend(Skip(spec_file, name, "invalid_service", str(error)) for name in lost)
            continue
        for operation, place in _operations(raw, where):
            name = _name(operation, place)
            try:
                reading.tools.append(_tool(service, operation, facts, place, document, spec_file))
            except Refused as refusal:
                reading.skipped.append(Skip(spec_file, name, refusal.reason, f"{place}: {refusal}"))
            except SpecError as error:
                reading.skipped.append(Skip(spec_file, name, "invalid_operation", str(error)))
    return reading


def _operations(service: object, where: str) -> list[tuple[object, str]]:
    """Return the entries of a service's operations as they are written, each with its place."""
    listed = cast("dict[str, object]", service).get("operations") if isinstance(service, dict) else None
    entries = cast("list[object]", listed) if isinstance(listed, list) else []
    return [(entry, f"{where}.operations[{number}]") for number, entry in enumerate(entries)]


def _name(operation: object, place: str) -> str:
    """Return what an entry calls itself, else where it stands."""
    stated = cast("dict[str, object]", operation) if isinstance(operation, dict) else {}
    return str(stated.get("key") or stated.get("path") or place)


def _tool(service: ServiceBlock, raw: object, facts: Facts, place: str, document: Document, spec_file: str) -> Tool:
    block = checked(OperationBlock, raw, place)
    tree = merge(merge(facts.tree, block.profile), {"fixed": block.fixed})
    profile, hidden = profile_of(tree, f"{place}.profile")
    url = join(service.base_url, block.path)
    outputs = tuple(build_output(_output(line)) for line in block.outputs)
    paths = {output.path for output in outputs}
    if len(paths) < len(outputs):
        raise Refused("duplicate_output", "an output path is declared twice")
    if block.name_field is not None and block.name_field not in paths:
        raise Refused("unknown_name_field", f"name_field {block.name_field!r} is not among the outputs")
    return Tool(
        tool_id="",
        operation_key=block.key or f"{service.service}.{_last_step(block.path)}",
        platform=profile.platform,
        service=service.service,
        provider=service.provider or profile.title,
        domain=service.domain,
        title=block.title,
        description=block.description.strip(),
        method=block.method,
        url=url,
        parameters=build_parameters([_parameter(line) for line in block.parameters], url, profile, hidden),
        outputs=outputs,
        profile=profile,
        noun=block.noun,
        name_field=block.name_field,
        root=block.root,
        spec_file=spec_file,
        spec_hash=spec_hash(facts, document.data),
    )


def _last_step(path: str) -> str:
    """Return the last fixed step of a path without its format suffix: "/api/company.json" gives "company"."""
    steps = [step for step in path.split("/") if step and "{" not in step] or ["call"]
    return steps[-1].partition("?")[0].removesuffix(".json").removesuffix(".xml")


def _parameter(line: ParameterBlock) -> ParameterDraft:
    evidence = Evidence(
        name=line.name,
        label=line.label,
        description=line.description,
        examples=line.examples,
        type=line.type,
        kind=line.kind,
        format=line.format,
        enum=enum_values(line.enum),
        default=line.default,
        # Portals with positional paths leave segments out: there only what the file says is required.
        required=bool(line.required) if line.location == "path" else line.required,
    )
    return ParameterDraft(evidence, line.location, line.filled_by, line.phrase, style=line.style)


def _output(line: OutputBlock) -> Evidence:
    return Evidence(
        name=line.path,
        label=line.label,
        description=line.description,
        examples=line.examples,
        type=line.type,
        kind=line.kind,
        format=line.format,
        enum=enum_values(line.values),
        unit=line.unit,
        private=line.private,
    )
