"""a list of MCP or function tools, as a server or a document gives it -> tools that are offered but not called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final
from urllib.parse import quote

from edge.errors import SpecError
from edge.specs.building import Notice, ParameterDraft, Reading, Skip, build_output, build_parameters
from edge.specs.catalogue_words import says_yes, tools_of
from edge.specs.documents import Document, list_of, mapping_of, text_of
from edge.specs.drafts import draft_of
from edge.specs.methods import READS, READS_KOREAN, WRITES, WRITES_KOREAN
from edge.specs.model import Envelope, OutputField, Profile, Tool
from edge.specs.names import romanise
from edge.specs.nodes import read_schema
from edge.specs.plain import Plain
from edge.specs.profiles import Facts, spec_hash
from edge.specs.refs import Source, Unresolved
from edge.specs.shapes import find_shape
from edge.specs.tool_lists import ListedTool, listed_tool, server_of
from edge.specs.wiring import with_key
from edge.specs.wording import said

SCHEME: Final = "mcp"
# The first verb of a name says what its tool does: "dart_get_asset_transfer" gets.
_VERBS_THAT_READ: Final = READS | {"describe"}
_VERBS_THAT_WRITE: Final = WRITES - {"new"} | {"post", "run"}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def read_mcp(document: Document, spec_file: str) -> Reading:
    """Return the tools of a list; every entry gives one or is skipped with a reason.

    A name that a server lists twice is numbered ("search_2"): lists taken from source code hold such tools.
    """
    reading = Reading()
    server = server_of(document, spec_file)
    seen: dict[tuple[str, str], list[ListedTool]] = {}
    for position, item in enumerate(tools_of(document.tree)):
        listed = listed_tool(item, server)
        if listed is None:
            detail = f"tools[{position}]: no mapping with a name"
            reading.skipped.append(Skip(spec_file, f"tools[{position}]", "invalid_tool", detail))
            continue
        twins = seen.setdefault((listed.server, listed.name), [])
        name = f"{listed.name}_{len(twins) + 1}" if twins else listed.name
        try:
            reading.tools.append(_tool(listed, name, document, spec_file, reading.notices))
        except Unresolved as error:
            reading.skipped.append(Skip(spec_file, name, "unresolved_ref", str(error)))
        except SpecError as error:
            reading.skipped.append(Skip(spec_file, name, "invalid_operation", f"{name}: {error}"))
        twins.append(listed)
        reading.notices.extend(_notices(listed, name, spec_file))
    if not seen and not reading.skipped:
        reading.skipped.append(Skip(spec_file, "", "no_operations", f"{spec_file}: the list holds no tool"))
    return reading


def _notices(listed: ListedTool, name: str, spec_file: str) -> Iterator[Notice]:
    if name != listed.name:
        detail = f"{listed.server} lists {listed.name} more than once; this one is called {name}"
        yield Notice(spec_file, name, "duplicate_name", detail)
    if not listed.described:
        yield Notice(spec_file, name, "parameters_unknown", "the list does not say which arguments it takes")


def _tool(listed: ListedTool, name: str, document: Document, spec_file: str, notices: list[Notice]) -> Tool:
    platform = _slug(listed.server)
    host = quote(listed.server, safe="")
    facts = Facts({"platform": platform}, known=False)
    profile = Profile(platform, listed.server, (host.lower(),), None, Envelope(records=()))
    source = Source(listed.schema)
    drafts = _drafts(source)
    for draft in drafts:
        if draft.unread:
            notices.append(
                Notice(spec_file, name, "unknown_type", f"parameter {draft.evidence.name!r}: {draft.unread}")
            )
    # Some servers take the caller's key as an argument; that is not for a model to fill.
    profile = with_key(profile, facts, [replace(draft, location=None) for draft in drafts], {})
    hidden = frozenset({profile.auth.parameter} if profile.auth else ())
    url = f"{SCHEME}://{host}/{quote(name, safe='')}"
    title = said(listed.title) or listed.name
    return Tool(
        tool_id="",
        operation_key=f"{platform}.{name}",
        platform=platform,
        service="",
        provider=listed.server,
        domain="unknown",
        title=title[:80],
        description=said(listed.description) or title,
        method="POST",
        url=url,
        parameters=build_parameters(drafts, url, profile, hidden),
        outputs=_outputs(listed, profile, spec_file, notices),
        profile=profile,
        spec_file=spec_file,
        spec_hash=spec_hash(facts, document.data),
        read_only=_reads(listed),
    )


def _slug(server: str) -> str:
    slug = re.sub(r"[^a-z0-9]+", "_", romanise(server).casefold()).strip("_") or "server"
    return slug if slug[0].isalpha() else f"mcp_{slug}"


def _reads(listed: ListedTool) -> bool:
    stated = says_yes(listed.hints.get("readOnlyHint"))
    if stated is not None:
        return stated
    return not says_yes(listed.hints.get("destructiveHint")) and _name_reads(listed.name)


def _name_reads(name: str) -> bool:
    words = [word.casefold() for word in _WORD.findall(name)]
    verbs = [word in _VERBS_THAT_READ for word in words if word in _VERBS_THAT_READ | _VERBS_THAT_WRITE]
    # "get_or_create" does both.
    both = any(word in ("or", "and") and after in _VERBS_THAT_WRITE for word, after in pairwise(words))
    if verbs:
        return verbs[0] and not both
    return bool(READS_KOREAN.search(name)) and not WRITES_KOREAN.search(name)


def _members(source: Source) -> tuple[dict[str, Plain], list[str]]:
    flat = source.flat(source.root, "#")
    return mapping_of(flat.get("properties")), [text_of(name) for name in list_of(flat.get("required"))]


def _drafts(source: Source) -> list[ParameterDraft]:
    properties, required = _members(source)
    return [
        draft_of(source, name, {}, schema, "body", name in required, f"#/properties/{name}")
        for name, schema in properties.items()
    ]


def _outputs(listed: ListedTool, profile: Profile, spec_file: str, notices: list[Notice]) -> tuple[OutputField, ...]:
    if not listed.output:
        return ()
    try:
        node = read_schema(Source(listed.output), listed.output, "#")
    except Unresolved as error:
        detail = f"outputSchema: {error}; what comes back is not known"
        notices.append(Notice(spec_file, listed.name, "unresolved_answer", detail))
        return ()
    return tuple(map(build_output, find_shape(node, profile, frozenset(), known=False).fields))
