"""a uniform catalogue (one row a service: code, parameters, fields) -> tools, whatever its columns are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from edge.errors import SpecError
from edge.specs.building import Notice, ParameterDraft, Reading, Refused, Skip, build_output, build_parameters
from edge.specs.catalogue_entries import drafts_of, fields_of, misspellings
from edge.specs.catalogue_rows import Row, fixed_in, keyed, records_of, root_of, row_of, undeclared
from edge.specs.catalogue_words import fold, folded, pick, rows_of, spelled
from edge.specs.documents import Document, text_of
from edge.specs.file_models import CatalogueBlock, checked
from edge.specs.methods import NO_ANSWER, STANDARD, reads
from edge.specs.model import Profile, Tool
from edge.specs.plain import Plain
from edge.specs.profiles import Facts, ProfileBook, profile_of, spec_hash
from edge.specs.shapes import Shape
from edge.specs.unread import misspelled
from edge.specs.urls import base_of, join, placeholders
from edge.specs.wiring import fill_hidden, with_paging, with_records
from edge.specs.wording import said

_Named = TypeVar("_Named")
_DOUBTED = 500  # rows whose keys are compared with those that are read; further ones are spelled like them
_NOWHERE = CatalogueBlock(base_url="https://host.invalid")  # of rows that name their own address


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where the rows live that do not say so themselves. `facts` is None where each row must; `assumed` is why here."""

    book: ProfileBook
    beside: Facts | None
    facts: Facts | None
    block: CatalogueBlock
    assumed: str = ""


def read_catalogue(document: Document, book: ProfileBook, spec_file: str, beside: Facts | None = None) -> Reading:
    """Return the tools of a catalogue; every row gives one or is skipped with a reason.

    Raises:
        SpecError: nothing says where its services live.
    """
    reading = Reading()
    rows = [row_of(row) for row in rows_of(document.tree)]
    origin = _origin(document.tree, [row for row in rows if row], book, beside)
    if origin.assumed:
        reading.notices.append(Notice(spec_file, "", "platform_assumed", origin.assumed))
    for position, row in enumerate(rows):
        if row is None:
            reading.skipped.append(Skip(spec_file, f"[{position}]", "invalid_row", f"row {position} is not a mapping"))
            continue
        if position < _DOUBTED:
            reading.notices.extend(_doubts(row, spec_file))
        try:
            reading.tools.append(_tool(row, origin, document, spec_file, reading.notices))
        except Refused as refusal:
            reading.skipped.append(Skip(spec_file, row.label, refusal.reason, f"{row.named}: {refusal}"))
        except SpecError as error:
            reading.skipped.append(Skip(spec_file, row.label, "invalid_operation", f"{row.named}: {error}"))
    return reading


def _doubts(row: Row, spec_file: str) -> Iterator[Notice]:
    """Yield what is to be said of the keys of a row and its entries that nobody reads."""
    for doubt in misspelled(row.keys[:50], spelled("row"), fold):
        yield Notice(spec_file, row.label, "unknown_key", doubt)
    for part in ("parameters", "outputs"):
        for doubt in misspellings(pick(row.said, "row", part)):
            yield Notice(spec_file, row.label, "unknown_key", f"in {part}: {doubt}")


def _origin(tree: dict[str, Plain], rows: list[Row], book: ProfileBook, beside: Facts | None) -> _Origin:
    """Return where services without an address live: as the document says, beside it, or where their codes are known.

    Raises:
        SpecError: nothing says so and some row needs it, or the document names a platform without a catalogue.
    """
    said = folded(tree)
    stated = text_of(pick(said, "base_url"))
    if stated:
        base = base_of(stated).url
        return _Origin(book, beside, book.services_or(beside, base), checked(CatalogueBlock, {"base_url": base}))
    named = text_of(pick(said, "platform"))
    if named and named not in book.catalogues:
        known = ", ".join(sorted(book.catalogues)) or "none"
        raise SpecError(f"platform {named!r} has no catalogue: block in its profile.yaml (known: {known})")
    facts = book.catalogues.get(named) or beside
    if facts and facts.catalogue:
        return _Origin(book, beside, facts, facts.catalogue)
    codes = frozenset(row.code for row in rows if row.code and not row.base_url)
    facts, number = book.listing(codes)
    if facts and facts.catalogue:
        why = f"no base_url; {number} of {len(codes)} codes are known of {facts.platform}, whose address is taken"
        return _Origin(book, beside, facts, facts.catalogue, why)
    if codes and len(codes) == len({row.code for row in rows if row.code}):
        raise SpecError(
            "nothing says where these services live: add base_url to the document, or put it beside a profile.yaml "
            "with a catalogue: block"
        )
    return _Origin(book, beside, None, _NOWHERE)


def _where(row: Row, origin: _Origin) -> tuple[Facts, CatalogueBlock]:
    """Return what is known of the platform of a row and of its catalogue."""
    if row.base_url:
        base = base_of(row.base_url)
        if base.scheme not in ("http", "https"):
            raise Refused("no_address", f"{row.base_url} is no http(s) address")
        return origin.book.services_or(origin.beside, base.url), CatalogueBlock(base_url=base.url)
    if origin.facts is None:
        raise Refused("no_address", "neither the row nor the document has a base_url")
    return origin.facts, origin.block


def _tool(row: Row, origin: _Origin, document: Document, spec_file: str, notices: list[Notice]) -> Tool:
    if not row.code:
        raise Refused("no_service_code", "no code or path says how it is called; add one to call it")
    method = (row.text("method") or "GET").upper()
    if method.lower() not in STANDARD or method.lower() in NO_ANSWER:
        raise Refused("unsupported_method", f"{method!r} has no answer to read")
    facts, block = _where(row, origin)
    url = join(block.base_url, row.path or block.path.replace("{code}", row.code))
    fields = fields_of(pick(row.said, "row", "outputs"))
    fields = _once(((field.name, field) for field in fields), "field", row, spec_file, notices)
    drafts, profile, hidden = _wired(row, facts, url, spec_file, notices)
    records = records_of(row)
    root = row.text("root") or root_of(row, records, block, profile)
    if records and records not in (place.replace("{root}", root) for place in profile.envelope.records):
        profile = with_records(profile, Shape(records, tuple(fields)), known=facts.known)
    service = block.service or facts.service or base_of(block.base_url).path.rpartition("/")[2] or profile.platform
    title = said(row.text("title")) or row.text("code") or row.code
    return Tool(
        tool_id="",
        operation_key=row.key or block.key.replace("{code}", row.code) or f"{service}.{row.code}",
        platform=profile.platform,
        service=service,
        provider=row.text("provider") or block.provider or facts.provider or profile.title,
        domain=row.text("domain") or block.domain or facts.domain or "unknown",
        title=title[:80],
        description=said(row.text("description")) or title,
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


def _wired(
    row: Row, facts: Facts, url: str, spec_file: str, notices: list[Notice]
) -> tuple[list[ParameterDraft], Profile, frozenset[str]]:
    """Return the parameters of a row with the profile of its tool and the names that are not offered."""
    places = placeholders(url)
    profile, hidden = profile_of(facts.tree)
    drafts = drafts_of(pick(row.said, "row", "parameters"), places, fixed_in(url))
    drafts = _once(((draft.evidence.name, draft) for draft in drafts), "parameter", row, spec_file, notices)
    profile = keyed(row, profile, facts, drafts, url)
    for draft in drafts:
        if draft.unread:
            detail = f"parameter {draft.evidence.name!r}: {draft.unread}"
            notices.append(Notice(spec_file, row.label, "unknown_type", detail))
    for draft in undeclared(url, profile, drafts):
        drafts.append(draft)
        detail = f"{{{draft.evidence.name}}} of the path is not listed; it is taken as a required parameter"
        notices.append(Notice(spec_file, row.label, "placeholder_undeclared", detail))
    pages_in_path = profile.paging is not None and profile.paging.page in places
    if facts.catalogue is None and not pages_in_path:  # a catalogue's services page alike, which no row mentions
        profile = with_paging(profile, drafts)
    return drafts, *fill_hidden(profile, hidden, drafts)


def _once(
    named: Iterable[tuple[str, _Named]], what: str, row: Row, spec_file: str, notices: list[Notice]
) -> list[_Named]:
    """Return what is named, the first of each name; what is dropped is said."""
    kept: dict[str, _Named] = {}
    for name, item in named:
        if kept.setdefault(name, item) is not item:
            detail = f"{what} {name!r} is listed twice; the first is kept"
            notices.append(Notice(spec_file, row.label, f"duplicate_{what}", detail))
    return list(kept.values())
