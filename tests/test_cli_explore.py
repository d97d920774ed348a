"""From which graph `edge explore` and `edge synthesize` start, as told on the command line and in the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from edge import cli
from edge.cli import build_parser
from edge.commands.defaults import load_settings, parameters
from edge.stages.params import ExploreParams, SynthesizeParams


def explore(*options: str) -> ExploreParams:
    return parameters(ExploreParams, build_parser().parse_args(["explore", *options]), load_settings())


def synthesize(*options: str) -> SynthesizeParams:
    return parameters(SynthesizeParams, build_parser().parse_args(["synthesize", *options]), load_settings())


def test_exploring_goes_on_and_synthesizing_starts_over_unless_told_otherwise() -> None:
    assert (explore().links, explore("--fresh").links, explore("--links", "v1").links) == ("latest", "none", "v1")
    assert (synthesize().links, synthesize("--links", "latest").links) == ("none", "latest")
    assert (explore().resume, explore("--resume").resume) == (False, True)


def test_how_evidence_ages_is_told_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (explore().half_life_days, explore().stale_days) == (30.0, 14.0)
    monkeypatch.setenv("EDGE_FRESHNESS_HALF_LIFE_DAYS", "7")
    monkeypatch.setenv("EDGE_FRESHNESS_STALE_DAYS", "2.5")
    assert (explore().half_life_days, synthesize().stale_days) == (7.0, 2.5)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["explore", "--links", "v20200101T000000Z-a"], "holds no version 'v20200101T000000Z-a' of links"),
        (["synthesize", "--links", "nothing"], "there is none; run: edge explore"),
    ],
)
def test_links_that_are_not_there_are_one_line_and_nothing_is_begun(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outputs = tmp_path / "out"
    assert cli.guarded(lambda: cli.main([*arguments, "--outputs", str(outputs)])) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert not outputs.exists()


def test_fresh_and_links_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main(["explore", "--fresh", "--links", "latest"])
    assert stopped.value.code == 2
    assert "--links" in capsys.readouterr().err
