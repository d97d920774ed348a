"""Running MCP servers are asked for their tools over stdio and HTTP, within limits, and never left running."""

from __future__ import annotations

import gzip
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

pytest.importorskip("mcp")
import httpx2

from edge.cli import main
from edge.errors import EndpointError, MissingExtra, UsageError
from edge.execution import mcp_http, mcp_servers
from edge.execution.mcp_servers import list_tools
from edge.execution.request import Refused, build_request
from edge.specs.compile import compile_paths

SERVER = Path(__file__).parent / "mcpserver.py"


def stdio(kind: str) -> str:
    return f"{sys.executable} {SERVER} {kind}"


@contextmanager
def over_http(kind: str) -> Iterator[str]:
    """Run the server on a free loopback port and yield its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, SERVER, kind, str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()


def test_a_stdio_server_lists_its_tools_and_they_compile() -> None:
    listed = list_tools(stdio("weather"))
    assert listed.name == "weather"
    report = compile_paths([], documents={"mcp:weather.json": listed.document(listed.name)})
    assert report.skipped == () and report.files == ("mcp:weather.json",)
    search, delete = report.tool("weather_search_stations"), report.tool("weather_delete_station")
    assert search and delete
    assert (search.title, search.read_only, delete.read_only) == ("측정소 검색", True, False)
    assert [(p.name, p.type, p.required) for p in search.offered] == [
        ("sido", "string", True),
        ("tags", "array", False),
        ("page", "integer", False),
        ("page_size", "integer", False),
    ]
    assert [value.value for value in search.parameters[0].enum] == ["서울", "부산"]
    assert [(f.path, f.label, f.type) for f in search.outputs] == [
        ("name", "측정소명", "string"),
        ("pm10", "미세먼지 농도", "integer"),
    ]


@pytest.mark.parametrize("kind", ["json", "sse"])
def test_an_http_server_answers_in_both_forms(kind: str) -> None:
    with over_http(kind) as url:
        listed = list_tools(url)
    assert listed.name == kind and len(listed.tools) == 2


def test_an_mcp_tool_is_refused_as_an_http_call() -> None:
    document = list_tools(stdio("weather")).document("weather")
    tool = compile_paths([], documents={"a.json": document}).tools[0]
    refused = build_request(tool, {})
    assert isinstance(refused, Refused) and refused.reason == "not_http"


def test_all_pages_are_read_and_endless_ones_end() -> None:
    listed = list_tools(stdio("pages3"))
    assert re.findall(r"get_\d", listed.document("").decode()) == ["get_1", "get_2", "get_3"]
    with pytest.raises(EndpointError, match=f"more than {mcp_servers.MAX_PAGES} pages"):
        list_tools(stdio("pages-1"))


def test_a_server_that_does_not_answer_is_ended() -> None:
    began = time.monotonic()
    with pytest.raises(EndpointError, match="no list of tools within 2 seconds; it said: mcpserver") as error:
        list_tools(stdio("stubborn"), deadline_s=2)
    assert time.monotonic() - began < 20
    number = int(re.findall(r"mcpserver (\d+)", str(error.value))[0])
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


@pytest.mark.parametrize(
    ("server", "said"),
    [
        (stdio("broken"), "it said: DATABASE_URL is not set"),
        ("no-such-command-anywhere --flag", "cannot be started"),
        ("http://127.0.0.1:9/mcp", "http://127.0.0.1:9/mcp: "),
        ("http://user:secret@127.0.0.1:9/mcp?key=secret", "http://127.0.0.1:9/mcp: "),
    ],
)
def test_failures_are_one_line(server: str, said: str) -> None:
    with pytest.raises(EndpointError, match=re.escape(said)) as error:
        list_tools(server, deadline_s=20)
    assert "\n" not in str(error.value) and "secret" not in str(error.value)


@pytest.mark.parametrize("server", ["", "  ", "A=1", "ftp://host/x", "http://", "python 'unclosed"])
def test_what_is_no_server_is_a_usage_error(server: str) -> None:
    with pytest.raises(UsageError):
        list_tools(server)


def test_text_beside_the_protocol_does_no_harm(capfd: pytest.CaptureFixture[str]) -> None:
    assert list_tools(stdio("chatty")).name == "chatty"
    assert "Traceback" not in capfd.readouterr().err


def test_a_server_sees_only_the_variables_given_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGE_KEY_SECRET", "secret")
    assert list_tools(f"STATION=seoul {stdio('environment')}").name == '{"STATION": "seoul"}'


@contextmanager
def answering(body: bytes, headers: dict[str, str]) -> Iterator[str]:
    """Answer every request with these bytes."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self.send_response(200)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/mcp"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def test_answers_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_http, "MAX_BYTES", 1000)
    packed = gzip.compress(b" " * 5000)
    async with mcp_http.capped_client() as client:
        with answering(b"x" * 1000, {}) as url:
            assert len((await client.post(url)).content) == 1000
        with answering(b"x" * 1001, {}) as url, pytest.raises(httpx2.ReadError, match="longer than 1000 bytes"):
            await client.post(url)
        with answering(packed, {"Content-Encoding": "gzip"}) as url, pytest.raises(httpx2.ReadError, match="packed"):
            await client.post(url)


def test_without_the_package_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(MissingExtra, match=r"edge-synthesis\[mcp\]"):
        list_tools("anything")


def test_the_command_takes_servers_without_paths(capsys: pytest.CaptureFixture[str]) -> None:
    # Two servers of one name: their tools stay apart.
    assert main(["compile", "--mcp", stdio("weather"), "--mcp", stdio("weather")]) == 0
    out = capsys.readouterr().out
    assert "4 tools from 4 operations in 2 files" in out and "weather_2" in out
    assert main(["compile"]) == 2
