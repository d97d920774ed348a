"""Every arrow of the data flow ends here: the one declared schema of each dataset, as DATA_MODEL.md states it."""

from __future__ import annotations

from edge.datasets.bookkeeping import EVAL_ATTEMPTS, REJECTS, RUNS, SPEC_NOTICES, STAGE_LEDGER, USAGE
from edge.datasets.columns import Schema, declare
from edge.errors import StoreError

TOOLS = declare(
    "tools",
    "tool_id",
    """
    tool_id text
    operation_key text
    platform text
    service text?
    provider text
    domain text
    name text
    title text?
    description text
    method text
    url text
    parameters json
    outputs json
    required_count int
    paginated flag
    noun text?
    name_field text?
    profile json?
    spec_file text
    spec_hash text
    read_only flag?
    declared_outputs json?
    original_description text?
    """,
)

SPEC_DIFFERENCES = declare(
    "spec_differences",
    "tool_id kind path",
    """
    tool_id text
    operation_key text
    spec_file text
    kind text
    path text
    declared text
    observed text
    detail text?
    run_id text
    """,
)

LINKS = declare(
    "links",
    "link_id",
    """
    link_id text
    source_tool text
    target_tool text
    bindings json
    feasibility float
    reason text?
    rest json?
    alpha float
    beta float
    posterior_mean float
    successes int
    structural_failures int
    environmental_failures int
    empties int
    status text
    cardinality_median float?
    cardinality_max int?
    evidence json?
    signature json?
    endpoint text?
    source_spec_hash text?
    target_spec_hash text?
    prompt_hash text?
    run_id text?
    first_executed_at time~
    last_executed_at time~
    """,
)

VALUE_POOL = declare(
    "value_pool",
    "tool_id role field value",
    """
    tool_id text
    role text
    field text
    value text
    ordinal int
    run_id text?
    """,
)

TOOL_SHAPES = declare(
    "tool_shapes",
    "tool_id",
    """
    tool_id text
    endpoint text
    served flag
    records int
    fields json
    run_id text?
    """,
)

# What a batch of exploration leaves to the next, and what it was answered: work files, without views.
EXPLORATION_STATE = declare(
    "exploration_state",
    "part key",
    """
    part text
    key text
    value text
    """,
)

EXPLORATION_ANSWERS = declare(
    "exploration_answers",
    "key",
    """
    key text
    value text
    """,
)

USER_TASKS = declare(
    "user_tasks",
    "task_id",
    """
    task_id text
    query text
    language text
    persona text?
    query_style text?
    today text?
    difficulty text
    kind text?
    gap json?
    plan json
    plan_id text?
    plan_signature text?
    prompt_hash text?
    generator text
    generator_model text?
    attempt int?
    run_id text?
    """,
)

CALL_SEQUENCES = declare(
    "call_sequences",
    "task_id",
    """
    task_id text
    sequence json
    n_calls int
    depth int
    max_parallel int
    junctions texts
    agreement text
    disagreements json?
    offered texts?
    prompt_hash text?
    generator text?
    generator_model text?
    run_id text?
    """,
)

OUTCOMES = declare(
    "outcomes",
    "outcome_id task_id step_id",
    """
    outcome_id text
    run_id text
    task_id text?
    step_id text?
    tool_id text
    link_id text?
    arguments json?
    request json
    status_code int?
    outcome text
    reason text
    message text?
    code text?
    attempts int
    latency_ms float~
    n_records int
    total int?
    pages int
    complete flag?
    response_hash text
    endpoint text?
    """,
)

TRAJECTORIES = declare(
    "trajectories",
    "trajectory_id",
    """
    trajectory_id text
    task_id text?
    query text
    answer text
    answer_facts json
    messages json
    tools json
    golden_calls json
    junctions texts
    domains texts
    platforms texts
    n_calls int
    depth int
    max_parallel int
    kind text
    difficulty text
    split text
    link_ids texts
    language text?
    persona text?
    query_style text?
    today text?
    plan json?
    plan_id text?
    plan_signature text?
    recipe json?
    quality float?
    prompt_hash text?
    generator text
    generator_model text?
    run_id text
    """,
)

DUPLICATES = declare(
    "duplicates",
    "trajectory_id",
    """
    trajectory_id text
    duplicate_of text
    method text
    similarity float?
    query text?
    run_id text?
    """,
)

SCHEMAS: dict[str, Schema] = {
    schema.dataset: schema
    for schema in (
        TOOLS,
        SPEC_DIFFERENCES,
        LINKS,
        VALUE_POOL,
        TOOL_SHAPES,
        USER_TASKS,
        CALL_SEQUENCES,
        OUTCOMES,
        TRAJECTORIES,
        REJECTS,
        SPEC_NOTICES,
        DUPLICATES,
        STAGE_LEDGER,
        USAGE,
        RUNS,
        EVAL_ATTEMPTS,
    )
}

WORKING: dict[str, Schema] = {schema.dataset: schema for schema in (EXPLORATION_STATE, EXPLORATION_ANSWERS)}


def schema_of(dataset: str) -> Schema:
    """Return the schema of a dataset.

    Raises:
        StoreError: the dataset is not declared.
    """
    try:
        return WORKING.get(dataset) or SCHEMAS[dataset]
    except KeyError:
        raise StoreError(f"unknown dataset {dataset!r}; declared are {', '.join(SCHEMAS)}") from None
