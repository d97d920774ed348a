"""declarations/*.yaml in, typed platforms and operations out, with a route for each path."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal, cast

import yaml

_FOLDER = Path(__file__).parent / "declarations"

# The C loader is ten times as fast and reads the same; a start of the sandbox is mostly this.
_LOADER = cast("type[yaml.SafeLoader]", getattr(yaml, "CSafeLoader", yaml.SafeLoader))

Match = Literal["equals", "contains", "prefix", "range_from", "range_to", "before", "one_of", "within"]


@dataclass(frozen=True, slots=True)
class Key:
    """Where the credential travels: in the query, a header (after `prefix`) or a path placeholder."""

    names: tuple[str, ...] = ()
    place: Literal["query", "header", "path", "none"] = "query"
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Paging:
    """Page-and-size parameters, or start-and-end ones (`style: offset`), or no paging at all (`style: none`).

    A page size above `max` is cut without a word, or refused where the platform says so (`beyond: refuse`).
    """

    page: str = "pageNo"
    size: str = "numOfRows"
    default: int = 10
    max: int = 1000
    style: Literal["page", "offset", "none"] = "page"
    refuses: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """One parameter against one column; `convert` names a column function applied to the parameter first."""

    column: str
    match: Match = "equals"
    convert: str = ""


@dataclass(frozen=True, slots=True)
class Near:
    """Rows by distance from a point: parameter names for degrees and metres, and the unit of the answer."""

    x: str
    y: str
    radius: str = ""
    default_m: float = 500.0
    into: str = "distance_m"


@dataclass(frozen=True, slots=True)
class Field:
    """One output field: a column (through a named function), or a constant."""

    column: str = ""
    function: str = ""
    constant: str | int | float | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a documented field: another name ("" when it is no longer sent), a function over its value."""

    field: str
    name: str
    function: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """The format parameter of a platform: `param` equal to `json` (any case) switches the default.

    `others` are spellings that the platform takes as well, without saying so.
    """

    param: str = ""
    default: Literal["xml", "json"] = "xml"
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Operation:
    """One callable operation; rows come from a table, from parts of one, or from a Python view.

    `method` is "" where the platform takes any; `changes` and `retired` come from drift.yaml alone.
    """

    id: str
    host: str
    path: str
    pattern: re.Pattern[str] | None
    envelope: str
    options: Mapping[str, str]
    key: Key
    paging: Paging
    format: Format
    table: str = ""
    parts: tuple[str, ...] = ()
    view: str = ""
    required: tuple[str, ...] = ()
    fixed: Mapping[str, str] = field(default_factory=dict[str, str])
    filters: Mapping[str, Filter] = field(default_factory=dict[str, Filter])
    where: Mapping[str, str] = field(default_factory=dict[str, str])
    near: Near | None = None
    sort: tuple[str, ...] = ()
    fields: tuple[tuple[str, Field], ...] = ()
    method: str = ""
    changes: tuple[Change, ...] = ()
    retired: bool = False


@dataclass(frozen=True, slots=True)
class Platform:
    """A host with its operations; `options` and `envelope` also serve paths that no operation has."""

    name: str
    host: str
    envelope: str
    options: Mapping[str, str]
    key: Key
    format: Format
    operations: tuple[Operation, ...]


Node = dict[str, object]


def read_yaml(file: Path) -> object:
    """What a data file of the package holds."""
    return yaml.load(file.read_text(encoding="utf-8"), Loader=_LOADER)  # noqa: S506 - both loaders are safe


def _node(value: object) -> Node:
    return cast("Node", value) if isinstance(value, dict) else {}


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(str(item) for item in cast("list[object]", value))
    return (str(value),) if value else ()


def _texts(value: object) -> dict[str, str]:
    return {str(k): "" if v is None else str(v) for k, v in _node(value).items()}


def _compile(path: str) -> re.Pattern[str] | None:
    """`/api/{KEY}/{START}/{END}/{LINE?}` as a pattern; None for a path without placeholders."""
    if "{" not in path:
        return None
    pattern = re.sub(r"/\\{(\w+)\\\?\\}", r"(?:/(?P<\1>[^/]*))?", re.escape(path))
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", pattern)
    return re.compile(f"{pattern}/?")


def _key(node: Node) -> Key:
    place = cast("Literal['query', 'header', 'path', 'none']", str(node.get("in", "query")))
    return Key(_names(node.get("name")), place, str(node.get("prefix", "")))


def _paging(value: object) -> Paging:
    if value == "none":
        return Paging(style="none")
    node = _node(value)
    return Paging(
        page=str(node.get("page", node.get("start", "pageNo"))),
        size=str(node.get("size", node.get("end", "numOfRows"))),
        default=int(str(node.get("default", 10))),
        max=int(str(node.get("max", 1000))),
        style="offset" if "start" in node else "page",
        refuses=node.get("beyond") == "refuse",
    )


def _filter(value: object) -> Filter:
    if not isinstance(value, dict):
        return Filter(str(value))
    node = _node(cast("object", value))
    return Filter(str(node["column"]), cast("Match", str(node.get("match", "equals"))), str(node.get("convert", "")))


def _field(value: object) -> Field:
    if not isinstance(value, dict):
        return Field(column=str(value))
    node = _node(cast("object", value))
    constant = node.get("value")
    if isinstance(constant, str | int | float):
        return Field(constant=constant)
    return Field(column=str(node["column"]), function=str(node.get("fn", "")))


def _near(node: Node) -> Near | None:
    if not node:
        return None
    return Near(
        x=str(node["x"]),
        y=str(node["y"]),
        radius=str(node.get("radius", "")),
        default_m=float(str(node.get("default_m", 500))),
        into=str(node.get("into", "distance_m")),
    )


def _operation(name: str, node: Node, base: Node) -> Operation:
    path = str(base.get("base_path", "")) + str(node["path"])
    return Operation(
        id=name,
        host=str(node.get("host", base["host"])).lower(),
        path=path,
        pattern=_compile(path),
        envelope=str(node.get("envelope", base["envelope"])),
        options=_texts(base.get("options")) | _texts(node.get("options")),
        key=_key(_node(node.get("key", base.get("key", {"in": "none"})))),
        paging=_paging(node.get("paging", base.get("paging"))),
        format=_format(_node(node.get("format", base.get("format")))),
        table=str(node.get("table", "")),
        parts=_names(node.get("parts")),
        view=str(node.get("view", "")),
        required=_names(node.get("required")),
        fixed=_texts(node.get("fixed")),
        filters={k: _filter(v) for k, v in _node(node.get("filters")).items()},
        where=_texts(node.get("where")),
        near=_near(_node(node.get("near"))),
        sort=_names(node.get("sort")),
        fields=tuple((k, _field(v)) for k, v in _node(node.get("fields")).items()),
        method=str(node.get("method", "")),
    )


def _format(node: Node) -> Format:
    first, *others = _names(node.get("param")) or ("",)
    return Format(first, "json" if node.get("default") == "json" else "xml", tuple(others))


def _inherit(operations: Node, name: str) -> Node:
    # `like: other` lets an operation take over everything it does not say itself.
    node = _node(operations[name])
    parent = node.get("like")
    if parent is None:
        return node
    inherited = _inherit(operations, str(parent))
    # Fields add up, since siblings answer much the same; filters do not, since they ask by different parameters.
    return inherited | node | {"fields": _node(inherited.get("fields")) | _node(node.get("fields"))}


@cache
def load_platforms() -> tuple[Platform, ...]:
    """Every declaration file of the package, in name order. Raises KeyError where a required entry is missing."""
    platforms: list[Platform] = []
    for file in sorted(_FOLDER.glob("*.yaml")):
        base = _node(read_yaml(file))
        operations = _node(base.get("operations"))
        loaded = tuple(_operation(name, _inherit(operations, name), base) for name in operations)
        probe = _operation("", {"path": ""}, base)
        platforms.append(
            Platform(
                name=str(base.get("platform", file.stem)),
                host=probe.host,
                envelope=probe.envelope,
                options=probe.options,
                key=probe.key,
                format=probe.format,
                operations=loaded,
            )
        )
    return tuple(platforms)
