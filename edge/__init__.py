"""EDGE: execution-grounded synthesis of tool-calling data from public API documents."""

__version__ = "0.1.0"
