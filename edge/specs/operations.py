"""paths of a Swagger or OpenAPI document -> tools: what both kinds share, whatever their dialect spells differently."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from edge.errors import SpecError
from edge.specs.building import ParameterDraft, Reading, Refused, Skip, build_output, build_parameters
from edge.specs.documents import (
    METHODS,
    Document,
    Unresolved,
    first_text,
    list_of,
    mapping_of,
    pointer,
    resolve,
    text_of,
)
from edge.specs.model import Auth, Location, Profile, Tool
from edge.specs.plain import Plain
from edge.specs.profiles import Facts, ProfileBook, key_variable, profile_of, spec_hash
from edge.specs.prose import enumeration
from edge.specs.shapes import Shape, find_shape, read_schema
from edge.specs.urls import UNKNOWN_HOST, Base, join

# How the parameter that carries a key is called where a document declares no security scheme.
_KEY_NAME = re.compile(r"(?i)^(?:(?:service|auth|api|access|app|crtfc|confm|open_?api)_?key|apikey|key)$")


class Dialect(Protocol):
    """What differs between Swagger 2.0 and OpenAPI 3.x."""

    def base(self, root: dict[str, Plain], operation: dict[str, Plain]) -> Base:
        """Return where an operation lives."""
        ...

    def parameters(self, root: dict[str, Plain], raw: list[tuple[Plain, str]], at: str) -> list[ParameterDraft]:
        """Return the parameters of an operation from the raw entries, each with its JSON pointer."""
        ...

    def body(self, root: dict[str, Plain], operation: dict[str, Plain], at: str) -> list[ParameterDraft]:
        """Return the parameters that go into the request body."""
        ...

    def response(self, root: dict[str, Plain], operation: dict[str, Plain], at: str) -> tuple[Plain, str]:
        """Return the schema of a successful answer and its JSON pointer; (None, "") where none is given."""
        ...

    def schemes(self, root: dict[str, Plain]) -> dict[str, Plain]:
        """Return the declared security schemes."""
        ...


@dataclass(frozen=True, slots=True)
class _Place:
    """One operation and where it stands."""

    path: str
    method: str
    at: str
    operation: dict[str, Plain]
    shared: list[Plain]  # the parameters of the path item
    item_at: str

    @property
    def name(self) -> str:
        """The operation's own name, else one made of its path."""
        steps = "_".join(re.findall(r"[^/{}]+", self.path)) or "root"
        unnamed = steps if self.method == "get" else f"{self.method}_{steps}"
        return text_of(self.operation.get("operationId")) or unnamed


def read_operations(
    document: Document, book: ProfileBook, spec_file: str, beside: Facts | None, dialect: Dialect
) -> Reading:
    """Return the tools of a document; every operation gives one or is skipped with a reason."""
    reading = Reading()
    taken: dict[str, _Place] = {}
    paths = mapping_of(document.tree.get("paths"))
    for place in _places(document.tree, paths, spec_file, reading):
        label = f"{place.method.upper()} {place.path}"
        first = taken.setdefault(place.name, place)
        twin = re.sub(r"\.xml$", ".json", place.path)
        try:
            if first is not place:
                raise Refused(
                    "duplicate_operation",
                    f"operationId {place.name!r} is used by {first.method.upper()} {first.path} and by {label}",
                )
            if twin != place.path and twin in paths:
                raise Refused("format_twin", f"the XML form of {twin}, which is compiled")
            reading.tools.append(_tool(document, place, book, beside, dialect, spec_file, reading.warnings))
        except Refused as refusal:
            reading.skipped.append(Skip(spec_file, label, refusal.reason, f"{place.at}: {refusal}"))
        except Unresolved as error:
            reading.skipped.append(Skip(spec_file, label, "unresolved_ref", str(error)))
        except SpecError as error:
            reading.skipped.append(Skip(spec_file, label, "invalid_operation", f"{place.at}: {error}"))
    if not paths:
        reading.skipped.append(Skip(spec_file, "", "no_operations", f"{spec_file}: paths is empty"))
    return reading


def _places(
    root: dict[str, Plain], paths: dict[str, Plain], spec_file: str, reading: Reading
) -> Iterator[_Place]:
    for path, raw in paths.items():
        at = pointer("paths", path)
        try:
            item = resolve(root, raw, at)
        except Unresolved as error:
            reading.skipped.append(Skip(spec_file, path, "unresolved_ref", str(error)))
            continue
        methods = [method for method in METHODS if isinstance(item.get(method), dict)]
        if not methods and not path.startswith("x-"):
            reading.skipped.append(Skip(spec_file, path, "no_operations", f"{at}: no method"))
        for method in methods:
            operation = mapping_of(item[method])
            yield _Place(path, method, f"{at}/{method}", operation, list_of(item.get("parameters")), at)


def _tool(
    document: Document,
    place: _Place,
    book: ProfileBook,
    beside: Facts | None,
    dialect: Dialect,
    spec_file: str,
    warnings: list[str],
) -> Tool:
    if place.method not in ("get", "post"):
        raise Refused("unsupported_method", f"{place.method.upper()} changes state; only GET and POST are called")
    root, operation = document.tree, place.operation
    base = dialect.base(root, operation)
    facts = book.services_or(beside, base.url)
    warnings.extend(f"{spec_file}: no {what} given, {_assumption(what, base)}" for what in base.assumed)
    drafts = _parameters(root, place, dialect)
    profile, hidden = profile_of(facts.tree)
    profile = _with_key(profile, facts, drafts, dialect.schemes(root))
    profile, hidden = _fill_hidden(_with_paging(profile, drafts), hidden, drafts)
    url = join(base.url, place.path)
    shape = _shape(root, place, dialect, profile, hidden)
    info = mapping_of(root.get("info"))
    title = first_text(operation, ("summary", "description")) or place.name
    service = facts.service or _service_of(base, spec_file)
    return Tool(
        tool_id="",
        operation_key=f"{service}.{place.name}",
        platform=profile.platform,
        service=service,
        provider=facts.provider or _provider(info, profile),
        domain=facts.domain or "unknown",
        title=" ".join(title.split())[:80],
        description=_description(operation, info, title),
        method=place.method.upper(),
        url=url,
        parameters=build_parameters(drafts, url, profile, hidden),
        outputs=tuple(build_output(field) for field in shape.fields),
        profile=_with_records(profile, shape),
        spec_file=spec_file,
        spec_hash=spec_hash(facts, document.data),
    )


def _assumption(what: str, base: Base) -> str:
    return f"{base.scheme} is assumed" if what == "scheme" else f"{UNKNOWN_HOST} stands for it: add the host to call it"


def _parameters(root: dict[str, Plain], place: _Place, dialect: Dialect) -> list[ParameterDraft]:
    """Return the parameters of the path item and the operation; the operation's replace those of the same name."""
    own = list_of(place.operation.get("parameters"))
    raw = [(node, f"{place.item_at}/parameters/{i}") for i, node in enumerate(place.shared)]
    raw += [(node, f"{place.at}/parameters/{i}") for i, node in enumerate(own)]
    drafts = [*dialect.parameters(root, raw, place.at), *dialect.body(root, place.operation, place.at)]
    return list({draft.evidence.name: draft for draft in drafts}.values())


def _with_key(
    profile: Profile, facts: Facts, drafts: list[ParameterDraft], schemes: dict[str, Plain]
) -> Profile:
    """Return `profile` with the key where the document has it: its spelling ("ServiceKey") outranks the platform's."""
    names: dict[str, Location | None] = {draft.evidence.name: draft.location for draft in drafts}
    if profile.auth:
        same = next((n for n in names if n.casefold() == profile.auth.parameter.casefold()), profile.auth.parameter)
        return replace(profile, auth=replace(profile.auth, parameter=same))
    if facts.known:
        return profile
    variable = key_variable(profile.platform)
    declared = [mapping_of(s) for s in schemes.values() if text_of(mapping_of(s).get("type")) == "apiKey"]
    in_query = sorted(declared, key=lambda scheme: text_of(scheme.get("in")) != "query")
    if in_query and text_of(in_query[0].get("in")) in ("query", "header"):
        location: Location = "header" if text_of(in_query[0].get("in")) == "header" else "query"
        return replace(profile, auth=Auth(text_of(in_query[0].get("name")), location, variable))
    named = next((name for name in names if _KEY_NAME.match(name)), None)
    if named is None:
        return profile
    place: Location = names[named] or "query"
    return replace(profile, auth=Auth(named, place, variable))


def _with_paging(profile: Profile, drafts: list[ParameterDraft]) -> Profile:
    """Return `profile` without paging where the operation does not declare the page parameter."""
    names = {draft.evidence.name for draft in drafts}
    return profile if profile.paging is None or profile.paging.page in names else replace(profile, paging=None)


def _fill_hidden(
    profile: Profile, hidden: frozenset[str], drafts: list[ParameterDraft]
) -> tuple[Profile, frozenset[str]]:
    """Return the profile with values for hidden parameters that the document requires, and what stays hidden.

    A format switch is set to JSON where its prose knows JSON; what has no value is offered to the model after all.
    """
    # One document writes "Type", the next "type"; the platform's list means both.
    folded = {name.casefold() for name in hidden}
    hidden |= {draft.evidence.name for draft in drafts if draft.evidence.name.casefold() in folded}
    served = {profile.paging.page, profile.paging.size} if profile.paging else set[str]()
    served |= {profile.auth.parameter} if profile.auth else set()
    fixed = dict(profile.fixed)
    shown: set[str] = set()
    for draft in drafts:
        stated = draft.evidence
        if stated.name in fixed or stated.name in served or stated.name not in hidden or not stated.required:
            continue
        value = _hidden_value(draft)
        if value is None:
            shown.add(stated.name)
        else:
            fixed[stated.name] = value
    return replace(profile, fixed=fixed), (hidden | served) - shown


def _hidden_value(draft: ParameterDraft) -> str | None:
    stated = draft.evidence
    text = f"{stated.label} {stated.description}"
    values = [value.value for value in stated.enum or enumeration(text)]
    spelled = next((word for word in (*values, *re.findall(r"(?i)json", text)) if word.casefold() == "json"), None)
    return spelled or stated.default or next(iter((*stated.examples, *values)), None)


def _shape(
    root: dict[str, Plain], place: _Place, dialect: Dialect, profile: Profile, hidden: frozenset[str]
) -> Shape:
    schema, at = dialect.response(root, place.operation, place.at)
    return find_shape(read_schema(root, schema, at), profile, hidden) if schema else Shape("", ())


def _with_records(profile: Profile, shape: Shape) -> Profile:
    """Return `profile` with the documented place of records after the platform's own, which live answers follow."""
    known = profile.envelope.records
    if not shape.records:
        return profile
    wrapped = () if shape.records.startswith("response.") else (f"response.{shape.records}",)
    added = tuple(place for place in (shape.records, *wrapped) if place not in known)
    return replace(profile, envelope=replace(profile.envelope, records=known + added))


def _service_of(base: Base, spec_file: str) -> str:
    """Return the service: the last step of the base path, else the file's own name."""
    last = base.path.rpartition("/")[2]
    return last or re.sub(r"\.[^./]+$", "", spec_file)


def _provider(info: dict[str, Plain], profile: Profile) -> str:
    """Return who provides the service; the portal titles its documents "institution_service"."""
    institution, mark, _ = text_of(info.get("title")).partition("_")
    return institution if mark else text_of(mapping_of(info.get("contact")).get("name")) or profile.title


def _description(operation: dict[str, Plain], info: dict[str, Plain], title: str) -> str:
    service = text_of(info.get("title")).rpartition("_")[2]
    parts = [title, text_of(operation.get("description")), f"({service})" if service else ""]
    return " ".join(dict.fromkeys(" ".join(part.split()) for part in parts if part))
