"""SDK exception -> error of this package: transient, fatal or one prompt's alone, with the wait, without the key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import cast

from edge.errors import EdgeError, ModelAnswerError, ModelUnavailable, RateLimited, UsageError

_LIMITED = frozenset({429, 529})
_TRANSIENT = frozenset({408, 409, 425, 500, 502, 503, 504})
_BAD_REQUEST = frozenset({400, 413, 422})
# How services say that a prompt does not fit: by code, by type or in words alone. No other prompt is to blame.
_TOO_LONG = re.compile(
    r"(?i)context[ _-](?:length|size|window)|(?:prompt|input|request)(?:_| is )too[ _](?:long|large)"
)
_TIMEOUT = "APITimeoutError"  # in both SDKs, which are not loaded here
_NO_CREDIT = "insufficient_quota"  # a 429 that no waiting mends
_KEY = re.compile(r"\b(?:sk|key|Bearer)[-_ ][A-Za-z0-9_\-*.]{6,}")


def translated(error: Exception, key: str, what: str) -> EdgeError:
    """Return the error to raise in place of an SDK's, `from None`: the SDK's holds the request with the key.

    A prompt that does not fit into the model's context cannot be answered (`too_long`); it does not end the run.
    """
    status = getattr(error, "status_code", None)
    text = redacted(str(error) or type(error).__name__, key)
    if type(error).__name__ == _TIMEOUT:
        return out_of_time(what)
    if not isinstance(status, int):
        return ModelUnavailable(f"{what} cannot be reached: {text}")
    if status in _LIMITED and getattr(error, "code", None) != _NO_CREDIT:
        return RateLimited(f"{what} answered {status}: {text}", retry_after=_retry_after(error))
    if status in _TRANSIENT or status > 500:
        return ModelUnavailable(f"{what} answered {status}: {text}", retry_after=_retry_after(error))
    if is_too_long(status, f"{getattr(error, 'code', '')} {text}"):
        return ModelAnswerError("too_long", f"{what} answered {status}: {text}")
    if status in (401, 403):
        return UsageError(f"{what} refused the key ({status}): {text}")
    if status == 404:
        return UsageError(f"{what} does not know this model or address: {text}")
    return UsageError(f"{what} refused the request ({status}): {text}")


def out_of_time(what: str) -> ModelUnavailable:
    """Return the error of an answer that takes too long, whether nothing comes or it comes drop by drop."""
    return ModelUnavailable(f"{what} did not answer in time; EDGE_LLM_TIMEOUT_S says how long to wait")


def is_too_long(status: int, said: str) -> bool:
    """Whether a refusal says that the prompt does not fit into the model's context."""
    return status in _BAD_REQUEST and (status == 413 or bool(_TOO_LONG.search(said)))


def redacted(text: str, key: str) -> str:
    """Return one line without the key, whole or in the shortened forms that services echo."""
    line = " ".join(text.split())
    if key:
        line = line.replace(key, "***")
    return _KEY.sub("***", line)[:400]


def _retry_after(error: Exception) -> float | None:
    found: object = getattr(getattr(error, "response", None), "headers", None)
    if not isinstance(found, Mapping):
        return None
    headers = cast("Mapping[str, object]", found)
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        seconds = _seconds(str(headers.get(name, "")))
        if seconds is not None:
            return max(0.0, seconds * scale)
    return None


def _seconds(text: str) -> float | None:
    """Read a number of seconds, or the date at which they are over."""
    try:
        return float(text)
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(text)
    except ValueError:
        return None
    return (until - datetime.now(UTC)).total_seconds() if until.tzinfo else None
