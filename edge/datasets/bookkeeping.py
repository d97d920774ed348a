"""What runs, stages and benchmarks report about themselves: the schemas of the datasets that hold no data to ship."""

from __future__ import annotations

from edge.datasets.columns import declare

REJECTS = declare(
    "rejects",
    "",
    """
    stage text
    item_id text
    reason text
    detail text?
    item json?
    run_id text
    """,
)

SPEC_NOTICES = declare(
    "spec_notices",
    "",
    """
    spec_file text
    operation text?
    kind text
    detail text
    run_id text
    """,
)

STAGE_LEDGER = declare(
    "stage_ledger",
    "run_id stage",
    """
    run_id text
    stage text
    rows_in int
    rows_out int
    dropped json
    seconds float~
    """,
)

USAGE = declare(
    "usage",
    "run_id stage provider model prompt_hash",
    """
    run_id text
    stage text
    provider text
    model text
    prompt_hash text?
    calls int
    cached_calls int
    input_tokens int
    output_tokens int
    cost_usd float?
    """,
)

RUNS = declare(
    "runs",
    "run_id",
    """
    run_id text
    version text~
    started_at time~
    finished_at time~
    state text
    seed int
    endpoint text
    config json
    spec_hash text
    code_version text
    prompt_hash text?
    """,
)

EVAL_ATTEMPTS = declare(
    "eval_attempts",
    "run_id benchmark task_id model seed attempt",
    """
    benchmark text
    task_id text
    model text
    seed int
    attempt int
    response_pass flag
    environment_pass flag
    action_score float?
    passed flag
    tool_call_accuracy float?
    n_calls int
    failure_labels texts
    trace json
    endpoint text?
    error text?
    run_id text?
    seconds float~
    """,
)
