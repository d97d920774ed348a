"""a node of a document -> the mapping it stands for: references followed, allOf laid together, work counted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar, cast
from urllib.parse import unquote

from edge.errors import SpecError
from edge.specs.documents import list_of, mapping_of, text_of
from edge.specs.plain import Plain

# Foreign documents hang under this key of a root. Readers replace NUL, so no document can hold the key itself.
FOREIGN = "\0documents"
ANCHORS = "\0anchors"  # and the parts that a document gives names to under this one of it
MAX_CHAIN = 32  # references in a row; real documents need four
MAX_PARTS = 64  # levels of allOf, each reference between them counted; real documents need ten
MAX_STEPS = 30_000  # schemas looked at for one operation; the widest real one takes 12,000
MAX_ALL_STEPS = 1_000_000  # and for one document; the largest real one takes 150,000
TIGHT_STEPS = 400_000  # after so many a document's schemas are read less deep
_Result = TypeVar("_Result")
_INDEX = re.compile(r"0|[1-9]\d{0,8}", re.ASCII)


class Unresolved(SpecError):
    """A reference that leads nowhere, outside the document or in a circle."""


class TooLarge(SpecError):
    """An operation or document whose parts multiply without end."""


def pointer(*steps: str | int) -> str:
    """Return a JSON pointer: ("paths", "/a") gives "#/paths/~1a"."""
    return "#" + "".join("/" + escape(str(step)) for step in steps)


def escape(step: str) -> str:
    """Return one step of a JSON pointer as it is written."""
    return step.replace("~", "~0").replace("/", "~1")


def resolve(root: dict[str, Plain], node: Plain, at: str) -> dict[str, Plain]:
    """Return the mapping that `node` is or refers to, following references inside `root`.

    Keys beside "$ref" stand over those of the target, as OpenAPI 3.1 allows for descriptions.

    Raises:
        Unresolved: the reference leads nowhere, in a circle, or could not be had. The message holds `at`, the JSON
            pointer of the referring node, and the reference.
    """
    beside: dict[str, Plain] = {}
    seen: list[str] = []
    current = node
    while isinstance(current, dict) and isinstance(current.get("$ref"), str):
        reference = str(current["$ref"]).lstrip()
        if reference in seen:
            raise Unresolved(f"{at}: $ref {shown(seen[0])} leads in a circle")
        if len(seen) >= MAX_CHAIN:
            raise Unresolved(f"{at}: $ref {shown(seen[0])} leads over more than {MAX_CHAIN} further references")
        seen.append(reference)
        beside = {**{key: value for key, value in current.items() if key != "$ref"}, **beside}
        current = _target(root, reference, at)
    if isinstance(current, bool) or (current is None and not seen):
        return {}  # "schema: true" and an absent schema both say: anything
    if not isinstance(current, dict):
        raise Unresolved(f"{at}: {f'$ref {shown(seen[-1])} is' if seen else 'is'} not a mapping")
    return {**current, **beside} if beside else current


def _target(root: dict[str, Plain], reference: str, at: str) -> Plain:
    if reference != "#" and not reference.startswith("#/"):
        raise Unresolved(f"{at}: $ref {reference} is no JSON pointer into this document")
    current: Plain = root
    foreign = reference.startswith(f"#/{FOREIGN}/")
    for depth, step in enumerate(reference[1:].split("/")[1:]):
        found = _step(current, step)
        if found is None:
            raise Unresolved(f"{at}: $ref {shown(reference)} does not resolve ({_unescaped(step)!r} is absent)")
        current = found[0]
        if foreign and depth == 1 and isinstance(current, str):  # the reason why this document is not here
            raise Unresolved(f"{at}: $ref {shown(reference)} cannot be had: {current}")
    return current


def _step(current: Plain, step: str) -> tuple[Plain] | None:
    """Return what stands one step below; keys with a % or blanks of their own are tried as written first."""
    for key in (step.replace("~1", "/").replace("~0", "~"), _unescaped(step), _unescaped(step).strip()):
        if isinstance(current, dict) and key in current:
            return (current[key],)
        if isinstance(current, list) and _INDEX.fullmatch(key) and int(key) < len(current):
            return (current[int(key)],)
    return None


def _unescaped(step: str) -> str:
    return unquote(step).replace("~1", "/").replace("~0", "~")


def shown(reference: str) -> str:
    """Return a reference as its document wrote it: parts of foreign documents are named by file or URL again."""
    prefix = f"#/{FOREIGN}/"
    reference = reference.replace(f"/{ANCHORS}/", "")
    if not reference.startswith(prefix):
        return one_line(reference)
    document, slash, rest = reference.removeprefix(prefix).partition("/")
    name = document.replace("~1", "/").replace("~0", "~")
    return one_line(f"{name}#{slash}{rest}" if rest else name)


def one_line(text: str) -> str:
    """Return a document's text as it may stand in a message."""
    return "".join(ch if ch.isprintable() else "\ufffd" for ch in text)


class Source:
    """A document while it is read. What one reference stands for is worked out once, and all work is counted."""

    def __init__(self, root: dict[str, Plain]) -> None:
        """Start with nothing resolved."""
        self.root = root
        self._flat: dict[str, dict[str, Plain]] = {}
        self._done: dict[tuple[str, str | int], tuple[Plain, object]] = {}
        self._steps = 0
        self._all_steps = 0

    def begin(self) -> None:
        """Count anew: the next operation starts.

        Raises:
            TooLarge: the document has had its share.
        """
        self._all_steps += self._steps
        self._steps = 0
        if self._all_steps > MAX_ALL_STEPS:
            raise TooLarge(f"the document's schemas hold more than {MAX_ALL_STEPS} parts once references are followed")

    def spend(self, steps: int = 1) -> None:
        """Count work done for the present operation.

        Raises:
            TooLarge: the operation's parts multiply.
        """
        self._steps += steps
        if self._steps > MAX_STEPS:
            raise TooLarge(f"its schemas hold more than {MAX_STEPS} parts once references are followed")

    def once(self, kind: str, node: Plain, work: Callable[[], _Result]) -> _Result:
        """Return what `work` makes of a node of this document; asked again for this `kind` of work, the same.

        A bare reference is what it refers to. Other nodes are kept with the result: their identity stays their own.
        """
        key = (kind, _plain_reference(node) or id(node))
        known = self._done.get(key)
        if known is None:
            known = self._done[key] = (node, work())
        return cast("_Result", known[1])

    @property
    def tight(self) -> bool:
        """Whether the document has taken so long that what follows is read less deep."""
        return self._all_steps > TIGHT_STEPS

    def resolve(self, node: Plain, at: str) -> dict[str, Plain]:
        """Return `resolve` of this document's root."""
        return resolve(self.root, node, at)

    def flat(self, schema: Plain, at: str, above: tuple[str, ...] = ()) -> dict[str, Plain]:
        """Return a schema as one mapping without "$ref" and "allOf": what its parts say, its own words first.

        A property that several parts describe is an "allOf" of them, worked out when it is asked for.

        Raises:
            Unresolved: a reference leads nowhere.
            TooLarge: parts of parts without end.
        """
        self.spend()
        if not isinstance(schema, dict):
            return resolve(self.root, schema, at)
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            if "allOf" not in schema:
                return schema
            reference = ""
        if reference and reference in above:
            return {}  # what stands inside itself says nothing more
        if len(above) > MAX_PARTS:
            raise TooLarge(f"{at}: parts of parts (allOf) more than {MAX_PARTS} deep")
        above = (*above, reference)
        parts = [self._referred(reference, at, above)] if reference else []
        parts += [self.flat(part, f"{at}/allOf/{i}", above) for i, part in enumerate(list_of(schema.get("allOf")))]
        own = {key: value for key, value in schema.items() if key not in ("$ref", "allOf")}
        return parts[0] if len(parts) == 1 and not own else self.laid_together(parts, own, at)

    def members(self, flat: Mapping[str, Plain], at: str) -> dict[str, Plain]:
        """Return the properties of a flat schema; documents in many files have all of them in another.

        Raises:
            Unresolved: they refer to nothing.
        """
        stated = mapping_of(flat.get("properties"))
        return self.resolve(stated, f"{at}/properties") if isinstance(stated.get("$ref"), str) else stated

    def _referred(self, reference: str, at: str, above: tuple[str, ...]) -> dict[str, Plain]:
        if reference not in self._flat:
            target = resolve(self.root, {"$ref": reference}, at)
            self._flat[reference] = self.flat(target, at, above)
        return self._flat[reference]

    def laid_together(self, parts: list[dict[str, Plain]], own: dict[str, Plain], at: str) -> dict[str, Plain]:
        """Return one flat schema that says what all of `parts` and, before them, `own` say."""
        properties: dict[str, Plain] = {}
        required: dict[str, Plain] = {}
        merged: dict[str, Plain] = dict(own)
        for part in (*parts, own):
            self.spend(len(part))
            for name, child in self.members(part, at).items():
                self.spend()
                known = properties.get(name)
                properties[name] = child if known is None or known is child else {"allOf": [known, child]}
            required.update((text_of(name), name) for name in list_of(part.get("required")))
            for key, value in part.items():
                merged.setdefault(key, value)
        for key in ("oneOf", "anyOf"):
            options = [option for part in (*parts, own) for option in list_of(part.get(key))]
            if options:
                merged[key] = options
        if properties:
            merged["properties"] = properties
        if required:
            merged["required"] = list(required.values())
        return merged


def _plain_reference(node: Plain) -> str:
    """Return what a bare reference, or a list of what one refers to, is called; "" for anything else."""
    members = mapping_of(node)
    if len(members) == 1 and "$ref" in members:
        return text_of(members["$ref"])
    if members.keys() == {"type", "items"} and members["type"] == "array":
        element = _plain_reference(members["items"])
        return f"[]{element}" if element else ""
    return ""


def variants(schema: Mapping[str, Plain]) -> Iterator[tuple[Plain, str]]:
    """Yield the alternatives of a flat schema that are not null, each with its place below the schema."""
    for key in ("oneOf", "anyOf"):
        for position, option in enumerate(list_of(schema.get(key))):
            if not is_null(option):
                yield option, f"{key}/{position}"


def is_null(schema: Plain) -> bool:
    """Whether a schema allows nothing but null."""
    if not isinstance(schema, dict):
        return False
    kind = schema.get("type")
    if kind in ("null", ["null"]) or schema.get("enum") == [None]:
        return True
    # "type: null" without quotes is no word in YAML.
    return any(key in schema and schema[key] is None for key in ("const", "type"))
