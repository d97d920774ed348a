"""`edge synthesize`: the whole pipeline from the shell."""

from __future__ import annotations

import argparse

from edge.commands.options import Subparsers, add_command, add_floors, add_held_out, add_model, add_run, positive, rate


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "synthesize", "run the whole pipeline and publish datasets", run)
    parser.add_argument("--target", type=positive, metavar="N", help="trajectories to ship (default: 100)")
    parser.add_argument("--effort", type=positive, metavar="N", help="plans tried for each wanted row (default: 12)")
    parser.add_argument("--language", choices=("ko", "en", "ja"), help="what people write in (default: ko)")
    parser.add_argument("--negatives", type=rate, metavar="R", help="share where nothing can be called (default: 0.15)")
    parser.add_argument("--recovery", type=rate, metavar="R", help="share where a call fails first (default: 0.07)")
    parser.add_argument("--offered", type=positive, metavar="N", help="tools offered with a request (default: 10)")
    add_held_out(parser)
    add_floors(parser, "publish nothing")
    add_model(parser)
    parser.add_argument(
        "--links", metavar="VERSION|latest", help="stored links to go on from (default: explore from nothing)"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the last unfinished run")
    add_run(parser)


def run(args: argparse.Namespace) -> int:
    """Run the flow and print what came of it."""
    from edge.commands.costs import print_costs, print_estimate
    from edge.commands.defaults import load_settings, parameters, prepare_run
    from edge.commands.preflight import check_held_out, check_links, check_llm, check_replay, writable_outputs
    from edge.stages.params import SynthesizeParams
    from edge.stages.recordings import bring_outputs, recordings_of

    settings = load_settings()
    params = parameters(SynthesizeParams, args, settings)
    bring_outputs(params)
    check_llm(params.llm, params.model or "", params.llm_base_url is not None)
    check_replay(params.endpoint, recordings_of(params))
    check_links(params)
    check_held_out(params.against)
    outputs = writable_outputs(params.outputs)
    print_estimate(params, settings.llm, params.target)
    prepare_run(args.verbose).info("starting; finished parts stay if this stops, and --resume goes on")

    from edge.commands.recordings import print_run_drift
    from edge.commands.summary import print_summary
    from flows.synthesize import run_local
    from tasks.local_api import local_api

    with local_api():
        summary = run_local(params)
    print_summary(outputs, summary.version)
    print_costs(outputs, summary.version, settings.llm, summary.counts["trajectories"])
    if params.endpoint not in ("sandbox", "replay"):  # the sandbox's world changes with the code alone
        print_run_drift(outputs, params.endpoint)
    return 0
