"""Word + particle -> text: the one place that decides between 은 and 는, and the templates that carry the choice."""

from __future__ import annotations

import re
from collections.abc import Mapping

from edge.llm.offline.ko.sounds import Final, final_of

# after a closed syllable, after an open one; 으로 alone treats ㄹ as open
_PAIRS: tuple[tuple[str, str], ...] = (
    ("은", "는"),
    ("이", "가"),
    ("을", "를"),
    ("과", "와"),
    ("으로", "로"),
    ("이라", "라"),
    ("아", "야"),
    ("이나", "나"),
    ("이랑", "랑"),
    ("이에요", "예요"),
    ("이야", "야"),
    ("이고", "고"),
    ("이며", "며"),
    ("이라는", "라는"),
    ("이라고", "라고"),
    ("이었", "였"),
    ("이어서", "여서"),
    ("으로서", "로서"),
    ("으로부터", "로부터"),
    ("이든", "든"),
    ("인데요", "인데요"),
    ("인지", "인지"),
)
_TOKEN = re.compile(r"\{(?:josa:(?P<josa>[^{}]+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*))\}")


def _aliases() -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for closed, opened in _PAIRS:
        for name in (
            closed + opened,
            f"{closed}/{opened}",
            f"{opened}/{closed}",
            f"{closed}({opened})",
            opened + closed,
        ):
            found.setdefault(name, (closed, opened))
    for closed, opened in _PAIRS:  # a bare particle names its pair: {josa:을}
        found.setdefault(closed, (closed, opened))
        found.setdefault(opened, (closed, opened))
    return found


PARTICLES: Mapping[str, tuple[str, str]] = _aliases()


def particle(word: str, pair: str) -> str:
    """Return the particle of `pair` ("은는", "이/가", "으로로", or one of the two) that follows `word`.

    Raises:
        ValueError: the pair is unknown.
    """
    try:
        closed, opened = PARTICLES[pair]
    except KeyError:
        raise ValueError(f"unknown particle pair {pair!r}") from None
    final = final_of(word)
    if closed.startswith("으로") and final is Final.RIEUL:
        return opened
    return opened if final is Final.OPEN else closed


def attach(word: str, pair: str) -> str:
    """Return `word` with the right particle of `pair`."""
    return word + particle(word, pair)


def fill(template: str, /, **values: str) -> str:
    """Fill `{name}` with values and `{josa:이가}` with the particle that fits the text before it.

    Values are inserted as they are and never read as templates.

    Raises:
        ValueError: a name without a value, or an unknown particle pair.
    """
    written = ""
    position = 0
    for match in _TOKEN.finditer(template):
        written += template[position : match.start()]
        if pair := match.group("josa"):
            written += particle(written, pair)
        else:
            name = match.group("name")
            if name not in values:
                raise ValueError(f"no value for {{{name}}} in {template!r}")
            written += values[name]
        position = match.end()
    return written + template[position:]


def join(words: list[str], last: str = "과와") -> str:
    """Return the words as one Korean enumeration: "A", "A와 B", "A, B와 C"."""
    if len(words) < 2:
        return "".join(words)
    return ", ".join([*words[:-2], f"{attach(words[-2], last)} {words[-1]}"])
