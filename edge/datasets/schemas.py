"""Every arrow of the data flow ends here: the one declared schema of each dataset, as DATA_MODEL.md states it."""

from __future__ import annotations

from edge.datasets.bookkeeping import (
    EVAL_ATTEMPTS,
    LINK_WALKS,
    REJECTS,
    REVALIDATIONS,
    RUNS,
    SPEC_NOTICES,
    STAGE_LEDGER,
    USAGE,
)
from edge.datasets.columns import Schema, declare
from edge.errors import StoreError

TOOLS = declare(
    "tools",
    "tool_id",
    """
    tool_id text: id of the tool, the same for the same operation in every run
    operation_key text: key of the operation in the facts files for bundled documents, else service.operation
    platform text: who serves the call, such as data.go.kr or neis
    service text?: service within the platform
    provider text: institution that owns the data
    domain text: subject, such as weather or real_estate
    name text: name that models see
    title text?: title in the language of the document
    description text: what the tool does, for models
    method text: HTTP method
    url text: address before parameters are filled in
    parameters json: parameters with types, defaults and rules (JSON)
    outputs json: fields of an answer with their paths (JSON)
    required_count int: how many parameters a caller must give
    paginated flag: whether answers come in pages
    noun text?: what one record of an answer is called
    name_field text?: path of the field that names a record for people
    profile json?: facts of the platform: envelope, paging, keys (JSON)
    spec_file text: document it was compiled from
    spec_hash text: SHA-256 of that document
    read_only flag?: whether calling it changes nothing
    declared_outputs json?: fields as the document declares them, where answers taught others (JSON)
    original_description text?: description before a model wrote a better one
    """,
    about="A compiled tool: one operation of a document.",
)

SPEC_DIFFERENCES = declare(
    "spec_differences",
    "tool_id kind path",
    """
    tool_id text: the tool
    operation_key text: key of its operation
    spec_file text: the document
    kind text: missing_wrapper, missing_field, extra_field, renamed_field, wrong_type, repeats_differ or no_schema
    path text: declared path, or the observed one of an extra field; empty for the whole answer
    declared text: what the document says
    observed text: what came
    detail text?: more about it
    run_id text: run that saw it
    """,
    about="A point where a document and a live answer disagree.",
)

LINKS = declare(
    "links",
    "link_id",
    """
    link_id text: id of the link: its tools and bindings
    source_tool text: tool whose answer is read
    target_tool text: tool whose parameters are filled
    bindings json: what fills what: source_path, target_parameter, transform (JSON list)
    feasibility float: score before any call, from 0 to 1
    reason text?: why it was thought feasible
    rest json?: where required parameters that the bindings leave open come from (JSON)
    alpha float: successes of the Beta posterior, with the prior
    beta float: failures of the Beta posterior, with the prior
    posterior_mean float: alpha / (alpha + beta)
    successes int: calls that returned records
    structural_failures int: calls that the link itself made fail
    environmental_failures int: calls that failed for reasons outside the link
    empties int: calls that returned no record
    status text: candidate, verified or pruned
    cardinality_median float?: median number of records that the source gives, where observed
    cardinality_max int?: largest such number
    evidence json?: latest trials with their outcome (JSON)
    signature json?: signatures of both tools when it was last tried (JSON)
    endpoint text?: where it was tried
    source_spec_hash text?: document of the source when it was tried
    target_spec_hash text?: document of the target when it was tried
    prompt_hash text?: prompt that proposed it; null for the offline scorer
    run_id text?: run that tried it last
    first_executed_at time~: when it was first tried
    last_executed_at time~: when it was last tried
    """,
    about="A link: outputs of one tool that can feed inputs of another, with what calling it has shown.",
)

VALUE_POOL = declare(
    "value_pool",
    "tool_id role field value",
    """
    tool_id text: tool that took or gave it
    role text: how the value was met
    field text: name of the parameter or path of the field
    value text: the value as text
    ordinal int: order in which values of this field were met
    run_id text?: run that met it
    """,
    about="A value that was seen to be accepted or returned, with where.",
)

TOOL_SHAPES = declare(
    "tool_shapes",
    "tool_id",
    """
    tool_id text: the tool
    endpoint text: where it was called
    served flag: whether it answered at all
    records int: largest number of records in one answer
    fields json: paths that answers had (JSON)
    run_id text?: run that saw it
    """,
    about="What a tool's answers look like at an endpoint.",
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
    task_id text: id of the request
    query text: the request in the user's words
    language text: language code
    persona text?: who asks
    query_style text?: register: formal, casual, terse, chatty
    today text?: date on which it is asked
    difficulty text: easy, medium or hard, by calls and junctions
    kind text?: positive, irrelevant, missing_parameter or recovery
    gap json?: what is missing, for requests that cannot be answered as they are (JSON)
    plan json: the plan the request was written from (JSON)
    plan_id text?: id of the plan with its values
    plan_signature text?: hash of the plan's shape, without ids and order
    prompt_hash text?: prompt that wrote it
    generator text: backend that wrote it
    generator_model text?: its model
    attempt int?: how often it was written again before it passed
    run_id text?: run that wrote it
    """,
    about="A generated request, before its answer key.",
)

CALL_SEQUENCES = declare(
    "call_sequences",
    "task_id",
    """
    task_id text: the request
    sequence json: calls with arguments and what they depend on (JSON)
    n_calls int: number of calls
    depth int: longest chain of calls that need each other
    max_parallel int: most calls that can go at once
    junctions texts: kinds of junctions between calls
    agreement text: read_back, agrees, other_valid_path or no_call: how the key compares with the plan
    disagreements json?: where it did not (JSON)
    offered texts?: tools offered with the request
    prompt_hash text?: prompt that wrote the key
    generator text?: backend that wrote it
    generator_model text?: its model
    run_id text?: run that wrote it
    """,
    about="An answer key: the calls that answer a request.",
)

OUTCOMES = declare(
    "outcomes",
    "outcome_id task_id step_id",
    """
    outcome_id text: id of the call within its run
    run_id text: run that made it
    task_id text?: request it belongs to; null while exploring
    step_id text?: step of the answer key
    tool_id text: tool that was called
    link_id text?: link that was being tried
    arguments json?: arguments given (JSON)
    request json: request as sent, keys removed (JSON)
    status_code int?: HTTP status; null where no answer came
    outcome text: ok, empty, structural or environmental
    reason text: class within the outcome
    message text?: message of the platform
    code text?: result code of the platform
    attempts int: how often it was sent
    latency_ms float~: milliseconds from sending to the whole answer
    n_records int: records in the answer
    total int?: records the platform says there are
    pages int: pages that were read
    complete flag?: whether all pages were read
    response_hash text: SHA-256 of the recorded answer
    endpoint text?: where it was called
    """,
    about="An executed call.",
)

TRAJECTORIES = declare(
    "trajectories",
    "trajectory_id",
    """
    trajectory_id text: id of the example
    task_id text?: request it was made from
    query text: the request
    answer text: the answer
    answer_facts json: facts of the answer: value, call, path (JSON)
    messages json: the conversation in OpenAI chat form (JSON)
    tools json: offered tools, with distractors (JSON)
    golden_calls json: the calls with arguments, dependencies and outcomes (JSON)
    junctions texts: kinds of junctions between calls
    domains texts: subjects of the tools called
    platforms texts: platforms of the tools called
    n_calls int: number of calls
    depth int: longest chain of calls that need each other
    max_parallel int: most calls that can go at once
    kind text: positive, irrelevant, missing_parameter or recovery
    difficulty text: easy, medium or hard
    split text: train, validation or test; whole groups of alike rows
    link_ids texts: links that were walked
    language text?: language code
    persona text?: who asks
    query_style text?: register of the request
    today text?: date on which it is asked
    plan json?: the plan (JSON)
    plan_id text?: id of the plan with its values
    plan_signature text?: hash of the plan's shape
    recipe json?: how to derive the answer again (JSON)
    quality float?: score that decides which of two alike rows stays, from 0 to 1
    prompt_hash text?: prompt of the answer
    generator text: backend that wrote request and answer
    generator_model text?: its model
    run_id text: run that made it
    """,
    about="A shipped example: a request, the calls, what they returned, the answer.",
)

DUPLICATES = declare(
    "duplicates",
    "trajectory_id",
    """
    trajectory_id text: the removed row
    duplicate_of text: the row that stays in its place
    method text: exact, minhash, embedding, shape_cap or contamination
    similarity float?: how alike they are, from 0 to 1
    query text?: request of the removed row
    unverified_gate flag?: whether the text alone decided, plan and arguments being unknown
    run_id text?: run that removed it
    """,
    about="A removed near-duplicate.",
)

CONTAMINATION = declare(
    "contamination",
    "held_out trajectory_id",
    """
    trajectory_id text: the row that was too like a held-out one, and removed
    held_out text: the evaluation set
    held_out_id text: the row of it
    how text: need, text, near_text or meaning
    similarity float: how alike they are, from 0 to 1
    run_id text: run that removed it
    """,
    about="A row that would have given an evaluation away.",
)

DIVERSITY = declare(
    "diversity",
    "subject measure",
    """
    subject text: tools, links, plans, junctions, values, values:<argument>, words, meanings or held_out:<set>
    measure text: distinct, entropy, effective, evenness, distinct_1, distinct_2, vendi, link_jaccard and others
    value float: the figure
    rows int: rows it was taken from
    run_id text: run that measured it
    """,
    about="How varied the rows of a run are.",
)

SCHEMAS: dict[str, Schema] = {
    schema.dataset: schema
    for schema in (
        TOOLS,
        SPEC_DIFFERENCES,
        LINKS,
        VALUE_POOL,
        LINK_WALKS,
        TOOL_SHAPES,
        USER_TASKS,
        CALL_SEQUENCES,
        OUTCOMES,
        TRAJECTORIES,
        REJECTS,
        SPEC_NOTICES,
        DUPLICATES,
        CONTAMINATION,
        DIVERSITY,
        STAGE_LEDGER,
        USAGE,
        RUNS,
        REVALIDATIONS,
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
