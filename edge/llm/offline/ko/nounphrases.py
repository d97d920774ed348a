"""Step of a brief -> the noun phrase that names its record: parents first, then inputs, noun and reducer."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from edge.llm.offline.ko.brief import Brief, Step
from edge.llm.offline.ko.fitting import absorbed, glue, is_name, same_thing, where
from edge.llm.offline.ko.labels import (
    counter,
    criterion,
    event,
    is_company,
    is_place,
    names_records,
    says_itself,
    spoken,
    superlative,
    word_of,
)
from edge.llm.offline.ko.modifiers import Modifier, Said, condition, modifiers, quoted
from edge.llm.offline.ko.particles import attach, particle

_GENERIC = re.compile(r"(?:정보|상세|현황|개황|내역|자료|제원|본문|이용안내|개요)$")
_RELATIVE = re.compile(r"^(?:주변|인근|가까운|경유) ")  # in front of these a name would be what they are near to
_AMONG = ("중", "가운데", "중에서")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase. `word` takes it up again ("그 거래"); `many`: it stands for several records, one by one.

    `proper`: nothing but a name. `place`: a region. `heavy`: a clause is inside, a second one would be hard to follow.
    """

    text: str
    word: str
    many: bool = False
    proper: bool = False
    place: bool = False
    heavy: bool = False


def taken_up(step: Step) -> Phrase:
    """Return the short phrase for a record that has been introduced: "그 거래", "각 병원"."""
    word = word_of(step.noun or step.title)
    return Phrase(f"{'각' if step.many else '그'} {word}", word, many=step.many)


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
        if owner and step.via and not owner.many:
            text = f"{self.link(owner, [], '')} {step.via}"
            owner = Phrase(text, step.via, place=is_place(step.via), heavy=owner.heavy)
        before = modifiers(step, self._said)
        if parent and owner and not before and step.reducer.kind == "only" and same_thing(step, parent):
            self.known[step.id] = owner
            return owner
        phrase = self._named(step, owner, before) if step.named else self._described(step, owner, before)
        for text in (step.reducer.text, *(item.text for item in step.inputs)):
            if text:
                self._said.note(step.reducer.label or "", text)
        self.known[step.id] = phrase
        return phrase

    def vanishes(self, step: Step) -> bool:
        """Whether a step is heard as a mere name: a region, a company, a school."""
        extra = [item for item in step.inputs if item.text not in (step.own_name or "")]
        return step.named and not extra and step.parent is None

    def owner_of(self, step: Step) -> str | None:
        """Return what stands for a step whose noun says nothing ("한빛전자의 2025년"), None for others."""
        parent = self._brief.step(step.parent)
        plain = step.reducer.kind in ("only", "all") and all(item.kind in ("year", "month") for item in step.inputs)
        if parent is None or not plain or not (_GENERIC.search(spoken(step.noun)) or same_thing(step, parent)):
            return None
        before = modifiers(step, self._said)
        if any(phrase.verbal for phrase in before):
            return None
        return glue([self.link(self.of(parent), [], ""), *(phrase.text for phrase in before)])

    def link(self, owner: Phrase | None, before: list[Modifier], noun: str) -> str:
        """Return the parent's phrase as it stands before what belongs to it."""
        if owner is None or not owner.text:
            return ""
        if owner.many:
            return f"{owner.text}의" if owner.text.startswith("각 ") else f"{owner.text}마다"
        if noun.startswith("가까운 "):
            return f"{owner.text}에서"
        if noun.startswith(("주변 ", "인근 ")):
            return owner.text
        if not owner.place:
            return f"{owner.text}의"
        if any(phrase.verbal for phrase in before):
            return f"{owner.text}에서"
        if noun and counter(noun) == "곳" and not is_place(noun):
            return f"{owner.text}에 있는"
        return owner.text if noun and self._rng.random() < 0.4 else f"{owner.text}의"

    def _named(self, step: Step, owner: Phrase | None, before: list[Modifier]) -> Phrase:
        noun = spoken(step.noun or step.title or "항목")
        name = step.own_name or ""
        if owner and self._said.has(name):
            if not before:
                return owner if name in owner.text else Phrase(f"그 {word_of(noun)}", word_of(noun))
            own = noun
        else:
            own = self._name(name, noun, step.reducer.field_kind)
            if _RELATIVE.search(noun):
                group = self._group(owner, before, noun)
                return Phrase(f"{group} {self._rng.choice(_AMONG[:2])} '{name}'", word_of(noun), heavy=True)
        text = glue([self.link(owner, before, noun), *(phrase.text for phrase in before), own])
        proper = not before and owner is None
        heavy = bool(owner and owner.heavy)
        return Phrase(text, word_of(noun), proper=proper, place=is_place(noun), heavy=heavy)

    def _name(self, name: str, noun: str, kind: str | None) -> str:
        if is_company(noun) and self._rng.random() < 0.12:
            return f"'{name}'{particle(name, '이라는라는')} 회사"
        if says_itself(name, noun):
            return f"'{name}'" if re.search(r"\s", name) and not (is_place(noun) or is_company(noun)) else name
        if re.fullmatch(r"[0-9A-Za-z\-]{1,6}", name) and re.search(r"노선|버스|열차", noun):
            return f"{name}번 {noun}"
        if kind in ("date", "month", "year", "datetime") or (name.isalnum() and self._rng.random() < 0.3):
            return f"{name} {noun}"
        return f"'{name}' {noun}"

    def _described(self, step: Step, owner: Phrase | None, before: list[Modifier]) -> Phrase:
        noun = spoken(step.noun or step.title or "항목")
        before, noun = absorbed(step, before, noun)
        kind = step.reducer.kind
        if kind == "nearest":
            return self._nearest(owner, before, noun)
        if kind in ("max", "min", "latest", "earliest"):
            return self._extreme(step, owner, before, noun)
        if kind == "only" and is_place(noun) and owner is None and is_name(before):
            return Phrase(" ".join(phrase.text for phrase in before), word_of(noun), proper=True, place=True)
        group = self._group(owner, before, noun)
        heavy = bool(owner and owner.heavy)
        if step.many and group.endswith(noun) and word_of(noun) == noun.split()[0] != noun:
            group = group.removesuffix(noun) + word_of(noun)
        if test := condition(step):
            return Phrase(
                self._filtered(step, group, noun, test, simple=not before and not heavy), word_of(noun), heavy=True
            )
        return Phrase(group, word_of(noun), many=step.many, place=is_place(noun), heavy=heavy)

    def _group(self, owner: Phrase | None, before: list[Modifier], noun: str) -> str:
        """A short name goes right before the noun where a verb form would otherwise seem to belong to the name."""
        link = self.link(owner, before, noun)
        texts = [phrase.text for phrase in before]
        if texts and not before[-1].verbal and texts[-1].endswith(noun.split()[-1]):
            return glue([link, *texts])
        if owner and owner.proper and link.endswith("의") and before and before[-1].verbal:
            return glue([*texts, link, noun])
        return glue([link, *texts, noun])

    def _filtered(self, step: Step, group: str, noun: str, test: Modifier, *, simple: bool) -> str:
        """Say a filter behind the whole ("... 항목 중 '주당 배당금'"), or before a bare noun."""
        label = criterion(step.reducer.label or "이름")
        if names_records(label):
            return f"{group} {self._rng.choice(_AMONG[:2])} {quoted(step.reducer.text or '')}"
        if simple and group == noun:
            return f"{test.text} {noun}"
        return f"{group} {self._rng.choice(_AMONG)} {test.text} {word_of(noun)}"

    def _nearest(self, owner: Phrase | None, before: list[Modifier], noun: str) -> Phrase:
        start = f"{owner.text}에서" if owner and owner.text else ""
        noun = re.sub(r"^(?:가장 )?(?:가까운|주변|인근|근처) ", "", noun)
        return Phrase(
            glue([start, *(phrase.text for phrase in before), "가장 가까운", noun]), word_of(noun), heavy=True
        )

    def _extreme(self, step: Step, owner: Phrase | None, before: list[Modifier], noun: str) -> Phrase:
        test = self._superlative(step, before)
        start = where(owner.text if owner and owner.place else "", owner is not None, before)
        if start and self._rng.random() < 0.4:
            thing = word_of(noun) if counter(word_of(noun)) != "건" else noun
            text = glue([start, test, thing if thing == noun.split()[0] else noun])
        else:
            text = f"{self._group(owner, before, noun)} {self._rng.choice(_AMONG)} {test} {self._pronoun(noun)}"
        return Phrase(text, word_of(noun), place=is_place(noun), heavy=True)

    def _superlative(self, step: Step, before: list[Modifier]) -> str:
        reducer = step.reducer
        label = reducer.label or ""
        if reducer.kind in ("max", "min"):
            word = attach(spoken(label or "값"), "이가")
            return f"{word} 가장 {superlative(label, reducer.field_kind, reducer.kind == 'max')}"
        latest = reducer.kind == "latest"
        if not label:
            return "가장 최근" if latest else "가장 오래된"
        verb = event(label)
        if verb and not any(verb in phrase.text for phrase in before) and self._rng.random() < 0.7:
            return f"가장 {'최근에' if latest else '먼저'} {verb}"
        return f"{attach(spoken(label), '이가')} 가장 {'최근인' if latest else '이른'}"

    def _pronoun(self, noun: str) -> str:
        word = word_of(noun)
        return "곳" if counter(word) == "곳" and self._rng.random() < 0.5 else word
