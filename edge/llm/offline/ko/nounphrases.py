"""Step of a brief -> the noun phrase that names its record: parents first, then inputs, noun and reducer."""

from __future__ import annotations

import re

from edge.llm.offline.brief import Step
from edge.llm.offline.ko.fitting import (
    absorbed,
    full_region,
    glue,
    is_name,
    same_thing,
    set_before,
    where,
    without_measure,
    without_word,
)
from edge.llm.offline.ko.labels import (
    counter,
    is_abstract,
    is_place,
    names_region,
    spoken,
    word_of,
)
from edge.llm.offline.ko.modifiers import Modifier, modifiers
from edge.llm.offline.ko.naming import own_name, with_name
from edge.llm.offline.ko.owners import Owners
from edge.llm.offline.ko.phrases import (
    Phrase,
    only_figures,
    put_off,
    region_above,
    taken_up,
    thing_of,
)
from edge.llm.offline.ko.picking import AMONG, condition, first_few, narrowed, pronoun, superlative_of

_GENERIC = re.compile(r"(?:정보|상세|현황|개황|내역|자료|제원|본문|이용안내|개요)$")
_RELATIVE = re.compile(r"^(?:주변|인근|가까운|경유) ")  # in front of these a name would be what they are near to
_NEAR = re.compile(r"^(?:가장 )?(?:가까운|주변|인근|근처) ")


class Phraser(Owners):
    """Builds the phrases of one request; `known` holds what has been introduced and is taken up again."""

    def of(self, step: Step) -> Phrase:
        """Return the phrase of the record(s) a step ends with."""
        if step.id in self.known:
            return self.known[step.id]
        parent = self._brief.step(step.parent)
        owner = self.owner(step, parent)
        later = put_off(self._brief, step)
        before = modifiers(step, self._said, later)
        closer = parent and owner and (same_thing(step, parent) or self._said_by(owner, step))
        if owner and closer and not before and step.reducer.kind == "only":
            self.known[step.id] = owner
            return owner
        phrase = self._named(step, owner, before) if own_name(step) else self._described(step, owner, before)
        for text in (*step.reducer.texts, *(item.text for item in step.inputs)):
            if text not in later:
                self._said.note(step.reducer.label or "", text)
        self.known[step.id] = phrase
        return phrase

    def vanishes(self, step: Step) -> bool:
        """Whether a step is heard as a mere name: a region, a company, a school."""
        name = own_name(step)
        extra = [item for item in step.inputs if item.text not in (name or "")]
        return bool(name) and not extra and step.parent is None

    def owner_of(self, step: Step) -> str | None:
        """Return what stands for a step whose noun says nothing ("한빛전자의 2025년"), None for others."""
        if (told := self._regional(step)) is not None:
            return told
        parent = self._brief.step(step.parent)
        plain = step.reducer.kind in ("only", "all") and all(item.kind in ("year", "month") for item in step.inputs)
        noun = spoken(step.noun)
        if parent is None or not plain:
            return None
        figures = is_abstract(noun) and step.reducer.kind == "only"
        told = bool(step.asks) and (figures or all(spoken(ask.label).endswith(noun) for ask in step.asks))
        if not (told or _GENERIC.search(noun) or same_thing(step, parent)):
            return None
        before = modifiers(step, self._said)
        if any(phrase.verbal for phrase in before):
            return None
        return glue([self.link(self.owner(step, parent), [], ""), *(phrase.text for phrase in before)])

    def _regional(self, step: Step) -> str | None:
        """Figures asked of a region that its name picks: "서울특별시 개봉동의 2026년 5월", no word of the table."""
        name = own_name(step) or ""
        if not step.asks or not names_region(name) or not is_abstract(spoken(step.noun)):
            return None
        parent = self._brief.step(step.parent)
        owner = self.owner(step, parent)
        before = modifiers(step, self._said)
        if any(phrase.verbal for phrase in before) or (owner and owner.many):
            return None
        above = region_above(owner, name)
        head = glue([self.link(owner, [], "") if above is None else above, name])
        self._said.note(step.reducer.label or "", name)
        self.known[step.id] = Phrase(head, "지역", proper=True, place=True)
        return glue([f"{head}의", *(phrase.text for phrase in before)])

    def _named(self, step: Step, owner: Phrase | None, before: list[Modifier]) -> Phrase:
        noun = spoken(step.noun or step.title or "항목")
        name = own_name(step) or ""
        if owner and self._said.has(name):
            if not before:
                return owner if name in owner.text else Phrase(f"그 {word_of(noun)}", word_of(noun))
            own = noun
        else:
            names = step.reducer.names or (name,)
            own = with_name(names, noun, step.reducer.field_kind, self._rng)
            if only_figures(self._brief, step):
                return self._figured(step, name, owner, before)
            if _RELATIVE.search(noun):
                group = self._group(owner, before, noun, beside=step.beside)
                return Phrase(f"{group} {self._rng.choice(AMONG[:2])} '{name}'", word_of(noun), heavy=True)
        if owner and owner.text.startswith("그 ") and full_region(name):
            owner = None  # a region that is named whole needs no "that city"
        text = set_before(before, self.link(owner, before, noun, beside=step.beside), own)
        heavy = bool(owner and owner.heavy)
        return Phrase(text, word_of(noun), proper=not before and owner is None, place=is_place(noun), heavy=heavy)

    def _figured(self, step: Step, name: str, owner: Phrase | None, before: list[Modifier]) -> Phrase:
        """Figures that are only looked up on the way are called by what they are about: 서울금천구, in 2024."""
        texts = [phrase.text for phrase in before if not phrase.verbal]
        verbal = [phrase.text for phrase in before if phrase.verbal]
        word = thing_of(step)
        said = f"'{name}'" if " " in name and word != "지역" else name
        text = glue([self.link(owner, before, name), *verbal, *texts, said])
        return Phrase(text, word, proper=owner is None and not before, place=word == "지역" or is_place(word))

    def _described(self, step: Step, owner: Phrase | None, before: list[Modifier]) -> Phrase:
        noun = spoken(step.noun or step.title or "항목")
        before, noun = absorbed(step, before, noun)
        kind, word, within = step.reducer.kind, word_of(noun), step.reducer.within
        if kind == "nearest":
            return self._nearest(step, owner, before, noun)
        if kind in ("max", "min", "latest", "earliest") and within is None:
            return self._extreme(step, owner, before, noun)
        if kind == "only" and is_place(noun) and (owner is None or step.beside) and is_name(before):
            link = self.link(owner, before, noun, beside=step.beside)
            text = glue([link, *(phrase.text for phrase in before)])
            return Phrase(text, word, proper=owner is None, place=True)
        heavy = bool(owner and owner.heavy)
        group = self._group(owner, before, noun, beside=step.beside)
        if kind in ("top", "bottom", "at_least", "at_most"):
            group = without_measure(group, noun, step.reducer.label or "")
        simple = not before and not heavy
        if within is not None:
            group, simple, heavy = narrowed(group, noun, within, self._rng, simple=simple), False, True
        if kind in ("top", "bottom"):
            text = first_few(step, group, noun, self._rng)
            return Phrase(text, word, many=True, heavy=True, tallied=True)
        if kind in ("max", "min", "latest", "earliest"):
            text = f"{group} {self._among(group)} {superlative_of(step, before, self._rng)} {self._pronoun(step, noun)}"
            return Phrase(text, word, place=is_place(noun), heavy=True)
        if test := condition(step):
            text = narrowed(group, noun, test, self._rng, simple=simple)
            return Phrase(text, word, many=step.many, place=is_place(noun), heavy=True)
        looked_up = step.many or step not in self._brief.wanted
        if looked_up and group.endswith(noun) and word == noun.split()[0].removesuffix("별") != noun:
            group = group.removesuffix(noun) + word
        return Phrase(group, word, many=step.many, place=is_place(noun), heavy=heavy)

    def _among(self, group: str) -> str:
        """중 or 가운데, whichever the group does not have in it already."""
        free = [word for word in AMONG if f" {word} " not in group]
        return self._rng.choice(free or AMONG)

    def _group(self, owner: Phrase | None, before: list[Modifier], noun: str, *, beside: bool = False) -> str:
        """A short name goes right before the noun where a verb form would otherwise seem to belong to the name."""
        if owner and owner.text:
            noun = without_word(noun, owner.word)
        link = self.link(owner, before, noun, beside=beside)
        if link and any(phrase.text.startswith("반경") for phrase in before):
            noun = noun.removeprefix("주변 ")
        texts = [phrase.text for phrase in before]
        if texts and not before[-1].verbal and texts[-1].endswith(noun.split()[-1]):
            return glue([link, *texts])
        if owner and owner.proper and link.endswith("의") and before and before[-1].verbal:
            return glue([*texts, link, noun])
        return set_before(before, link, noun)

    def _nearest(self, step: Step, owner: Phrase | None, before: list[Modifier], noun: str) -> Phrase:
        """What lies nearest to its owner, or to another place: "강남구에 있는 병원 중 서울역에서 가장 가까운 곳"."""
        near = self._brief.step(step.reducer.near_step)
        bare, word = _NEAR.sub("", noun), word_of(noun)
        place = self._place(near, step) or step.reducer.text
        if not place:
            start = f"{owner.text}에서" if owner and owner.text else ""
            if owner and before and (within := re.match(r"(반경 .* 안)의$", before[0].text)):
                start, before = f"{owner.text} {within.group(1)}에서".strip(), before[1:]
            text = glue([start, *(phrase.text for phrase in before), "가장 가까운", bare])
            return Phrase(text, word, heavy=True)
        group = self._group(owner, before, bare, beside=step.beside)
        if step.reducer.within is not None:
            group = narrowed(group, bare, step.reducer.within, self._rng, simple=not before)
        if group == bare:
            return Phrase(f"{place}에서 가장 가까운 {bare}", word, heavy=True)
        text = f"{group} {self._among(group)} {place}에서 가장 가까운 {self._pronoun(step, bare)}"
        return Phrase(text, word, heavy=True)

    def _place(self, near: Step | None, step: Step) -> str:
        """The record from which distances are measured; "" where that is the owner itself, who stands there anyway."""
        if near is None or (near.id == step.parent and not step.via):
            return ""
        return taken_up(near).text if near.id == step.parent else self.of(near).text or taken_up(near).text

    def _pronoun(self, step: Step, noun: str) -> str:
        """The word behind a superlative; where what is asked is called the same, 것."""
        asked = {spoken(ask.label) for ask in step.asks if ask.kind != "name"}
        return "것" if word_of(noun) in asked else pronoun(noun, self._rng)

    def _extreme(self, step: Step, owner: Phrase | None, before: list[Modifier], noun: str) -> Phrase:
        test = superlative_of(step, before, self._rng)
        start = where(owner.text if owner and owner.place else "", owner is not None, before)
        if start and self._rng.random() < 0.4:
            thing = word_of(noun) if counter(word_of(noun)) != "건" else noun
            text = glue([start, test, thing if thing == noun.split()[0] else noun])
        else:
            group = self._group(owner, before, noun, beside=step.beside)
            text = f"{group} {self._among(group)} {test} {self._pronoun(step, noun)}"
        return Phrase(text, word_of(noun), place=is_place(noun), heavy=True)
