"""Outputs on an object store: a real S3 server on loopback, mirrors of several machines, and what may go wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import fsspec
import pytest
from dataset_rows import example
from moto.server import ThreadedMotoServer

from edge.cli import main
from edge.datasets.catalog import build_catalog, query
from edge.datasets.manifests import MANIFEST
from edge.datasets.mirrors import MIRRORS, folder_of
from edge.datasets.parts import write_part
from edge.datasets.remotes import Remote, sync
from edge.datasets.store import Store
from edge.errors import StoreError, UsageError

SPEC = Path(__file__).parents[2] / "specs" / "juso"
V1, V2 = "v20261129T143000Z-ab12cd34", "v20261129T143001Z-ab12cd34"

Machine = Callable[[str], Path]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture
def url(server: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A bucket of this test's own."""
    for name, value in {
        "AWS_ENDPOINT_URL": server, "AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    bucket = request.node.name.replace("_", "-")[:60].strip("-").lower()
    fsspec.filesystem("s3").mkdir(bucket)
    return f"s3://{bucket}/institute/data"


@pytest.fixture
def machine(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Give the mirror of a machine by name, up to date."""

    def mirror(name: str) -> Path:
        monkeypatch.setenv(MIRRORS, str(tmp_path / name))
        return sync(folder_of(url))

    return mirror


def publish(root: Path, version: str, dataset: str = "tools") -> None:
    Store(root).publish(dataset, version, [write_part(root / ".work", dataset, [example(dataset)])], run_id="r1")


def files(root: Path, version: str, dataset: str = "tools") -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Store(root).folder(dataset, version).iterdir()}


def test_what_one_machine_publishes_another_reads(machine: Machine) -> None:
    here = machine("here")
    publish(here, V1)
    there = machine("there")
    assert there != here
    assert files(there, V1) == files(here, V1)
    assert query(there, "SELECT count(*) FROM tools")[1] == [(1,)]
    assert Store(there).check("tools", V1) == []


def test_two_machines_publish_side_by_side(machine: Machine) -> None:
    here, there = machine("here"), machine("there")
    publish(here, V1)
    publish(there, V2)
    assert Store(machine("here")).versions("tools") == Store(machine("there")).versions("tools") == [V1, V2]


def test_c11_a_version_without_its_manifest_is_not_there(machine: Machine, url: str) -> None:
    publish(machine("here"), V1)
    fsspec.filesystem("s3").rm_file(f"{url}/tools/version={V1}/{MANIFEST}")
    assert Store(machine("there")).published("tools") == []


def test_c12_a_spoilt_part_is_refused_and_nothing_half_is_visible(machine: Machine, url: str) -> None:
    publish(machine("here"), V1)
    part = next(name for name in files(machine("here"), V1) if name.startswith("part-"))
    fsspec.filesystem("s3").pipe_file(f"{url}/tools/version={V1}/{part}", b"PAR1")
    with pytest.raises(StoreError, match="content differs from the manifest"):
        machine("there")
    assert Store(folder_of(url)).published("tools") == []


def test_a_manifest_that_names_files_elsewhere_is_refused(machine: Machine, url: str) -> None:
    publish(machine("here"), V1)
    manifest = json.loads(files(machine("here"), V1)[MANIFEST])
    manifest["parts"][0]["path"] = "../../../escape.parquet"
    fsspec.filesystem("s3").pipe_file(f"{url}/tools/version={V1}/{MANIFEST}", json.dumps(manifest).encode())
    with pytest.raises(StoreError, match="not a file of its folder"):
        machine("there")


def test_a_version_that_was_not_passed_on_is_when_it_is_published_again(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    here = machine("here")
    bucket = url.split("/")[2]
    fsspec.filesystem("s3").rmdir(bucket)
    with pytest.raises(StoreError, match=f"^{url}: "):
        publish(here, V1)
    fsspec.filesystem("s3").mkdir(bucket)
    publish(here, V1)
    assert Store(machine("there")).versions("tools") == [V1]


def test_what_is_swept_is_gone_everywhere_and_does_not_come_back(machine: Machine, url: str) -> None:
    here, there = machine("here"), None
    for version in (V1, V2):
        publish(here, version)
        publish(here, version, "trajectories")
    there = machine("there")
    assert Store(there).versions("tools") == [V1, V2]
    machine("here")
    assert main(["gc", "--keep", "1", "--outputs", url]) == 0
    assert not fsspec.filesystem("s3").exists(f"{url}/tools/version={V1}")
    assert Store(machine("there")).versions("tools") == [V2]
    publish(there, "v20261129T143002Z-ab12cd34")
    assert V1 not in Store(machine("here")).versions("tools")


def test_duckdb_reads_the_store_itself(machine: Machine, url: str, tmp_path: Path) -> None:
    root = machine("here")
    publish(root, V1)
    build_catalog(root)
    copy = tmp_path / "copy.duckdb"
    copy.write_bytes(fsspec.filesystem("s3").cat_file(f"{url}/edge.duckdb"))
    for file in root.glob("tools/*/part-*"):
        file.unlink()  # only the store has it now
    with duckdb.connect(copy, read_only=True) as reader:
        reader.register_filesystem(fsspec.filesystem("s3"))
        reader.execute(f"SET VARIABLE edge_root = '{url}'")
        assert reader.execute("SELECT count(*) FROM tools").fetchall() == [(1,)]


def test_commands_take_the_url(machine: Machine, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    machine("here")
    assert main(["compile", str(SPEC), "--outputs", url]) == 0
    machine("there")
    capsys.readouterr()
    assert main(["sql", "SELECT DISTINCT platform FROM tools", "--outputs", url, "--csv"]) == 0
    assert capsys.readouterr().out.split() == ["platform", "juso"]
    assert main(["verify", "--hashes-only", "--outputs", url]) == 0


def test_wrong_urls_are_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MIRRORS, str(tmp_path))
    for text in ("s3://key:secret@bucket/x", "s3://bucket/x?token=1"):
        with pytest.raises(UsageError, match="must hold no key") as caught:
            folder_of(text)
        assert "secret" not in str(caught.value)
    with pytest.raises(UsageError, match="no place for outputs"):
        folder_of("s3://")
    with pytest.raises(StoreError, match="nosuch"):
        sync(folder_of("nosuch://bucket/x"))
    assert Remote.of(tmp_path) is None
    (tmp_path / ".remote").write_text("[]")
    with pytest.raises(StoreError, match="it is only a copy"):
        Remote.of(tmp_path)
