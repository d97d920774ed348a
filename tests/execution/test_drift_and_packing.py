"""Recorded runs in one file, and what a later run is answered in another shape (A12)."""

from __future__ import annotations

import os
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tapeworld import FIRST, RUN, recording, replaying
from wireserver import Handler, Reply, Seen, client, rows, serving, tool

from edge.errors import UsageError
from edge.execution.answers import Recording
from edge.execution.drift import Compared, compare_endpoint, compare_takes, rows_of
from edge.execution.packing import pack, unpack
from edge.execution.takes import Index, takes_at
from edge.specs.model import OutputField, Parameter

LATER = "v20260616T000000Z-run2"
OTHER = replace(tool(), tool_id="portal_other", operation_key="svc.other", url="https://apis.data.go.kr/B55/svc/getOther")
THEN = {"a": "1", "n": 5, "in": {"x": "가"}}


def answering(record: Any, **more: Any) -> Handler:
    """Answer one operation always alike, the other with `record`."""
    return lambda seen: Reply(rows([{"z": 1}]) if "getOther" in seen.target else rows([record], **more))


async def two_runs(store: Path, then: Handler, now: Handler, questions: tuple[str, str] = ("서울", "서울")) -> Compared:
    for name, handler, question in ((FIRST, then, questions[0]), (LATER, now, questions[1])):
        async with recording(store, handler, name=name) as (gateway, _):
            for one in (tool(), OTHER):
                await gateway.call(one, {"q": question})
    earlier, later = (Index.of(take) for take in takes_at(store))
    return compare_takes(earlier, later, [tool(), OTHER])


CHANGES: list[tuple[dict[str, Any], list[tuple[str, ...]]]] = [
    (THEN, []),
    ({"a": "2", "n": 6, "in": {"x": "나"}}, []),
    ({"a": "1", "n": 5.5, "in": {"x": "가"}}, []),  # a number that happens not to be whole
    ({"a": None, "n": 5, "in": {"x": "가"}}, []),  # no value today says nothing
    ({"a": "1", "n": "다섯", "in": {"x": "가"}}, [("svc.list", "wrong_type", "n", "number", "string")]),
    ({"a": "1", "in": {"x": "가"}}, [("svc.list", "missing_field", "n", "number", "")]),
    (THEN | {"m": True}, [("svc.list", "extra_field", "m", "", "boolean")]),
    ({"a": "1", "n": 5, "in": [{"x": "가"}]}, [("svc.list", "repeats_differ", "in.x", "in.x", "in[].x")]),
]


@pytest.mark.parametrize(("now", "drifts"), CHANGES)
@pytest.mark.parametrize("questions", [("서울", "서울"), ("서울", "부산")])
async def test_drift_between_two_runs(
    tmp_path: Path, now: dict[str, Any], drifts: list[tuple[str, ...]], questions: tuple[str, str]
) -> None:
    compared = await two_runs(tmp_path, answering(THEN), answering(now), questions)
    assert list(rows_of(compared)) == drifts
    assert compared.operations == 2


async def test_a12_records_that_moved_away_are_drift(tmp_path: Path) -> None:
    moved = lambda seen: Reply({"data": {"list": [THEN]}} if "getList" in seen.target else rows([{"z": 1}]))  # noqa: E731
    compared = await two_runs(tmp_path, answering(THEN), moved)
    assert list(rows_of(compared)) == [("svc.list", "missing_wrapper", "", "ok", "records_not_found")]


async def test_no_answer_and_no_data_are_no_drift(tmp_path: Path) -> None:
    assert not (await two_runs(tmp_path, answering(THEN), lambda _: Reply(rows([], code="30")))).drifts
    assert not (await two_runs(tmp_path / "b", answering(THEN), lambda _: Reply(rows([])))).drifts


async def test_fields_that_xml_leaves_out_are_no_drift_in_few_records(tmp_path: Path) -> None:
    def xml(*fields: str, times: int = 1) -> Handler:
        item = "<item>" + "".join(f"<{name}>v</{name}>" for name in fields) + "</item>"
        text = f"<response><body><items>{item * times}</items></body></response>"
        return lambda _: Reply(text, headers={"Content-Type": "text/xml"})

    assert not (await two_runs(tmp_path / "few", xml("a", "b"), xml("a"))).drifts
    many = await two_runs(tmp_path / "many", xml("a", "b", times=12), xml("a", times=12))
    assert ("svc.list", "missing_field", "b", "string", "") in list(rows_of(many))


async def test_an_endpoint_is_asked_the_recorded_questions_again(tmp_path: Path) -> None:
    needs = replace(tool(), parameters=(Parameter("q", "검색어", required=True),))
    async with recording(tmp_path, answering(THEN)) as (gateway, _):
        await gateway.call(needs, {"q": "서울"})
        await gateway.call(OTHER, {})
    asked: list[Seen] = []

    def now(seen: Seen) -> Reply:
        asked.append(seen)
        return Reply(status=503) if "getOther" in seen.target else Reply(rows([{"a": 1, "n": 5}]))

    async with serving(now) as server, client(server) as gateway:
        compared = await compare_endpoint(Index.of(takes_at(tmp_path)[0]), gateway, [needs, OTHER])
    assert list(rows_of(compared)) == [
        ("svc.list", "missing_field", "in.x", "string", ""),
        ("svc.list", "wrong_type", "a", "string", "number"),
    ]
    assert (compared.operations, compared.unreached) == (2, 1)
    assert {seen.query["q"] for seen in asked if "getList" in seen.target} == {"서울"}


# -- one file ------------------------------------------------------------------------------------------------------


async def recorded(store: Path) -> None:
    for name, value in ((FIRST, "old"), (LATER, "new")):
        async with recording(store, answering({"a": value}), name=name) as (gateway, _):
            await gateway.call(tool(), {"q": "서울"})


async def test_a_packed_file_is_replayed_as_it_is_and_unpacked(tmp_path: Path) -> None:
    store = tmp_path / "recordings"
    await recorded(store)
    packed, again = tmp_path / "all.zip", tmp_path / "again.zip"
    pack(takes_at(store), packed)
    pack(takes_at(store), again)
    assert packed.read_bytes() == again.read_bytes()
    assert [take.name for take in unpack(packed, tmp_path / "new")] == [FIRST, LATER]
    for place in (packed, tmp_path / "new", store):
        async with replaying(place) as gateway:
            assert (await gateway.call(tool(), {"q": "서울"})).records == ({"a": "new"},)
    unpack(packed, tmp_path / "new")  # once more changes nothing
    assert [len(take.segments) for take in takes_at(tmp_path / "new")] == [1, 1]
    assert not [name for _, _, names in os.walk(tmp_path) for name in names if name.endswith(".tmp")]


async def test_one_run_alone_is_packed(tmp_path: Path) -> None:
    await recorded(tmp_path / "recordings")
    pack(takes_at(tmp_path / "recordings")[:1], tmp_path / "one.zip")
    async with replaying(tmp_path / "one.zip") as gateway:
        assert (await gateway.call(tool(), {"q": "서울"})).records == ({"a": "old"},)


async def test_files_that_are_no_recordings_are_refused_in_one_line(tmp_path: Path) -> None:
    await recorded(tmp_path / "recordings")
    with pytest.raises(UsageError, match="name the file so"):
        pack(takes_at(tmp_path / "recordings"), tmp_path / "all.tar")
    (tmp_path / "text.zip").write_text("none")
    pack(takes_at(tmp_path / "recordings"), tmp_path / "all.zip")
    twice = zipfile.ZipFile(tmp_path / "twice.zip", "w", zipfile.ZIP_DEFLATED)
    with twice, zipfile.ZipFile(tmp_path / "all.zip") as source:
        for entry in source.namelist():
            twice.writestr(entry, source.read(entry))
    with zipfile.ZipFile(tmp_path / "outside.zip", "w") as archive:
        archive.writestr("../escape/00000000000000000001-aaaaaaaa.jsonl.gz", b"x")
        archive.writestr("v1/../../00000000000000000001-aaaaaaaa.jsonl.gz", b"x")
    for name in ("text.zip", "twice.zip", "outside.zip", "nowhere", "."):
        with pytest.raises(UsageError) as refused:
            unpack(tmp_path / name, tmp_path / "new")
        assert "\n" not in str(refused.value)
    assert not (tmp_path / "new").exists()


async def test_a_probe_reads_recorded_runs(tmp_path: Path) -> None:
    store = tmp_path / "recordings"
    private = replace(tool(), outputs=(OutputField("a", "가"), OutputField("tel", "전화", private=True)))
    async with recording(store, lambda s: Reply(rows([{"a": 1, "tel": "02)이-1"}] if s.query else []))) as (gateway, _):
        await gateway.call(private, {"q": "없는 곳"})
        await gateway.call(private, {"q": "서울"})
    pack(takes_at(store), tmp_path / "all.zip")
    for place in (store, tmp_path / "all.zip"):
        answers = Recording.read(place)
        assert (len(answers), answers.holds(tool()), answers.holds(OTHER)) == (1, True, False)
        look = await answers.look(tool(), {})
        assert look.outcome.records == ({"a": 1, "tel": "00)x-0"},)
        assert look.outcome.response_hash


def test_the_run_is_in_every_segment() -> None:
    assert b"run-1" in RUN.head()
