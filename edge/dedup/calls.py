"""Calls as JSON -> what plan they follow and with which values, whatever their order and ids."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import orjson

from edge.ids import Json, digest


@dataclass(frozen=True, slots=True)
class CallKeys:
    """Keys of a call graph: without values, with them, and the values in words."""

    plan: str
    arguments: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Call:
    name: str
    tool: str
    arguments: Mapping[str, object]
    bound: Mapping[str, tuple[str, str]]  # parameter -> call it comes from, and what of it

    @property
    def needs(self) -> set[str]:
        return {source for source, _ in self.bound.values()}


def calls_keys(calls: Sequence[object]) -> CallKeys | None:
    """Return the keys of a list of calls; None where it is none, or calls wait for one another in a circle.

    A Merkle hash over the call graph: a call's hash covers its tool, its arguments (names alone, or with values), and
    for those that come from another call the hash of that call and what is taken of it. Order and ids of calls do not
    count. Read are the calls of this project (`golden_calls`: tool, arguments, references) and of OpenAI messages
    (function: name, arguments), where an argument that names another call (`$c1.records[0].code`) comes from it.
    """
    read = [_read(place, call) for place, call in enumerate(calls)]
    found = [call for call in read if call is not None]
    if not found or len(found) < len(read) or len({call.name for call in found}) < len(found):
        return None
    bare, full = _hashes(found, stated=False), _hashes(found, stated=True)
    if bare is None or full is None:
        return None
    return CallKeys(digest(sorted(bare.values())), digest(sorted(full.values())), _values(found))


def _values(calls: Sequence[_Call]) -> tuple[str, ...]:
    told = {f"{c.tool}.{name}={_word(v)}" for c in calls for name, v in c.arguments.items() if name not in c.bound}
    return tuple(sorted(told))


def _hashes(calls: Sequence[_Call], *, stated: bool) -> dict[str, str] | None:
    hashes: dict[str, str] = {}
    left = list(calls)
    while left:
        ready = [call for call in left if call.needs <= hashes.keys()]
        if not ready:
            return None
        for call in ready:
            arguments: list[Json] = []
            for name in sorted({*call.arguments, *call.bound}):
                if name in call.bound:
                    source, path = call.bound[name]
                    arguments.append([name, hashes[source], path])
                else:
                    arguments.append([name, _word(call.arguments[name])] if stated else [name])
            hashes[call.name] = digest([call.tool, arguments])
        left = [call for call in left if call.name not in hashes]
    return hashes


def _read(place: int, call: object) -> _Call | None:
    if not isinstance(call, dict):
        return None
    given = cast("dict[str, object]", call)
    inner = given.get("function")
    said = cast("dict[str, object]", inner) if isinstance(inner, dict) else given
    tool = said.get("tool") or said.get("name")
    arguments: object = said.get("arguments") or None
    if isinstance(arguments, str):
        try:
            arguments = cast("object", orjson.loads(arguments))
        except orjson.JSONDecodeError:
            return None
    arguments = {} if arguments is None else arguments
    if not isinstance(tool, str) or not isinstance(arguments, dict):
        return None
    typed = cast("dict[str, object]", arguments)
    return _Call(str(given.get("id") or f"#{place}"), tool, typed, {**_named(typed), **_referred(given)})


def _named(arguments: Mapping[str, object]) -> dict[str, tuple[str, str]]:
    """Return the arguments that name another call and a path into its answer."""
    found: dict[str, tuple[str, str]] = {}
    for name, value in arguments.items():
        match = re.fullmatch(r"\$\{?([\w-]+)\.([^}]+)\}?", value) if isinstance(value, str) else None
        if match:
            found[name] = (match[1], match[2])
    return found


def _referred(call: Mapping[str, object]) -> dict[str, tuple[str, str]]:
    listed = call.get("references")
    found: dict[str, tuple[str, str]] = {}
    for one in cast("list[object]", listed) if isinstance(listed, list) else []:
        if isinstance(one, dict):
            told = cast("dict[str, object]", one)
            taken = [told.get("path"), told.get("transform"), told.get("record")]
            found[str(told.get("parameter"))] = (str(told.get("call")), orjson.dumps(taken).decode())
    return found


def _word(value: object) -> str:
    return value if isinstance(value, str) else orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
