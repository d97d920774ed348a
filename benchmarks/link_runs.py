"""What the parts of the benchmark of links share: compiled tools, judged links, an exploration (sandbox -> links)."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from edge.calls import Arguments, Caller, Outcome, call_key
from edge.execution.endpoint import Endpoint
from edge.execution.gateway import GatewayClient
from edge.execution.keys import Keys
from edge.execution.memo import MemoCaller
from edge.links.exploration import ExplorationSettings, Explorer
from edge.links.fillers import Filler
from edge.links.model import LearnedLink, Link
from edge.links.rows import link_of
from edge.settings import ExecutionSettings, Settings
from edge.specs.model import Tool
from edge.stages.context import Context
from edge.stages.params import SynthesizeParams
from edge.stages.spec_compilation import compile_stage, propose_stage
from edge.stages.start import start_run


@dataclass(frozen=True)
class Prepared:
    """A run before its first call: `links` are the feasible ones among `pairs` candidate pairs."""

    context: Context
    tools: dict[str, Tool]
    links: tuple[Link, ...]
    pairs: int
    seconds: float

    @property
    def settings(self) -> ExplorationSettings:
        """The settings that the run would be explored with."""
        return self.context.exploring


@dataclass(frozen=True)
class Explored:
    """What an exploration left: links with evidence, calls, seconds, (calls, verified) after each round.

    `asked` are the keys of all calls made, `filler` holds the values seen, `unserved` are tools that the sandbox lacks.
    """

    learned: tuple[LearnedLink, ...]
    calls: int
    seconds: float
    curve: tuple[tuple[int, int], ...]
    asked: frozenset[str]
    filler: Filler
    unserved: frozenset[str]

    def of(self, status: str) -> list[LearnedLink]:
        """Return the links of a status."""
        return [x for x in self.learned if x.evidence.status == status]

    def __str__(self) -> str:
        """The links by status."""
        return ", ".join(f"{len(self.of(status))} {status}" for status in ("verified", "pruned", "candidate"))

    @property
    def environmental(self) -> int:
        """Trials that an outage took, or that could not be filled."""
        return sum(x.evidence.environmental_failures for x in self.learned)

    @property
    def calls_each(self) -> float:
        """Calls spent for each verified link."""
        return self.calls / max(1, len(self.of("verified")))


async def prepare(url: str, **params: object) -> Prepared:
    """Compile the specs and judge candidates; `params` are parameters of a run that are not the default."""
    run = await start_run(SynthesizeParams.model_validate(params), url, own_sandbox=True)
    began = time.perf_counter()
    await compile_stage(run)
    proposed = await propose_stage(run)
    context = Context(run)
    links = tuple(link_of(row).link for row in context.rows("propose", "links"))
    return Prepared(context, context.tools, links, proposed.figures["pairs"], time.perf_counter() - began)


class Asked:
    """A caller that keeps the keys of the calls that pass through it, and how many there were."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.keys: set[str] = set()
        self.calls = 0

    async def call(self, tool: Tool, arguments: Arguments, *, all_pages: bool = False) -> Outcome:
        """Pass the call on."""
        self.calls += 1
        self.keys.add(call_key(tool.tool_id, arguments, all_pages))
        return await self._caller.call(tool, arguments, all_pages=all_pages)


def client_of(url: str, settings: ExecutionSettings | None = None) -> GatewayClient:
    """Return a client of the sandbox at an address."""
    chosen = settings or Settings.model_validate({}).execution
    return GatewayClient(Endpoint.parse(url), Keys.demo(), settings=chosen)


async def explore(
    ready: Prepared,
    url: str,
    *,
    settings: ExplorationSettings | None = None,
    execution: ExecutionSettings | None = None,
) -> Explored:
    """Explore as the stage does, until nothing more is to learn or the budget is spent; `settings` None: the run's."""
    chosen = settings or ready.settings
    run, filler = ready.context.run, ready.context.filler(explored=False)
    explorer = Explorer(ready.tools.values(), ready.links, filler, chosen, seed=run.params.seed, as_of=run.as_of)
    curve: list[tuple[int, int]] = []
    began = time.perf_counter()
    async with client_of(url, execution) as client:
        asked = Asked(client)
        caller = MemoCaller(asked)
        await explorer.enter(caller)
        for _ in range(chosen.rounds):
            report = await explorer.round(caller)
            curve.append((asked.calls, report.verified))
            if report.done or asked.calls >= chosen.max_calls:
                break
    return Explored(
        learned=tuple(explorer.learned()),
        calls=asked.calls,
        seconds=time.perf_counter() - began,
        curve=tuple(curve),
        asked=frozenset(asked.keys),
        filler=filler,
        unserved=frozenset(explorer.state().unserved),
    )


def calls_until(curve: Sequence[tuple[int, int]], verified: int) -> int | None:
    """Return the calls after the first round that had this many verified links; None where none had."""
    return next((calls for calls, number in curve if number >= verified), None)


def peak_mib() -> float:
    """Return the highest resident memory of this process so far, in MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
