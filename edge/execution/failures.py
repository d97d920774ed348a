"""Status + decoded body -> verdict: outcome class and reason, read from the body and the profile's tables.

HTTP 200 proves nothing: the body is judged first. The order is the profile's rules (message patterns, then codes, then
HTTP statuses), the HTTP status, an unknown code, and only then the records. An unknown code is `provider_error` and
environmental: blaming a link for a refusal nobody understands would kill sound links, and the code is kept so that the
table can be extended. What a platform says with two meanings is a verdict with a doubt, for the gateway to settle.

Reasons a profile may name: no_data, no_file; invalid_parameter, missing_parameter, unknown_operation; key_rejected,
quota, rate_limit, server_error, timeout, blocked. Reasons the gateway gives by itself: unknown_parameter,
missing_parameter, host_not_allowed, not_found, bad_request, records_not_found (structural); key_missing, quota_parked,
circuit_open, timeout, connect, tls, reset, protocol, redirected, too_large, html_page, plain_text, empty_body,
invalid_json, invalid_xml, invalid_archive, undecodable, unknown_envelope, provider_error, private_address
(environmental).
"""

from __future__ import annotations

import re
import ssl
from dataclasses import dataclass
from functools import lru_cache

import httpcore

from edge.calls import OutcomeClass, Record
from edge.execution.decoding import Decoded
from edge.execution.envelopes import Found, Opened, expects_records, names_private, open_envelope, records_of
from edge.specs.model import CodeRule, Tool

LASTING = frozenset(
    {
        "key_missing", "key_rejected", "quota", "quota_parked", "circuit_open", "tls", "redirected", "too_large",
        "private_address", "invalid_archive", "undecodable",
    }
)  # fmt: skip
_MESSAGE_LENGTH = 500
_MARKUP = re.compile(r"<(script|style)[\s>].*?</\1>|<[^>]+>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one request. `total` is what the platform states, None where it states nothing.

    `doubt` is the reason that the same answer may have as well; a second look decides.
    """

    outcome: OutcomeClass
    reason: str
    message: str = ""
    code: str | None = None
    records: tuple[Record, ...] = ()
    total: int | None = None
    doubt: str = ""

    @property
    def passes(self) -> bool:
        """Whether the same request may succeed in a moment."""
        return self.outcome == "environmental" and self.reason not in LASTING

    @property
    def read(self) -> bool:
        """Whether the platform answered the question, with records or without."""
        return self.outcome in ("ok", "empty")


def judge(tool: Tool, status: int, decoded: Decoded) -> Verdict:
    """Return the verdict on a complete response."""
    if decoded.kind not in ("json", "xml"):
        return _judge_unreadable(tool, status, decoded)
    opened = open_envelope(tool, decoded.tree)
    rule = None if _succeeded(tool, opened.code) else match_rule(tool, opened.code, opened.message, status)
    if rule is not None and rule.outcome != "ok":
        message = _short(opened.message)
        return Verdict(rule.outcome, rule.reason, message, opened.code, total=opened.total, doubt=rule.ambiguous)
    if status >= 300:
        return _by_status(status, opened.message, opened.code)
    if rule is None and opened.code is not None and not _succeeded(tool, opened.code) and _tells(tool, opened):
        return Verdict("environmental", "provider_error", _short(opened.message), opened.code)
    return _judge_records(tool, opened, decoded)


def match_rule(tool: Tool, code: str | None, message: str, status: int) -> CodeRule | None:
    """Return the first rule whose pattern is in the message, else the first for the code, else for the HTTP status.

    Providers write the same text with blanks, line breaks or underscores, so patterns are tried on all three.
    """
    rules = [rule for rule in tool.profile.envelope.codes if rule.status in (None, status)]
    words = message.split()
    spellings = (message, " ".join(words), "_".join(words))
    for rule in rules:
        if rule.pattern is not None and rule.code in (None, code):
            pattern = _compiled(rule.pattern)
            if any(pattern.search(spelling) for spelling in spellings):
                return rule
    plain = [rule for rule in rules if rule.pattern is None]
    by_code = next((rule for rule in plain if code is not None and rule.code == code), None)
    return by_code or next((rule for rule in plain if rule.code is None and rule.status is not None), None)


def transport_verdict(error: Exception) -> Verdict:
    """Return the environmental verdict on an exception of the transport; its name says which part failed."""
    detail = _short(f"{type(error).__name__}: {error}")
    if isinstance(error, httpcore.TimeoutException | TimeoutError):  # first: TLS that waits is an SSL error inside
        return Verdict("environmental", "timeout", detail)
    if isinstance(error, httpcore.ConnectError | ssl.SSLError) and _caused_by_tls(error):
        hint = "if the host needs an older cipher list, set `ciphers` in its profile; verification stays on"
        if "CERTIFICATE_VERIFY_FAILED" in detail:
            hint = "the host's certificate is not trusted; name a file of authorities in SSL_CERT_FILE if it should be"
        return Verdict("environmental", "tls", f"{detail} ({hint})")
    if isinstance(error, httpcore.ConnectError | httpcore.ProxyError):
        return Verdict("environmental", "connect", detail)
    if isinstance(error, httpcore.NetworkError | OSError):  # read and write errors, and what the system itself says
        return Verdict("environmental", "reset", detail)
    return Verdict("environmental", "protocol", detail)


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


def _succeeded(tool: Tool, code: str | None) -> bool:
    return code is not None and code in tool.profile.envelope.success


def _tells(tool: Tool, opened: Opened) -> bool:
    """Whether a code that no table knows means failure: always where success codes are known, else without records."""
    return bool(tool.profile.envelope.success) or not records_of(tool, opened.node)


def _judge_unreadable(tool: Tool, status: int, decoded: Decoded) -> Verdict:
    text = " ".join(_MARKUP.sub(" ", decoded.text[:20_000]).split()) if decoded.kind == "html" else decoded.text
    rule = match_rule(tool, None, "" if decoded.kind == "broken" else f"{text} {decoded.text}", status)
    text = "" if names_private(tool, text) else text  # it may hold what must not be stored
    if rule is not None and rule.outcome != "ok":
        return Verdict(rule.outcome, rule.reason, _short(text), doubt=rule.ambiguous)
    unsaid = status == 400 and decoded.kind in ("html", "broken")  # a firewall's page or half an answer: no opinion
    if status >= 300 and not unsaid:
        return _by_status(status, text, None)
    reason = {"html": "html_page", "text": "plain_text", "empty": "empty_body"}.get(decoded.kind, decoded.problem)
    return Verdict("environmental", reason, _short(text))


def _by_status(status: int, message: str, code: str | None) -> Verdict:
    text = _short(f"HTTP {status} {message}".rstrip())
    if status < 400:
        return Verdict("environmental", "redirected", text, code)
    named: dict[int, tuple[OutcomeClass, str]] = {
        401: ("environmental", "key_rejected"),
        403: ("environmental", "key_rejected"),
        404: ("structural", "not_found"),
        408: ("environmental", "timeout"),
        410: ("structural", "not_found"),
        429: ("environmental", "rate_limit"),
    }
    server: tuple[OutcomeClass, str] = ("environmental", "server_error")
    outcome, reason = named.get(status, server if status >= 500 else ("structural", "bad_request"))
    return Verdict(outcome, reason, text, code)


def _judge_records(tool: Tool, opened: Opened, decoded: Decoded) -> Verdict:
    records = () if opened.drifted else tuple(records_of(tool, opened.node))
    message = _short(" ".join([opened.message, *decoded.notes]).strip())
    if records and opened.node is not None and _is_nobodys(tool, opened.code, opened.node):
        return Verdict("environmental", "unknown_envelope", "an object without the result code that the platform gives")
    if records:
        return Verdict("ok", "ok", message, opened.code, records, opened.total)
    if opened.drifted or (opened.total or 0) > 0:
        return Verdict("structural", "records_not_found", _short(f"no records where the profile looks {message}"))
    if opened.node is not None or opened.total == 0:
        return _nothing(tool, opened.code, message)
    return _judge_absence(tool, opened, message)


def _is_nobodys(tool: Tool, code: str | None, node: Found) -> bool:
    """Whether a whole body would pass for one record although nothing in it is the platform's: any object would.

    Such a record has the platform's code, or a field that the tool declares, or is a document out of an archive.
    """
    envelope = tool.profile.envelope
    if node.trail or not isinstance(node.value, dict) or code is not None or not envelope.code:
        return False
    declared = {output.path.partition(".")[0].removesuffix("[]").casefold() for output in tool.outputs}
    known = not declared or any(name.casefold() in declared for name in node.value)
    return envelope.archive == "none" and not known


def _nothing(tool: Tool, code: str | None, message: str) -> Verdict:
    doubt = "server_error" if tool.profile.envelope.ambiguous_empty else ""
    return Verdict("empty", "no_data", message, code, total=0, doubt=doubt)


def _judge_absence(tool: Tool, opened: Opened, message: str) -> Verdict:
    """Judge a body in which no records path exists and no total is stated."""
    envelope = tool.profile.envelope
    if opened.code is None and envelope.code:
        return Verdict("environmental", "unknown_envelope", message or "neither a result code nor records")
    if expects_records(envelope):
        return Verdict("structural", "records_not_found", message, opened.code)
    return _nothing(tool, opened.code, message)


def _caused_by_tls(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError) or "[SSL" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= _MESSAGE_LENGTH else folded[: _MESSAGE_LENGTH - 1] + "…"
