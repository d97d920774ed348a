"""A run goes on from the stored graph: what holds is kept, what has changed is proven anew, what is no more goes."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from graphworld import DAY, OFFICES, Explored, Platform, documents, explored
from wireserver import Server, serving

from edge.datasets.store import Store
from edge.errors import UsageError
from edge.settings import Settings
from edge.stages.context import Context

FIRST, SECOND = "regions_list -> list (regionCd)", "list -> detail (officeNo)"


@dataclass
class World:
    """A platform, its documents, and an outputs folder in which it was explored once."""

    platform: Platform
    server: Server
    specs: Path
    outputs: Path
    first: Explored

    async def again(self, **more: Any) -> Explored:
        """Explore once more from what is stored."""
        self.platform.asked.clear()
        return await explored(self.specs, self.outputs, self.server.base, **more)

    def edit(self, old: str, new: str) -> None:
        assert old in OFFICES
        (self.specs / "offices.yaml").write_text(OFFICES.replace(old, new), "utf-8")


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    platform, specs = Platform(), documents(tmp_path / "specs" / "offices")
    async with serving(platform) as server:
        first = await explored(specs, tmp_path / "out", server.base)
        made = World(platform, server, specs, tmp_path / "out", first)
        assert states(first) == {FIRST: "verified", SECOND: "verified"}
        assert first.run.graph == ""
        yield made


def states(done: Explored) -> dict[str, str]:
    return {name: row["status"] for name, row in done.links().items()}


def told(done: Explored, name: str) -> dict[str, Any]:
    return json.loads(done.links()[name]["evidence"])


async def test_evidence_goes_on_from_what_is_stored(world: World) -> None:
    before = world.first.links()
    done = await world.again()
    after = done.links()
    assert (done.run.graph, done.run.run_id != world.first.run.run_id) == (world.first.summary.version, True)
    for name in (FIRST, SECOND):
        run = told(done, name)
        assert after[name]["successes"] == before[name]["successes"] + run["successes"]
        assert (run["successes"] > 0, run["reopened"]) == (True, "")  # each tool is reached once in every run
        assert after[name]["alpha"] == pytest.approx(before[name]["alpha"] + run["successes"])
    manifest = Store(world.outputs).manifest("links", done.summary.version)
    assert manifest.parents == {"links": world.first.summary.version, "tools": done.summary.version}


async def test_a_run_can_start_over_and_from_a_version(world: World) -> None:
    fresh = await world.again(links="none")
    assert (fresh.run.run_id, fresh.run.graph) == (world.first.run.run_id, "")
    assert fresh.parts()["links"] == world.first.parts()["links"]
    named = await world.again(links=world.first.summary.version)
    assert named.run.graph == world.first.summary.version
    with pytest.raises(UsageError, match=r"holds no version 'v1' of links: the newest is v\d"):
        await world.again(links="v1")


async def test_the_same_graph_and_seed_give_the_same_bytes(world: World, tmp_path: Path) -> None:
    shutil.copytree(world.outputs, tmp_path / "copy")
    one = await world.again()
    other = await explored(world.specs, tmp_path / "copy", world.server.base)
    assert other.run.run_id == one.run.run_id
    assert {k: v for k, v in other.parts().items() if k != "runs"} == {
        k: v for k, v in one.parts().items() if k != "runs"
    }
    third = await world.again()
    assert third.run.run_id != one.run.run_id  # it goes on from what the second run has published


async def test_a_replay_starts_from_what_the_recorded_run_started_from(world: World) -> None:
    one = await world.again()
    replayed = await explored(world.specs, world.outputs, "replay")
    assert (replayed.run.run_id, replayed.run.graph) == (one.run.run_id, one.run.graph)
    assert replayed.parts()["links"] == one.parts()["links"]
    assert sum(world.platform.asked.values()) > 0


async def test_another_endpoint_starts_from_nothing_of_this_one(world: World) -> None:
    async with serving(Platform()) as other:
        done = await explored(world.specs, world.outputs, other.base)
        assert done.run.graph == ""
        named = await explored(world.specs, world.outputs, other.base, links=world.first.summary.version)
    for name in (FIRST, SECOND):
        assert named.links()[name]["successes"] == told(named, name)["successes"]
    back = await world.again()
    assert back.run.graph == world.first.summary.version  # the latest of its own endpoint


async def test_weight_halves_with_time_and_counts_stay(world: World) -> None:
    world.platform.retired |= {"regions", "offices", "detail"}  # nothing is learned today
    done = await world.again(today=DAY + timedelta(days=30), half_life_days=30.0)
    before, after = world.first.links()[SECOND], done.links()[SECOND]
    prior = 1 + 2 * before["feasibility"]
    assert after["alpha"] - prior == pytest.approx(0.5 * (before["alpha"] - prior))
    assert told(done, SECOND)["proven_at"] == told(world.first, SECOND)["proven_at"]


async def test_weights_of_evidence_are_the_run_s_from_the_prior_on(world: World) -> None:
    """A run with another strength of priors must not age its evidence, nor propose its links, with the default one."""
    strong = Settings.model_validate({}).exploration.model_copy(update={"prior_strength": 8.0})
    done = await world.again(links="none", exploration=strong)
    context = Context(done.run)
    assert context.exploring.belief.prior_strength == 8.0
    proposed = {row["link_id"]: row for row in context.rows("propose", "links")}
    for row in done.links().values():
        prior = 1.0 + 8.0 * row["feasibility"]
        assert proposed[row["link_id"]]["alpha"] == pytest.approx(prior)
        assert row["alpha"] == pytest.approx(prior + row["successes"])


async def test_what_a_link_does_not_use_may_change(world: World) -> None:
    world.edit("label: 층수", "label: 건물 층수")
    done = await world.again()
    assert [told(done, name)["reopened"] for name in (FIRST, SECOND)] == ["", ""]
    assert done.links()[SECOND]["source_spec_hash"] != world.first.links()[SECOND]["source_spec_hash"]


async def test_a_changed_signature_asks_for_a_new_proof(world: World) -> None:
    world.edit("path: /detail", "path: /v2/detail")
    done = await world.again()
    assert told(done, SECOND)["reopened"] == "signature: address of the target"
    assert told(done, FIRST)["reopened"] == ""
    row = done.links()[SECOND]
    assert (row["status"], row["successes"]) == ("verified", told(done, SECOND)["successes"])
    assert row["first_executed_at"] == world.first.links()[SECOND]["first_executed_at"]


async def test_a_reopened_link_that_cannot_be_proven_is_a_candidate(world: World) -> None:
    world.edit("path: /detail", "path: /v2/detail")
    world.platform.retired.add("regions")  # no records to start from
    row = (await world.again()).links()[SECOND]
    assert (row["status"], row["successes"]) == ("candidate", 0)
    assert row["alpha"] < world.first.links()[SECOND]["alpha"]


async def test_another_shape_of_answers_reopens_the_links_of_the_operation(world: World) -> None:
    world.platform.change["floors"] = "셋"
    done = await world.again()
    why = "shape of offices_list: floors was number and is text"
    assert [told(done, name)["reopened"] for name in (FIRST, SECOND)] == [why, why]
    assert sum(batch.figures["reopened"] for batch in done.batches) == 2
    assert set(states(done).values()) == {"verified"}  # they succeeded anew
    later = await world.again()
    assert [told(later, name)["reopened"] for name in (FIRST, SECOND)] == ["", ""]  # that is how it answers now


async def test_an_operation_that_is_not_served_any_more_verifies_nothing(world: World) -> None:
    world.platform.retired.add("detail")
    done = await world.again()
    assert states(done) == {FIRST: "verified", SECOND: "candidate"}
    assert told(done, SECOND)["reopened"] == "not served: offices_detail"
    (shape,) = (row for row in done.rows("tool_shapes") if row["tool_id"] == "offices_detail")
    assert (shape["served"], shape["records"] > 0) == (False, True)
    world.platform.retired.clear()
    back = await world.again()
    assert states(back) == {FIRST: "verified", SECOND: "verified"}


async def test_links_that_are_no_more_are_rejects_and_new_documents_add_links(world: World) -> None:
    (world.specs / "offices.yaml").unlink()
    gone = await world.again()
    assert gone.links() == {}
    rejects = [r for r in gone.rows("rejects") if r["stage"] == "link_exploration"]
    assert {(r["reason"], r["detail"]) for r in rejects} == {
        ("tool_gone", "offices_regions_list -> offices_list, verified"),
        ("tool_gone", "offices_list -> offices_detail, verified"),
    }
    (row,) = (r for r in gone.rows("stage_ledger") if r["stage"] == "link_exploration")
    assert (row["rows_in"], row["rows_out"], json.loads(row["dropped"])) == (2, 0, {"tool_gone": 2})
    (world.specs / "offices.yaml").write_text(OFFICES, "utf-8")
    back = await world.again()
    assert states(back) == {FIRST: "verified", SECOND: "verified"}
    assert back.run.graph == gone.summary.version


async def test_values_are_kept_where_a_later_run_sees_few(world: World) -> None:
    before = {(r["tool_id"], r["field"], r["value"]) for r in world.first.rows("value_pool")}
    world.platform.retired |= {"offices", "detail"}
    done = await world.again()
    assert before <= {(r["tool_id"], r["field"], r["value"]) for r in done.rows("value_pool")}
