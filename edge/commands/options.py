"""Options that several commands share: their argument types and the one place where they are declared."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # pyright: ignore[reportPrivateUsage]
Command: TypeAlias = Callable[[argparse.Namespace], int]
SEED_LIMIT = 2**32
MODEL_STAGES = ("link_feasibility", "task_generation", "sequence_generation", "execution_validation")  # as in settings


def add_command(subparsers: Subparsers, name: str, summary: str, run: Command) -> argparse.ArgumentParser:
    """Add one command and return its parser."""
    parser = subparsers.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
    parser.set_defaults(run=run)
    return parser


def add_outputs(parser: argparse.ArgumentParser) -> None:
    """Add --outputs."""
    parser.add_argument(
        "--outputs", type=outputs, metavar="DIR", help="where datasets are kept; may be s3://... (default: outputs)"
    )


def add_endpoint(parser: argparse.ArgumentParser) -> None:
    """Add --endpoint."""
    parser.add_argument(
        "--endpoint",
        type=endpoint,
        metavar="sandbox|live|replay|URL",
        help="what answers: a sandbox started for this run (default), the platforms, a recorded run or a base URL",
    )
    parser.add_argument(
        "--recordings", type=existing, metavar="PATH", help="what replay reads (default: recordings of the outputs)"
    )


def add_run(parser: argparse.ArgumentParser) -> None:
    """Add what every command that makes calls takes: seed, endpoint, specs, probing, outputs, today, verbosity."""
    parser.add_argument("--seed", type=seed, metavar="S", help="the same seed and inputs give the same bytes")
    parser.add_argument("--today", type=today, metavar="YYYY-MM-DD", help="the run's date (default: the endpoint's)")
    parser.add_argument(
        "--specs", type=existing, nargs="+", metavar="PATH", help="provider documents to compile (default: bundled)"
    )
    parser.add_argument(
        "--probe", action="store_true", help="learn the outputs that documents leave out from one call a tool"
    )
    add_endpoint(parser)
    add_outputs(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="show the log")


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add what every command that asks a model in a run takes: who, where, and how far it may go."""
    parser.add_argument("--llm", choices=("offline", "openai", "anthropic"), help="who writes (default: offline)")
    parser.add_argument("--model", metavar="M", help="the model, as its service spells it")
    parser.add_argument(
        "--llm-stages", choices=MODEL_STAGES, nargs="+", metavar="STAGE",
        help="stages that ask it, the rest is written offline (default: all; " + ", ".join(MODEL_STAGES) + ")",
    )  # fmt: skip
    parser.add_argument("--llm-base-url", type=base_url, metavar="U", help="a service of your own with its protocol")
    parser.add_argument(
        "--llm-batch", action="store_true", default=None, help="ask it in batches: half the price, within a day"
    )
    parser.add_argument("--budget-usd", type=amount, metavar="X", help="stop asking models when the run cost this")
    parser.add_argument("--no-cache", action="store_true", help="use no answers that models gave earlier runs")


def add_held_out(parser: argparse.ArgumentParser) -> None:
    """Add --against."""
    parser.add_argument(
        "--against",
        action="append",
        metavar="PATH|bfcl",
        help="an evaluation set (Parquet, JSON lines, a folder) whose like must go; may be given again",
    )


def add_floors(parser: argparse.ArgumentParser, otherwise: str) -> None:
    """Add --min-diversity, with what happens where it is not reached."""
    parser.add_argument(
        "--min-diversity",
        type=floor,
        action="append",
        metavar="[NAME=]X",
        help=f"{otherwise} if a measure of the survivors is below X (default: words.distinct_2); may be given again",
    )


def floor(text: str) -> str:
    """Read a floor of a measure of diversity."""
    from edge.dedup.floors import read_floor

    try:
        read_floor(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number or like plans.effective=40, not {text!r}") from None
    return text


def seed(text: str) -> int:
    """Read a seed: a whole number of 32 bits."""
    return _whole(text, 0, SEED_LIMIT - 1)


def positive(text: str) -> int:
    """Read a whole number of at least 1."""
    return _whole(text, 1, 10**9)


def port(text: str) -> int:
    """Read a TCP port; 0 lets the system choose."""
    return _whole(text, 0, 65535)


def _whole(text: str, low: int, high: int) -> int:
    if not text.isascii() or not text.strip("+-").isdigit() or not low <= int(text) <= high:
        raise argparse.ArgumentTypeError(f"must be a whole number from {low} to {high}, not {text!r}")
    return int(text)


def milliseconds(text: str) -> int:
    """Read a delay of at most a minute."""
    return _whole(text, 0, 60_000)


def rate(text: str) -> float:
    """Read a share from 0 to 1."""
    value = amount(text)
    if value > 1:
        raise argparse.ArgumentTypeError(f"must be from 0 to 1, not {text!r}")
    return value


def amount(text: str) -> float:
    """Read a finite number that is not negative."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e12:
        raise argparse.ArgumentTypeError(f"must be a number of at least 0, not {text!r}")
    return value


def today(text: str) -> str:
    """Read an ISO date."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a date like 2026-06-15, not {text!r}") from None


def existing(text: str) -> Path:
    """Read a path that must exist."""
    path = Path(text)
    if not path.exists():
        raise argparse.ArgumentTypeError(f"{text}: no such file or folder")
    return path


def outputs(text: str) -> Path:
    """Read where outputs are: a path, or the URL of an object store, of which the mirror is returned."""
    from edge.datasets.mirrors import folder_of
    from edge.errors import UsageError

    try:
        return folder_of(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def document(text: str) -> Path | str:
    """Read where a document is: an http(s) URL, or a path that must exist."""
    return text if text.startswith(("http://", "https://")) else existing(text)


def endpoint(text: str) -> str:
    """Read an endpoint: sandbox, live, replay or a base URL (without a trailing slash)."""
    if text in ("sandbox", "live", "replay"):
        return text
    return base_url(text, "must be sandbox, live, replay or a base URL (http://...)")


def base_url(text: str, wanted: str = "must be a base URL (http://...)") -> str:
    """Read an http(s) base URL without query, fragment or trailing slash."""
    try:
        parts = urlsplit(text)
        plain = parts.scheme in ("http", "https") and bool(parts.hostname) and not (parts.query or parts.fragment)
        plain = plain and (parts.port is None or parts.port > 0)
    except ValueError:
        plain = False
    if not plain:
        raise argparse.ArgumentTypeError(f"{wanted}, not {text!r}")
    return text.rstrip("/")
