"""What the command line leaves open comes from the settings: environment, .env, defaults."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from edge.errors import UsageError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from edge.settings import Settings

Params = TypeVar("Params", bound="BaseModel")

# A run from the shell keeps to itself.
PREFECT_DEFAULTS = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
}


def load_settings() -> Settings:
    """Return the settings of the environment.

    Raises:
        UsageError: a variable or line of .env cannot be read; names it.
    """
    from pydantic import ValidationError

    from edge.settings import Settings

    try:
        return Settings.model_validate({})  # reads the environment, as Settings() does
    except ValidationError as error:
        first = error.errors()[0]
        name = "EDGE_" + "_".join(str(part) for part in first["loc"]).upper()
        raise UsageError(f"{name}: {first['msg']}") from None


def outputs_of(args: argparse.Namespace) -> Path:
    """Return the outputs folder of a command; the mirror of an object store is brought up to date."""
    from edge.datasets.mirrors import folder_of
    from edge.datasets.remotes import sync

    return sync(args.outputs or folder_of(load_settings().outputs))


def prepare_run(verbose: bool) -> logging.Logger:
    """Set Prefect's defaults before it is imported; show and return the logger that all progress goes to."""
    for name, value in PREFECT_DEFAULTS.items():
        os.environ.setdefault(name, value)
    # Prefect logs the traceback of every failure as an error; without -v the one line of `edge` is enough.
    os.environ.setdefault("PREFECT_LOGGING_LEVEL", "INFO" if verbose else "CRITICAL")
    os.environ.setdefault("PREFECT_LOGGING_INTERNAL_LEVEL", "ERROR" if verbose else "CRITICAL")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
    logger = logging.getLogger("edge")
    logger.handlers = [handler]
    logger.setLevel(logging.DEBUG if verbose else logging.INFO)
    logger.propagate = False
    return logger


def parameters(model: type[Params], args: argparse.Namespace, settings: Settings) -> Params:
    """Return the parameters of a flow: given options over settings over the flow's own defaults.

    Raises:
        UsageError: a value is outside what the flow allows.
    """
    from pydantic import ValidationError

    from edge.commands.options import endpoint

    given = {name: value for name, value in vars(args).items() if value is not None}
    below: dict[str, object] = {
        "seed": settings.seed,
        "endpoint": settings.endpoint,
        "today": settings.today,
        "outputs": settings.outputs,
        "recordings": settings.recordings,
        "target": settings.target,
        "llm": settings.llm.backend,
        "model": settings.llm.model or None,
        "llm_base_url": settings.llm.base_url,
        "llm_stages": settings.llm.stages,
        "llm_batch": settings.llm.batch,
        "candidates": settings.candidates,
        "exploration": settings.exploration,
        "half_life_days": settings.freshness.half_life_days,
        "stale_days": settings.freshness.stale_days,
        "embedding_model": settings.embedding.model,
        "embedding_revision": settings.embedding.revision,
        "embedding_base_url": settings.embedding.base_url,
        "embedding_prompt": settings.embedding.prompt,
    }
    values = {name: value for name, value in {**below, **given}.items() if name in model.model_fields}
    try:
        values["endpoint"] = endpoint(str(values["endpoint"]))
        return model.model_validate(values)
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"EDGE_ENDPOINT {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        option = "_".join(str(part) for part in first["loc"]).replace("_", "-")
        raise UsageError(f"--{option}: {first['msg']}") from None
