"""`edge links`: what a tool is linked with, on the terminal and as JSON, and the graph as files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "reports"))

from reportworld import CITY, LINKS, MAYBE, NEW, OLD, learned, publish

from edge import cli


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("links")
    publish(folder, OLD, [CITY])
    publish(folder, NEW)
    return folder


def edge(*arguments: str | Path) -> int:
    return cli.main([str(each) for each in arguments])


def test_show_prints_both_directions_with_what_is_known(outputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert edge("links", "show", "getStopList", "--outputs", outputs) == 0
    shown = capsys.readouterr().out
    into, out_of = shown.split("feeds: ")
    assert "fed by: 1 verified, 1 candidate" in into
    assert out_of.startswith("1 verified")
    row = next(line for line in into.splitlines() if "citycode" in line)
    for said in (
        "plain_cities",
        "cityCode through pad:5",
        "verified",
        "0.80 [0.",
        "17 (max 17)",
        "2026-06-15",
        "because",
    ):
        assert said in row, row
    assert "other_stops" in out_of


def test_show_narrowed_by_state_and_version(outputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert edge("links", "show", "plain_stops", "--status", "candidate", "--outputs", outputs) == 0
    shown = capsys.readouterr().out
    assert "fed by: 1 candidate" in shown
    assert "feeds: no links" in shown
    assert edge("links", "show", "plain_stops", "--version", OLD, "--outputs", outputs) == 0
    assert "fed by: 1 verified\n" in capsys.readouterr().out


def test_show_as_json(outputs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert edge("links", "show", "Plain.getStopList", "--json", "--outputs", outputs) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["tool"]["tool_id"] == "plain_stops"
    assert [each["key"] for each in shown["fed_by"]] == [CITY.link.link_id, MAYBE.link.link_id]
    assert [each["target"] for each in shown["feeds"]] == ["other_stops"]


def test_a_long_list_is_cut_unless_all_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many = [learned("plain_cities", "plain_stops", "candidate", (f"field{n:02}", "q")) for n in range(25)]
    publish(tmp_path, links=many)
    assert edge("links", "show", "plain_stops", "--outputs", tmp_path) == 0
    shown = capsys.readouterr().out
    assert shown.count("→ q") == 20
    assert "... 5 more; --full lists all" in shown
    assert edge("links", "show", "plain_stops", "--full", "--outputs", tmp_path) == 0
    assert capsys.readouterr().out.count("→ q") == 25


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "stops"), "stops is part of 2 tools: other_stops, plain_stops"),
        (("show", "getStopLits"), "near it are plain_stops"),
        (("show", "plain_stops", "--version", "v1"), "holds no links of version v1"),
        (("export", "--format", "json", "--out", "x.json", "--platform", "plane"), "no platform plane"),
        (("export", "--format", "json", "--out", "x.json", "--tool", "stops"), "is part of 2 tools"),
        (("show", "plain_stops", "--outputs", "nowhere"), "nowhere is not a folder of outputs"),
    ],
)
def test_what_is_wrong_is_one_line(
    outputs: Path, arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    where = () if "--outputs" in arguments else ("--outputs", outputs)
    assert edge("links", *arguments, *where) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert len(captured.err.splitlines()) == 1
    assert captured.out == ""
    assert not Path("x.json").exists()


@pytest.mark.parametrize("form", ["json", "graphml", "html"])
def test_export_writes_verified_links_alone_unless_told(
    outputs: Path, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "made" / f"graph.{form}"
    assert edge("links", "export", "--format", form, "--out", out, "--outputs", outputs) == 0
    assert f"2 links between 3 tools in {out}" in capsys.readouterr().out
    text = out.read_text(encoding="utf-8")
    assert "cityCode" in text
    assert "cityname" not in text
    assert edge("links", "export", "--format", form, "--out", out, "--status", "all", "--outputs", outputs) == 0
    assert f"{len(LINKS)} links" in capsys.readouterr().out
    assert "cityname" in out.read_text(encoding="utf-8")


def test_export_of_the_neighbourhood_of_a_tool(outputs: Path, tmp_path: Path) -> None:
    out = tmp_path / "near.json"
    near = ("--tool", "getCityList", "--outputs", outputs)
    assert edge("links", "export", "--format", "json", "--out", out, *near) == 0
    assert len(json.loads(out.read_text(encoding="utf-8"))["links"]) == 1
    assert edge("links", "export", "--format", "json", "--out", out, "--depth", "2", *near) == 0
    assert len(json.loads(out.read_text(encoding="utf-8"))["links"]) == 2
