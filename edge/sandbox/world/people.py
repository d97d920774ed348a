"""A seeded generator in, invented personal names out: Hangul, Hanja and Latin spellings that agree."""

import random
from dataclasses import dataclass
from functools import cache

from edge.sandbox.world.reading import read_yaml, split


@dataclass(frozen=True, slots=True)
class Person:
    """One invented person; no contact data exists for anybody."""

    name: str
    hanja: str
    english: str


def person(rng: random.Random) -> Person:
    """A name drawn evenly from surnames and two given syllables that differ."""
    surnames, syllables = _stock()
    family = rng.choice(surnames)
    first, second = rng.sample(syllables, 2)
    return Person(
        family[0] + first[0] + second[0],
        family[1] + first[1] + second[1],
        f"{family[2]} {first[2]}{second[2]}",
    )


def people(rng: random.Random, count: int) -> list[Person]:
    """`count` people, no two with the same Hangul name."""
    found: dict[str, Person] = {}
    while len(found) < count:
        someone = person(rng)
        found.setdefault(someone.name, someone)
    return list(found.values())


@cache
def _stock() -> tuple[list[tuple[str, str, str]], list[tuple[str, str, str]]]:
    data = read_yaml("names.yaml")
    columns = [str(data[key]).split() for key in ("surnames", "surnames_hanja", "surnames_en")]
    families = list(zip(*columns, strict=True))
    given = [split(item) for item in str(data["given"]).split()]
    return [(a, b, c) for a, b, c in families], [(a, b, c) for a, b, c in given]
