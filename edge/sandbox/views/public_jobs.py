"""Search conditions in, job postings out, oldest first unless the sort order says otherwise."""

from edge.sandbox.model import Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World


@view("job_postings")
def job_postings(world: World, request: Request) -> list[Row]:
    """Postings of one kind; the order is descending for 2, 내림차순 or desc."""
    rows = world.find("job_postings", "kind", request.get("Pblanc_ty"))
    return rows[::-1] if request.get("Sort_order").lower() in ("2", "내림차순", "desc") else rows
