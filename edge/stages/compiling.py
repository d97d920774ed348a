"""What stage 1 made of documents -> rows of its datasets and a table of what became of everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from edge.datasets.ledger import StageCount
from edge.execution.probing import Probed
from edge.specs.compile import CompileReport
from edge.specs.model import Tool
from edge.specs.rows import tool_row
from edge.stages.describing import Described

Rows = Mapping[str, Sequence[Mapping[str, object]]]


@dataclass(frozen=True, slots=True)
class Compiled:
    """A report, and what probing and a model added to its tools."""

    report: CompileReport
    probed: Probed | None = None
    described: Described | None = None

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools in their last form."""
        if self.described is not None:
            return self.described.tools
        return self.probed.tools if self.probed is not None else self.report.tools

    def with_probe(self, probed: Probed) -> Compiled:
        """Return this with the outputs that answers showed."""
        return replace(self, probed=probed)

    def with_descriptions(self, described: Described) -> Compiled:
        """Return this with the descriptions that a model wrote."""
        return replace(self, described=described)

    def rows(self, run_id: str) -> dict[str, list[Mapping[str, object]]]:
        """Return the rows of `tools`, `rejects`, `spec_notices`, `spec_differences` and `stage_ledger`.

        A description that a model could not improve is a notice: the tool is there, with its document's words.
        """
        skipped = self.report.skipped
        count = StageCount.of(
            "spec_compilation", len(self.report.tools) + len(skipped), Counter(skip.reason for skip in skipped)
        )
        return {
            "tools": [tool_row(tool) for tool in self.tools],
            "rejects": [
                {
                    "stage": "spec_compilation",
                    "item_id": f"{skip.file}#{skip.operation}",
                    "reason": skip.reason,
                    "detail": skip.detail,
                    "run_id": run_id,
                }
                for skip in skipped
            ],
            "spec_notices": [{**notice, "run_id": run_id} for notice in self._notices()],
            "spec_differences": [*self.probed.rows(run_id)] if self.probed else [],
            "stage_ledger": [count.row(run_id)],
        }

    def _notices(self) -> list[dict[str, object]]:
        found: list[dict[str, object]] = [
            {"spec_file": n.file, "operation": n.operation, "kind": n.kind, "detail": n.detail}
            for n in self.report.notices
        ]
        files = {tool.tool_id: tool.spec_file for tool in self.report.tools}
        for tool_id, reason, detail in self.described.kept if self.described else ():
            row = {"spec_file": files[tool_id], "operation": tool_id, "kind": "description_kept"}
            found.append({**row, "detail": f"{reason}: {detail}"})
        return found


def table_of(rows: Rows, *, files: int, operations: int) -> list[dict[str, object]]:
    """Return the report on a compilation as rows of "what", "name" and "count", the most frequent first in each kind.

    Every operation is a tool or skipped. Tools that may change state and tools whose outputs nobody knows count twice.
    """
    tools, skipped = rows["tools"], [row for row in rows["rejects"] if row["stage"] == "spec_compilation"]
    counted: list[tuple[str, str]] = [("tools", str(row["platform"])) for row in tools]
    counted += [("tools that may change state", str(row["platform"])) for row in tools if row["read_only"] is False]
    counted += [("tools of unknown outputs", str(row["platform"])) for row in tools if row["outputs"] == "[]"]
    counted += [("skipped", str(row["reason"])) for row in skipped]
    counted += [("notices", str(row["kind"])) for row in rows["spec_notices"]]
    counted += [("differences", str(row["kind"])) for row in rows["spec_differences"]]
    order = list(dict.fromkeys(what for what, _ in counted))
    ranked = sorted(Counter(counted).items(), key=lambda item: (order.index(item[0][0]), -item[1], item[0][1]))
    head = [("files", "", files), ("operations", "", operations)]
    return [
        {"what": what, "name": name, "count": number}
        for what, name, number in (*head, *((what, name, number) for (what, name), number in ranked))
    ]
