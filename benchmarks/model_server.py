"""A GGUF file -> a real model server on loopback (llama.cpp through xllamacpp), in a process of its own.

Run: python benchmarks/model_server.py FILE.gguf [--context 16384] [--exit-with-stdin]

It speaks the OpenAI protocol (/v1/chat/completions, /v1/models) and the Anthropic one (/v1/messages). One thread and
one slot: with two threads on a shared machine the threads spend their time waiting for each other, ten times slower.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CONTEXT = 16_384  # tokens of prompt and answer together
_START_S = 180.0


class ServerError(Exception):
    """The server does not start; one line."""


@contextmanager
def served(weights: Path, log: Path, context: int = CONTEXT) -> Iterator[str]:
    """Serve a model for the length of a `with` block and give its base URL; the server ends when this process does.

    Raises:
        ServerError: it died or was not ready in time; `log` says more.
    """
    command = [sys.executable, __file__, str(weights), "--context", str(context), "--exit-with-stdin"]
    with log.open("w", encoding="utf-8") as out:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=out, text=True, start_new_session=True
        )
    try:
        yield _address(process, log)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(process: subprocess.Popen[str], log: Path) -> str:
    until, said = time.monotonic() + _START_S, ""
    assert process.stdout is not None
    while time.monotonic() < until and (said := process.stdout.readline()):
        if said.startswith("listening on "):
            return said.removeprefix("listening on ").strip()
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    raise ServerError(f"the model server does not start: {lines[-1] if lines else 'it says nothing'}")


def main() -> int:
    """Serve until stopped."""
    parser = argparse.ArgumentParser(description="Serve a GGUF model on a free loopback port.")
    parser.add_argument("weights", type=Path)
    parser.add_argument("--context", type=int, default=CONTEXT)
    parser.add_argument("--exit-with-stdin", action="store_true")
    args = parser.parse_args()
    try:
        import xllamacpp
    except ImportError:
        print("xllamacpp is not installed: pip install -e '.[test-model]'", file=sys.stderr)
        return 2
    params = xllamacpp.CommonParams()
    params.model.path = str(args.weights)
    params.n_ctx = args.context
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup = False
    params.endpoint_metrics = True
    server = xllamacpp.Server(params)
    print(f"listening on {server.listening_address}", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if args.exit_with_stdin:
        sys.stdin.read()
    else:
        signal.pause()
    return 0


if __name__ == "__main__":
    sys.exit(main())
