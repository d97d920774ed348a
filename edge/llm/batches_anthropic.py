"""Lines -> a message batch of the Anthropic protocol: requests go up in one piece, results come down line by line."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from json import JSONDecodeError
from typing import TYPE_CHECKING, cast

from edge.errors import ModelUnavailable
from edge.ids import Json
from edge.llm.anthropic import usage_of
from edge.llm.batches_protocol import CANCELED, EXPIRED, NOTHING, UNKNOWN, Found, Line, Progress, Result, Torn
from edge.llm.connections import SharedClient
from edge.llm.failures import redacted, translated
from edge.llm.profiles import host_of
from edge.llm.protocol import TokenUsage

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
    from anthropic.types.messages import MessageBatch, MessageBatchIndividualResponse
    from anthropic.types.messages.batch_create_params import Request

_SKEW_S = 900.0  # clocks differ
_LASTS_S = 26 * 3600.0  # a batch that was sent later than this is another one
_STATUS: Mapping[str, int] = {"canceled": CANCELED, "expired": EXPIRED}
_ERRORS: Mapping[str, int] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}


class AnthropicBatches:
    """The message batch endpoints. Batches carry no label: one is known by the custom ids of its results."""

    most_lines = 100_000
    most_bytes = 240_000_000

    def __init__(self, name: str, key: str, *, base_url: str | None = None, timeout_s: float = 120.0) -> None:
        from anthropic import AsyncAnthropic

        self._key = key
        self._client = SharedClient(
            lambda: AsyncAnthropic(api_key=key, base_url=base_url, timeout=timeout_s, max_retries=0)
        )
        self._what = f"batches of {name} at {host_of('anthropic', base_url)}"

    async def submit(self, token: str, lines: Mapping[str, Line]) -> str:
        """See `BatchService.submit`."""
        requests: list[Request] = [
            {"custom_id": name, "params": cast("MessageCreateParamsNonStreaming", line.body)}
            for name, line in lines.items()
        ]
        async with self._asked() as client:
            batch = await client.messages.batches.create(requests=requests)
        found: object = getattr(batch, "id", None)
        if not isinstance(found, str) or not found:
            raise ModelUnavailable(f"{self._what}: the service answered with something else than a batch")
        return found

    async def find(self, token: str, planned_at: float, lines: Collection[str], known: Collection[str]) -> Found:
        """See `BatchService.find`. One under way with as many lines is undecided until its results can be read."""
        undecided = False
        async with self._asked() as client:
            async for batch in client.messages.batches.list(limit=100):
                created = batch.created_at.timestamp()
                if created < planned_at - _SKEW_S:
                    break  # the newest come first
                if created > planned_at + _LASTS_S or batch.id in known or _lines_of(batch) != len(lines):
                    continue
                if batch.processing_status != "ended":
                    undecided = True
                elif await self._is(client, batch.id, lines):
                    return Found(batch.id)
        return Found(undecided=undecided)

    async def _is(self, client: AsyncAnthropic, batch_id: str, lines: Collection[str]) -> bool:
        results = await client.messages.batches.results(batch_id)
        try:
            async for entry in results:
                return entry.custom_id in lines  # ids hold the token: one tells
        finally:
            await results.close()
        return False

    async def look(self, batch_id: str) -> Progress:
        """See `BatchService.look`."""
        from anthropic import NotFoundError

        async with self._asked() as client:
            try:
                batch = await client.messages.batches.retrieve(batch_id)
            except NotFoundError:
                return UNKNOWN
            waiting = batch.request_counts.processing
        said = f"{batch.processing_status}, {waiting} of {_lines_of(batch)} lines under way"
        return Progress(batch.processing_status == "ended", said)

    async def results(self, batch_id: str) -> AsyncIterator[Result]:
        """See `BatchService.results`."""
        found, torn = list[Result](), False
        async with self._asked() as client:
            results = await client.messages.batches.results(batch_id)
            try:
                async for entry in results:
                    found.append(self._result(entry))
            except JSONDecodeError:
                torn = True
            finally:
                await results.close()
        for result in found:
            yield result
        if torn:
            raise Torn(f"{self._what}: a line of the results of {batch_id} cannot be read")

    def usage(self, body: Mapping[str, Json]) -> tuple[TokenUsage, bool]:
        """See `BatchService.usage`."""
        return usage_of(body)

    def _result(self, entry: MessageBatchIndividualResponse) -> Result:
        """Read a line with suspicion: what is no known kind of result is none."""
        result = entry.result
        if result.type == "succeeded":
            body = result.message.to_dict(mode="json", warnings=False)
            return Result(str(entry.custom_id), cast("dict[str, Json]", body))
        if result.type == "errored":
            error = result.error.error
            message = redacted(f"{error.type} {error.message}", self._key)
            return Result(str(entry.custom_id), None, _ERRORS.get(str(error.type), 500), message)
        return Result(str(entry.custom_id), None, _STATUS.get(result.type, NOTHING), str(result.type))

    @asynccontextmanager
    async def _asked(self) -> AsyncGenerator[AsyncAnthropic]:
        import httpx2
        from anthropic import AnthropicError

        try:
            async with self._client.use() as client:
                yield client
        except AnthropicError as error:
            raise translated(error, self._key, self._what) from None
        except (AttributeError, TypeError, ValueError, httpx2.HTTPError) as error:  # cut off, or of another kind
            raise ModelUnavailable(f"{self._what}: an answer cannot be read ({type(error).__name__})") from None


def _lines_of(batch: MessageBatch) -> int:
    counts = batch.request_counts
    return counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired
