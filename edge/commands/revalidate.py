"""`edge revalidate`: shipped trajectories are executed again; what no longer holds is refreshed or leaves."""

from __future__ import annotations

import argparse

from edge.commands.options import Subparsers, add_command, add_endpoint, add_model, add_outputs, today


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "revalidate", "re-execute a version and publish what still holds", run)
    parser.add_argument("--version", metavar="V", help="which version (default: the newest with trajectories)")
    parser.add_argument(
        "--no-refresh", dest="refresh", action="store_const", const=False, help="drop what changed, make nothing again"
    )
    parser.add_argument("--today", type=today, metavar="YYYY-MM-DD", help="the date (default: the endpoint's)")
    parser.add_argument("--resume", action="store_true", help="go on with the last unfinished run")
    add_model(parser)
    add_endpoint(parser)
    add_outputs(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="show the log")


def run(args: argparse.Namespace) -> int:
    """Run the flow and print how far each platform has moved."""
    from edge.commands.defaults import load_settings, parameters, prepare_run
    from edge.commands.preflight import check_llm, check_replay, writable_outputs
    from edge.errors import UsageError
    from edge.stages.params import RevalidateParams
    from edge.stages.recordings import recordings_of
    from edge.stages.revalidation import what_to_check

    settings = load_settings()
    params = parameters(RevalidateParams, args, settings)
    if args.endpoint is None:  # what made the rows answers again, not what makes rows by default
        params = params.model_copy(update={"endpoint": ""})
    if not params.outputs.is_dir():
        where = params.outputs
        raise UsageError(f"{where} is not a folder of outputs; run: edge synthesize --outputs {where}")
    check, endpoint = what_to_check(params)
    check_llm(params.llm, params.model or "", params.llm_base_url is not None)
    check_replay(endpoint, recordings_of(params))
    outputs = writable_outputs(params.outputs)
    prepare_run(args.verbose).info("%d trajectories of %s are executed again", check.rows, check.version)

    from edge.commands.summary import columns
    from edge.stages.staleness import found_in, staleness
    from flows.revalidate import run_local
    from tasks.local_api import local_api

    with local_api():
        summary = run_local(params.model_copy(update={"version": check.version}))
    print(f"checked       {check.version}, at {endpoint}")
    print(f"version       {summary.version}")
    for verdict, number in found_in(outputs, summary.version).items():
        print(f"  {number:>6}  {verdict}")
    for line in columns(staleness(outputs, summary.version)):
        print(f"  {line}")
    new = summary.counts.get("trajectories")
    print("trajectories  " + (f"{new}, in the new version" if new is not None else "all as they were: no new version"))
    print(f"catalog       {outputs / 'edge.duckdb'}")
    return 0
