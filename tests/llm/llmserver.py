"""A real loopback server that speaks the OpenAI and the Anthropic protocol from a script of replies."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route


@dataclass
class ScriptedServer:
    """Plays `script` in order (the last reply again and again); `seen` are the bodies received.

    Every reply takes `delay_s`; `most_busy` is the largest number of requests that were under way together.
    """

    url: str = ""
    delay_s: float = 0.0
    trickle_s: float = 0.0  # after every letter
    busy: int = 0
    most_busy: int = 0
    leaks: int = 0  # requests to /leak, which nothing but an obeyed order would make
    script: list[tuple[int, Any, dict[str, str]]] = field(default_factory=list)
    seen: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def reply(self, body: Any, status: int = 200, **headers: str) -> ScriptedServer:
        self.script.append((status, body, {k.replace("_", "-"): v for k, v in headers.items()}))
        return self

    def openai(
        self, text: str | None, finish: str = "stop", out: int = 5, refusal: str | None = None
    ) -> ScriptedServer:
        message = {"role": "assistant", "content": text, "refusal": refusal}
        return self.reply(
            {
                "id": "c",
                "object": "chat.completion",
                "created": 1,
                "model": "m",
                "choices": [{"index": 0, "finish_reason": finish, "message": message}],
                "usage": {"prompt_tokens": 10, "completion_tokens": out, "total_tokens": 10 + out},
            }
        )

    def openai_calls(self, *calls: dict[str, Any], finish: str = "tool_calls", out: int = 5) -> ScriptedServer:
        """Tool calls as {"id", "name", "arguments"}; arguments go out as they are."""
        made = [
            {"index": c.get("index", n), "id": c.get("id"), "type": "function",
             "function": {"name": c["name"], "arguments": c["arguments"]}}
            for n, c in enumerate(calls)
        ]  # fmt: skip
        body = ScriptedServer().openai(None, finish, out).script[0][1]
        body["choices"][0]["message"]["tool_calls"] = made
        return self.reply(body)

    def anthropic_calls(self, *calls: dict[str, Any], stop: str = "tool_use", out: int = 5) -> ScriptedServer:
        body = ScriptedServer().anthropic("", stop, out).script[0][1]
        body["content"] = [
            {"type": "tool_use", "id": c.get("id"), "name": c["name"], "input": c["arguments"]} for c in calls
        ]
        return self.reply(body)

    @property
    def tokens(self) -> tuple[int, int]:
        """The tokens that this server has counted: in, out."""
        return self._in, self._out

    _in: int = 0
    _out: int = 0

    def anthropic(self, text: str, stop: str = "end_turn", out: int = 5) -> ScriptedServer:
        content = [{"type": "text", "text": text}] if text else []
        return self.reply(
            {
                "id": "m",
                "type": "message",
                "role": "assistant",
                "model": "m",
                "content": content,
                "stop_reason": stop,
                "stop_sequence": None,
                "usage": {"input_tokens": 10, "output_tokens": out},
            }
        )

    async def leak(self, request: Request) -> Response:
        self.leaks += 1
        return Response("thank you")

    async def _trickle(self, body: Any) -> AsyncIterator[str]:
        for letter in json.dumps(body):
            yield letter
            await asyncio.sleep(self.trickle_s)

    async def answer(self, request: Request) -> Response:
        self.seen.append(json.loads(await request.body()))
        self.headers.append(dict(request.headers))
        status, body, headers = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(body, dict) and (used := body.get("usage")):
            self._in += used.get("prompt_tokens", used.get("input_tokens", 0))
            self._out += used.get("completion_tokens", used.get("output_tokens", 0))
        self.busy += 1
        self.most_busy = max(self.most_busy, self.busy)
        await asyncio.sleep(self.delay_s)
        self.busy -= 1
        if self.trickle_s:
            return StreamingResponse(self._trickle(body), status, media_type="application/json")
        if isinstance(body, str):
            return Response(body, status, headers, media_type="text/html")
        return JSONResponse(body, status, headers)

    def routes(self) -> list[Route]:
        return [
            Route("/v1/chat/completions", self.answer, methods=["POST"]),
            Route("/v1/messages", self.answer, methods=["POST"]),
            Route("/leak", self.leak),
        ]


Served = TypeVar("Served", bound=ScriptedServer)


@contextmanager
def served_by(scripted: Served) -> Iterator[Served]:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    scripted.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=scripted.routes()), log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield scripted
    finally:
        server.should_exit = True
        thread.join(5)
        listener.close()


def serving(scripted: ScriptedServer | None = None) -> AbstractContextManager[ScriptedServer]:
    return served_by(scripted or ScriptedServer())
