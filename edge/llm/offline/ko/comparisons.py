"""Brief with twin branches -> brief with one: "A와 B의 ...", for the same tool called for several values."""

from __future__ import annotations

from collections.abc import Sequence

from edge.llm.offline.brief import Brief, Input, Step
from edge.llm.offline.ko.naming import own_name, phrase_of
from edge.llm.offline.ko.particles import join


def merge_twins(brief: Brief) -> Brief | None:
    """Return the brief with its compared branches drawn into one; None when it compares nothing.

    Branches are twins when they ask the same of the same noun and differ in one stated value, or in the names of their
    parents.
    """
    units = brief.wanted
    if any(brief.condition_of(step) for step in units):
        return None
    if len(units) < 2 or len({_shape(step) for step in units}) != 1 or len(units) != len({step.id for step in units}):
        return None
    if any(unit.id in {parent.id for other in units for parent in brief.ancestors(other)} for unit in units):
        return None
    chains = [[*brief.ancestors(step), step] for step in units]
    if len({len(chain) for chain in chains}) != 1:
        return None
    merged: list[Step] = []
    for level in zip(*chains, strict=True):
        drawn = _draw(level)
        if drawn is None:
            return None
        merged.append(drawn)
    if not any(step.id != other.id for step, other in zip(merged, chains[1], strict=True)):
        return None
    return brief.model_copy(update={"steps": tuple(merged)})


def _shape(step: Step) -> tuple[object, ...]:
    asks = tuple(ask.label for ask in step.asks)
    return (
        step.noun,
        step.title,
        step.reducer.kind,
        step.reducer.label,
        step.reducer.k,
        step.reducer.within,
        step.via,
        asks,
        tuple(item.label for item in step.inputs),
    )


def _draw(level: Sequence[Step]) -> Step | None:
    first = level[0]
    if all(step.id == first.id for step in level):
        return first
    if len({_shape(step) for step in level}) != 1:
        return None
    inputs: list[Input] = []
    for items in zip(*(step.inputs for step in level), strict=True):
        inputs.append(items[0].model_copy(update={"text": _side_by_side(items, own_name(first) or "")}))
    names = tuple(dict.fromkeys(step.reducer.text for step in level if step.reducer.text))
    called = tuple(dict.fromkeys(name for step in level if (name := own_name(step))))
    reducer = first.reducer.model_copy(
        update={"text": _joined(names) or None, "names": called if len(called) > 1 else ()}
    )
    return first.model_copy(update={"inputs": tuple(inputs), "reducer": reducer, "merged": True})


def _side_by_side(items: Sequence[Input], name: str) -> str:
    """The texts as one; where the phrase puts quotes around them, each gets its own."""
    texts, phrase = list(dict.fromkeys(item.text for item in items)), phrase_of(items[0])
    quotes = ("'{v}'" in phrase if phrase else items[0].kind == "name") and items[0].text not in name
    return _joined([f"'{text}'" for text in texts])[1:-1] if quotes and len(texts) > 1 else _joined(texts)


def _joined(texts: Sequence[str]) -> str:
    return join(list(dict.fromkeys(texts)))
