"""name and label of a field -> whether it holds personal or contact data, which is never asked for and not stored."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from edge.specs.english import words_of

_LABEL = re.compile(
    r"(?i)전화|휴대폰|핸드폰|연락처|팩스|이메일|(?<![a-z])e-?mail|주민(?:등록)?번호|외국인등록번호|여권번호|운전면허번호|생년월일|"
    r"담당자\s?(?:명|성명|이름)|환자\s?(?:명|성명|이름)|계좌번호|카드번호|카카오|트위터|페이스북|인스타그램|자택\s?주소|"
    r"(?:phone|mobile|fax)\s(?:number|no)"
)
_NAME = re.compile(
    r"(?i)(?:^|_|(?-i:(?<=[a-z])(?=T)))tel(?:_?no)?\d*$|(?<!ho)(?<!mo)telno\d*$|fax_?(?:no)?$|e_?mail|mobile_?no"
)
_WORDS: Final = frozenset({
    "phone", "telephone", "cellphone", "fax", "email", "ssn", "passport", "birthday", "birthdate", "dob",
    "iban", "surname",
})  # fmt: skip
_PAIRS: Final = frozenset({
    ("first", "name"), ("last", "name"), ("given", "name"), ("family", "name"), ("middle", "name"), ("birth", "date"),
    ("phone", "number"), ("mobile", "number"), ("fax", "number"), ("home", "address"), ("card", "number"),
    ("account", "number"), ("date", "birth"), ("personal", "id"), ("national", "id"), ("email", "address"),
})  # fmt: skip
# What is said about personal data is none: whether there is an address, how many there are.
_ABOUT = frozenset({"count", "type", "verified", "enabled", "domain", "template", "app", "required", "os"})
_ABOUT_LABEL = re.compile(r"(?:여부|유무|건수|개수)\s*(?:\([^()]*\))?$")


def is_personal(name: str, label: str) -> bool:
    """Whether a field holds data of a person or a way to reach one; names of institutions are public."""
    words = [word for word in words_of(name) if word != "of"]
    if _ABOUT_LABEL.search(label) or (words and words[-1] in _ABOUT and tuple(words[-2:]) not in _PAIRS):
        return False
    if _LABEL.search(label) or _NAME.search(name):
        return True
    if not words:
        return False
    said = not _WORDS.isdisjoint(words) or not _PAIRS.isdisjoint(pairwise(words))
    return said or words[-1] == "mobile"
