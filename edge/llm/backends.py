"""Settings -> `Model`: picks the backend, reads its key from the environment, loads its SDK only then."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, get_args

from edge.errors import MissingExtra, UsageError
from edge.ids import Json
from edge.llm.batches import BatchDesk
from edge.llm.batches_books import BatchBooks
from edge.llm.batches_ending import BatchSettings, Office
from edge.llm.batches_waiting import Patience
from edge.llm.caching import CachedModel, Shelf
from edge.llm.desk import Desk, Front
from edge.llm.limits import Limits, shared_limiter
from edge.llm.offline import Handler, OfflineModel
from edge.llm.prices import Price
from edge.llm.profiles import ModelProfile, find_profile, kind_of, service_of
from edge.llm.protocol import Model
from edge.llm.spending import Account, Payer, check_price
from edge.settings import LlmSettings

Backend = Literal["offline", "openai", "anthropic"]
KEYS: Mapping[str, str] = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
_LONGEST_BATCH_S = 26 * 3600.0  # services end a batch after 24 hours
DEFAULTS = LlmSettings.model_validate({})


def make_model(
    backend: str = "offline",
    model: str | None = None,
    base_url: str | None = None,
    *,
    handlers: Mapping[str, Handler] | None = None,
    settings: LlmSettings = DEFAULTS,
    shelf: Shelf | None = None,
    payer: Payer | None = None,
) -> Model:
    """Return the model to ask. `handlers` are the offline answers to further prompts; other backends ignore them.

    With a `shelf`, answers are kept and reused, and every turn is written down at the expense of `payer`. Offline
    answers cost nothing and are made anew.

    Raises:
        UsageError: unknown backend, no model name, no key, a table of models that cannot be read, or a budget without a
            price.
    """
    if backend == "offline":
        return OfflineModel(handlers)
    name = checked_name(backend, model, base_url)
    key, profile = _key(backend, base_url), find_profile(backend, name, base_url, settings.models)
    account = None
    if shelf is not None and payer is not None:
        price = check_batches(name, profile) if settings.batch else profile.price
        account = Account(shelf.books, payer, backend, name, price)
    most, patience = settings.max_tokens, settings.timeout_s
    try:
        if backend == "openai":
            from edge.llm.batches_openai import OpenAIBatches as Batches
            from edge.llm.openai import OpenAIModel as Chosen
        else:
            from edge.llm.anthropic import AnthropicModel as Chosen
            from edge.llm.batches_anthropic import AnthropicBatches as Batches
        desk: Front
        if settings.batch and shelf is not None and account is not None:
            place = (backend, name, kind_of(backend, base_url))
            books = BatchBooks(shelf.books.path)
            batches = Batches(name, key, base_url=base_url, timeout_s=patience)
            desk = BatchDesk(Office(batches, books, account, place, batching(settings), fresh=shelf.fresh))
        else:
            desk = Desk(shared_limiter(service_of(backend, base_url), limits_of(settings, backend)), account)
        chosen = Chosen(name, key, base_url=base_url, profile=profile, desk=desk, max_tokens=most, timeout_s=patience)
    except ImportError as error:
        raise MissingExtra(backend, "all") from error
    return chosen if shelf is None else CachedModel(chosen, shelf, shaping(profile, backend, base_url))


def checked_name(backend: str, model: str | None, base_url: str | None) -> str:
    """Return the model's name where backend, name and address can be asked.

    Raises:
        UsageError: they cannot.
    """
    if backend not in KEYS:
        raise UsageError(f"unknown model backend {backend!r}; choose one of {', '.join(get_args(Backend))}")
    if not model:
        raise UsageError(f"the {backend} backend needs a model name: pass --model NAME or set EDGE_LLM_MODEL")
    if base_url is not None and not base_url.startswith(("http://", "https://")):
        raise UsageError(f"the base URL of the {backend} backend must start with http:// or https://: {base_url!r}")
    return model


def check_model(
    backend: str, model: str | None, base_url: str | None, budget_usd: float | None, settings: LlmSettings = DEFAULTS
) -> ModelProfile:
    """Check before a run that its model can be asked and its budget kept; return what is known of the model.

    Raises:
        UsageError: see `make_model`.
    """
    if backend == "offline":
        return ModelProfile()
    name = checked_name(backend, model, base_url)
    profile = find_profile(backend, name, base_url, settings.models)
    price = check_batches(name, profile) if settings.batch else profile.price
    check_price(name, price, budget_usd)
    return replace(profile, price=price)


def check_batches(model: str, profile: ModelProfile) -> Price | None:
    """Check that a model can be asked in batches; return what they cost, None where no price at all is known.

    Raises:
        UsageError: the table says that it cannot, or states a price and none of batches.
    """
    price = profile.price.of_batches() if profile.price is not None else None
    if profile.batch and (price is not None or profile.price is None):
        return price
    missing = "batch_input and batch_output in its price" if profile.batch else "batch: true"
    raise UsageError(
        f"--llm-batch: the table of models does not say {missing} of {model} at this address; if its service takes"
        " batches, say so in a file as edge/llm/models.yaml and name the file in EDGE_LLM_MODELS"
    )


def batching(settings: LlmSettings) -> BatchSettings:
    """Return how batches are made and waited for."""
    looks = math.ceil(_LONGEST_BATCH_S / settings.batch_poll_s)
    patience = Patience(settings.batch_poll_s, looks)
    return BatchSettings(settings.batch_gather_s, patience, settings.attempts, settings.retry_after_cap_s)


def limits_of(settings: LlmSettings, provider: str) -> Limits:
    """Return how a provider may be asked."""
    return Limits(
        concurrency=settings.concurrency,
        requests_per_minute=settings.requests_per_minute.get(provider),
        tokens_per_minute=settings.tokens_per_minute.get(provider),
        attempts=settings.attempts,
        wait_cap_s=settings.retry_after_cap_s,
    )


def shaping(profile: ModelProfile, provider: str, base_url: str | None) -> dict[str, Json]:
    """Return what shapes answers beside the request: what is sent along, and what kind of place serves the model."""
    return {
        "at": kind_of(provider, base_url),
        "structured_output": profile.structured_output,
        "tool_mode": profile.tool_mode,
        "request": dict(profile.request),
    }


def _key(backend: str, base_url: str | None) -> str:
    name = KEYS[backend]
    key = os.environ.get(name, "").strip()
    if key:
        return key
    if base_url is not None:
        return "none"  # servers on one's own machine ask for no key
    raise UsageError(f"the {backend} backend needs {name} in the environment")
