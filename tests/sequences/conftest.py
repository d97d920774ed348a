"""The loopback world of the plans is shared with the tests of execution."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "execution"))
