"""Tests of models see the writer that answers every prompt (benchmarks/model_writer.py)."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
