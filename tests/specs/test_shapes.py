"""Where the records of an answer are: an inner list among an envelope's fields, or the one object around it."""

from __future__ import annotations

from typing import Any

import pytest

from edge.specs.envelope_words import is_envelope
from edge.specs.model import Profile
from edge.specs.nodes import read_schema
from edge.specs.profiles import generic, profile_of
from edge.specs.refs import Source
from edge.specs.shapes import Shape, find_shape

PROFILE, HIDDEN = profile_of(generic("api.x.kr").tree)


def schema(example: Any) -> dict[str, Any]:
    """Return the schema of an example answer."""
    if isinstance(example, dict):
        return {"type": "object", "properties": {name: schema(value) for name, value in example.items()}}
    if isinstance(example, list):
        return {"type": "array", "items": schema(example[0])}
    return {"type": "string"}


def shape(example: Any, profile: Profile = PROFILE, *, known: bool = False) -> Shape:
    tree: Any = schema(example)
    return find_shape(read_schema(Source(tree), tree, "#"), profile, HIDDEN, known=known)


def found(example: Any) -> tuple[str, list[str]]:
    made = shape(example)
    return made.records, [field.name for field in made.fields]


ROOM = {"room_id": "1", "seats": "2"}


@pytest.mark.parametrize(
    ("answer", "place", "paths"),
    [
        (
            {"id": "1", "status": "x", "customer": {"id": "1", "name": "n"}, "items": [{"sku": "s", "qty": "1"}]},
            "",
            ["id", "status", "customer.id", "customer.name", "items[].sku", "items[].qty"],
        ),
        ({"lib_id": "1", "address": "a", "rooms": [ROOM]}, "", ["lib_id", "address", "rooms[].room_id",
         "rooms[].seats"]),
        ({"code": "0", "message": "m", "data": {"lib_id": "1", "rooms": [ROOM]}}, "data",
         ["lib_id", "rooms[].room_id", "rooms[].seats"]),
        ({"result": {"library": {"lib_id": "1", "rooms": [ROOM]}}, "resultCode": "0"}, "result.library",
         ["lib_id", "rooms[].room_id", "rooms[].seats"]),
        ({"movies": [{"t": "1"}], "actors": [{"n": "1"}]}, "", ["movies[].t", "actors[].n"]),
        ([{"id": "1", "rooms": [ROOM]}], "", ["id", "rooms[].room_id", "rooms[].seats"]),
        ({"id": "1", "message": "hello"}, "", ["id", "message"]),
        ({"status": "000", "message": "ok", "corp_name": "c"}, "", ["corp_name"]),
        ({"count": "3"}, "", ["count"]),
    ],
)  # fmt: skip
def test_an_object_around_its_list_is_the_record(answer: Any, place: str, paths: list[str]) -> None:
    assert found(answer) == (place, paths)


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ({"totalCount": "1", "items": [ROOM]}, "items"),
        ({"page": "1", "perPage": "1", "matchCount": "1", "currentCount": "1", "data": [ROOM]}, "data"),
        ({"status": "ok", "message": "m", "result": [ROOM]}, "result"),
        ({"response": {"header": {"resultCode": "0", "resultMsg": "m"}, "body": {"items": {"item": [ROOM]},
         "numOfRows": "1", "pageNo": "1", "totalCount": "1"}}}, "response.body.items.item"),
        ({"list_total_count": "1", "RESULT": {"CODE": "0", "MESSAGE": "m"}, "row": [ROOM]}, "row"),
        ({"meta": {"total_count": "1", "pageable_count": "1", "is_end": "f"}, "documents": [ROOM]}, "documents"),
        ({"content": [ROOM], "pageable": {"sort": {"sorted": "f"}, "offset": "1"}, "totalPages": "1", "last": "f",
         "totalElements": "1", "size": "1", "number": "1", "numberOfElements": "1", "first": "t", "empty": "f"},
         "content"),
        ({"object": "list", "has_more": "f", "url": "/v1", "data": [ROOM]}, "data"),
        ({"lastBuildDate": "d", "total": "1", "start": "1", "display": "1", "items": [ROOM]}, "items"),
        ({"총건수": "1", "페이지 번호": "1", "결과코드": "0", "도서관": [ROOM]}, "도서관"),
        ({"errors": [{"code": "1"}], "requestId": "r", "data": {"rooms": [ROOM], "nextPageToken": "t"}}, "data.rooms"),
        ({"rows": [ROOM], "total_rows": "1"}, "rows"),
        ({"total": "1", "errors": [{"code": "1", "message": "m"}]}, "errors"),
    ],
)  # fmt: skip
def test_a_list_among_paging_counts_and_messages_is_the_records(answer: Any, place: str) -> None:
    assert found(answer)[0] == place


def test_a_platforms_own_place_is_trusted_whatever_stands_beside() -> None:
    answer = {"id": "1", "items": [ROOM]}
    assert shape(answer, known=True).records == "items"
    assert shape(answer, known=False).records == ""


@pytest.mark.parametrize(
    "name",
    ["totalCount", "list_total_count", "pageNo", "numOfRows", "resultCode", "RESULT_MSG", "totalcount", "has_next",
     "nextPageToken", "status", "@count", "조회 결과 건수", "응답메시지"],
)  # fmt: skip
def test_names_of_envelopes(name: str) -> None:
    assert is_envelope(name)


@pytest.mark.parametrize(
    "name",
    ["id", "name", "date", "items", "data", "result", "법정동코드", "sigunguCode", "seatCount", "type", "title",
     "state", "orderNumber", "itemCode", "pageId", "startDate", "orderStatus", "dataType"],
)  # fmt: skip
def test_names_of_things(name: str) -> None:
    assert not is_envelope(name)
