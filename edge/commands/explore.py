"""`edge explore`: phase A alone, from documents to links proven or disproven by calls."""

from __future__ import annotations

import argparse

from edge.commands.options import Subparsers, add_command, add_run, positive


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "explore", "call candidate links and learn which hold", run)
    parser.add_argument("--iterations", type=positive, metavar="I", help="rounds of sampling and calling")
    parser.add_argument("--paths", type=positive, metavar="P", help="paths called in a round")
    add_run(parser)


def run(args: argparse.Namespace) -> int:
    """Run the flow and print the links."""
    from edge.commands.defaults import load_settings, merged, prepare_run
    from edge.commands.preflight import writable_outputs

    settings = load_settings()
    values = merged(args, settings)
    values |= {k: v for k, v in (("iterations", args.iterations), ("paths", args.paths)) if v is not None}
    prepare_run(args.verbose)
    values["outputs"] = writable_outputs(args.outputs or settings.outputs)

    from edge.commands.summary import print_links
    from flows.explore_links import ExploreParams, run_local

    summary = run_local(ExploreParams.model_validate(values))
    print_links(values["outputs"], summary.version)
    return 0
