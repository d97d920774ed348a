"""A verdict that has two meanings -> whether to ask again, and what to ask beside it: the second look of the gateway.

A refusal that passes now and then is asked once more and stands when it is repeated. A failure that may be a refusal is
told from an outage by a control: another call to the platform, known to be sound. Guessing would kill sound links.
A refusal for the day that may be one for the second is the latter while attempts are left.
"""

from __future__ import annotations

from dataclasses import replace

from edge.execution.failures import Verdict
from edge.specs.model import Tool

_RATE = "rate_limit"


def worth_repeating(verdict: Verdict, before: Verdict | None) -> bool:
    """Whether the same request should be sent again: it can pass, or it is doubtful and was not repeated yet."""
    if verdict.outcome == "environmental":
        return verdict.passes or verdict.doubt == _RATE
    repeated = before is not None and (before.outcome, before.reason) == (verdict.outcome, verdict.reason)
    return bool(verdict.doubt) and not repeated


def control_of(tool: Tool, verdict: Verdict) -> Tool | None:
    """Return the call that decides about a doubtful failure of `tool`, or None where there is no doubt or no control.

    It is the profile's control URL in the platform's own envelope, with the platform's key, without parameters, and
    without a control of its own.
    """
    url = tool.profile.control
    if not url or verdict.doubt in ("", _RATE) or verdict.outcome != "environmental":
        return None
    profile = replace(tool.profile, control="")
    name = f"{tool.platform}.control"
    return replace(tool, tool_id=name, url=url, profile=profile, method="GET", root="", parameters=(), outputs=())


def settled(verdict: Verdict, control: Verdict) -> Verdict:
    """Return what a doubtful failure was, seen that the control ended in `control`."""
    if control.outcome == "environmental":
        return verdict
    message = f"{verdict.message} (another call to the platform is answered)".strip()
    return Verdict("structural", verdict.doubt, message, verdict.code)
