"""A request that cannot be carried out -> what is said instead of a call, in English."""

from __future__ import annotations

import random
from collections.abc import Mapping

from edge.ids import Json

_ASKS = (
    "To look that up I need the {label}. Could you tell me?",
    "Which {label} do you mean?",
    "Please tell me the {label}, and I will look it up.",
)
_DECLINES = (
    "I am sorry, none of the tools that I have can look up the {label}.",
    "With the tools at hand the {label} cannot be found, so I cannot tell you.",
    "There is no tool here for the {label}; I would rather not guess.",
)


def no_call(variables: Mapping[str, Json]) -> str:
    """Return what is said; the same variables and seed always give the same text."""
    label = str(variables["label"])
    rng = random.Random(f"{variables.get('seed', 0)}|no_call|{label}")
    return rng.choice(_ASKS if variables["act"] == "ask" else _DECLINES).replace("{label}", label)
