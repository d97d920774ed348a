"""tools + live or recorded answers -> tools with the fields that are really there, and where documents differ."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from edge.execution.answers import Answers, Look
from edge.execution.filling import SeenValues, attempts
from edge.execution.placing import Read, read_answer
from edge.ids import Json
from edge.links.fillers import Filler
from edge.specs.differences import Compared, Difference, compare
from edge.specs.model import OutputField, Tool
from edge.specs.observing import observe

Status = Literal["learned", "agrees", "differs", "not_probed"]
ATTEMPTS = 3  # calls for one tool, while they come back empty or refused
_WAVES = 6  # a tool is called once a wave, so that it can use what others gave before
_CONCURRENCY = 16
_POSITION = re.compile(r"\[\d*\]")


@dataclass(frozen=True, slots=True)
class Result:
    """How probing one tool ended. `reason` says why it was not probed: "no_values", "empty", "structural:<reason>"."""

    tool_id: str
    status: Status
    reason: str = ""
    calls: int = 0
    records: int = 0


@dataclass(frozen=True, slots=True)
class Probed:
    """All tools in the order given, what became of those probed, and the differences by tool, sorted."""

    tools: tuple[Tool, ...]
    results: tuple[Result, ...]
    differences: tuple[tuple[Tool, Difference], ...]

    def counts(self) -> dict[str, int]:
        """Return how many tools ended in each way."""
        found = Counter(result.status for result in self.results)
        return {status: found[status] for status in ("learned", "agrees", "differs", "not_probed")}

    def rows(self, run_id: str) -> list[dict[str, Json]]:
        """Return the rows of the `spec_differences` dataset."""
        return [
            {
                "tool_id": tool.tool_id,
                "operation_key": tool.operation_key,
                "spec_file": tool.spec_file,
                "kind": difference.kind,
                "path": difference.path,
                "declared": difference.declared,
                "observed": difference.observed,
                "detail": difference.detail,
                "run_id": run_id,
            }
            for tool, difference in self.differences
        ]


@dataclass(frozen=True, slots=True)
class _Try:
    """One call that gave no records."""

    arguments: Mapping[str, str]
    reason: str


@dataclass(slots=True)
class _Probe:
    """What is known so far."""

    answers: Answers
    filler: Filler | None
    labels: Mapping[tuple[str, str], Mapping[str, str]]
    gate: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_CONCURRENCY))
    values: SeenValues = field(default_factory=SeenValues)
    tried: dict[str, list[_Try]] = field(default_factory=dict[str, "list[_Try]"])
    tools: dict[str, Tool] = field(default_factory=dict[str, Tool])
    results: dict[str, Result] = field(default_factory=dict[str, Result])
    differences: dict[str, list[Difference]] = field(default_factory=dict[str, list[Difference]])


def without_outputs(tool: Tool) -> bool:
    """Whether nobody knows what a tool answers."""
    return not tool.outputs


async def probe(
    tools: Sequence[Tool],
    answers: Answers,
    filler: Filler | None,
    *,
    wanted: Callable[[Tool], bool] = without_outputs,
) -> Probed:
    """Learn outputs from one answer a tool; nothing that a platform does stops it.

    Args:
        tools: Compiled tools; those that change state are left alone.
        answers: The gateway client, or a recording.
        filler: Gives values for parameters; None where arguments do not matter (a recording).
        wanted: Which tools to probe: those without outputs are learned, others compared.
    """
    state = _Probe(answers, filler, _labels(tools))
    waiting = [tool for tool in tools if tool.read_only and wanted(tool)]
    for _ in range(_WAVES):
        ready = [(tool, made) for tool in waiting if (made := _next_arguments(state, tool)) is not None]
        looks = await asyncio.gather(*(_look(state, tool, made) for tool, made in ready))
        for (tool, made), look in zip(ready, looks, strict=True):
            _take_in(state, tool, made, look)
        waiting = [tool for tool in waiting if tool.tool_id not in state.results]
        if not ready or not waiting:
            break
    for tool in waiting:
        _give_up(state, tool)
    by_id = sorted(tools, key=lambda tool: tool.tool_id)
    return Probed(
        tools=tuple(state.tools.get(tool.tool_id, tool) for tool in tools),
        results=tuple(state.results[tool.tool_id] for tool in by_id if tool.tool_id in state.results),
        differences=tuple((tool, one) for tool in by_id for one in state.differences.get(tool.tool_id, ())),
    )


def _labels(tools: Sequence[Tool]) -> dict[tuple[str, str], dict[str, str]]:
    """Return what each service calls its fields, by case-folded name, where it has one word for it."""
    said: dict[tuple[str, str], dict[str, set[str]]] = {}
    for tool in tools:
        service = said.setdefault((tool.platform, tool.service), {})
        named = [(output.path.rpartition(".")[2].removesuffix("[]"), output.label) for output in tool.outputs]
        for name, label in (*named, *((parameter.name, parameter.label) for parameter in tool.parameters)):
            if label and label != name:
                service.setdefault(name.casefold(), set()).add(label)
    return {
        key: {name: next(iter(labels)) for name, labels in service.items() if len(labels) == 1}
        for key, service in said.items()
    }


def _next_arguments(state: _Probe, tool: Tool) -> Mapping[str, str] | None:
    """Return the likeliest arguments that were not tried yet."""
    tried = [one.arguments for one in state.tried.get(tool.tool_id, ())]
    once: list[dict[str, str]] = [{}]
    sets = once if state.filler is None else attempts(tool, state.filler, state.values)
    return next((made for made in sets if made not in tried), None) if len(tried) < ATTEMPTS else None


async def _look(state: _Probe, tool: Tool, arguments: Mapping[str, str]) -> Look:
    async with state.gate:
        return await state.answers.look(tool, arguments)


def _take_in(state: _Probe, tool: Tool, arguments: Mapping[str, str], look: Look) -> None:
    """Learn from an answer with records; no data and refusals are tried with other values, an outage is not."""
    read = read_answer(tool, look)
    tried = state.tried.setdefault(tool.tool_id, [])
    if read is not None:
        _learn(state, tool, read, lists_told=look.decoded is not None and look.decoded.kind == "json")
        return
    outcome = look.outcome
    tried.append(_Try(arguments, "empty" if outcome.outcome == "empty" else f"{outcome.outcome}:{outcome.reason}"))
    if outcome.outcome == "environmental":
        _give_up(state, tool)


def _give_up(state: _Probe, tool: Tool) -> None:
    reasons = [one.reason for one in state.tried.get(tool.tool_id, ())]
    reason = "empty" if "empty" in reasons else reasons[-1] if reasons else "no_values"
    state.results[tool.tool_id] = Result(tool.tool_id, "not_probed", reason, len(reasons))
    if not tool.outputs:
        state.differences[tool.tool_id] = [Difference("no_schema", "", "", "", f"not probed: {reason}")]


def _learn(state: _Probe, tool: Tool, read: Read, *, lists_told: bool) -> None:
    observed = observe(read.records)
    declared = tool.outputs if tool.declared is None else tool.declared
    names = state.labels[tool.platform, tool.service]
    compared = compare(declared, observed, len(read.records), lists_told=lists_told, labels=names)
    differences = [*compared.differences, *(_misplaced(tool, read) if declared else ())]
    state.tools[tool.tool_id] = _learned(tool, read, declared, compared)
    state.differences[tool.tool_id] = sorted(differences, key=lambda one: (one.kind, one.path, one.observed))
    status: Status = "learned" if not declared else "differs" if differences else "agrees"
    calls = len(state.tried[tool.tool_id]) + 1
    state.results[tool.tool_id] = Result(tool.tool_id, status, "", calls, len(read.records))
    state.values.add(tool, compared.outputs, read.records)


def _misplaced(tool: Tool, read: Read) -> list[Difference]:
    """Return the difference of the documented and the real place of records; in a platform file the profile's."""
    envelope = tool.profile.envelope
    documented = envelope.documented
    if documented is None:
        return [Difference("missing_wrapper", "", ", ".join(envelope.records), read.place)] if read.moved else []
    said, seen = (_POSITION.sub("", place).casefold() or "." for place in (documented, read.place))
    if said == seen:
        return []
    outer = read.place[: -len(documented) - 1] if seen.endswith(f".{said}") else ""
    detail = f"the document leaves out {outer}" if outer else ""
    return [Difference("missing_wrapper", "", documented or ".", read.place, detail)]


def _learned(tool: Tool, read: Read, declared: tuple[OutputField, ...], compared: Compared) -> Tool:
    """Return the tool that later calls go by: real fields, real place, the document's fields beside."""
    made = replace(tool, profile=read.tool.profile)
    if set(compared.outputs) == set(declared):
        return made
    renamed = {one.declared: one.observed for one in compared.differences if one.kind == "renamed_field"}
    name = renamed.get(tool.name_field or "", tool.name_field)
    known = any(output.path == name for output in compared.outputs)
    return replace(made, outputs=compared.outputs, declared=declared, name_field=name if known else None)
