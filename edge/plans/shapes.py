"""What a plan is to look like before it is grounded: its shape, and how large."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Shape = Literal["chain", "compare", "decide", "join"]
SHAPES: tuple[Shape, ...] = ("chain", "compare", "decide", "join")


@dataclass(frozen=True, slots=True)
class Blueprint:
    """What is planned for one plan number.

    chain: links one after the other, with more tools beside them until there are `calls` calls (0: now and then one
    more). compare: the chain is walked for two or three values of what the user states, and the results are compared.
    decide: which of two tools comes next depends on a result, and it grows like a chain. join: two branches feed one
    tool.
    """

    shape: Shape = "chain"
    calls: int = 0


@dataclass(frozen=True, slots=True)
class GroundingSettings:
    """Shape of a plan. `fan_limit` is k of the junction table: up to k records fan out, more are reduced first.

    `branch_share` is how often a second tool is fed by the same record where the blueprint does not say how many calls
    there are to be; `max_depth` is how many calls follow one another at most,
    `asks` how many fields one answer states, `leaves` how many steps are asked at most.
    `several_share` is how often more than k records are reduced to a few instead of one (the top three, those above a
    threshold, those with a word in their name), `computed_share` how often a value is made of all records (sum, mean,
    number of kinds, count under a condition), `nearest_share` how often the nearest is taken where distances can be
    told.
    """

    fan_limit: int = 5
    max_calls: int = 14
    max_depth: int = 5
    branch_share: float = 0.35
    asks: int = 3
    leaves: int = 5
    several_share: float = 0.6
    computed_share: float = 0.25
    nearest_share: float = 0.7
