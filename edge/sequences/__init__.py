"""Stage 3: requests become answer keys."""
