"""The answer key of a request: the calls to make, and how it compares with the plan."""

from __future__ import annotations

from dataclasses import dataclass

from edge.plans.model import CallPlan


@dataclass(frozen=True, slots=True)
class CallSequence:
    """An answer key. `plan` holds the calls to make.

    `agreement` is "read_back" (slots read from the request by the offline writer), "agrees" (a model wrote the same
    calls) or "other_path: ..." where it wrote others.
    """

    task_id: str
    plan: CallPlan
    agreement: str
    generator: str
    prompt_hash: str
