"""Prompt variables -> answer by rule: the `Model` that runs anywhere and always says the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pydantic import BaseModel, ValidationError

from edge.errors import UsageError
from edge.ids import Json
from edge.llm.offline.writers import (
    write_final_answer,
    write_no_call,
    write_outlined_request,
    write_user_request,
)
from edge.llm.prompts import Prompt
from edge.llm.protocol import Answer, AnswerRejected, T, TokenUsage

Handler: TypeAlias = Callable[[Mapping[str, Json]], BaseModel]

WRITERS: Mapping[str, Handler] = {
    "user_request": write_user_request,
    "outlined_request": write_outlined_request,
    "final_answer": write_final_answer,
    "no_call": write_no_call,
}


class OfflineModel:
    """Dispatches on the prompt's name. `handlers` adds prompts or replaces the built-in writers."""

    provider = "offline"

    def __init__(self, handlers: Mapping[str, Handler] | None = None, *, name: str = "edge-offline-ko") -> None:
        self.name = name
        self._handlers: dict[str, Handler] = {**WRITERS, **(handlers or {})}

    async def answer(self, prompt: Prompt, variables: Mapping[str, Json], schema: type[T]) -> Answer[T]:
        """Answer by the handler registered for the prompt.

        Raises:
            UsageError: no handler answers this prompt offline.
            AnswerRejected: the handler's value is outside the schema.
        """
        handler = self._handlers.get(prompt.name)
        if handler is None:
            known = ", ".join(sorted(self._handlers))
            raise UsageError(f"the offline backend cannot answer prompt {prompt.name!r}; it knows {known}")
        raw = handler(variables).model_dump_json()
        try:
            return Answer(schema.model_validate_json(raw), TokenUsage(), raw)
        except ValidationError as error:
            raise AnswerRejected("schema", str(error.errors()[0]["msg"]), raw=raw) from error
