"""Step of a brief -> the name by which its one record is known, if it has one."""

from __future__ import annotations

import random
import re

from edge.llm.offline.brief import Input, Step
from edge.llm.offline.ko.labels import is_company, is_place, says_itself
from edge.llm.offline.ko.particles import join, particle

WHOLE_NAME_PHRASE = "이름이 '{v}'인"  # how an input is said that is all of the record's name
_COMPANY = ("회사", "기업", "법인", "종목", "상장종목")
_WHOLE_NAME = re.compile(r"^이름이 '\{v\}'인$|^'\{v\}'\{josa:[^}]*\} 찾은$")
_ENDING = re.compile(r"\s*(?:명칭|이름|명)$")


def own_name(step: Step) -> str | None:
    """Return the name of the record: a filter on its name, or an input that states the whole name."""
    if step.reducer.kind == "filter" and step.reducer.names_record:
        return step.reducer.text
    if step.reducer.kind == "only":
        return next((item.text for item in step.inputs if _names(item, step.noun)), None)
    return None


def phrase_of(item: Input) -> str | None:
    """Return how an input is said, where the document or its being a whole name tells."""
    return WHOLE_NAME_PHRASE if item.whole_name else item.phrase


def _names(item: Input, noun: str) -> bool:
    """Whether an input states the whole name of a record: 회사명 of a 회사, not 시도명 of a 단지."""
    phrase = phrase_of(item)
    if _WHOLE_NAME.search(phrase or ""):
        return True
    of = _ENDING.sub("", item.label)
    named = of != item.label and (of in noun or (of in _COMPANY and noun in _COMPANY))
    return item.kind == "name" and phrase in ("{v}", "'{v}'", "{v}라는") and named


def with_name(names: tuple[str, ...], noun: str, kind: str | None, rng: random.Random) -> str:
    """Return the noun with its name; of several names each is quoted for itself."""
    if len(names) > 1:
        heard = all(says_itself(name, noun) for name in names)
        each = list(names) if heard and not any(re.search(r"\s", n) for n in names) else [f"'{n}'" for n in names]
        each = list(names) if is_place(noun) else each
        return join(each) if heard else f"{join(each)} {noun}"
    name = next(iter(names))
    if is_company(noun) and rng.random() < 0.12:
        return f"'{name}'{particle(name, '이라는라는')} 회사"
    if says_itself(name, noun):
        return f"'{name}'" if re.search(r"\s", name) and not (is_place(noun) or is_company(noun)) else name
    if re.fullmatch(r"[0-9A-Za-z\-]{1,6}", name) and re.search(r"노선|버스|열차", noun):
        return f"{name}번 {noun}"
    if kind in ("date", "month", "year", "datetime") or (name.isalnum() and rng.random() < 0.3):
        return f"{name} {noun}"
    return f"'{name}' {noun}"
