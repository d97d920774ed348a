"""What a run is told (parameters) and what it has become (run): small, serialisable, the only things that travel."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from edge.datasets.mirrors import Outputs
from edge.dedup.floors import read_floor
from edge.settings import MODEL_STAGES, CandidateSection, ExplorationSection, LlmSettings, ModelStage


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RunParams(_Model):
    """Parameters of every flow. All have defaults: the flow runs as it is, offline, against the sandbox."""

    seed: int = Field(0, ge=0, lt=2**32, description="the same seed and inputs give byte-identical parts")
    endpoint: str = Field(
        "sandbox", description="sandbox, live, replay, or a base URL that stands in front of the platforms"
    )
    recordings: Path | None = Field(None, description="what replay reads: store or packed file; empty: the outputs'")
    today: date | None = Field(None, description="the run's date in Korea; empty: the endpoint's clock")
    specs: list[Path] | None = Field(None, description="provider documents; empty: the bundled specs")
    outputs: Outputs = Field(Path("outputs"), description="folder of the datasets, or a URL like s3://bucket/folder")
    llm: Literal["offline", "openai", "anthropic"] = Field("offline", description="who writes and judges")
    model: str | None = Field(None, description="model name, for openai and anthropic")
    llm_base_url: str | None = Field(None, description="any OpenAI-compatible service, e.g. vLLM or Ollama")
    llm_stages: tuple[ModelStage, ...] = Field(
        (), description="stages that ask the model, the others are written offline; empty: all"
    )
    embedding_model: str | None = Field(
        None, description="sentence-transformers model or folder (extra: embeddings); empty: the lexical embedder"
    )
    embedding_revision: str | None = Field(None, description="40-hex revision, for a model named on a hub")
    embedding_base_url: str | None = Field(None, description="an OpenAI-compatible service that has the model")
    embedding_prompt: str = Field("", description='put before each text, such as "query: " for the e5 family')
    llm_batch: bool = Field(False, description="ask it in batches: half the price, answers within a day")
    budget_usd: float | None = Field(None, ge=0, description="stop asking models at this cost of the whole run")
    no_cache: bool = Field(False, description="use no answers that models gave earlier runs")
    candidates: CandidateSection = Field(
        CandidateSection.model_validate({}), description="which pairs of tools are judged, and how"
    )
    iterations: int = Field(16, ge=1, le=1000, description="rounds of exploration at most")
    paths: int = Field(600, ge=1, le=5000, description="paths in a round")
    exploration: ExplorationSection = Field(
        ExplorationSection.model_validate({}), description="budgets, weights and thresholds of exploration"
    )
    rounds_a_batch: int = Field(4, ge=1, description="rounds of exploration in a task, which is what a kill can cost")
    links: str = Field("none", description="stored links to start from: a version, latest (of this endpoint) or none")
    half_life_days: float = Field(30.0, gt=0, description="time in which the weight of stored evidence halves")
    stale_days: float = Field(14.0, ge=0, description="stored links that were tried longer ago are tried again")
    probe: bool = Field(False, description="learn the outputs that documents leave out from one call a tool")
    describe: bool = Field(False, description="let the model write better descriptions of tools")
    resume: bool = Field(False, description="go on with the unfinished run of the same parameters")

    def asks_model(self, stage: str) -> bool:
        """Return whether a stage asks the model. What is made on demand only (descriptions) always does."""
        chosen = not self.llm_stages or stage in self.llm_stages or stage not in MODEL_STAGES
        return self.llm != "offline" and chosen

    def asking(self, settings: LlmSettings) -> LlmSettings:
        """Return the settings of models with what this run was told over them."""
        return settings.model_copy(update={"batch": self.llm_batch})


class SynthesizeParams(RunParams):
    """Parameters of the `synthesize` flow."""

    target: int = Field(100, ge=1, description="trajectories to ship at least")
    batch: int = Field(40, ge=1, le=500, description="plans in a batch at least, a tenth of the target if that is more")
    effort: int = Field(12, ge=1, description="give up after this many plans for each trajectory wanted")
    language: Literal["ko", "en", "ja"] = Field("ko", description="what requests and answers are written in")
    negatives: float = Field(0.15, ge=0, le=0.5, description="share of rows where the right act is to call nothing")
    recovery: float = Field(0.07, ge=0, le=0.5, description="share of rows where a call fails and is repaired")
    offered: int = Field(10, ge=1, le=128, description="tools offered with a request, those it needs among them")
    against: tuple[str, ...] = Field(
        (), description="evaluation sets whose like must not be shipped: files, folders, or bfcl"
    )
    min_diversity: tuple[str, ...] = Field(
        (), description="publish nothing below these floors, such as plans.effective=40 or 0.2 (of words.distinct_2)"
    )
    part_rows: int = Field(100_000, ge=1, description="rows that are looked through for repeats in a task, about")
    pieces: int = Field(
        1, ge=1, le=64, description="pieces of a batch that are answered and executed side by side, by hash of request"
    )

    @field_validator("min_diversity")
    @classmethod
    def _readable(cls, floors: tuple[str, ...]) -> tuple[str, ...]:
        for text in floors:
            read_floor(text)
        return floors

    def next_batch(self, done: int, tried: int) -> int:
        """Return how many plans to try next when `done` trajectories came of the `tried` ones: two for each missing.

        At least a quarter of those tried: where repeats keep falling out, the batches grow and stay few.
        """
        most = max(self.batch, self.target // 10)  # each batch reads the graph anew
        return min(most, max(4, 2 * (self.target - done), tried // 4))


class ExploreParams(RunParams):
    """Parameters of the `explore-links` flow: it goes on with the graph that is there."""

    links: str = Field("latest", description="stored links to start from: a version, latest (of this endpoint) or none")


class CompileParams(RunParams):
    """Parameters of the `compile-specs` flow."""


class RevalidateParams(RunParams):
    """Parameters of the `revalidate` flow: shipped trajectories are executed again."""

    version: str | None = Field(None, description="the version to check; empty: the newest with trajectories")
    endpoint: str = Field("", description="what answers; empty: what answered the run of that version")
    batch: int = Field(50, ge=1, le=500, description="trajectories in a batch")
    refresh: bool = Field(True, description="make stale rows again where their recipe allows it")

    @property
    def asked(self) -> str:
        """What is checked, as it was asked for."""
        return self.version or "newest"

    def of_run(self, endpoint: str) -> SynthesizeParams:
        """Return these parameters as those of a run at `endpoint`."""
        own = set(RevalidateParams.model_fields) - set(RunParams.model_fields)
        return SynthesizeParams.model_validate({**self.model_dump(exclude=own), "endpoint": endpoint})


class Check(_Model):
    """What a run executes again: the trajectories of a version, by a hash of their parts."""

    version: str
    content: str
    rows: int
    batch: int
    refresh: bool


class Run(_Model):
    """A run under way. `run_id` is a hash of everything that decides its rows; `url` answers its calls."""

    run_id: str
    version: str
    url: str
    own_sandbox: bool
    take: str = Field("", description="the recorded run that is written, or read where the run replays; empty: none")
    replays: Path | None = Field(None, description="where the take is read; empty: calls are made")
    graph: str = Field("", description="the version of links that the run starts from; empty: from nothing")
    graph_hash: str = Field("", description="hash of that graph")
    now: datetime
    started_at: datetime
    spec_hash: str
    prompt_hash: str
    params: SynthesizeParams
    check: Check | None = Field(None, description="what is executed again; empty: the run makes trajectories")

    @property
    def endpoint(self) -> str:
        """The endpoint as it is recorded: the name, not the port it happened to get."""
        return self.params.endpoint

    @property
    def as_of(self) -> str:
        """The run's moment as UTC text: when evidence counts as gathered."""
        return self.now.astimezone(tz=UTC).isoformat()


class StageRef(_Model):
    """A finished batch or stage: where its parts are, by key, and what was counted."""

    stage: str
    key: str
    figures: dict[str, int]


class RunSummary(_Model):
    """What a finished run says about itself."""

    run_id: str
    version: str
    catalog: Path
    counts: dict[str, int]
