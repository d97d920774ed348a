"""What people met at the platforms, against the bundled profiles and over real sockets (cases A05 to A30)."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from labelled import readers
from wireserver import PAGING, Reply, Seen, client, rows, serving, tool

from edge.execution.answers import Look
from edge.execution.budgets import QuotaBoard
from edge.execution.decoding import decode_body
from edge.execution.endpoint import KST
from edge.execution.failures import judge
from edge.execution.memo import MemoCaller
from edge.execution.placing import read_answer
from edge.execution.recording import RunLog
from edge.ids import canonical_json
from edge.specs.model import Parameter, Tool

FAULT = (
    "<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>SERVICE ERROR</errMsg><returnAuthMsg>{}</returnAuthMsg>"
    "<returnReasonCode>{}</returnReasonCode></cmmMsgHeader></OpenAPI_ServiceResponse>"
)
RETIRED = FAULT.format("NO_OPENAPI_SERVICE_ERROR", 12)
SPENT = FAULT.format("LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR", 22)


def portal(name: str = "getList") -> Tool:
    """A tool of the bundled gateway profile that takes a `q`."""
    made = readers()["datagokr"]
    url = f"https://apis.data.go.kr/B55/svc/{name}"
    profile = replace(made.profile, paging=None, per_second=None)
    return replace(made, tool_id=name, url=url, parameters=(Parameter("q", "q"),), profile=profile)


async def test_a05_a_retired_path_is_structural_for_its_tool_alone_and_not_tried_again() -> None:
    def handler(seen: Seen) -> Reply:
        return Reply(RETIRED if "getGone" in seen.target else rows([{"a": "1"}], 1))

    async with serving(handler) as server, client(server) as gateway:
        gone = await gateway.call(portal("getGone"), {})
        other = await gateway.call(portal(), {})
    assert (gone.outcome, gone.reason, gone.code, gone.attempts) == ("structural", "unknown_operation", "12", 1)
    assert other.ok
    assert len(server.seen) == 2


async def test_a07_class_status_and_counters_are_kept() -> None:
    replies = {
        "key": Reply(FAULT.format("", 30), status=403),
        "rate": Reply("", status=429),
        "gone": Reply("Not Found", status=404),
        "down": Reply("Error forwarding request to backend server", status=502),
    }
    log = RunLog("r")
    async with serving(lambda seen: replies[seen.query["q"]]) as server, client(server, recorder=log) as gateway:
        found = {name: await gateway.call(portal(), {"q": name}) for name in replies}
    assert {name: (o.outcome, o.reason, o.status_code) for name, o in found.items()} == {
        "key": ("environmental", "key_rejected", 403),
        "rate": ("environmental", "rate_limit", 429),
        "gone": ("structural", "not_found", 404),
        "down": ("environmental", "server_error", 502),
    }
    assert Counter((row["outcome"], row["reason"]) for row in log.rows()) == Counter(
        (o.outcome, o.reason) for o in found.values()
    )


async def test_a08_a_spent_quota_costs_no_more_than_what_was_under_way() -> None:
    board = QuotaBoard(now=lambda: datetime(2026, 5, 4, 22, 0, tzinfo=KST))
    async with serving(lambda _: Reply(SPENT)) as server, client(server, quota=board) as gateway:
        outcomes = await asyncio.gather(*(gateway.call(portal(), {"q": str(n)}) for n in range(500)))
    reasons = Counter(f"{outcome.outcome}:{outcome.reason}" for outcome in outcomes)
    assert set(reasons) == {"environmental:quota", "environmental:quota_parked"}
    assert len(server.seen) == reasons["environmental:quota"] <= portal().profile.concurrency


@pytest.mark.parametrize(
    "body",
    [
        {"items": [{"a": "1"}], "totalCount": 1, "pageNo": 0},
        {"response": {"body": {"items": [{"a": "1"}]}}},
        {"response": {"body": {"tableList": [{"items": {"item": [{"a": "1"}]}}]}}},
    ],
)
async def test_a12_rows_are_found_in_every_envelope_of_the_portal(body: dict[str, Any]) -> None:
    """What the profile does not know is drift, and probing finds its place."""
    async with serving(lambda _: Reply(body)) as server, client(server) as gateway:
        look: Look = await gateway.look(portal(), {})
    assert look.outcome.outcome == ("structural" if "tableList" in canonical_json(body) else "ok")
    read = read_answer(portal(), look)
    assert read is not None
    assert list(read.records) == [{"a": "1"}]
    assert judge(read.tool, 200, decode_body(canonical_json(body).encode())).records == ({"a": "1"},)


async def test_a15_the_total_is_a_text_and_a_part_never_stands_for_the_whole() -> None:
    fails = [True]

    def handler(seen: Seen) -> Reply:
        if seen.query["pageNo"] == "2" and fails[0]:
            return Reply(status=500)
        return Reply(rows([{"n": seen.query["pageNo"]}] * (1000 if seen.query["pageNo"] == "1" else 500), "1500"))

    async with serving(handler) as server, client(server) as gateway:
        caller = MemoCaller(gateway)
        asked = tool(paging=PAGING)
        part = await caller.call(asked, {}, all_pages=True)
        fails[0] = False
        whole = await caller.call(asked, {}, all_pages=True)
        fails[0] = True
        again = await caller.call(asked, {}, all_pages=True)
    assert (part.reason, part.complete, part.total, len(part.records)) == ("partial", False, 1500, 1000)
    assert (whole.reason, whole.complete, len(whole.records)) == ("ok", True, 1500)
    assert again is whole


async def test_a23_a_repeated_key_is_told() -> None:
    async with (
        serving(lambda _: Reply('{"items": {"item": [{"n": 1}], "item": [{"n": 2}]}, "resultCode": "00"}')) as server,
        client(server) as gateway,
    ):
        outcome = await gateway.call(portal(), {})
    assert outcome.records == ({"n": 1}, {"n": 2})
    assert "duplicate_key:item" in outcome.message


async def test_a22_a_broken_answer_that_heals_needs_no_change() -> None:
    replies = [Reply('{"items":[{"id":1},{"id":2},]}')] * 3 + [Reply('{"items":[{"id":1},{"id":2}]}')]
    async with serving(lambda _: replies.pop(0)) as server, client(server) as gateway:
        broken, healed = await gateway.call(portal(), {}), await gateway.call(portal(), {})
    assert (broken.outcome, broken.reason, broken.attempts) == ("environmental", "invalid_json", 3)
    assert healed.records == ({"id": 1}, {"id": 2})
