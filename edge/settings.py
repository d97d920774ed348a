"""Environment and .env -> settings: everything a run can be told, one documented section a subject.

Variables start with EDGE_: EDGE_ENDPOINT, EDGE_SEED, EDGE_LLM_MODEL, EDGE_EXECUTION_ATTEMPTS. Service keys
(EDGE_KEY_<PLATFORM>) are no settings: `edge.execution.keys` reads them, so that settings can be printed and stored.
"""

from __future__ import annotations

from datetime import date
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_settings import BaseSettings, SettingsConfigDict


def _network(text: str) -> str:
    return str(ip_network(text, strict=False))


ModelStage = Literal["link_feasibility", "task_generation", "sequence_generation", "execution_validation"]
MOST_IN_A_BATCH = 50_000
MODEL_STAGES: tuple[ModelStage, ...] = get_args(ModelStage)


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ExecutionSettings(_Section):
    """How calls are made: patience, politeness and ceilings of the gateway."""

    connect_timeout_s: float = Field(5.0, gt=0, description="time to open a connection")
    read_timeout_s: float | None = Field(None, gt=0, description="silence allowed while reading; None: the profile's")
    deadline_s: float = Field(180.0, gt=0, description="time one attempt may take in all, against endless trickles")
    attempts: int = Field(3, ge=1, le=10, description="requests per page, the first included")
    backoff_base_s: float = Field(0.2, ge=0, description="ceiling of the first wait; doubles with each attempt")
    backoff_cap_s: float = Field(5.0, ge=0, description="ceiling of any wait between attempts")
    retry_after_cap_s: float = Field(30.0, ge=0, description="longest Retry-After that is obeyed; a longer one is cut")
    max_response_bytes: int = Field(20_000_000, gt=0, description="size of one response body, unpacked")
    max_archive_bytes: int = Field(64_000_000, gt=0, description="size of a document unpacked from a ZIP archive")
    max_records: int = Field(200_000, gt=0, description="ceiling of one call over all its pages")
    max_pages: int = Field(50, gt=0, description="pages read of one call; a longer list is cut, no plan rests on it")
    concurrency: int = Field(16, ge=1, description="requests to one host at a time; a profile may ask for fewer")
    user_agent: str = Field("Mozilla/5.0 (compatible; EDGE)", description="several platforms refuse unknown clients")
    allowed_private: tuple[Annotated[str, AfterValidator(_network)], ...] = Field(
        (), description="networks (CIDR) of non-public addresses that platform hosts may resolve to"
    )
    hosts: dict[str, tuple[str, ...]] = Field(
        {}, description="hosts that operations of a platform may lead to beside those of its profile, by platform"
    )
    per_day: dict[str, Annotated[int, Field(ge=0)]] = Field(
        {}, description='calls a day, by platform or "platform/service"; goes over what profiles say'
    )
    breaker_failures: int = Field(20, ge=1, description="failures in a row after which a platform is left alone")
    breaker_pause_s: float = Field(30.0, gt=0, description="time until a platform that was left alone is tried again")
    record: bool = Field(True, description="keep requests and answers of runs under outputs/recordings")
    seed: int = Field(0, description="seed of the waits between attempts")


class CandidateSection(_Section):
    """Which pairs of tools are judged, and how (docs/design/links.md); part of a run's id."""

    same_domain: int = Field(15, ge=0, description="nearest targets of a tool's own domain")
    cross_domain: int = Field(10, ge=0, description="nearest targets of other domains")
    threshold: float = Field(0.3, ge=0, le=1, description="score below which a binding set is no link")
    per_call: int = Field(5, ge=1, le=50, description="targets of one source that a model is asked about at once")


class ExplorationSection(_Section):
    """How links are tried, what outcomes weigh and when a link is pruned (docs/design/links.md); part of a run's id."""

    max_calls: int = Field(20_000, ge=0, description="calls of an exploration; none is made beyond them")
    max_seconds: float | None = Field(None, ge=0, description="time after which no more is begun; None: no limit")
    max_links: int = Field(5, ge=1, le=5, description="links of a path at most")
    entry_calls: int = Field(4, ge=1, description="calls of each tool that needs no predecessor")
    prune_worth: float = Field(0.25, ge=0, le=1, description="of pruning a link, where verifying one is worth 1")
    first_calls: int = Field(2, ge=1, description="calls at once on what nothing is known of")
    enough_trials: int = Field(7, ge=1, description="trials after which a link is let be")
    least_change: float = Field(0.02, ge=0, description="state changes expected of a path below which exploring ends")
    strategy: Literal["thompson", "uniform"] = Field("thompson", description="uniform: paths at random, to compare")
    prior_strength: float = Field(2.0, ge=0, description="k of the prior Beta(1 + k s, 1 + k (1 - s)), feasibility s")
    success_weight: float = Field(1.0, gt=0, description="pseudo-count of a success")
    structural_weight: float = Field(3.0, ge=0, description="of a refusal, or an answer that ignores what is bound")
    refuted_weight: float = Field(2.0, ge=0, description="of no records where a known-good value has some")
    empty_weight: float = Field(0.3, ge=0, description="of no records, with nothing to compare")
    repeated_empty_weight: float = Field(2.0, ge=0, description="of further ones without a success")
    patience: int = Field(2, ge=0, description="how many of them are not further ones")
    environmental_weight: float = Field(0.02, ge=0, description="of an outage, or where known-good values fail too")
    min_trials: int = Field(3, ge=1, description="n_min: trials before a link may be pruned")
    viable: float = Field(0.3, gt=0, lt=1, description="tau: the least share of successes of a link worth having")
    doubt: float = Field(0.1, gt=0, lt=1, description="delta: pruned when P(share >= tau) is below")


class FreshnessSettings(_Section):
    """How the evidence of stored links ages (docs/design/freshness.md)."""

    half_life_days: float = Field(30.0, gt=0, description="time in which the weight of evidence halves")
    stale_days: float = Field(14.0, ge=0, description="links that were tried longer ago are tried again")


class LlmSettings(_Section):
    """Which model writes and judges; keys of model services stay in their own environment variables."""

    backend: Literal["offline", "openai", "anthropic"] = "offline"
    model: str = ""
    stages: tuple[ModelStage, ...] = Field((), description="stages that ask the model; empty: all")
    base_url: str | None = None
    models: Annotated[Path | None, BeforeValidator(lambda given: given or None)] = Field(
        None, description="a table of models over the bundled one (edge/llm/models.yaml)"
    )
    max_tokens: int = Field(4096, ge=16, description="tokens of one answer; twice as many after one that was cut off")
    timeout_s: float = Field(120.0, gt=0, description="time for one answer")
    concurrency: int = Field(8, ge=1, description="requests to one service at a time; fewer while it asks for fewer")
    requests_per_minute: dict[str, Annotated[int, Field(ge=1)]] = Field({}, description="by provider; empty: no limit")
    tokens_per_minute: dict[str, Annotated[int, Field(ge=1)]] = Field(
        {}, description="input and output together, by provider; empty: no limit"
    )
    attempts: int = Field(4, ge=1, le=10, description="requests for one turn, the first included")
    retry_after_cap_s: float = Field(
        60.0, ge=0, description="longest wait a service may ask for; for a longer one the task is tried again later"
    )
    batch: bool = Field(False, description="ask in batches: half the price, answers within a day")
    batch_gather_s: float = Field(
        3.0, gt=0, description="silence after which the prompts of a stage are sent as a batch"
    )
    batch_poll_s: float = Field(30.0, gt=0, description="time between looks at a batch")
    manual_usd_per_row: float = Field(
        6.0, ge=0, description="what one example by hand costs: the default is 30 minutes at 12 dollars an hour"
    )

    @property
    def side_by_side(self) -> int:
        """How many prompts a stage has ready at a time: as many as a service is asked at once, or a batch takes."""
        return MOST_IN_A_BATCH if self.batch else self.concurrency


class EmbeddingSettings(_Section):
    """Which embedder finds links and near-duplicates (docs/design/dedup.md)."""

    model: str | None = Field(None, description="a folder, a hub name or a service's model; None: the lexical embedder")
    revision: str | None = Field(None, description="40-hex commit, for hub names")
    base_url: str | None = Field(None, description="an OpenAI-compatible embeddings service that has the model")
    prompt: str = Field("", description='put before each text, such as "query: " for the e5 family')


class TaskSettings(_Section):
    """Where tasks of a run are executed, and how long one may take; none of it decides what is in a row."""

    runner: Literal["thread", "process", "dask", "ray"] = Field(
        "thread", description="thread: in the flow's own process; dask and ray need the extra of that name"
    )
    address: str | None = Field(None, description="of a Dask scheduler or Ray head; None: a cluster of this machine")
    workers: int = Field(2, ge=1, description="processes that execute tasks; threads need none")
    timeout_s: float = Field(14_400.0, gt=0, description="time for one task, after which it is tried again")
    secrets: dict[str, str] = Field(
        {}, description="variables that Prefect Secret blocks hold, by variable: the names of the blocks"
    )


class Settings(BaseSettings):
    """All settings of a run. Options of the command line are laid over these."""

    model_config = SettingsConfigDict(
        env_prefix="EDGE_",
        env_file=".env",
        env_file_encoding="utf-8",
        env_nested_delimiter="_",
        env_nested_max_split=1,
        extra="ignore",
        frozen=True,
    )

    endpoint: str = Field("sandbox", description="sandbox, live, replay or a base URL (docs/design/wire.md)")
    outputs: str = Field("outputs", description="folder of the datasets, or a URL such as s3://bucket/folder")
    recordings: Path | None = Field(None, description="what replay reads; None: outputs/recordings")
    seed: int = 0
    today: date | None = Field(None, description="the run's date in Korea; None: the endpoint's clock")
    target: int = Field(100, ge=1, description="trajectories to ship")
    execution: ExecutionSettings = ExecutionSettings.model_validate({})
    candidates: CandidateSection = CandidateSection.model_validate({})
    exploration: ExplorationSection = ExplorationSection.model_validate({})
    freshness: FreshnessSettings = FreshnessSettings.model_validate({})
    llm: LlmSettings = LlmSettings.model_validate({})
    embedding: EmbeddingSettings = EmbeddingSettings.model_validate({})
    task: TaskSettings = TaskSettings.model_validate({})
