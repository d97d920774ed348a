"""name, label and examples of a field -> its semantic kind.

The kind is evidence for links: a wrong "code" costs more than an "unknown". Wire names rarely lie about what they end
in (Nm, Cd, Dt), labels end in what a thing is (…명, …코드, …일자), and examples settle what both leave open.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from edge.specs.dates import DATES, example_date
from edge.specs.english import english_kind, hinted_kind, says_moment
from edge.specs.kind_table import BRACKETED, ENDINGS, FIRST, WEAK, Rule
from edge.specs.model import Kind

_LONGITUDE = re.compile(r"^1(?:2[4-9]|3[0-2])\.\d{2,}$")
_LATITUDE = re.compile(r"^3[2-9]\.\d{2,}$")
_PROJECTED = re.compile(r"^-?\d{4,7}(?:\.\d+)?$")
_WORDS = re.compile(r"^[^\d]*[가-힣]")
_MAX_CACHED = 1 << 14  # labels repeat from operation to operation
_BOUND = re.compile(r"(?i)(dt|de|date|ymd|time)_(?:from|to|start|end|begin|bgn|since|until)$")
_HANGUL = re.compile(r"[가-힣]")
_NAME_WINS: Final[frozenset[Kind | None]] = frozenset({"name", "code", "flag", "grid"})
_MEASURES: Final[frozenset[Kind]] = frozenset({"number", "text"})
_CONTRADICTIONS: Final[tuple[tuple[Kind, re.Pattern[str], Kind], ...]] = (
    ("longitude", _PROJECTED, "projected_x"),
    ("latitude", _PROJECTED, "projected_y"),
    ("projected_x", _LONGITUDE, "longitude"),
    ("projected_y", _LATITUDE, "latitude"),
    ("flag", re.compile(r"^\d{2,}$"), "number"),
    ("number", _WORDS, "text"),
)
_WIDE = str.maketrans("：（）", ":()")
_SETTING = re.compile(r"\s*(?:기본\s?값|default|최대\s?값|최소\s?값)\b.*|\s*기본\s?값.*", re.I)


def kind_of(name: str, label: str, examples: tuple[str, ...] = ()) -> Kind:
    """Return the kind of a field; "unknown" where nothing tells. `label` is its short name for people."""
    bare = bare_name(name)
    korean = bool(_HANGUL.search(label))
    kind = None if korean else english_kind(bare)
    kind = kind or _korean_kind(bare, label) or (hinted_kind(bare) if korean else None)
    return _checked(kind, label, examples) if kind else _from_examples(examples)


@lru_cache(maxsize=_MAX_CACHED)
def _korean_kind(bare: str, label: str) -> Kind | None:
    """Return what a wire name of Korean abbreviations and a Korean label show."""
    short, inner = strip_brackets(label), _bracketed(label)
    weak = _by_label(WEAK, short)
    for rules in (FIRST, BRACKETED, ENDINGS, WEAK):
        named = _by_name(rules, bare)
        labelled = _by_label(rules, label if rules is BRACKETED else short)
        if rules is WEAK:
            # "발행회사(자본금)" is capital: what stands in brackets is the field, what stands before them its group.
            labelled = _inner_kind(inner) if inner else labelled
        elif labelled is None and named in DATES and weak in _MEASURES and not _inner_kind(inner):
            return weak  # "DT" is a date only where no label calls it a value
        # "Nm" and "Cd" are never accidents; "de", "co" and "time" may be, so there a label outranks the wire name.
        kind: Kind | None = named if named in _NAME_WINS else labelled or named
        if kind:
            return kind
    return None


def _inner_kind(inner: str) -> Kind | None:
    return _by_label(ENDINGS, inner) or _by_label(WEAK, inner)


def _bracketed(label: str) -> str:
    """Return the innermost Korean noun in the brackets that end a label, "" where there is none."""
    if not label.strip().endswith(")"):
        return ""
    inner = (strip_brackets(part.strip(" )")) for part in reversed(label.split("(")[1:]))
    return next((text for text in inner if re.fullmatch(r"[가-힣][가-힣\s]+", text)), "")


def _by_name(rules: tuple[Rule, ...], name: str) -> Kind | None:
    if _HANGUL.match(name):
        return _by_label(rules, name)  # some platforms name fields in Korean
    for rule in rules:
        if rule.name and rule.name.search(name) and not (rule.kind == "flag" and says_moment(name)):
            return rule.kind
    return None


def _by_label(rules: tuple[Rule, ...], text: str) -> Kind | None:
    for rule in rules:
        if rule.label and rule.label.search(text):
            return rule.kind
    return None


def _checked(kind: Kind, label: str, examples: tuple[str, ...]) -> Kind:
    """Return `kind`, unless every example says otherwise: metres for degrees, degrees for metres, counts for flags."""
    if kind == "code" and examples and all(len(example) >= 6 for example in examples):
        # "STDR_DE_ID" is called an identifier and holds a day.
        labelled = _by_label(ENDINGS, strip_brackets(label))
        if labelled in DATES and example_date(labelled, examples):
            return labelled
    for claimed, pattern, right in _CONTRADICTIONS:
        if kind == claimed and examples and all(map(pattern.match, examples)):
            return right
    return kind


def _from_examples(examples: tuple[str, ...]) -> Kind:
    """Return what examples alone can show: coordinates by their range, codes by a leading zero."""
    if examples and all(map(_LONGITUDE.match, examples)):
        return "longitude"
    if examples and all(map(_LATITUDE.match, examples)):
        return "latitude"
    if examples and all(e.isdigit() and len(e) > 1 for e in examples) and any(e.startswith("0") for e in examples):
        return "code"
    return "unknown"


@lru_cache(maxsize=_MAX_CACHED)
def strip_brackets(label: str) -> str:
    """Return `label` without bracketed remarks, trailing notes and particles: "병원명(UTF-8)" gives "병원명"."""
    text = _SETTING.sub("", label.translate(_WIDE)) or label
    text = re.sub(r"\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>", " ", text)
    text = re.split(r"[:,;※\n*=(\[]|\s-\s|\s(?:을|를|와|과|이상|미만|일치|포함)", text.strip() or label)[0]
    return re.sub(r"(?:[\s.·]|_값|\s앞?\d+자리|(?<=[가-힣])임|입니다)+$", "", " ".join(text.split()))


@lru_cache(maxsize=_MAX_CACHED)
def bare_name(name: str) -> str:
    """Return the part of a wire name that says what it is: the column in cond[COLUMN::EQ], the last step of a path.

    Which end of a period is meant ("propose_dt_from") is no part of it.
    """
    inner = re.search(r"\[([^\[\]:]+)::?\w*\]", name)
    last = inner.group(1) if inner else re.sub(r"\[\d*\]", "", name).rpartition(".")[2]
    return _BOUND.sub(r"\1", last) or name
