"""the paths of a Swagger or OpenAPI document -> its operations, each with its place and a name of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from itertools import islice

from edge.ids import digest
from edge.specs.building import Notice, Reading, Refused, Skip
from edge.specs.documents import mapping_of, text_of
from edge.specs.methods import NO_ANSWER, STANDARD
from edge.specs.plain import Plain
from edge.specs.refs import Source, Unresolved, one_line, pointer
from edge.specs.unread import OPERATION, PATH_ITEM, misspelled
from edge.specs.wording import name_of_path

_MAX_DOUBTED = 1_000


@dataclass(frozen=True, slots=True)
class Place:
    """One operation and where it stands. `name` is its own, else one made of its path."""

    path: str
    method: str
    at: str
    operation: dict[str, Plain]
    item: dict[str, Plain]
    item_at: str
    name: str

    @property
    def label(self) -> str:
        """The operation as people say it."""
        return f"{self.method.upper()} {self.path}"

    @property
    def call(self) -> str:
        """What is equal for two descriptions of one call, whatever its placeholders are called."""
        return f"{self.method} /{re.sub(r'{[^{}]*}', '{}', self.path).strip('/')}"


@dataclass(slots=True)
class Account:
    """What is told of one document: skips and notices, under its file."""

    file: str
    reading: Reading
    doubted: int = 0  # keys that nobody reads; comparing takes time, and a document may hold millions

    def skip(self, label: str, reason: str, detail: str) -> None:
        """Say that something was not compiled."""
        self.reading.skipped.append(Skip(self.file, one_line(label), reason, one_line(detail)))

    def notice(self, label: str, kind: str, detail: str) -> None:
        """Say what was assumed or changed."""
        self.reading.notices.append(Notice(self.file, one_line(label), kind, one_line(detail)))

    def unread(self, label: str, keys: Iterable[str], known: Set[str], of: str = "") -> None:
        """Say which of some keys look like misspellings of those that are read."""
        unknown = [key for key in islice(keys, _MAX_DOUBTED) if key not in known][: _MAX_DOUBTED - self.doubted]
        self.doubted += len(unknown)
        for doubt in misspelled(unknown, known):
            self.notice(label, "unknown_key", f"{of}{doubt}")


def places_of(source: Source, paths: dict[str, Plain], account: Account) -> Iterator[Place]:
    """Yield the operations of a document; what is none is told."""
    for path, raw in paths.items():
        at = pointer("paths", path)
        try:
            item = source.resolve(raw, at)
        except Unresolved as error:
            account.skip(path, "unresolved_ref", str(error))
            continue
        spelled = {key.lower(): key for key in sorted(item)}  # "GET" where there is no "get"
        found = {key: (item[spelled[key]], f"{at}/{spelled[key]}") for key in STANDARD if key in spelled}
        account.unread(path, (key for key in item if key.lower() not in STANDARD), PATH_ITEM)
        for method, node in mapping_of(item.get("additionalOperations")).items():
            found.setdefault(method.lower(), (node, f"{at}/additionalOperations/{method}"))
        if not found and not path.startswith("x-"):
            account.skip(path, "no_operations", f"{at}: no method")
        for method, (node, where) in found.items():
            operation = _operation(source, node, where, f"{method.upper()} {path}", account)
            if operation is not None:
                name = text_of(operation.get("operationId")) or name_of_path(path, method)
                yield Place(path, method, where, operation, item, at, name)


def _operation(source: Source, node: Plain, where: str, label: str, account: Account) -> dict[str, Plain] | None:
    if not isinstance(node, dict):
        account.skip(label, "invalid_operation", f"{where}: is not a mapping")
        return None
    try:  # no specification allows it, but large documents have an operation to a file
        operation = source.resolve(node, where)
    except Unresolved as error:
        account.skip(label, "unresolved_ref", str(error))
        return None
    account.unread(label, operation, OPERATION)
    return operation


class Names:
    """Which names and calls of a document are taken."""

    def __init__(self, places: Iterable[Place]) -> None:
        """Start with no name taken."""
        self._calls = {(place.method, place.path) for place in places}
        self._taken: dict[str, Place] = {}

    def own(self, place: Place, account: Account) -> Place:
        """Return the operation under a name that no other of the document has.

        Raises:
            Refused: it is described a second time, or has nothing to read.
        """
        if place.method in NO_ANSWER:
            raise Refused("no_answer_body", f"{place.method.upper()} has no answer to read")
        twin = re.sub(r"\.xml$", ".json", place.path)
        if twin != place.path and (place.method, twin) in self._calls:
            raise Refused("format_twin", f"the XML form of {twin}, which is compiled")
        first = self._taken.setdefault(place.name, place)
        if first is place:
            return place
        used = f"operationId {place.name!r} is used by {first.label} and by {place.label}"
        if first.call == place.call:
            raise Refused("duplicate_operation", used)
        name = f"{place.name}_{name_of_path(place.path, place.method)}"
        if name in self._taken:
            name = f"{name}_{digest([place.method, place.path], 6)}"
        place = replace(place, name=name)
        self._taken[name] = place
        account.notice(place.label, "duplicate_operation_id", f"{used}; the second is called {name!r}")
        return place
