"""Whether trajectories are what they must be: every figure that rows can tell, with its target.

Run: python benchmarks/trajectories.py [OUTPUTS] [--target 100] [--seed 0] [--show 30] [--no-verify]

Without OUTPUTS a run is made in a temporary folder: `edge synthesize` with its defaults. Targets of coverage (links,
tools) are for 2,000 rows. Arguments and facts are looked up in what the chat shows to the model, not in what the run
kept; `verify` executes every row again, against a sandbox and from the recording. `--show` prints random rows.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from trajectory_figures import (
    Figure,
    Row,
    Shipped,
    kind_figures,
    proof_figures,
    shape_figures,
    share,
    spread_figures,
    yield_figures,
)

from edge.commands.verify import newest, reexecute, rehash
from edge.datasets.store import Store

WIDEST = 160  # characters of a value in a shown row


def figures(store: Store, version: str, *, negatives: float, recovery: float) -> Iterator[tuple[str, list[Figure]]]:
    """Give the figures of a version, part by part."""
    rows = shipped(store, version)
    yield "rows", [Figure("rows", str(len(rows)))]
    yield "kinds", kind_figures(rows, negatives, recovery)
    yield "shape", shape_figures(rows)
    yield "proof", proof_figures(rows)
    yield "spread", spread_figures(rows, store.rows("links", version), store.rows("tool_shapes", version))
    yield "yield", yield_figures(store.rows("stage_ledger", version), store.rows("rejects", version))


def shipped(store: Store, version: str) -> list[Shipped]:
    """Return the trajectories of a version."""
    return [Shipped(row) for row in store.rows("trajectories", version)]


def verified(store: Store, version: str) -> list[Figure]:
    """Hash the files and execute every row again, live and from the recording."""
    problems, files = rehash(store, version)
    found = [share("files as their manifests say", files - len(problems), files, 1.0)]
    for endpoint in ("sandbox", "replay"):
        repeated, differences = reexecute(store, version, endpoint)
        lost = len({line.partition(":")[0] for line in differences})
        found.append(share(f"rows that re-execute ({endpoint})", repeated - lost, repeated, 1.0))
        found += [Figure("  difference", line[:WIDEST]) for line in differences[:5]]
    return found


def show(rows: Sequence[Shipped], count: int, seed: int) -> None:
    """Print random rows: who asks what, which calls are made, what is answered."""
    for number, r in enumerate(random.Random(seed).sample(list(rows), min(count, len(rows))), 1):
        row = r.row
        print(f"\n{number}. {row['trajectory_id']} {row['kind']}, {'+'.join(row['junctions']) or 'no calls'}")
        print(f"   asks    {row['query']}")
        failed = {f["call"]: f for f in r.recipe.get("failures", ())}
        for call in r.calls:
            if call["id"] in failed:
                wrong = failed[call["id"]]
                why = wrong["fault"] or json.dumps(wrong["arguments"], ensure_ascii=False)
                print(f"   fails   {wrong['id']} {wrong['tool']} {why}: {wrong['outcome']} {wrong['reason']}")
            print(f"   calls   {call['id']} (turn {call['turn']}) {said(call)}")
        if not r.calls:
            print(f"   offered {', '.join(t['function']['name'] for t in r.tools)}")
        print("   answers " + str(row["answer"]).replace("\n", "\n           "))


def said(call: Row) -> str:
    """Return a call in a line: its tool, and where arguments come from."""
    origin = {ref["parameter"]: f" <- {ref['call']}.{ref['path']}" for ref in call["references"]}
    given = [f"{n}={json.dumps(v, ensure_ascii=False)}{origin.get(n, '')}" for n, v in call["arguments"].items()]
    return f"{call['tool']}({', '.join(given)})"


def make(folder: Path, target: int, seed: int) -> None:
    """Make a run with the defaults."""
    from edge.commands.defaults import prepare_run
    from edge.stages.params import SynthesizeParams

    prepare_run(verbose=False)
    from flows.synthesize import run_local
    from tasks.local_api import local_api

    with local_api():
        run_local(SynthesizeParams.model_validate({"outputs": folder, "target": target, "seed": seed}))


def main(options: argparse.Namespace) -> None:
    """Print figures and rows of an outputs folder."""
    with tempfile.TemporaryDirectory(prefix="edge-trajectories-") as folder:
        outputs = options.outputs or Path(folder)
        if options.outputs is None:
            make(outputs, options.target, options.seed)
        store = Store(outputs)
        version = options.version or newest(store)
        print(f"{outputs} {version}")
        kept: list[Figure] = []
        quotas = {"negatives": options.negatives, "recovery": options.recovery}
        parts = [*figures(store, version, **quotas)]
        if options.verify:
            parts.append(("verify", verified(store, version)))
        for part, listed in parts:
            print(f"\n{part}", *listed, sep="\n  ", flush=True)
            kept += listed
        print(f"\n{sum(x.reached is True for x in kept)} reached, {sum(x.reached is False for x in kept)} missed")
        show(shipped(store, version), options.show, options.seed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("outputs", type=Path, nargs="?", help="an outputs folder (default: a new run)")
    parser.add_argument("--version", help="which version (default: the newest)")
    parser.add_argument("--target", type=int, default=100, help="trajectories of the new run")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N random rows")
    parser.add_argument("--negatives", type=float, default=0.15, help="the quota of negatives")
    parser.add_argument("--recovery", type=float, default=0.07, help="the quota of recovery rows")
    parser.add_argument("--no-verify", dest="verify", action="store_false", help="do not execute the rows again")
    main(parser.parse_args())
