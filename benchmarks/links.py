"""Labelled links against explored ones: how many sound links are verified, how many wrong ones are not.

Run: python benchmarks/links.py [--shared ../shared] [--seed 0]
It starts a sandbox of its own, runs the stages compile, propose and explore on the bundled specs into a temporary
folder and compares the links with the labels in `facts/labelled_links.json` of the shared folder.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from edge.embedding import LexicalEmbedder
from edge.links.candidates import propose
from edge.links.model import LearnedLink
from edge.sandbox_process import serving
from edge.specs.model import Tool
from edge.stages.context import Context
from edge.stages.link_exploration import explore_stage
from edge.stages.params import StageRef, SynthesizeParams
from edge.stages.spec_compilation import compile_stage, propose_stage
from edge.stages.start import start_run

ROOT = Path(__file__).resolve().parents[1]
ENDS = ("verified", "pruned", "unproven", "not proposed")


@dataclass(frozen=True)
class Label:
    """One labelled link between two bundled tools; `links` are the explored ones that it speaks of."""

    raw: Mapping[str, object]
    source: Tool
    target: Tool
    links: tuple[LearnedLink, ...]

    @property
    def valid(self) -> bool:
        """Whether the label says that the link is sound."""
        return bool(self.raw["valid"])

    @property
    def in_signatures(self) -> bool:
        """Whether both names of the label exist in the compiled signatures."""
        field = str(self.raw["source_field"])
        return any(same_path(f.path, field) for f in self.source.outputs) and bool(
            self.target.parameter(str(self.raw["target_param"]))
        )

    @property
    def end(self) -> str:
        """The best state among its links; a wrong label is verified only by the value as it is (transform null)."""
        states = {
            x.evidence.status for x in self.links if self.valid or x.evidence.status != "verified" or self._plain(x)
        }
        if not states:
            return "not proposed" if not self.links else "only with a transform"
        best = next(s for s in ("verified", "candidate", "pruned") if s in states)
        return "unproven" if best == "candidate" else best

    def _plain(self, link: LearnedLink) -> bool:
        target = self.raw["target_param"]
        return all(b.transform is None for b in link.link.bindings if b.target_parameter == target)

    def __str__(self) -> str:
        """The label and the states of its links."""
        raw = self.raw
        head = f"{raw['source_op']}.{raw['source_field']} -> {raw['target_op']}.{raw['target_param']}"
        shown = [
            f"{'+'.join(b.target_parameter + (f'[{b.transform}]' if b.transform else '') for b in x.link.bindings)}"
            f" {x.evidence.status} ok={x.evidence.successes} bad={x.evidence.structural_failures}"
            f" empty={x.evidence.empties} env={x.evidence.environmental_failures}"
            for x in self.links
        ]
        return f"{head}   note: {raw['note'] or '-'}\n" + "\n".join(f"      {line}" for line in shown)


def same_path(path: str, field: str) -> bool:
    """Whether an output path is the labelled field: labels name it whole or by its last part."""
    return field in (path, path.rsplit(".", 1)[-1])


def match(
    labels: Sequence[Mapping[str, object]], tools: Mapping[str, Tool], learned: Sequence[LearnedLink]
) -> list[Label]:
    """Return the labels whose two operations are among the tools, each with the links that agree with it."""
    by_key = {t.operation_key: t for t in tools.values()}
    found: list[Label] = []
    for raw in labels:
        source, target = by_key.get(str(raw["source_op"])), by_key.get(str(raw["target_op"]))
        if source is None or target is None:
            continue
        links = tuple(
            x
            for x in learned
            if (x.link.source_tool, x.link.target_tool) == (source.tool_id, target.tool_id)
            and any(
                same_path(b.source_path, str(raw["source_field"])) and b.target_parameter == raw["target_param"]
                for b in x.link.bindings
            )
        )
        found.append(Label(raw, source, target, links))
    return found


async def explore(folder: Path, seed: int, url: str, own: bool) -> tuple[Context, list[tuple[StageRef, float]]]:
    """Run the three stages with default settings; return the run's context and each stage with its seconds."""
    run = await start_run(SynthesizeParams(seed=seed, outputs=folder), url, own_sandbox=own)
    done: list[tuple[StageRef, float]] = []

    def note(ref: StageRef, began: float) -> None:
        done.append((ref, time.perf_counter() - began))

    began = time.perf_counter()
    note(await compile_stage(run), began)
    began = time.perf_counter()
    note(await propose_stage(run), began)
    began = time.perf_counter()
    note(await explore_stage(run), began)
    return Context(run), done


def report(labels: Sequence[Label], total: int, tools: Sequence[Tool]) -> None:
    """Print how the labelled links ended."""
    near = {(p.source, p.target) for p in propose(tools, LexicalEmbedder())}
    print(f"\nlabelled links: {total}, with both operations among the bundled tools: {len(labels)}")
    for valid in (True, False):
        mine = [x for x in labels if x.valid is valid]
        ends = Counter(x.end for x in mine)
        counts = ", ".join(f"{name} {ends.pop(name, 0)}" for name in ENDS)
        rest = "".join(f", {name} {number}" for name, number in sorted(ends.items()))
        print(f"  {'valid' if valid else 'wrong'} {len(mine)}: {counts}{rest}")
    sound = [x for x in labels if x.valid]
    found = sum((x.source.tool_id, x.target.tool_id) in near for x in sound)
    print(f"  retrieval: {found} of {len(sound)} valid labels are among the 25 neighbours of their source")
    proven = sum(x.end == "verified" for x in sound)
    false = sum(x.end == "verified" for x in labels if not x.valid)
    print(f"  recall {proven / max(1, len(sound)):.3f}, precision on labels {proven / max(1, proven + false):.3f}")
    for title, rows in (
        ("valid, not verified", [x for x in sound if x.end != "verified"]),
        ("wrong, verified", [x for x in labels if not x.valid and x.end == "verified"]),
        (
            "wrong, verified only with a transform",
            [x for x in labels if not x.valid and x.end == "only with a transform"],
        ),
    ):
        print(f"\n{title}: {len(rows)}")
        for x in rows:
            away = "" if (x.source.tool_id, x.target.tool_id) in near or x.source is x.target else " (not a neighbour)"
            away += " (same tool)" if x.source is x.target else ""
            away += "" if x.in_signatures else " (a name is in no signature)"
            print(f"  {x.end}{away}: {x}".rstrip())


async def main(shared: Path, seed: int) -> None:
    """Run and print."""
    facts = shared / "facts" / "labelled_links.json"
    with tempfile.TemporaryDirectory(prefix="edge-links-") as folder, serving("sandbox") as (url, own):
        context, stages = await explore(Path(folder), seed, url, own)
        tools, learned = context.tools, context.learned
    states = Counter("unproven" if x.evidence.status == "candidate" else x.evidence.status for x in learned)
    figures = {k: v for ref, _ in stages for k, v in ref.figures.items()}
    print(f"tools {len(tools)}, pairs {figures['pairs']}, links {len(learned)}, calls {figures['calls']}")
    print("states: " + ", ".join(f"{k} {states[k]}" for k in ("verified", "pruned", "unproven")))
    print("seconds: " + ", ".join(f"{ref.stage} {seconds:.1f}" for ref, seconds in stages))
    if not facts.is_file():
        print(f"\nno labels: {facts} does not exist; name the folder that holds facts/ with --shared")
        return
    raw = json.loads(facts.read_text(encoding="utf-8"))
    report(match(raw, tools, learned), len(raw), list(tools.values()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder that holds facts/")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    asyncio.run(main(options.shared, options.seed))
