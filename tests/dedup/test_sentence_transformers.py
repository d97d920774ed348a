"""The real library on a tiny model made here: same loading code as for a real one, no network."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from edge.embedding import SentenceTransformerEmbedder, encode_checked
from edge.errors import UsageError

library = pytest.importorskip("sentence_transformers", reason="needs the extra: embeddings")
pytestmark = pytest.mark.filterwarnings("default")  # the library's own warnings are not ours


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch
        from transformers import BertConfig, BertModel, BertTokenizerFast

        letters = sorted(set("서울시강남구북아파트실거래가날씨오늘query:"))
        words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
        (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
        torch.manual_seed(0)
        sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
        BertModel(BertConfig(vocab_size=len(words), **sizes)).save_pretrained(folder / "plain")
        BertTokenizerFast(vocab=str(folder / "vocab.txt"), do_lower_case=False).save_pretrained(folder / "plain")
        library.SentenceTransformer(str(folder / "plain"), device="cpu").save(str(folder / "st"))
    return folder / "st"


def test_vectors_are_unit_and_the_prompt_counts(model: Path) -> None:
    plain, prompted = SentenceTransformerEmbedder(str(model)), SentenceTransformerEmbedder(str(model), prompt="query: ")
    vectors = encode_checked(prompted, ["서울시 강남구", "오늘 날씨", "서울시 강남구"])
    assert (vectors.shape, vectors.dtype, prompted.dim) == ((3, 32), np.float32, 32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert np.array_equal(vectors[0], vectors[2])
    assert plain.name != prompted.name
    assert plain.name.startswith("st@")
    assert SentenceTransformerEmbedder(str(model)).name == plain.name
    assert not np.allclose(plain.encode(["오늘 날씨"]), prompted.encode(["오늘 날씨"]))
    assert plain.encode([]).shape == (0, 32)


def test_a_model_that_is_not_here_is_one_clear_line(tmp_path: Path) -> None:
    for name, revision in (("intfloat/multilingual-e5-small", "a" * 40), (str(tmp_path), None)):
        with pytest.raises(UsageError, match="is not on this machine") as caught:
            SentenceTransformerEmbedder(name, revision).encode(["가"])
        assert "\n" not in str(caught.value)
