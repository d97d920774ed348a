"""The deterministic writer: prompt variables -> answer without a network or weights."""

from edge.llm.offline.model import Handler, OfflineModel

__all__ = ["Handler", "OfflineModel"]
