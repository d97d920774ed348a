"""Steps that are asked about -> the core of the request: whose values, which values, and how they are joined."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from edge.llm.offline.ko.brief import Ask, Brief, Step
from edge.llm.offline.ko.labels import counter, head, spoken, spoken_all
from edge.llm.offline.ko.nounphrases import Phrase, Phraser
from edge.llm.offline.ko.particles import attach, join


@dataclass(frozen=True, slots=True)
class Core:
    """What is asked: `subject` + " " + `things`.

    `target`: the noun phrase of the record, where a sentence may be built around it. `clause`: `things` is an indirect
    question ("몇 건인지"), after which no particle comes. `counted`: subject and counter word of such a question.
    `asks`: what is asked when it is one value, for the question word. `several`: two askings drawn together.
    """

    subject: str
    things: str
    target: str = ""
    clause: bool = False
    counted: tuple[str, str] | None = None
    ask: Ask | None = None
    several: bool = False
    each: bool = False
    also: bool = False

    @property
    def text(self) -> str:
        """The whole."""
        return f"{self.subject} {self.things}".strip()


def build_cores(brief: Brief, phraser: Phraser, rng: random.Random, units: Sequence[Step]) -> list[Core]:
    """Return one core for each asking, later ones taking up what earlier ones introduced."""
    cores: list[Core] = []
    for position, step in enumerate(units):
        if position:
            _take_up(brief, phraser, units[:position], step)
        cores.append(_core(brief, phraser, rng, step))
    return cores


def join_cores(cores: Sequence[Core], rng: random.Random) -> Core:
    """Draw the askings together: "A와 B", "A와 함께 B도", "A가 몇 건인지, 그리고 B"."""
    if len(cores) == 1:
        return cores[0]
    first, last = cores[0], cores[-1]
    if len(cores) == 2 and not any(core.clause for core in cores):
        if rng.random() < 0.5:
            return replace(last, subject=f"{attach(first.text, '과와')} 함께 {last.subject}", target="", ask=None, several=True, also=True)
        return replace(last, subject=f"{attach(first.text, '과와')} {last.subject}", target="", ask=None, several=True)
    texts = [core.text for core in cores[:-1]]
    if last.clause and not first.clause and len(cores) == 2:
        return replace(last, subject=f"{attach(first.text, '과와')} {last.subject}", target="", several=True, counted=None)
    subject = f"{', '.join(texts)}, 그리고 {last.subject}"
    return replace(last, subject=subject, target="", ask=None, several=True, counted=None)


def _core(brief: Brief, phraser: Phraser, rng: random.Random, step: Step) -> Core:
    parent = brief.step(step.parent)
    each = bool(parent and parent.many)
    if step.reducer.kind == "count":
        group = phraser.of(step).text
        unit = counter(spoken(step.noun or step.title))
        amount = f"{'각각 ' if each and '마다' not in group else '모두 '}몇 {unit}"
        return Core(attach(group, "이가"), f"{amount}인지", clause=True, counted=(group, amount), each=each)
    labels = spoken_all([ask.label for ask in step.asks]) or [head(step.noun or step.title)]
    things = _things(labels, rng)
    single = step.asks[0] if len(step.asks) == 1 else None
    if parent and phraser.generic(step):
        owner = phraser.owner(step)
        return Core(owner, things, target=owner.removesuffix("의") if owner.endswith("의") else "", ask=single, each=each)
    phrase = phraser.of(step)
    if phrase.many and each and _said_by(labels, phrase.word):
        return Core(phraser.owner(step), things, ask=single, each=True)
    return Core(_subject(phrase, labels, rng), things, target="" if each else phrase.text, ask=single, each=each or phrase.many)


def _subject(phrase: Phrase, labels: Sequence[str], rng: random.Random) -> str:
    if not phrase.text:
        return ""
    if phrase.many:
        return phrase.text + rng.choice((" 각각의", "들의", "별", " 각각의")) if not phrase.text.endswith("들") else f"{phrase.text}의"
    crowded = phrase.text.count("의 ") and not phrase.heavy and not phrase.proper and len(labels) == 1
    if crowded and not labels[0].startswith(phrase.word) and rng.random() < 0.5:
        return phrase.text
    return f"{phrase.text}의"


def _things(labels: list[str], rng: random.Random) -> str:
    if len(labels) > 2 and rng.random() < 0.4:
        return f"{', '.join(labels[:-1])}, 그리고 {labels[-1]}"
    if len(labels) == 2 and rng.random() < 0.15:
        return f"{attach(labels[0], '이랑랑' if False else '과와')} {labels[1]}"
    return join(labels)


def _said_by(labels: Sequence[str], word: str) -> bool:
    return any(label.startswith(word) for label in labels)


def _take_up(brief: Brief, phraser: Phraser, done: Sequence[Step], step: Step) -> None:
    """Make what was named before short: "그 거래" for an earlier asking, nothing for a shared parent."""
    chain = {parent.id for parent in brief.ancestors(step)}
    for earlier in done:
        if earlier.id in chain:
            word = head(earlier.noun or earlier.title)
            phraser.known[earlier.id] = Phrase(f"{'각' if earlier.many else '그'} {word}", word, many=earlier.many)
        elif earlier.parent is not None and earlier.parent in chain:
            phraser.known[earlier.parent] = Phrase("", "")
