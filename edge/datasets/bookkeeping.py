"""What runs, stages and benchmarks report about themselves: the schemas of the datasets that hold no data to ship."""

from __future__ import annotations

from edge.datasets.columns import declare

REJECTS = declare(
    "rejects",
    "",
    """
    stage text: stage that dropped it
    item_id text: id of what was dropped
    reason text: class of the reason
    detail text?: what exactly
    item json?: the dropped item (JSON)
    run_id text: run that dropped it
    """,
    about="Anything that was dropped, with the reason.",
)

SPEC_NOTICES = declare(
    "spec_notices",
    "",
    """
    spec_file text: the document
    operation text?: operation concerned; null for the whole document
    kind text: class of the notice
    detail text: what exactly
    run_id text: run that compiled it
    """,
    about="What compiling had to say about a document.",
)

LINK_WALKS = declare(
    "link_walks",
    "",
    """
    link_id text: the link
    from_plan int: number of the first plan of the batch
    walks int: how often plans of the batch set out to prove it
    plans int: how often one came of it
    reasons json: why none did, counted (JSON)
    run_id text: run that planned
    """,
    about="What came of the links that plans were to prove: why one is in no trajectory.",
)

STAGE_LEDGER = declare(
    "stage_ledger",
    "run_id stage",
    """
    run_id text: the run
    stage text: the stage
    rows_in int: rows taken in
    rows_out int: rows given out
    dropped json: dropped rows by reason; rows_in = rows_out + their sum (JSON)
    seconds float~: time spent in its batches, added up
    """,
    about="What a stage of a run took in, gave out and dropped.",
)

USAGE = declare(
    "usage",
    "run_id stage provider model prompt_hash",
    """
    run_id text: the run
    stage text: the stage
    provider text: service that answered
    model text: model that answered
    prompt_hash text?: prompt that was asked
    calls int: prompts answered, with those from the cache
    cached_calls int: prompts answered from the cache
    input_tokens int: tokens read, as the service counts them
    output_tokens int: tokens written, as the service counts them
    cost_usd float?: cost in US dollars; null where no price is known
    """,
    about="Model calls of a stage.",
)

RUNS = declare(
    "runs",
    "run_id",
    """
    run_id text: hash of everything that decides its rows
    version text~: version it published
    started_at time~: when it began
    finished_at time~: when it published
    state text: completed
    seed int: seed of every random choice
    endpoint text: what answered its calls
    config json: its parameters (JSON)
    spec_hash text: hash of its documents
    code_version text: version of this program
    prompt_hash text?: hash of its prompts
    """,
    about="A run.",
)

REVALIDATIONS = declare(
    "revalidations",
    "trajectory_id",
    """
    trajectory_id text: the row as it was shipped
    checked_version text: the version that holds it
    verdict text: holds, refreshed, stale (it left) or unreached (no answer came, it stays)
    reason text?: what was no longer as shipped
    detail text?: the first difference
    changed texts: what a refreshed row has new: calls, facts, answer
    now_id text?: the row as it is now; null where it left
    platforms texts: platforms it calls
    endpoint text: what answered
    today text?: the day in Korea
    run_id text: the run that executed it again
    """,
    about="A shipped example that was executed again.",
)

EVAL_ATTEMPTS = declare(
    "eval_attempts",
    "run_id benchmark task_id model seed attempt",
    """
    benchmark text: the benchmark
    task_id text: the task
    model text: the model
    seed int: seed of the attempt
    attempt int: number of the attempt under this seed
    response_pass flag: whether the answer holds the wanted facts
    environment_pass flag: whether the wanted records were reached
    action_score float?: agreement of its calls with the key, from 0 to 1
    passed flag: whether the attempt succeeded
    tool_call_accuracy float?: share of its calls that are right
    n_calls int: calls it made
    failure_labels texts: what went wrong
    trace json: the conversation (JSON)
    endpoint text?: what answered its calls
    error text?: why the attempt does not count; null where it does
    run_id text?: evaluation it belongs to
    seconds float~: how long it took
    """,
    about="One attempt of a model at a task of a benchmark.",
)
