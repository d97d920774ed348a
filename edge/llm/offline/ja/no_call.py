"""A request that cannot be carried out -> what is said instead of a call, in Japanese."""

from __future__ import annotations

import random
from collections.abc import Mapping

from edge.ids import Json

_ASKS = (
    "お調べするには{label}が必要です。教えていただけますか。",
    "{label}を教えていただければ、お調べします。",
    "{label}が分からないため、まだお調べできません。教えてください。",
)
_DECLINES = (
    "申し訳ありません。今のツールでは{label}を調べることができません。",
    "{label}を調べられるツールがないため、お答えできません。",
    "{label}は今のツールでは確認できません。",
)


def no_call(variables: Mapping[str, Json]) -> str:
    """Return what is said; the same variables and seed always give the same text."""
    label = str(variables["label"])
    rng = random.Random(f"{variables.get('seed', 0)}|no_call|{label}")
    return rng.choice(_ASKS if variables["act"] == "ask" else _DECLINES).replace("{label}", label)
