"""Cores -> the sentence or sentences that ask for them, and the pattern they follow."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from edge.llm.offline.brief import Brief, Step
from edge.llm.offline.ko.branching import FORKS, ONE_WAY, Fork, clause
from edge.llm.offline.ko.cores import Core, build_cores, compared, is_heavy, join_cores
from edge.llm.offline.ko.frames import FRAMES, NEXT, PAIRS, Frame, Style
from edge.llm.offline.ko.labels import spoken
from edge.llm.offline.ko.lists import listed
from edge.llm.offline.ko.nounphrases import Phraser
from edge.llm.offline.ko.particles import fill, particle
from edge.llm.offline.ko.phrases import taken_up

HEADINGS = ("[", "대상:", "요청 사항", "1)")
_APART = (*HEADINGS, "다음과", "조건부", "그런지")  # these open a request
Body = tuple[str, str]  # the text and its pattern


def asking(
    brief: Brief, phraser: Phraser, rng: random.Random, style: Style, units: Sequence[Step], *, acts: bool, led: bool
) -> Body:
    """Return what asks for the units. `led`: a lead sentence went before; `acts`: it tells someone to do something."""
    if len(units) > 2:
        return listed(brief, phraser, rng, style, units)
    noted = style == "terse" and len(units) > 1 and brief.comparison is None  # notes are made of nouns
    cores = build_cores(brief, phraser, rng, units, apart=noted)
    if brief.comparison is not None and len(units) == 1:
        core = compared(cores[0], brief.comparison, brief, rng)
        core = replace(core, adverb=rng.choice(("비교해서 ", "비교해 ", "")))
        return _framed(core, style, rng, acting=True, led=led)
    if len(cores) == 2 and (cores[0].heavy or cores[1].heavy):
        return _paired(cores, style, rng, acts=acts)
    return _framed(join_cores(cores, rng), style, rng, acting=acts, led=led)


def forked(brief: Brief, phraser: Phraser, rng: random.Random, style: Style, fork: Fork) -> Body:
    """Return what asks for one thing if a condition holds and for another if it does not."""
    before, condition = "", fork.condition
    if len(fork.always) > 1 or any(map(is_heavy, fork.always)):
        return listed(brief, phraser, rng, style, [*fork.always, *fork.holds, *fork.fails], fork)
    if fork.always:
        core = join_cores(build_cores(brief, phraser, rng, fork.always), rng)
        before = fill(rng.choice(NEXT[style]), core=core.text, obj=_mark(core, "을를"))
        phraser.known.update({s.id: taken_up(s) for step in fork.always for s in (step, *brief.ancestors(step))})
    truth = bool(fork.holds)
    said = clause(brief, phraser, condition, truth=truth)
    sides = [join_cores(build_cores(brief, phraser, rng, side), rng) for side in (fork.holds, fork.fails) if side]
    patterns = (FORKS if len(sides) == 2 else ONE_WAY)[style]
    pattern = rng.choice([p for p in patterns if not (before and p.startswith(_APART))])
    text = fill(
        pattern,
        cond=said,
        first=sides[0].text,
        obj1=_mark(sides[0], "을를"),
        second=sides[-1].text,
        obj2=_mark(sides[-1], "을를"),
    )
    return before + text, f"{bool(before)}{pattern}"


def _paired(cores: Sequence[Core], style: Style, rng: random.Random, *, acts: bool) -> Body:
    first, second = cores
    fitting = [p for p in PAIRS[style] if not (acts and any(word in p for word in ("고, ", "먼저", "1)")))]
    pattern = rng.choice(fitting or PAIRS[style])
    also = "" if second.clause else "도"
    return fill(pattern, first=first.text, second=second.text, obj=_mark(first, "을를"), also=also), pattern


def _framed(core: Core, style: Style, rng: random.Random, *, acting: bool, led: bool) -> Body:
    fitting = [frame for frame in FRAMES[style] if _fits(frame, core, led) and (frame.acts or not acting)]
    frame = rng.choice(fitting)
    return _sentence(frame, core), frame.text


def _fits(frame: Frame, core: Core, led: bool) -> bool:
    match frame.need:
        case "any":
            clumsy = core.clause and "{core} 좀" in frame.text
            return not clumsy and not (led and frame.text.startswith(HEADINGS))
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


def _mark(core: Core, pair: str) -> str:
    return "" if core.clause else "도" if core.also else particle(core.things, pair)


def _sentence(frame: Frame, core: Core) -> str:
    group, amount = core.counted or ("", "")
    text = fill(
        frame.text,
        core=core.text,
        things=core.things,
        np=core.target,
        adv=core.adverb,
        obj=_mark(core, "을를"),
        sub=_mark(core, "이가"),
        top=_mark(core, "은는"),
        wh=question_word(core) or "무엇",
        np_obj=particle(core.target, "을를") if core.target else "",
        group=group,
        amount=amount,
        group_top=particle(group, "은는") if group else "",
        group_sub=particle(group, "이가") if group else "",
    )
    return text.replace("무엇이야", "뭐야")
