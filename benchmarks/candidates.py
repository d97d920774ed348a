"""Seconds and peak memory of candidate retrieval: the bundled tools, 2,318 tools (the paper's number) and 20,000.

Run: python benchmarks/candidates.py [--tools 664 2318 20000] [--share 0.5]
More tools than are bundled are made up: copies of bundled signatures under other services, in which a share of the
names and labels got a syllable more, so that as many texts are new as with so many real documents. Each number runs
in a process of its own; its peak is what the process held at most, with what it held before retrieval beside it.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace

from edge.embedding import LexicalEmbedder
from edge.links.candidates import propose
from edge.specs.compile import BUNDLED_SPECS, compile_paths
from edge.specs.model import OutputField, Parameter, Tool

SYLLABLES = [chr(code) for code in range(ord("가"), ord("힣") + 1, 97)]
LETTERS = "bcdfghjklmnpqrstvwxz"


def made_up(tools: Sequence[Tool], number: int, share: float) -> list[Tool]:
    """Return the tools, then copies of them under other services until there are `number`; the same every time."""
    found = list(tools[:number])
    while len(found) < number:
        copy, original = divmod(len(found), len(tools))
        found.append(copied(tools[original], copy, share))
    return found


def copied(tool: Tool, copy: int, share: float) -> Tool:
    """Return a tool of another service; every `share` of its fields and parameters is called a bit differently."""
    rng = random.Random(f"{tool.service}:{copy}")  # one service, one manner of naming
    changed: dict[str, tuple[str, str]] = {}

    def called(name: str, label: str) -> tuple[str, str]:
        if name not in changed:
            extra = (rng.choice(LETTERS) + rng.choice("aeiou") + rng.choice(LETTERS), rng.choice(SYLLABLES))
            changed[name] = extra if rng.random() < share else ("", "")
        suffix, syllable = changed[name]
        return (f"{name}_{suffix}" if suffix else name), label + syllable

    def field(f: OutputField) -> OutputField:
        name, label = called(f.path, f.label)
        return replace(f, path=name, label=label)

    def parameter(p: Parameter) -> Parameter:
        name, label = called(p.name, p.label)
        return replace(p, name=name, label=label)

    return replace(
        tool,
        tool_id=f"{tool.tool_id}_{copy}",
        service=f"{tool.service}_{copy}",
        outputs=tuple(map(field, tool.outputs)),
        parameters=tuple(map(parameter, tool.parameters)),
        name_field=None if tool.name_field is None else called(tool.name_field, "")[0],
    )


def peak_mb() -> float:
    """What this process held at most until now, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(number: int, share: float) -> None:
    """Retrieve candidates for `number` tools and print what that took."""
    bundled = compile_paths([BUNDLED_SPECS], BUNDLED_SPECS).tools
    tools = made_up(bundled, number, share)
    fields = [(f.label, f.path) for t in tools for f in t.outputs]
    parameters = [(p.label, p.name) for t in tools for p in t.offered]
    before, began = peak_mb(), time.perf_counter()
    pairs = propose(tools, LexicalEmbedder())
    seconds = time.perf_counter() - began
    made = f" ({len(tools) - len(bundled)} made up)" if len(tools) > len(bundled) else ""
    print(
        f"{len(tools):,} tools{made}: {len(fields):,} fields ({len(set(fields)):,} different), {len(parameters):,} "
        f"parameters ({len(set(parameters)):,} different) -> {len(pairs):,} pairs in {seconds:.1f} s, "
        f"peak {peak_mb():,.0f} MB (before: {before:,.0f} MB)",
        flush=True,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=int, nargs="+", default=[664, 2318, 20_000])
    parser.add_argument("--share", type=float, default=0.5, help="share of names that are new in a copy")
    options = parser.parse_args()
    if len(options.tools) == 1:
        measure(options.tools[0], options.share)
    else:
        for number in options.tools:
            command = [sys.executable, __file__, "--tools", str(number), "--share", str(options.share)]
            subprocess.run(command, check=True)
