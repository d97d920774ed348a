"""Column functions of the health services: class and department codes, distances, split postal codes."""

from edge.sandbox.model import Row
from edge.sandbox.registry import column

# NEMC department codes D001... against HIRA's two digits.
_DEPARTMENTS = {
    "D001": "01", "D002": "11", "D003": "02", "D004": "03", "D005": "14", "D006": "04", "D007": "07", "D008": "05",
    "D009": "06", "D010": "08", "D011": "10", "D012": "12", "D013": "13", "D014": "15", "D016": "21", "D017": "09",
    "D018": "16", "D022": "23", "D024": "24", "D026": "49",
}  # fmt: skip


@column("nemc_department")
def nemc_department(value: object, _row: Row) -> object:
    """D001 -> 01; an unknown code matches nothing."""
    return _DEPARTMENTS.get(str(value), "none")


@column("unpadded")
def unpadded(value: object, _row: Row) -> object:
    """01 -> 1, as HIRA's own answers spell class codes."""
    return str(value).lstrip("0")


@column("distance_text")
def distance_text(value: object, _row: Row) -> object:
    """Metres as HIRA sends them: 0 without a point in the request, else a long decimal."""
    return "0" if value == "" else f"{float(str(value)):.10f}"


@column("kilometres")
def kilometres(value: object, _row: Row) -> object:
    """Metres -> kilometres with two decimals."""
    return round(float(str(value or 0)) / 1000, 2)


@column("zip_first")
def zip_first(value: object, _row: Row) -> object:
    """First three digits of a postal code."""
    return str(value)[:3]


@column("zip_rest")
def zip_rest(value: object, _row: Row) -> object:
    """Last two digits of a postal code."""
    return str(value)[3:]
