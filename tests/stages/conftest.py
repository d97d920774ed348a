"""Stages find the scripted model server and the loopback platform beside the tests of those layers."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.extend(str(Path(__file__).parents[1] / name) for name in ("llm", "execution"))
