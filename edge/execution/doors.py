"""Request -> sent now, later or not at all: the limits of its host, its platform and its key, in one place."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial

from edge.execution.breaker import Breaker
from edge.execution.budgets import QuotaBoard, account_of
from edge.execution.failures import Verdict
from edge.execution.limits import HostGate, Pace, asked_wait_s
from edge.execution.request import WireRequest
from edge.execution.transport import Exchange, Transport
from edge.settings import ExecutionSettings
from edge.specs.model import Profile

_DEAD = frozenset({"timeout", "connect", "reset", "protocol", "tls"})  # nobody answered
_OVERWHELMED = frozenset({"rate_limit", "timeout", "connect"})  # what a host says when too many call at once


@dataclass(frozen=True, slots=True)
class Held:
    """A request that was not sent, and why."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Door:
    """What the requests to one host for one account pass through; `budget` are the calls it may make in a day."""

    profile: Profile
    gate: HostGate
    breaker: Breaker
    board: QuotaBoard
    account: str
    budget: int | None
    longest_s: float

    async def send(self, request: WireRequest, profile: Profile, transport: Transport) -> Exchange | Verdict | Held:
        """Send the request when its turn comes, if it may be sent then; `profile` is that of its operation."""
        async with self.gate.slot():
            held = self._parked()
            if held is not None:
                return held
            ticket = self.breaker.take()
            if ticket is None:
                message = f"{self.profile.title} has failed many times in a row and is left alone for a while"
                return Held(Verdict("environmental", "circuit_open", message))
            failed, operation = None, None
            try:
                held = self._spent()
                if held is not None:
                    return held
                sent = await transport.send(request, profile)
                if isinstance(sent, Verdict):
                    failed = sent.reason in _DEAD
                else:
                    failed, operation = sent.status >= 500, request.url.partition("?")[0]
                return sent
            finally:
                self.breaker.give(ticket, failed, operation)

    def learn(self, verdict: Verdict, latency_ms: float, *, stands: bool) -> None:
        """Take note of how a request was answered; a refusal for the day closes the door until the day ends.

        Where the platform says the same when it is asked too fast, only one that `stands` to the last attempt does.
        """
        if verdict.outcome != "environmental":
            self.gate.width.well(latency_ms / 1000.0)
        elif verdict.reason in _OVERWHELMED or (verdict.doubt in _OVERWHELMED and not stands):
            self.gate.width.refused()
        elif verdict.reason == "quota":
            self.board.park(self.account, self.profile.quota.resets)

    def pause_s(self, backoff_s: float, verdict: Verdict, sent: Exchange | Verdict) -> float:
        """Return the wait before the next attempt; being told to slow down slows every caller of the host."""
        asked_s = asked_wait_s(sent.retry_after, sent.date) if isinstance(sent, Exchange) else 0.0
        wait_s = max(backoff_s, min(asked_s, self.longest_s))
        if "rate_limit" in (verdict.reason, verdict.doubt) or asked_s:
            self.gate.pace.pause(wait_s)
        return wait_s

    def _parked(self) -> Held | None:
        until = self.board.parked(self.account)
        if until is None:
            return None
        message = f"{self.profile.title} takes no more calls of this key today; it opens at {until:%H:%M} KST"
        return Held(Verdict("environmental", "quota_parked", message))

    def _spent(self) -> Held | None:
        resets = self.profile.quota.resets
        if self.budget is None or self.board.spend(self.account, self.budget, resets):
            return None
        self.board.park(self.account, resets)
        return self._parked()


class Doors:
    """The doors of a run, made when they are first needed."""

    def __init__(self, settings: ExecutionSettings, board: QuotaBoard, *, polite: bool) -> None:
        """Keep to what profiles say where `polite`: a replica on this machine needs no sparing, only what it refuses.

        Budgets of the settings hold everywhere.
        """
        self._settings = settings
        self._board = board
        self._polite = polite
        self._gates: dict[str, HostGate] = {}
        self._breakers: dict[tuple[str, str], Breaker] = {}
        self._doors: dict[tuple[str, str], Door] = {}

    def door(self, profile: Profile, service: str, host: str, key: str) -> Door:
        """Return the door for requests to `host` with `key` on behalf of a service."""
        account = account_of(profile, service, key)
        door = self._doors.get((host, account))
        if door is None:
            breaker = self._breakers.setdefault((host, account_of(profile, service, "")), self._breaker())
            gate, budget = self._gate(host, profile), self._budget(profile, service)
            door = Door(profile, gate, breaker, self._board, account, budget, self._settings.retry_after_cap_s)
            self._doors[host, account] = door
        return door

    def _breaker(self) -> Breaker:
        return Breaker(self._settings.breaker_failures, self._settings.breaker_pause_s)

    def _gate(self, host: str, profile: Profile) -> HostGate:
        gate = self._gates.get(host)
        if gate is None:
            spacing_s = 1.0 / profile.per_second if self._polite and profile.per_second else 0.0
            reserve = partial(self._board.start, host)
            pace = Pace(spacing_s, reserve=reserve, clock=time.time)  # other processes keep to it as well
            gate = HostGate(min(profile.concurrency, self._settings.concurrency), pace)
            self._gates[host] = gate
        return gate

    def _budget(self, profile: Profile, service: str) -> int | None:
        said = self._settings.per_day
        own = said.get(f"{profile.platform}/{service}", said.get(profile.platform))
        return own if own is not None else profile.quota.per_day if self._polite else None
