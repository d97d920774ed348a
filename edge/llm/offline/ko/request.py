"""Brief -> request: one natural Korean request that asks for exactly what the plan finds."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from edge.llm.offline.brief import Brief, Step
from edge.llm.offline.ko.branching import fork_of
from edge.llm.offline.ko.comparisons import merge_twins
from edge.llm.offline.ko.dates import relative_day, relative_month, relative_year
from edge.llm.offline.ko.frames import LEADS, STYLES, Style
from edge.llm.offline.ko.labels import criterion, word_of
from edge.llm.offline.ko.nounphrases import Phraser
from edge.llm.offline.ko.particles import attach, fill, particle
from edge.llm.offline.ko.personas import opening
from edge.llm.offline.ko.phrases import taken_up
from edge.llm.offline.ko.reading import clumsiness
from edge.llm.offline.ko.sentences import HEADINGS, asking, forked
from edge.llm.offline.ko.smalltalk import remark, stated_today, thanks

_STATED = re.compile(r"있습니다\. |있어요\. |중이야\. |중이에요\. |있는데|중인데|문의드립니다|말인데|싶은데")
_LONG = 40  # characters of a noun phrase that had better be said first, on its own
_DRAFTS = 5
_GREETED = ("안녕", "수고", "저기")
_REMARKS = {"formal": 0.06, "polite": 0.15, "casual": 0.2, "terse": 0.03}


@dataclass(frozen=True, slots=True)
class Written:
    """A request and the pattern it follows: the frame and the lead, without the values."""

    query: str
    pattern: str


def style_of(name: str, rng: random.Random) -> Style:
    """Return the style of that name; an unknown one is drawn."""
    known: dict[str, Style] = {**{style: style for style in STYLES}, "memo": "terse"}
    return known.get(name) or rng.choice(STYLES)


def compose(brief: Brief) -> Written:
    """Write the request, the lightest of a few drafts; the same brief and seed always give the same text."""
    name = f"{brief.seed}|{brief.style}|{brief.steps[-1].id}|{brief.steps[-1].title}"
    style = style_of(brief.style, random.Random(name))
    nouns = [word_of(step.noun or step.title or "항목") for step in brief.all_steps]
    drafts = [_draft(brief, style, random.Random(f"{name}|{n}")) for n in range(_DRAFTS)]
    best = min(drafts, key=lambda written: clumsiness(written.query, nouns))
    return Written(_talk(best.query, brief, style, random.Random(f"{name}|talk")), best.pattern)


def write_request(brief: Brief) -> str:
    """Return the request of a brief."""
    return compose(brief).query


def _draft(brief: Brief, style: Style, rng: random.Random) -> Written:
    plan = merge_twins(brief) or brief
    phraser = Phraser(plan, rng)
    units = plan.wanted
    fork = fork_of(plan, units)
    lead, acts = ("", False) if fork or len(units) > 2 else _lead(plan, phraser, rng, style, units)
    if fork is not None:
        body, pattern = forked(plan, phraser, rng, style, fork)
    else:
        body, pattern = asking(plan, phraser, rng, style, units, acts=acts, led=bool(lead))
    stated = bool(lead and not acts) or bool(_STATED.search(body))
    headed = body.startswith(HEADINGS)
    intro = "" if headed else opening(style, brief.persona, units[-1].domain, rng, reason=not stated)
    if body.startswith("혹시") and intro.endswith(", "):
        body = body.removeprefix("혹시 ")
    query = _tidy(intro + lead + body)
    return Written(_complete(query, brief, style), f"{style}|{bool(lead)}|{pattern}")


def _lead(brief: Brief, phraser: Phraser, rng: random.Random, style: Style, units: list[Step]) -> tuple[str, bool]:
    """Introduce a step halfway along a long chain in a sentence of its own, so that no sentence carries it all."""
    chain = [step for step in brief.ancestors(units[0]) if not phraser.vanishes(step)]
    if not chain:
        return "", False
    step = chain[(len(chain) - 1) // 2]
    phrase = phraser.of(step)
    if len(chain) == 1 and rng.random() < (0.2 if phrase.heavy or len(phrase.text) > _LONG else 0.65):
        return "", False
    template, acts = rng.choice(LEADS[style])
    phraser.known[step.id] = taken_up(step)
    return fill(template, np=phrase.text), acts


def _talk(query: str, brief: Brief, style: Style, rng: random.Random) -> str:
    """Say a date as people near it do, and now and then something that is not to the point."""
    said, near = _dated(query, brief, rng)
    if near and "오늘(" not in said and not said.startswith((*HEADINGS, *_GREETED)) and rng.random() < 0.5:
        said = stated_today(style, brief.today, rng) + said
    elif not said.startswith((*HEADINGS, *_GREETED)) and rng.random() < _REMARKS[style]:
        said = remark(style, rng) + said
    if "감사" not in said and said.endswith((".", "?")) and rng.random() < 0.08:
        said += thanks(style, rng)
    return said


def _dated(text: str, brief: Brief, rng: random.Random) -> tuple[str, bool]:
    """Now and then say a date as people near it do, with the date itself behind: 지난달(2026년 5월)."""
    if not brief.today or rng.random() > 0.35:
        return text, False
    for item in (item for step in brief.all_steps for item in step.inputs):
        near = _NEAR.get(item.kind)
        said = near(item.text, brief.today) if near else None
        pattern = rf"({re.escape(item.text)})(?![\s]*\d|월|일)(에(?= ))?"
        if said and len(re.findall(pattern, text)) == 1 and "부터" not in text:
            return re.sub(pattern, _nearby(said, item.kind == "date"), text, count=1), True
    return text, False


_NEAR: dict[str, Callable[[str, str], str | None]] = {
    "month": relative_month,
    "date": relative_day,
    "year": relative_year,
}


def _nearby(said: str, day: bool) -> Callable[[re.Match[str]], str]:
    """오늘(2026년 6월 15일) takes no 에 behind it, 지난달(2026년 5월) does."""
    return lambda match: f"{said}({match.group(1)}){'' if day else match.group(2) or ''}"


def _tidy(text: str) -> str:
    text = re.sub(r"[ \t]+", " ", text).strip()
    text = re.sub(r"의 의 ", "의 ", text)
    return re.sub(r" ([,.?!])", r"\1", text)


def _stated(step: Step) -> Iterable[tuple[str, str]]:
    """What must be said for a step, each with what it is called."""
    yield from ((item.text, item.label) for item in step.inputs)
    reducer = step.reducer
    while reducer is not None:
        if reducer.text:
            yield reducer.text, reducer.label or "이름"
        reducer = reducer.within


def _complete(query: str, brief: Brief, style: Style) -> str:
    """Add what the sentence lost, if anything: a request that leaves a value out cannot be answered."""
    missing: list[str] = []
    for step in brief.all_steps:
        for text, label in _stated(step):
            if text not in query:
                missing.append(f"{attach(criterion(label), '은는')} {text}")
    if not missing:
        return query
    ending = {"formal": "입니다.", "polite": "이에요.", "casual": "이야.", "terse": ""}[style]
    last = missing[-1]
    if style in ("polite", "casual"):
        ending = particle(last, "이에요예요" if style == "polite" else "이야야") + "."
    return f"{query} {', '.join(dict.fromkeys(missing))}{ending}"
