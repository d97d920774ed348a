"""Stages that ask a model find its scripted server beside the tests of the model layer."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "llm"))
