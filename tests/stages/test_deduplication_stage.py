"""Stage 5 on batches of its own: rules before repeats, leaks, parts that do not show, and floors that hold back."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from edge.datasets.store import Store
from edge.errors import RunError, UsageError
from edge.stages.context import Context
from edge.stages.deduplication import deduplicate_stage, judge_part_stage
from edge.stages.params import Run, StageRef, SynthesizeParams
from edge.stages.publishing import publish_stage

PLACES = ("강남구", "서초구", "송파구", "마포구", "은평구", "노원구")
MADE = ("trajectories", "duplicates", "rejects", "contamination", "diversity", "stage_ledger")


def row(name: str, query: str, *, tool: str = "air", place: str = "", **more: object) -> dict[str, object]:
    calls = json.dumps([{"tool": tool, "arguments": {"place": place or query}}])
    texts: list[str] = []
    return {
        "trajectory_id": name, "query": query, "answer": "12입니다.", "answer_facts": "[]", "messages": "[]",
        "tools": "[]", "golden_calls": calls, "plan": calls, "plan_signature": tool, "junctions": ["SEQ"],
        "domains": texts, "platforms": texts, "n_calls": 1, "depth": 1, "max_parallel": 1, "kind": "positive",
        "difficulty": "easy", "split": "train", "link_ids": [f"{tool}-1"], "today": "2026-06-15",
        "generator": "offline", "run_id": "r",
    } | more  # fmt: skip


ROWS = [
    *(row(f"a{n}", f"{p}의 지난달 미세먼지 농도를 알려줘", place=p) for n, p in enumerate(PLACES)),
    *(row(f"b{n}", f"{p}의  지난달 미세먼지 농도를 알려 줘!", place=p) for n, p in enumerate(PLACES)),
    *(row(f"c{n}", f"{p}에서 열리는 축제를 모두 찾아줘", tool="festival", place=p) for n, p in enumerate(PLACES)),
    row("d1", "getFestivalList 결과를 보여줘", tool="getFestivalList"),
    row("d2", "010-1234-5678로 전화한 기록을 찾아줘", tool="calls"),
    row("d3", "Please list every festival of this month", tool="festival"),
    row("d4", "이번 주 날씨를 알려줘", tool="weather", answer=" "),
    row("d5", "?!…", tool="weather"),
]


def run_in(outputs: Path, **more: object) -> Run:
    now = datetime(2026, 6, 15, tzinfo=UTC)
    return Run(
        run_id="0123456789abcdef", version="v20260615T000000Z-01234567", url="", own_sandbox=True, now=now,
        started_at=now, spec_hash="s", prompt_hash="p",
        params=SynthesizeParams.model_validate({"outputs": outputs, **more}),
    )  # fmt: skip


def batches_of(run: Run, rows: list[dict[str, object]], size: int) -> list[StageRef]:
    context = Context(run)
    cut = [rows[start : start + size] for start in range(0, len(rows), size)]
    return [
        context.finish("trajectories", context.key("trajectories", n=n, size=size), {"trajectories": part}, 0.0,
                       {"trajectories": len(part)})
        for n, part in enumerate(cut)
    ]  # fmt: skip


def made(run: Run, ref: StageRef) -> dict[str, list[dict[str, object]]]:
    return {name: Context(run).read(ref, name) for name in MADE}


def test_what_breaks_a_rule_goes_before_repeats_and_all_is_counted(tmp_path: Path) -> None:
    run = run_in(tmp_path)
    found = made(run, deduplicate_stage(run, batches_of(run, ROWS, 7)))
    assert {r["item_id"]: r["reason"] for r in found["rejects"]} == {
        "d1": "leaked_name", "d2": "personal_data", "d3": "wrong_language", "d4": "unanswerable", "d5": "empty_text",
    }  # fmt: skip
    assert {r["trajectory_id"]: r["duplicate_of"] for r in found["duplicates"]} == {f"b{n}": f"a{n}" for n in range(6)}
    assert [r["trajectory_id"] for r in found["trajectories"]] == [f"{k}{n}" for k in "ac" for n in range(6)]
    (count,) = found["stage_ledger"]
    assert (count["rows_in"], count["rows_out"]) == (len(ROWS), 12)
    measures = {(r["subject"], r["measure"]): r["value"] for r in found["diversity"]}
    assert (measures["plans", "distinct"], measures["tools", "distinct"], measures["links", "distinct"]) == (2, 2, 2)


@pytest.mark.parametrize("seed", range(4))
def test_parts_order_and_batches_do_not_show(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    whole, apart = run_in(tmp_path / "whole"), run_in(tmp_path / "apart")
    wanted = made(whole, deduplicate_stage(whole, batches_of(whole, ROWS, 100)))
    batches = batches_of(apart, rng.sample(ROWS, len(ROWS)), rng.randint(1, 9))
    rng.shuffle(batches)
    parts = rng.randint(2, 5)
    judged = [judge_part_stage(apart, batches, part, parts) for part in range(parts)]
    assert made(apart, deduplicate_stage(apart, batches, judged[::-1])) == wanted
    assert [judge_part_stage(apart, batches, part, parts) for part in range(parts)] == judged  # done once


def test_what_evaluation_sets_hold_is_not_shipped(tmp_path: Path) -> None:
    held = tmp_path / "held.jsonl"
    lines = [{"id": "h", "query": "강남구의 지난달 미세먼지 농도를 알려줘"}, {"id": "i", "query": "전혀 다른 말"}]
    held.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    run = run_in(tmp_path / "out", against=[str(held)])
    batches = batches_of(run, ROWS, 50)
    first = deduplicate_stage(run, batches)
    found = made(run, first)
    leaks = {f"{k}{n}" for k in "ab" for n in range(6)}  # nearly these words, whatever the place
    assert {r["trajectory_id"] for r in found["duplicates"] if r["method"] == "contamination"} == leaks
    (match,) = [r for r in found["contamination"] if r["how"] == "text"]
    assert (match["trajectory_id"], match["held_out"], match["held_out_id"]) == ("a0", str(held), "held.jsonl#h")
    held.write_text("\n".join(map(json.dumps, lines[1:])), encoding="utf-8")
    assert deduplicate_stage(run, batches).key != first.key  # what was held out then is not what is now
    held.unlink()
    with pytest.raises(UsageError, match="no such file"):
        deduplicate_stage(run, batches)


def test_training_rows_do_not_say_what_the_own_held_out_splits_say(tmp_path: Path) -> None:
    """Splits keep the rows of a plan together, but other plans may be asked for in the same words."""
    rows = [row(f"x{n}", "지난달 미세먼지가 가장 심했던 곳을 알려줘", tool=f"tool{n}") for n in range(40)]
    run = run_in(tmp_path)
    found = made(run, deduplicate_stage(run, batches_of(run, rows, 50)))
    splits = {str(r["split"]) for r in found["trajectories"]}
    assert splits == {"validation", "test"}
    assert {str(r["held_out"]) for r in found["contamination"]} == {"split:validation", "split:test"}
    shipped = {r["trajectory_id"] for r in found["trajectories"]}
    assert {r["duplicate_of"] for r in found["duplicates"]} <= shipped


def test_too_little_diversity_is_not_published(tmp_path: Path) -> None:
    run = run_in(tmp_path, min_diversity=["plans.effective=5", "0.1"])
    survivors = deduplicate_stage(run, batches_of(run, ROWS, 50))
    refs = {name: [survivors] for name in MADE if name != "stage_ledger"}
    with pytest.raises(RunError, match=r"^too little diversity, nothing is published: plans.effective is 2, below 5$"):
        publish_stage(run, refs)
    assert Store(tmp_path).latest("trajectories") is None
    lower = run_in(tmp_path, min_diversity=["plans.effective=2"])
    assert publish_stage(lower, refs).counts["diversity"] > 10
    with pytest.raises(ValueError, match=r"like plans\.effective=40"):
        run_in(tmp_path, min_diversity=["plans.nothing=3"])
