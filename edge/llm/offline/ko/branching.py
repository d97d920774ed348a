"""Condition of a step -> the clause that says it: "거래금액이 10억 원 이상이면", "없으면", "그렇지 않으면"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edge.llm.offline.brief import Brief, Condition, Step
from edge.llm.offline.ko.frames import Style
from edge.llm.offline.ko.labels import counter, spoken, summed
from edge.llm.offline.ko.modifiers import quoted
from edge.llm.offline.ko.nounphrases import Phraser
from edge.llm.offline.ko.numbers import with_unit
from edge.llm.offline.ko.particles import attach
from edge.llm.offline.ko.phrases import taken_up

# (operator, whether it holds) -> what stands behind the value
_SIDES: Mapping[tuple[str, bool], str] = {
    (">=", True): "이상",
    (">=", False): "미만",
    ("<=", True): "이하",
    ("<=", False): "초과",
}


@dataclass(frozen=True, slots=True)
class Fork:
    """The askings of a plan with a branch: those in any case, those if the condition holds, those if it does not."""

    condition: Condition
    always: tuple[Step, ...]
    holds: tuple[Step, ...]
    fails: tuple[Step, ...]


def fork_of(brief: Brief, units: Sequence[Step]) -> Fork | None:
    """Return how the askings divide at the first condition; None where there is none."""
    under = {step.id: brief.condition_of(step) for step in units}
    condition = next((c for c in under.values() if c), None)
    if condition is None:
        return None
    on = [step for step in units if (c := under[step.id]) and c.truth]
    off = [step for step in units if (c := under[step.id]) and not c.truth]
    return Fork(condition, tuple(s for s in units if under[s.id] is None), tuple(on), tuple(off))


def clause(brief: Brief, phraser: Phraser, condition: Condition, *, truth: bool) -> str:
    """Return the condition as a clause in "-면"; its step is taken up by a short word afterwards."""
    subject, predicate = _parts(brief, phraser, condition, truth=truth)
    return f"{subject} {predicate}면"


def reason(brief: Brief, condition: Condition, *, truth: bool) -> str:
    """Return the condition as the reason for what follows in an answer: "병상수가 300개 이상이어서"."""
    step = brief.step(condition.step)
    word = spoken(step.noun or step.title) if step else "결과"
    if condition.exists:
        return f"{attach(word, '이가')} {'있어서' if truth else '없어서'}"
    measure, text = _measure(step, condition, word), _text(step, condition)
    if condition.operator == "==":
        said = quoted(text)
        if truth:
            return f"{attach(measure, '이가')} {attach(said, '이어서')}"
        return f"{attach(measure, '은는')} {attach(said, '이가')} 아니어서"
    return f"{attach(measure, '이가')} {text} {attach(_SIDES[condition.operator, truth], '이어서')}"


def _parts(brief: Brief, phraser: Phraser, condition: Condition, *, truth: bool) -> tuple[str, str]:
    step = brief.step(condition.step)
    if step is None:
        return "결과", "그러하"
    met = step.id in phraser.known
    phrase = phraser.of(step)
    phraser.known[step.id] = taken_up(step)
    parent = brief.step(step.parent)
    if parent is not None and not ((known := phraser.known.get(parent.id)) and known.word and not known.text):
        phraser.known[parent.id] = taken_up(parent)
    if condition.exists:
        return attach(phrase.text, "이가"), "있으" if truth else "없으"
    owned = phrase.text and (condition.label or step.reducer.kind in ("sum", "mean"))
    owner = f"{phrase.text}의 " if owned else ""
    measure = _measure(step, condition, phrase.text)
    if not met and step.reducer.kind in ("max", "min") and step.reducer.label == condition.label:
        subject = attach(phrase.text, "이가")  # of the one with the largest price, its price
    else:
        subject = attach(f"{owner}{measure}", "이가")
    text = _text(step, condition)
    if condition.operator == "==":
        return (subject, f"{quoted(text)}이") if truth else (subject, f"{attach(quoted(text), '이가')} 아니")
    return subject, f"{text} {_SIDES[condition.operator, truth]}이"


def _measure(step: Step | None, condition: Condition, noun: str) -> str:
    """Return what is compared: a field, the sum or mean of one, or the things counted themselves."""
    if condition.label:
        return spoken(condition.label)
    label = spoken(step.reducer.label or "") if step else ""
    match step.reducer.kind if step else "count":
        case "sum":
            return summed(label)
        case "mean":
            return f"평균 {label.removeprefix('평균').strip() or label}"
        case "distinct":
            return f"{noun}의 서로 다른 {label}"
        case _:
            return noun


def _text(step: Step | None, condition: Condition) -> str:
    text = condition.text or condition.value
    if condition.label is None and step is not None and step.reducer.kind == "count":
        return with_unit(text, counter(spoken(step.noun or step.title)))
    return with_unit(text, condition.unit or (step.reducer.unit if step else None))


# {cond} the clause, {first} and {second} the askings, {obj1} {obj2} their particles; "other" leaves {second} out
FORKS: Mapping[Style, tuple[str, ...]] = {
    "formal": (
        "{cond} {first}{obj1} 알려 주시고, 그렇지 않으면 {second}{obj2} 알려 주십시오.",
        "{cond} {first}{obj1}, 아니면 {second}{obj2} 알려 주시기 바랍니다.",
        "만약 {cond} {first}{obj1} 확인해 주시고, 아닌 경우에는 {second}{obj2} 확인해 주십시오.",
        "{cond} {first}{obj1} 회신해 주십시오. 그렇지 않다면 {second}{obj2} 회신해 주시기 바랍니다.",
        "다음과 같이 확인 부탁드립니다. {cond} {first}, 그렇지 않으면 {second}.",
        "혹시 {cond} {first}{obj1} 알려 주실 수 있습니까? 아니라면 {second}{obj2} 알려 주시기 바랍니다.",
    ),
    "polite": (
        "{cond} {first}{obj1} 알려 주시고, 아니면 {second}{obj2} 알려 주세요.",
        "{cond} {first}{obj1}, 그렇지 않으면 {second}{obj2} 알려 주시겠어요?",
        "만약 {cond} {first}{obj1} 찾아봐 주세요. 아니라면 {second}{obj2} 알려 주세요.",
        "혹시 {cond} {first}{obj1} 알고 싶어요. 그렇지 않다면 {second}{obj2} 알려 주세요.",
        "{cond} {first}{obj1} 확인해 주시고, 아닌 경우에는 {second}{obj2} 확인해 주실 수 있나요?",
        "{cond} {first}{obj1} 봐 주시고요, 아니면 {second}{obj2} 봐 주세요.",
    ),
    "casual": (
        "{cond} {first}{obj1} 알려 주고, 아니면 {second}{obj2} 알려 줘.",
        "{cond} {first}{obj1}, 아니면 {second}{obj2} 알려 줄래?",
        "만약 {cond} {first}{obj1} 찾아 줘. 아니면 {second}{obj2} 찾아 주고.",
        "혹시 {cond} {first}{obj1} 알고 싶어. 그렇지 않으면 {second}{obj2} 알려 줘.",
        "{cond} {first} 좀 알려 줘, 아니라면 {second} 좀 알려 주고.",
        "{cond} {first}{obj1} 보고 싶은데, 아니면 {second}{obj2} 볼래.",
    ),
    "terse": (
        "{cond} {first}, 아니면 {second} 확인 부탁.",
        "{cond} {first}, 그렇지 않으면 {second} 회신 바람.",
        "만약 {cond} {first} 조회, 아니면 {second} 조회 요청.",
        "요청 사항: {cond} {first}, 아닌 경우 {second}",
        "{cond} {first} 확인. 아니면 {second} 확인 바람.",
        "1) {cond} {first} 2) 아니면 {second}",
    ),
}
ONE_WAY: Mapping[Style, tuple[str, ...]] = {
    "formal": (
        "{cond} {first}{obj1} 알려 주십시오.",
        "만약 {cond} {first}{obj1} 확인해 주시기 바랍니다.",
        "{cond} {first}{obj1} 회신해 주시고, 그렇지 않으면 해당 사항이 없다고만 알려 주십시오.",
        "혹시 {cond} {first}{obj1} 알려 주실 수 있습니까?",
        "{cond} {first}{obj1} 확인하고자 합니다.",
        "조건부로 요청드립니다. {cond} {first}{obj1} 회신해 주시기 바랍니다.",
    ),
    "polite": (
        "{cond} {first}{obj1} 알려 주세요.",
        "만약 {cond} {first}{obj1} 알려 주시겠어요?",
        "혹시 {cond} {first}{obj1} 알고 싶어요. 아니면 아니라고만 해 주세요.",
        "{cond} {first}{obj1} 찾아봐 주실 수 있나요?",
        "{cond} {first}{obj1} 확인하고 싶어요.",
        "그런지 먼저 봐 주세요. {cond} {first}{obj1} 알려 주시면 돼요.",
    ),
    "casual": (
        "{cond} {first}{obj1} 알려 줘.",
        "혹시 {cond} {first}{obj1} 알려 줄래?",
        "만약 {cond} {first} 좀 알려 줘. 아니면 됐고.",
        "{cond} {first}{obj1} 알고 싶어.",
        "{cond} {first}{obj1} 찾아봐 줄 수 있어?",
        "{cond} 말이야, {first} 좀 찾아 줘.",
    ),
    "terse": (
        "{cond} {first} 확인 부탁.",
        "만약 {cond} {first} 회신 바람.",
        "{cond} {first} 조회, 아니면 생략.",
        "{cond} {first} 확인 바람.",
        "조건부 요청: {cond} {first}",
    ),
}
