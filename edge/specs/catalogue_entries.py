"""the parameters and fields of a catalogue row -> drafts: whatever the provider calls their parts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from edge.specs.building import ParameterDraft
from edge.specs.catalogue_words import fold, folded, pick, says_yes, spelled, type_named
from edge.specs.dates import date_pattern
from edge.specs.documents import text_of
from edge.specs.model import EnumValue, Location
from edge.specs.plain import Plain
from edge.specs.typing import Evidence
from edge.specs.unread import misspelled

_MAX_KEYS = 50  # of all entries of a row that are looked at for misspellings; real ones have a dozen
_LABEL_LENGTH = 60
_PROSE_LENGTH = 4_000  # beyond that nobody reads, and searching prose takes time
_LOCATIONS: dict[str, Location] = {
    "query": "query",
    "path": "path",
    "header": "header",
    "body": "body",
    "formdata": "body",
    "form": "body",
}


def drafts_of(node: Plain, places: tuple[str, ...], left_out: frozenset[str]) -> list[ParameterDraft]:
    """Return the parameters of a row. `places` are the placeholders of its path, `left_out` what its query fixes."""
    drafts: list[ParameterDraft] = []
    for entry in map(folded, _entries(node)):
        evidence = _evidence(entry)
        if not evidence.name or evidence.name in left_out:
            continue
        word = "".join(filter(str.isalpha, _text(entry, "location").casefold()))
        location = "path" if evidence.name in places else _LOCATIONS.get(word)
        if location == "path" and evidence.name not in places:
            location = None  # the path has no place for it; the query is where it may still be read
        word = _text(entry, "type")
        unread = f"type {word!r} is not known; string is taken" if word and evidence.type is None else ""
        drafts.append(ParameterDraft(evidence, location, unread=unread))
    return drafts


def fields_of(node: Plain) -> list[Evidence]:
    """Return the fields of a row's records; those without a name are left out."""
    return [evidence for entry in _entries(node) if (evidence := _evidence(folded(entry))).name]


def misspellings(node: Plain) -> Iterator[str]:
    """Yield what is to be said of the keys of entries that nobody reads, each once."""
    keys = {key: None for entry in _entries(node) for key in entry}
    return misspelled(islice(keys, _MAX_KEYS), spelled("entry"), fold)


def _entries(node: Plain) -> Iterator[dict[str, Plain]]:
    """Yield the entries of a list of mappings or names, or of a mapping from names to mappings or descriptions."""
    if isinstance(node, dict):
        for name, entry in node.items():
            yield {**entry, "name": name} if isinstance(entry, dict) else {"name": name, "description": entry}
    elif isinstance(node, list):
        for entry in node:
            if isinstance(entry, dict):
                yield entry
            elif text_of(entry):
                yield {"name": entry}


def _evidence(entry: dict[str, Plain]) -> Evidence:
    """Return what an entry says. An example that is really a form ("YYYYMMDD") or a remark joins the description."""
    label = _text(entry, "label")
    stated = [_text(entry, "description")[:_PROSE_LENGTH]]
    examples: list[str] = []
    raw = pick(entry, "entry", "example")
    for text in filter(None, map(text_of, raw if isinstance(raw, list) else [raw])):
        form = date_pattern(text) or text.startswith("(")
        (stated if form else examples).append(text)
    description = " ".join(part for part in stated if part)
    return Evidence(
        name=_text(entry, "name"),
        label=label or next(iter(stated[0].splitlines()), "")[:_LABEL_LENGTH].strip(),
        description=description,
        examples=tuple(examples),
        type=type_named(_text(entry, "type")),
        enum=_values(pick(entry, "entry", "values")),
        default=_text(entry, "default") or None,
        required=says_yes(pick(entry, "entry", "required")),
        unit=_text(entry, "unit") or None,
    )


def _text(entry: dict[str, Plain], part: str) -> str:
    return text_of(pick(entry, "entry", part))


def _values(node: Plain) -> tuple[EnumValue, ...]:
    """Return allowed values, given as a list or as a mapping from value to label."""
    if isinstance(node, dict):
        return tuple(EnumValue(value, text_of(label) or value) for value, label in node.items())
    texts = [text_of(item) for item in node] if isinstance(node, list) else []
    return tuple(EnumValue(text, text) for text in dict.fromkeys(texts) if text)
