"""The writers of the offline model, under the names by which they are registered."""

from edge.llm.offline.writers import write_final_answer, write_user_request

__all__ = ["write_final_answer", "write_user_request"]
