"""A realm code in, the leading cases of that realm out."""

from edge.sandbox.model import Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World

_EVERYTHING = "0"


@view("court_realm_cases")
def court_realm_cases(world: World, request: Request) -> list[Row]:
    """Cases of one realm; 0 stands for all of them."""
    code = request.get("code")
    return world.table("court_realms") if code == _EVERYTHING else world.find("court_realms", "realm", code)
