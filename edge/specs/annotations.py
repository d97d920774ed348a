"""a type as Python or TypeScript writes it -> JSON Schema, for lists of tools that only name the types of arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from edge.specs.plain import Plain

MAX_LENGTH = 4_000  # of one annotation; the longest real one has 130 characters
_MAX_DEPTH = 12
_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<text>'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|`[^`]*`?)|(?P<number>-?\d+(?:\.\d+)?)"""
    r"""|(?P<name>[^\W\d][\w.$]*)|(?P<mark>=>|[^\s]))""",
    re.DOTALL,
)
_CLOSING: Final = {"[": "]", "<": ">", "(": ")", "{": "}"}
_Schema: TypeAlias = "dict[str, Plain]"
# Names of types, their module left out, in both languages.
_NAMES: Final = {
    "string": "str string bytes Path EmailStr SecretStr",
    "integer": "int integer bigint PositiveInt NonNegativeInt",
    "number": "float number double Decimal PositiveFloat",
    "boolean": "bool boolean true false True False",
    "null": "None NoneType null undefined void never",
    "object": "dict Dict Mapping MutableMapping object Object TypedDict",
    "array": "list List Sequence Iterable array Array tuple set",
}
_FORMATS: Final = {
    "date": "date", "datetime": "date-time", "Date": "date-time", "time": "time", "UUID": "uuid", "AnyUrl": "uri",
    "HttpUrl": "uri", "URL": "uri",
}  # fmt: skip
_TYPES: Final = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_LISTS: Final = frozenset(
    {"list", "List", "Sequence", "Iterable", "Collection", "tuple", "Tuple", "set", "Set", "frozenset", "FrozenSet"}
    | {"Array", "ReadonlyArray", "array"}
)
_MAPPINGS: Final = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "Record", "Map", "defaultdict"})
_SAME: Final = frozenset({"Required", "NotRequired", "ReadOnly", "Final", "Readonly", "Promise", "NonNullable"})


@dataclass(frozen=True, slots=True)
class Annotation:
    """What an annotation says: `schema` ({} for anything), `note` from Annotated, whether None is among the types."""

    schema: _Schema
    note: str = ""
    optional: bool = False


@dataclass(slots=True)
class _Reader:
    """Reads tokens from left to right; what is cut off or unknown stands for anything, nothing is an error."""

    tokens: list[tuple[str, str]]
    at: int = 0
    notes: list[str] = field(default_factory=list[str])

    def peek(self) -> str:
        """Return the next token if it is a mark."""
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        return text if kind == "mark" else ""

    def take(self, mark: str) -> bool:
        """Step over a mark if it comes next."""
        found = self.peek() == mark
        self.at += found
        return found

    def union(self, depth: int) -> list[_Schema]:
        """Read alternatives separated by "|"."""
        self.take("|")
        options = self.postfix(depth)
        while self.take("|"):
            options += self.postfix(depth)
        return options

    def postfix(self, depth: int) -> list[_Schema]:
        """Read one type and the "[]" behind it."""
        options = self.primary(depth)
        while self.peek() == "[" and self.tokens[self.at + 1 : self.at + 2] == [("mark", "]")]:
            self.at += 2
            options = [_array(options)]
        return options

    def primary(self, depth: int) -> list[_Schema]:
        """Read a literal, a name with its arguments, or a type in brackets."""
        if self.at >= len(self.tokens) or depth > _MAX_DEPTH:
            self.at = len(self.tokens) if depth > _MAX_DEPTH else self.at
            return [{}]
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "text":
            return [{"type": "string", "enum": [_unquoted(text)]}]
        if kind == "number":
            return [{"type": "number" if "." in text else "integer", "enum": [text]}]
        if kind == "name":
            return self.named(text.rpartition(".")[2], depth)
        return self.bracketed(text, depth)

    def bracketed(self, mark: str, depth: int) -> list[_Schema]:
        """Read what stands in brackets without a name: a group, a TypeScript tuple or object."""
        if mark == "(":
            options = self.union(depth + 1)
            self.skip_to(")")
            return options
        if mark == "[":
            items = [option for options in self.arguments("]", depth) for option in options]
            return [_array(items)]
        if mark == "{":
            self.skip_to("}")
            return [{"type": "object"}]
        return [{}]

    def named(self, name: str, depth: int) -> list[_Schema]:
        """Read the arguments of a named type and return what it means."""
        opening = self.peek()
        if opening == "(":  # a call says nothing of the type, but may hold a description
            self.at += 1
            self.notes += self.texts_to(")")
            return [{}]
        if opening not in ("[", "<") or self.tokens[self.at + 1 : self.at + 2] == [("mark", "]")]:
            return [_plain(name)]
        self.at += 1
        if name == "Annotated":
            options = self.union(depth + 1)
            self.notes += self.texts_to(_CLOSING[opening])
            return options
        return _generic(name, self.arguments(_CLOSING[opening], depth))

    def arguments(self, closing: str, depth: int) -> list[list[_Schema]]:
        """Read types separated by commas up to a closing mark."""
        found: list[list[_Schema]] = []
        while self.at < len(self.tokens) and not self.take(closing):
            before = self.at
            found.append(self.union(depth + 1))
            if not self.take(",") and self.peek() != closing:
                self.skip_to(closing)
                break
            self.at += self.at == before
        return found

    def skip_to(self, closing: str) -> None:
        """Step behind the mark that closes what is open."""
        self.texts_to(closing)

    def texts_to(self, closing: str) -> list[str]:
        """Step behind the mark that closes what is open and return the texts on the way."""
        texts: list[str] = []
        depth = 0
        while self.at < len(self.tokens):
            kind, text = self.tokens[self.at]
            self.at += 1
            if kind == "text":
                texts.append(_unquoted(text))
            elif kind == "mark" and text == closing and depth == 0:
                break
            elif kind == "mark":
                depth += (text in _CLOSING) - (text in _CLOSING.values())
        return texts


def read_annotation(text: str) -> Annotation:
    """Return what a Python or TypeScript annotation means. Never raises: what cannot be told may be anything.

    "Optional[list[int]]" gives {"type": "array", "items": {"type": "integer"}}, optional;
    'Annotated[str, "a name"]' gives {"type": "string"} with a note; "'a' | 'b'" gives an enumeration.
    """
    if len(text) > MAX_LENGTH:
        return Annotation({})
    tokens = [(str(found.lastgroup), found.group(str(found.lastgroup))) for found in _TOKEN.finditer(text)]
    reader = _Reader(tokens)
    options = reader.union(0)
    present = [option for option in options if option.get("type") != "null"]
    optional = len(present) < len(options)
    return Annotation(_joined(present), " ".join(" ".join(reader.notes).split()), optional)


def _generic(name: str, arguments: list[list[_Schema]]) -> list[_Schema]:
    anything: _Schema = {}
    first = arguments[0] if arguments else [anything]
    if name in ("Optional", "Maybe"):
        return [*first, {"type": "null"}]
    if name in ("Union", "Literal"):
        return [option for options in arguments for option in options] or [anything]
    if name in _SAME:
        return first
    if name in _LISTS:
        return [_array(first)]
    if name in _MAPPINGS:
        values = _joined(arguments[1]) if len(arguments) > 1 else anything
        return [{"type": "object", "additionalProperties": values} if values else {"type": "object"}]
    return [_plain(name)]


def _plain(name: str) -> _Schema:
    """Return what a type without arguments means, {} where it means nothing in particular."""
    if name in _FORMATS:
        return {"type": "string", "format": _FORMATS[name]}
    if _TYPES.get(name) == "array":
        return _array([])
    return {"type": _TYPES[name]} if name in _TYPES else {}


def _array(options: list[_Schema]) -> _Schema:
    return {"type": "array", "items": _joined(options)}


def _joined(options: list[_Schema]) -> _Schema:
    """Return one schema of alternatives: literals of one type become an enumeration, repetitions go."""
    joined: list[_Schema] = []
    for option in options:
        values = option.get("enum")
        same = next((known for known in joined if known.get("type") == option.get("type")), None)
        if isinstance(values, list) and same is not None and isinstance(same.get("enum"), list):
            same["enum"] = list(dict.fromkeys([*(str(v) for v in _list(same["enum"])), *(str(v) for v in values)]))
        elif option not in joined:
            joined.append(dict(option))
    if not joined or {} in joined:
        return {}
    return joined[0] if len(joined) == 1 else {"anyOf": [*joined]}


def _list(node: Plain) -> list[Plain]:
    return node if isinstance(node, list) else []


def _unquoted(text: str) -> str:
    body = text[1:-1] if len(text) > 1 and text[-1] == text[0] else text[1:]
    return re.sub(r"\\(.)", r"\1", body)
