"""What a run of the exploration has taught is said in numbers that add up with the datasets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from graphworld import OFFICES, Explored, Platform, documents, explored
from wireserver import Server, serving

from edge.commands.summary import print_links
from edge.settings import Settings
from edge.stages.learned import Learned, lesson_lines, lesson_table, what_was_learned


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[tuple[Platform, Server, Path]]:
    platform = Platform()
    documents(tmp_path / "specs" / "offices")
    async with serving(platform) as server:
        yield platform, server, tmp_path


async def once(world: tuple[Platform, Server, Path]) -> tuple[Explored, Learned]:
    platform, server, folder = world
    platform.asked.clear()
    done = await explored(folder / "specs" / "offices", folder / "out", server.base)
    return done, what_was_learned(done.run.params.outputs, done.summary.version)


async def test_a_first_run_says_what_it_found_and_what_it_cost(world: tuple[Platform, Server, Path]) -> None:
    done, learned = await once(world)
    one = learned.all
    assert (learned.started_from, one.before.total(), dict(one.after)) == ("", 0, {"verified": 2})
    assert (one.verified, one.proven, one.pruned, one.lost) == (2, 2, 0, 0)
    assert one.calls == sum(world[0].asked.values()) == len(done.rows("outcomes"))
    assert one.calls_per_link == one.calls / 2
    lines = lesson_lines(learned)
    assert lines[:4] == [
        f"version       {done.summary.version}",
        "started from  nothing",
        "links         0 candidate, 2 verified, 0 pruned",
        "learned       2 newly verified, 0 newly pruned, 0 no longer verified",
    ]
    assert f"calls         {one.calls}, {one.calls / 2:.1f} for each of 2 links proven" in lines
    assert list(learned.platforms) == ["offices"]


async def test_what_was_never_tried_is_told_with_the_reason(world: tuple[Platform, Server, Path]) -> None:
    """Without regions nothing is reached; with one call for them the links that start there are beyond the budget."""
    _, server, folder = world
    few = Settings.model_validate({}).exploration.model_copy(update={"max_calls": 1})
    for name, retired, counts in (("lost", {"regions"}, (0, 2)), ("few", set[str](), (1, 1))):
        world[0].retired = retired
        done = await explored(
            folder / "specs" / "offices", folder / name, server.base, exploration=few, links="none", iterations=3
        )
        learned = what_was_learned(done.run.params.outputs, done.summary.version)
        one, tried = learned.all, sum(1 for row in done.rows("links") if row["last_executed_at"])
        assert one.untried + one.unreached + tried == one.after.total() == 2
        assert (one.untried, one.unreached) == counts, name
        (line,) = (x for x in lesson_lines(learned) if x.startswith("never tried"))
        assert f"{one.untried + one.unreached}: {one.unreached} whose source gave no records" in line


async def test_a_later_run_says_what_moved_and_why(
    world: tuple[Platform, Server, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    first, _ = await once(world)
    world[0].retired.add("detail")
    world[0].change["floors"] = "셋"
    done, learned = await once(world)
    one = learned.all
    assert learned.started_from == first.summary.version
    assert (dict(one.before), dict(one.after)) == ({"verified": 2}, {"verified": 1, "candidate": 1})
    assert (one.verified, one.lost, one.proven, one.unserved) == (0, 1, 1, ["offices_detail"])
    why = "shape of offices_list: floors was number and is text"
    assert one.reopened.total() == 2
    assert why in one.reopened
    (row,) = lesson_table(learned)
    assert (row["verified"], row["open"], row["reopened"], row["not served"]) == ("1 (-1)", "1 (+1)", "2", "1")
    print_links(done.run.params.outputs, done.summary.version)
    shown = capsys.readouterr().out
    assert "links         1 (+1) candidate, 1 (-1) verified, 0 pruned" in shown
    assert "learned       0 newly verified, 0 newly pruned, 1 no longer verified" in shown
    assert "reopened      2 links" in shown
    assert why in shown
    assert "not served    1 tools: offices_detail" in shown
    assert "left alone    no platform" in shown
    assert max(map(len, shown.splitlines()[:-1])) <= 120


async def test_dropped_links_and_outages_are_told(world: tuple[Platform, Server, Path]) -> None:
    await once(world)
    (world[2] / "specs" / "offices" / "offices.yaml").unlink()
    _, learned = await once(world)
    assert learned.gone == {"tool_gone": 2}
    assert learned.all.calls_per_link is None
    assert "dropped       2 links" in lesson_lines(learned)
    (world[2] / "specs" / "offices" / "offices.yaml").write_text(OFFICES, "utf-8")
    world[0].retired.add("down")
    _, learned = await once(world)
    assert learned.all.failed == {"server_error": learned.all.calls}
    assert lesson_table(learned)[0]["failed"] == f"server_error {learned.all.calls}"


async def test_a_platform_that_was_left_alone_is_named(
    world: tuple[Platform, Server, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGE_EXECUTION_PER_DAY", '{"offices": 3}')
    done, learned = await once(world)
    held = [row for row in done.rows("outcomes") if row["reason"] == "quota_parked"]
    assert learned.all.held == {"quota_parked": len(held)} != {"quota_parked": 0}
    assert learned.all.calls == sum(world[0].asked.values()) == 3
    assert "left alone    offices (quota_parked)" in lesson_lines(learned)
    assert lesson_table(learned)[0]["left alone"] == "quota_parked"
