"""Keys in every place, several of them, and tokens that a platform gives out (cases A01, A03)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from wireserver import FAST, Reply, Seen, Server, client, rows, serving, tool

from edge.execution.endpoint import Endpoint
from edge.execution.gateway import GatewayClient
from edge.execution.keys import Keys
from edge.execution.recording import RunLog
from edge.sandbox_process import SandboxProcess
from edge.specs.compile import BUNDLED_SPECS, compile_paths
from edge.specs.model import Auth, Location, Token, Tool

RAW, ENCODED = "ab+c/d==", "ab%2Bc%2Fd%3D%3D"
GOOD = Reply(rows([{"a": "1"}], 1))
PLACES: list[Location] = ["query", "header", "path", "body"]


def placed(location: Location) -> Tool:
    url = "https://apis.data.go.kr/{KEY}/json/list" if location == "path" else "https://apis.data.go.kr/list"
    name, prefix = "KEY" if location == "path" else "X-Key", "Kakao " if location == "header" else ""
    auth = Auth(name, location, "EDGE_KEY_PORTAL", prefix)
    return tool(url=url, auth=auth, method="POST" if location == "body" else "GET")


@pytest.mark.parametrize("location", PLACES)
async def test_a01_both_forms_of_a_key_give_the_same_request_in_every_place(location: Location) -> None:
    requests: list[tuple[Any, ...]] = []
    for form in (RAW, ENCODED, ENCODED.lower(), f" {RAW}\n"):
        keys = Keys({"EDGE_KEY_PORTAL": form}, loopback=True)
        async with serving(lambda _: GOOD) as server, client(server, keys=keys) as gateway:
            outcome = await gateway.call(placed(location), {"q": "가"})
        seen = server.seen[0]
        requests.append((seen.method, seen.target, seen.headers.get("x-key"), seen.body))
        assert outcome.ok
        assert RAW not in repr(outcome)
        assert ENCODED not in repr(outcome)
    assert len(set(requests)) == 1
    method, target, header, body = requests[0]
    wanted: dict[Location, bool] = {
        "query": target.endswith(f"X-Key={ENCODED}"),
        "header": header == f"Kakao {RAW}",
        "path": f"/{ENCODED}/json/list" in target,
        "body": f'"X-Key": "{RAW}"'.encode() in body and method == "POST",
    }
    assert wanted[location]


SECOND = Auth("X-Secret", "header", "EDGE_KEY_PORTAL_SECRET")


async def test_two_keys_go_out_together_and_both_are_needed() -> None:
    asked = tool(auth=Auth("X-Id", "header", "EDGE_KEY_PORTAL"), more_auth=(SECOND,))
    both = Keys({"EDGE_KEY_PORTAL": "IDENTITY+1", "EDGE_KEY_PORTAL_SECRET": "PLANTED%2Bsecret"})
    log = RunLog("r")
    async with serving(lambda _: GOOD) as server, client(server, keys=both, recorder=log) as gateway:
        assert (await gateway.call(asked, {})).ok
    assert (server.seen[0].headers["x-id"], server.seen[0].headers["x-secret"]) == ("IDENTITY+1", "PLANTED+secret")
    assert "PLANTED" not in repr(log.rows())
    async with serving(lambda _: GOOD) as server, client(server, keys=Keys({"EDGE_KEY_PORTAL": "x"})) as gateway:
        missing = await gateway.call(asked, {})
    assert (missing.reason, missing.message, server.seen) == (
        "key_missing",
        "set EDGE_KEY_PORTAL_SECRET to call the platform",
        [],
    )


TOKEN = Token(
    "https://apis.data.go.kr/auth.json",
    {"consumer_key": "EDGE_KEY_PORTAL", "consumer_secret": "EDGE_KEY_PORTAL_SECRET"},
    "result.accessToken",
    ttl_s=100.0,
)
KEYS = {"EDGE_KEY_PORTAL": "CONSUMER+1", "EDGE_KEY_PORTAL_SECRET": "PLANTED%2Bsecret"}
WITH_TOKEN = tool(
    auth=Auth("accessToken", "query", token=TOKEN), records=("result.list", "result"), code=("errCd",),
    message=("errMsg",), success=("0",), total=(),
)  # fmt: skip


class Platform:
    """Gives out tokens by number, and rejects all but the newest."""

    def __init__(self) -> None:
        self.given = 0
        self.echoes = False

    def __call__(self, seen: Seen) -> Reply:
        if "/auth.json" in seen.target:
            self.given += 1
            return Reply({"errCd": 0, "errMsg": "Success", "result": {"accessToken": self.newest}}, delay_s=0.02)
        if seen.query["accessToken"] != self.newest:
            return Reply({"errCd": "30", "errMsg": "SERVICE_KEY rejected"})
        echoed = {"a": f"of {self.newest}"} if self.echoes else {"a": "1"}
        return Reply({"errCd": 0, "errMsg": f"for {self.newest}", "result": {"list": [echoed]}})

    @property
    def newest(self) -> str:
        return f"TOKEN-{self.given:08d}"


def tokens_asked(server: Server) -> int:
    return sum("/auth.json" in seen.target for seen in server.seen)


async def test_a_token_is_asked_for_once_and_shared() -> None:
    platform = Platform()
    async with serving(platform) as server, client(server, keys=Keys(KEYS)) as gateway:
        outcomes = await asyncio.gather(*(gateway.call(WITH_TOKEN, {"q": str(n)}) for n in range(30)))
    assert all(outcome.ok for outcome in outcomes)
    assert tokens_asked(server) == 1
    assert server.seen[0].query == {"consumer_key": "CONSUMER+1", "consumer_secret": "PLANTED+secret"}
    assert server.seen[0].target.endswith("consumer_key=CONSUMER%2B1&consumer_secret=PLANTED%2Bsecret")


async def test_a_rejected_token_is_renewed_once() -> None:
    platform = Platform()
    async with serving(platform) as server, client(server, keys=Keys(KEYS)) as gateway:
        assert (await gateway.call(WITH_TOKEN, {"q": "1"})).ok
        platform.given += 1  # the platform forgets what it gave
        outcomes = await asyncio.gather(*(gateway.call(WITH_TOKEN, {"q": str(n)}) for n in range(2, 10)))
        assert all(outcome.ok for outcome in outcomes)
        assert tokens_asked(server) == 2
        assert {outcome.attempts for outcome in outcomes} == {2}

    def never(seen: Seen) -> Reply:
        answer = platform(seen)
        return answer if "/auth.json" in seen.target else Reply({"errCd": "30", "errMsg": "SERVICE_KEY rejected"})

    async with serving(never) as server, client(server, keys=Keys(KEYS)) as gateway:
        refused = await gateway.call(WITH_TOKEN, {})
    assert (refused.outcome, refused.reason, refused.attempts) == ("environmental", "key_rejected", 2)
    assert tokens_asked(server) == 2


async def test_a_token_is_renewed_before_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    platform = Platform()
    now = [0.0]
    async with serving(platform) as server, client(server, keys=Keys(KEYS)) as gateway:
        monkeypatch.setattr(gateway._reader._tokens, "_clock", lambda: now[0])
        for moment, asked in ((0.0, 1), (89.0, 1), (91.0, 2)):
            now[0] = moment
            assert (await gateway.call(WITH_TOKEN, {"q": str(moment)})).ok
            assert tokens_asked(server) == asked


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Reply({"errCd": "30", "errMsg": "SERVICE_KEY unknown"}), "key_rejected"),
        (Reply({"errCd": "10", "errMsg": "consumer_key wrong"}), "key_rejected"),
        (Reply({"errCd": 0, "result": {"other": "1"}}), "key_rejected"),
        (Reply(status=503), "server_error"),
        (Reply(drop=True), "reset"),
        (Reply(status=302, headers={"Location": "http://evil.example/"}), "redirected"),
    ],
)
async def test_without_a_token_the_platform_is_not_called_and_no_call_is_blamed(answer: Reply, reason: str) -> None:
    async with serving(lambda _: answer) as server, client(server, keys=Keys(KEYS)) as gateway:
        outcome = await gateway.call(WITH_TOKEN, {})
    assert outcome.outcome == "environmental"
    assert outcome.reason == reason or (reason == "reset" and outcome.reason == "protocol")
    assert tokens_asked(server) == len(server.seen)


async def test_a_token_is_fetched_from_the_platforms_own_hosts_alone() -> None:
    elsewhere = Token("https://evil.example/auth.json", TOKEN.parameters, TOKEN.value)
    asked = tool(auth=Auth("accessToken", "query", token=elsewhere))
    async with serving(lambda _: GOOD) as server, client(server, keys=Keys(KEYS)) as gateway:
        outcome = await gateway.call(asked, {})
    assert (outcome.outcome, server.seen) == ("environmental", [])
    assert "evil.example" in outcome.message


async def test_a03_neither_token_nor_secret_is_kept_anywhere() -> None:
    platform = Platform()
    platform.echoes = True
    log = RunLog("r")
    async with serving(platform) as server, client(server, FAST, keys=Keys(KEYS), recorder=log) as gateway:
        outcome = await gateway.call(WITH_TOKEN, {})
        said = repr((outcome, log.rows(), gateway, gateway._reader._tokens))
    assert outcome.ok
    assert outcome.message == "for ***"
    for secret in ("TOKEN-0", "PLANTED", "CONSUMER"):
        assert secret not in said


@pytest.mark.parametrize("platform", ["sgis", "naver"])
async def test_the_bundled_profiles_are_let_in_by_the_replica(platform: str) -> None:
    asked = compile_paths([BUNDLED_SPECS / platform]).tools[0]
    arguments = {"sgis": {"year": "2023"}, "naver": {"query": "예산안"}}[platform]
    with SandboxProcess() as sandbox:
        async with GatewayClient(Endpoint.parse(sandbox.url), Keys.demo()) as gateway:
            outcome = await gateway.call(asked, arguments)
    assert outcome.ok, outcome.message
    assert "edge+sandbox" not in repr(outcome)
