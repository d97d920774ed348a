"""Lines -> a batch of the OpenAI protocol: a file of requests goes up, files of answers and of errors come down."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, cast

from edge.errors import ModelUnavailable
from edge.ids import Json
from edge.llm.batches_protocol import CANCELED, EXPIRED, NOTHING, UNKNOWN, Found, Line, Progress, Result, Torn
from edge.llm.connections import SharedClient
from edge.llm.failures import redacted, translated
from edge.llm.openai import usage_of
from edge.llm.profiles import host_of
from edge.llm.protocol import TokenUsage

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types import Batch

_URL = "/v1/chat/completions"
_TOKEN = "edge_batch"  # noqa: S105 - the name of a label, by which a batch is found again
_SKEW_S = 3600.0  # clocks differ
_ENDED: Mapping[str, int] = {"completed": NOTHING, "expired": EXPIRED, "cancelled": CANCELED, "failed": 400}
_FULL = "token_limit_exceeded"  # too much is queued already: this passes
_CODES: Mapping[str, int] = {"batch_expired": EXPIRED, "batch_cancelled": CANCELED}


class OpenAIBatches:
    """The batch endpoints. Files of batches are deleted by the service after 30 days."""

    most_lines = 50_000
    most_bytes = 190_000_000

    def __init__(self, name: str, key: str, *, base_url: str | None = None, timeout_s: float = 120.0) -> None:
        from openai import AsyncOpenAI

        self._key = key
        self._client = SharedClient(
            lambda: AsyncOpenAI(api_key=key, base_url=base_url, timeout=timeout_s, max_retries=0)
        )
        self._what = f"batches of {name} at {host_of('openai', base_url)}"

    async def submit(self, token: str, lines: Mapping[str, Line]) -> str:
        """See `BatchService.submit`."""
        requests = [
            {"custom_id": name, "method": "POST", "url": _URL, "body": line.body} for name, line in lines.items()
        ]
        text = "".join(json.dumps(request, ensure_ascii=False) + "\n" for request in requests)
        async with self._asked() as client:
            content = (f"edge-{token}.jsonl", text.encode("utf-8", "replace"))
            uploaded = await client.files.create(file=content, purpose="batch")
            batch = await client.batches.create(
                completion_window="24h", endpoint=_URL, input_file_id=uploaded.id, metadata={_TOKEN: token}
            )
            return self._id_of(batch)

    async def find(self, token: str, planned_at: float, lines: Collection[str], known: Collection[str]) -> Found:
        """See `BatchService.find`. Batches carry their token."""
        async with self._asked() as client:
            async for batch in client.batches.list(limit=100):
                if batch.created_at < planned_at - _SKEW_S:
                    break  # the newest come first
                if (batch.metadata or {}).get(_TOKEN) == token:
                    return Found(batch.id)
        return Found()

    async def look(self, batch_id: str) -> Progress:
        """See `BatchService.look`."""
        from openai import NotFoundError

        async with self._asked() as client:
            try:
                batch = await client.batches.retrieve(batch_id)
            except NotFoundError:
                return UNKNOWN
        status, counts = batch.status, batch.request_counts
        said = f"{status}, {counts.completed} of {counts.total} lines" if counts else str(status)
        if status not in _ENDED:
            return Progress(False, said)
        errors = (batch.errors.data if batch.errors else None) or []
        message = redacted("; ".join(str(error.message) for error in errors[:3]), self._key) or f"the batch {status}"
        full = any(error.code == _FULL for error in errors)
        return Progress(True, said, 429 if full else _ENDED[status], message)

    async def results(self, batch_id: str) -> AsyncIterator[Result]:
        """See `BatchService.results`. Answers and errors are in two files, of which either may be missing."""
        async with self._asked() as client:
            batch = await client.batches.retrieve(batch_id)
            files = [name for name in (batch.output_file_id, batch.error_file_id) if name]
            texts = [(await client.files.content(name)).text for name in files]
        torn = False
        for text in texts:
            for line in text.splitlines():
                result = self._result(line)
                if result is not None:
                    yield result
                torn |= result is None and bool(line.strip())
        if torn:
            raise Torn(f"{self._what}: a line of the results of {batch_id} cannot be read")

    def usage(self, body: Mapping[str, Json]) -> tuple[TokenUsage, bool]:
        """See `BatchService.usage`."""
        return usage_of(body)

    def _result(self, line: str) -> Result | None:
        """Read a line of a file of results with suspicion; None where it tells nothing of any request."""
        try:
            told: object = json.loads(line)
        except ValueError:
            told = None
        entry = _object(told)
        name = entry.get("custom_id")
        if not isinstance(name, str):
            return None
        response, error = _object(entry.get("response")), _object(entry.get("error"))
        status, body = response.get("status_code"), response.get("body")
        if status == 200 and isinstance(body, dict):
            return Result(name, cast("dict[str, Json]", body))
        error = error or _object(_object(body).get("error"))
        code, message = str(error.get("code") or ""), redacted(str(error.get("message") or ""), self._key)
        failed = _CODES.get(code, status if isinstance(status, int) and status != 200 else NOTHING)
        return Result(name, None, failed, f"{code} {message}".strip())

    def _id_of(self, batch: Batch) -> str:
        found: object = getattr(batch, "id", None)
        if not isinstance(found, str) or not found:
            raise ModelUnavailable(f"{self._what}: the service answered with something else than a batch")
        return found

    @asynccontextmanager
    async def _asked(self) -> AsyncGenerator[AsyncOpenAI]:
        from openai import OpenAIError

        try:
            async with self._client.use() as client:
                yield client
        except OpenAIError as error:
            raise translated(error, self._key, self._what) from None
        except (AttributeError, TypeError, UnicodeDecodeError) as error:  # a body of another kind than was asked for
            raise ModelUnavailable(f"{self._what}: an answer cannot be read ({type(error).__name__})") from None


def _object(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}
