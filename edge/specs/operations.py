"""paths of a Swagger or OpenAPI document -> tools: what both kinds share, whatever their dialect spells differently."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from edge.errors import SpecError
from edge.specs.building import Notice, ParameterDraft, Reading, Refused, Skip, build_output, build_parameters
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
from edge.specs.model import Profile, Tool
from edge.specs.plain import Plain
from edge.specs.profiles import Facts, ProfileBook, profile_of, spec_hash
from edge.specs.shapes import Shape, find_shape, read_schema
from edge.specs.urls import UNKNOWN_HOST, Base, join
from edge.specs.wiring import fill_hidden, with_key, with_paging, with_records


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
            reading.tools.append(_tool(document, place, book, beside, dialect, spec_file, reading.notices))
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
    notices: list[Notice],
) -> Tool:
    if place.method not in ("get", "post"):
        raise Refused("unsupported_method", f"{place.method.upper()} changes state; only GET and POST are called")
    root, operation = document.tree, place.operation
    base = dialect.base(root, operation)
    facts = book.services_or(beside, base.url)
    for what in base.assumed:  # said once a document: it is the document that leaves it out
        notices.append(Notice(spec_file, "", f"{what}_assumed", f"no {what} given, {_assumption(what, base)}"))
    drafts = _parameters(root, place, dialect)
    profile, hidden = profile_of(facts.tree)
    profile = with_key(profile, facts, drafts, dialect.schemes(root))
    profile, hidden = fill_hidden(with_paging(profile, drafts), hidden, drafts)
    url, shape = join(base.url, place.path), _shape(root, place, dialect, profile, hidden)
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
        profile=with_records(profile, shape),
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


def _shape(
    root: dict[str, Plain], place: _Place, dialect: Dialect, profile: Profile, hidden: frozenset[str]
) -> Shape:
    schema, at = dialect.response(root, place.operation, place.at)
    return find_shape(read_schema(root, schema, at), profile, hidden) if schema else Shape("", ())


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
