"""`edge compile` as people meet it: documents from files, URLs and servers, a report, and what it learned."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from edge import cli
from edge.datasets.store import Store
from edge.specs.compile import BUNDLED_SPECS


def edge(*arguments: str) -> int:
    return cli.guarded(lambda: cli.main(list(arguments)))


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    folder = tmp_path / "site"
    folder.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield folder, f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def write(path: Path, tree: Any) -> Path:
    path.write_text(json.dumps(tree, ensure_ascii=False), encoding="utf-8")
    return path


def swagger(reference: str) -> dict[str, Any]:
    parameters = [{"$ref": reference}]
    paths = {"/a": {"get": {"operationId": "a", "parameters": parameters}}, "/b": {"get": {"operationId": "b"}}}
    return {"swagger": "2.0", "host": "x.go.kr", "schemes": ["https"], "paths": paths}


def test_a_document_and_its_references_are_fetched_from_its_own_host(
    site: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, host = site
    write(folder / "parts.json", {"region": {"name": "region", "in": "query", "type": "string", "required": True}})
    write(folder / "doc.json", swagger("parts.json#/region"))
    assert edge("compile", f"http://{host}/doc.json") == 0
    assert "2 tools from 2 operations in 1 files" in capsys.readouterr().out


def test_a_reference_to_another_host_costs_one_operation_until_it_is_allowed(
    site: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, host = site
    write(folder / "parts.json", {"region": {"name": "region", "in": "query", "type": "string"}})
    document = str(write(tmp_path / "doc.json", swagger(f"http://{host}/parts.json#/region")))
    assert edge("compile", document) == 0
    said = capsys.readouterr().out
    assert "1 tools from 2 operations" in said and "unresolved_ref" in said and "#/paths/~1a/get/parameters/0" in said
    assert edge("compile", document, "--allow-host", "elsewhere.example") == 0
    assert f"add --allow-host {host}" in capsys.readouterr().out
    assert edge("compile", document, "--allow-host", host) == 0
    assert "2 tools from 2 operations" in capsys.readouterr().out


def test_the_report_as_json_holds_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = swagger("#/parameters/없음")
    del document["schemes"]
    assert edge("compile", str(write(tmp_path / "doc.json", document)), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    counts = {(row["what"], row["name"]): row["count"] for row in told["counts"]}
    assert (counts["files", ""], counts["operations", ""], counts["skipped", "unresolved_ref"]) == (1, 2, 1)
    assert counts["notices", "scheme_assumed"] == 1 == len(told["notices"])
    assert [tool["function"]["name"] for tool in told["tools"]] == ["x_go_kr_doc_b"]
    assert told["skipped"][0]["item_id"].startswith("doc.json#")


def test_a_recording_gives_outputs_and_the_differences_are_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """S08, S10: an operation without a schema learns it; both schemas and the difference are in the datasets."""
    answer = {"200": {"schema": {"type": "object", "properties": {"data": {"type": "array", "items": {"properties": {
        "id": {"type": "integer"}}}}}}}}  # fmt: skip
    paths = {"/a": {"get": {"operationId": "a"}}, "/b": {"get": {"operationId": "b", "responses": answer}}}
    document = {"swagger": "2.0", "host": "x.go.kr", "schemes": ["https"], "paths": paths}
    write(tmp_path / "doc.json", document)
    recorded = tmp_path / "recorded"
    recorded.mkdir()
    records = [{"id": "1", "stationName": "종로"}]
    body = {"response": {"header": {"resultCode": "0"}, "body": {"items": {"item": records}}}}
    write(recorded / "doc.a.json", body)
    write(recorded / "doc.b.json", body)
    outputs = tmp_path / "out"
    assert edge("compile", str(tmp_path / "doc.json"), "--probe", str(recorded), "--outputs", str(outputs)) == 0
    said = capsys.readouterr().out
    assert "missing_wrapper" in said and "tools of unknown outputs" not in said
    tools = {row["operation_key"]: row for row in Store(outputs).rows("tools")}
    assert "stationName" in str(tools["doc.a"]["outputs"])
    assert tools["doc.b"]["declared_outputs"] is not None
    assert {str(row["kind"]) for row in Store(outputs).rows("spec_differences")} >= {"missing_wrapper", "no_schema"}


def test_probing_calls_the_endpoint(sandbox_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = edge("compile", str(BUNDLED_SPECS / "juso"), "--probe", "--everything", "--endpoint", sandbox_url)
    assert code == 0 and "juso" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "no document given"),
        (("{doc}", "--everything"), "belong to --probe"),
        (("{doc}", "--endpoint", "live"), "belong to --probe"),
        (("{doc}", "--describe"), "--describe needs a model"),
        (("{doc}", "--describe", "--llm", "openai"), "--model"),
        (("{doc}", "--probe", "nowhere"), "nowhere"),
        (("{doc}", "--mcp", ""), "--mcp"),
        (("{doc}", "http://user:secret@x/"), "user name or password"),
    ],
)
def test_what_cannot_be_is_one_line(
    options: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = write(tmp_path / "doc.json", swagger("#/parameters/없음"))
    assert edge("compile", *(option.format(doc=document) for option in options)) == 2
    captured = capsys.readouterr()
    assert len(captured.err.splitlines()) == 1 and said in captured.err and captured.out == ""


def test_what_does_not_answer_is_skipped_and_the_rest_compiles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dead = "http://127.0.0.1:1/x.json"
    assert edge("compile", dead, "--mcp", "no-such-command-here") == 1
    said = capsys.readouterr().out
    assert "0 tools" in said and said.count("unreachable: ") == 2 and "cannot be fetched" in said
    assert edge("compile", dead, str(write(tmp_path / "doc.json", swagger("#/parameters/없음")))) == 0
    assert f"unreachable: {dead}" in capsys.readouterr().out


def test_relative_servers_are_those_of_the_address(site: tuple[Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    folder, host = site
    get = {"/a": {"get": {"operationId": "a"}}}
    write(folder / "openapi.json", {"openapi": "3.1.0", "servers": [{"url": "/v1"}], "paths": get})
    write(folder / "swagger.json", {"swagger": "2.0", "basePath": "/v2", "paths": get})
    assert edge("compile", f"http://{host}/openapi.json", f"http://{host}/swagger.json", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [tool["url"] for tool in told["tools"]] == [f"http://{host}/v1/a", f"http://{host}/v2/a"]


def test_full_lists_the_tools_and_folders_account_for_all_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "readme.md").write_text("x")
    (tmp_path / "page.json").write_text("<html></html>")
    write(tmp_path / "doc.json", {**swagger("#/parameters/없음"), "paths": {"/x": {"delete": {"operationId": "drop"}}}})
    assert edge("compile", str(tmp_path), "--full") == 0
    said = capsys.readouterr().out
    assert "* x_go_kr_doc_drop()" in said and "1 files are no documents: 1 .md" in said and "HTML or XML" in said
