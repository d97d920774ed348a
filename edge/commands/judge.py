"""`edge judge`: what a model thinks of requests, after what its opinion is worth."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from edge.commands.options import Subparsers, add_command, add_outputs, amount, base_url, existing, positive

if TYPE_CHECKING:
    from edge.errors import ModelAnswerError
    from edge.llm.answers import JudgementAnswer


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers, "judge", "compare a judge with hand-labelled pairs, then let it judge requests", run
    )
    parser.add_argument("--llm", choices=("openai", "anthropic"), help="who judges (default: EDGE_LLM_BACKEND)")
    parser.add_argument("--model", metavar="M", help="the model, as its service spells it")
    parser.add_argument("--llm-base-url", type=base_url, metavar="U", help="a service of your own with its protocol")
    parser.add_argument("--labels", type=existing, metavar="FILE", help="labelled pairs (default: the bundled ones)")
    parser.add_argument("--version", metavar="V|latest", help="judge the requests of this version when trusted")
    parser.add_argument("--limit", type=positive, metavar="N", help="judge the first N requests only")
    parser.add_argument("--llm-batch", action="store_true", help="ask in batches: half the price, within a day")
    parser.add_argument("--budget-usd", type=amount, metavar="X", help="stop asking when judging has cost this")
    add_outputs(parser)


def run(args: argparse.Namespace) -> int:
    """Print the agreement and, where the judge is trusted, a verdict a request; 1 where it is not trusted."""
    from edge.commands.defaults import outputs_of
    from edge.reports.judging import LABELS, agreements, read_labels, verdict_line

    labelled = read_labels(args.labels or LABELS)
    queries = _queries(outputs_of(args), args.version)[: args.limit] if args.version else []
    found = agreements(labelled, _judged(args, [label.query for label in labelled]))
    for agreement in found:
        print(agreement.said())
    trusted = all(agreement.trusted for agreement in found)
    print(f"{len(labelled) - found[0].pairs} of {len(labelled)} pairs had no usable answer")
    if not trusted:
        print("this judge is not trusted; it judges nothing")
        return 1
    for query, verdict in zip(queries, _judged(args, queries), strict=True):
        print(verdict_line(query, verdict))
    return 0


def _queries(outputs: Path, version: str) -> list[str]:
    from edge.datasets.store import Store
    from edge.errors import UsageError

    store = Store(outputs)
    known = store.versions("trajectories")
    if not known or version not in (*known, "latest"):
        raise UsageError(f"there is no version {version} of trajectories under {outputs}")
    rows = store.rows("trajectories", known[-1] if version == "latest" else version)
    return [str(row["query"]) for row in rows]


def _judged(args: argparse.Namespace, queries: list[str]) -> list[JudgementAnswer | ModelAnswerError]:
    from edge.commands.defaults import load_settings, outputs_of
    from edge.commands.preflight import check_llm
    from edge.errors import UsageError
    from edge.llm.backends import make_model
    from edge.llm.books import FILE, Books
    from edge.llm.caching import Shelf
    from edge.llm.prompts import load_prompt
    from edge.llm.spending import Payer
    from edge.reports.judging import judge_requests

    settings = load_settings().llm
    settings = settings.model_copy(update={"batch": settings.batch or args.llm_batch})
    backend, name = args.llm or settings.backend, args.model or settings.model
    url = args.llm_base_url or settings.base_url
    if backend == "offline":
        raise UsageError("a judge is a model: add --llm openai or --llm anthropic, and --model")
    check_llm(backend, name, url is not None)
    shelf, payer = Shelf(Books(outputs_of(args) / FILE), "judge"), Payer("judge", "request_judge", args.budget_usd)
    model = make_model(backend, name, url, settings=settings, shelf=shelf, payer=payer)
    prompt = load_prompt("request_judge")
    verdicts = asyncio.run(judge_requests(queries, model, prompt, concurrency=settings.side_by_side))
    shelf.books.forget_batches(payer.run, payer.stage)
    return verdicts
