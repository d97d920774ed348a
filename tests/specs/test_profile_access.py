"""The blocks of a profile that say how a platform is entered and how often: keys, tokens, days."""

from __future__ import annotations

from typing import Any

import pytest

from edge.errors import SpecError
from edge.specs.compile import BUNDLED_SPECS, compile_paths
from edge.specs.model import Auth, Quota, Token
from edge.specs.profiles import merge, profile_of
from edge.specs.rows import tool_from_json, tool_to_json

BASE: dict[str, Any] = {
    "platform": "demo",
    "title": "데모",
    "hosts": ["api.demo.kr"],
    "envelope": {"records": ["items"]},
}
TOKEN = {"url": "https://api.demo.kr/auth", "parameters": {"id": "EDGE_KEY_DEMO"}, "value": "result.token"}


def test_one_key_two_keys_and_none() -> None:
    one = {"parameter": "key", "location": "query", "env": "EDGE_KEY_DEMO"}
    two = {"parameter": "X-Secret", "location": "header", "env": "EDGE_KEY_DEMO_SECRET"}
    profile, hidden = profile_of({**BASE, "auth": one})
    assert profile.keys == (Auth("key", "query", "EDGE_KEY_DEMO"),)
    profile, hidden = profile_of({**BASE, "auth": [one, two]})
    assert [key.env for key in profile.keys] == ["EDGE_KEY_DEMO", "EDGE_KEY_DEMO_SECRET"]
    assert {"key", "X-Secret"} <= hidden
    assert profile_of(BASE)[0].keys == profile_of({**BASE, "auth": []})[0].keys == ()


def test_a_key_from_a_token_call() -> None:
    profile, hidden = profile_of({**BASE, "auth": {"parameter": "t", "location": "query", "token": TOKEN}})
    assert profile.auth is not None
    assert profile.auth.token == Token("https://api.demo.kr/auth", {"id": "EDGE_KEY_DEMO"}, "result.token")
    assert profile.auth.variables == ("EDGE_KEY_DEMO",)
    assert "t" in hidden


def test_a_service_changes_its_budget_alone() -> None:
    platform = {**BASE, "quota": {"per_day": 10000, "each": "service", "resets": "09:00"}}
    profile, _ = profile_of(merge(platform, {"quota": {"per_day": 100}}))
    assert profile.quota == Quota(100, "service", "09:00")
    assert profile_of(BASE)[0].quota == Quota(None, "platform", "00:00")


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ({"auth": {"parameter": "k", "location": "query"}}, "a key comes from env or from token"),
        ({"auth": {"parameter": "k", "location": "query", "env": "K", "token": TOKEN}}, "from one of them"),
        ({"auth": {"parameter": "k", "location": "query", "token": {**TOKEN, "parameters": {}}}}, "token.parameters"),
        ({"auth": {"parameter": "k", "location": "query", "token": {**TOKEN, "url": "ftp://x"}}}, "token.url"),
        ({"auth": [{"parameter": "k", "location": "query", "env": "lower"}]}, "auth[0].env"),
        ({"quota": {"per_day": 0}}, "quota.per_day"),
        ({"quota": {"resets": "24:00"}}, "quota.resets"),
        ({"quota": {"each": "call"}}, "quota.each"),
    ],
)
def test_a_mistake_is_one_clear_line(block: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError) as caught:
        profile_of({**BASE, **block})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bundled_platforms_say_what_their_days_hold() -> None:
    tools = {tool.operation_key: tool for tool in compile_paths([BUNDLED_SPECS]).tools}
    quotas = {tool.platform: tool.profile.quota for tool in tools.values() if tool.platform in ("dart", "naver", "krx")}
    assert {name: quota.per_day for name, quota in quotas.items()} == {"dart": 20000, "naver": 25000, "krx": 10000}
    portal = [tool for tool in tools.values() if tool.platform == "datagokr"]
    assert {tool.profile.quota.each for tool in portal} == {"service"}
    assert {tool.profile.quota.per_day for tool in portal} == {100, 1000, 5000, 10000}
    for tool in tools.values():
        assert tool_from_json(tool_to_json(tool)) == tool
