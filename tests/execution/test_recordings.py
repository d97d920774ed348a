"""What a gateway reads is kept and given back, scrubbed, in order, whatever happens to the files (A03, A18, C12)."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tapeworld import FIRST, RUN, plain, recording, replaying
from wireserver import FAST, PAGING, Reply, Seen, rows, serving, tool

from edge.calls import Outcome
from edge.errors import StoreError
from edge.execution.endpoint import Endpoint
from edge.execution.gateway import GatewayClient
from edge.execution.keys import Keys
from edge.execution.recording import placed
from edge.execution.segments import SegmentWriter, members
from edge.execution.takes import Index, takes_at
from edge.execution.tapes import RecordingTape
from edge.specs.model import OutputField

SECRET = "PLANTED+secret/KEY=="
SAME = ("outcome", "reason", "code", "message", "records", "total", "pages", "attempts", "status_code", "complete",
        "response_hash", "request", "outcome_id")  # fmt: skip


def same(replayed: Outcome, live: Outcome) -> None:
    for field in SAME:
        assert getattr(replayed, field) == getattr(live, field), field


async def there_and_back(store: Path, reply: Reply, **changes: Any) -> tuple[Outcome, Outcome]:
    tested = tool(**changes)
    async with recording(store, lambda _: reply) as (gateway, _):
        live = await gateway.call(tested, {"q": "서울"}, all_pages=True)
    async with replaying(store) as gateway:
        return live, await gateway.call(tested, {"q": "서울"}, all_pages=True)


XML = (
    "<response><header><resultCode>00</resultCode></header>"
    "<body><items><item><a>가나</a></item></items></body></response>"
)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(rows([{"a": "1", "b": None, "c": 1.5}], 1)),
        Reply(rows([])),
        Reply(rows([], code="10")),
        Reply(rows([], code="30")),
        Reply(XML, headers={"Content-Type": "text/xml"}),
        Reply(('<?xml version="1.0" encoding="euc-kr"?>' + XML).encode("cp949"), headers={"Content-Type": "text/xml"}),
        Reply("<html><body>점검 중 &amp; ***</body></html>", headers={"Content-Type": "text/html"}),
        Reply('{"a":', status=500),
        Reply(b"\xff\x00\xfe\x01" * 50),
        Reply("", status=404),
        Reply(drop=True),
    ],
)
async def test_a_replayed_call_is_the_call(tmp_path: Path, reply: Reply) -> None:
    live, replayed = await there_and_back(tmp_path, reply)
    same(replayed, live)


async def test_all_pages_are_replayed(tmp_path: Path) -> None:
    def answer(seen: Seen) -> Reply:
        page, size = int(seen.query["pageNo"]), int(seen.query["numOfRows"])
        return Reply(rows([{"a": n} for n in range(2500)][(page - 1) * size : page * size], total=2500))

    async with recording(tmp_path, answer) as (gateway, server):
        live = await gateway.call(tool(paging=PAGING), {}, all_pages=True)
        assert len(server.seen) == 3
    async with replaying(tmp_path) as gateway:
        replayed = await gateway.call(tool(paging=PAGING), {}, all_pages=True)
    same(replayed, live)
    assert len(replayed.records) == 2500


async def test_a_call_that_was_not_made_is_a_miss(tmp_path: Path) -> None:
    async with recording(tmp_path, lambda _: Reply(rows([{"a": 1}]))) as (gateway, _):
        await gateway.call(tool(), {"q": "서울"})
    async with replaying(tmp_path) as gateway:
        missed = await gateway.call(tool(), {"q": "부산"})
        assert (missed.outcome, missed.reason, missed.attempts) == ("environmental", "not_recorded", 0)
        other = await gateway.call(tool(url="https://apis.data.go.kr/B55/svc/getOther"), {"q": "서울"})
        assert other.reason == "not_recorded"
        assert (await gateway.call(tool(), {"q": "서울"})).ok


async def test_every_turn_gets_the_answer_it_had(tmp_path: Path) -> None:
    """The same question at three places of a run, each answered differently, and twice in one of them."""
    count = iter(range(100))
    async with recording(tmp_path, lambda _: Reply(rows([{"a": next(count)}]))) as (gateway, _):
        with placed("", "explore"):
            await gateway.call(tool(), {})
            await gateway.call(tool(), {})
        with placed("task", "s1"):
            await gateway.call(tool(), {})
    async with replaying(tmp_path) as gateway:
        with placed("task", "s1"):
            assert (await gateway.call(tool(), {})).records == ({"a": 2},)
        with placed("", "explore"):
            told = [(await gateway.call(tool(), {})).records[0]["a"] for _ in range(3)]
        assert told == [0, 1, 2 - 1]  # nothing more is known there than the last answer
        with placed("", "elsewhere"):
            assert (await gateway.call(tool(), {})).records == ({"a": 2},)


async def test_attempts_that_failed_are_kept(tmp_path: Path) -> None:
    replies = [Reply("down", status=503), Reply(drop=True), Reply(rows([{"a": 1}]))]
    async with recording(tmp_path, lambda _: replies.pop(0)) as (gateway, _):
        live = await gateway.call(tool(), {})
    assert live.attempts == 3
    async with replaying(tmp_path) as gateway:
        same(await gateway.call(tool(), {}), live)
    page = json.loads(next(line for line in plain(takes_at(tmp_path)).splitlines() if '"page"' in line))
    assert [response.get("status") for response in page["responses"]] == [503, None, 200]
    assert page["responses"][1]["failure"] in ("protocol", "reset")


async def test_what_is_not_asked_is_replayed_too(tmp_path: Path) -> None:
    async with recording(tmp_path, lambda _: Reply(rows([])), keys=Keys({})) as (gateway, server):
        live = await gateway.call(tool(), {})
        assert (live.reason, server.seen) == ("key_missing", [])
    async with replaying(tmp_path) as gateway:
        same(await gateway.call(tool(), {}), live)


# -- what is never stored ------------------------------------------------------------------------------------------


def echoes(key: str) -> list[str]:
    """Return texts that spell a key as servers do when they quote a request."""
    lower = re.sub("%..", lambda found: found.group().lower(), quote_plus(key))
    twice = quote(quote(key, safe=""), safe="")
    escaped = "".join(f"\\u{ord(ch):04x}" for ch in key)
    slashed = key.replace("/", "\\/")
    entities = "".join(f"&#{ord(ch)};" for ch in key)
    return [key, quote(key, safe=""), lower, twice, escaped, slashed, entities,
            "".join(f"%{ord(ch):02x}" for ch in key)]  # fmt: skip


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("kind", ["json", "xml", "html", "text", "broken"])
async def test_a03_a_key_reaches_the_store_in_no_spelling(tmp_path: Path, number: int, kind: str) -> None:
    echo = echoes(SECRET)[number]
    body = {
        "json": json.dumps(rows([{"a": "1", "asked": "ECHO"}], 1)).replace("ECHO", echo),
        "xml": XML.replace("<a>", f"<asked>{echo.replace(chr(92), '/')}</asked><a>"),
        "html": f"<html><body>no access with {echo}</body></html>",
        "text": f"SERVICE_KEY {echo} IS NOT REGISTERED",
        "broken": '{"key": "' + echo + '", ',
    }[kind]
    keys = Keys({"EDGE_KEY_PORTAL": SECRET}, loopback=True)
    async with recording(tmp_path, lambda _: Reply(body), keys=keys) as (gateway, _):
        live = await gateway.call(tool(), {"q": SECRET})
    stored = plain(takes_at(tmp_path))
    assert not keys.redactor.hides(stored)
    for spelling in echoes(SECRET):
        assert spelling not in stored
    async with replaying(tmp_path) as gateway:
        replayed = await gateway.call(tool(), {"q": SECRET})
    assert (replayed.outcome, replayed.reason, replayed.attempts) in (
        (live.outcome, live.reason, live.attempts),
        ("environmental", "not_recorded", 0),  # what cannot be stored without the key is a miss
    )


PRIVATE = (
    OutputField("a", "가"),
    OutputField("ownerTel", "전화", private=True),
    OutputField("owner.name", "담당자", private=True),
    OutputField("phones[]", "전화", private=True),
)
SAID = ("010-1234-5678", "홍길동", "010-9999-8888")
PERSON = {"a": "공개", "ownerTel": SAID[0], "owner": {"name": SAID[1], "room": "3층"}, "phones": [SAID[2]]}


@pytest.mark.parametrize(
    "body",
    [
        rows([PERSON, {"a": "둘째"}], 2),
        rows(PERSON, 1),
        {"elsewhere": {"list": [PERSON]}},  # rows where nobody looks for them
        {"response": {"header": {"resultCode": "00", "ownerTel": SAID[0]}, "body": {"items": [PERSON]}}},
    ],
)
async def test_private_values_are_not_stored_and_records_stay(tmp_path: Path, body: dict[str, Any]) -> None:
    live, replayed = await there_and_back(tmp_path, Reply(body), outputs=PRIVATE)
    stored = plain(takes_at(tmp_path))
    assert "공개" in stored
    for said in SAID:
        assert said not in stored
    same(replayed, live)


async def test_private_values_in_the_root_and_in_xml(tmp_path: Path) -> None:
    text = XML.replace("<a>", "<ownerTel>010-1234-5678</ownerTel><owner><name>홍길동</name></owner><a>")
    live, replayed = await there_and_back(tmp_path / "xml", Reply(text), outputs=PRIVATE)
    same(replayed, live)
    assert replayed.records == ({"owner": {}, "a": "가나"},)
    bare = {"records": ("",), "code": ("status",), "total": (), "success": ("0",)}
    live, replayed = await there_and_back(tmp_path / "root", Reply({"status": "0"} | PERSON), outputs=PRIVATE, **bare)
    same(replayed, live)
    assert live.ok
    stored = plain([*takes_at(tmp_path / "xml"), *takes_at(tmp_path / "root")])
    assert not any(said in stored for said in SAID)


LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
NAMES = st.sampled_from(["a", "ownerTel", "owner", "name", "phones", "items", "x.y"])
TREES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.dictionaries(NAMES, TREES, max_size=5), max_size=4))
def test_whatever_records_hold_they_come_back_without_the_private(items: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        live, replayed = asyncio.run(there_and_back(Path(folder), Reply(rows(items)), outputs=PRIVATE))
        same(replayed, live)


# -- files ---------------------------------------------------------------------------------------------------------


async def test_bodies_are_stored_once(tmp_path: Path) -> None:
    async with recording(tmp_path, lambda _: Reply(rows([{"a": "x" * 5000}]))) as (gateway, _):
        for n in range(20):
            await gateway.call(tool(), {"q": str(n)})
    index = Index.of(takes_at(tmp_path)[0])
    assert (len(index.turns), len(index.bodies)) == (20, 1)
    assert sum(segment.size for segment in takes_at(tmp_path)[0].segments) < 20_000


async def test_c12_what_was_cut_off_is_left_out_and_the_rest_is_there(tmp_path: Path) -> None:
    async with recording(tmp_path, lambda seen: Reply(rows([{"a": seen.query["q"]}]))) as (gateway, _):
        for n in range(10):
            await gateway.call(tool(), {"q": str(n)})
    file = next((tmp_path / FIRST).iterdir())
    whole = file.read_bytes()
    seen = set[int]()
    for cut in range(len(whole) - 700, len(whole), 13):
        file.write_bytes(whole[:cut])
        pages = len(Index.of(takes_at(tmp_path)[0]).turns)
        seen.add(pages)
        async with replaying(tmp_path) as gateway:
            told = [(await gateway.call(tool(), {"q": str(n)})).reason for n in range(10)]
        assert told == ["ok"] * pages + ["not_recorded"] * (10 - pages)
    assert len(seen) > 1


async def test_damage_inside_is_never_another_answer(tmp_path: Path) -> None:
    async with recording(tmp_path, lambda seen: Reply(rows([{"a": seen.query["q"]}]))) as (gateway, _):
        for n in range(3):
            await gateway.call(tool(), {"q": str(n)})
    file = next((tmp_path / FIRST).iterdir())
    whole = bytearray(file.read_bytes())
    places = [place.offset for place, _ in members(takes_at(tmp_path)[0].segments[0])]
    for position in range(places[1] + 2, len(whole), 11):
        file.write_bytes(whole[:position] + bytes([whole[position] ^ 0x55]) + whole[position + 1 :])
        async with replaying(tmp_path) as gateway:
            for n in range(3):
                outcome = await gateway.call(tool(), {"q": str(n)})
                assert outcome.records == ({"a": str(n)},) or outcome.reason == "not_recorded"


def write_pages(store: str, number: int, base: str) -> None:
    async def run() -> None:
        keys = Keys.demo()
        with RecordingTape(Path(store) / FIRST, RUN, keys.redactor) as tape:
            async with GatewayClient(Endpoint.parse(base), keys, settings=FAST, tape=tape) as gateway:
                for n in range(40):
                    await gateway.call(tool(), {"q": f"{number}-{n}"})

    asyncio.run(run())


async def test_processes_share_a_take(tmp_path: Path) -> None:
    async with serving(lambda seen: Reply(rows([{"a": seen.query["q"]}]))) as server:
        context = multiprocessing.get_context("spawn")
        workers = [context.Process(target=write_pages, args=(str(tmp_path), n, server.base)) for n in range(3)]
        for worker in workers:
            worker.start()
        await asyncio.gather(*(asyncio.to_thread(worker.join) for worker in workers))
        assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert len(takes_at(tmp_path)[0].segments) == 3
    async with replaying(tmp_path) as gateway:
        for number in range(3):
            for n in range(40):
                assert (await gateway.call(tool(), {"q": f"{number}-{n}"})).records == ({"a": f"{number}-{n}"},)


async def test_a_run_that_was_cut_off_is_not_asked_again(tmp_path: Path) -> None:
    replies = {"0": Reply(rows([{"a": 1}])), "1": Reply(rows([], code="10")), "2": Reply(status=503)}
    async with recording(tmp_path, lambda seen: replies[seen.query["q"]]) as (gateway, server):
        first = [await gateway.call(tool(), {"q": q}) for q in "012"]
    earlier = Index.of(takes_at(tmp_path)[0])
    async with recording(tmp_path, lambda _: Reply(rows([{"a": 9}])), earlier=earlier) as (gateway, server):
        second = [await gateway.call(tool(), {"q": q}) for q in "0123"]
        assert [seen.query["q"] for seen in server.seen] == ["2", "3"]  # failures that may pass are asked again
    same(second[0], first[0])
    same(second[1], first[1])
    async with replaying(tmp_path) as gateway:
        for q, outcome in zip("0123", second, strict=True):
            same(await gateway.call(tool(), {"q": q}), outcome)


@pytest.mark.skipif(os.geteuid() != 0 and not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_said_and_leaves_whole_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = SegmentWriter(tmp_path / FIRST, RUN.head())
    writer.append([b'{"page":1}'])
    file = next((tmp_path / FIRST).iterdir())
    before = file.read_bytes()
    full, handle = os.open("/dev/full", os.O_WRONLY), writer._handle
    writer._handle = full
    with pytest.raises(StoreError, match="No space left"):
        writer.append([b'{"page":2}'])
    os.close(full)
    writer._handle = handle
    writer.append([b'{"page":3}'])
    writer.close()
    assert file.read_bytes().startswith(before)
    assert plain(takes_at(tmp_path)).count('"page"') == 2


def test_names_of_other_things_are_left_alone(tmp_path: Path) -> None:
    writer = SegmentWriter(tmp_path / FIRST, replace(RUN, endpoint="sandbox").head())
    writer.append([b"{}", b"none of ours", b"\xff"])
    writer.close()
    (tmp_path / FIRST / "notes.txt").write_text("x")
    (tmp_path / "v1").mkdir()
    (tmp_path / "v1" / "broken.jsonl.gz").write_bytes(b"no gzip")
    (tmp_path / "README").write_text("x")
    takes = takes_at(tmp_path)
    assert [take.name for take in takes] == [FIRST]
    assert Index.of(takes[0]).turns == {}
