"""HTTP 200 proves nothing, and every refusal keeps its class (cases A05, A07, A08, A24)."""

from __future__ import annotations

import ssl

import httpcore
import pytest
from wireserver import tool

from edge.execution.decoding import decode_body
from edge.execution.failures import judge, match_rule, transport_verdict
from edge.specs.model import CodeRule

FAULT = (
    "<OpenAPI_ServiceResponse><cmmMsgHeader><errMsg>SERVICE ERROR</errMsg><returnAuthMsg>{}</returnAuthMsg>"
    "<returnReasonCode>{}</returnReasonCode></cmmMsgHeader></OpenAPI_ServiceResponse>"
)


@pytest.mark.parametrize(
    ("status", "body", "outcome", "reason", "code"),
    [
        (200, FAULT.format("NO_OPENAPI_SERVICE_ERROR", 12), "structural", "unknown_operation", "12"),
        (403, FAULT.format("", 30), "environmental", "key_rejected", "30"),
        (200, FAULT.format("LIMITED NUMBER OF SERVICE REQUESTS EXCEEDS ERROR", 99), "environmental", "quota", "99"),
        (
            200,
            FAULT.format("LIMITED_NUMBER_OF_SERVICE_REQUESTS_PER_SECOND_EXCEEDS_ERROR", 22),
            "environmental",
            "rate_limit",
            "22",
        ),
        (429, "", "environmental", "rate_limit", None),
        (404, "Not Found", "structural", "not_found", None),
        (404, "<html><body>no", "structural", "not_found", None),
        (401, "", "environmental", "key_rejected", None),
        (403, "Forbidden", "environmental", "key_rejected", None),
        (400, "<html>Request Blocked</html>", "environmental", "html_page", None),
        (400, '{"a": 1}', "structural", "bad_request", None),
        (500, '{"response": {"header": {"resultCode": "00"}}}', "environmental", "server_error", "00"),
        (502, "Error forwarding request to backend server", "environmental", "server_error", None),
        (503, "<html>", "environmental", "server_error", None),
        (200, "<html><script>x</script>점검</html>", "environmental", "html_page", None),
        (200, "API token quota", "environmental", "plain_text", None),
        (200, "", "environmental", "empty_body", None),
        (200, '{"a":1,}', "environmental", "invalid_json", None),
        (200, "<a><b>", "environmental", "invalid_xml", None),
        (200, '{"code": -401, "msg": "?"}', "environmental", "unknown_envelope", None),
        (301, "", "environmental", "redirected", None),
    ],
)
def test_a07_class_and_reason(status: int, body: str, outcome: str, reason: str, code: str | None) -> None:
    verdict = judge(tool(), status, decode_body(body.encode(), "application/json"))
    assert (verdict.outcome, verdict.reason, verdict.code) == (outcome, reason, code)


def test_patterns_are_read_before_codes_and_in_plain_text() -> None:
    rules = (
        CodeRule("structural", "by_code", code="10"),
        CodeRule("empty", "by_both", code="10", pattern="없습니다"),
        CodeRule("environmental", "quota", pattern="quota exceeded"),
    )
    tested = tool(codes=rules)
    found = [
        match_rule(tested, code, text, 200)
        for code, text in [("10", "?"), ("10", "자료가 없습니다"), ("9", "없습니다"), (None, "")]
    ]
    assert [rule.reason if rule else None for rule in found] == ["by_code", "by_both", None, None]
    assert judge(tested, 200, decode_body(b"API token Quota\nexceeded")).reason == "quota"
    at_404 = tool(codes=(*rules, CodeRule("environmental", "rate_limit", status=404)))
    assert judge(at_404, 404, decode_body(b"Not Found")).reason == "rate_limit"
    assert judge(at_404, 404, decode_body(b"quota exceeded")).reason == "quota"
    assert judge(at_404, 410, decode_body(b"Gone")).reason == "not_found"
    assert judge(tested, 200, decode_body(b"<html><p>quota <b>exceeded</b>")).reason == "quota"


@pytest.mark.parametrize(
    "detail", ["[SSL: DH_KEY_TOO_SMALL] dh key too small", "[SSL: UNSAFE_LEGACY_RENEGOTIATION_DISABLED]"]
)
def test_a24_old_tls_is_named_not_retried_and_says_what_to_set(detail: str) -> None:
    error = httpcore.ConnectError(detail)
    error.__cause__ = ssl.SSLError(1, detail)
    verdict = transport_verdict(error)
    assert (verdict.outcome, verdict.reason, verdict.passes) == ("environmental", "tls", False)
    assert "ciphers" in verdict.message


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (httpcore.ConnectTimeout(), "timeout"),
        (httpcore.ReadTimeout(), "timeout"),
        (TimeoutError(), "timeout"),
        (httpcore.ConnectError("refused"), "connect"),
        (httpcore.ReadError(), "reset"),
        (ConnectionResetError(), "reset"),
        (httpcore.RemoteProtocolError("?"), "protocol"),
    ],
)
def test_every_transport_error_has_a_name(error: Exception, reason: str) -> None:
    verdict = transport_verdict(error)
    assert (verdict.outcome, verdict.reason, verdict.passes) == ("environmental", reason, True)
