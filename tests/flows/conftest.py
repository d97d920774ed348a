"""Tests of flows find the deployed site beside them."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
