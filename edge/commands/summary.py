"""A finished run -> the few lines that say what came of it, read from the datasets themselves."""

from __future__ import annotations

from pathlib import Path


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
    """Print how many links stand where after exploring."""
    print(f"version       {version}")
    for status, number in _Counts(outputs, version).by("links", "status").items():
        print(f"{status:<12}  {number} links")
    print_calls(outputs, version)
    print(f"catalog       {outputs / 'edge.duckdb'}")


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
