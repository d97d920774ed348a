"""The link between two tools: a binding set and what execution has said about it so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from edge.ids import digest
from edge.llm.answers import RestSource

LinkStatus = Literal["candidate", "verified", "pruned"]


@dataclass(frozen=True, slots=True)
class Binding:
    """A field of a source record fills a parameter of the target, through a named transform (None: as it is)."""

    source_path: str
    target_parameter: str
    transform: str | None = None


@dataclass(frozen=True, slots=True)
class Rest:
    """A required parameter that a link leaves open, and where its value comes from.

    `source` is "default", "enum", "clock", "request" (a person says it), "value_pool" or "link" (another one).
    """

    parameter: str
    source: RestSource


@dataclass(frozen=True, slots=True)
class Link:
    """Fields of `source_tool` fill parameters of `target_tool`; all bindings read the *same* source record.

    `feasibility` is the score in [0, 1] given before any call; `reason` says why in a few words; `rest` says from
    where the target's other required parameters come. `link_id` is the identity: the two tools and the binding set.
    """

    source_tool: str
    target_tool: str
    bindings: tuple[Binding, ...]
    feasibility: float
    reason: str = ""
    rest: tuple[Rest, ...] = field(default=(), compare=False)
    link_id: str = field(init=False, compare=False)

    @property
    def pooled(self) -> frozenset[str]:
        """The parameters of `rest` for which values of earlier calls may stand in."""
        return frozenset(r.parameter for r in self.rest if r.source in ("request", "value_pool", "link"))

    def __post_init__(self) -> None:
        names = sorted((b.target_parameter, b.source_path, b.transform or "") for b in self.bindings)
        object.__setattr__(self, "link_id", digest([self.source_tool, self.target_tool, names], 16))


@dataclass(frozen=True, slots=True)
class Proof:
    """The calls of a success: arguments of the source's call that gave the record, and of the target's."""

    source: Mapping[str, str]
    target: Mapping[str, str]

    @classmethod
    def of(cls, plain: object) -> Proof | None:
        """Read a proof from JSON; None where there is none."""
        if not isinstance(plain, Mapping):
            return None
        told = cast("Mapping[str, Mapping[str, str]]", plain)
        return cls(dict(told["source"]), dict(told["target"]))


@dataclass(slots=True)
class Evidence:
    """What execution has said about one link. `alpha` and `beta` are the Beta posterior, prior included.

    `cardinalities` are the sizes of the source outputs seen when the link was tried. Times are ISO 8601 UTC text.
    `proof` is the last success.
    """

    alpha: float
    beta: float
    successes: int = 0
    structural_failures: int = 0
    environmental_failures: int = 0
    empties: int = 0
    cardinalities: list[int] | None = None
    first_executed_at: str | None = None
    last_executed_at: str | None = None
    status: LinkStatus = "candidate"
    proof: Proof | None = None

    @classmethod
    def of(cls, plain: Mapping[str, object]) -> Evidence:
        """Read evidence from what `dataclasses.asdict` made of it."""
        known: dict[str, Any] = {**plain, "proof": Proof.of(plain.get("proof"))}
        return cls(**known)

    @property
    def trials(self) -> int:
        """Trials that say something about the link itself."""
        return self.successes + self.structural_failures + self.empties

    @property
    def mean(self) -> float:
        """Posterior mean of the success probability."""
        return self.alpha / (self.alpha + self.beta)


@dataclass(frozen=True, slots=True)
class LearnedLink:
    """A link together with its evidence: the node that plans walk."""

    link: Link
    evidence: Evidence
