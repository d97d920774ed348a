"""What a run with a model will cost, before it begins, and what it has cost, beside the price by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from edge.settings import LlmSettings
    from edge.stages.params import RunParams


def print_estimate(params: RunParams, settings: LlmSettings, rows: int = 0) -> None:
    """Print about what a run for `rows` examples will ask and cost; nothing for templates, and for one that goes on."""
    if params.llm == "offline" or params.resume:
        return
    from edge.llm.estimates import estimate_lines
    from edge.llm.profiles import find_profile
    from edge.stages.estimating import PLANS_A_ROW, estimate_run

    shares = estimate_run(params, settings, rows)
    print(f"estimate      {params.model}" + (f", {PLANS_A_ROW} plans for each of {rows} rows" if rows else ""))
    profile = find_profile(params.llm, params.model or "", params.llm_base_url, settings.models)
    said = [f"  {line}" for line in [profile.price_said()] if line]
    print("\n".join([*estimate_lines(shares, params.budget_usd), *said]), flush=True)


def print_costs(outputs: Path, version: str, settings: LlmSettings, rows: int = 0) -> None:
    """Print what the models of a version cost, by stage, and the ledger of `rows`; nothing of templates."""
    from edge.stages.costs import costs_of, saving_of

    costs = costs_of(outputs, version)
    if not costs:
        return
    print("models")
    for cost in costs:
        print(f"          {cost.said()}")
    saving = saving_of(costs, rows, settings.manual_usd_per_row)
    if saving is not None and rows:
        print(f"          {saving.said()}")
