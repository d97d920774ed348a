"""Brief -> a request or an answer in plain English; the same brief and seed always give the same text."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from edge.llm.offline.brief import Brief, Condition, Fact, Input, Reducer, Step
from edge.llm.offline.en.words import measure
from edge.llm.offline.plain import Sides, enumerated, missing, name_of, owners_of, sides_of, stated

# {core} is what is asked, as a noun phrase or an indirect question
_FRAMES: Mapping[str, tuple[str, ...]] = {
    "formal": (
        "Could you please tell me {core}?",
        "I would be grateful if you could tell me {core}.",
        "Please confirm {core}.",
        "I am writing to find out {core}.",
        "Would you kindly look up {core}?",
    ),
    "polite": (
        "Could you tell me {core}?",
        "Please let me know {core}.",
        "I would like to know {core}, please.",
        "Can you look up {core} for me?",
        "May I ask {core}?",
    ),
    "casual": (
        "Tell me {core}, will you?",
        "Can you find out {core}?",
        "I need to know {core}.",
        "Look up {core} for me, thanks.",
        "Quick question: {core}?",
    ),
    "terse": ("Needed: {core}.", "Request: {core}.", "Please check {core}.", "{core}, please."),
}
_STYLES = tuple(_FRAMES)
_MADE = {"sum": "total ", "mean": "average ", "count": "number of ", "distinct": "number of different values of "}
_NOTHING = "Nothing was found that meets these conditions."


def write_request(brief: Brief) -> str:
    """Return the request."""
    rng = random.Random(f"en|{brief.seed}|{brief.style}|{len(brief.steps)}")
    sides = sides_of(brief)
    frame = rng.choice(_FRAMES.get(brief.style) or _FRAMES[rng.choice(_STYLES)])
    parts = [_core(brief, step) for step in sides.always]
    text = frame.replace("{core}", enumerated(parts, ", and ")) if parts else ""
    if sides.condition:
        text = f"{text} {_branches(brief, sides.condition, sides, ask='please tell me ')}.".strip()
    elif brief.comparison is not None:
        text = f"{text} Please also tell me {_which(brief)}."
    left = missing(brief, text)
    if left:
        text = f"{text} ({'; '.join(f'{label}: {value}' for label, value in left)})"
    return text[0].upper() + text[1:]


def outline(brief: Brief) -> tuple[str, ...]:
    """Return what is asked, a line for each thing, with nobody asking it."""
    sides = sides_of(brief)
    lines = [_core(brief, step) for step in sides.always]
    if sides.condition:
        lines.append(_branches(brief, sides.condition, sides))
    elif brief.comparison is not None:
        lines.append(_which(brief))
    return tuple(lines)


def _branches(brief: Brief, condition: Condition, sides: Sides, ask: str = "") -> str:
    chosen = [_cores(brief, side) for side in (sides.holds, sides.fails) if side]
    clause = _clause(brief, condition, truth=bool(sides.holds))
    return f"If {clause}, {ask}{'; otherwise, '.join(chosen)}"


def _cores(brief: Brief, steps: Sequence[Step]) -> str:
    return enumerated([_core(brief, step) for step in steps], ", and ")


def _core(brief: Brief, step: Step) -> str:
    labels = enumerated([_bare(ask.label) for ask in step.asks], " and ")
    group, label = _group(brief, step), _bare(step.reducer.label or "value")
    match step.reducer.kind:
        case "count":
            return f"how many {group} there are"
        case "distinct":
            return f"how many different values of {label} there are among the {group}"
        case "sum":
            return f"the total {label} of the {group}"
        case "mean":
            return f"the average {label} of the {group}"
        case _:
            return f"the {labels} of {_record(brief, step)}" if labels else _record(brief, step)


def _record(brief: Brief, step: Step) -> str:
    """The phrase for the record or records that a step leaves."""
    name = name_of(step)
    if name is not None:
        rest = _conditions([item for item in step.inputs if item.text not in name])
        return f"{name}{rest}{_of(brief, step)}"
    reducer, group, label = step.reducer, _group(brief, step), _bare(step.reducer.label or "value")
    match reducer.kind:
        case "max" | "min":
            return f"the one with the {'highest' if reducer.kind == 'max' else 'lowest'} {label} among the {group}"
        case "latest" | "earliest":
            return f"the one with the {reducer.kind} {label} among the {group}"
        case "top" | "bottom":
            end = "highest" if reducer.kind == "top" else "lowest"
            return f"the {reducer.k} with the {end} {label} among the {group}"
        case "nearest":
            near = brief.step(reducer.near_step)
            place = _record(brief, near) if near is not None else reducer.text or "there"
            return f"the one nearest to {place} among the {group}"
        case "all":
            return f"each of the {group}"
        case "at_least" | "at_most" | "contains":
            return f"each of the {group} {_test(reducer)}"
        case "filter":
            return f"the one {_test(reducer)} among the {group}"
        case _:
            return f"the {group}"


def _group(brief: Brief, step: Step) -> str:
    within = f" {_test(step.reducer.within)}" if step.reducer.within else ""
    return f"{_bare(step.noun or step.title)}{_conditions(step.inputs)}{_of(brief, step)}{within}"


def _of(brief: Brief, step: Step) -> str:
    owners = [_record(brief, owner) for owner in owners_of(brief, step)]
    if not owners:
        return ""
    via = f"the {step.via} of " if step.via else ""
    return f" for {via}{enumerated(owners, ' and ')}"


def _conditions(inputs: Sequence[Input]) -> str:
    said: list[str] = []
    for item in inputs:
        if item.kind in ("month", "year"):
            said.append(f" in {item.text}")
        elif item.kind in ("date", "datetime"):
            said.append(f" on {item.text}")
        else:
            said.append(f" with {_bare(item.label)} {item.text}")
    return "".join(said)


def _test(reducer: Reducer) -> str:
    label, text = _bare(reducer.label or "name"), measure(reducer.text or "", reducer.unit)
    text = text if (reducer.text or "") in text else reducer.text or ""
    match reducer.kind:
        case "at_least":
            return f"whose {label} is at least {text}"
        case "at_most":
            return f"whose {label} is at most {text}"
        case "contains":
            return f"whose {label} contains '{reducer.text}'"
        case _:
            return f"whose {label} is {reducer.text}"


def _clause(brief: Brief, condition: Condition, *, truth: bool) -> str:
    step = brief.step(condition.step)
    if step is None:
        return "that is so"
    if condition.exists:
        return f"there are {'any' if truth else 'no'} {_group(brief, step)}"
    if condition.label:
        subject = f"the {_bare(condition.label)} of {_record(brief, step)}"
    else:
        subject = _core(brief, step).replace("how many", "the number of").replace(" there are", "")
    return f"{subject} is {_side(condition, truth)}"


def _side(condition: Condition, truth: bool) -> str:
    words = {
        (">=", True): "at least",
        (">=", False): "less than",
        ("<=", True): "at most",
        ("<=", False): "more than",
        ("==", True): "",
        ("==", False): "not",
    }[condition.operator, truth]
    return f"{words} {condition.text or condition.value}".strip()


def _which(brief: Brief) -> str:
    compared = brief.comparison
    step = brief.step(compared.steps[0]) if compared else None
    if compared is None or step is None:
        return ""
    what = _bare(compared.label) if compared.label else _bare(step.noun)
    names = [name for name in compared.names if name]
    pair = len(names) == 2
    more = ("more" if pair else "the most") if compared.kind == "max" else ("fewer" if pair else "the fewest")
    end = ("higher" if pair else "highest") if compared.kind == "max" else ("lower" if pair else "lowest")
    side = f"which of {enumerated(names, ' and ')}" if names else "which one"
    return f"{side} has {f'the {end} {what}' if compared.label else f'{more} {what}'}"


def write_answer(brief: Brief) -> str:
    """Return the answer; without facts it says that nothing was found."""
    groups, won = stated(brief)
    if not groups and not won:
        return _NOTHING
    lines: list[str] = []
    told: set[str] = set()
    for group in groups:
        condition = brief.condition_of(group.step) if group.step else None
        if condition and condition.step not in told:
            told.add(condition.step)
            lines.append(f"Since {_clause(brief, condition, truth=condition.truth)}:")
        lines.append(_sentence(group.entity, group.step, group.facts))
    lines += [_winner(fact, brief.step(fact.step)) for fact in won]
    return "\n".join(lines)


def _sentence(entity: str | None, step: Step | None, facts: Sequence[Fact]) -> str:
    kind = _MADE.get(step.reducer.kind, "") if step else ""
    parts = [f"the {kind}{_bare(fact.label)} is {_value(fact)}" for fact in facts if fact.text != entity]
    said = enumerated(parts, " and ")
    if not said:
        return f"{entity}."
    return f"For {entity}, {said}." if entity else f"{said[0].upper()}{said[1:]}."


def _winner(fact: Fact, step: Step | None) -> str:
    end = "highest" if fact.operation == "max" else "lowest"
    kind = _MADE.get(step.reducer.kind, "") if step else ""
    return f"{fact.entity or 'The winner'} has the {end} {kind}{_bare(fact.label)}: {_value(fact)}."


def _value(fact: Fact) -> str:
    return measure(fact.text, fact.unit) if fact.unit and re.fullmatch(r"[\d,.]+", fact.text) else fact.text


def _bare(label: str) -> str:
    return re.sub(r"\s*\([^)]*\)", "", label).strip() or label
