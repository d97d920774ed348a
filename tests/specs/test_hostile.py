"""Hostile documents: each gets a clear line within seconds, and the other files of the folder compile."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from edge.errors import SpecError
from edge.specs.building import Skip
from edge.specs.bundling import bundled
from edge.specs.compile import CompileReport, compile_paths
from edge.specs.documents import Document
from edge.specs.openapi3 import read_openapi3
from edge.specs.profiles import ProfileBook
from edge.specs.schema import function_schema
from edge.specs.swagger2 import read_swagger2

SECONDS = 5.0  # of the processor: most take a few tenths


def api(paths: dict[str, Any], schemas: dict[str, Any] | None = None) -> str:
    tree = {"openapi": "3.0.3", "servers": [{"url": "https://x.kr"}], "paths": paths}
    return json.dumps({**tree, "components": {"schemas": schemas or {}}})


def answers(schema: dict[str, Any]) -> dict[str, Any]:
    return {"get": {"responses": {"200": {"content": {"application/json": {"schema": schema}}}}}}


def asks(schema: dict[str, Any]) -> dict[str, Any]:
    return {"get": {"operationId": "a", "parameters": [{"name": "p", "in": "query", "schema": schema}]}}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def yaml_bomb() -> str:
    levels = [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    return "openapi: 3.0.0\na0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "\n".join(levels)


def repeated_text() -> str:
    paths = "".join(f"  /p{i}: {{get: {{description: *d}}}}\n" for i in range(2000))
    return f'openapi: 3.0.0\nd: &d "{"x" * 1_000_000}"\npaths:\n{paths}'


def fields(number: int) -> dict[str, Any]:
    return {"type": "object", "properties": {f"f{i}": {"type": "string"} for i in range(number)}}


# name of the file, its content, the reason of its skips, what their line says
REFUSED: list[tuple[str, Callable[[], str | bytes], str, str]] = [
    ("nested.json", lambda: '{"openapi": "3.0.0", "paths": ' + "[" * 5_000_000 + "]" * 5_000_000 + "}",
     "invalid_file", "nested deeper"),
    ("maps.json", lambda: '{"openapi": "3.0.0", "paths": ' + '{"a":' * 1_600_000 + "1" + "}" * 1_600_000 + "}",
     "invalid_file", "nested deeper"),
    ("nested.yaml", lambda: "openapi: 3.0.0\npaths: " + "[" * 10_000_000, "invalid_file", "line 2"),
    ("dashes.yaml", lambda: "- " * 3_000_000, "invalid_file", "line 1"),
    ("indented.yaml", lambda: "openapi: 3.0.0\n" + "".join(f"{' ' * i}a:\n" for i in range(2_000)),
     "invalid_file", "nested deeper"),
    ("bomb.yaml", yaml_bomb, "invalid_file", "after alias expansion"),
    ("ladder.yaml", lambda: "a0: &a0 [x]\n" + "\n".join(f"a{i}: &a{i} [*a{i - 1}]" for i in range(1, 5000)),
     "invalid_file", "nested deeper than 100 levels after alias expansion"),
    ("repeated.yaml", repeated_text, "invalid_file", "after alias expansion"),
    ("circle.json", lambda: api({"/a": {"$ref": "#/paths/~1b"}, "/b": {"$ref": "#/paths/~1a"}}),
     "unresolved_ref", "circle"),
    ("self.json", lambda: api({"/a": asks(ref("A"))}, {"A": ref("A")}), "unresolved_ref", "circle"),
    ("parameters.json", lambda: api({"/a": {"get": {"parameters": [{"name": f"p{i}"} for i in range(1_000_000)]}}}),
     "too_many_parameters", "1000000 parameters"),
    ("body.json", lambda: api({"/a": {"post": {"requestBody": {"content": {"a/json": {"schema": fields(400_000)}}}}}}),
     "too_many_parameters", "400000 parameters"),
    ("parts.json", lambda: api(
        {"/a": answers(ref("A0"))}, {f"A{i}": {"allOf": [ref(f"A{i + 1}")]} for i in range(5000)}
    ), "invalid_operation", "parts of parts"),
    ("nul.json", lambda: b'{"openapi": "3.0.0", "paths": {"/\x00": {"get": {}}}}', "invalid_file", "line 1"),
    ("nul.yaml", lambda: b'openapi: 3.0.0\npaths: {"/\x00": {get: {}}}', "invalid_file", "not YAML"),
    ("bytes.json", lambda: b'{"openapi": "3.0.0", "info": {"title": "\xff\xfe\xfd"}}', "invalid_file", "UTF-8"),
    ("half.json", lambda: b"\xff\xfe{", "invalid_file", "UTF-8"),
    ("twice.json", lambda: '{"openapi": "3.0.0", "paths": {"/a": {"get": {}}, "/a": {"post": {}}}}',
     "invalid_file", "'/a' is given twice"),
    ("outside.json", lambda: api({"/a": asks({"$ref": "../../../../etc/passwd"})}),
     "unresolved_ref", "outside the folder"),
    ("private.json", lambda: api({"/a": asks({"$ref": "http://169.254.169.254/latest"})}),
     "unresolved_ref", "remote"),
    ("chain.json", lambda: api({"/a": asks({"$ref": "chain/0.json"})}), "unresolved_ref", "32 further references"),
]  # fmt: skip

# name of the file, its content, how many tools come of it
READ: list[tuple[str, Callable[[], str], int]] = [
    ("unanswered.json", lambda: api({"/a": answers({"$ref": "../../../../etc/passwd"})}), 1),
    ("wide.json", lambda: api({"/a": answers(fields(400_000))}), 1),
    ("fan.json", lambda: api(
        {f"/a{i}": answers({"type": "array", "title": str(i), "items": ref("F0")}) for i in range(300)},
        {f"F{i}": {"properties": {f"p{k}": ref(f"F{i + 1}") for k in range(10)}} for i in range(20)} | {"F20": {}},
    ), 300),
    ("alternatives.json", lambda: api(
        {f"/a{i}": {"post": {"requestBody": {"content": {"a/json": {"schema": ref("F0")}}}}} for i in range(50)},
        {f"F{i}": {"anyOf": [ref(f"F{i + 1}"), {"properties": {"x": ref(f"F{i + 1}")}}, ref(f"F{i + 1}")]}
         for i in range(25)} | {"F25": {}},
    ), 50),
    ("numbers.json", lambda: api(
        {"/a": {"get": {"parameters": [{"name": "n", "in": "query", "schema": "@"}]}}}
    ).replace(
        '"@"', '{"type": "array", "items": {"type": "number", "minimum": 1e999, "maximum": -1e999, "default": NaN,'
        f' "multipleOf": 0, "maxLength": -1, "enum": [1e999, 1, {"9" * 5000}]}}}}'), 1),
    ("text.json", lambda: api({"/a": {"get": {"summary": "1: a, " * 1_000_000}}}), 1),
    ("prose.json", lambda: api({"/a": {"get": {"parameters": [
        {"name": f"a{i}", "in": "query", "description": f"{i} " + "(a" * 1_990} for i in range(300)]}}}), 1),
]  # fmt: skip


def one_line(skip: Skip) -> bool:
    return "\n" not in skip.detail and "\0" not in skip.detail


def timed(path: Path) -> CompileReport:
    start = time.process_time()
    report = compile_paths([path])
    assert time.process_time() - start < SECONDS
    return report


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    if name == "chain.json":
        (folder / "chain").mkdir()
        for i in range(1_000):
            (folder / "chain" / f"{i}.json").write_text(json.dumps({"$ref": f"{i + 1}.json"}))
    return path


@pytest.mark.parametrize(("name", "content", "reason", "words"), REFUSED, ids=[row[0] for row in REFUSED])
def test_refused_with_one_clear_line(
    name: str, content: Callable[[], str | bytes], reason: str, words: str, tmp_path: Path
) -> None:
    report = timed(write(tmp_path, name, content()))
    assert report.tools == ()
    assert {skip.reason for skip in report.skipped} == {reason}
    assert all(words in skip.detail and one_line(skip) for skip in report.skipped)


@pytest.mark.parametrize(("name", "content", "tools"), READ, ids=[row[0] for row in READ])
def test_read_within_bounds(name: str, content: Callable[[], str], tools: int, tmp_path: Path) -> None:
    report = timed(write(tmp_path, name, content()))
    assert len(report.tools) == tools
    assert report.skipped == ()
    assert all(len(tool.outputs) <= 2_000 for tool in report.tools)


def test_a_folder_of_them_costs_nothing_but_themselves(tmp_path: Path) -> None:
    for name, content, _, _ in REFUSED:
        if name not in ("parameters.json", "body.json", "nested.json", "maps.json"):  # large ones, tested above
            write(tmp_path, name, content())
    write(tmp_path, "good.json", api({"/good": {"get": {"operationId": "good"}}}))
    report = compile_paths([tmp_path])
    assert [tool.operation_key for tool in report.tools] == ["good.good"]
    refused = {skip.file for skip in report.skipped}
    assert all(name in refused for name, *_ in REFUSED if (tmp_path / name).exists())
    assert all(map(one_line, report.skipped))


BASE: dict[str, Any] = {
    "servers": [{"url": "https://{r}.x.kr", "variables": {"r": {"default": "api"}}}],
    "paths": {
        "/a/{id}": {
            "parameters": [{"$ref": "#/components/parameters/P"}],
            "get": {
                "operationId": "a",
                "parameters": [{"name": "q", "in": "query", "schema": {"type": "array", "items": {"enum": ["a"]}}}],
                "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S"}}}}},
            },
            "post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S"}}}}},
        }
    },
    "host": "x.kr",
    "components": {
        "parameters": {"P": {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}},
        "schemas": {"S": {
            "allOf": [{"properties": {"n": {"type": ["integer", "null"], "minimum": 1}}}],
            "anyOf": [{"$ref": "#/components/schemas/S"}, {"type": "null"}],
            "properties": {"s": {"items": {"$ref": "#/components/schemas/S"}}},
        }},
    },
    "securityDefinitions": {"k": {"type": "apiKey", "in": "query", "name": "k"}},
}  # fmt: skip

WORDS = ["#", "#/paths", "#/components/schemas/S", "other.json", "1e999", "null", "-1", "array", "object", "integer"]
KEYS = ["$ref", "type", "allOf", "anyOf", "items", "properties", "enum", "const", "default", "pattern", "minimum"]
scalars = st.none() | st.booleans() | st.text(max_size=8) | st.sampled_from(WORDS)
junk = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from([*KEYS, "name", "in", "schema", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    members = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in members:
        found += places(value, (*path, key))
    return found


PLACES = places(BASE)
mutations = st.lists(st.tuples(st.sampled_from(PLACES), junk | st.just("delete")), min_size=1, max_size=4)


def mutated(changes: list[tuple[tuple[Any, ...], Any]]) -> dict[str, Any]:
    tree = copy.deepcopy(BASE)
    for path, value in changes:
        node: Any = tree
        try:
            for key in path[:-1]:
                node = node[key]
            if value == "delete":
                del node[path[-1]]
            else:
                node[path[-1]] = value
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took this place away
    return tree


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(mutations, st.booleans())
def test_a_damaged_document_raises_nothing_but_spec_errors(
    changes: list[tuple[tuple[Any, ...], Any]], swagger: bool
) -> None:
    tree = mutated(changes)
    data = json.dumps(tree).encode()
    document = Document(Path("damaged.json"), "swagger2" if swagger else "openapi3", tree, data)
    book = ProfileBook()
    try:
        whole = bundled(document, "file:///nowhere/damaged.json", None).document
        reading = read_swagger2(whole, book, "d.json") if swagger else read_openapi3(whole, book, "d.json")
    except SpecError:
        return
    assert all(map(one_line, reading.skipped))
    assert len({tool.operation_key for tool in reading.tools}) == len(reading.tools)
    for tool in reading.tools:
        offered: Any = function_schema(tool)
        Draft202012Validator.check_schema(offered["function"]["parameters"])
