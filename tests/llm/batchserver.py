"""A real loopback server with the batch endpoints of both protocols, and with all that goes wrong there."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from llmserver import ScriptedServer
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

FAILURES = ("expired", "broken", "missing")  # after these a line may be answered in another batch
Lines = dict[str, dict[str, Any]]


@dataclass
class Sent:
    """A batch as the server keeps it: bodies by custom id, results as lines of a file."""

    batch_id: str
    lines: Lines
    metadata: dict[str, str]
    created: float
    results: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    looks: int = 0
    status: str = "in_progress"


@dataclass
class BatchServer(ScriptedServer):
    """Answers the lines of a batch with `say(question)`, in any order, after `looks` looks.

    `fate(body, number of the batch)` is what becomes of a line: "" (answered), one of FAILURES, "refused", "canceled",
    "same twice", "two answers", "nonsense". `held` stops replies: to "create" (the batch is made), "again" (a later
    one is), "look" or "results". `create` are statuses in place of 200, and whether a batch is made all the same.
    `paid` are the questions answered.
    """

    say: Callable[[str], str] = lambda question: json.dumps({"answer": question}, ensure_ascii=False)
    fate: Callable[[dict[str, Any], int], str] = lambda body, number: ""
    message: str = "invalid"
    held: str = ""
    reached: set[str] = field(default_factory=set)
    looks: int = 1
    create: list[tuple[int, bool]] = field(default_factory=list)  # status, and whether the batch is made all the same
    whole: list[str] = field(default_factory=list)  # error codes of batches that fail as a whole
    torn: int = 0  # how many times results end in the middle
    strangers: int = 0
    files: dict[str, str] = field(default_factory=dict)
    batches: dict[str, Sent] = field(default_factory=dict)
    paid: list[str] = field(default_factory=list)

    def routes(self) -> list[Route]:
        return [
            Route("/v1/files", self._upload, methods=["POST"]),
            Route("/v1/files/{name}/content", self._content),
            Route("/v1/batches", self._create_openai, methods=["POST"]),
            Route("/v1/batches", self._list_openai),
            Route("/v1/batches/{name}", self._look_openai),
            Route("/v1/messages/batches", self._create_anthropic, methods=["POST"]),
            Route("/v1/messages/batches", self._list_anthropic),
            Route("/v1/messages/batches/{name}", self._look_anthropic),
            Route("/v1/messages/batches/{name}/results", self._results_anthropic),
            *super().routes(),
        ]

    @property
    def sizes(self) -> list[int]:
        """How many lines each batch held, in the order in which they came."""
        return [len(sent.lines) for sent in self.batches.values()]

    # -- what becomes of lines --------------------------------------------------------------------------------------

    def _body(self, body: dict[str, Any], text: str) -> dict[str, Any]:
        reply = ScriptedServer()
        made = reply.openai(text) if body["messages"][0]["role"] == "system" else reply.anthropic(text)
        answer: dict[str, Any] = made.script[0][1]
        return answer

    def text(self, body: dict[str, Any]) -> str:
        """What is answered to a line."""
        return self.say(question_of(body))

    def _answered(self, body: dict[str, Any], text: str) -> dict[str, Any]:
        self.paid.append(question_of(body))
        self._in, self._out = self._in + 10, self._out + 5
        return self._body(body, text)

    def _begun(self, lines: Lines, metadata: dict[str, str]) -> Sent:
        sent = Sent(f"batch_{len(self.batches) + 1}", lines, metadata, time.time())
        self.batches[sent.batch_id] = sent
        return sent

    def _play(self, sent: Sent, line: Callable[[str, str, Any], str]) -> None:
        """Make the results of a batch; `line(custom id, kind, value)` writes one as the protocol wants it."""
        number = len(self.batches)
        for name, body in sent.lines.items():
            fate = self.fate(body, number)
            if fate == "nonsense":
                sent.results.append(line(name, "answered", {"choices": [None], "content": ["?"]}))
                continue
            text = self.text(body)
            if fate in ("", "same twice", "two answers"):
                first = line(name, "answered", self._answered(body, text))
                sent.results.append(first)
                if fate == "same twice":
                    sent.results.append(first)
                if fate == "two answers":
                    sent.results.append(line(name, "answered", self._answered(body, self.say("another"))))
            elif fate != "missing":
                sent.errors.append(line(name, fate, self.message))
        for number in range(self.strangers):
            sent.results.append(line(f"stranger-{number}", "answered", self._body(body, self.say("stranger"))))
        random.Random(len(sent.lines)).shuffle(sent.results)

    async def _hold(self, where: str) -> None:
        self.reached.add(where)
        while self.held == where:  # noqa: ASYNC110 - the test is in another thread
            await asyncio.sleep(0.01)

    def _torn(self, text: str) -> str:
        if not self.torn:
            return text
        self.torn -= 1
        return text[: len(text) - 40]

    async def _creation(self, make: Callable[[], Sent], shown: Callable[[Sent], dict[str, Any]]) -> Response:
        status, made = self.create.pop(0) if self.create else (200, True)
        sent = make() if made else None
        await self._hold("create" if len(self.batches) < 2 else "again")
        if status != 200 or sent is None:
            return JSONResponse(
                {"error": {"type": "x", "message": self.message}}, status, {"retry-after": "0"} if status == 429 else {}
            )
        return JSONResponse(shown(sent))

    def _go_on(self, sent: Sent, ended: str) -> None:
        sent.looks += 1
        if sent.looks >= self.looks and sent.status == "in_progress":
            sent.status = ended

    # -- the OpenAI protocol ----------------------------------------------------------------------------------------

    async def _upload(self, request: Request) -> Response:
        raw = await request.body()
        boundary = request.headers["content-type"].split("boundary=")[1].encode()
        part = next(p for p in raw.split(b"--" + boundary) if b"filename=" in p.split(b"\r\n\r\n")[0])
        name = f"file_{len(self.files) + 1}"
        self.files[name] = part.split(b"\r\n\r\n", 1)[1].removesuffix(b"\r\n").decode()
        return JSONResponse({"id": name, "object": "file", "purpose": "batch"})

    async def _content(self, request: Request) -> Response:
        await self._hold("results")
        return PlainTextResponse(self._torn(self.files[request.path_params["name"]]))

    async def _create_openai(self, request: Request) -> Response:
        told = await request.json()
        entries = [json.loads(line) for line in self.files[told["input_file_id"]].splitlines()]
        assert told["endpoint"] == "/v1/chat/completions"
        assert all(e["method"] == "POST" and e["url"] == told["endpoint"] for e in entries)
        lines = {entry["custom_id"]: entry["body"] for entry in entries}
        assert len(lines) == len(entries)
        return await self._creation(lambda: self._begun(lines, told.get("metadata") or {}), self._openai)

    def _openai(self, sent: Sent) -> dict[str, Any]:
        shown: dict[str, Any] = {
            "id": sent.batch_id, "object": "batch", "endpoint": "/v1/chat/completions", "completion_window": "24h",
            "created_at": int(sent.created), "status": sent.status, "metadata": sent.metadata,
            "input_file_id": "file_1",
            "request_counts": {"total": len(sent.lines), "completed": len(sent.results), "failed": len(sent.errors)},
        }  # fmt: skip
        for kind, lines in (("output", sent.results), ("error", sent.errors)):
            if sent.status in ("completed", "expired", "cancelled") and lines:
                self.files[f"{kind}_{sent.batch_id}"] = "".join(line + "\n" for line in lines)
                shown[f"{kind}_file_id"] = f"{kind}_{sent.batch_id}"
        if sent.status == "failed":
            shown["errors"] = {"object": "list", "data": [{"code": sent.errors[0], "message": self.message}]}
        return shown

    async def _list_openai(self, request: Request) -> Response:
        newest = list(reversed(self.batches))
        after = request.query_params.get("after")
        page = newest[newest.index(after) + 1 if after else 0 :]
        data = [self._openai(self.batches[name]) for name in page[:2]]
        return JSONResponse({"object": "list", "data": data, "has_more": len(page) > 2})

    async def _look_openai(self, request: Request) -> Response:
        await self._hold("look")
        sent = self.batches.get(request.path_params["name"])
        if sent is None:
            return JSONResponse({"error": {"message": "no such batch"}}, 404)
        self._go_on(sent, "completed")
        if sent.status == "completed" and not sent.results and not sent.errors:
            if self.whole:
                sent.status, sent.errors = "failed", [self.whole.pop(0)]
            else:
                self._play(sent, _openai_line)
                fates = [self.fate(body, len(self.batches)) for body in sent.lines.values()]
                sent.status = "cancelled" if "canceled" in fates else "expired" if "expired" in fates else "completed"
        return JSONResponse(self._openai(sent))

    # -- the Anthropic protocol -------------------------------------------------------------------------------------

    async def _create_anthropic(self, request: Request) -> Response:
        entries = (await request.json())["requests"]
        lines = {entry["custom_id"]: entry["params"] for entry in entries}
        assert len(lines) == len(entries) and all(len(name) <= 64 for name in lines)
        return await self._creation(lambda: self._begun(lines, {}), self._anthropic)

    def _anthropic(self, sent: Sent) -> dict[str, Any]:
        ended = sent.status == "ended"
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        counts["succeeded" if ended else "processing"] = len(sent.lines)
        created = datetime.fromtimestamp(sent.created, UTC).isoformat()
        return {
            "id": sent.batch_id, "type": "message_batch", "processing_status": sent.status, "request_counts": counts,
            "created_at": created, "expires_at": created, "ended_at": created if ended else None,
            "results_url": f"{self.url}/v1/messages/batches/{sent.batch_id}/results" if ended else None,
        }  # fmt: skip

    async def _list_anthropic(self, request: Request) -> Response:
        newest = list(reversed(self.batches))
        after = request.query_params.get("after_id")
        page = newest[newest.index(after) + 1 if after else 0 :]
        for name in page[:2]:
            self._ended_anthropic(self.batches[name])
        data = [self._anthropic(self.batches[name]) for name in page[:2]]
        last = data[-1]["id"] if data else None
        return JSONResponse({"data": data, "has_more": len(page) > 2, "first_id": None, "last_id": last})

    async def _look_anthropic(self, request: Request) -> Response:
        await self._hold("look")
        sent = self.batches.get(request.path_params["name"])
        if sent is None:
            return JSONResponse({"error": {"type": "not_found_error", "message": "no such batch"}}, 404)
        self._ended_anthropic(sent)
        return JSONResponse(self._anthropic(sent))

    def _ended_anthropic(self, sent: Sent) -> None:
        self._go_on(sent, "ended")
        if sent.status == "ended" and not sent.results and not sent.errors:
            self._play(sent, _anthropic_line)

    async def _results_anthropic(self, request: Request) -> Response:
        await self._hold("results")
        sent = self.batches[request.path_params["name"]]
        text = "".join(line + "\n" for line in sent.errors + sent.results)
        return PlainTextResponse(self._torn(text), media_type="application/x-jsonl")


def question_of(body: dict[str, Any]) -> str:
    """What the user of a `final_answer` prompt asks, whatever was said after it."""
    text: str = next(m["content"] for m in body["messages"] if m["role"] == "user")
    return next((line for line in text.splitlines() if "질문 #" in line), text).strip('"')


def _openai_line(name: str, kind: str, value: Any) -> str:
    entry: dict[str, Any] = {"id": f"r_{name[:6]}", "custom_id": name, "response": None, "error": None}
    if kind == "answered":
        entry["response"] = {"status_code": 200, "request_id": "q", "body": value}
    elif kind == "expired":
        entry["error"] = {"code": "batch_expired", "message": "This request could not be executed in time."}
    elif kind == "canceled":
        entry["error"] = {"code": "batch_cancelled", "message": "canceled"}
    else:
        status = 400 if kind == "refused" else 500
        entry["response"] = {"status_code": status, "request_id": "q", "body": {"error": {"message": value}}}
    return json.dumps(entry, ensure_ascii=False)


def _anthropic_line(name: str, kind: str, value: Any) -> str:
    if kind == "answered":
        result: dict[str, Any] = {"type": "succeeded", "message": value}
    elif kind in ("expired", "canceled"):
        result = {"type": kind}
    else:
        named = "invalid_request_error" if kind == "refused" else "api_error"
        result = {"type": "errored", "error": {"type": "error", "error": {"type": named, "message": value}}}
    return json.dumps({"custom_id": name, "result": result}, ensure_ascii=False)
