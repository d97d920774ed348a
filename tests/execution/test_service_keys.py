"""Keys are normalised once and never come out again (cases A01, A03)."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wireserver import Reply, client, rows, serving, tool

from edge.execution.keys import DEMO_KEY, Keys, Redactor, normalise_key
from edge.execution.recording import RunLog
from edge.specs.model import Auth

SECRET = "PLANTED+secret/KEY=="
AUTH = Auth("serviceKey", "query", "EDGE_KEY_PORTAL")


@pytest.mark.parametrize("form", ["ab+c/d==", "ab%2Bc%2Fd%3D%3D", "ab%2bc%2fd%3d%3d", " ab+c/d==\n"])
async def test_a01_both_forms_give_the_same_bytes(form: str) -> None:
    keys = Keys({"EDGE_KEY_PORTAL": form}, loopback=True)
    async with serving(lambda _: Reply(rows([{"a": "1"}]))) as server, client(server, keys=keys) as gateway:
        await gateway.call(tool(), {})
    assert server.seen[0].target.endswith("serviceKey=ab%2Bc%2Fd%3D%3D")


@settings(deadline=None)
@given(st.text(alphabet=st.characters(codec="ascii", categories=["L", "N", "P", "S"]), min_size=1))
def test_a01_a_decoded_key_without_escapes_stays(text: str) -> None:
    assert normalise_key(quote(text, safe="")) in (text, normalise_key(text))


def test_a_key_with_a_stray_percent_is_left() -> None:
    assert normalise_key("50%off%2B") == "50%off%2B"
    assert normalise_key("%ff%fe") == "%ff%fe"


def test_environment_goes_over_the_env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    file.write_text("EDGE_KEY_PORTAL=filed\nEDGE_KEY_OTHER=other%2B\nUNRELATED=x\n")
    monkeypatch.setenv("EDGE_KEY_PORTAL", "set")
    keys = Keys.from_environment(loopback=False, env_file=file)
    assert keys.get(AUTH) == "set"
    assert keys.get(Auth("k", "query", "EDGE_KEY_OTHER")) == "other+"
    assert keys.get(Auth("k", "query", "UNRELATED")) is None
    assert "set" not in repr(keys).replace("EDGE_KEY", "")


def test_only_loopback_gets_the_demo_key() -> None:
    assert Keys({}, loopback=True).get(AUTH) == DEMO_KEY
    assert Keys({}).get(AUTH) is None
    assert Keys({"EDGE_KEY_PORTAL": "own"}, loopback=True).get(AUTH) == "own"


async def test_a_missing_key_makes_no_request() -> None:
    async with serving(lambda _: Reply(rows([]))) as server, client(server, keys=Keys({})) as gateway:
        outcome = await gateway.call(tool(), {})
    assert (outcome.outcome, outcome.reason, server.seen, outcome.attempts) == ("environmental", "key_missing", [], 0)
    assert "EDGE_KEY_PORTAL" in outcome.message


SPELLINGS = [
    SECRET,
    quote(SECRET, safe=""),
    quote(SECRET, safe="").replace("%2B", "%2b").replace("%2F", "%2f").replace("%3D", "%3d"),
    quote(SECRET),
    SECRET.replace("/", "\\/"),
]


def _echo(text: str) -> list[Reply]:
    return [
        Reply(f"Forbidden {text}", status=403),
        Reply({"response": {"header": {"resultCode": "77", "resultMsg": f"bad key {text}"}}}),
        Reply(f"<html><body>no {text}</body></html>", status=200),
        Reply(f"plain {text}"),
        Reply(rows([{"a": f"http://x/?serviceKey={text}"}])),
        Reply(status=302, headers={"Location": f"http://x/{quote(text, safe='')}"}),
        Reply(drop=True),
    ]


@pytest.mark.parametrize("location", ["query", "path", "header"])
async def test_a03_no_outcome_row_or_error_holds_the_key(location: str) -> None:
    keys = Keys({"EDGE_KEY_PORTAL": SECRET}, loopback=True)
    url = "https://apis.data.go.kr/{KEY}/json/list" if location == "path" else "https://apis.data.go.kr/json/list"
    tested = tool(auth=Auth("serviceKey" if location == "query" else "KEY", location, "EDGE_KEY_PORTAL"), url=url)
    replies = [reply for text in SPELLINGS for reply in _echo(text)]
    for reply in replies:
        log = RunLog("run")
        async with serving(lambda _, reply=reply: reply) as server, client(server, keys=keys, recorder=log) as gateway:
            outcome = await gateway.call(tested, {})
            said = repr((outcome, log.rows(), gateway, keys, outcome.request))
        assert quote(SECRET, safe="") in server.seen[0].target or SECRET in server.seen[0].headers.get("key", "")
        for spelling in SPELLINGS:
            assert spelling not in said
        assert "PLANTED" not in said


def test_short_keys_are_masked_in_messages_but_not_in_bodies() -> None:
    redactor = Redactor(["SECRET", "abc"])
    assert redactor.scrub("/SECRET/json ?k=SECRET") == "/***/json ?k=***"
    assert redactor.scrub_body("the SECRET of abc") == "the SECRET of abc"
