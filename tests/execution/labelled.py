"""Bodies with the class that a person gave them, and the bundled tools that they are read as."""

from __future__ import annotations

import csv
import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from edge.execution.decoding import decode_body
from edge.execution.failures import Verdict, judge
from edge.specs.compile import BUNDLED_SPECS, compile_paths
from edge.specs.model import Tool
from edge.specs.profiles import PROFILE_FILE, profile_of, read_profile

HERE = Path(__file__).parent
SAMPLES = HERE.parents[2] / "shared" / "real" / "samples"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A body and what it should be called."""

    name: str
    tool: Tool
    status: int
    body: bytes
    outcome: str
    reason: str

    def verdict(self) -> Verdict:
        """What it is called. Everything is labelled as JSON, as portals do."""
        return judge(self.tool, self.status, decode_body(self.body, "application/json"))

    def fault(self) -> str:
        """What is wrong with the verdict, or ""."""
        found = self.verdict()
        wanted = (self.outcome, self.reason)
        return "" if (found.outcome, found.reason) == wanted else f"{self.name}: {found} instead of {wanted}"


@functools.cache
def bundled() -> tuple[Tool, ...]:
    """All tools of the bundled platform files."""
    return compile_paths([BUNDLED_SPECS]).tools


@functools.cache
def readers() -> dict[str, Tool]:
    """What a body can be read as: an operation, or a platform where its services do not matter."""
    tools = {tool.operation_key: tool for tool in bundled()}
    any_of = {tool.platform: tool for tool in bundled()}
    for path in sorted(BUNDLED_SPECS.glob(f"*/{PROFILE_FILE}")):
        profile, _ = profile_of(read_profile(path)[0])
        tools[profile.platform] = replace(any_of[profile.platform], profile=profile, root="", outputs=())
    return tools


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def codes() -> list[Labelled]:
    """Every result code that the facts name, by platform or service, as a body."""
    return [
        Labelled(
            f"line {number}",
            readers()[row["read_as"]],
            int(row["status"]),
            row["body"].encode(),
            row["outcome"],
            row["reason"],
        )
        for number, row in enumerate(_rows("labelled_codes.tsv"), start=2)
    ]


def samples() -> list[Labelled]:
    """The reference bodies, which lie outside of the repository; [] where they are absent."""
    if not SAMPLES.is_dir():
        return []
    return [
        Labelled(
            row["file"],
            readers()[row["read_as"]],
            200,
            (SAMPLES / row["file"]).read_bytes(),
            row["outcome"],
            row["reason"],
        )
        for row in _rows("labelled_samples.tsv")
    ]
