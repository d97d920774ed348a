"""Step of a brief -> the noun phrase that names its record: parents first, then inputs, noun and reducer."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from edge.llm.offline.ko.brief import Brief, Step
from edge.llm.offline.ko.labels import counter, event, head, is_company, is_place, says_itself, spoken, superlative
from edge.llm.offline.ko.modifiers import Said, condition, is_adnominal, modifiers, quoted
from edge.llm.offline.ko.particles import attach

_GENERIC = re.compile(r"(?:정보|상세|현황|개황|내역|자료|값|상세정보|세부정보|기본정보|제원)$")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase. `word` takes it up again ("그 거래"); `many`: it stands for several records, one by one.

    `proper`: nothing but a name. `counted`: it has a reducer clause inside, so a second one would be hard to follow.
    """

    text: str
    word: str
    many: bool = False
    proper: bool = False
    place: bool = False
    heavy: bool = False


class Phraser:
    """Builds the phrases of one request; `known` holds what has been introduced and is taken up again."""

    def __init__(self, brief: Brief, rng: random.Random) -> None:
        self._brief = brief
        self._rng = rng
        self._said = Said()
        self.known: dict[str, Phrase] = {}

    def of(self, step: Step) -> Phrase:
        """Return the phrase of the record(s) a step ends with."""
        if step.id in self.known:
            return self.known[step.id]
        parent = self._brief.step(step.parent)
        owner = self.of(parent) if parent else None
        before = modifiers(step, self._said)
        phrase = self._named(step, owner, before) if step.named else self._described(step, owner, before)
        for text in (step.reducer.text, *(item.text for item in step.inputs)):
            if text:
                self._said.note(step.reducer.label or "", text)
        return phrase

    def vanishes(self, step: Step) -> bool:
        """Whether a step is heard as a mere name: a region, a company, a school."""
        extra = [item for item in step.inputs if item.text not in (step.reducer.text or "")]
        return step.named and not extra and step.parent is None

    def generic(self, step: Step) -> bool:
        """Whether the noun says no more than "information" and can be left out before what is asked."""
        return step.reducer.kind in ("only", "all") and not step.inputs and bool(_GENERIC.search(spoken(step.noun)))

    def owner(self, step: Step) -> str:
        """Return the link from the parent's phrase alone, for a step whose own noun is left out."""
        parent = self._brief.step(step.parent)
        return self._link(self.of(parent), [], "") if parent else ""

    def _named(self, step: Step, owner: Phrase | None, before: list[str]) -> Phrase:
        name, noun = step.reducer.text or "", spoken(step.noun or "항목")
        own = self._name(name, noun, step.reducer.field_kind)
        link = self._link(owner, before, noun)
        text = _glue([link, *before, own])
        proper = not link and not before
        return Phrase(text, head(noun), proper=proper, place=is_place(noun), heavy=bool(owner and owner.heavy))

    def _name(self, name: str, noun: str, kind: str | None) -> str:
        if is_company(noun) and self._rng.random() < 0.12:
            return f"'{name}'{'' if name.endswith('회사') else attach(name, '이라라')[len(name):] + '는'} 회사"
        if says_itself(name, noun):
            return name if not re.search(r"\s", name) or is_place(noun) else f"'{name}'"
        if re.fullmatch(r"[0-9A-Za-z\-]{1,6}", name) and re.search(r"노선|버스|열차", noun):
            return f"{name}번 {noun}"
        if kind in ("date", "month", "year", "datetime"):
            return f"{name} {noun}"
        return f"'{name}' {noun}" if self._rng.random() < 0.7 or not name.isalnum() else f"{name} {noun}"

    def _described(self, step: Step, owner: Phrase | None, before: list[str]) -> Phrase:
        noun = spoken(step.noun or step.title or "항목")
        if (test := condition(step)) and not (owner and owner.heavy):
            before = [*before, test]
        elif test:
            before = [test, *before]
        kind = step.reducer.kind
        if kind == "nearest":
            return self._nearest(owner, before, noun)
        link = self._link(owner, before, noun)
        group = self._ordered(owner, link, before, noun)
        if kind in ("max", "min", "latest", "earliest"):
            return self._extreme(step, owner, link, before, group)
        return Phrase(group, head(noun), many=step.many, place=is_place(noun), heavy=bool(owner and owner.heavy))

    def _ordered(self, owner: Phrase | None, link: str, before: list[str], noun: str) -> str:
        """A short name goes right before the noun where a verb form would otherwise seem to belong to the name."""
        if owner and owner.proper and before and link.endswith("의") and is_adnominal(before[-1]):
            return _glue([*before, link, noun])
        return _glue([link, *before, noun])

    def _nearest(self, owner: Phrase | None, before: list[str], noun: str) -> Phrase:
        start = f"{owner.text}에서" if owner and owner.text else ""
        noun = re.sub(r"^(?:가장 )?(?:가까운|주변|인근|근처) ", "", noun)
        return Phrase(_glue([start, *before, "가장 가까운", noun]), head(noun), heavy=True)

    def _extreme(self, step: Step, owner: Phrase | None, link: str, before: list[str], group: str) -> Phrase:
        noun = spoken(step.noun or step.title or "항목")
        test = self._extreme_test(step, before)
        word = self._pronoun(noun)
        if len(before) + bool(link) <= 1 and self._rng.random() < 0.3:
            text = _glue([link, *before, test, noun]) if link else _glue([*before, test, noun])
        else:
            among = self._rng.choice(("중", "가운데", "중에서"))
            text = f"{group} {among} {test} {word}"
        return Phrase(text, head(noun), place=is_place(noun), heavy=True)

    def _extreme_test(self, step: Step, before: list[str]) -> str:
        reducer = step.reducer
        largest = reducer.kind in ("max", "latest")
        if reducer.kind in ("max", "min"):
            label = reducer.label or "값"
            return f"{attach(spoken(label), '이가')} 가장 {superlative(label, reducer.field_kind, largest)}"
        label = reducer.label or ""
        verb = event(label) if label else None
        if verb and not any(verb in part for part in before) and self._rng.random() < 0.7:
            return f"가장 {'최근에' if largest else '먼저'} {verb}"
        if not label:
            return "가장 최근" if largest else "가장 오래된"
        return f"{attach(spoken(label), '이가')} 가장 {'최근인' if largest else '이른'}"

    def _pronoun(self, noun: str) -> str:
        unit = counter(noun)
        if unit == "곳" and self._rng.random() < 0.5:
            return "곳"
        return head(noun)

    def _link(self, owner: Phrase | None, before: list[str], noun: str) -> str:
        if owner is None or not owner.text:
            return ""
        if owner.many:
            return f"{owner.text}마다" if owner.text.startswith("각 ") is False else f"{owner.text}의"
        if owner.place:
            if any(is_adnominal(part) and not part.endswith("인") for part in before):
                return f"{owner.text}에서"
            if noun and counter(noun) == "곳" and not is_place(noun):
                return f"{owner.text}에 있는"
            return owner.text if noun and self._rng.random() < 0.4 else f"{owner.text}의"
        return f"{owner.text}의"


def _glue(parts: list[str]) -> str:
    """Join the parts; a word that the part before has just said is not said again."""
    text = ""
    for part in parts:
        if not part:
            continue
        if text:
            last = re.sub(r"[의'\"]+$", "", text.split()[-1])
            words = part.split(" ")
            if len(words) > 1 and words[0] == last:
                part = " ".join(words[1:])
            text += " "
        text += part
    return text


def quoted_list(names: list[str]) -> list[str]:
    """Return the names quoted where needed."""
    return [quoted(name) for name in names]
