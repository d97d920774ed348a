"""Every envelope gives the same records (cases A12, A16, A17, A28)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wireserver import Reply, client, rows, serving, tool

from edge.execution.decoding import decode_body
from edge.execution.envelopes import find, open_envelope, records_of, whole_number
from edge.execution.failures import Verdict, judge
from edge.ids import canonical_json
from edge.specs.compile import compile_paths
from edge.specs.model import OutputField, Tool


def verdict(tested: Any, body: Any, status: int = 200) -> Verdict:
    sent = body.encode() if isinstance(body, str) else canonical_json(body).encode()
    return judge(tested, status, decode_body(sent))


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("items", {"items": [{"a": "1"}], "totalCount": 1, "pageNo": 0}),
        ("response.body.items", {"response": {"body": {"items": [{"a": "1"}]}}}),
        (
            "response.body.tableList[0].items.item",
            {"response": {"body": {"tableList": [{"items": {"item": [{"a": "1"}]}}]}}},
        ),
    ],
)
def test_a12_three_envelopes_of_one_portal(path: str, body: Any) -> None:
    assert list(verdict(tool(records=(path,)), body).records) == [{"a": "1"}]
    drifted = verdict(tool(records=("elsewhere.rows",)), body)
    assert (drifted.outcome, drifted.reason) == ("structural", "records_not_found")


@pytest.mark.parametrize(
    "body",
    [
        rows({"list": [{"a": "1"}]}),
        rows([], total="7"),
        rows(None, total=7),
        {"response": {"header": {"resultCode": "00"}, "body": {"rows": [{"a": 1}], "totalCount": 1}}},
    ],
)
def test_a12_a_path_that_stops_matching_is_drift(body: Any) -> None:
    assert verdict(tool(), body).reason == "records_not_found"


@pytest.mark.parametrize("items", ["", {}, None, [], {"item": ""}, {"item": None}, {"item": []}, [None], [""]])
def test_no_records_in_every_spelling(items: Any) -> None:
    for total in (None, 0, "0"):
        found = verdict(tool(), rows(items, total))
        assert (found.outcome, found.reason, found.records) == ("empty", "no_data", ())


def test_one_object_is_one_record_and_values_are_wrapped() -> None:
    assert verdict(tool(), rows({"item": {"a": "1"}})).records == ({"a": "1"},)
    assert verdict(tool(), rows(["x", 3])).records == ({"value": "x"}, {"value": 3})


@pytest.mark.parametrize(
    "body",
    [
        {"status": "013", "message": "조회된 데이타가 없습니다."},
        {"RESULT": {"CODE": "INFO-200", "MESSAGE": "해당하는 데이터가 없습니다."}},
        {"response": {"header": {"resultCode": "03", "resultMsg": "NODATA_ERROR"}}},
    ],
)
def test_a16_no_data_codes_are_empty(body: Any) -> None:
    found = verdict(tool(), body)
    assert (found.outcome, found.reason) == ("empty", "no_data")


def test_a16_quota_and_unknown_codes() -> None:
    assert verdict(tool(), {"status": "020", "message": "한도 초과"}).reason == "quota"
    assert verdict(tool(), rows([], code="22")).reason == "quota"
    unknown = verdict(tool(), {"status": "777", "message": "?"})
    assert (unknown.outcome, unknown.reason, unknown.code) == ("environmental", "provider_error", "777")


@pytest.mark.parametrize(("code", "good"), [("0000", True), ("00", True), (0, True), ("INFO-000", True), ("99", False)])
def test_a17_success_codes_come_from_the_table(code: Any, good: bool) -> None:
    found = verdict(tool(), rows([{"a": "1"}], code=code))
    assert (found.outcome == "ok") is good


def test_a28_sentinels_become_none_and_codes_stay_text() -> None:
    sent = [
        {"T1H": "-999", "REH": -999, "nx": 60, "s": "  ", "n": {"x": ["-", "0830"]}, "f": False, "code": "00126380"}
    ]
    found = verdict(tool(missing=("", "-", "-999")), rows(sent))
    assert found.records == (
        {"T1H": None, "REH": None, "nx": 60, "s": None, "n": {"x": [None, "0830"]}, "f": False, "code": "00126380"},
    )


def test_private_fields_are_dropped_wherever_they_lie() -> None:
    private = ("telno", "owner.mail", "rows[].name", "phones[]", "x.y")
    outputs = tuple(OutputField(path, path, private=True) for path in private)
    record = {
        "a": "1", "telno": "02", "owner": {"mail": "m", "id": 1}, "rows": [{"name": "김", "n": 1}, {"n": 2}],
        "phones": ["1"], "x.y": "dotted",
    }  # fmt: skip
    found = verdict(tool(outputs=outputs), rows([record]))
    assert found.records == ({"a": "1", "owner": {"id": 1}, "rows": [{"n": 1}, {"n": 2}]},)


def test_the_root_can_be_the_record_or_the_list() -> None:
    company = {"status": "000", "message": "정상", "corp_name": "삼성전자"}
    for path in ("", "."):
        assert verdict(tool(records=("list", path)), company).records == ({"corp_name": "삼성전자"},)
        assert verdict(tool(records=(path,)), [{"DT": "1"}]).records == ({"DT": "1"},)
        assert verdict(tool(records=(path,)), []).outcome == "empty"


def test_a_root_that_differs_by_operation() -> None:
    neis: dict[str, Any] = {
        "records": ("{root}[1].row",),
        "total": ("{root}[0].head[0].list_total_count",),
        "code": ("{root}[0].head[1].RESULT.CODE", "RESULT.CODE"),
        "message": ("{root}[0].head[1].RESULT.MESSAGE", "RESULT.MESSAGE"),
    }
    body = {
        "schoolInfo": [{"head": [{"list_total_count": "1,234"}, {"RESULT": {"CODE": "INFO-000"}}]}, {"row": [{"a": 1}]}]
    }
    for root in ("schoolInfo", ""):
        found = verdict(tool(root=root, **neis), body)
        assert (found.outcome, found.total, found.records) == ("ok", 1234, ({"a": 1},))
    assert verdict(tool(root="x", **neis), {"RESULT": {"CODE": "INFO-200", "MESSAGE": ""}}).outcome == "empty"
    dotted = tool(root="SeoulRtd.citydata_ppltn", records=("{root}",), code=("RESULT.RESULT.CODE",))
    city = {"SeoulRtd.citydata_ppltn": [{"a": 1}], "RESULT": {"RESULT.CODE": "INFO-000"}}
    assert verdict(dotted, city).records == ({"a": 1},)


def test_paths() -> None:
    tree: Any = {"group": [{"list": [1, 2]}, {"other": 0}, {"list": 3}], "one": {"x": None}}
    assert find(tree, "group[].list").value == [1, 2, 3]  # type: ignore[union-attr]
    assert find(tree, "group[7].list") is None
    assert find(tree, "one[0].x").value is None  # type: ignore[union-attr]
    assert find(tree, "one[1].x") is None
    assert find(tree, "one.x.y") is None
    assert [whole_number(value) for value in ("4", 4, 4.0, "4 ", "x", "", "-1")] == [4, 4, 4, 4, None, None, None]


@settings(max_examples=50, deadline=None)
@given(
    st.recursive(st.none() | st.text() | st.integers(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)),
    st.text(),
)
def test_any_tree_has_a_verdict(tree: Any, path: str) -> None:
    tested = tool(records=(path, ""), code=(path,), total=(path,), outputs=(OutputField(path, "", private=True),))
    records_of(tested, open_envelope(tested, tree).node)
    found = verdict(tested, tree)
    assert found.reason


def order(folder: Path, properties: Any) -> Tool:
    """Return the tool of a document of a host that no profile names, whose answer has these fields."""
    answer = {"200": {"description": "ok", "schema": {"type": "object", "properties": properties}}}
    paths = {"/orders/1": {"get": {"operationId": "getOrder", "responses": answer}}}
    tree = {"swagger": "2.0", "host": "shop.kr", "info": {"title": "t", "version": "1"}, "paths": paths}
    (folder / "shop.json").write_text(json.dumps(tree), encoding="utf-8")
    (made,) = compile_paths([folder / "shop.json"]).tools
    return made


TEXT = {"type": "string"}
ITEMS = {"type": "array", "items": {"type": "object", "properties": {"sku": TEXT, "qty": {"type": "integer"}}}}
CUSTOMER = {"type": "object", "properties": {"id": TEXT, "name": TEXT}}


async def test_a_documented_object_with_a_list_is_read_as_one_record(tmp_path: Path) -> None:
    made = order(tmp_path, {"id": TEXT, "status": TEXT, "customer": CUSTOMER, "items": ITEMS})
    assert [o.path for o in made.outputs] == [
        "id", "status", "customer.id", "customer.name", "items[].sku", "items[].qty"
    ]  # fmt: skip
    sent = {"id": "7", "status": "shipped", "customer": {"id": "c"}, "items": [{"sku": "a"}, {"sku": "b"}]}
    async with serving(lambda _: Reply(sent)) as server, client(server) as gateway:
        outcome = await gateway.call(made, {})
    assert (outcome.outcome, outcome.code, list(outcome.records)) == ("ok", None, [sent])


async def test_a_documented_root_does_not_shadow_what_a_gateway_wraps(tmp_path: Path) -> None:
    made = order(tmp_path, {"id": TEXT, "seats": TEXT})
    wrapped = rows({"item": [{"id": "7", "seats": "2"}]}, total=1)
    answers: list[Any] = [wrapped, {"data": {"id": "7", "seats": "2"}}, {"id": "7", "seats": "2"}]
    for sent in answers:
        found = verdict(made, sent)
        assert (found.outcome, list(found.records)) == ("ok", [{"id": "7", "seats": "2"}])
    assert verdict(made, {"result": {"error": 1}}).outcome != "empty"
    refused = verdict(made, {"resultCode": "30", "resultMsg": "SERVICE KEY IS NOT REGISTERED"})
    assert (refused.outcome, refused.reason) == ("environmental", "key_rejected")


def test_a_documented_list_that_comes_inside_another_name_is_found(tmp_path: Path) -> None:
    made = order(tmp_path, {"totalCount": {"type": "integer"}, "items": ITEMS})
    assert (made.profile.envelope.documented, made.profile.envelope.records[0]) == ("items", "items")
    for sent in ({"items": [{"sku": "a"}]}, {"items": {"item": [{"sku": "a"}]}}, {"items": {"sku": "a"}}):
        assert verdict(made, sent).records == ({"sku": "a"},)
