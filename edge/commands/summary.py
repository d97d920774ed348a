"""A finished run -> the few lines that say what came of it, read from the datasets themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

_PLATFORMS = 24  # of a table on a terminal


def print_summary(outputs: Path, version: str) -> None:
    """Print counts of one version and where its datasets are."""
    counts = _Counts(outputs, version)
    links = counts.by("links", "status")
    print(f"version       {version}")
    print(f"tools         {counts.of('tools')}")
    print(f"links         {', '.join(f'{links.get(name, 0)} {name}' for name in ('candidate', 'verified', 'pruned'))}")
    print(f"requests      {counts.of('user_tasks')}")
    print(f"trajectories  {counts.of('trajectories')}")
    for kind, number in counts.by("trajectories", "kind").items():
        print(f"  {number:>6}  {kind}")
    print(f"duplicates    {counts.of('duplicates')}")
    print(f"rejects       {counts.of('rejects')}")
    for reason, number in counts.by("rejects", "stage || ': ' || reason").items():
        print(f"  {number:>6}  {reason}")
    print_calls(outputs, version)
    print(f"catalog       {outputs / 'edge.duckdb'}")


def print_calls(outputs: Path, version: str) -> None:
    """Print how many calls each platform answered, and why it refused or failed the others."""
    from edge.datasets.calls import calls_by_platform

    platforms = calls_by_platform(outputs, version)
    print(f"calls         {sum(platform.calls for platform in platforms)}")
    for platform in platforms:
        ended = [
            f"{number} {outcome}{f' ({said})' if (said := platform.say(outcome)) else ''}"
            for outcome, number in platform.ended.items()
            if number
        ]
        print(f"  {platform.calls:>6}  {platform.platform}: {', '.join(ended)}")


def print_links(outputs: Path, version: str) -> None:
    """Print what exploring has taught: in all, then by platform, the one with the most calls first."""
    from edge.stages.learned import lesson_lines, lesson_table, what_was_learned

    learned = what_was_learned(outputs, version)
    print("\n".join(lesson_lines(learned)))
    rows = lesson_table(learned)
    for line in columns(rows[:_PLATFORMS]):
        print(f"  {line}")
    if len(rows) > _PLATFORMS:
        print(f"  and {len(rows) - _PLATFORMS} platforms more")
    print(f"catalog       {outputs / 'edge.duckdb'}")


def columns(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Return rows as aligned lines under their names, without the columns that are empty everywhere."""
    names = [name for name in rows[0] if any(row[name] for row in rows)] if rows else []
    table = [names, *([row[name] for name in names] for row in rows)] if names else []
    widths = [max(len(line[n]) for line in table) for n in range(len(names))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in table]


class _Counts:
    """Row counts of one version."""

    def __init__(self, outputs: Path, version: str) -> None:
        self._outputs = outputs
        self._version = version.replace("'", "''")

    def of(self, dataset: str) -> int:
        return sum(self.by(dataset, "'all'").values())

    def by(self, dataset: str, expression: str) -> dict[str, int]:
        """Return counts by an expression, the most frequent first."""
        from edge.datasets.catalog import query

        where = f"FROM {dataset}_all WHERE version = '{self._version}'"
        sql = f"SELECT {expression} AS label, count(*) AS n {where} GROUP BY 1 ORDER BY 2 DESC, 1"
        return {str(label): int(str(number)) for label, number in query(self._outputs, sql)[1]}
