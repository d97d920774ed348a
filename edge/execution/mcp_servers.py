"""a command or URL of a running MCP server -> the list of its tools, as the document that stage 1 reads."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import shlex
import tempfile
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, TextIO, cast
from urllib.parse import urlsplit

from edge.errors import EdgeError, EndpointError, MissingExtra, UsageError
from edge.ids import Json, canonical_json

if TYPE_CHECKING:
    from mcp import Client

DEADLINE_S = 60.0  # for a server to start and to list everything
REQUEST_S = 20.0
MAX_PAGES = 100
MAX_TOOLS = 10_000
MAX_BYTES = 32 * 1024 * 1024  # what the reader of documents takes
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


@dataclass(frozen=True, slots=True)
class ServerTools:
    """What a server listed. `name` is what it calls itself, else what it was asked by; `tools` are as on the wire."""

    name: str
    tools: tuple[Json, ...]

    def document(self, name: str) -> bytes:
        """Return the JSON document of these tools, their parameters in the server's order, under a name of it."""
        return json.dumps({"server": name, "tools": self.tools}, ensure_ascii=False).encode("utf-8", "replace")


def list_tools(server: str, *, deadline_s: float = DEADLINE_S) -> ServerTools:
    """Return the tools of one running server.

    A command is started over stdio with its own small environment (HOME, PATH and the like; NAME=value words in front
    of it are added) and has always ended when this returns: closed, then terminated, then killed with its children.

    Args:
        server: An http(s) URL, or a command line.
        deadline_s: Seconds for everything together.

    Raises:
        MissingExtra: the mcp package is absent.
        UsageError: the text is neither a URL nor a command.
        EndpointError: the server cannot be reached, does not speak MCP, is too slow or lists too much.
    """
    try:
        import mcp  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError:
        raise MissingExtra("mcp", "mcp") from None
    # The library logs what it also raises or what a server prints beside the protocol; here one line says it.
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        try:
            return asyncio.run(_listed(server, said, deadline_s))
        except EdgeError:
            raise
        except Exception as error:
            raise EndpointError(f"MCP server {_shown(server)}: {_why(error, deadline_s)}{_last_words(said)}") from None


def _shown(server: str) -> str:
    """Return what names a server in a message: not its query, its password or the values of its variables."""
    if "://" in server:
        return re.sub(r"//[^/@]*@", "//", server.partition("?")[0])
    return " ".join(word for word in server.split() if not _VARIABLE.match(word))[:200]


def _why(error: BaseException, deadline_s: float) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    if isinstance(error, TimeoutError):
        return f"no list of tools within {deadline_s:g} seconds"
    if isinstance(error, FileNotFoundError | PermissionError):
        return f"cannot be started ({error.strerror})"
    return " ".join(str(error).split())[:300] or type(error).__name__


def _last_words(said: IO[str]) -> str:
    """Return the last line that a command wrote to its standard error, which says more than a closed pipe."""
    said.seek(max(0, said.seek(0, 2) - 4000))
    lines = [line.strip() for line in said.read().splitlines() if line.strip()]
    return f"; it said: {lines[-1][:300]}" if lines else ""


async def _listed(server: str, said: IO[str], deadline_s: float) -> ServerTools:
    async with asyncio.timeout(deadline_s), _client(server, said) as client:
        tools: list[Json] = []
        size = 0
        cursor: str | None = None
        for _ in range(MAX_PAGES):
            page = await client.list_tools(cursor=cursor)
            found: list[Json] = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in page.tools]
            tools += found
            size += sum(len(canonical_json(tool)) for tool in found)
            if len(tools) > MAX_TOOLS or size > MAX_BYTES:
                most = f"{MAX_TOOLS} tools or {MAX_BYTES} bytes"
                raise EndpointError(f"MCP server {_shown(server)} lists more than {most}")
            cursor = page.next_cursor
            if not cursor:
                info = client.server_info
                name = info.name.strip() if info and info.name.strip() else _name_of(server)
                return ServerTools(name, tuple(tools))
        raise EndpointError(f"MCP server {_shown(server)} lists its tools on more than {MAX_PAGES} pages")


def _name_of(server: str) -> str:
    """Return a name for a server that gives none: its host, or the last word of its command."""
    return urlsplit(server).netloc if "://" in server else Path(shlex.split(server)[-1]).stem


@asynccontextmanager
async def _client(server: str, said: IO[str]) -> AsyncGenerator[Client, None]:
    from mcp import Client, StdioServerParameters, stdio_client
    from mcp.client.streamable_http import streamable_http_client

    from edge.execution.mcp_http import capped_client

    async with AsyncExitStack() as stack:
        if "://" in server:
            transport = streamable_http_client(
                _url(server), http_client=await stack.enter_async_context(capped_client()), max_sse_event_size=MAX_BYTES
            )
        else:
            words, env = _command(server)
            parameters = StdioServerParameters(command=words[0], args=words[1:], env=env)
            transport = stdio_client(parameters, errlog=cast("TextIO", said))
        yield await stack.enter_async_context(Client(transport, read_timeout_seconds=REQUEST_S))


def _url(server: str) -> str:
    try:
        parts = urlsplit(server)
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return server
    except ValueError:
        pass
    raise UsageError(f"--mcp {_shown(server)!r} is no http(s) URL")


def _command(server: str) -> tuple[list[str], dict[str, str]]:
    """Return the words of a command line and the variables set in front of it."""
    try:
        words = shlex.split(server)
    except ValueError as error:
        raise UsageError(f"--mcp {server!r}: {error}") from None
    env: dict[str, str] = {}
    while words and _VARIABLE.match(words[0]):
        name, _, value = words.pop(0).partition("=")
        env[name] = value
    if not words:
        raise UsageError(f"--mcp {server!r} names no command and no http(s) URL")
    return words, env
