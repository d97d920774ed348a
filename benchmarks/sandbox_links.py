"""The sandbox against the labelled links: how many have both ends served, and how many behave as they are labelled.

Run: python benchmarks/sandbox_links.py
It starts a sandbox of its own and needs `facts/` of the reference material in ../shared. Every sound link is followed
over a few records of its source and must give records; every wrong one must fail or come back empty.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "sandbox"))


def main() -> int:
    """Print the table; 2 where the labels are not beside this checkout."""
    from linkfollow import LABELS, table

    if not LABELS.exists():
        print(f"{LABELS} is not there: put the reference material beside this checkout", file=sys.stderr)
        return 2
    print(table())
    return 0


if __name__ == "__main__":
    sys.exit(main())
