"""Stage 2: verified links become call plans, and call plans become requests."""
