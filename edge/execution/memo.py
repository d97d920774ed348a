"""Call -> the outcome it already had in this run: exploration asks the same things again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from edge.calls import Arguments, Caller, Outcome, call_key
from edge.specs.model import Tool


class MemoCaller:
    """A caller that remembers outcomes. Identical calls made at the same time share one request.

    Environmental outcomes say nothing about the call and are not remembered, nor are those that miss a page that failed
    (case A15). `hits` counts calls that needed no request of their own, `calls` all of them.
    """

    def __init__(self, caller: Caller, known: Mapping[str, Outcome] | None = None) -> None:
        """Remember the outcomes of `caller`, beside those `known` from an earlier batch of the run, by call key."""
        self._caller = caller
        self._known: dict[str, Outcome] = dict(known or {})
        self._running: dict[str, asyncio.Task[Outcome]] = {}
        self.hits = 0
        self.calls = 0

    async def call(self, tool: Tool, arguments: Arguments, *, all_pages: bool = False) -> Outcome:
        """Return the remembered outcome, or execute the call."""
        key = call_key(tool.tool_id, arguments, all_pages)
        self.calls += 1
        known = self._known.get(key)
        if known is not None:
            self.hits += 1
            return known
        running = self._running.get(key)
        if running is None:
            running = asyncio.ensure_future(self._execute(key, tool, dict(arguments), all_pages))
            self._running[key] = running
        else:
            self.hits += 1
        return await asyncio.shield(running)  # one impatient caller must not cancel it for the others

    async def _execute(self, key: str, tool: Tool, arguments: Arguments, all_pages: bool) -> Outcome:
        try:
            outcome = await self._caller.call(tool, arguments, all_pages=all_pages)
        finally:
            del self._running[key]
        if outcome.outcome != "environmental" and outcome.reason != "partial":
            self._known[key] = outcome
        return outcome

    @property
    def known(self) -> Mapping[str, Outcome]:
        """The remembered outcomes by call key, in the order in which they came."""
        return self._known

    def __len__(self) -> int:
        """Return how many outcomes are remembered."""
        return len(self._known)
