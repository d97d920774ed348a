"""Keys of a platform -> the token that its calls carry: asked for once, shared by all calls, kept in memory alone."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from edge.execution.decoding import Decoded
from edge.execution.envelopes import first_scalar
from edge.execution.failures import Verdict
from edge.execution.keys import MASK, Keys
from edge.execution.request import WireRequest, escape
from edge.ids import Json
from edge.specs.model import Token

Ask = Callable[[WireRequest], Awaitable[tuple[Verdict, Decoded | None]]]
_TRUSTED_SHARE = 0.9  # of a token's life: it must not end on the way


@dataclass(frozen=True, slots=True)
class _Held:
    value: str
    until: float


class Tokens:
    """The tokens of a run. They are masked in every text from the moment they are known."""

    def __init__(self, keys: Keys, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._keys = keys
        self._clock = clock
        self._held: dict[str, _Held] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def get(self, token: Token, ask: Ask) -> str | Verdict:
        """Return a token that lives, asked for if need be, or the environmental verdict on why there is none."""
        async with self._locks[token.url]:  # whoever comes while it is fetched waits for the same one
            held = self._held.get(token.url)
            if held is not None and self._clock() < held.until:
                return held.value
            verdict, decoded = await ask(self._request(token))
            found = first_scalar(decoded.tree, (token.value,), "") if decoded and verdict.outcome == "ok" else None
            if found is None:
                return _refused(verdict)
            value = str(found.value).strip()
            self._keys.redactor.learn(value)
            self._held[token.url] = _Held(value, self._clock() + token.ttl_s * _TRUSTED_SHARE)
            return value

    def drop(self, token: Token, value: str) -> None:
        """Forget a token that the platform rejected, unless a newer one took its place already."""
        held = self._held.get(token.url)
        if held is not None and held.value == value:
            del self._held[token.url]

    def _request(self, token: Token) -> WireRequest:
        values = {name: self._keys.value(variable) or "" for name, variable in token.parameters.items()}
        query = "&".join(f"{escape(name)}={escape(value)}" for name, value in values.items())
        shown: dict[str, Json] = {"method": "GET", "url": token.url, "query": dict[str, Json].fromkeys(values, MASK)}
        return WireRequest("GET", urlsplit(token.url).netloc.lower(), f"{token.url}?{query}", {}, None, shown, "")


def _refused(verdict: Verdict) -> Verdict:
    """Return the verdict on a call that got no token: never the call's own fault."""
    if verdict.outcome == "environmental":
        return verdict
    return Verdict("environmental", "key_rejected", f"the platform gave no token: {verdict.message}".strip(": "))
