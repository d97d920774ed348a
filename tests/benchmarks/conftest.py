"""Tests of benchmarks see the scripts of benchmarks/ and the hand-made parts of the tests of links."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2] / folder) for folder in ("benchmarks", "tests/links")]
