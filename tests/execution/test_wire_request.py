"""One function builds the wire request (cases A04, A30, S06)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wireserver import PAGING, Reply, client, rows, serving, tool

from edge.execution.request import Refused, WireRequest, build_request, header_text
from edge.specs.compile import compile_paths
from edge.specs.model import Auth, Parameter

NAMES = ("q", "ref", "이름", "cond[COL::EQ]")
PARAMETERS = tuple(Parameter(name, name) for name in NAMES)


def built(*args: object, **kwargs: object) -> WireRequest:
    made = build_request(*args, **kwargs)  # type: ignore[arg-type]
    assert isinstance(made, WireRequest)
    return made


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES), st.text()))
def test_a04_what_goes_in_comes_out(arguments: dict[str, str]) -> None:
    made = built(tool(parameters=PARAMETERS, auth=None), arguments)
    assert dict(parse_qsl(urlsplit(made.url).query, keep_blank_values=True)) == arguments


@settings(deadline=None)
@given(st.text())
def test_a04_the_specs_own_query_survives(text: str) -> None:
    made = built(
        tool(parameters=PARAMETERS, auth=None, url="https://apis.data.go.kr/y?serviceKey=K%2B&q=old"), {"ref": text}
    )
    assert dict(parse_qsl(urlsplit(made.url).query, keep_blank_values=True)) == {
        "serviceKey": "K+",
        "q": "old",
        "ref": text,
    }


async def test_a04_the_bytes_on_the_wire_are_the_bytes_built() -> None:
    arguments = {"q": "부산%20해운대", "ref": "a%2Fb"}
    async with serving(lambda _: Reply(rows([{"a": "1"}]))) as server, client(server) as gateway:
        outcome = await gateway.call(tool(parameters=PARAMETERS), arguments)
    assert outcome.ok
    assert {name: server.seen[0].query[name] for name in arguments} == arguments
    assert "%EB%B6%80%EC%82%B0%2520" in server.seen[0].target


def test_s06_path_placeholders_are_escaped_in_full() -> None:
    made = built(
        tool(
            url="https://apis.data.go.kr/openapi/법 령/{지역명}/목록",
            parameters=(Parameter("지역명", "지역", location="path", required=True),),
            auth=None,
        ),
        {"지역명": "서울/강남"},
    )
    assert made.url == (
        "https://apis.data.go.kr/openapi/%EB%B2%95%20%EB%A0%B9/%EC%84%9C%EC%9A%B8%2F%EA%B0%95%EB%82%A8/%EB%AA%A9%EB%A1%9D"
    )


@settings(deadline=None)
@given(st.text(min_size=1))
def test_s06_a_path_value_stays_one_segment(text: str) -> None:
    asked = tool(url="https://apis.data.go.kr/a/{v}/z", parameters=(Parameter("v", "v", location="path"),), auth=None)
    made = build_request(asked, {"v": text})
    assert isinstance(made, WireRequest)
    segments = urlsplit(made.url).path.split("/")
    assert len(segments) == 4
    assert unquote(segments[2]) == text
    assert segments[2] not in (".", "..")


SEOUL = tool(
    url="http://openapi.seoul.go.kr:8088/{KEY}/{TYPE}/svc/{START}/{END}/{A}/{B}/{C}",
    hosts=("openapi.seoul.go.kr",),
    auth=Auth("KEY", "path", "EDGE_KEY_SEOUL"),
    fixed={"TYPE": "json"},
    parameters=tuple(Parameter(name, name, location="path") for name in "ABC"),
)


@pytest.mark.parametrize(
    ("arguments", "tail"),
    [({}, ""), ({"A": "1"}, "/1"), ({"B": "나"}, "/%20/%EB%82%98"), ({"C": "3", "A": ""}, "/%20/%20/3")],
)
def test_trailing_optional_placeholders_are_dropped(arguments: dict[str, str], tail: str) -> None:
    made = built(SEOUL, arguments, keys=["k/+"], page={"START": "1", "END": "5"})
    assert made.url == f"http://openapi.seoul.go.kr:8088/k%2F%2B/json/svc/1/5{tail}"
    assert str(made.shown["url"]).startswith("http://openapi.seoul.go.kr:8088/***/json/svc/1/5")


def test_a_required_placeholder_left_over_is_structural_before_any_call() -> None:
    asked = replace(SEOUL, parameters=(Parameter("A", "A", location="path", required=True),))
    assert build_request(asked, {}, keys=["k"], page={"START": "1", "END": "5"}) == Refused(
        "missing_parameter", "portal_list needs A"
    )
    unknown = build_request(tool(url="https://apis.data.go.kr/{nobody}/x"), {}, keys=["k"])
    assert isinstance(unknown, Refused)
    assert unknown.reason == "missing_parameter"


@pytest.mark.parametrize(
    "url",
    [
        "https://apis.data.go.kr/3330000/EduNursService//getList",
        "https://APIS.data.go.kr//3330000/EduNursService/getList",
    ],
)
def test_a30_exactly_one_slash(url: str) -> None:
    assert built(tool(url=url, auth=None), {}).url == "https://apis.data.go.kr/3330000/EduNursService/getList"


async def test_missing_and_unknown_arguments_make_no_request() -> None:
    asked = tool(
        parameters=(Parameter("q", "q", required=True), Parameter("pageNo", "쪽", filled_by="server", default="1"))
    )
    async with serving(lambda _: Reply(rows([]))) as server, client(server) as gateway:
        for arguments, reason in [
            ({}, "missing_parameter"),
            ({"q": " "}, "missing_parameter"),
            ({"q": "1", "zz": "2"}, "unknown_parameter"),
            ({"q": "1", "pageNo": "2"}, "unknown_parameter"),
        ]:
            outcome = await gateway.call(asked, arguments)
            assert (outcome.outcome, outcome.reason) == ("structural", reason)
    assert server.seen == []


def test_fixed_defaults_paging_and_key_all_arrive() -> None:
    asked = tool(
        fixed={"_type": "json"},
        parameters=(
            Parameter("q", "q"),
            Parameter("target", "t", filled_by="server", default="law"),
            Parameter("pageNo", "p", filled_by="server", default="7"),
            Parameter("year", "y", required=True, default="2026"),
            Parameter("optional", "o", default="unsent"),
        ),
        paging=PAGING,
    )
    made = built(asked, {"q": "가"}, keys=["k+"], page={"pageNo": "1", "numOfRows": "100"})
    expected = {
        "_type": "json",
        "target": "law",
        "pageNo": "1",
        "year": "2026",
        "q": "가",
        "numOfRows": "100",
        "serviceKey": "k+",
    }
    assert dict(parse_qsl(urlsplit(made.url).query)) == expected
    assert made.shown["query"] == expected | {"serviceKey": "***"}
    assert "k+" not in repr(made)


def test_headers_and_bodies() -> None:
    asked = tool(
        method="POST",
        auth=Auth("Authorization", "header", "E", prefix="KakaoAK "),
        headers={"Referer": "https://x/"},
        parameters=(
            Parameter("b_no", "번호", type="array", location="body"),
            Parameter("n", "수", type="integer", location="body"),
            Parameter("s", "글", location="body"),
            Parameter("X-Name", "머리", location="header"),
        ),
    )
    made = built(asked, {"b_no": "0123456789, 9", "n": "3", "s": "007", "X-Name": "서울\r\nEvil: 1"}, keys=["k"])
    assert made.body == b'{"b_no": ["0123456789", "9"], "n": 3, "s": "007"}'
    assert made.headers["Authorization"] == "KakaoAK k"
    assert made.headers["Content-Type"] == "application/json"
    assert "\r" not in made.headers["X-Name"]
    assert "KakaoAK k" not in str(made.shown)
    assert header_text("a\nb") == "a%0Ab"


async def test_post_body_on_the_wire() -> None:
    asked = tool(method="POST", parameters=(Parameter("b_no", "번호", type="array", location="body"),))
    async with serving(lambda _: Reply(rows([{"a": "1"}]))) as server, client(server) as gateway:
        assert (await gateway.call(asked, {"b_no": "1,2"})).ok
    assert (server.seen[0].method, server.seen[0].body) == ("POST", b'{"b_no": ["1", "2"]}')


LIST = Parameter("n", "n", type="array", style="repeated")


@pytest.mark.parametrize("value", ["가, b&c", '["가", "b&c"]'])
def test_a_list_repeats_its_name_or_is_joined(value: str) -> None:
    made = built(tool(parameters=(LIST,), auth=None), {"n": value})
    assert parse_qsl(urlsplit(made.url).query) == [("n", "가"), ("n", "b&c")]
    joined = built(tool(parameters=(replace(LIST, style="joined"),), auth=None), {"n": value})
    assert parse_qsl(urlsplit(joined.url).query) == [("n", value)]


async def test_a_form_is_sent_as_a_form_and_a_whole_body_as_itself() -> None:
    in_body = replace(LIST, location="body")
    form = tool(method="POST", parameters=(in_body, Parameter("이름", "이름", location="body")), auth=None)
    form = replace(form, profile=replace(form.profile, headers={"Content-Type": "application/x-www-form-urlencoded"}))
    whole = tool(method="POST", parameters=(replace(in_body, style="whole"),), auth=None)
    async with serving(lambda _: Reply(rows([{"a": "1"}]))) as server, client(server) as gateway:
        assert (await gateway.call(form, {"n": "1,2", "이름": "홍 길동"})).ok
        assert (await gateway.call(whole, {"n": '["1", 2]'})).ok
    sent = [(seen.headers["content-type"], seen.body) for seen in server.seen]
    assert sent[0][0] == "application/x-www-form-urlencoded"
    assert parse_qsl(sent[0][1].decode()) == [("n", "1"), ("n", "2"), ("이름", "홍 길동")]
    assert sent[1] == ("application/json", b'["1", 2]')


async def test_a_body_goes_out_in_the_types_that_its_document_declares(tmp_path: Path) -> None:
    fields = {
        "seatNo": {"type": "integer"},
        "level": {"type": "integer", "enum": [1, 2]},
        "open": {"type": "boolean"},
        "libCode": {"type": "string"},
    }
    body = {"name": "b", "in": "body", "required": True, "schema": {"type": "object", "properties": fields}}
    paths = {"/seats": {"post": {"operationId": "searchSeats", "summary": "좌석 조회", "parameters": [body]}}}
    (tmp_path / "d.json").write_text(json.dumps({"swagger": "2.0", "host": "x.kr", "paths": paths}), encoding="utf-8")
    (made,) = compile_paths([tmp_path / "d.json"]).tools
    arguments = {"seatNo": "7", "level": "2", "open": "true", "libCode": "007"}
    async with serving(lambda _: Reply({"items": []})) as server, client(server) as gateway:
        await gateway.call(made, arguments)
    assert json.loads(server.seen[0].body) == {"seatNo": 7, "level": 2, "open": True, "libCode": "007"}
