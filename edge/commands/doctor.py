"""`edge doctor`: looks at everything a run needs and says what to mend."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from edge.commands.options import Subparsers, add_command, add_endpoint, add_outputs
from edge.errors import EdgeError

if TYPE_CHECKING:
    from edge.settings import Settings
    from edge.specs.model import Profile

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report: what was looked at, how it is, and what to do where it is not well."""

    state: State
    subject: str
    detail: str


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "doctor", "check keys, endpoint, model, disk and Prefect; say what to mend", run)
    add_endpoint(parser)
    add_outputs(parser)


def run(args: argparse.Namespace) -> int:
    """Print one line a finding; 1 when any of them would stop a run."""
    from edge.commands.defaults import load_settings
    from edge.datasets.mirrors import folder_of

    settings = load_settings()
    endpoint = args.endpoint or settings.endpoint
    outputs = args.outputs or folder_of(settings.outputs)
    checks: list[Callable[[], Iterator[Finding]]] = [
        check_python,
        lambda: check_outputs(outputs),
        lambda: check_endpoint(endpoint, args.recordings or settings.recordings or outputs / "recordings"),
        lambda: check_keys(endpoint),
        lambda: check_model(settings),
        check_prefect,
    ]
    findings = [finding for check in checks for finding in check()]
    for finding in findings:
        print(f"{finding.state:<4}  {finding.subject:<9}  {finding.detail}")
    return int(any(finding.state == "fail" for finding in findings))


def check_python() -> Iterator[Finding]:
    """Python's version."""
    good = sys.version_info >= (3, 11)
    text = ".".join(map(str, sys.version_info[:3]))
    yield Finding("ok", "python", text) if good else Finding("fail", "python", f"{text}; 3.11 or newer is needed")


def check_outputs(outputs: Path) -> Iterator[Finding]:
    """Free disk and the right to write, without leaving anything behind."""
    from edge.commands.preflight import MIN_FREE_BYTES, free_bytes

    free = free_bytes(outputs.absolute())
    roomy: State = "ok" if free >= 10 * MIN_FREE_BYTES else "warn" if free >= MIN_FREE_BYTES else "fail"
    yield Finding(roomy, "disk", f"{free / 2**30:.1f} GB free" + ("" if roomy == "ok" else "; make room"))
    place = next(p for p in (outputs.absolute(), *outputs.absolute().parents) if p.exists())
    if place.is_dir() and os.access(place, os.W_OK | os.X_OK):
        yield Finding("ok", "outputs", f"{outputs} can be written")
    else:
        yield Finding("fail", "outputs", f"{outputs} cannot be written; choose another with --outputs")


def check_endpoint(endpoint: str, recordings: Path) -> Iterator[Finding]:
    """Whether what will answer the calls answers now."""
    import asyncio

    from edge.execution.endpoint import Endpoint, endpoint_today
    from edge.execution.takes import takes_at
    from edge.sandbox_process import SandboxProcess

    try:
        if endpoint == "replay":
            takes = takes_at(recordings)
            yield Finding("ok", "endpoint", f"{len(takes)} recorded runs in {recordings}, the newest {takes[-1].name}")
            return
        if endpoint == "sandbox":
            with SandboxProcess() as sandbox:
                today = asyncio.run(endpoint_today(Endpoint.parse(sandbox.url)))
        else:
            hosts = [host for profile in _profiles() for host in profile.hosts]
            today = asyncio.run(endpoint_today(Endpoint.parse(endpoint), hosts=hosts))
        yield Finding("ok", "endpoint", f"{endpoint} answers; its date is {today}")
    except EdgeError as error:
        yield Finding("fail", "endpoint", str(error))


def check_keys(endpoint: str) -> Iterator[Finding]:
    """Which service keys are set, by name; their values are never shown."""
    from edge.execution.keys import Keys

    names = {name for profile in _profiles() for auth in profile.keys for name in auth.variables}
    keys = Keys.from_environment(loopback=False, env_file=Path(".env"))
    have = [name for name in sorted(names) if keys.value(name)]
    lack = [name for name in sorted(names) if name not in have]
    yield Finding("ok", "keys", f"set: {', '.join(have) or 'none'}")
    if lack:
        needed = endpoint == "live"
        advice = "calls to their platforms will fail" if needed else "only live runs need them"
        yield Finding("warn" if needed else "ok", "keys", f"not set: {', '.join(lack)}; {advice}")


def _profiles() -> list[Profile]:
    from edge.specs.compile import BUNDLED_SPECS
    from edge.specs.profiles import PROFILE_FILE, profile_of, read_profile

    return [profile_of(read_profile(path)[0])[0] for path in sorted(BUNDLED_SPECS.glob(f"*/{PROFILE_FILE}"))]


def check_model(settings: Settings) -> Iterator[Finding]:
    """Whether the model that will write can be asked."""
    llm = settings.llm
    if llm.backend == "offline":
        yield Finding("ok", "model", "offline templates; set EDGE_LLM_BACKEND for a model")
        return
    from edge.commands.preflight import check_llm
    from edge.llm.backends import check_model as known_of
    from edge.llm.prices import dollars

    try:
        check_llm(llm.backend, llm.model, llm.base_url is not None)
        price = known_of(llm.backend, llm.model, llm.base_url, None, llm).price
        costs = f"{dollars(price.input)} in, {dollars(price.output)} out a million tokens" if price else "no price"
        where = f" at {llm.base_url}" if llm.base_url else ""
        yield Finding("ok", "model", f"{llm.backend} {llm.model}{where}; {costs}")
    except EdgeError as error:
        yield Finding("fail", "model", str(error))


def check_prefect() -> Iterator[Finding]:
    """Whether Prefect is there and which API it will talk to."""
    if importlib.util.find_spec("prefect") is None:
        yield Finding("fail", "prefect", "not installed; run: pip install -e .")
        return
    url = os.environ.get("PREFECT_API_URL")
    if url is None:
        yield Finding("ok", "prefect", "PREFECT_API_URL is not set: each run starts an API of its own")
        return
    import httpx

    try:
        httpx.get(f"{url.rstrip('/')}/health", timeout=5).raise_for_status()
        yield Finding("ok", "prefect", f"{url} answers")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        reason = type(error).__name__
        yield Finding("fail", "prefect", f"{url} does not answer ({reason}); start it or unset PREFECT_API_URL")
