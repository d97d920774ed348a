"""Tools get better descriptions from a model; what the document said stays beside (tools -> tools, rejects)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from edge.errors import ModelAnswerError
from edge.llm.answers import DescriptionAnswer
from edge.llm.prompts import Prompt
from edge.llm.protocol import Model
from edge.specs.descriptions import brief_of, problem_of
from edge.specs.model import Tool

logger = logging.getLogger("edge.compile")


@dataclass(frozen=True, slots=True)
class Described:
    """The tools in their order, and for those that kept their description the reason: (tool_id, reason, detail)."""

    tools: tuple[Tool, ...]
    kept: tuple[tuple[str, str, str], ...]


async def describe(tools: Sequence[Tool], model: Model, prompt: Prompt, *, concurrency: int = 8) -> Described:
    """Ask for a description of every tool. One that cannot be used leaves the tool as it was, with a reason.

    Raises:
        ModelUnavailable: the service does not answer now.
    """
    gate = asyncio.Semaphore(concurrency)

    async def one(tool: Tool) -> Tool | tuple[str, str, str]:
        brief = brief_of(tool)
        async with gate:
            try:
                text = " ".join((await model.answer(prompt, brief, DescriptionAnswer)).value.description.split())
            except ModelAnswerError as error:
                return tool.tool_id, error.reason, error.detail[:300]
        problem = problem_of(brief, text)
        if problem:
            return tool.tool_id, "unusable_description", problem
        return replace(tool, description=text, original=tool.original or tool.description)

    answers = await asyncio.gather(*(one(tool) for tool in tools))
    kept = [answer for answer in answers if isinstance(answer, tuple)]
    described = [old if isinstance(new, tuple) else new for old, new in zip(tools, answers, strict=True)]
    logger.info("%d of %d descriptions improved", len(tools) - len(kept), len(tools))
    return Described(tuple(described), tuple(kept))
