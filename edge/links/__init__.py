"""Phase A: which tool's output can feed which tool's input, learned by calling."""
