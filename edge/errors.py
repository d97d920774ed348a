"""Every error the package raises, in one tree.

    EdgeError
    ├── UsageError          wrong option, path or configuration: one line, exit code 2
    │   ├── SpecError       a provider document that cannot be compiled
    │   └── MissingExtra    an optional dependency that is not installed
    ├── RunError            the run itself failed: exit code 1
    │   ├── StoreError      a dataset part, manifest or disk problem
    │   ├── EndpointError   the endpoint cannot be reached at all
    │   └── BudgetSpent     models may cost no more; raised once nothing is in flight
    └── ModelError          a language model gave no usable answer
        ├── ModelUnavailable   transient: overload, timeout, connection
        │   └── RateLimited    transient: the service asks for fewer requests (429, 529)
        └── ModelAnswerError   refusal, truncation, answer outside the schema

A failing *tool call* is not an error: it is data (`edge.calls.Outcome`).
"""


class EdgeError(Exception):
    """Base of all errors raised on purpose; `str(error)` is one line that says what to do."""


class UsageError(EdgeError):
    """The user can fix it: wrong option, path or configuration."""


class SpecError(UsageError):
    """A provider document, or one operation of it, cannot be compiled."""


class MissingExtra(UsageError):
    """An optional dependency is needed and absent."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed; install it with: pip install 'edge-synthesis[{extra}]'")


class RunError(EdgeError):
    """The run failed; what was finished stays usable."""


class StoreError(RunError):
    """A part, manifest or the disk under them is not as it must be."""


class EndpointError(RunError):
    """The endpoint cannot be reached at all."""


class BudgetSpent(RunError):
    """The run's models have cost what they may; what was answered is kept, a larger budget goes on from there."""


class ModelError(EdgeError):
    """A language model gave no usable answer."""


class ModelUnavailable(ModelError):
    """Transient failure of a model service."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RateLimited(ModelUnavailable):
    """The service asks for fewer requests."""


class ModelAnswerError(ModelError):
    """Refusal, truncation or an answer outside the schema; `reason` is a short code for rejects."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail
