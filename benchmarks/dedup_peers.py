"""One peer's near-duplicate removal over a Parquet file -> the ids it keeps; run by benchmarks/dedup.py.

Run: PYTHON benchmarks/dedup_peers.py PEER IN.parquet OUT.txt        in an environment that has the peer

Each peer gets the settings its documents recommend for near-duplicates, bent as little as short Korean texts need:
word shingles of one word and no least length, for all but a few of these requests have fewer than five words by the
defaults, and would be dropped or kept unseen.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path


def read(path: str) -> tuple[list[str], list[str]]:
    """Return ids and texts."""
    import polars as pl

    rows = pl.read_parquet(path, columns=["trajectory_id", "query"])
    return rows["trajectory_id"].to_list(), rows["query"].to_list()


def datasketch(path: str) -> Iterable[str]:
    """MinHash.bulk and MinHashLSH over character 3-grams of the NFC text without spaces; the first stays."""
    import unicodedata

    from datasketch import MinHash, MinHashLSH

    ids, texts = read(path)
    plain = ["".join(unicodedata.normalize("NFC", text).lower().split()) for text in texts]
    shingled = [{text[i : i + 3].encode() for i in range(max(len(text) - 2, 1))} for text in plain]
    index = MinHashLSH(threshold=0.7, num_perm=128)
    kept: list[str] = []
    for name, sketch in zip(ids, MinHash.bulk(shingled, num_perm=128), strict=True):
        if not index.query(sketch):
            kept.append(name)
            index.insert(name, sketch)
    return kept


def text_dedup(path: str) -> Iterable[str]:
    """Its MinHash command: 25 bands of 5 rows, unverified, clusters by union-find."""
    import polars as pl

    with tempfile.TemporaryDirectory() as folder:
        command = [
            *("--path", "parquet", "--data_files", str(Path(path).resolve()), "--split", "train", "--column", "query"),
            *("--cache_dir", f"{folder}/cache", "--output", f"{folder}/out", "--ngram", "1", "--min_length", "1"),
            *("--threshold", "0.7", "--num_perm", "125", "--b", "25", "--r", "5", "--num_proc", "2"),
        ]
        subprocess.run([sys.executable, "-m", "text_dedup.minhash", *command], check=True, capture_output=True)
        from datasets import load_from_disk

        return pl.Series(load_from_disk(f"{folder}/out")["trajectory_id"]).to_list()


def datatrove(path: str) -> Iterable[str]:
    """Its four MinHash steps, 14 buckets of 8 hashes, shingles of three words split at spaces.

    The Korean tokenizer asks kiwipiepy for a model that it no longer ships.
    """
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup import (
        MinhashDedupBuckets,
        MinhashDedupCluster,
        MinhashDedupFilter,
        MinhashDedupSignature,
    )
    from datatrove.pipeline.dedup.minhash import MinhashConfig
    from datatrove.pipeline.readers import ParquetReader
    from datatrove.pipeline.writers import JsonlWriter
    from datatrove.utils.word_tokenizers import WordTokenizer

    class Spaces(WordTokenizer):
        def word_tokenize(self, text: str) -> list[str]:
            return text.split()

        def sent_tokenize(self, text: str) -> list[str]:
            return [text]

        def span_tokenize(self, text: str) -> list[tuple[int, int]]:
            return [(0, len(text))]

    config = MinhashConfig(n_grams=3, num_buckets=14, hashes_per_bucket=8)
    source = Path(path).resolve()
    with tempfile.TemporaryDirectory() as folder:
        reader = ParquetReader(str(source.parent), glob_pattern=source.name, text_key="query", id_key="trajectory_id")
        steps = [
            ([reader, MinhashDedupSignature(f"{folder}/sig", config=config, language=Spaces())], 1),
            ([MinhashDedupBuckets(f"{folder}/sig", f"{folder}/buckets", config=config)], config.num_buckets),
            ([MinhashDedupCluster(f"{folder}/buckets", f"{folder}/gone", config=config)], 1),
            ([reader, MinhashDedupFilter(f"{folder}/gone"), JsonlWriter(f"{folder}/kept", compression=None)], 1),
        ]
        for number, (pipeline, tasks) in enumerate(steps):
            logs = f"{folder}/logs{number}"
            LocalPipelineExecutor(pipeline=pipeline, tasks=tasks, workers=min(tasks, 2), logging_dir=logs).run()
        import polars as pl

        return pl.concat([pl.read_ndjson(f) for f in Path(f"{folder}/kept").glob("*.jsonl")])["id"].to_list()


def semhash(path: str) -> Iterable[str]:
    """Its self-deduplication at .9, with the static model in the folder that EDGE_STATIC_MODEL names."""
    import os

    from model2vec import StaticModel
    from semhash import SemHash

    ids, texts = read(path)
    model = StaticModel.from_pretrained(os.environ["EDGE_STATIC_MODEL"])
    records = [{"text": text, "id": name} for name, text in zip(ids, texts, strict=True)]
    found = SemHash.from_records(records, columns=["text"], model=model).self_deduplicate(threshold=0.95)
    return [record["id"] for record in found.selected]


PEERS = {"datasketch": datasketch, "text-dedup": text_dedup, "datatrove": datatrove, "semhash": semhash}

if __name__ == "__main__":
    Path(sys.argv[3]).write_text("\n".join(PEERS[sys.argv[1]](sys.argv[2])))
