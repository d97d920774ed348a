"""the prose of a description -> the closed list of values it spells out, or the examples it gives."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from edge.specs.model import EnumValue

_CODE = r"[A-Za-z0-9_+-]{1,12}"
_WORDS = r"[^\s,;:=()\[\]/|·※*\"'](?:[^,;:=()\[\]|※*\n]|\([^()]*\))*?"
_MARKED, _BARE = 0, 3


class _Spelling(NamedTuple):
    """One way to write "code means word"; `swapped` where the word stands first."""

    pattern: re.Pattern[str]
    swapped: bool = False


_SPELLINGS: Final = (
    _Spelling(re.compile(rf"(?<![\w.:/])(?<![A-Za-z]\s(?=[a-z]))({_CODE})\s*[:=]\s*({_WORDS})"
                         rf"(?=\s*(?:[,;/|)\]\n※*]|$|\s{_CODE}\s*[:=]))")),
    _Spelling(re.compile(rf"(?<![\w.:/])({_CODE}(?=\()|[A-Z0-9]{{1,6}}(?=\s\())\s?\(([^()\d][^()]*)\)(?=\s*(?:[,;/|\n]|$|등))")),
    _Spelling(re.compile(rf"\[({_CODE})\]\s*([^\[\],;()]+?)(?=\s*(?:[,;)\[]|$))")),
    _Spelling(re.compile(r"(?<![\w.:/-])(\d{1,3})\.?\s?([가-힣A-Z](?:[가-힣A-Za-z· -]|(?<=[A-Za-z])\d|\([^()\d]*\))*?)"
                         r"(?=\s*[,;]?\s*(?:(?<![A-Za-z])\d|$|[)\]/]))")),
    _Spelling(re.compile(r"(?<![\w.:/~-])([A-Z]{1,3}|\d{1,2})\s?-\s?([가-힣][가-힣A-Za-z· ]*?)"
                         r"(?=\s*(?:[,;/|)\]\n]|$))")),
    _Spelling(re.compile(r"(?<![\w(])([A-Z])\s([가-힣]+)(?=\s*(?:[,/)]|$|\s[A-Z]\s))")),
    _Spelling(re.compile(rf"(?<![\w:/])(\d?[가-힣]+)\s*:\s*({_CODE})(?=\s*(?:[,;/|)\n※]|$)|\s+\d?[가-힣]+\s*:)"), True),
    _Spelling(re.compile(r"([가-힣][가-힣 ]*)\(([a-z]{3,8}|[A-Z]{2,4}\d{0,2}|[YNMFT])\)(?=\s*(?:[,/\n※)]|$))"), True),
)  # fmt: skip
_MAY_LIST = re.compile(r"[:=(\[-].*|\d.*\d|[A-Z]\s", re.S)  # most labels list nothing: a cheap look first
_WIDE = str.maketrans("：（），；＝［］／｜", ":(),;=[]/|", "'\"`“”‘’")
_CIRCLED = re.compile(r"\s*([①-⑨])\s*")
_OPEN_TAIL = re.compile(r"^\s*[,./)\]]?\s*(?:등(?![가-힣])|…|\.\.|etc\b)|^\s*외\s")
_OPEN_WORD = re.compile(r"\s등$|…|\.\.$|^\.\.")
_ELSEWHERE = re.compile(r"참조|참고|별첨")
_NOT_A_CODE = re.compile(
    r"(?i)^(?:default|max|min|ex|eg|example|http|https|url|utf-8|note|type|pc|version|yyyy.*|hhmm.*|\d{1,2}h|lat|lon|"
    r"lng|epsg|wgs84|grs80)$"
)
_NOT_A_WORD = re.compile(
    r"^(?:년|월|일|시|분|초|자리|면|이면|으로|로|위|채움|개|건|명|회|차|기|은|는|시간|개월|단계)(?:$|\s|[^가-힣])"
    r"|이면\s|까지|이상|이하"
)
_SETTING = re.compile(
    r"(?i)[※*]?\s*(?:기본\s?값|디폴트|default(?:\s?value)?|최[대소]\s?값|max|min)\s*[:=]?\s*(?:은|는|is)?\s*[\w.-]{1,20}"
)
_NOT_A_LABEL: Final = frozenset({"기본값", "최대값", "최소값", "최대", "최소", "기본", "단위", "예시", "형식"})
_RATIO = re.compile(r"^\d+(?:$|\s)")  # "06:30, 18:30" are times and 1:1 is a ratio
_SENTENCE = re.compile(r"(?:까지|부터)\s|(?:됨|니다|경우|한다|된다)(?:$|\s)")

_YES_NO: Final = (
    (re.compile(r"(?<![A-Za-z])(?:Y\s*[/|]\s*N|N\s*[/|]\s*Y|[YN]\s*(?:또는|or|,)\s*[YN])(?![A-Za-z])"),
     (EnumValue("Y", "예"), EnumValue("N", "아니오"))),
    (re.compile(r"(?<![A-Za-z])(?:O\s*/\s*X|X\s*/\s*O)(?![A-Za-z])"), (EnumValue("O", "예"), EnumValue("X", "아니오"))),
    (re.compile(r"(?<![A-Za-z])T\s*/\s*F(?![A-Za-z])"), (EnumValue("T", "예"), EnumValue("F", "아니오"))),
    (re.compile(r"(?i)(?<![a-z])(?:true\s*(?:/|\||or|또는|,)\s*false|false\s*(?:/|\||or|또는|,)\s*true)(?![a-z])"),
     (EnumValue("true", "예"), EnumValue("false", "아니오"))),
    (re.compile(r"\(\s*(?:0\s*/\s*1|1\s*/\s*0)\s*\)"), (EnumValue("1", "예"), EnumValue("0", "아니오"))),
)  # fmt: skip
_FORMS = r"(?:xml|json|csv|html|xlsx?|pdf|txt|geojson|jsonp)"
_FORM_LIST = re.compile(rf"(?i)(?<![a-z]){_FORMS}(?:\s*(?:[,/|]|또는|or|혹은)\s*{_FORMS})+(?![a-z])")
_FORM = re.compile(rf"(?i){_FORMS}")
_SEPARATOR = r"(?:\s*[,|/]\s*(?:or\s+|and\s+)?|\s+or\s+|\s+and\s+|\s*또는\s*)"
_VALUE = r"[\w+-](?:[\w.+-]{0,22}[\w+-])?"
_LISTED = re.compile(
    r"(?i)(?:(?:possible|allowed|valid|available|accepted|supported|permitted)\s+(?:values?|options?)(?:\s+are)?|"
    r"one\s+of(?:\s+the\s+following(?:\s+values)?)?|허용\s?값|가능한?\s?값|선택\s?값|다음\s?중\s?하나)\s*[:\s]\s*"
    rf"({_VALUE}(?:{_SEPARATOR}{_VALUE})+)(?=\s*(?:[.)\];\n]|$))"
)
_EXAMPLE = re.compile(
    r"(?<![가-힣(])예시?\s*[):]|(?<=\()예시?\s*:|예시\s|예를\s?들[어면],?|(?i:(?<![a-z])(?:ex\s*[).:]|ex\s(?=\d)|e\.g\.,?|"
    r"for\s+example,?:?|examples?\s*:|sample\s*:))\s*"
)
_TOKEN_END = re.compile(r"\n|\(?※|\s-\s|\s\(")
_BETWEEN = re.compile(r"\s*[,;|]\s*|\s+(?:또는|or)\s+")
_NOT_AN_EXAMPLE = re.compile(r"[:→=]|(?:출력|표시|입력|조회|검색|참조|다|함|됨)$")
_MAX_EXAMPLES = 5


class Values(NamedTuple):
    """What a text says of values: a closed list, else examples; `coded` where codes are given a meaning."""

    enum: tuple[EnumValue, ...] = ()
    examples: tuple[str, ...] = ()
    coded: bool = False


def values_in(text: str) -> Values:
    """Return the values that `text` spells out: "1: 가, 2: 나" is closed, "예) 11, 26" and lists with "등" are not."""
    plain = _normal(text)
    pairs, is_open = _pairs(plain)
    if is_open:
        return Values((), tuple(pair.value for pair in pairs[:_MAX_EXAMPLES]), coded=True)
    enum = pairs or next((values for pattern, values in _YES_NO if pattern.search(plain)), ()) or _bare_list(plain)
    return Values(enum, () if pairs else _examples(plain), coded=bool(pairs))


def enumeration(text: str) -> tuple[EnumValue, ...]:
    """Return the closed list of values that `text` spells out, () where there is none or it is open-ended."""
    return values_in(text).enum


def _examples(plain: str) -> tuple[str, ...]:
    found = _EXAMPLE.search(plain)
    if not found or "아니" in plain[found.end() :]:
        return ()
    tail = _TOKEN_END.split(_inside(plain[found.end() :]).strip(), maxsplit=1)[0]
    tokens = (re.sub(r"\s*(?:등|\.+|…)+$", "", token).strip() for token in _BETWEEN.split(tail))
    kept = [t for t in tokens if 1 <= len(t) <= 30 and t.count(" ") <= 3 and not _NOT_AN_EXAMPLE.search(t)]
    return tuple(dict.fromkeys(kept))[:_MAX_EXAMPLES]


def _normal(text: str) -> str:
    """Return `text` with narrow punctuation, without quotation marks and defaults; ①, ② become 1:, 2:."""
    plain = _SETTING.sub(" ", text.translate(_WIDE))
    if "①" not in plain or "②" not in plain:
        return plain
    if any(map(_SENTENCE.search, plain.split("①", 1)[1].split("\n"))):
        return plain
    return _CIRCLED.sub(lambda found: f" {ord(found.group(1)) - ord('①') + 1}: ", plain)


def _pairs(text: str) -> tuple[tuple[EnumValue, ...], bool]:
    """Return the codes and words of the first spelling that fits, and whether the list is open-ended."""
    if not _MAY_LIST.search(text):
        return (), False
    for position, spelling in enumerate(_SPELLINGS):
        found = list(spelling.pattern.finditer(text))
        if len(found) < 2:
            continue
        pairs = [_pair(match, spelling.swapped) for match in found]
        pairs = [pair for pair in pairs if not _NOT_A_CODE.match(pair.value)]
        if _is_list(text, pairs, position, found):
            return tuple(pairs), _is_open(text, found, pairs[-1].label)
    return (), False


def _pair(match: re.Match[str], swapped: bool) -> EnumValue:
    code, word = (match.group(2), match.group(1)) if swapped else (match.group(1), match.group(2))
    return EnumValue(code, " ".join(word.split()))


def _is_list(text: str, pairs: list[EnumValue], position: int, found: list[re.Match[str]]) -> bool:
    codes = [pair.value for pair in pairs]
    if len(pairs) < 2 or len(set(codes)) != len(codes) or not _same_make(codes):
        return False
    if any(pair.label in _NOT_A_LABEL or _RATIO.match(pair.label) for pair in pairs):
        return False
    if position == _MARKED:
        # A mark between two pairs that belongs to neither means that the list was read in part.
        between = text[found[0].start() : found[-1].end()]
        return len(re.findall(r"[:=]", between)) == len(found)
    if position == _BARE:
        return _all_counted(text, pairs)
    return True


def _is_open(text: str, found: list[re.Match[str]], last: str) -> bool:
    """Whether the list ends in "and so on", is given as an example, was cut off, or is told to stand elsewhere."""
    head, tail = text[: found[0].start()], text[found[-1].end() :]
    return bool(
        _OPEN_TAIL.search(tail)
        or _OPEN_WORD.search(last)
        or _EXAMPLE.search(head)
        or _ELSEWHERE.search(text)
        or text.count("(") > text.count(")")
    )


def _all_counted(text: str, pairs: list[EnumValue]) -> bool:
    """Whether every number of `text` is one of the codes and no word is a unit: half a list forbids good values."""
    rest = text
    for pair in pairs:
        rest = rest.replace(pair.label, " ")
    codes = {pair.value for pair in pairs}
    return set(re.findall(r"\d+", rest)) <= codes and not any(_NOT_A_WORD.search(pair.label) for pair in pairs)


def _same_make(codes: list[str]) -> bool:
    """Whether the codes look like values of one list: all with digits or all without, of about one length."""
    digits = {any(ch.isdigit() for ch in code) for code in codes}
    lengths = [len(code) for code in codes]
    return len(digits) == 1 and (max(lengths) - min(lengths) <= 3 or True not in digits)


def _bare_list(text: str) -> tuple[EnumValue, ...]:
    """Return values listed without meanings: "(XML/JSON)", "one of: asc, desc"."""
    forms = _FORM_LIST.search(text)
    listed = None if forms else _LISTED.search(text)
    if forms:
        values = _FORM.findall(forms.group())
    elif listed and not _OPEN_TAIL.search(text[listed.end() :]):
        values = re.split(_SEPARATOR, listed.group(1))
    else:
        return ()
    unique = list(dict.fromkeys(values))
    return tuple(EnumValue(value, value) for value in unique) if len(unique) > 1 else ()


def _inside(tail: str) -> str:
    """Return `tail` up to the bracket that closes what it stands in."""
    depth = 0
    for position, character in enumerate(tail):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        if depth < 0:
            return tail[:position]
    return tail
