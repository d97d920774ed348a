"""Settings -> `Model`: picks the backend, reads its key from the environment, loads its SDK only then."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal, get_args

from edge.errors import MissingExtra, UsageError
from edge.llm.offline import Handler, OfflineModel
from edge.llm.protocol import Model

Backend = Literal["offline", "openai", "anthropic"]
KEYS: Mapping[str, str] = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


def make_model(
    backend: str = "offline",
    model: str | None = None,
    base_url: str | None = None,
    *,
    handlers: Mapping[str, Handler] | None = None,
    max_tokens: int = 4096,
    timeout_s: float = 120.0,
    retries: int = 1,
) -> Model:
    """Return the model to ask. `handlers` are the offline answers to further prompts; other backends ignore them.

    `retries` are the SDK's own; keep them at 0 or 1, the stage that calls waits and retries itself.

    Raises:
        UsageError: unknown backend, no model name, no key.
    """
    if backend == "offline":
        return OfflineModel(handlers)
    if backend not in KEYS:
        raise UsageError(f"unknown model backend {backend!r}; choose one of {', '.join(get_args(Backend))}")
    if not model:
        raise UsageError(f"the {backend} backend needs a model name: pass --model NAME or set EDGE_MODEL")
    if base_url is not None and not base_url.startswith(("http://", "https://")):
        raise UsageError(f"the base URL of the {backend} backend must start with http:// or https://: {base_url!r}")
    key = _key(backend, base_url)
    if backend == "openai":
        from edge.llm.openai import OpenAIModel as Chosen
    else:
        from edge.llm.anthropic import AnthropicModel as Chosen
    try:
        return Chosen(model, key, base_url=base_url, max_tokens=max_tokens, timeout_s=timeout_s, retries=retries)
    except ImportError as error:
        raise MissingExtra(backend, "all") from error


def _key(backend: str, base_url: str | None) -> str:
    name = KEYS[backend]
    key = os.environ.get(name, "").strip()
    if key:
        return key
    if base_url is not None:
        return "none"  # servers on one's own machine ask for no key
    raise UsageError(f"the {backend} backend needs {name} in the environment")
