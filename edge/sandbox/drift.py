"""Declared operations and drift.yaml in, operations out as they are really served: no longer what documents say."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Literal, cast, get_args

from edge.sandbox.catalogue import Change, Operation, Platform, read_yaml

_FILE = Path(__file__).parent / "drift.yaml"

DriftKind = Literal["missing_field", "renamed_field", "changed_type", "required_parameter", "retired"]


@cache
def load_drift() -> tuple[dict[str, str], ...]:
    """Every entry: operation, kind and what it needs. Raises KeyError or ValueError for one that says too little."""
    entries = cast("list[dict[str, object]]", read_yaml(_FILE) or [])
    loaded = tuple({name: str(value) for name, value in entry.items()} for entry in entries)
    for entry in loaded:
        if entry["kind"] not in get_args(DriftKind):
            raise ValueError(f"drift.yaml: {entry['kind']!r} is no kind of drift")
    return loaded


def drifted(platforms: Iterable[Platform]) -> tuple[Platform, ...]:
    """The platforms as served. Raises ValueError for an entry about an operation that nobody declares."""
    by_operation: dict[str, list[dict[str, str]]] = {}
    for entry in load_drift():
        by_operation.setdefault(entry["operation"], []).append(entry)
    served: list[Platform] = []
    for platform in platforms:
        operations = tuple(_served(one, by_operation.pop(one.id, [])) for one in platform.operations)
        served.append(replace(platform, operations=operations))
    if by_operation:
        raise ValueError(f"drift.yaml: nobody declares {', '.join(sorted(by_operation))}")
    return tuple(served)


def _served(operation: Operation, entries: list[dict[str, str]]) -> Operation:
    for entry in entries:
        match entry["kind"]:
            case "retired":
                operation = replace(operation, retired=True)
            case "required_parameter":
                operation = replace(operation, required=(*operation.required, entry["parameter"]))
            case _:
                name = "" if entry["kind"] == "missing_field" else entry.get("to", entry["field"])
                change = Change(entry["field"], name, entry.get("fn", ""))
                operation = replace(operation, changes=(*operation.changes, change))
    return operation
