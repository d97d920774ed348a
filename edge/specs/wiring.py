"""the platform's profile and one documented operation -> the profile of that tool: key, paging, switches, records."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from edge.specs.building import ParameterDraft
from edge.specs.documents import mapping_of, text_of
from edge.specs.enumerations import enumeration
from edge.specs.model import Auth, Location, Profile
from edge.specs.plain import Plain
from edge.specs.profiles import Facts, key_variable
from edge.specs.shapes import Shape
from edge.specs.urls import placeholders

# How the parameter that carries a key is called where a document declares no security scheme.
_KEY_NAME = re.compile(r"(?i)^(?:(?:service|auth|api|access|app|crtfc|confm|open_?api)_?key|apikey|authorization)$")
_PREFIXES = {"bearer": "Bearer ", "basic": "Basic "}


def with_key(
    profile: Profile, facts: Facts, drafts: list[ParameterDraft], schemes: Mapping[str, Plain], url: str = ""
) -> Profile:
    """Return `profile` with the key where the document has it: its spelling ("ServiceKey") outranks the platform's.

    `schemes` are the security schemes that the operation may be called with.
    """
    names: dict[str, Location | None] = {draft.evidence.name: draft.location for draft in drafts}
    if profile.auth:
        same = next((n for n in names if n.casefold() == profile.auth.parameter.casefold()), profile.auth.parameter)
        return replace(profile, auth=replace(profile.auth, parameter=same))
    if facts.known:
        return profile
    variable = key_variable(profile.platform)
    declared = [auth for auth in (_auth(mapping_of(scheme), variable) for scheme in schemes.values()) if auth]
    if declared:
        return replace(profile, auth=min(declared, key=lambda auth: (auth.location != "query", bool(auth.prefix))))
    places = {**dict.fromkeys(placeholders(url), "path"), **names}
    named = next((name for name, place in places.items() if _is_key(name, place)), None)
    if named is None:
        return profile
    return replace(profile, auth=Auth(named, cast("Location", places[named] or "query"), variable))


def _is_key(name: str, place: str | None) -> bool:
    """Whether a parameter carries the caller's key; a "key" in a path or body names a thing, unless it shouts."""
    if name.casefold() == "key":
        return place in ("query", "header") or (place == "path" and name == "KEY")
    return place != "body" and bool(_KEY_NAME.match(name))


def _auth(scheme: dict[str, Plain], variable: str) -> Auth | None:
    """Return how a security scheme is met with a key alone; None where it takes more."""
    kind, place = text_of(scheme.get("type")), text_of(scheme.get("in"))
    if kind == "apiKey" and place in ("query", "header") and text_of(scheme.get("name")):
        return Auth(text_of(scheme.get("name")), "header" if place == "header" else "query", variable)
    word = text_of(scheme.get("scheme")).casefold() if kind == "http" else kind.casefold()
    prefix = _PREFIXES.get({"oauth2": "bearer", "openidconnect": "bearer"}.get(word, word))
    return Auth("Authorization", "header", variable, prefix) if prefix else None


def with_paging(profile: Profile, drafts: list[ParameterDraft]) -> Profile:
    """Return `profile` without paging where the operation does not declare the page parameter."""
    names = {draft.evidence.name for draft in drafts}
    return profile if profile.paging is None or profile.paging.page in names else replace(profile, paging=None)


def fill_hidden(
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


def with_records(profile: Profile, shape: Shape, *, known: bool) -> Profile:
    """Return `profile` with the documented place of records among those where live answers are looked for.

    It comes after the places of a platform that is `known`; places of a generic profile are but guesses and come after
    it. There, what the document has as a field of the whole answer is no result code, message or total.
    """
    usual = profile.envelope.records
    if not shape.records and not shape.fields:
        return profile
    place = shape.records or "."
    wrapped = () if place == "." or place.startswith("response.") else (f"response.{place}",)
    added = (place, *wrapped)
    records = tuple(dict.fromkeys((*usual, *added) if known else (*added, *usual)))
    envelope = replace(profile.envelope, records=records, documented=shape.records)
    if not known and not shape.records:
        fields = {field.name for field in shape.fields}
        code, message, total = (
            tuple(path for path in paths if path not in fields)
            for paths in (envelope.code, envelope.message, envelope.total)
        )
        envelope = replace(envelope, code=code, message=message, total=total)
    return replace(profile, envelope=envelope)
