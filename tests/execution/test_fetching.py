"""Documents are fetched from hosts that the user named, and from nowhere else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from edge.errors import SpecError, UsageError
from edge.execution import fetching
from edge.execution.fetching import Fetcher, host_entry


class Pages(BaseHTTPRequestHandler):
    """A document, redirects, an error and a body without end."""

    asked: list[str]

    def do_GET(self) -> None:
        type(self).asked.append(self.path)
        where = {"/moved": "/doc.json", "/round": "/round", "/inside": "http://127.0.0.1:9/secret"}.get(self.path)
        if where:
            self.send_response(302)
            self.send_header("Location", where)
            self.end_headers()
        elif self.path.startswith("/doc.json"):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"swagger": "2.0"}')
        elif self.path == "/endless":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"x" * 65536)
            except OSError:
                pass
        else:
            self.send_response(404)
            self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    Pages.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_named_host_is_asked_once(site: str) -> None:
    with Fetcher([site]) as fetch:
        assert fetch(f"http://{site}/doc.json#/paths") == fetch(f"http://{site}/doc.json") == b'{"swagger": "2.0"}'
        assert fetch(f"http://{site}/moved") == b'{"swagger": "2.0"}'
    assert Pages.asked == ["/doc.json", "/moved", "/doc.json"]


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data",
        "http://127.0.0.1:1/doc.json",
        "http://[::1]/doc.json",
        "http://localhost/doc.json",
        "https://elsewhere.example/doc.json",
    ],
)
def test_any_other_host_is_refused_before_a_request(site: str, url: str) -> None:
    with Fetcher([site]) as fetch, pytest.raises(SpecError, match=r"is not an allowed host; .* add --allow-host"):
        fetch(url)
    assert Pages.asked == []


def test_a_redirect_to_another_host_is_refused(site: str) -> None:
    with Fetcher([site]) as fetch:
        with pytest.raises(SpecError, match=r"127\.0\.0\.1:9 is not an allowed host"):
            fetch(f"http://{site}/inside")
        with pytest.raises(SpecError, match="redirected more than 3 times"):
            fetch(f"http://{site}/round")


def test_a_name_that_resolves_inside_is_refused() -> None:
    refusal = r"not a public address|cannot be fetched"  # not every system resolves the name
    with Fetcher(["loop.localhost"]) as fetch, pytest.raises(SpecError, match=refusal):
        fetch("http://loop.localhost/doc.json")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("file:///etc/passwd", "not an http or https URL"),
        ("ftp://x/y", "not an http or https URL"),
        ("http://user:s3cret@host/x", "must not contain a user name"),
        ("http://host:99999/", "is not a URL"),
        ("http:///x", "not an http or https URL"),
    ],
)
def test_what_is_no_address_is_refused(url: str, message: str) -> None:
    with Fetcher(["host"]) as fetch, pytest.raises(SpecError, match=message) as caught:
        fetch(url)
    assert "s3cret" not in str(caught.value)


def test_errors_and_endless_bodies_end(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "MAX_BYTES", 1_000_000)
    with Fetcher([site]) as fetch:
        with pytest.raises(SpecError, match="answers HTTP 404"):
            fetch(f"http://{site}/none?key=secret")
        with pytest.raises(SpecError, match="larger than 1000000 bytes"):
            fetch(f"http://{site}/endless")
    with Fetcher(["127.0.0.1:1"]) as fetch, pytest.raises(SpecError, match="cannot be fetched"):
        fetch("http://127.0.0.1:1/doc.json")


def test_what_the_user_typed_is_allowed(site: str) -> None:
    assert host_entry("https://API.example.org/openapi.json") == "api.example.org"
    assert host_entry("http://127.0.0.1:80/x") == "127.0.0.1" and host_entry("https://h:80/") == "h:80"
    with pytest.raises(UsageError, match="not an http or https URL"):
        host_entry("ssh://x")
    with fetching.fetching([f"http://{site}/doc.json"], []) as fetch:
        assert fetch(f"http://{site}/doc.json")
