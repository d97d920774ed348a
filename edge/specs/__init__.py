"""Stage 1: provider documents become typed tools."""
