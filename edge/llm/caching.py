"""Prompt + variables -> an earlier answer to the same request, or a new one that is kept: nothing is paid twice."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from weakref import WeakKeyDictionary

from pydantic import BaseModel

from edge.errors import ModelAnswerError
from edge.ids import Json, digest
from edge.llm.books import Books
from edge.llm.json_answers import read_answer
from edge.llm.prompts import Prompt
from edge.llm.protocol import Answer, Model, T, TokenUsage

# What is being asked, by event loop, kept answers and request: attempts of a stage overlap where one has just failed.
_ASKED: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[Path, str], asyncio.Event]] = WeakKeyDictionary()
_SCHEME = 1  # goes up when the same request comes to mean something else


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where answers are kept and for which run; `fresh`: answers of other runs are not used (`--no-cache`)."""

    books: Books
    run: str
    fresh: bool = False


class CachedModel:
    """A model whose usable answers are kept. Rejected ones never are, so a larger limit asks those again (case L25)."""

    def __init__(self, model: Model, shelf: Shelf, settings: Mapping[str, Json]) -> None:
        """`settings` are all that shapes an answer beside the request: where it is served and what is sent along.

        The limit of tokens is not among them: an answer that was not cut off is the same under any limit.
        """
        self._model = model
        self._shelf = shelf
        self._settings = settings

    @property
    def provider(self) -> str:
        """See `Model`."""
        return self._model.provider

    @property
    def name(self) -> str:
        """See `Model`."""
        return self._model.name

    async def answer(self, prompt: Prompt, variables: Mapping[str, Json], schema: type[T]) -> Answer[T]:
        """See `Model.answer`. The same request is asked once, also when it comes twice at a time."""
        key = self.key(prompt, variables, schema)
        asked = _ASKED.setdefault(asyncio.get_running_loop(), {})
        mine = (self._shelf.books.path, key)
        while (other := asked.get(mine)) is not None:
            await other.wait()
        found = self._found(key, schema)
        if found is not None:
            return found
        asked[mine] = asyncio.Event()
        try:
            answer = await self._model.answer(prompt, variables, schema)
            text, run = answer.value.model_dump_json(), self._shelf.run
            self._shelf.books.keep(key, text, run=run, model=self.name, prompt_hash=prompt.hash)
            return answer
        finally:
            asked.pop(mine).set()

    def key(self, prompt: Prompt, variables: Mapping[str, Json], schema: type[T]) -> str:
        """Return the hash of the request: everything that decides the answer."""
        request = {
            "scheme": _SCHEME,
            "provider": self.provider,
            "model": self.name,
            "settings": self._settings,
            "prompt": prompt.hash,
            "schema": _shape_of(schema),
            "input": prompt.render(variables),
            "try": variables.get("seed"),  # in no text: where an answer did not do, another seed asks for another one
        }
        return digest(request, 64)

    def _found(self, key: str, schema: type[T]) -> Answer[T] | None:
        raw = self._shelf.books.answer(key, run=self._shelf.run if self._shelf.fresh else None)
        if raw is None:
            return None
        try:
            return Answer(read_answer(raw, schema), TokenUsage(), raw, cached=True)
        except ModelAnswerError:
            return None  # a validator has become stricter than the schema says


@cache
def _shape_of(schema: type[BaseModel]) -> str:
    return digest(schema.model_json_schema(), 64)
