"""Which plan becomes what: positives, negatives and recovery rows at their quotas (counts so far -> roles)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from edge.plans.model import UserTask

Role = Literal["positive", "recovery", "unrelated", "withheld", "missing"]
ROLES: tuple[Role, ...] = ("positive", "recovery", "unrelated", "withheld", "missing")


@dataclass(frozen=True, slots=True)
class Quotas:
    """Shares of all rows: `negatives` in three equal parts (unrelated tools, withheld tools, a missing value)."""

    negatives: float = 0.15
    recovery: float = 0.07

    def share(self, role: Role) -> float:
        """Return the share of a role."""
        if role == "recovery":
            return self.recovery
        return 1.0 - self.negatives - self.recovery if role == "positive" else self.negatives / 3


def roles_for(count: int, made: Mapping[str, int], quotas: Quotas) -> list[Role]:
    """Return roles for the next `count` plans when `made` rows came of those before: the most under-represented first.

    Equal shortfalls go by the order of ROLES. What is lost on the way is made up for, as `made` counts what was kept.
    """
    counts = {role: made.get(role, 0) for role in ROLES}
    roles: list[Role] = []
    for _ in range(count):
        total = sum(counts.values()) + 1
        role = max(ROLES, key=lambda r: (quotas.share(r) * total - counts[r], -ROLES.index(r)))
        counts[role] += 1
        roles.append(role)
    return roles


def role_of(task: UserTask) -> Role:
    """Return the role that a request plays."""
    if task.gap is not None:
        return task.gap.reason
    return "recovery" if task.kind == "recovery" else "positive"
