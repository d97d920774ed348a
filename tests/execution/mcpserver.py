"""A small MCP server built with the official SDK, run as a process by the tests: mcpserver.py KIND [PORT]."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Annotated, Any, Literal

import anyio
import mcp_types as types
from mcp.server import Server
from mcp.server.mcpserver import MCPServer
from mcp.server.stdio import stdio_server
from pydantic import BaseModel, Field


class Station(BaseModel):
    """One station."""

    name: str = Field(description="측정소명")
    pm10: int = Field(description="미세먼지 농도")


def weather(name: str) -> MCPServer:
    """Return a server with tools of several kinds."""
    server = MCPServer(name)

    @server.tool(title="측정소 검색", annotations=types.ToolAnnotations(read_only_hint=True))
    def search_stations(
        sido: Annotated[Literal["서울", "부산"], Field(description="시도 이름")],
        tags: list[str] | None = None,
        page: int = 1,
        page_size: int = 10,
    ) -> list[Station]:
        """시도 안의 대기질 측정소를 찾는다."""
        return []

    @server.tool()
    def delete_station(station_id: str) -> str:
        """측정소를 지운다."""
        return station_id

    return server


def paged(name: str, pages: int) -> Server[Any]:
    """Return a server that lists one tool a page; a negative number never ends."""

    async def listed(_: object, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        number = int(params.cursor) if params and params.cursor else 1
        tool = types.Tool(name=f"get_{number}", input_schema={"type": "object"})
        return types.ListToolsResult(tools=[tool], next_cursor=None if number == pages else str(number + 1))

    return Server(name, on_list_tools=listed)


async def over_stdio(server: Server[Any]) -> None:
    """Serve until the input closes."""
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def main(kind: str, port: str = "") -> None:
    """Serve as KIND says."""
    if kind == "stubborn":  # ends for nothing but a kill
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("mcpserver", os.getpid(), file=sys.stderr, flush=True)
        time.sleep(600)
    elif kind == "broken":
        print("DATABASE_URL is not set", file=sys.stderr)
        sys.exit(3)
    elif kind == "chatty":  # prints beside the protocol
        print("listening ...", flush=True)
        weather("chatty").run()
    elif kind == "environment":
        name = json.dumps({key: os.environ[key] for key in ("STATION", "EDGE_KEY_SECRET") if key in os.environ})
        weather(name).run()
    elif kind.startswith("pages"):
        anyio.run(over_stdio, paged("paged", int(kind.removeprefix("pages"))))
    elif port:
        weather(kind).run("streamable-http", port=int(port), json_response=kind == "json")
    else:
        weather(kind).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
