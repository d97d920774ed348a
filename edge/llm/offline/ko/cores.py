"""Steps that are asked about -> the core of the request: whose values, which values, and how they are joined."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from edge.llm.offline.brief import Ask, Brief, Comparison, Step
from edge.llm.offline.ko.labels import (
    counter,
    criterion,
    flagged,
    own_label,
    spoken,
    spoken_all,
    summed,
    superlative,
    word_of,
)
from edge.llm.offline.ko.nounphrases import Phraser
from edge.llm.offline.ko.particles import attach, join, particle
from edge.llm.offline.ko.phrases import Phrase, taken_up

_ADDED = re.compile(r"(?:액|금|수|량|인원|면적|인구|매출|이익|비용|길이|연장)$")  # what one says 총 of


@dataclass(frozen=True, slots=True)
class Core:
    """What is asked: `subject` + " " + `things`.

    `target`: the noun phrase of the record, where a sentence may be built around it. `clause`: `things` is an indirect
    question ("몇 건인지"), after which no particle comes. `counted`: group and counter word of such a question.
    `ask`: what is asked when it is one value, for the question word. `adverb`: 함께, 모두. `also`: "도" takes the place
    of the particle. `heavy`: too much for one clause to share its sentence with another.
    """

    subject: str
    things: str
    target: str = ""
    clause: bool = False
    counted: tuple[str, str] | None = None
    ask: Ask | None = None
    adverb: str = ""
    also: bool = False
    heavy: bool = False
    listed: bool = False

    @property
    def text(self) -> str:
        """The whole."""
        return f"{self.subject} {self.things}".strip()


def build_cores(
    brief: Brief, phraser: Phraser, rng: random.Random, units: Sequence[Step], *, apart: bool = False
) -> list[Core]:
    """Return one core for each asking, later ones taking up what earlier ones introduced.

    `apart`: each gets a sentence or line of its own.
    """
    cores: list[Core] = []
    for position, step in enumerate(units):
        if position:
            _take_up(brief, phraser, units[:position], step, heavy=apart or cores[-1].heavy or is_heavy(step))
        cores.append(_core(brief, phraser, rng, step, apart=apart))
    return cores


def join_cores(cores: Sequence[Core], rng: random.Random) -> Core:
    """Draw the askings together: "A와 B", "A와 함께 B도", "A가 몇 건인지, 그리고 B"."""
    if len(cores) == 1:
        return cores[0]
    first, last = cores[0], cores[-1]
    merged = replace(last, target="", ask=None, counted=None, adverb="함께 ")
    if len(cores) == 2 and not first.clause and not first.listed:
        if not last.clause and rng.random() < 0.5:
            return replace(merged, subject=f"{attach(first.text, '과와')} 함께 {last.subject}", also=True, adverb="")
        return replace(merged, subject=f"{attach(first.text, '과와')} {last.subject}")
    texts = [core.text for core in cores[:-1]]
    return replace(merged, subject=f"{', '.join(texts)}, 그리고 {last.subject}")


def _core(brief: Brief, phraser: Phraser, rng: random.Random, step: Step, *, apart: bool = False) -> Core:
    parent = brief.step(step.parent)
    sides = brief.comparison.steps if brief.comparison else ()
    each = bool(parent and parent.many) or (len(sides) > 1 and step.id in sides)
    if step.computes:
        return _computed(phraser, step, rng, each=each, apart=apart)
    labels = asked_words(step)
    single = step.asks[0] if len(step.asks) == 1 and not each and not step.many else None
    every = "모두 " if step.many and step.reducer.k is None else ""
    base = Core("", _things(labels, rng), ask=single, listed=len(labels) > 1, adverb=every)
    if (owner := phraser.owner_of(step)) is not None:
        target = owner.removesuffix("의") if owner.endswith("의") else ""
        return replace(base, subject=owner, target="" if each else target, adverb="")
    phrase = phraser.of(step)
    if phrase.many and each and parent and labels[0].startswith(phrase.word):
        return replace(base, subject=phraser.link(phraser.of(parent), [], ""))
    if len(labels) == 1 and phrase.text.endswith(f" {labels[0]}"):  # what is asked is the thing itself
        return replace(base, subject=phrase.text.removesuffix(labels[0]).rstrip(), heavy=phrase.heavy)
    if not sides and (extreme := _extreme_itself(step, phrase, labels)) is not None:
        return replace(base, subject=extreme[0], things=extreme[1], heavy=phrase.heavy)
    if labels == [spoken(step.noun or step.title)] and phrase.text.endswith(f" {phrase.word}") and phrase.heavy:
        labels = ["이름"]  # 소분류 of 업종 소분류 that are asked by that very label
    subject, each_said = _subject(phrase, labels, rng)
    adverb = "" if each_said else base.adverb
    things = "이름" if labels == ["이름"] else base.things
    target = "" if each else phrase.text
    return replace(base, subject=subject, things=things, target=target, adverb=adverb, heavy=phrase.heavy)


def _extreme_itself(step: Step, phrase: Phrase, labels: Sequence[str]) -> tuple[str, str] | None:
    """Where nothing is asked but what makes the record the first of all, that alone: "시세 중 가장 적은 거래량"."""
    label = own_label(step.reducer.label or "", step.noun or step.title)
    if step.reducer.kind not in ("max", "min", "latest", "earliest") or list(labels) != [label]:
        return None
    found = re.match(rf"(.* (?:중|가운데|중에서)) {re.escape(label)}[이가] 가장 (\S+) \S+$", phrase.text)
    return (found.group(1), f"가장 {found.group(2).removesuffix('인')} {label}") if found else None


def asked_words(step: Step) -> list[str]:
    """Return what is asked of a step in words, none of which repeats what the noun has just said."""
    noun = step.noun or step.title
    flags = {ask.label for ask in step.asks if ask.kind == "flag"}
    spoken_ones = spoken_all([flagged(ask.label) if ask.label in flags else ask.label for ask in step.asks])
    own = [own_label(label, noun) for label in spoken_ones]
    last = [word.split()[-1] for word in spoken_ones]  # 순번 beside 레코드 순번 could be either
    pairs = zip(own, spoken_ones, strict=True)
    words = [o if own.count(o) == 1 and last.count(o) < 2 else s for o, s in pairs] or [word_of(noun)]
    names = {spoken(ask.label) for ask in step.asks if ask.kind == "name"}
    own_name = word_of(noun) in names and len(words) > 1 and "이름" not in words
    words = ["이름" if own_name and word == word_of(noun) else word for word in words]
    return ["내용" if word == spoken(noun) and len(words) > 1 else word for word in words]  # 의원 이력 of a 의원 이력


def _computed(phraser: Phraser, step: Step, rng: random.Random, *, each: bool, apart: bool) -> Core:
    """The asking for a value made of many records: how many, their sum or mean, how many different ones.

    `apart`: as a noun, as befits the line of a list.
    """
    phrase = phraser.of(step)
    label = own_label(step.reducer.label or "값", step.noun or step.title)
    owner = phrase.text if "마다" in phrase.text else f"{phrase.text}의"
    if step.reducer.kind == "count":
        return _tally(phrase) if apart else _count_core(step, phrase, each)
    if step.reducer.kind == "distinct":
        label = criterion(step.reducer.label or "값")
        if apart:
            return Core(f"{owner} 서로 다른", f"{label} 수", heavy=phrase.heavy)
        amount = f"{'각각' if each else '모두'} {_different(label)}"
        owner = owner if "마다" in owner else f"{phrase.text}에 나오는"
        return Core(attach(f"{owner} 서로 다른 {label}", "이가"), f"{amount}인지", clause=True, heavy=phrase.heavy)
    if step.reducer.kind == "mean":
        bare = label.removeprefix("평균").strip() or label
        return Core(owner, rng.choice((f"평균 {bare}", f"{bare} 평균")), heavy=phrase.heavy)
    countable = _ADDED.search(label) and not label.startswith("총")
    said = rng.choice((summed(label), f"총 {label}" if countable else summed(label)))
    if not apart and rng.random() < 0.25:
        return Core(f"{owner} {attach(label, '을를')}", "모두 더하면 얼마인지", clause=True, heavy=phrase.heavy)
    return Core(owner, said, heavy=phrase.heavy)


def _different(label: str) -> str:
    unit = counter(label)
    return f"몇 {unit if unit != '건' else '가지'}"


def compared(core: Core, comparison: Comparison, brief: Brief, rng: random.Random) -> Core:
    """Add to an asking which of the compared values wins: "... 총인구수와 둘 중 어느 쪽이 더 많은지"."""
    step = brief.step(comparison.steps[0])
    which = _winner(comparison, step, brief, rng)
    bare = replace(core, clause=True, counted=None, target="", ask=None, also=False)
    if core.clause:
        return replace(bare, things=f"{core.things}, 그리고 {which}")
    if step is not None and step.computes and len(comparison.steps) > 1:  # one sum each, not one of all
        return replace(bare, things=f"{attach(core.things, '이가')} 각각 얼마인지, 그리고 {which}")
    if len(comparison.steps) > 1:
        subject = f"{core.subject.removesuffix('의')} 각각의".strip()
        return replace(bare, subject=subject, things=f"{core.things}, 그리고 {which}")
    return replace(bare, things=f"{attach(core.things, '과와')} {which}")


def _winner(comparison: Comparison, step: Step | None, brief: Brief, rng: random.Random) -> str:
    if step is not None and step.reducer.kind in ("count", "distinct"):
        adjective = "많은" if comparison.kind == "max" else "적은"
    else:
        adjective = superlative(comparison.label or "", comparison.field_kind, comparison.kind == "max")
    many_asks = step is not None and len(step.asks) > 1
    if comparison.label and len(comparison.steps) == 1 and step is not None and not step.computes:
        return _which(comparison.label, brief.step(step.parent), adjective)
    measure = f"의 {attach(spoken(comparison.label or '값'), '이가')}" if many_asks else ""
    parent = brief.step(step.parent) if step else None
    if len(comparison.steps) == 1:
        side = f"{rng.choice(('그중 ', ''))}어느 {word_of(parent.noun or parent.title) if parent else '쪽'}"
    elif len(comparison.steps) == 2:
        side = rng.choice(("둘 중 어느 쪽", "어느 쪽", "둘 가운데 어디"))
    else:
        side = rng.choice(("그중 어디", "어느 쪽"))
    more = "더" if len(comparison.steps) == 2 else "가장"
    return f"{side}{measure or particle(side, '이가')} {more} {adjective}지"


def _which(label: str, parent: Step | None, adjective: str) -> str:
    """Which of the things that were each asked has it: "그 거리가 가장 먼 정류소가 어디인지"."""
    word = word_of(parent.noun or parent.title) if parent else "것"
    asked = {"곳": "어디", "명": "누구"}.get(counter(word), "어느 것")
    return f"그 {attach(spoken(label).split()[-1], '이가')} 가장 {adjective} {attach(word, '이가')} {asked}인지"


def _count_core(step: Step, phrase: Phrase, each: bool) -> Core:
    things = phrase.word if phrase.text.endswith(f"인 {phrase.word}") else spoken(step.noun or step.title)
    unit = counter(things)
    amount = f"{'각각' if each and '마다' not in phrase.text else '모두'} 몇 {unit}"
    return Core(
        attach(phrase.text, "이가"), f"{amount}인지", clause=True, counted=(phrase.text, amount), heavy=phrase.heavy
    )


def _tally(phrase: Phrase) -> Core:
    """ "Number of" as a noun: 병원 수, 계약 건수."""
    return Core(phrase.text, "건수" if counter(phrase.word) == "건" else "수", heavy=phrase.heavy)


def _subject(phrase: Phrase, labels: Sequence[str], rng: random.Random) -> tuple[str, bool]:
    """Return the phrase with what links it to the values, and whether that says "each"."""
    if not phrase.text:
        return "", False
    if phrase.tallied:
        each = rng.random() < 0.3
        return f"{phrase.text} {'각각의' if each else '의'}".replace(" 의", "의"), each
    if phrase.many:
        countable = counter(phrase.word) in ("곳", "명", "대", "개") and not labels[0].startswith(phrase.word)
        if not countable or "마다" in phrase.text or rng.random() < 0.3:
            return f"{phrase.text}의", False
        return phrase.text + rng.choice((" 각각의", "마다")), True
    crowded = "의 " in phrase.text and not phrase.heavy and not phrase.proper and len(labels) == 1
    if crowded and not labels[0].startswith(phrase.word) and rng.random() < 0.5:
        return phrase.text, False
    return f"{phrase.text}의", False


def _things(labels: list[str], rng: random.Random) -> str:
    if len(labels) > 2 and rng.random() < 0.4:
        return f"{', '.join(labels[:-1])}, 그리고 {labels[-1]}"
    return join(labels)


def is_heavy(step: Step) -> bool:
    """Whether an asking is too much to share its sentence with another."""
    return step.reducer.kind not in ("only", "all", "count") or step.reducer.within is not None


def _take_up(brief: Brief, phraser: Phraser, done: Sequence[Step], step: Step, *, heavy: bool) -> None:
    """Make what was named before short: "그 거래" for an earlier asking; a shared parent is understood.

    `heavy`: the two askings get a sentence each, in which nothing is understood.
    """
    chain = {parent.id for parent in brief.ancestors(step)}
    for earlier in done:
        if earlier.id in chain:
            phraser.known[earlier.id] = taken_up(earlier)
        elif earlier.parent is not None and earlier.parent in chain:
            if (known := phraser.known.get(earlier.parent)) and known.word and not known.text:
                continue  # it is what all is about
            shared = brief.step(earlier.parent)
            phraser.known[earlier.parent] = taken_up(shared) if heavy and shared else Phrase("", "")
