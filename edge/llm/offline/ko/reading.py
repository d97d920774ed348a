"""Request -> how heavily it reads, so that of several drafts the lightest is kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_QUOTED = re.compile(r"'[^']*'")
_SENTENCE = re.compile(r"(?<=[.?!])\s+|\n")
_OF = re.compile(r"[가-힣)\]]의 ")
_LONG = 85  # characters of a sentence that is read without stopping
_ENDINGS = re.compile(r"(부탁|필요|바람|요청|주세요|주십시오|바랍니다|궁금해요?|중)[.?!]?$")


def clumsiness(text: str, nouns: Iterable[str]) -> float:
    """Return a penalty: chains of 의, long sentences, words said again and again, sentences that end alike.

    `nouns` are the words of the matter that are easily repeated.
    """
    bare = _QUOTED.sub("''", text)
    sentences = [part for part in _SENTENCE.split(bare) if part]
    penalty = sum(0.8 * max(0, len(_OF.findall(s)) - 1) + max(0, len(s) - _LONG) / 15 for s in sentences)
    penalty += sum(1.0 for s in sentences if len(re.findall(r" (?:중|가운데|중에서) ", s)) > 1)
    endings = Counter(m.group(1) for s in sentences if (m := _ENDINGS.search(s)))
    penalty += sum(count - 1 for count in endings.values())
    penalty += sum(0.5 * max(0, bare.count(noun) - 2) for noun in set(nouns) if len(noun) > 1)
    return penalty
