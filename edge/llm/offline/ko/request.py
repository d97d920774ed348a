"""Brief -> request: one natural Korean request that asks for exactly what the plan finds."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from edge.llm.offline.ko.brief import Brief, Step
from edge.llm.offline.ko.comparisons import merge_twins
from edge.llm.offline.ko.cores import Core, build_cores, join_cores
from edge.llm.offline.ko.dates import relative_day, relative_month
from edge.llm.offline.ko.frames import FRAMES, LEADS, PAIRS, STYLES, Frame, Style
from edge.llm.offline.ko.labels import criterion, spoken
from edge.llm.offline.ko.nounphrases import Phraser, taken_up
from edge.llm.offline.ko.particles import attach, fill, particle
from edge.llm.offline.ko.personas import opening

_STATED = re.compile(r"있습니다\. |있어요\. |있는데|중인데|문의드립니다|말인데|싶은데")
_LONG = 40  # characters of a noun phrase that had better be said first, on its own
_HEADINGS = ("[", "대상:", "요청 사항", "1)")


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
    """Write the request; the same brief and seed always give the same text."""
    rng = random.Random(f"{brief.seed}|{brief.style}|{brief.steps[-1].id}|{brief.steps[-1].title}")
    style = style_of(brief.style, rng)
    twins = merge_twins(brief)
    plan = twins or brief
    phraser = Phraser(plan, rng)
    units = plan.wanted
    lead, acts = _lead(plan, phraser, rng, style, units)
    cores = build_cores(plan, phraser, rng, units)
    body, pattern = _body(cores, style, rng, acts=acts, led=bool(lead), compared=twins is not None)
    stated = bool(lead and not acts) or bool(_STATED.search(body))
    intro = (
        "" if body.startswith(_HEADINGS) else opening(style, brief.persona, units[-1].domain, rng, reason=not stated)
    )
    if body.startswith("혹시") and intro.endswith(", "):
        body = body.removeprefix("혹시 ")
    query = _tidy(_dated(intro + lead + body, brief, rng))
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


def _body(
    cores: list[Core], style: Style, rng: random.Random, *, acts: bool, led: bool, compared: bool
) -> tuple[str, str]:
    """Return the sentence that asks, and its pattern."""
    if len(cores) == 2 and (cores[0].heavy or cores[1].heavy):
        first, second = cores
        fitting = [
            pattern
            for pattern in PAIRS[style]
            if not (acts and any(word in pattern for word in ("고, ", "먼저", "1)")))
        ]
        pattern = rng.choice(fitting or PAIRS[style])
        also = "" if second.clause else "도"
        obj = "" if first.clause else particle(first.things, "을를")
        return fill(pattern, first=first.text, second=second.text, obj=obj, also=also), pattern
    core = join_cores(cores, rng)
    if compared:
        core = replace(core, adverb="비교해서 ", target="", ask=None)
    frame = _frame(core, style, rng, acting=acts or compared, led=led)
    return _sentence(frame, core), frame.text


def _frame(core: Core, style: Style, rng: random.Random, *, acting: bool, led: bool) -> Frame:
    fitting = [frame for frame in FRAMES[style] if _fits(frame, core, led)]
    if acting:
        fitting = [frame for frame in fitting if frame.acts]
    return rng.choice(fitting)


def _fits(frame: Frame, core: Core, led: bool) -> bool:
    match frame.need:
        case "any":
            clumsy = core.clause and "{core} 좀" in frame.text
            return not clumsy and not (led and frame.text.startswith(_HEADINGS))
        case "noun":
            return not core.clause
        case "target":
            return bool(core.target) and not led and not core.target.endswith(core.things)
        case "count":
            return core.counted is not None
        case "one":
            return core.ask is not None and question_word(core) is not None and not core.also


def question_word(core: Core) -> str | None:
    """Return the word that asks for the one value wanted: 얼마, 언제, 몇 명; None where only 어떻게 would do."""
    ask = core.ask
    if ask is None:
        return None
    label = spoken(ask.label)
    if ask.kind == "amount":
        return "얼마"
    if ask.kind == "count":
        return f"몇 {ask.unit}" if ask.unit in ("명", "건", "곳", "개", "대", "층", "세대", "호") else None
    if ask.kind in ("date", "datetime", "month", "time"):
        return "언제"
    if ask.kind == "address":
        return "어디"
    return "무엇" if ask.kind in ("name", "text") and not label.endswith("내용") else None


def _sentence(frame: Frame, core: Core) -> str:
    def mark(pair: str) -> str:
        return "" if core.clause else "도" if core.also else particle(core.things, pair)

    group, amount = core.counted or ("", "")
    text = fill(
        frame.text,
        core=core.text,
        things=core.things,
        np=core.target,
        adv=core.adverb,
        obj=mark("을를"),
        sub=mark("이가"),
        top=mark("은는"),
        wh=question_word(core) or "무엇",
        np_obj=particle(core.target, "을를") if core.target else "",
        group=group,
        amount=amount,
        group_top=particle(group, "은는") if group else "",
        group_sub=particle(group, "이가") if group else "",
    )
    return text.replace("무엇야", "뭐야").replace("얼마이야", "얼마야")


def _dated(text: str, brief: Brief, rng: random.Random) -> str:
    """Now and then say a date as people near it do, with the date itself behind: 지난달(2026년 5월)."""
    if not brief.today or rng.random() > 0.25:
        return text
    for step in brief.steps:
        for item in step.inputs:
            near = relative_month if item.kind == "month" else relative_day if item.kind == "date" else None
            said = near(item.text, brief.today) if near else None
            if said and text.count(item.text) == 1 and "부터" not in text:
                return re.sub(rf"({re.escape(item.text)})(에(?= ))?", _near(said, item.kind == "date"), text, count=1)
    return text


def _near(said: str, day: bool) -> Callable[[re.Match[str]], str]:
    """오늘(2026년 6월 15일) takes no 에 behind it, 지난달(2026년 5월) does."""
    return lambda match: f"{said}({match.group(1)}){'' if day else match.group(2) or ''}"


def _tidy(text: str) -> str:
    text = re.sub(r"[ \t]+", " ", text).strip()
    text = re.sub(r"의 의 ", "의 ", text)
    return re.sub(r" ([,.?!])", r"\1", text)


def _complete(query: str, brief: Brief, style: Style) -> str:
    """Add what the sentence lost, if anything: a request that leaves a value out cannot be answered."""
    missing: list[str] = []
    for step in brief.steps:
        named = {item.text: item.label for item in step.inputs}
        if step.reducer.text:
            named.setdefault(step.reducer.text, step.reducer.label or "이름")
        missing += [f"{attach(criterion(label), '은는')} {text}" for text, label in named.items() if text not in query]
    if not missing:
        return query
    ending = {"formal": "입니다.", "polite": "이에요.", "casual": "이야.", "terse": ""}[style]
    last = missing[-1]
    if style in ("polite", "casual"):
        ending = particle(last, "이에요예요" if style == "polite" else "이야야") + "."
    return f"{query} {', '.join(dict.fromkeys(missing))}{ending}"
