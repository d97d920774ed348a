"""Language -> its pack: everything that is said in that language, behind one door."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from edge.errors import UsageError
from edge.ids import Json
from edge.llm.offline.brief import Brief

DEFAULT = "ko"
LANGUAGES = ("ko", "en", "ja")


@dataclass(frozen=True, slots=True)
class Pack:
    """What a language must be able to say.

    date, time: a wire value as people write it, other text unchanged. read_date, read_time: the way back, None where
    the text is none (read_date also takes a strptime pattern to write in). measure: a number with its unit.
    request, answer: a brief as text. outline: what a brief asks, a line for each thing, in words but with nobody asking
    it. no_call: what is said where nothing can be called. people: who plausibly asks
    about a domain. names_moment: whether a label names a date, where the document does not type it. near: the word
    for how a spoken date lies to today (ISO), by the kind of its parameter.

    What must be heard in a request, whoever wrote it: asked: the ways to ask for a label of a noun. Patterns: criteria
    by kind of reducer, branching and comparing for a condition and a comparison, requesting for the act of asking,
    relative for days that hang on today.
    odd: what in a text nobody would say or write so (the passage), None where nothing is. countable: whether "how many"
    can be asked of a noun; askworthy: whether a person would ask for a label (both in the language of the platforms).
    """

    date: Callable[[str], str]
    time: Callable[[str], str]
    read_date: Callable[[str, str | None], str | None]
    read_time: Callable[[str], str | None]
    measure: Callable[[str, str | None], str]
    request: Callable[[Brief], str]
    outline: Callable[[Brief], Sequence[str]]
    answer: Callable[[Brief], str]
    no_call: Callable[[Mapping[str, Json]], str]
    people: Callable[[str], tuple[str, ...]]
    names_moment: Callable[[str], bool]
    asked: Callable[[str, str], tuple[str, ...]]
    criteria: Mapping[str, str]
    branching: str
    comparing: str
    requesting: str
    relative: str
    near: Mapping[str, Callable[[str, str], str | None]]
    odd: Callable[[str], str | None]
    countable: Callable[[str], bool]
    askworthy: Callable[[str], bool]


@cache
def pack_of(language: str) -> Pack:
    """Return the pack of a language.

    Raises:
        UsageError: there is none.
    """
    if language not in LANGUAGES:
        raise UsageError(f"no language pack {language!r}; there are {', '.join(LANGUAGES)}")
    module = import_module(f"edge.llm.offline.{language}")
    pack = module.PACK
    if not isinstance(pack, Pack):
        raise UsageError(f"edge.llm.offline.{language} has no pack")
    return pack
