"""Does a request ask for what its plan answers, in words? (query -> reject reason or None)

What a plan states in values is checked in edge.plans.checks; here are the words for which every language has its own:
what is asked, by what records are chosen, conditions and comparisons, and days that depend on when one asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from edge.links.paths import get_path, scalar
from edge.llm.offline.packs import Pack, pack_of
from edge.plans.facts import stated_texts
from edge.plans.model import BoundValue, CallPlan, PlanStep, Reducer
from edge.plans.runner import Execution
from edge.plans.utterable import machine_like
from edge.specs.model import OutputField, Tool
from edge.text import compact

_SHOWN = 30  # letters of a request in which nobody asks for anything
_SENTENCE = 8  # letters from which on a sentence is not said twice
_LEAST = 4  # letters of a result that nobody writes by chance


def wording_problem(
    query: str, plan: CallPlan, execution: Execution | None, tools: Mapping[str, Tool], language: str
) -> str | None:
    """Return why the words of a request do not ask for its plan, as "reason: detail", or None.

    Raises:
        UsageError: there is no pack for the language.
    """
    pack = pack_of(language)
    stated = [t for s in _steps(plan) for t in stated_texts(s)]
    if strange := _strange(query, stated, pack):
        return strange
    bare = _without(query, stated)
    if criterion := _unchosen(bare, plan, tools, pack):
        return f"missing_criterion: {criterion}"
    if not re.search(pack.requesting, _without(bare, _labels(plan, tools)), re.IGNORECASE):
        return f"no_request: {query[-_SHOWN:]}"
    if label := _unasked(query, plan, tools, pack):
        return f"missing_ask: {label}"
    if match := _unanchored(query, plan, tools, pack):
        return f"relative_date: {match}"
    if execution is not None and (value := _told(query, plan, execution, tools)):
        return f"leaked_result: {value}"
    return None


def _unchosen(bare: str, plan: CallPlan, tools: Mapping[str, Tool], pack: Pack) -> str | None:
    """Return how records are chosen, a condition or a comparison of which there is no word."""
    for step in _steps(plan):
        for reducer in _chain(step.reducer):
            if not re.search(pack.criteria.get(reducer.kind, ""), bare, re.IGNORECASE):
                field = tools[step.tool_id].output(reducer.field) if reducer.field else None
                return f"{reducer.kind}{f' {field.label}' if field else ''}"
    if any(s.when for s in plan.steps) and not re.search(pack.branching, bare, re.IGNORECASE):
        return "condition"
    if plan.comparison and not re.search(pack.comparing, bare, re.IGNORECASE):
        return "comparison"
    return None


def _strange(query: str, stated: Sequence[str], pack: Pack) -> str | None:
    """Return what nobody would say so: a value written for programs, or a passage that the language does not know."""
    if coded := next((t for t in stated if machine_like(t)), None):
        return f"machine_value: {coded}"
    named = named_only(query, stated)
    passage = pack.odd(named) or _again(query) or _unfinished(named)
    return f"odd_wording: {passage}" if passage else None


def _again(query: str) -> str | None:
    """Return a sentence or line that is said twice."""
    said = [s.strip() for s in re.split(r"(?<=[.?!。？！])\s*|\n+", query)]
    again = next((s for n, s in enumerate(said) if len(s) >= _SENTENCE and s in said[:n]), None)
    return f"again {again[:_SHOWN]!r}" if again else None


def _unfinished(query: str) -> str | None:
    """Return dots where something was left out."""
    dots = re.search(r"….*|\.{3,}.*", query)
    return f"unfinished {dots.group(0)[:_SHOWN]!r}" if dots else None


def named_only(text: str, values: Iterable[str]) -> str:
    """Return a text in which every value is a mere name, so that the words around the values can be judged alone."""
    for value in sorted({v for v in values if len(v) > 1}, key=lambda v: (-len(v), v)):
        text = text.replace(value, "○○")
    return text


def _steps(plan: CallPlan) -> tuple[PlanStep, ...]:
    return (*plan.steps, *plan.untaken)


def _chain(reducer: Reducer) -> Iterable[Reducer]:
    """The reducer and those within it."""
    yield reducer
    if reducer.within is not None:
        yield from _chain(reducer.within)


def _unasked(query: str, plan: CallPlan, tools: Mapping[str, Tool], pack: Pack) -> str | None:
    """Return the label of a value that the answer states and the request does not ask for."""
    squeezed = compact(query)
    for step in _steps(plan):
        tool = tools[step.tool_id]
        for path in step.asks:
            field = tool.output(path)
            if field and not any(compact(way) in squeezed for way in _ways(field, tool, pack)):
                return field.label
    return None


def _ways(field: OutputField, tool: Tool, pack: Pack) -> list[str]:
    """Return the ways to ask for a field, without a last word that other fields of the tool end in as well.

    "Population" asks for nothing certain where a record holds those of men, of women and of every age.
    """
    last, others = field.label.split()[-1], {f.label for f in tool.outputs} - {field.label}
    shared = last != field.label and any(label.split()[-1:] == [last] for label in others)
    return [w for w in pack.asked(field.label, tool.noun or tool.title) if not (shared and w == last)]


def _unanchored(query: str, plan: CallPlan, tools: Mapping[str, Tool], pack: Pack) -> str | None:
    """Return a word like "last month" that stands alone, in a request that does not say which day today is."""
    if compact(pack.date(plan.today)) in compact(query):
        return None
    rest = _without(query, [*_labels(plan, tools), *(t for s in _steps(plan) for t in stated_texts(s))])
    alone = (m.group(0) for m in re.finditer(pack.relative, rest, re.IGNORECASE) if not rest[m.end() :].startswith("("))
    return next(alone, None)


def _labels(plan: CallPlan, tools: Mapping[str, Tool]) -> list[str]:
    return [f.label for s in _steps(plan) for f in (*tools[s.tool_id].outputs, *tools[s.tool_id].offered)]


def _without(query: str, texts: Iterable[str]) -> str:
    for text in sorted({t for t in texts if len(t) > 1}, key=lambda t: (-len(t), t)):
        query = query.replace(text, " ")
    return query


def _told(query: str, plan: CallPlan, execution: Execution, tools: Mapping[str, Tool]) -> str | None:
    """Return a value of an answer, or one passed between calls, that the request has and only a call can know."""
    called = [tools[s.tool_id] for s in _steps(plan)]
    words = [w for t in called for w in (t.noun, t.title, *(f.label for f in (*t.outputs, *t.offered)))]
    said = [compact(t) for t in (*(t for s in _steps(plan) for t in stated_texts(s)), *words)]
    squeezed = compact(query)
    for value in _results(plan.steps, execution):
        key = compact(value)
        if len(key) >= _LEAST and key in squeezed and not any(key in s for s in said):
            return value
    return None


def _results(steps: Sequence[PlanStep], execution: Execution) -> Iterable[str]:
    for step in steps:
        bound = {name for name, source in step.arguments if isinstance(source, BoundValue)}
        for call in execution.of(step.step_id):
            yield from (value for name, value in call.arguments.items() if name in bound)
            yield from (v for r in call.records for p in step.asks if (v := scalar(get_path(r, p))) is not None)
