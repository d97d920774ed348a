"""How many threads multiply matrices: one, where there are many small ones or the callers are threads themselves."""

from __future__ import annotations

import importlib
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def one_thread() -> Generator[None]:
    """Let one thread multiply: two that share a busy processor wait for each other ten times longer than they work.

    Results then do not hang on the number of processors either.
    """
    limits = importlib.import_module("threadpoolctl").threadpool_limits  # has no type information
    with limits(limits=1, user_api="blas"):
        yield
