"""`edge synthesize`: the whole pipeline from the shell."""

from __future__ import annotations

import argparse

from edge.commands.options import Subparsers, add_command, add_run, amount, base_url, positive


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "synthesize", "run the whole pipeline and publish datasets", run)
    parser.add_argument("--target", type=positive, metavar="N", help="trajectories to ship (default: 100)")
    parser.add_argument("--llm", choices=("offline", "openai", "anthropic"), help="who writes (default: offline)")
    parser.add_argument("--model", metavar="M", help="the model, as its service spells it")
    parser.add_argument("--llm-base-url", type=base_url, metavar="U", help="an OpenAI-compatible service")
    parser.add_argument("--budget-usd", type=amount, metavar="X", help="stop asking models at this cost")
    parser.add_argument("--resume", action="store_true", help="go on with the last unfinished run")
    add_run(parser)


def run(args: argparse.Namespace) -> int:
    """Run the flow and print what came of it."""
    from edge.commands.defaults import load_settings, merged, prepare_run
    from edge.commands.preflight import check_llm, writable_outputs

    settings = load_settings()
    values = merged(args, settings) | {
        "target": args.target or settings.target,
        "llm": args.llm or settings.llm.backend,
        "model": args.model or settings.llm.model,
        "llm_base_url": args.llm_base_url or settings.llm.base_url,
        "budget_usd": args.budget_usd,
        "resume": args.resume,
    }
    check_llm(str(values["llm"]), str(values["model"]), values["llm_base_url"] is not None)
    prepare_run(args.verbose)
    values["outputs"] = writable_outputs(args.outputs or settings.outputs)

    from edge.commands.summary import print_summary
    from flows.synthesize import SynthesizeParams, run_local

    summary = run_local(SynthesizeParams.model_validate(values))
    print_summary(values["outputs"], summary.version)
    return 0
