"""answer of an MCP server over HTTP -> the same answer, cut off where it grows beyond what a list of tools can be."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2  # what the mcp package speaks HTTP with

MAX_BYTES = 32 * 1024 * 1024
_TIMEOUT_S = 20.0


class _CappedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > MAX_BYTES:
                raise httpx2.ReadError(f"the answer is longer than {MAX_BYTES} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


class _CappedTransport(httpx2.AsyncHTTPTransport):
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        # A packed answer could hold a thousand times what was counted; none is asked for.
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise httpx2.ReadError("the answer is packed though it was asked for plain")
        assert isinstance(response.stream, httpx2.AsyncByteStream)  # noqa: S101
        response.stream = _CappedStream(response.stream)
        return response


def capped_client() -> httpx2.AsyncClient:
    """Return a client that takes plain answers of limited length and follows no redirect by itself."""
    plain = {"Accept-Encoding": "identity"}
    return httpx2.AsyncClient(timeout=_TIMEOUT_S, transport=_CappedTransport(), headers=plain, follow_redirects=False)
