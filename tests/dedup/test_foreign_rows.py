"""Anybody's rows: what is read of them, what is refused and why, and that parts, order and threads do not show."""

from __future__ import annotations

import json
import random
import unicodedata
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from dedup_rows import ROWS
from hypothesis import given, settings
from hypothesis import strategies as st

from edge.cli import main
from edge.datasets.store import Store
from edge.dedup.calls import calls_keys
from edge.dedup.importing import imported
from edge.dedup.normalise import text_key, text_keys
from edge.dedup.partitions import judge_in_parts, split
from edge.dedup.pipeline import judge
from edge.dedup.records import DedupRow, DedupSettings, frame_of
from edge.dedup.rules import QualityRules, quality_rejects
from edge.dedup.table import gate_names
from edge.embedding import LexicalEmbedder
from edge.errors import UsageError
from edge.stages.foreign import deduplicate_file

LETTERS = "가나다서울 강남구의 2024년 3월,.!? ABCé½ß·…“”’~～１２ＡＢ　\u200b\u3164аоΝ中一\u1109\u1175ᆨ😀\u0301_"


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(LETTERS, max_size=8) | st.text(max_size=6), max_size=12))
def test_many_keys_are_those_of_each_text(texts: list[str]) -> None:
    usable = [text.encode("utf-8", "replace").decode() for text in texts]
    assert text_keys(pl.Series(usable, dtype=pl.String)).to_list() == [text_key(text) for text in usable]


@pytest.mark.parametrize(
    "other",
    [
        unicodedata.normalize("NFD", "서울 ABC 아파트"),
        "서울  ABC\u00a0아파트",
        "서\u200b울 A\u2060BC 아파트\ufeff",
        "서울 ＡＢＣ 아파트",
        "서울 \u0410\u0412\u0421 아파트",  # Cyrillic
        "서울 ABC 아\u3164파트",  # a letter that nobody sees
        "서울 abc 아파트!",
    ],
)
def test_d10_what_looks_the_same_is_the_same(other: str) -> None:
    assert text_key(other) == text_key("서울 ABC 아파트")
    assert text_key("서울 ABC 아파트 1") != text_key("서울 ABC 아파트 l")  # a digit means something


@settings(max_examples=30, deadline=None)
@given(ROWS, st.integers(1, 4), st.integers(1, 3), st.booleans(), st.randoms(use_true_random=False))
def test_parts_order_and_threads_do_not_show(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[DedupRow],
    parts: int,
    cap: int,
    bands: bool,
    rng: random.Random,
) -> None:
    chosen = {"shape_cap": cap, "exact_limit": 1 if bands else 10_000}
    whole = judge(frame_of(rows), DedupSettings(**chosen, threads=1))
    rng.shuffle(rows)
    apart = DedupSettings(**chosen, threads=2, partition_rows=max(1, -(-len(rows) // parts)))
    size = rng.randrange(1, 9)
    batches = [frame_of(rows[start : start + size]) for start in range(0, len(rows), size)]
    folder = tmp_path_factory.mktemp("parts")
    assert judge_in_parts(batches, len(rows), folder, apart, LexicalEmbedder()).equals(whole)


@settings(max_examples=40, deadline=None)
@given(ROWS)
def test_a_gate_has_one_name_and_lies_in_one_part(
    tmp_path_factory: pytest.TempPathFactory, rows: list[DedupRow]
) -> None:
    frame = frame_of(rows)
    named = dict(zip([r.id for r in rows], gate_names(frame).to_list(), strict=True))
    needs = {r.id: r.need or r.text for r in rows}
    for one in rows:
        for other in rows:
            if one.need and other.need:
                assert (named[one.id] == named[other.id]) == (needs[one.id] == needs[other.id])
    written = split([frame], tmp_path_factory.mktemp("split"), 3) if rows else []
    found = [pl.concat([pl.read_ipc(f) for f in part.files]) for part in written]
    assert sorted(i for part in found for i in part["id"]) == sorted(r.id for r in rows)
    where = {named[i]: {n for n, p in enumerate(found) if i in p["id"].to_list()} for i in named}
    assert all(len(places) == 1 for places in where.values())


def test_plans_and_arguments_are_compared_as_values() -> None:
    frame = pl.DataFrame(
        {
            "trajectory_id": ["a", "b", "c", "d"],
            "query": ["가"] * 4,
            "plan": ['{"b": 1, "a": [2]}', ' {"a":[2],"b":1}', "apt_trades", None],
            "arguments": ['{"x": 1, "y": {"z": "강남"}}', '{"y":{"z":"강남"},"x":1}', "lawd=11680", "lawd=11680"],
        }
    )
    rows = imported(frame)
    assert rows["plan"][0] == rows["plan"][1] != rows["plan"][2]
    assert rows["args"][0] == rows["args"][1] != rows["args"][2]
    assert rows["values"].to_list()[:3] == [["x=1", "y.z=강남"], ["x=1", "y.z=강남"], ["lawd=11680"]]
    assert rows.row(3)[2:4] == (None, None)
    nested = frame.with_columns(arguments=pl.Series([{"x": 1, "y": 2}] * 4))
    assert json.loads(imported(nested)["args"][0]) == {"x": 1, "y": 2}
    with pytest.raises(UsageError, match="column query is missing; there are trajectory_id"):
        imported(frame.select("trajectory_id"))


CALLS = st.lists(
    st.tuples(st.sampled_from("AB"), st.sampled_from(["강남", "강북"]), st.integers(-1, 5)), min_size=1, max_size=5
)


def _calls(drawn: list[tuple[str, str, int]], names: list[str]) -> list[dict[str, object]]:
    """Calls of which each may take a value from one before it."""
    found: list[dict[str, object]] = []
    for place, (tool, value, source) in enumerate(drawn):
        bound = [{"parameter": "code", "call": names[source], "path": "r[0].c"}] if 0 <= source < place else []
        found.append({"id": names[place], "tool": tool, "arguments": {"region": value}, "references": bound})
    return found


@settings(deadline=None)
@given(CALLS, st.data())
def test_call_graphs_have_one_key_whatever_ids_and_order(
    drawn: list[tuple[str, str, int]], data: st.DataObject
) -> None:
    calls = _calls(drawn, [f"c{i}" for i in range(5)])
    other = data.draw(st.permutations(_calls(drawn, [f"step {9 - i}" for i in range(5)])))
    assert calls_keys(other) == calls_keys(calls) is not None
    swapped = [("강북" if value == "강남" else "강남") for _, value, _ in drawn]
    moved = _calls([(t, v, s) for (t, _, s), v in zip(drawn, swapped, strict=True)], [f"c{i}" for i in range(5)])
    keys, changed = calls_keys(calls), calls_keys(moved)
    assert keys and changed
    assert keys.plan == changed.plan
    if sorted((t, v) for t, v, _ in drawn) != sorted((t, v) for (t, _, _), v in zip(drawn, swapped, strict=True)):
        assert keys.arguments != changed.arguments


def test_calls_of_messages_are_read_and_circles_are_not() -> None:
    first = {"id": "a", "function": {"name": "find", "arguments": '{"q": "강남"}'}}
    second = {"id": "b", "function": {"name": "show", "arguments": '{"code": "$a.records[0].code"}'}}
    again = {"id": "zz", "function": {"name": "show", "arguments": '{"code": "$x.records[0].code"}'}}
    assert calls_keys([first, second]) == calls_keys([again, {**first, "id": "x"}])
    assert calls_keys([first, {**second, "id": "a"}]) is None
    assert calls_keys([{**second, "id": "a"}]) is None
    assert calls_keys([]) is None
    assert calls_keys(["text"]) is None


BAD = {
    "empty_text": ["", "  ", "?!…", "\u200b", "😀", None],
    "too_short": ["집"],
    "too_long": ["가나 " * 1000],
    "malformed": ["{region}의 날씨 알려줘", "날씨 \ufffd 알려줘", "undefined 날씨를 알려줘", "강남구(으)로 알려줘"],
    "personal_data": ["010-1234-5678로 알려줘", "801010-1234567 조회", "a.b@mail.co.kr 로 보내줘"],
    "leaked_code": ["items[0].name을 알려줘", "$c1.code로 찾아줘", "줄<br>바꿈 알려줘"],
    "leaked_name": ["getRTMSDataSvcAptTrade로 찾아줘", "lawd_cd 11680 알려줘"],
    "wrong_language": ["What is the weather in Seoul today?"],
}


def test_every_rule_has_its_reason_and_d02_empty_texts_never_reach_dedup() -> None:
    said = [(reason, text) for reason, texts in BAD.items() for text in texts]
    good = ["오늘 날씨", "YouTube와 iPhone 관련 청원을 알려줘", "2024년 1~3월 강남구 아파트 실거래가 평균은?"]
    texts = [*(text for _, text in said), *good]
    frame = pl.DataFrame({"id": [str(i) for i in range(len(texts))], "text": texts})
    found = quality_rejects(frame, QualityRules(language="ko"))
    assert found["id"].to_list() == [str(i) for i in range(len(said))]
    assert found["reason"].to_list() == [reason for reason, _ in said]
    assert found["detail"].null_count() == 0
    more = pl.DataFrame(
        {"id": ["a", "b"], "text": ["날씨는?"] * 2, "answer": ["", "맑음"], "today": ["2026-01-01", "2025-01-01"]}
    )
    told = quality_rejects(more, QualityRules(stale_before=date(2025, 6, 1)))
    assert told.select("id", "reason").rows() == [("a", "unanswerable"), ("b", "stale")]


def _file(folder: Path, **columns: list[object]) -> Path:
    pl.DataFrame({"trajectory_id": [f"t{i}" for i in range(len(columns["query"]))], **columns}).write_parquet(
        folder / "rows.parquet"
    )
    return folder / "rows.parquet"


def test_the_command_publishes_what_went_and_keeps_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    day = "오늘 날씨"
    path = _file(
        tmp_path, query=[*([day] * 50), "", None, "강남구 평균 집값", "강남구의 평균 집값은?"], note=list(range(54))
    )
    out = tmp_path / "clean.parquet"
    assert main(["dedup", str(path), "--outputs", str(tmp_path / "o"), "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["rows"], told["kept"], told["without_plan"]) == (54, 3, 52)
    assert told["dropped"] == {"exact": 49, "empty_text": 2}  # D03: one of fifty copies stays
    assert pl.read_parquet(out)["note"].to_list() == [0, 52, 53]
    store = Store(tmp_path / "o")
    gone = store.rows("duplicates")
    assert {(r["duplicate_of"], r["method"], r["similarity"], r["unverified_gate"]) for r in gone} == {
        ("t0", "exact", 1.0, True)
    }
    assert [(r["item_id"], r["reason"]) for r in store.rows("rejects")] == [
        ("t50", "empty_text"),
        ("t51", "empty_text"),
    ]
    ledger = store.rows("stage_ledger")[0]
    assert (ledger["rows_in"], ledger["rows_out"]) == (54, 3)


def test_wrong_files_are_one_clear_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.parquet").write_text("no")
    twice = tmp_path / "twice.parquet"
    pl.DataFrame({"trajectory_id": ["a", "a"], "query": ["가나다", "라마바"]}).write_parquet(twice)
    none = tmp_path / "none.parquet"
    pl.DataFrame({"trajectory_id": ["a", None], "query": ["가나다", "라마바"]}).write_parquet(none)
    bare = tmp_path / "bare.parquet"
    pl.DataFrame({"id": ["a"]}).write_parquet(bare)
    for path, line in (
        (tmp_path / "x.parquet", "is not a Parquet file"),
        (twice, "the id 'a' comes 2 times"),  # D12
        (none, "1 rows have no trajectory_id"),
        (bare, "the column trajectory_id is missing; there are id"),
    ):
        assert main(["dedup", str(path), "--outputs", str(tmp_path / "o")]) == 2
        said = capsys.readouterr().err
        assert line in said
        assert said.count("\n") == 1


def test_survivors_are_the_same_in_ten_orders(tmp_path: Path) -> None:
    """D05."""
    queries = [
        f"{place} {month}월 미세먼지 농도를 {end}"
        for place in ("강남구", "서초구")
        for month in (3, 4)
        for end in ("알려줘", "알려줘요")
    ]
    frame = pl.DataFrame(
        {"trajectory_id": [f"t{i}" for i in range(8)], "query": queries, "quality": [float(i % 3) for i in range(8)]}
    )
    found: set[tuple[str, ...]] = set()
    for seed in range(10):
        path = tmp_path / f"{seed}.parquet"
        frame.sample(fraction=1.0, shuffle=True, seed=seed).write_parquet(path)
        found.add(tuple(deduplicate_file(path).kept["id"].to_list()))
    assert len(found) == 1
    assert len(next(iter(found))) == 8 or len(next(iter(found))) == 4


def test_what_evaluation_sets_hold_goes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _file(
        tmp_path,
        query=[
            "강남구 3월 미세먼지 농도를 알려줘",
            "강남구의 3월 미세먼지 농도를 알려 주세요",
            "국회 회의록을 찾아줘",
            "Find me a flight",
        ],
        plan=["air", "air", "bills", "flights"],
        arguments=["3", "3", "x", "y"],
        link_ids=[["l1"], ["l1"], ["l2"], []],
    )
    folder = tmp_path / "sets"
    folder.mkdir()
    lines = [
        {
            "id": "s_0",
            "question": [[{"role": "system", "content": "x"}, {"role": "user", "content": "Find me a flight!"}]],
        }
    ]
    (folder / "BFCL_v4_simple.json").write_text("\n".join([*map(json.dumps, lines), "no json"]))
    held = tmp_path / "held.parquet"
    pl.DataFrame({"task_id": ["h"], "query": ["공기가 어땠지"], "plan": ["air"], "arguments": ["3"]}).write_parquet(
        held
    )
    command = ["dedup", str(path), "--outputs", str(tmp_path / "o"), "--out", str(tmp_path / "c.parquet"), "--json"]
    assert (
        main([*command, "--against", str(folder), "--against", str(held), "--min-diversity", "plans.effective=2"]) == 1
    )
    told = json.loads(capsys.readouterr().out)
    assert told["below_floor"] == ["plans.effective is 1, below 2"]
    assert told["dropped"] == {"contamination": 3}
    store = Store(tmp_path / "o")
    gone = {str(r["trajectory_id"]): (r["duplicate_of"], r["method"]) for r in store.rows("duplicates")}
    leader = ("held.parquet#h", "contamination")
    assert gone == {"t0": leader, "t1": leader, "t3": ("BFCL_v4_simple.json#s_0", "contamination")}
    assert {(r["trajectory_id"], r["how"], r["held_out"]) for r in store.rows("contamination")} == {
        ("t0", "need", str(held)),
        ("t3", "text", str(folder)),
    }
    measured = {(r["subject"], r["measure"]): r["value"] for r in store.rows("diversity")}
    assert measured["links", "distinct"] == 1
    assert pl.read_parquet(tmp_path / "c.parquet")["trajectory_id"].to_list() == ["t2"]
    (tmp_path / "empty").mkdir()
    for source, line in ((tmp_path / "none", "no such file"), (tmp_path / "empty", "holds no request")):
        assert main([*command, "--against", str(source)]) == 2
        assert line in capsys.readouterr().err


def test_bfcl_is_found_where_it_is_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from edge.dedup.corpora import held_out_rows

    with pytest.raises(UsageError, match="bfcl-eval is not installed"):
        held_out_rows("bfcl")
    package = tmp_path / "bfcl_eval"
    (package / "data" / "possible_answer").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('its code is never run')")
    (package / "data" / "possible_answer" / "a.json").write_text('{"id": "a", "ground_truth": [{}]}')
    (package / "data" / "a.json").write_text('{"id": "a", "question": [[{"role": "user", "content": "Hi there"}]]}')
    monkeypatch.syspath_prepend(tmp_path)
    assert held_out_rows("bfcl").select("id", "text").rows() == [("a.json#a", "Hi there")]


def test_links_of_two_sides_are_compared() -> None:
    from edge.dedup.contamination import link_overlap

    assert link_overlap(pl.Series([["a", "b"], ["c"]]), pl.Series([["c", "d"]])) == 0.25
    assert link_overlap(pl.Series([["a"]]), pl.Series([["b"]])) == 0.0
