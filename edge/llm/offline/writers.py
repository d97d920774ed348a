"""Prompt variables -> answer value: the writers behind the offline model, each in the language of its variables."""

from __future__ import annotations

from collections.abc import Mapping

from edge.ids import Json
from edge.llm.answers import FinalAnswer, OutlinedAnswer, RequestAnswer
from edge.llm.offline.brief import read_brief
from edge.llm.offline.packs import DEFAULT, pack_of


def write_user_request(variables: Mapping[str, Json]) -> RequestAnswer:
    """Write the request of a brief.

    Raises:
        UsageError: the variables are no brief, or there is no pack for its language.
    """
    brief = read_brief(variables)
    return RequestAnswer(query=pack_of(brief.language).request(brief))


def write_outlined_request(variables: Mapping[str, Json]) -> OutlinedAnswer:
    """Write the request of a brief, as `write_user_request` does: nothing needs to be made easier here."""
    return OutlinedAnswer(sentences=[write_user_request(variables).query])


def write_final_answer(variables: Mapping[str, Json]) -> FinalAnswer:
    """Write the answer of a brief with facts.

    Raises:
        UsageError: the variables are no brief, or there is no pack for its language.
    """
    brief = read_brief(variables)
    return FinalAnswer(answer=pack_of(brief.language).answer(brief))


def write_no_call(variables: Mapping[str, Json]) -> FinalAnswer:
    """Write what is said where nothing can be called.

    Raises:
        UsageError: there is no pack for the language.
    """
    pack = pack_of(str(variables.get("language") or DEFAULT))
    return FinalAnswer(answer=pack.no_call(variables))
