"""Step of a brief -> the phrase of whose records it asks: its parent's, both of a join, or what the parent leads to."""

from __future__ import annotations

import random
import re
from abc import ABC, abstractmethod
from dataclasses import replace

from edge.llm.offline.brief import Brief, Step
from edge.llm.offline.ko.labels import counter, is_place, spoken
from edge.llm.offline.ko.modifiers import Modifier, Said
from edge.llm.offline.ko.particles import attach
from edge.llm.offline.ko.phrases import Phrase, joined, linked, lowest


class Owners(ABC):
    """Finds the owners of one request's phrases; `known` holds what has been introduced and is taken up again."""

    def __init__(self, brief: Brief, rng: random.Random) -> None:
        self._brief = brief
        self._rng = rng
        self._said = Said()
        self._led_to: set[tuple[str, str]] = set()  # what a record led to and has been said
        self.known: dict[str, Phrase] = {}
        self.understood: set[tuple[str, str]] = set()  # what a record leads to and all is about: it is not said again

    @abstractmethod
    def of(self, step: Step) -> Phrase:
        """Return the phrase of the record(s) a step ends with."""

    def owner(self, step: Step, parent: Step | None) -> Phrase | None:
        """The phrase of what a step is asked about: its parent's, or what the parent leads to; joined branches both."""
        if parent is None:
            return None
        owner = self.of(parent)
        nearer = step.via and spoken(step.noun or step.title).endswith(step.via)  # 단지, of which the 아파트 단지
        if step.via and (parent.id, step.via) in self.understood:
            owner = Phrase("", step.via, place=is_place(step.via))
        elif step.via and not owner.many and not nearer:
            text = f"그 {lowest(step.via)}" if (parent.id, step.via) in self._led_to else self.lying(owner, step.via)
            self._led_to.add((parent.id, step.via))
            owner = Phrase(text, step.via, place=is_place(step.via), heavy=owner.heavy)
        for other in (self._brief.step(name) for name in step.parents if name != parent.id):
            if other is not None and any(not self._said.has(text) for text in self._texts_behind(other)):
                more = self.of(other)
                owner = replace(
                    owner if not owner.place else more,
                    text=joined(owner, more),
                    many=owner.many or more.many,
                    proper=False,
                    heavy=owner.heavy or more.heavy,
                )
        return owner

    def _said_by(self, owner: Phrase, step: Step) -> bool:
        """Whether the owner's phrase has just said the noun: 소관위원회 of a law, then its 위원회."""
        return not owner.many and owner.text.endswith(spoken(step.noun or step.title))

    def _texts_behind(self, step: Step) -> list[str]:
        return [text for one in (step, *self._brief.ancestors(step)) for text in one.texts]

    def lying(self, owner: Phrase, via: str) -> str:
        """Return the place in which something lies: "강남구 역삼동이 속한 시군구", "한빛병원이 있는 시도"."""
        whole, via = owner.text or f"그 {owner.word}", lowest(via)
        if not (owner.text or owner.word):
            return via  # its owner is understood
        if is_place(via) and (owner.place or is_place(owner.word)):
            return f"{attach(whole, '이가')} 속한 {via}"
        if is_place(via) and counter(owner.word) == "곳":
            return f"{attach(whole, '이가')} 있는 {via}"
        if not owner.text:
            return f"그 {owner.word}의 {via}" if is_place(via) and owner.word else via
        bare = not owner.heavy and not owner.proper and re.search(r"[가-힣]$", owner.text)
        return f"{owner.text if bare else self.link(owner, [], '')} {via}"

    def link(self, owner: Phrase | None, before: list[Modifier], noun: str, *, beside: bool = False) -> str:
        """Return the parent's phrase as it stands before what belongs to it, or lies beside it."""
        return linked(owner, before, noun, beside=beside)
