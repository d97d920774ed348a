"""A seeded coin and the platform's own fault bodies in; what goes wrong with this one request out."""

import random
from dataclasses import dataclass
from typing import Literal, get_args

from edge.sandbox.engine import Engine
from edge.sandbox.model import Request, Response

FaultKind = Literal["429", "503", "quota", "rate", "closed", "delay"]
FAULT_KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
DELAY_S = 0.4

_THROTTLED = Response(429, "text/plain;charset=UTF-8", b"API rate limit exceeded", (("retry-after", "1"),))
_MAINTENANCE = Response(
    503,
    "text/html; charset=utf-8",
    "<!DOCTYPE html><html><head><title>서비스 점검</title></head><body><h1>503 Service Unavailable</h1>"
    "<p>시스템 점검 중입니다.</p></body></html>".encode(),
)


@dataclass(slots=True)
class FaultPlan:
    """Which request fails is decided by the seed and the count of requests, so that a run can be repeated."""

    seed: int
    rate: float
    count: int = 0

    def next_kind(self, forced: str) -> FaultKind | None:
        """The fault of this request: the forced one where it is known, else by the coin."""
        for kind in FAULT_KINDS:
            if kind == forced:
                return kind
        if self.rate <= 0:
            return None
        self.count += 1
        rng = random.Random(f"{self.seed}:fault:{self.count}")
        return rng.choice(FAULT_KINDS) if rng.random() < self.rate else None


def fault_response(engine: Engine, request: Request, kind: FaultKind) -> Response | None:
    """The body of a fault; None where the answer is the normal one (a delay) or none at all (closed)."""
    match kind:
        case "429":
            return _THROTTLED
        case "503":
            return _MAINTENANCE
        case "quota" | "rate":
            return engine.fault(request, kind)
        case "closed" | "delay":
            return None
