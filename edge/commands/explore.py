"""`edge explore`: phase A alone, from documents to links proven or disproven by calls."""

from __future__ import annotations

import argparse

from edge.commands.options import Subparsers, add_command, add_model, add_run, positive


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "explore", "call candidate links and learn which hold", run)
    parser.add_argument("--iterations", type=positive, metavar="I", help="rounds of sampling and calling")
    parser.add_argument("--paths", type=positive, metavar="P", help="paths called in a round")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--links", metavar="VERSION|latest", help="stored links to go on from (default: latest)")
    where.add_argument("--fresh", dest="links", action="store_const", const="none", help="start over")
    parser.add_argument("--resume", action="store_true", help="go on with the last unfinished run")
    add_model(parser)
    add_run(parser)


def run(args: argparse.Namespace) -> int:
    """Run the flow and print the links."""
    from edge.commands.costs import print_costs, print_estimate
    from edge.commands.defaults import load_settings, parameters, prepare_run
    from edge.commands.preflight import check_links, check_llm, check_replay, writable_outputs
    from edge.stages.params import ExploreParams
    from edge.stages.recordings import bring_outputs, recordings_of

    settings = load_settings()
    params = parameters(ExploreParams, args, settings)
    bring_outputs(params)
    check_llm(params.llm, params.model or "", params.llm_base_url is not None)
    check_replay(params.endpoint, recordings_of(params))
    check_links(params)
    outputs = writable_outputs(params.outputs)
    print_estimate(params, settings.llm)
    prepare_run(args.verbose).info("starting; finished parts stay if this stops, and --resume goes on")

    from edge.commands.summary import print_links
    from flows.explore_links import run_local
    from tasks.local_api import local_api

    with local_api():
        summary = run_local(params)
    print_links(outputs, summary.version)
    print_costs(outputs, summary.version, settings.llm)
    return 0
