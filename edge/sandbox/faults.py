"""A fault and the answer it spoils in, the spoilt answer out: every way in which real platforms fail, by name."""

import codecs
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Literal, get_args

from edge.sandbox.model import OutcomeKind, Response
from edge.sandbox.rendering import recoded

FaultKind = Literal[
    "latency", "throttled", "server_error", "html", "redirect", "reset", "truncated", "drip", "malformed",
    "content_type", "euc_kr", "bom", "quota", "rate", "key_invalid", "retired",
]  # fmt: skip
FAULT_KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
# What a client can get over by itself; the coin takes these where no kinds are named.
PASSING_KINDS: tuple[FaultKind, ...] = (
    "latency", "throttled", "server_error", "html", "reset", "truncated", "malformed", "rate",
)  # fmt: skip

# Refusals that the platform of the call words itself, with a status of its own where the fault gives one.
_REFUSALS: Mapping[FaultKind, OutcomeKind] = {
    "quota": "quota",
    "rate": "rate",
    "key_invalid": "key_invalid",
    "retired": "unknown_operation",
}
_MAX_MS = 60_000
_MAINTENANCE = (
    "<!DOCTYPE html><html><head><title>서비스 점검</title></head><body><h1>시스템 점검 안내</h1>"
    "<p>보다 나은 서비스를 위해 시스템 점검 중입니다. 점검 시간 동안 서비스 이용이 제한됩니다.</p></body></html>"
).encode()
_PLAIN = "text/plain;charset=UTF-8"
_BACKEND_DOWN = b"Error forwarding request to backend server"


def _count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= _MAX_MS


def _status(text: str) -> bool:
    # Others than these come without a body.
    return text == "200" or text in {str(status.value) for status in HTTPStatus if status >= 400}


def _server_status(text: str) -> bool:
    return _status(text) and text.startswith("5")


def _redirect_status(text: str) -> bool:
    return text in ("301", "302", "303", "307", "308")


def _media_type(text: str) -> bool:
    return text.isascii() and text.isprintable() and 0 < len(text) <= 100 and "/" in text


# Each kind's own value where none is given, what it has to be, and how that is said.
_Check = tuple[str, Callable[[str], bool], str]
_DELAYED: Mapping[FaultKind, str] = {"latency": "400", "drip": "2000"}
_VALUES: Mapping[FaultKind, _Check] = {
    **{kind: (default, _count, f"milliseconds up to {_MAX_MS}") for kind, default in _DELAYED.items()},
    "throttled": ("1", _count, f"seconds to wait, up to {_MAX_MS}"),
    "server_error": ("503", _server_status, "a status like 502"),
    "html": ("200", _status, "200 or an HTTP error status"),
    "redirect": ("302", _redirect_status, "one of 301, 302, 303, 307, 308"),
    "content_type": ("text/html; charset=utf-8", _media_type, "a media type like text/plain"),
    **dict.fromkeys(_REFUSALS, ("200", _status, "200 or an HTTP error status")),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault; `value` is checked, and never empty where the kind takes one."""

    kind: FaultKind
    value: str = ""

    @property
    def seconds(self) -> float:
        """The value of a kind that is measured in milliseconds."""
        return int(self.value) / 1000

    def __str__(self) -> str:
        return f"{self.kind}={self.value}" if self.value else self.kind


def read_fault(text: str) -> Fault:
    """`kind` or `kind=value`. Raises ValueError with one line that says what to write instead."""
    name, _, value = (part.strip() for part in text.partition("="))
    if name not in FAULT_KINDS:
        raise ValueError(f"unknown fault {name!r}; use one of {', '.join(FAULT_KINDS)}")
    kind: FaultKind = name
    if kind not in _VALUES:
        if value:
            raise ValueError(f"{kind} takes no value, not {value!r}")
        return Fault(kind)
    default, fits, wanted = _VALUES[kind]
    if value and not fits(value):
        raise ValueError(f"{kind} takes {wanted}, not {value!r}")
    return Fault(kind, value or default)


def instead(fault: Fault, refuse: Callable[[OutcomeKind], Response]) -> Response | None:
    """The answer that takes the place of the real one; None where the real one is only spoilt or delayed."""
    match fault.kind:
        case "throttled":
            return Response(429, _PLAIN, b"API rate limit exceeded", (("retry-after", fault.value),))
        case "server_error" if fault.value == "503":
            return Response(503, "text/html; charset=utf-8", _MAINTENANCE)
        case "server_error":
            return Response(int(fault.value), _PLAIN, _BACKEND_DOWN)
        case "html":
            return Response(int(fault.value), "text/html; charset=utf-8", _MAINTENANCE)
        case "redirect":
            return Response(int(fault.value), "text/html", b"", (("location", "/error.html"),))
        case "quota" | "rate" | "key_invalid" | "retired":
            response = refuse(_REFUSALS[fault.kind])
            return response if fault.value == "200" else replace(response, status=int(fault.value))
        case _:
            return None


def spoilt(fault: Fault, response: Response) -> Response:
    """The real answer with its body or label damaged; unchanged where only its delivery is."""
    match fault.kind:
        case "malformed":
            # Cut, but with the length of what is sent: only a parser notices.
            return replace(response, body=response.body[: len(response.body) * 3 // 5])
        case "content_type":
            return replace(response, content_type=fault.value)
        case "bom":
            return replace(response, body=codecs.BOM_UTF8 + response.body)
        case "euc_kr" if _is_text(response) and "euc-kr" not in response.content_type.lower():
            return recoded(response, "EUC-KR")
        case _:
            return response


def _is_text(response: Response) -> bool:
    return any(word in response.content_type for word in ("json", "xml", "html"))
