"""the platform's profile and one documented operation -> the profile of that tool: key, paging, switches, records."""

from __future__ import annotations

import re
from dataclasses import replace

from edge.specs.building import ParameterDraft
from edge.specs.documents import mapping_of, text_of
from edge.specs.model import Auth, Location, Profile
from edge.specs.plain import Plain
from edge.specs.profiles import Facts, key_variable
from edge.specs.prose import enumeration
from edge.specs.shapes import Shape

# How the parameter that carries a key is called where a document declares no security scheme.
_KEY_NAME = re.compile(r"(?i)^(?:(?:service|auth|api|access|app|crtfc|confm|open_?api)_?key|apikey|key)$")


def with_key(
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


def with_records(profile: Profile, shape: Shape) -> Profile:
    """Return `profile` with the documented place of records after the platform's own, which live answers follow."""
    known = profile.envelope.records
    if not shape.records and not shape.fields:
        return profile
    wrapped = () if not shape.records or shape.records.startswith("response.") else (f"response.{shape.records}",)
    added = tuple(place for place in (shape.records, *wrapped) if place and place not in known)
    envelope = replace(profile.envelope, records=known + added, documented=shape.records)
    return replace(profile, envelope=envelope)
