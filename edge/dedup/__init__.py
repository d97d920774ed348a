"""Executed trajectories -> survivors, and for each other row what it duplicates and why (stage 5)."""
