"""Documents that leave out or mistake what comes back, and real servers that answer otherwise."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from wireserver import Reply, Seen, client, rows, serving, tool

from edge.embedding import make_embedder
from edge.execution.probing import ATTEMPTS, Probed, probe
from edge.links.candidates import propose
from edge.links.fillers import Filler, ValuePool
from edge.plans.sayings import say_parameter
from edge.specs.compile import compile_paths
from edge.specs.differences import Difference
from edge.specs.model import EnumValue, OutputField, Parameter, Tool

CASES = Path(__file__).parents[3] / "shared" / "hard-inputs" / "cases.json"
FILLER = Filler(datetime(2026, 6, 15, 10, 35), ValuePool(), say_parameter)
HOSPITALS = [{"hospId": f"H{n:03d}", "hospNm": f"{n}번병원", "bedCnt": str(n)} for n in range(12)]


def case(name: str) -> dict[str, Any]:
    if not CASES.is_file():
        pytest.skip("hard inputs (../shared/hard-inputs) are not here")
    return next(c for c in json.loads(CASES.read_text("utf-8")) if c["id"] == name)


def document(tmp_path: Path, tree: dict[str, Any]) -> tuple[Tool, ...]:
    file = tmp_path / "document.json"
    file.write_text(json.dumps(tree, ensure_ascii=False), "utf-8")
    report = compile_paths([file])
    assert not report.skipped
    return report.tools


async def probed(tools: Sequence[Tool], answer: Any, **options: Any) -> tuple[Probed, list[Seen]]:
    """Probe tools against a server that answers by function of the request, or always the same."""
    reply = answer if callable(answer) else lambda _seen: Reply(answer)
    async with serving(reply) as server, client(server) as gateway:
        options.setdefault("wanted", lambda _tool: True)
        return await probe(tools, gateway, FILLER, **options), server.seen


def told(found: Probed) -> list[tuple[str, str, str, str]]:
    return [(d.kind, d.path, d.declared, d.observed) for _, d in found.differences]


def status(found: Probed) -> list[tuple[str, str]]:
    return [(result.status, result.reason) for result in found.results]


def detail(name: str, *parameters: Parameter, **changes: Any) -> Tool:
    url = f"https://apis.data.go.kr/B55/svc/{name}"
    return tool(tool_id=name, operation_key=f"svc.{name}", url=url, parameters=parameters, **changes)


# -- what documents leave out ---------------------------------------------------------------------------------------


async def test_s08_operations_without_a_schema_become_sources(tmp_path: Path) -> None:
    """S08: all three compile with unknown outputs and feed nothing until a call fills them in."""
    tree = case("S08")["minimal_input"]
    by_hospital = {"parameters": [{"name": "hospId", "in": "query", "required": True, "type": "string"}]}
    tree["paths"]["/target"] = {"get": {"operationId": "target", **by_hospital, "responses": {}}}
    tools = document(tmp_path, tree)
    assert len(tools) == 4
    assert not any(one.outputs for one in tools)
    embedder = make_embedder(None, None)
    assert propose(tools, embedder) == []

    def answer(seen: Seen) -> Reply:
        if seen.target.partition("?")[0].endswith("/b"):
            xml = "<response><body><items><item><hospId>H1</hospId></item></items></body></response>"
            return Reply(xml, headers={"Content-Type": "text/xml"})
        if seen.target.partition("?")[0].endswith("/c"):
            return Reply({"hospId": "H1", "hospNm": "가나병원"})
        return Reply(rows(HOSPITALS, total=12) if seen.target.endswith("/a") else rows([]))

    found, _ = await probed(tools, answer)
    names = {one.url.rpartition("/")[2]: one for one in found.tools}
    assert {name: [o.path for o in one.outputs] for name, one in names.items()} == {
        "a": ["hospId", "hospNm", "bedCnt"], "b": ["hospId"], "c": ["hospId", "hospNm"], "target": [],
    }  # fmt: skip
    assert [one.declared for _, one in sorted(names.items())] == [(), (), (), None]
    assert [kind for kind, *_ in told(found)] == ["no_schema"] * 4
    assert found.counts() == {"learned": 3, "agrees": 0, "differs": 0, "not_probed": 1}
    pairs = {(pair.source, pair.target) for pair in propose(found.tools, embedder)}
    assert (names["a"].tool_id, names["target"].tool_id) in pairs
    assert all(source != names["target"].tool_id for source, _ in pairs)


async def test_s10_the_document_says_data_and_the_service_says_items(tmp_path: Path) -> None:
    """S10: rows lie in another place and the code is text; both schemas are kept, the observed one is used."""
    s10 = case("S10")["minimal_input"]
    (declared,) = s10["declared"]["data"]
    properties = {
        "data": {
            "type": "array",
            "items": {"type": "object", "properties": {n: {"type": "integer"} for n in declared}},
        },
        "resultCode": {"type": "integer"},
    }
    answers = {"200": {"description": "ok", "schema": {"type": "object", "properties": properties}}}
    (made,) = document(
        tmp_path,
        {
            "swagger": "2.0", "host": "api.example.kr", "info": {"title": "기관_목록", "version": "1"},
            "paths": {"/list": {"get": {"operationId": "list", "responses": answers}}},
        },
    )  # fmt: skip
    assert made.profile.envelope.documented == "data"
    assert [(o.path, o.type) for o in made.outputs] == [
        ("id", "string")
    ]  # an identifier is text whatever it is sent as
    found, _ = await probed([made], s10["observed"])
    assert told(found) == [("missing_wrapper", "", "data", "response.body.items.item")]
    assert status(found) == [("differs", "")]
    assert found.tools[0].outputs == made.outputs
    (row,) = found.rows("r1")
    assert (row["tool_id"], row["spec_file"], row["run_id"]) == (made.tool_id, "document.json", "r1")


async def test_an_empty_platform_profile_learns_the_place_and_later_calls_read_it() -> None:
    strange = detail("strange", outputs=(OutputField("hospId", "병원코드"),), records=("data",), total=(), code=())
    answer = {"answer": {"found": 12, "page": [{"rows": HOSPITALS}]}}
    async with serving(lambda _seen: Reply(answer)) as server, client(server) as gateway:
        assert (await gateway.call(strange, {})).reason == "records_not_found"
        found = await probe([strange], gateway, FILLER, wanted=lambda _tool: True)
        (learned,) = found.tools
        assert told(found)[-1] == ("missing_wrapper", "", "data", "answer.page[0].rows")
        assert learned.profile.envelope.records == ("answer.page[0].rows", "data")
        assert len((await gateway.call(learned, {})).records) == 12


async def test_the_profile_that_was_right_is_kept() -> None:
    found, _ = await probed([tool(outputs=())], rows(HOSPITALS))
    assert found.tools[0].profile == tool().profile


# -- where documents are wrong --------------------------------------------------------------------------------------


async def test_renamed_retyped_missing_and_extra_fields_are_told() -> None:
    declared = (
        OutputField("HOSP_ID", "병원코드", kind="code"),
        OutputField("hospNm", "병원명", kind="name"),
        OutputField("bedCnt", "병상수", type="integer", kind="count"),
        OutputField("openDe", "개업일자", kind="date", format="%Y%m%d"),
    )
    hospitals = [{**h, "bedCnt": "많음", "rgnCd": "11"} for h in HOSPITALS]
    found, _ = await probed([tool(outputs=declared, name_field="HOSP_ID")], rows(hospitals))
    assert told(found) == [
        ("extra_field", "rgnCd", "", "rgnCd"),
        ("missing_field", "openDe", "openDe", ""),
        ("renamed_field", "HOSP_ID", "HOSP_ID", "hospId"),
        ("wrong_type", "bedCnt", "integer", "string"),
    ]
    (learned,) = found.tools
    assert [(o.path, o.label, o.type) for o in learned.outputs] == [
        ("hospId", "병원코드", "string"), ("hospNm", "병원명", "string"), ("bedCnt", "병상수", "string"),
        ("rgnCd", "rgnCd", "string"),
    ]  # fmt: skip
    assert learned.declared == declared
    assert learned.name_field == "hospId"


async def test_what_agrees_changes_nothing() -> None:
    declared = (OutputField("hospId", "병원코드"), OutputField("hospNm", "병원명"), OutputField("bedCnt", "병상수"))
    exact = tool(outputs=tuple(replace(output, kind="text") for output in declared))
    found, _ = await probed([exact], rows(HOSPITALS))
    assert found.tools == (exact,)
    assert status(found) == [("agrees", "")]
    assert found.differences == ()


async def test_an_xml_answer_with_one_record_is_no_witness_against_lists() -> None:
    declared = (OutputField("rows[].no", "번호", kind="code", repeats=True),)
    xml = "<response><body><items><item><rows><no>1</no></rows></item></items></body></response>"
    found, _ = await probed([tool(outputs=declared, code=())], xml)
    assert told(found) == []
    assert found.tools[0].outputs == declared


async def test_private_values_are_neither_kept_nor_told() -> None:
    people = [{"hospId": f"H{n}", "memo": "010-1234-5678", "telno": "02-123-4567"} for n in range(12)]
    declared = (
        OutputField("hospId", "병원코드", kind="code"),
        OutputField("telno", "전화", type="integer", private=True),
    )
    found, _ = await probed([tool(outputs=declared)], rows(people))
    assert [(o.path, o.private) for o in found.tools[0].outputs] == [("hospId", False), ("telno", True), ("memo", True)]
    assert [kind for kind, *_ in told(found)] == ["extra_field", "wrong_type"]
    assert "123" not in json.dumps(found.rows("r"), ensure_ascii=False)


# -- calls ------------------------------------------------------------------------------------------------------------


async def test_by_default_only_tools_without_outputs_are_called_and_never_one_that_changes_state() -> None:
    known, unknown = detail("known"), detail("unknown", outputs=())
    writes = detail("writes", outputs=(), read_only=False)
    async with serving(lambda _seen: Reply(rows(HOSPITALS))) as server, client(server) as gateway:
        found = await probe([known, writes, unknown], gateway, FILLER)
        assert [seen.target.partition("?")[0].rpartition("/")[2] for seen in server.seen] == ["unknown"]
    assert [result.tool_id for result in found.results] == ["unknown"]
    assert found.tools[:2] == (known, writes)


async def test_other_values_are_tried_while_nothing_comes() -> None:
    kinds = tuple(EnumValue(str(n), f"종류 {n}") for n in range(9))
    asked = detail("asked", Parameter("kind", "종류", required=True, kind="code", enum=kinds), outputs=())
    found, seen = await probed([asked], lambda s: Reply(rows(HOSPITALS if s.query["kind"] == "2" else [], total=0)))
    assert [one.query["kind"] for one in seen] == ["0", "1", "2"]
    assert found.results[0].calls == ATTEMPTS == 3
    assert status(found) == [("learned", "")]
    found, seen = await probed([asked], rows([], total=0))
    assert len(seen) == ATTEMPTS
    assert status(found) == [("not_probed", "empty")]
    assert [d.detail for _, d in found.differences] == ["not probed: empty"]


async def test_examples_of_the_document_come_first_and_optional_ones_help() -> None:
    code = Parameter("code", "코드", required=True, kind="code", examples=("A7",))
    optional = Parameter("area", "지역", examples=("11",))
    found, seen = await probed(
        [detail("asked", code, optional, outputs=())],
        lambda s: Reply(rows(HOSPITALS) if "area" in s.query else rows([], code="10")),
    )
    assert [(one.query["code"], one.query.get("area")) for one in seen] == [("A7", None), ("A7", "11")]
    assert status(found) == [("learned", "")]


async def test_identifiers_come_from_the_records_of_other_tools() -> None:
    wants = [Parameter(n, n, required=True, kind="code") for n in ("hospId", "rgnCd")]
    listed = detail("listed", outputs=())
    answers = {"listed": rows([{"hospId": "H7", "rgnCd": "11"}]), "details": rows([{"bedCnt": 3}])}

    def answer(seen: Seen) -> Reply:
        name = seen.target.partition("?")[0].rpartition("/")[2]
        fits = name == "listed" or (seen.query["hospId"], seen.query["rgnCd"]) == ("H7", "11")
        return Reply(answers[name] if fits else rows([]))

    found, seen = await probed([detail("details", *wants, outputs=()), listed], answer)
    assert len(seen) == 2
    assert found.counts()["learned"] == 2
    alone, seen = await probed([detail("details", *wants, outputs=())], answer)
    assert status(alone) == [("not_probed", "no_values")]
    assert seen == []


@pytest.mark.parametrize(
    ("answer", "reason", "calls"),
    [
        (Reply(drop=True), "environmental:", 3),
        (Reply("<html><body>점검 중</body></html>", status=503), "environmental:server_error", 3),
        (Reply(rows([], code="30")), "environmental:key_rejected", 1),
        (Reply({"error": "bad", "error_description": "no"}), "environmental:unknown_envelope", 3),
        (Reply('{"a": [' * 5_000), "environmental:invalid_json", 3),
        (Reply(rows([], code="10")), "structural:invalid_parameter", 1),
    ],
)
async def test_outages_stop_nothing(answer: Reply, reason: str, calls: int) -> None:
    broken, sound = detail("broken", outputs=()), detail("sound", outputs=())
    found, seen = await probed([broken, sound], lambda s: answer if "/broken" in s.target else Reply(rows(HOSPITALS)))
    first, second = found.results
    assert (first.status, second.status) == ("not_probed", "learned")
    assert first.reason.startswith(reason)
    assert len(seen) == calls + 1  # what passes is tried again by the gateway, with the same values only
    assert not found.tools[0].outputs


async def test_the_same_answers_give_the_same_result_in_any_order() -> None:
    tools = [detail(f"t{n}", outputs=() if n % 2 else (OutputField("hospID", "병원코드"),)) for n in range(8)]
    first, _ = await probed(tools, rows(HOSPITALS))
    again, _ = await probed(tools[::-1], rows(HOSPITALS))
    assert first.tools == again.tools[::-1]
    assert first.results == again.results
    assert first.rows("r") == again.rows("r")
    assert [row["tool_id"] for row in first.rows("r")] == sorted(row["tool_id"] for row in first.rows("r"))
    assert all(isinstance(one, Difference) for _, one in first.differences)


async def test_probing_again_compares_with_the_document() -> None:
    declared = (OutputField("HOSP_ID", "병원코드", kind="code"),)
    first, _ = await probed([tool(outputs=declared)], rows(HOSPITALS))
    again, _ = await probed(first.tools, rows(HOSPITALS))
    assert told(again) == told(first)
    assert again.tools == first.tools


async def test_a_look_gives_the_body_and_a_call_does_not_keep_it() -> None:
    async with serving(lambda _seen: Reply(rows(HOSPITALS))) as server, client(server) as gateway:
        look = await gateway.look(tool(), {"q": "가"})
        assert look.outcome == replace(
            await gateway.call(tool(), {"q": "가"}),
            outcome_id=look.outcome.outcome_id, latency_ms=look.outcome.latency_ms,
        )  # fmt: skip
    assert look.decoded is not None
    assert look.decoded.tree == rows(HOSPITALS)
