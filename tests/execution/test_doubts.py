"""What a platform says with two meanings is settled by a second look, not by a guess (docs/design/gateway.md)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from labelled import bundled
from test_labelled_bodies import ENGINE, request_of
from wireserver import FAST, Reply, Seen, client, rows, serving, tool

from edge.errors import SpecError
from edge.execution.decoding import decode_body
from edge.execution.doubts import control_of, settled, worth_repeating
from edge.execution.failures import Verdict, judge
from edge.execution.request import WireRequest, build_request
from edge.sandbox.engine import DEMO_KEY
from edge.specs.file_models import CodeBlock, checked
from edge.specs.model import CodeRule, Tool

RULES = (
    CodeRule("structural", "invalid_parameter", code="10", ambiguous="server_error"),
    CodeRule("environmental", "server_error", code="500", ambiguous="unknown_operation"),
    CodeRule("environmental", "rate_limit", status=404, ambiguous="not_found"),
)
GOOD = Reply(rows([{"a": "1"}], 1))
NOTHING = Reply(rows("", 0))
CONTROL = "https://apis.data.go.kr/B55/svc/getSound?x=1"


def refusal(code: str) -> Reply:
    return Reply(rows("", 0, code))


def doubtful(**changes: object) -> Tool:
    return tool(codes=RULES, control=CONTROL, **changes)


def scripted(*replies: Reply, control: Reply = GOOD) -> Callable[[Seen], Reply]:
    left = list(replies)

    def handler(seen: Seen) -> Reply:
        return control if "/getSound" in seen.target else left.pop(0) if len(left) > 1 else left[0]

    return handler


@pytest.mark.parametrize(
    ("replies", "outcome", "reason", "requests"),
    [
        ((refusal("10"), GOOD), "ok", "ok", 2),
        ((refusal("10"), refusal("10"), GOOD), "structural", "invalid_parameter", 2),
        ((refusal("10"), NOTHING), "empty", "no_data", 2),
        ((refusal("10"), Reply(status=503), refusal("10")), "structural", "invalid_parameter", 3),
        ((refusal("10"), Reply(status=503), Reply(status=503)), "environmental", "server_error", 3),
    ],
)
async def test_a_refusal_that_passes_now_and_then_stands_when_it_is_repeated(
    replies: tuple[Reply, ...], outcome: str, reason: str, requests: int
) -> None:
    async with serving(scripted(*replies)) as server, client(server) as gateway:
        found = await gateway.call(doubtful(), {})
    assert (found.outcome, found.reason, found.attempts, len(server.seen)) == (outcome, reason, requests, requests)


@pytest.mark.parametrize(
    ("reply", "control", "outcome", "reason"),
    [
        (refusal("500"), GOOD, "structural", "unknown_operation"),
        (refusal("500"), NOTHING, "structural", "unknown_operation"),
        (refusal("500"), refusal("500"), "environmental", "server_error"),
        (refusal("500"), Reply(status=503), "environmental", "server_error"),
        (refusal("500"), Reply("<html>점검</html>"), "environmental", "server_error"),
        (Reply("<html>x</html>", status=404), GOOD, "structural", "not_found"),
        (Reply("<html>x</html>", status=404), Reply(drop=True), "environmental", "rate_limit"),
    ],
)
async def test_a_control_tells_an_outage_from_a_refusal(
    reply: Reply, control: Reply, outcome: str, reason: str
) -> None:
    async with serving(scripted(reply, control=control)) as server, client(server) as gateway:
        found = await gateway.call(doubtful(), {"q": "x"})
    assert (found.outcome, found.reason, found.attempts) == (outcome, reason, 4)
    asked = [seen.target.partition("?")[0].rpartition("/")[2] for seen in server.seen]
    assert asked == ["getList", "getList", "getList", "getSound"]
    assert server.seen[-1].query["serviceKey"]


async def test_what_passes_in_time_needs_no_control() -> None:
    async with serving(scripted(refusal("500"), GOOD)) as server, client(server) as gateway:
        assert (await gateway.call(doubtful(), {})).ok
    assert len(server.seen) == 2


async def test_without_a_control_a_doubtful_failure_blames_nobody() -> None:
    async with serving(scripted(refusal("500"))) as server, client(server) as gateway:
        found = await gateway.call(tool(codes=RULES), {})
    assert (found.outcome, found.reason, len(server.seen)) == ("environmental", "server_error", 3)


async def test_an_empty_answer_is_asked_again_only_where_it_is_doubtful() -> None:
    for ambiguous, replies, outcome, requests in (
        (True, (NOTHING, GOOD), "ok", 2),
        (True, (NOTHING, NOTHING, GOOD), "empty", 2),
        (False, (NOTHING, GOOD), "empty", 1),
    ):
        async with serving(scripted(*replies)) as server, client(server) as gateway:
            found = await gateway.call(tool(ambiguous_empty=ambiguous), {})
        assert (found.outcome, len(server.seen)) == (outcome, requests)


async def test_no_second_look_where_one_request_is_all_that_is_allowed() -> None:
    settings = FAST.model_copy(update={"attempts": 1})
    async with serving(scripted(refusal("10"), GOOD)) as server, client(server, settings) as gateway:
        assert (await gateway.call(doubtful(), {})).reason == "invalid_parameter"
    assert len(server.seen) == 1


def test_a_doubt_is_noted_and_settled_once() -> None:
    first = Verdict("structural", "invalid_parameter", doubt="server_error")
    assert worth_repeating(first, None)
    assert not worth_repeating(first, first)
    assert not worth_repeating(Verdict("structural", "invalid_parameter"), None)
    failed = Verdict("environmental", "server_error", "시스템", "1", doubt="unknown_operation")
    assert settled(failed, failed) is failed
    told = settled(failed, Verdict("empty", "no_data"))
    assert (told.outcome, told.reason, told.code, told.doubt) == ("structural", "unknown_operation", "1", "")
    assert told.message.startswith("시스템 ")


def test_only_what_blames_can_be_ambiguous() -> None:
    with pytest.raises(SpecError, match="blames nobody"):
        checked(CodeBlock, {"outcome": "empty", "reason": "no_data", "code": "1", "ambiguous": "invalid_parameter"})


def test_every_doubtful_failure_of_the_bundled_platforms_has_a_control_that_is_sound() -> None:
    """Held against the replica, which answers as the platforms do."""
    checked_urls: set[str] = set()
    sound = 0
    for one in bundled():
        rules = [r for r in one.profile.envelope.codes if r.outcome == "environmental"]
        doubts = [r for r in rules if r.ambiguous not in ("", "rate_limit")]  # that one is settled by asking again
        if not doubts or one.profile.control in checked_urls:
            continue
        checked_urls.add(one.profile.control)
        control = control_of(one, Verdict("environmental", "server_error", doubt=doubts[0].ambiguous))
        assert control is not None, one.platform
        wire = build_request(control, {}, keys=[DEMO_KEY])
        assert isinstance(wire, WireRequest)
        call = ENGINE.route(request_of(wire))
        if call.operation is None:
            continue  # not in the replica
        response, kind = ENGINE.answer(call)
        found = judge(control, response.status, decode_body(response.body, response.content_type))
        assert found.read, (one.profile.control, kind, found)
        sound += 1
    assert sound >= 4
