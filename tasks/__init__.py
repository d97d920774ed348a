"""Retryable Prefect tasks: thin wrappers over `edge.stages`. Rows travel as files, tasks pass references."""
