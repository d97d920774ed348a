"""The invented but consistent country behind every replicated platform: named tables, built on first use."""

from edge.sandbox.world.store import Row, World, part, table

__all__ = ["Row", "World", "part", "table"]
