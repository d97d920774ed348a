"""References: pointers, other files, other hosts, circles (S01)."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.errors import SpecError
from edge.specs.building import Notice
from edge.specs.bundling import Fetch
from edge.specs.compile import CompileReport, compile_paths
from edge.specs.model import Tool
from edge.specs.refs import FOREIGN, TooLarge, Unresolved, escape, pointer, resolve
from edge.specs.refs import Source as Reader

OK: dict[str, Any] = {"operationId": "ok", "responses": {}}


def api(paths: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"openapi": "3.1.0", "servers": [{"url": "https://x.kr"}], "paths": paths, **more}


def answering(schema: dict[str, Any], name: str = "a") -> dict[str, Any]:
    return {"operationId": name, "responses": {"200": {"content": {"application/json": {"schema": schema}}}}}


def compiled(folder: Path, files: dict[str, Any], fetch: Fetch | None = None) -> CompileReport:
    for name, tree in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(tree if isinstance(tree, str) else json.dumps(tree, ensure_ascii=False), encoding="utf-8")
    return compile_paths([folder], fetch=fetch)


def broken_answers(report: CompileReport) -> list[Notice]:
    assert [skip.file for skip in report.skipped if skip.operation] == []
    return [notice for notice in report.notices if notice.kind == "unresolved_answer"]


def fields(tool: Tool) -> list[str]:
    return [field.path for field in tool.outputs]


step = st.text(max_size=12)


@given(st.lists(step, min_size=1, max_size=6), st.booleans())
def test_every_pointer_leads_where_it_was_made_for(steps: list[str], encoded: bool) -> None:
    root: dict[str, Any] = {"found": "here"}
    for name in reversed(steps):
        root = {name: root}
    written = "#/" + "/".join(quote(escape(name), safe="~") if encoded else escape(name) for name in steps)
    if not encoded and any("%" in name for name in steps):
        return  # a literal % may also be read as an escape; keys as written are tried first, below
    assert resolve(root, {"$ref": written}, "#") == {"found": "here"}


def test_a_key_as_written_comes_before_its_decoded_form() -> None:
    root: dict[str, Any] = {"a%20b": {"is": "written"}, "a b": {"is": "decoded"}, "/p/{id}": {"is": "path"}}
    assert resolve(root, {"$ref": "#/a%20b"}, "#") == {"is": "written"}
    assert resolve(root, {"$ref": "#/~1p~1%7Bid%7D"}, "#") == {"is": "path"}


def test_list_positions_and_the_whole_document() -> None:
    root: dict[str, Any] = {"list": [{"is": "first"}], "is": "root"}
    assert resolve(root, {"$ref": "#/list/0"}, "#") == {"is": "first"}
    assert resolve(root, {"$ref": "#"}, "#") == root
    for wrong in ("#/list/1", "#/list/-1", "#/list/00", "#/list/x", "#/list/٠"):
        with pytest.raises(Unresolved, match="does not resolve"):
            resolve(root, {"$ref": wrong}, "#")


def test_words_beside_a_reference_stand_over_its_target() -> None:
    root: dict[str, Any] = {"a": {"description": "old", "type": "string"}}
    assert resolve(root, {"$ref": "#/a", "description": "new"}, "#") == {"description": "new", "type": "string"}


def test_parts_are_laid_together() -> None:
    root: dict[str, Any] = {
        "Envelope": {"properties": {"code": {"type": "string"}, "data": {"type": "object"}}, "required": ["code"]},
        "Bill": {"properties": {"name": {"type": "string"}}},
    }
    schema = {
        "allOf": [{"$ref": "#/Envelope"}, {"properties": {"data": {"$ref": "#/Bill"}}, "required": ["data"]}],
        "description": "own",
    }
    reader = Reader(root)
    flat: Any = reader.flat(schema, "#")
    assert (list(flat["properties"]), flat["required"], flat["description"]) == (
        ["code", "data"],
        ["code", "data"],
        "own",
    )
    assert reader.flat(flat["properties"]["data"], "#")["properties"] == {"name": {"type": "string"}}


def test_all_of_chains_end(tmp_path: Path) -> None:
    deep = {f"D{i}": {"allOf": [{"$ref": f"#/components/schemas/D{i + 1}"}]} for i in range(500)}
    wide = {f"W{i}": {"allOf": [{"$ref": f"#/components/schemas/W{i + 1}"}] * 9} for i in range(30)}
    own = {"allOf": [{"$ref": "#/components/schemas/Own"}, {"properties": {"x": {"type": "string"}}}]}
    schemas = {**deep, "D500": {"type": "object"}, **wide, "W30": {"properties": {"w": {}}}, "Own": own}
    refs = {name: {"$ref": f"#/components/schemas/{name}"} for name in ("D0", "W0", "Own")}
    paths = {f"/{name}": {"get": answering(ref, name)} for name, ref in refs.items()}
    report = compiled(tmp_path, {"a.json": api(paths, components={"schemas": schemas})})
    assert {tool.operation_key.rpartition(".")[2]: fields(tool) for tool in report.tools} == {"W0": ["w"], "Own": ["x"]}
    (skip,) = report.skipped
    assert skip.reason == "invalid_operation"
    assert "parts of parts" in skip.detail


def test_parts_that_multiply_cost_their_operation() -> None:
    root: dict[str, Any] = {
        f"L{i}": {"allOf": [{"properties": {f"p{i}{k}": {"$ref": f"#/L{i + 1}"}}} for k in range(200)]}
        for i in range(3)
    }
    reader = Reader({**root, "L3": {}})
    with pytest.raises(TooLarge):
        for _ in range(100_000):
            reader.flat({"allOf": [{"$ref": "#/L0"}, {"$ref": "#/L1"}]}, "#")


def test_files_relative_to_the_file_that_names_them(tmp_path: Path) -> None:
    direct = {"get": answering({"$ref": "../common/%EB%B2%95.json#/defs/A~1B"}, "b")}
    files = {
        "api/openapi.json": api({"/a": {"$ref": "paths/a.yaml"}, "/b": direct}),
        "api/paths/a.yaml": "get:\n  operationId: a\n  responses: {'200': {content: {application/json: "
        "{schema: {$ref: '../../common/법.json#/defs/A~1B'}}}}}\n",
        "common/법.json": {"defs": {"A/B": {"properties": {"no": {"$ref": "#/defs/no"}, "o": {"$ref": "other.json"}}},
                                   "no": {"type": "integer"}}},
        "common/other.json": {"properties": {"name": {"type": "string"}, "back": {"$ref": "법.json#/defs/A~1B"}}},
    }  # fmt: skip
    report = compiled(tmp_path, files)
    assert [fields(tool) for tool in report.tools] == [["no", "o.name", "o.back"]] * 2
    assert report.skipped == ()
    assert {n.file for n in report.notices if n.kind == "referenced_part"} == {
        "api/paths/a.yaml", "common/other.json", "common/법.json"
    }  # fmt: skip


def test_s01_a_file_that_cannot_be_had_costs_what_uses_it(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text('{"type": "object"}')
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "link.json").symlink_to(outside)
    refs = {
        "gone": "gone.json",
        "outside": "../outside.json",
        "absolute": outside.as_uri(),
        "link": "link.json",
        "broken": "broken.json#/a",
        "encoded": "%2e%2e/outside.json",
        "nul": "a%00b.json",
        "device": "file:///dev/zero",
        "pointer": "ok.json#/none",
        "scheme": "ftp://x.kr/a.json",
        "odd": "http://[x/a.json",
        "folder": ".",
    }
    paths = {f"/{name}": {"get": answering({"$ref": ref}, name)} for name, ref in refs.items()}
    files = {"api.json": api({**paths, "/ok": {"get": OK}}), "broken.json": "{", "ok.json": {"type": "object"}}
    report = compiled(folder, files)
    outputs = {tool.operation_key.rpartition(".")[2]: len(tool.outputs) for tool in report.tools}
    assert outputs == {"ok": 0, **dict.fromkeys(refs, 0)}
    skips = {notice.operation.removeprefix("GET /"): notice for notice in broken_answers(report)}
    assert skips.keys() == refs.keys()
    for name, skip in skips.items():
        assert skip.detail.startswith(f"#/paths/~1{name}/get/responses/200/content/application~1json/schema: $ref ")
        assert "\n" not in skip.detail and "\0" not in skip.detail
    assert "no such file" in skips["gone"].detail
    for name in ("outside", "absolute", "link", "encoded", "device"):
        assert "lies outside the folder" in skips[name].detail
    assert "line 1" in skips["broken"].detail
    assert "ok.json#/none does not resolve" in skips["pointer"].detail


def test_circles_across_files_end(tmp_path: Path) -> None:
    refs = {"a": "b.json", "r": "d.json"}
    files = {
        "a.json": api({f"/{name}": {"get": answering({"$ref": ref}, name)} for name, ref in refs.items()}),
        "b.json": {"properties": {"x": {"type": "string"}, "c": {"$ref": "c.json"}}},
        "c.json": {"properties": {"y": {"type": "string"}, "b": {"$ref": "b.json"}}},
        "d.json": {"$ref": "e.json"},
        "e.json": {"$ref": "d.json"},
    }
    report = compiled(tmp_path, files)
    assert [fields(tool) for tool in report.tools] == [["x", "c.y", "c.b"], []]
    (notice,) = broken_answers(report)
    assert notice.operation == "GET /r" and "circle" in notice.detail


def test_names_and_uris_of_parts(tmp_path: Path) -> None:
    schemas = {
        "Named": {"$anchor": "named", "properties": {"n": {"type": "string"}}},
        "Ided": {"$id": "https://schemas.x.kr/ided.json", "properties": {"i": {"type": "string"}}},
    }
    foreign = {"$defs": {"F": {"$anchor": "inner", "properties": {"f": {"type": "string"}}}}}
    refs = ["#named", "https://schemas.x.kr/ided.json", "f.json#inner", "https://api.x.kr/me#/components/schemas/Named"]
    paths = {f"/{i}": {"get": answering({"$ref": ref}, f"o{i}")} for i, ref in enumerate([*refs, "#none"])}
    document = api(paths, components={"schemas": schemas}, **{"$self": "https://api.x.kr/me"})
    report = compiled(tmp_path, {"a.json": document, "f.json": foreign})
    assert [fields(tool) for tool in report.tools] == [["n"], ["i"], ["f"], ["n"], []]
    (notice,) = broken_answers(report)
    assert notice.operation == "GET /4" and "$ref #none does not resolve" in notice.detail


def test_operations_properties_and_answers_in_other_files(tmp_path: Path) -> None:
    """No specification allows the first two; the API of a large provider is written so."""
    files = {
        "a.json": api({"/a": {"get": {"$ref": "op.json"}}}),
        "op.json": {"operationId": "op", "responses": {"default": {"$ref": "answers.json#/good"}}},
        "answers.json": {"good": answering({"properties": {"$ref": "fields.json"}})["responses"]["200"]},
        "fields.json": {"a": {"type": "string"}, "b": {"$ref": "#/a"}, "$ref": {"type": "integer"}},
    }
    (tool,) = compiled(tmp_path, files).tools
    assert tool.operation_key.endswith(".op")
    assert fields(tool) == ["a", "b", "$ref"]


def test_references_in_examples_are_data(tmp_path: Path) -> None:
    schema = {"properties": {"a": {"example": {"$ref": "gone.json"}}, "example": {"$ref": "p.json"}}}
    files = {"a.json": api({"/a": {"get": answering(schema)}}), "p.json": {"properties": {"b": {}}}}
    report = compiled(tmp_path, files)
    assert fields(report.tools[0]) == ["a", "example.b"]


def test_a_part_that_changes_shows_in_the_hash(tmp_path: Path) -> None:
    document = api({"/a": {"get": answering({"$ref": "p.json"})}})
    files: dict[str, Any] = {"a.json": document, "p.json": {"type": "object"}}
    before = compiled(tmp_path, files).tools[0].spec_hash
    assert compiled(tmp_path, files).tools[0].spec_hash == before
    assert compiled(tmp_path, {**files, "p.json": {"type": "array"}}).tools[0].spec_hash != before


def test_no_document_can_name_what_is_brought_in(tmp_path: Path) -> None:
    refs = {"x": f"#/{FOREIGN}/p.json", "y": "#/\\u0000documents/p.json", "p": "p.json"}
    paths = {f"/{name}": {"get": answering({"$ref": ref}, name)} for name, ref in refs.items()}
    report = compiled(tmp_path, {"a.json": api(paths), "p.json": {"properties": {"a": {}}}})
    assert {tool.operation_key.rpartition(".")[2]: fields(tool) for tool in report.tools} == {
        "p": ["a"],
        "x": [],
        "y": [],
    }
    assert len(broken_answers(report)) == 2


@pytest.fixture
def served() -> Iterator[tuple[str, dict[str, bytes], list[str]]]:
    """A loopback server: its address, what it serves by path, and what was asked for."""
    files: dict[str, bytes] = {}
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            body = files.get(self.path)
            self.send_response(200 if body is not None else 404)
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", files, asked
    server.shutdown()
    thread.join()
    server.server_close()


def fetcher() -> Callable[[str], bytes]:
    def fetch(url: str, /) -> bytes:
        try:
            with urlopen(url) as answer:
                return answer.read()
        except OSError as error:
            raise SpecError(f"{url} answers {getattr(error, 'code', 'nothing')}") from None

    return fetch


def test_other_hosts_are_asked_through_the_fetcher(
    tmp_path: Path, served: tuple[str, dict[str, bytes], list[str]]
) -> None:
    address, files, asked = served
    files["/s/common.yaml"] = b"A: {properties: {a: {$ref: 'more.json#/B'}, b: {$ref: '#/C'}}}\nC: {type: integer}\n"
    files["/s/more.json"] = b'{"B": {"type": "string"}, "F": {"$ref": "file:///etc/hostname"}}'
    refs = {"a": "common.yaml#/A", "b": "common.yaml#/A", "gone": "gone.yaml", "f": "more.json#/F"}
    paths = {f"/{name}": {"get": answering({"$ref": f"{address}/s/{ref}"}, name)} for name, ref in refs.items()}
    report = compiled(tmp_path, {"a.json": api(paths)}, fetch=fetcher())
    assert [fields(tool) for tool in report.tools] == [["a", "b"], ["a", "b"], [], []]
    assert sorted(asked) == ["/s/common.yaml", "/s/gone.yaml", "/s/more.json"]
    skips = {notice.operation: notice.detail for notice in broken_answers(report)}
    assert f"$ref {address}/s/gone.yaml cannot be had: {address}/s/gone.yaml answers 404" in skips["GET /gone"]
    assert "lies outside the folder" in skips["GET /f"]


def test_without_a_fetcher_nothing_is_asked(tmp_path: Path, served: tuple[str, dict[str, bytes], list[str]]) -> None:
    address, _, asked = served
    paths = {"/a": {"get": answering({"$ref": f"{address}/a.yaml"})}, "/ok": {"get": OK}}
    report = compiled(tmp_path, {"a.json": api(paths)})
    assert len(report.tools) == 2
    (skip,) = broken_answers(report)
    assert "remote" in skip.detail and "copy it beside" in skip.detail
    assert asked == []


def test_a_document_without_a_file_is_relative_to_its_url(served: tuple[str, dict[str, bytes], list[str]]) -> None:
    address, files, _ = served
    files["/v1/part.json"] = b'{"properties": {"a": {}}}'
    document = json.dumps(api({"/a": {"get": answering({"$ref": "part.json"})}})).encode()
    report = compile_paths([], documents={f"{address}/v1/api.json": document}, fetch=fetcher())
    assert [fields(tool) for tool in report.tools] == [["a"]]


def test_pointers_escape() -> None:
    assert pointer("paths", "/a~b", 0) == "#/paths/~1a~0b/0"
