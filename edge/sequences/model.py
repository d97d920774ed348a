"""The answer key of a request: the calls to make, and how it compares with the plan."""

from __future__ import annotations

from dataclasses import dataclass

from edge.plans.model import CallPlan


@dataclass(frozen=True, slots=True)
class CallSequence:
    """An answer key. `plan` holds the calls to make.

    `agreement` is "read_back" (slots read from the request by the offline writer), "agrees" (a model wrote the same
    calls), "other_valid_path" (it wrote others that reach the same records; `difference` is the first, `calls` are its
    own) or "no_call" (nothing can be called).
    """

    task_id: str
    plan: CallPlan
    agreement: str
    generator: str
    prompt_hash: str
    difference: str = ""
    calls: str = ""
