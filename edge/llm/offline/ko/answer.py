"""Facts -> answer: each stated with its record, its label and its value, in the style of the request."""

from __future__ import annotations

import random
from collections.abc import Sequence

from edge.llm.offline.brief import Brief
from edge.llm.offline.ko.answer_groups import Group, grouped, picked
from edge.llm.offline.ko.answer_lines import lines_of
from edge.llm.offline.ko.branching import reason
from edge.llm.offline.ko.facts import copula, counted, is_long, label_of, value, winner
from edge.llm.offline.ko.frames import Style
from edge.llm.offline.ko.labels import spoken
from edge.llm.offline.ko.particles import attach
from edge.llm.offline.ko.request import style_of

_SENTENCE_FACTS = 4  # more than these read better as a list
_NOTHING = {
    "formal": "조건에 맞는 결과를 찾지 못했습니다.",
    "polite": "조건에 맞는 결과가 없어요.",
    "casual": "조건에 맞는 결과가 없어.",
    "terse": "조건에 맞는 결과 없음.",
}
_OPENINGS: dict[Style, tuple[str, ...]] = {
    "formal": ("요청하신 내용은 다음과 같습니다.", "조회 결과를 안내해 드립니다.", "확인한 결과는 아래와 같습니다."),
    "polite": ("찾아본 결과예요.", "조회한 내용을 알려 드릴게요.", "다음과 같아요."),
    "casual": ("찾아봤어.", "이렇게 나와.", "정리하면 이래."),
    "terse": ("조회 결과", "확인 결과"),
}


def write_answer(brief: Brief) -> str:
    """Return the answer; without facts it says that nothing was found."""
    rng = random.Random(f"{brief.seed}|answer")
    style = style_of(brief.style, rng)
    if not brief.facts:
        return _NOTHING[style]
    won = [fact for fact in brief.facts if fact.operation in ("max", "min")]
    plain = [fact for fact in brief.facts if fact not in won]
    groups = grouped(brief, plain)
    long = any(is_long(fact.text) for fact in plain)
    why = _reasons(brief, groups)
    if len(groups) > 2 or len(plain) > _SENTENCE_FACTS or long:
        opening = rng.choice(_OPENINGS[style])
        several = len({g.step.id for g in groups if g.step}) > 1
        lines = lines_of([g for g in groups if not _hangs(brief, g)], style, several=several)
        under = [g for g in groups if _hangs(brief, g)]
        if under:  # what hangs on a condition comes last, behind the reason for it
            told = " ".join((*why.values(), _FOLLOWS[style]))
            lines += [told, *lines_of(under, style, several=several)]
            if len(lines) == len(under) + 1 and style != "terse":
                opening = ""
        return "\n".join([*([opening] if opening else []), *lines, *(winner(fact, brief, style) for fact in won)])
    said = [f"{_because(group, why)}{_sentence(group, style)}" for group in groups]
    return " ".join([*said, *(winner(fact, brief, style) for fact in won)])


_FOLLOWS: dict[Style, str] = {
    "formal": "다음 내용을 확인했습니다.",
    "polite": "다음 내용을 찾아봤어요.",
    "casual": "이쪽을 찾아봤어.",
    "terse": "아래 내용 확인.",
}


def _reasons(brief: Brief, groups: Sequence[Group]) -> dict[str, str]:
    """Return for the first step of the branch that was taken why it was."""
    for group in groups:
        condition = brief.condition_of(group.step) if group.step else None
        if group.step and condition:
            return {group.step.id: reason(brief, condition, truth=condition.truth)}
    return {}


def _because(group: Group, why: dict[str, str]) -> str:
    said = why.pop(group.step.id, None) if group.step else None
    return f"{said}, " if said else ""


def _hangs(brief: Brief, group: Group) -> bool:
    """Whether a group was only looked for because a condition holds."""
    return group.step is not None and brief.condition_of(group.step) is not None


def _sentence(group: Group, style: Style) -> str:
    step = group.step
    if group.computed and step is not None:
        return counted(group.facts[0], step, group.entity, style)
    naming = [fact for fact in group.facts if fact.text == group.entity]
    ordered = naming + [fact for fact in group.facts if fact.text != group.entity]
    subject = "" if naming else _subject(group)
    labels = [label_of(fact, step, owned=bool(subject)) for fact in ordered]
    if style == "terse":
        memo = f"{subject.removesuffix('의 ')}: " if subject else ""
        return memo + ", ".join(f"{label} {value(fact)}" for label, fact in zip(labels, ordered, strict=True)) + "."
    parts = [f"{attach(label, '은는')} {value(fact)}" for label, fact in zip(labels, ordered, strict=True)]
    body = f"{parts[0]}"
    for part in parts[1:]:
        body = f"{body}이고 {part}" if len(parts) == 2 else f"{body}, {part}"
    return f"{subject}{body}{copula(body, style)}"


def _subject(group: Group) -> str:
    picked_one = picked(group.step) if group.step else ""
    if not group.entity:
        of = picked_one or (spoken(group.step.via) if group.step and group.step.via else "")
        return f"{of}의 " if of else ""
    if not picked_one:
        return f"{group.entity}의 "
    return f"{group.entity}{'에서' if group.place else '의'} {picked_one}의 "
