"""a uniform catalogue (one row a service: code, parameters, fields) -> tools, whatever its columns are called."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from edge.errors import SpecError
from edge.specs.building import Notice, ParameterDraft, Reading, Refused, Skip, build_output, build_parameters
from edge.specs.catalogue_entries import drafts_of, fields_of
from edge.specs.catalogue_words import rows_of, value_of
from edge.specs.documents import Document, first_text, mapping_of, text_of
from edge.specs.file_models import CatalogueBlock, checked
from edge.specs.methods import NO_ANSWER, STANDARD, reads
from edge.specs.model import Auth, Profile, Tool
from edge.specs.plain import Plain
from edge.specs.profiles import Facts, ProfileBook, key_variable, profile_of, spec_hash
from edge.specs.shapes import Shape
from edge.specs.typing import Evidence
from edge.specs.urls import base_of, join, placeholders
from edge.specs.wiring import fill_hidden, with_key, with_paging, with_records

_Named = TypeVar("_Named")
_NOWHERE = CatalogueBlock(base_url="https://host.invalid")  # of rows that name their own address
_FORMATS = frozenset({"json", "xml", "kr", "ko", "en"})  # steps of a path that no operation is called by
_RECORDS = re.compile(r"\$?\.?((?:[\w-]+(?:\[\d+\])?)(?:\.[\w-]+(?:\[\d+\])?)*)(?:\[\*?\])?(?:\s.*)?")


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where the rows live that do not say so themselves. `facts` is None where each row must; `assumed` is why here."""

    book: ProfileBook
    beside: Facts | None
    facts: Facts | None
    block: CatalogueBlock
    assumed: str = ""


@dataclass(frozen=True, slots=True)
class _Row:
    """One service: what it is called and where it lives."""

    tree: dict[str, Plain]
    code: str
    path: str
    base_url: str
    number: str

    @property
    def label(self) -> str:
        """What the row is reported under."""
        return self.key or self.code or self.number or self.text("title") or "row"

    @property
    def key(self) -> str:
        """The operation key that the row states: a name, not the number of the row."""
        stated = self.text("key")
        return stated if any(map(str.isalpha, stated)) and stated != self.number else ""

    @property
    def named(self) -> str:
        """What a person finds the row by."""
        return " ".join(dict.fromkeys(filter(None, (self.code, self.number, self.text("title"))))) or "a row"

    def text(self, part: str) -> str:
        """Return one column as trimmed text."""
        return text_of(value_of(self.tree, "row", part))


def read_catalogue(document: Document, book: ProfileBook, spec_file: str, beside: Facts | None = None) -> Reading:
    """Return the tools of a catalogue; every row gives one or is skipped with a reason.

    Raises:
        SpecError: nothing says where its services live.
    """
    reading = Reading()
    rows = [_row(row) for row in rows_of(document.tree)]
    origin = _origin(document.tree, [row for row in rows if row], book, beside)
    if origin.assumed:
        reading.notices.append(Notice(spec_file, "", "platform_assumed", origin.assumed))
    for position, row in enumerate(rows):
        if row is None:
            reading.skipped.append(Skip(spec_file, f"[{position}]", "invalid_row", f"row {position} is not a mapping"))
            continue
        try:
            reading.tools.append(_tool(row, origin, document, spec_file, reading.notices))
        except Refused as refusal:
            reading.skipped.append(Skip(spec_file, row.label, refusal.reason, f"{row.named}: {refusal}"))
        except SpecError as error:
            reading.skipped.append(Skip(spec_file, row.label, "invalid_operation", f"{row.named}: {error}"))
    return reading


def _row(node: Plain) -> _Row | None:
    if not isinstance(node, dict):
        return None
    code, path, base_url, number = (text_of(value_of(node, "row", p)) for p in ("code", "path", "base_url", "number"))
    if "://" in path:
        base_url, path = path, "/"
    # What a row with a path calls its operation may be its title; the last fixed step of the path names it on the wire.
    return _Row(node, _last_step(path) or code, path, base_url, number)


def _last_step(path: str) -> str:
    steps = [step for step in path.partition("?")[0].split("/") if step and "{" not in step and step not in _FORMATS]
    return re.sub(r"\.(?:json|xml|do)$", "", steps[-1]) if steps else ""


def _origin(tree: dict[str, Plain], rows: list[_Row], book: ProfileBook, beside: Facts | None) -> _Origin:
    """Return where services without an address live: as the document says, beside it, or where their codes are known.

    Raises:
        SpecError: nothing says so and some row needs it, or the document names a platform without a catalogue.
    """
    stated = first_text({key.casefold(): value for key, value in tree.items()}, ("base_url", "baseurl", "host"))
    if stated:
        base = base_of(stated).url
        return _Origin(book, beside, book.services_or(beside, base), checked(CatalogueBlock, {"base_url": base}))
    named = text_of(value_of(tree, "platform"))
    if named and named not in book.catalogues:
        known = ", ".join(sorted(book.catalogues)) or "none"
        raise SpecError(f"platform {named!r} has no catalogue: block in its profile.yaml (known: {known})")
    facts = book.catalogues.get(named) or beside
    if facts and facts.catalogue:
        return _Origin(book, beside, facts, facts.catalogue)
    codes = frozenset(row.code for row in rows if row.code and not row.base_url)
    facts, number = book.listing(codes)
    if facts and facts.catalogue:
        said = f"no base_url; {number} of {len(codes)} codes are known of {facts.platform}, whose address is taken"
        return _Origin(book, beside, facts, facts.catalogue, said)
    if codes and len(codes) == len({row.code for row in rows if row.code}):
        raise SpecError(
            "nothing says where these services live: add base_url to the document, or put it beside a profile.yaml "
            "with a catalogue: block"
        )
    return _Origin(book, beside, None, _NOWHERE)


def _where(row: _Row, origin: _Origin) -> tuple[Facts, CatalogueBlock]:
    """Return what is known of the platform of a row and of its catalogue."""
    if row.base_url:
        base = base_of(row.base_url)
        if base.scheme not in ("http", "https"):
            raise Refused("no_address", f"{row.base_url} is no http(s) address")
        return origin.book.services_or(origin.beside, base.url), CatalogueBlock(base_url=base.url)
    if origin.facts is None:
        raise Refused("no_address", "neither the row nor the document has a base_url")
    return origin.facts, origin.block


def _tool(row: _Row, origin: _Origin, document: Document, spec_file: str, notices: list[Notice]) -> Tool:
    if not row.code:
        raise Refused("no_service_code", "no code or path says how it is called; add one to call it")
    method = (row.text("method") or "GET").upper()
    if method.lower() not in STANDARD or method.lower() in NO_ANSWER:
        raise Refused("unsupported_method", f"{method!r} has no answer to read")
    facts, block = _where(row, origin)
    url = join(block.base_url, row.path or block.path.replace("{code}", row.code))
    profile, hidden = profile_of(facts.tree)
    drafts = drafts_of(value_of(row.tree, "row", "parameters"), placeholders(url), _fixed_in(url))
    drafts = _once(((draft.evidence.name, draft) for draft in drafts), "parameter", row, spec_file, notices)
    fields = fields_of(value_of(row.tree, "row", "outputs"))
    fields = _once(((field.name, field) for field in fields), "field", row, spec_file, notices)
    profile = _keyed(row, profile, facts, drafts, url)
    drafts += _undeclared(url, profile, drafts)
    if facts.catalogue is None:  # a platform with a catalogue pages all its services alike and lists that nowhere
        profile = with_paging(profile, drafts)
    profile, hidden = fill_hidden(profile, hidden, drafts)
    records = _records(row)
    root = row.text("root") or _root(row, records, block, profile)
    if records and records not in (place.replace("{root}", root) for place in profile.envelope.records):
        profile = with_records(profile, Shape(records, tuple(fields)))
    service = block.service or facts.service or base_of(block.base_url).path.rpartition("/")[2] or profile.platform
    title = " ".join((row.text("title") or text_of(row.tree.get("operation")) or row.code).split())
    return Tool(
        tool_id="",
        operation_key=row.key or block.key.replace("{code}", row.code) or f"{service}.{row.code}",
        platform=profile.platform,
        service=service,
        provider=row.text("provider") or block.provider or facts.provider or profile.title,
        domain=row.text("domain") or block.domain or facts.domain or "unknown",
        title=title[:80],
        description=row.text("description") or title,
        method=method,
        url=url,
        parameters=build_parameters(drafts, url, profile, hidden),
        outputs=tuple(map(build_output, fields)),
        profile=profile,
        root=root,
        spec_file=spec_file,
        spec_hash=spec_hash(facts, document.data),
        read_only=reads(method.lower(), row.path, row.code, title),
    )


def _undeclared(url: str, profile: Profile, drafts: list[ParameterDraft]) -> list[ParameterDraft]:
    """Return parameters for the placeholders that the row does not list; what is no name stays for a refusal."""
    key = (profile.auth.parameter, "KEY") if profile.auth else ()
    known = {*key, *(draft.evidence.name for draft in drafts)}
    names = (name for name in placeholders(url) if name not in known and not re.search(r"\s", name))
    return [ParameterDraft(Evidence(name, required=True), "path") for name in names]


def _fixed_in(url: str) -> frozenset[str]:
    """Return the names that the query of a URL gives a value of its own: /lawSearch.do?target=law fixes "target"."""
    pairs = (pair.partition("=") for pair in url.partition("?")[2].split("&"))
    return frozenset(name for name, _, value in pairs if value and "{" not in value)


def _once(
    named: Iterable[tuple[str, _Named]], what: str, row: _Row, spec_file: str, notices: list[Notice]
) -> list[_Named]:
    """Return what is named, the first of each name; what is dropped is said."""
    kept: dict[str, _Named] = {}
    for name, item in named:
        if kept.setdefault(name, item) is not item:
            detail = f"{what} {name!r} is listed twice; the first is kept"
            notices.append(Notice(spec_file, row.label, f"duplicate_{what}", detail))
    return list(kept.values())


def _keyed(row: _Row, profile: Profile, facts: Facts, drafts: list[ParameterDraft], url: str) -> Profile:
    """Return `profile` with the key where the row has it; an unknown platform's may be in the path."""
    node = value_of(row.tree, "row", "auth")
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


def _records(row: _Row) -> str:
    """Return where the row says its records are, as a dotted path; "" for the root and for what is no such path."""
    found = _RECORDS.fullmatch(row.text("records"))
    return found.group(1) if found else ""


def _root(row: _Row, records: str, block: CatalogueBlock, profile: Profile) -> str:
    """Return the envelope's root name where the platform's envelope has one: as the records show, else the code."""
    templates = [place for place in profile.envelope.records if "{root}" in place]
    for template in templates:
        pattern = re.escape(template).replace(re.escape("{root}"), r"([^.\[]+)")
        if found := re.fullmatch(pattern, records):
            return found.group(1)
    return block.root.replace("{code}", row.code) or (row.code if templates else "")
