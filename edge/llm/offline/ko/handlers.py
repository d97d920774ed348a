"""Prompt variables -> answer value: the two writers of the Korean pack behind the offline model."""

from __future__ import annotations

from collections.abc import Mapping

from edge.ids import Json
from edge.llm.answers import FinalAnswer, RequestAnswer
from edge.llm.offline.ko.answer import write_answer
from edge.llm.offline.ko.brief import read_brief
from edge.llm.offline.ko.request import compose


def write_user_request(variables: Mapping[str, Json]) -> RequestAnswer:
    """Write the request of a brief."""
    return RequestAnswer(query=compose(read_brief(variables)).query)


def write_final_answer(variables: Mapping[str, Json]) -> FinalAnswer:
    """Write the answer of a brief with facts."""
    return FinalAnswer(answer=write_answer(read_brief(variables)))
