"""one row of a catalogue -> how its service is called and found, where its address, key and records are."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from edge.specs.building import ParameterDraft
from edge.specs.catalogue_words import folded, pick
from edge.specs.documents import mapping_of, text_of
from edge.specs.file_models import CatalogueBlock
from edge.specs.model import Auth, Profile
from edge.specs.plain import Plain
from edge.specs.profiles import Facts, key_variable
from edge.specs.typing import Evidence
from edge.specs.urls import placeholders
from edge.specs.wiring import with_key

_FORMATS = frozenset({"json", "xml", "kr", "ko", "en"})  # steps of a path that no operation is called by
_RECORDS = re.compile(r"\$?\.?((?:[\w-]+(?:\[\d+\])?)(?:\.[\w-]+(?:\[\d+\])?)*)(?:\[\*?\])?(?:\s.*)?")


@dataclass(frozen=True, slots=True)
class Row:
    """One service: what it is called and where it lives. `said` are its columns under folded names."""

    said: dict[str, Plain]
    code: str
    path: str
    base_url: str
    number: str
    keys: tuple[str, ...] = ()  # as the document spells them

    @property
    def label(self) -> str:
        """What the row is reported under."""
        return self.key or self.code or self.number or self.text("title") or "row"

    @property
    def key(self) -> str:
        """The operation key that the row states: a name, not the number of the row."""
        stated = self.text("key")
        return stated if any(map(str.isalpha, stated)) else ""

    @property
    def named(self) -> str:
        """What a person finds the row by."""
        return " ".join(dict.fromkeys(filter(None, (self.code, self.number, self.text("title"))))) or "a row"

    def text(self, part: str) -> str:
        """Return one column as trimmed text."""
        return text_of(pick(self.said, "row", part))


def row_of(node: Plain) -> Row | None:
    """Return a row, None for what is no mapping."""
    if not isinstance(node, dict):
        return None
    said = folded(node)
    code, path, base_url, number = (text_of(pick(said, "row", p)) for p in ("code", "path", "base_url", "number"))
    if "://" in path:
        base_url, path = path, "/"
    # What a row with a path calls its operation may be its title; the last fixed step of the path names it on the wire.
    return Row(said, _last_step(path) or code, path, base_url, number, tuple(node))


def _last_step(path: str) -> str:
    steps = [step for step in path.partition("?")[0].split("/") if step and "{" not in step and step not in _FORMATS]
    return re.sub(r"\.(?:json|xml|do)$", "", steps[-1]) if steps else ""


def keyed(row: Row, profile: Profile, facts: Facts, drafts: list[ParameterDraft], url: str) -> Profile:
    """Return `profile` with the key where the row has it; an unknown platform's may be in the path."""
    node = pick(row.said, "row", "auth")
    stated = mapping_of(node) or {"name": node}
    name, place = text_of(stated.get("name")), text_of(stated.get("in")).casefold()
    if not re.fullmatch(r"[\w.-]+", name):
        return with_key(profile, facts, drafts, {}, url)
    if profile.auth is None and not facts.known and place.startswith("path"):
        return replace(profile, auth=Auth(name, "path", key_variable(profile.platform)))
    keyed = with_key(profile, facts, drafts, {"key": {"type": "apiKey", "name": name, "in": place or "query"}}, url)
    if keyed.auth and keyed.auth.parameter.casefold() == name.casefold():
        return replace(keyed, auth=replace(keyed.auth, parameter=name))
    return keyed


def undeclared(url: str, profile: Profile, drafts: list[ParameterDraft]) -> list[ParameterDraft]:
    """Return parameters for the placeholders that the row does not list; what is no name stays for a refusal."""
    key = (profile.auth.parameter, "KEY") if profile.auth else ()
    pages = (profile.paging.page, profile.paging.size) if profile.paging else ()
    known = {*key, *pages, *(draft.evidence.name for draft in drafts)}
    names = (name for name in placeholders(url) if name not in known and not re.search(r"\s", name))
    return [ParameterDraft(Evidence(name, required=True), "path") for name in names]


def fixed_in(url: str) -> frozenset[str]:
    """Return the names that the query of a URL gives a value of its own: /lawSearch.do?target=law fixes "target"."""
    pairs = (pair.partition("=") for pair in url.partition("?")[2].split("&"))
    return frozenset(name for name, _, value in pairs if value and "{" not in value)


def records_of(row: Row) -> str:
    """Return where the row says its records are, as a dotted path; "" for the root and for what is no such path."""
    found = _RECORDS.fullmatch(row.text("records"))
    return found.group(1) if found else ""


def root_of(row: Row, records: str, block: CatalogueBlock, profile: Profile) -> str:
    """Return the envelope's root name where the platform's envelope has one: as the records show, else the code."""
    templates = [place for place in profile.envelope.records if "{root}" in place]
    for template in templates:
        pattern = re.escape(template).replace(re.escape("{root}"), r"([^.\[]+)")
        if found := re.fullmatch(pattern, records):
            return found.group(1)
    return block.root.replace("{code}", row.code) or (row.code if templates else "")
