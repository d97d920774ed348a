"""Steps that are asked about -> the core of the request: whose values, which values, and how they are joined."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from edge.llm.offline.ko.brief import Ask, Brief, Step
from edge.llm.offline.ko.labels import counter, spoken, spoken_all, word_of
from edge.llm.offline.ko.nounphrases import Phrase, Phraser, taken_up
from edge.llm.offline.ko.particles import attach, join


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


def build_cores(brief: Brief, phraser: Phraser, rng: random.Random, units: Sequence[Step]) -> list[Core]:
    """Return one core for each asking, later ones taking up what earlier ones introduced."""
    cores: list[Core] = []
    for position, step in enumerate(units):
        if position:
            _take_up(brief, phraser, units[:position], step, heavy=cores[-1].heavy or _is_heavy(step))
        cores.append(_core(brief, phraser, rng, step))
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


def _core(brief: Brief, phraser: Phraser, rng: random.Random, step: Step) -> Core:
    parent = brief.step(step.parent)
    each = bool(parent and parent.many)
    if step.reducer.kind == "count":
        return _count_core(phraser, step, each)
    labels = spoken_all([ask.label for ask in step.asks]) or [word_of(step.noun or step.title)]
    single = step.asks[0] if len(step.asks) == 1 and not each and not step.many else None
    base = Core("", _things(labels, rng), ask=single, listed=len(labels) > 1, adverb="모두 " if step.many else "")
    if (owner := phraser.owner_of(step)) is not None:
        target = owner.removesuffix("의") if owner.endswith("의") else ""
        return replace(base, subject=owner, target="" if each else target, adverb="")
    phrase = phraser.of(step)
    if phrase.many and each and parent and labels[0].startswith(phrase.word):
        return replace(base, subject=phraser.link(phraser.of(parent), [], ""))
    subject, each_said = _subject(phrase, labels, rng)
    adverb = "" if each_said else base.adverb
    return replace(base, subject=subject, target="" if each else phrase.text, adverb=adverb, heavy=phrase.heavy)


def _count_core(phraser: Phraser, step: Step, each: bool) -> Core:
    phrase = phraser.of(step)
    unit = counter(spoken(step.noun or step.title))
    amount = f"{'각각' if each and '마다' not in phrase.text else '모두'} 몇 {unit}"
    return Core(
        attach(phrase.text, "이가"), f"{amount}인지", clause=True, counted=(phrase.text, amount), heavy=phrase.heavy
    )


def _subject(phrase: Phrase, labels: Sequence[str], rng: random.Random) -> tuple[str, bool]:
    """Return the phrase with what links it to the values, and whether that says "each"."""
    if not phrase.text:
        return "", False
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


def _is_heavy(step: Step) -> bool:
    return step.reducer.kind in ("max", "min", "latest", "earliest", "nearest", "filter")


def _take_up(brief: Brief, phraser: Phraser, done: Sequence[Step], step: Step, *, heavy: bool) -> None:
    """Make what was named before short: "그 거래" for an earlier asking; a shared parent is understood.

    `heavy`: the two askings get a sentence each, in which nothing is understood.
    """
    chain = {parent.id for parent in brief.ancestors(step)}
    for earlier in done:
        if earlier.id in chain:
            phraser.known[earlier.id] = taken_up(earlier)
        elif earlier.parent is not None and earlier.parent in chain:
            shared = brief.step(earlier.parent)
            phraser.known[earlier.parent] = taken_up(shared) if heavy and shared else Phrase("", "")
