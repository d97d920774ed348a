"""paths of a Swagger or OpenAPI document -> tools: what both kinds share, whatever their dialect spells differently."""

from __future__ import annotations

from dataclasses import dataclass, replace

from edge.errors import SpecError
from edge.specs.building import ParameterDraft, Reading, Refused, build_output, build_parameters
from edge.specs.dialects import Dialect
from edge.specs.documents import Document, list_of, mapping_of, text_of
from edge.specs.drafts import check_number
from edge.specs.methods import reads
from edge.specs.model import Location, OutputField, Profile, Tool
from edge.specs.nodes import prose_of, read_schema
from edge.specs.operation_places import Account, Names, Place, places_of
from edge.specs.plain import Plain
from edge.specs.profiles import Facts, ProfileBook, profile_of, spec_hash
from edge.specs.refs import Source, Unresolved
from edge.specs.shapes import Shape, find_shape
from edge.specs.typing import Evidence
from edge.specs.unread import PARAMETER
from edge.specs.urls import Base, join
from edge.specs.wiring import fill_hidden, with_key, with_paging, with_records
from edge.specs.wording import assumption, description_of, is_deprecated, provider_of, said, service_of

_JSON = "application/json"
_PRIORITY: tuple[Location | None, ...] = ("path", "query", "header", "body", None)


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of one base URL."""

    facts: Facts
    profile: Profile
    hidden: frozenset[str]
    spec_hash: str


def read_operations(
    document: Document, book: ProfileBook, spec_file: str, beside: Facts | None, dialect: Dialect
) -> Reading:
    """Return the tools of a document; every operation gives one or is skipped with a reason."""
    return _Reader(document, book, spec_file, beside, dialect).read()


class _Reader:
    """Reads one document."""

    def __init__(
        self, document: Document, book: ProfileBook, spec_file: str, beside: Facts | None, dialect: Dialect
    ) -> None:
        self._document = document
        self._root = document.tree
        self._source = Source(document.tree)
        self._book = book
        self._file = spec_file
        self._beside = beside
        self._dialect = dialect
        self._reading = Reading()
        self._account = Account(spec_file, self._reading)
        self._facts: dict[str, _Known] = {}
        self._outputs: dict[Evidence, OutputField] = {}

    def read(self) -> Reading:
        """Return what the document gives."""
        paths = mapping_of(self._root.get("paths"))
        places = list(places_of(self._source, paths, self._account))
        names = Names(places)
        for place in places:
            try:
                self._source.begin()
                self._reading.tools.append(self._tool(names.own(place, self._account)))
            except Refused as refusal:
                self._account.skip(place.label, refusal.reason, f"{place.at}: {refusal}")
            except Unresolved as error:
                self._account.skip(place.label, "unresolved_ref", str(error))
            except SpecError as error:
                self._account.skip(place.label, "invalid_operation", f"{place.at}: {error}")
        if not paths:
            self._account.skip("", "no_operations", f"{self._file}: paths is empty")
        return self._reading

    def _tool(self, place: Place) -> Tool:
        base = self._base(place)
        known = self._known(base.url)
        facts, profile, hidden = known.facts, known.profile, known.hidden
        drafts, media = self._parameters(place)
        url = join(base.url, place.path)
        profile = with_key(profile, facts, drafts, self._schemes(place.operation), url)
        profile, hidden = fill_hidden(with_paging(profile, drafts), hidden, drafts)
        if media and media != _JSON:
            profile = replace(profile, headers={**profile.headers, "Content-Type": media})
        shape = self._answered(place, profile, hidden, facts.known)
        info = mapping_of(self._root.get("info"))
        title = prose_of(place.operation, ("summary", "description")) or prose_of(place.item, ("summary",))
        title = said(title) or place.name
        service = facts.service or service_of(base, self._file)
        own_name = text_of(place.operation.get("operationId"))
        if is_deprecated(place.operation):
            self._account.notice(place.label, "deprecated", "the document calls it deprecated; its description says so")
        return Tool(
            tool_id="",
            operation_key=f"{service}.{place.name}",
            platform=profile.platform,
            service=service,
            provider=facts.provider or provider_of(info, profile),
            domain=facts.domain or "unknown",
            title=title[:80],
            description=description_of(place.operation, info, title),
            method=place.method.upper(),
            url=url,
            parameters=build_parameters(drafts, url, profile, hidden),
            outputs=tuple(self._output(field) for field in shape.fields),
            profile=with_records(profile, shape, known=facts.known),
            spec_file=self._file,
            spec_hash=known.spec_hash,
            read_only=reads(place.method, place.path, own_name, title),
        )

    def _base(self, place: Place) -> Base:
        """Return where an operation lives: a host that a profile knows, else the first that can be called."""
        bases = self._dialect.bases(self._root, place.item, place.operation)
        whole = [base for base in bases if "host" not in base.assumed]
        known = (base for base in whole if self._book.find(base.url).known) if len(whole) > 1 else iter(())
        base = next(known, next(iter(whole), bases[0]))
        hosts = list(dict.fromkeys(each.host for each in whole))
        if len(hosts) > 1:
            others = ", ".join(host for host in hosts[:6] if host != base.host)
            self._account.notice(
                "", "several_servers", f"{len(hosts)} hosts are given; {base.host} is called, not {others}"
            )
        for what in base.assumed:  # said once a document: it is the document that leaves it out
            self._account.notice("", f"{what}_assumed", f"no {what} given, {assumption(what, base)}")
        return base

    def _known(self, base_url: str) -> _Known:
        if base_url not in self._facts:
            facts = self._book.services_or(self._beside, base_url)
            self._facts[base_url] = _Known(facts, *profile_of(facts.tree), spec_hash(facts, self._document.data))
        return self._facts[base_url]

    def _parameters(self, place: Place) -> tuple[list[ParameterDraft], str]:
        """Return the parameters of path item, operation and body, and the body's media type.

        Wire names are unique in a tool: where a body field is called like a path parameter, the latter stays.
        """
        own, shared = list_of(place.operation.get("parameters")), list_of(place.item.get("parameters"))
        check_number(len(own) + len(shared))
        raw = [(node, f"{place.item_at}/parameters/{i}") for i, node in enumerate(shared)]
        raw += [(node, f"{place.at}/parameters/{i}") for i, node in enumerate(own)]
        stated = self._dialect.parameters(self._source, raw)
        body = self._dialect.body(self._source, place.operation, raw, place.at)
        check_number(len(stated) + len(body.drafts))
        self._remark(place, raw, (*stated, *body.drafts))
        by_place = {(draft.evidence.name, draft.location): draft for draft in (*stated, *body.drafts)}
        kept: dict[str, ParameterDraft] = {}
        for draft in sorted(by_place.values(), key=lambda draft: _PRIORITY.index(draft.location)):
            first = kept.setdefault(draft.evidence.name, draft)
            if first is not draft:
                where = f"{first.location} and {draft.location}"
                detail = f"parameter {draft.evidence.name!r} stands in {where}; only the first is offered"
                self._account.notice(place.label, "parameter_shadowed", detail)
        return [draft for draft in by_place.values() if kept[draft.evidence.name] is draft], body.media

    def _remark(self, place: Place, raw: list[tuple[Plain, str]], drafts: tuple[ParameterDraft, ...]) -> None:
        """Say what parameters have that nobody reads or understands."""
        for node, where in raw:
            parameter = self._source.resolve(node, where)
            self._account.unread(place.label, parameter, PARAMETER, f"parameter {text_of(parameter.get('name'))!r}: ")
        for draft in drafts:
            if draft.unread:
                detail = f"parameter {draft.evidence.name!r}: {draft.unread}"
                self._account.notice(place.label, "unknown_type", detail)

    def _schemes(self, operation: dict[str, Plain]) -> dict[str, Plain]:
        """Return the security schemes an operation may be called with: all, where the document does not say which."""
        declared = self._dialect.schemes(self._root)
        stated = operation["security"] if "security" in operation else self._root.get("security")
        if stated is None:
            return declared
        return {name: declared[name] for each in list_of(stated) for name in mapping_of(each) if name in declared}

    def _answered(self, place: Place, profile: Profile, hidden: frozenset[str], known: bool) -> Shape:
        """Return what comes back; an answer that cannot be followed leaves it to be learned from a live one."""
        try:
            return self._shape(place, profile, hidden, known)
        except Unresolved as error:
            self._account.notice(place.label, "unresolved_answer", f"{error}; what comes back is not known")
            return Shape("", ())

    def _shape(self, place: Place, profile: Profile, hidden: frozenset[str], known: bool) -> Shape:
        answer = self._dialect.answer(self._source, place.operation, place.at, profile.envelope.success)
        if answer is None:
            return Shape("", ())
        node = read_schema(self._source, answer.schema, answer.at, xml=answer.xml)
        shape = find_shape(node, profile, hidden, known=known)
        self._source.spend(len(shape.fields))
        if node.cut:
            detail = f"the answer has too many fields; only the {len(shape.fields)} nearest to its root are kept"
            self._account.notice(place.label, "fields_cut", detail)
        return shape

    def _output(self, field: Evidence) -> OutputField:
        """Return an output; documents describe one field in many operations."""
        if field not in self._outputs:
            self._outputs[field] = build_output(field)
        return self._outputs[field]
