"""A judge is compared with hand-labelled pairs first; what it says of requests changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from batchserver import BatchServer
from hypothesis import given
from hypothesis import strategies as st
from llmserver import ScriptedServer, served_by, serving
from starlette.requests import Request
from starlette.responses import Response

from edge.cli import main
from edge.errors import UsageError
from edge.llm.books import FILE, Books
from edge.reports.judging import CRITERIA, LABELS, LEAST_PAIRS, Agreement, kappa_of, read_labels

VERDICTS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)
BUNDLED = {label.query: label for label in read_labels(LABELS)}


class Judge(ScriptedServer):
    """Judges each request by a rule; in both protocols."""

    rule: Callable[[str], dict[str, bool] | None]

    async def answer(self, request: Request) -> Response:
        body = json.loads(await request.body())
        asked = next(m["content"] for m in body["messages"] if m["role"] == "user")
        query = json.loads(asked.split("<자료>\n")[1].split("\n</자료>")[0])
        verdict = self.rule(query)
        text = "모르겠습니다." if verdict is None else json.dumps({"reason": "까닭", **verdict}, ensure_ascii=False)
        self.script.clear()
        self.openai(text) if "chat" in request.url.path else self.anthropic(text)
        return await super().answer(request)


@pytest.fixture
def server() -> Iterator[Judge]:
    judge = Judge()
    with serving(judge):
        yield judge


def as_people(query: str) -> dict[str, bool]:
    return {c: getattr(BUNDLED[query], c) if query in BUNDLED else True for c in CRITERIA}


def judge(server: Judge, outputs: Path, *more: str, llm: str = "openai") -> int:
    url = server.url + ("/v1" if llm == "openai" else "")
    return main(["judge", "--llm", llm, "--model", "m", "--llm-base-url", url, "--outputs", str(outputs), *more])


@pytest.mark.parametrize("llm", ["openai", "anthropic"])
def test_a_judge_that_agrees_with_people_is_trusted(
    server: Judge, tmp_path: Path, capsys: pytest.CaptureFixture[str], llm: str
) -> None:
    server.rule = as_people
    assert judge(server, tmp_path, llm=llm) == 0
    said = capsys.readouterr().out
    assert said.count(f"{len(BUNDLED)} of {len(BUNDLED)} pairs alike, kappa 1.00") == len(CRITERIA)
    spent = Books(tmp_path / FILE).spent("judge")
    assert spent.turns == len(server.seen) == len(BUNDLED)
    assert judge(server, tmp_path, llm=llm) == 0
    assert len(server.seen) == len(BUNDLED)  # verdicts are kept answers like all others


@pytest.mark.parametrize(
    "rule",
    [
        lambda _: dict.fromkeys(CRITERIA, True),  # praises everything: right more often than not, by chance
        lambda query: {c: not v for c, v in as_people(query).items()},
        lambda query: {**as_people(query), "plausible": True},
        lambda query: as_people(query) if len(query) > 60 else None,  # agrees, on too few
    ],
    ids=["flatterer", "contrarian", "half", "silent"],
)
def test_a_judge_that_does_not_judges_nothing(
    server: Judge, tmp_path: Path, capsys: pytest.CaptureFixture[str], rule: Callable[[str], Any]
) -> None:
    server.rule = rule
    assert judge(server, tmp_path) == 1
    said = capsys.readouterr().out
    assert "not trusted" in said and "{" not in said


def test_verdicts_come_after_trust_and_change_no_file(
    server: Judge, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    server.rule = as_people
    monkeypatch.setattr("edge.commands.judge._queries", lambda *_: ["부산의 병원을 알려 주세요.", "그거 알려 줘."])
    before = sorted(tmp_path.rglob("*.parquet"))
    assert judge(server, tmp_path, "--version", "latest", "--limit", "1") == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert json.loads(last) == {
        "query": "부산의 병원을 알려 주세요.",
        "reason": "까닭",
        **dict.fromkeys(CRITERIA, True),
    }
    assert sorted(tmp_path.rglob("*.parquet")) == before


def test_what_cannot_be_judged_is_one_line(server: Judge, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server.rule = as_people
    assert judge(server, tmp_path, "--version", "v1") == 2
    assert "no version v1" in capsys.readouterr().err
    assert main(["judge", "--outputs", str(tmp_path)]) == 2
    assert "a judge is a model" in capsys.readouterr().err
    bad = tmp_path / "labels.jsonl"
    bad.write_text('{"query": "가", "natural": true, "plausible": true, "unambiguous": true}\n\n{"query": "나"}\n')
    with pytest.raises(UsageError, match="line 3: natural"):
        read_labels(bad)


@given(VERDICTS)
def test_kappa_is_symmetric_bounded_and_one_only_for_agreement(pairs: list[tuple[bool, bool]]) -> None:
    kappa, turned = kappa_of(pairs), kappa_of([(b, a) for a, b in pairs])
    assert (kappa is None) == (turned is None)
    if kappa is None:
        assert len(set(pairs)) == 1 and pairs[0][0] == pairs[0][1]
        return
    assert kappa == pytest.approx(turned)
    assert -1 <= kappa <= 1 + 1e-12
    assert (kappa == pytest.approx(1)) == all(a == b for a, b in pairs)


def test_kappa_of_a_known_table() -> None:
    """20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: 0.4 (the usual textbook table)."""
    pairs = [(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 10 + [(False, False)] * 15
    assert kappa_of(pairs) == pytest.approx(0.4)
    assert kappa_of([]) is None
    assert not Agreement("natural", LEAST_PAIRS - 1, LEAST_PAIRS - 1, 1.0).trusted
    assert Agreement("natural", LEAST_PAIRS, LEAST_PAIRS, 1.0).trusted


def test_the_bundled_labels_are_enough_and_both_kinds_come() -> None:
    assert len(BUNDLED) >= LEAST_PAIRS
    for criterion in CRITERIA:
        yes = sum(getattr(label, criterion) for label in BUNDLED.values())
        assert 5 <= yes <= len(BUNDLED) - 4


@pytest.mark.parametrize("llm", ["openai", "anthropic"])
def test_a_judge_is_asked_in_one_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], llm: str
) -> None:
    table = tmp_path / "mine.yaml"
    table.write_text(f"models: [{{provider: {llm}, match: [m], batch: true}}]\n")
    for name, value in (("MODELS", str(table)), ("BATCH_GATHER_S", "0.5"), ("BATCH_POLL_S", "0.02")):
        monkeypatch.setenv(f"EDGE_LLM_{name}", value)

    def verdict(question: str) -> str:
        query = json.loads(question.split("<자료>\n")[1].split("\n</자료>")[0])
        return json.dumps({"reason": "까닭", **as_people(query)}, ensure_ascii=False)

    with served_by(BatchServer(say=verdict)) as place:
        url = place.url + ("/v1" if llm == "openai" else "")
        asked = ["judge", "--llm", llm, "--model", "m", "--llm-base-url", url, "--outputs", str(tmp_path)]
        assert main([*asked, "--llm-batch"]) == 0
    assert place.sizes == [len(BUNDLED)] and not place.seen
    assert capsys.readouterr().out.count("kappa 1.00") == len(CRITERIA)
