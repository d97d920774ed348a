"""The offline writer behind both model protocols, in a process of its own: a server that answers each prompt sensibly.

Run: python benchmarks/model_writer_server.py [--port 0] [--delay-ms 0] [--exit-with-stdin]

POST /v1/chat/completions and /v1/messages answer prompts of this repository (model_writer.py). GET /count says what the
server has counted itself: requests answered, prompts answered more than once, tokens, and the most at a time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import sys
import threading
from collections import Counter
from hashlib import sha256
from typing import Any

import uvicorn
from model_writer import Writer, prompt_name
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route


class WriterServer:
    """Counts and answers. A token is four bytes here; what matters is that both sides add up the same."""

    def __init__(self, delay_s: float) -> None:
        self._writer = Writer()
        self._delay_s = delay_s
        self._answered: Counter[str] = Counter()
        self._tokens = [0, 0]
        self._busy = self._most = 0
        self._largest = (0, 0)

    async def chat(self, request: Request) -> Response:
        """Answer a chat completion."""
        body = await _body(request)
        system, turns = body["messages"][0]["content"], body["messages"][1:]
        said, sent = await self._answer(system, turns)
        if said is None:
            return JSONResponse({"error": {"message": "this is no prompt that I know"}}, 400)
        out = _tokens(said)
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}
        usage = {"prompt_tokens": sent, "completion_tokens": out, "total_tokens": sent + out}
        who = {"id": "c", "object": "chat.completion", "created": 1, "model": body["model"]}
        return JSONResponse({**who, "choices": [choice], "usage": usage})

    async def messages(self, request: Request) -> Response:
        """Answer a message."""
        body = await _body(request)
        said, sent = await self._answer(body["system"], body["messages"])
        if said is None:
            return JSONResponse(
                {"type": "error", "error": {"type": "invalid_request_error", "message": "unknown"}}, 400
            )
        who = {"id": "m", "type": "message", "role": "assistant", "model": body["model"], "stop_sequence": None}
        usage = {"input_tokens": sent, "output_tokens": _tokens(said)}
        return JSONResponse(
            {**who, "content": [{"type": "text", "text": said}], "stop_reason": "end_turn", "usage": usage}
        )

    async def count(self, request: Request) -> Response:
        """Say what was counted."""
        answered = self._answered.total()
        again = answered - len(self._answered)
        told = {"answered": answered, "again": again, "input": self._tokens[0], "output": self._tokens[1]}
        return JSONResponse({**told, "most_at_a_time": self._most, "largest": self._largest})

    async def _answer(self, system: str, turns: list[dict[str, Any]]) -> tuple[str | None, int]:
        name = prompt_name(system)
        if name is None:
            return None, 0
        self._busy += 1
        self._most = max(self._most, self._busy)
        try:
            await asyncio.sleep(self._delay_s)
            said = await self._writer.answer(name, turns[-1]["content"])
        finally:
            self._busy -= 1
        sent = _tokens(system) + sum(_tokens(turn["content"]) for turn in turns)
        self._answered[sha256(json.dumps([system, turns]).encode()).hexdigest()] += 1
        self._tokens[0] += sent
        self._tokens[1] += _tokens(said)
        self._largest = max(self._largest[0], sent), max(self._largest[1], _tokens(said))
        return said, sent


async def _body(request: Request) -> dict[str, Any]:
    """Return the request; one that was broken off (its sender was killed) is no prompt."""
    try:
        return json.loads(await request.body())
    except ClientDisconnect:
        return {"model": "", "system": "", "messages": [{"content": ""}]}


def _tokens(text: str) -> int:
    return len(text.encode()) // 4


def main() -> int:
    """Serve until stopped."""
    parser = argparse.ArgumentParser(description="Serve the offline writer as a model.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--delay-ms", type=float, default=0.0)
    parser.add_argument("--exit-with-stdin", action="store_true")
    args = parser.parse_args()
    model = WriterServer(args.delay_ms / 1000)
    routes = [
        Route("/v1/chat/completions", model.chat, methods=["POST"]),
        Route("/v1/messages", model.messages, methods=["POST"]),
        Route("/count", model.count),
    ]
    listener = socket.socket()
    listener.bind(("127.0.0.1", args.port))
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="error", lifespan="off"))
    if args.exit_with_stdin:
        threading.Thread(target=_until_parent_ends, args=(server,), daemon=True).start()
    print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    server.run(sockets=[listener])
    return 0


def _until_parent_ends(server: uvicorn.Server) -> None:
    sys.stdin.read()
    server.should_exit = True


if __name__ == "__main__":
    sys.exit(main())
