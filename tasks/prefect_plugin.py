"""`prefect deployment run synthesize` -> `prefect deployment run synthesize/synthesize`.

Every deployment here is named like its flow, and Prefect's client wants both names. Prefect runs this hook when it is
imported, before its command line reads the arguments. That the hook may rewrite them is our reading of it, not
documented: tests/test_repository.py guards it, and the stock form always works.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from prefect.plugins import register_hook

if TYPE_CHECKING:
    from prefect.plugins import HookContext

_COMMANDS = (["deployment", "run"], ["deployments", "run"])
_VALUED = (
    *("--flow-run-name", "--id", "--job-variable", "--param", "-p", "--params", "--start-at", "--start-in", "--tag"),
    *("--watch-interval", "--watch-timeout"),
)


def complete(arguments: list[str]) -> list[str]:
    """Return the command line of `prefect` with a bare deployment name doubled; any other line as it is."""
    if not Path(arguments[0] if arguments else "").name.startswith("prefect") or arguments[1:3] not in _COMMANDS:
        return arguments
    skip = False
    for position, text in enumerate(arguments[3:], start=3):
        if not skip and not text.startswith("-"):
            name = text if "/" in text else f"{text}/{text}"
            return [*arguments[:position], name, *arguments[position + 1 :]]
        skip = not skip and text in _VALUED
    return arguments


@register_hook
def setup_environment(*, ctx: HookContext) -> None:
    """Called by Prefect at start-up."""
    sys.argv[:] = complete(sys.argv)
