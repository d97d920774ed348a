"""A small platform on loopback that can change between two runs, its documents, and exploring it with the stages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from wireserver import Reply, Seen

from edge.datasets.manifests import Manifest
from edge.datasets.store import Store
from edge.stages.link_exploration import explore_batch
from edge.stages.params import Run, RunSummary, StageRef, SynthesizeParams
from edge.stages.publishing import publish_stage
from edge.stages.spec_compilation import compile_stage, propose_stage
from edge.stages.start import start_run

PROFILE = """
platform: offices
title: 관청
hosts: [api.offices.example]
auth: {parameter: serviceKey, location: query, env: EDGE_KEY_OFFICES}
envelope:
  records: [items]
  total: [total]
  code: [code]
  message: [message]
  success: ["00"]
  codes:
    - {code: "03", outcome: empty, reason: no_data}
    - {code: "12", outcome: structural, reason: unknown_operation}
"""
REGIONS = """
services:
  - service: regions
    provider: 관청
    domain: administration
    base_url: https://api.offices.example/v1
    operations:
      - key: regions.list
        path: /regions
        title: 지역 목록
        description: 지역코드와 지역명을 모두 준다.
        noun: 지역
        name_field: regionNm
        outputs:
          - {path: regionCd, label: 지역코드, kind: code, format: "5"}
          - {path: regionNm, label: 지역명, kind: name}
"""
OFFICES = """
services:
  - service: offices
    provider: 관청
    domain: administration
    base_url: https://api.offices.example/v1
    operations:
      - key: offices.list
        path: /offices
        title: 관청 목록
        description: 지역코드로 그 지역의 관청을 찾아 관청번호를 준다.
        noun: 관청
        name_field: officeNm
        parameters:
          - {name: regionCd, label: 지역코드, description: 5자리 지역코드, kind: code, format: "5", required: true}
        outputs:
          - {path: officeNo, label: 관청번호, kind: code, format: "7"}
          - {path: officeNm, label: 관청명, kind: name}
          - {path: floors, label: 층수, kind: count, type: integer}
      - key: offices.detail
        path: /detail
        title: 관청 정보
        description: 관청번호로 관청 하나의 주소를 준다.
        noun: 관청 정보
        name_field: officeNm
        parameters:
          - {name: officeNo, label: 관청번호, description: 7자리 관청번호, kind: code, format: "7", required: true}
        outputs:
          - {path: officeNo, label: 관청번호, kind: code, format: "7"}
          - {path: officeNm, label: 관청명, kind: name}
          - {path: address, label: 주소, kind: address}
"""
DAY = date(2026, 6, 15)


@dataclass
class Platform:
    """Answers regions, offices of a region, and one office; `change` and `retired` are what a test does to it.

    An operation that is retired is answered as unknown; "down" among them takes the whole platform down.
    """

    asked: Counter[str] = field(default_factory=Counter[str])
    targets: Counter[str] = field(default_factory=Counter[str])
    change: dict[str, Any] = field(default_factory=dict[str, Any])
    retired: set[str] = field(default_factory=set[str])

    def __call__(self, seen: Seen) -> Reply:
        path, query = seen.target.partition("?")[0].rpartition("/")[2], seen.query
        self.asked[path] += 1
        self.targets[seen.target] += 1
        if "down" in self.retired:
            return Reply(b"", status=500)
        if path in self.retired:
            return Reply({"code": "12", "message": "NO OPENAPI SERVICE", "items": []})
        items = self._items(path, query)
        return Reply({"code": "00" if items else "03", "message": "", "items": items, "total": len(items)})

    def _items(self, path: str, query: dict[str, str]) -> list[dict[str, Any]]:
        if path == "regions":
            return [{"regionCd": f"{11000 + 7 * n}", "regionNm": f"지역{n}"} for n in range(12)]
        if path == "offices" and query.get("regionCd", "").startswith("11"):
            return [{**one, **self.change} for one in self._offices(int(query["regionCd"]))]
        number = query.get("officeNo", "")
        if path == "detail" and number.startswith("11"):
            return [{"officeNo": number, "officeNm": "관청", "address": f"세종대로 {number[-2:]}"}]
        return []

    def _offices(self, region: int) -> Iterator[dict[str, Any]]:
        for n in range(6):
            yield {"officeNo": f"{region}{n:02}", "officeNm": f"관청{region}-{n}", "floors": n}


def documents(folder: Path) -> Path:
    """Write the platform's documents and return their folder."""
    folder.mkdir(parents=True)
    for name, text in (("profile.yaml", PROFILE), ("regions.yaml", REGIONS), ("offices.yaml", OFFICES)):
        (folder / name).write_text(text, "utf-8")
    return folder


@dataclass(frozen=True)
class Explored:
    """What came of exploring."""

    run: Run
    batches: list[StageRef]
    summary: RunSummary

    def links(self) -> dict[str, dict[str, Any]]:
        """Return the published rows by "source -> target (path)"."""
        rows = Store(self.run.params.outputs).rows("links", self.summary.version)
        return {self._name(row): dict(row) for row in rows}

    def rows(self, dataset: str) -> list[dict[str, Any]]:
        return [dict(row) for row in Store(self.run.params.outputs).rows(dataset, self.summary.version)]

    def parts(self) -> dict[str, list[str]]:
        """Return the names of the published parts: hashes of their bytes."""
        folders = self.run.params.outputs.glob(f"*/version={self.summary.version}")
        return {m.dataset: [part.path for part in m.parts] for m in map(Manifest.load, folders)}

    def _name(self, row: Any) -> str:
        paths = "+".join(sorted(b["source_path"] for b in _json(row["bindings"])))
        source, target = (str(row[end]).rpartition("offices_")[2] for end in ("source_tool", "target_tool"))
        return f"{source} -> {target} ({paths})"


def _json(text: object) -> list[dict[str, str]]:
    return json.loads(str(text))


async def explored(specs: Path | Sequence[Path], outputs: Path, url: str, **more: Any) -> Explored:
    """Compile, propose, explore in batches, publish: the order of flows/explore_links.py."""
    values: dict[str, Any] = {"iterations": 6, "paths": 4, "rounds_a_batch": 2, "links": "latest", "today": DAY}
    listed = [specs] if isinstance(specs, Path) else list(specs)
    params = SynthesizeParams(**{"specs": listed, "outputs": outputs, "endpoint": url, **values, **more})
    run = await start_run(params, url, own_sandbox=True)
    tools, candidates = await compile_stage(run), await propose_stage(run)
    batches = [await explore_batch(run, 0)]
    while not batches[-1].figures["done"]:
        batches.append(await explore_batch(run, len(batches)))
    last = batches[-1:]
    refs = {
        "tools": [tools], "links": last, "value_pool": last, "tool_shapes": last, "outcomes": batches,
        "rejects": [tools, candidates, *batches],
    }  # fmt: skip
    return Explored(run, batches, publish_stage(run, refs))
