"""An institution key in, the nursing grades of its wards out (HIRA)."""

from edge.sandbox.model import Request
from edge.sandbox.registry import view
from edge.sandbox.world import Row, World

# Wards by class of institution: code and name.
_WARDS = {
    "1": (("01", "일반병동"), ("02", "성인·소아중환자실"), ("03", "신생아중환자실")),
    "11": (("01", "일반병동"), ("02", "성인·소아중환자실")),
    "21": (("01", "일반병동"),),
    "28": (("05", "요양병원 간호인력"),),
}


@view("hira_nursing")
def nursing(world: World, request: Request) -> list[Row]:
    """A grade from 1 (most nurses) to 7 a ward; clinics have no wards and give nothing."""
    rows: list[Row] = []
    for hospital in world.find("hospitals", "ykiho", request.get("ykiho")):
        rng = world.rng("hira_nursing", hospital["ykiho"])
        for code, name in _WARDS.get(str(hospital["cl_code"]), ()):
            rows.append(
                {
                    "careGrd": f"{rng.choices(range(1, 8), (20, 25, 20, 14, 10, 7, 4))[0]}등급",
                    "tyCd": code,
                    "tyCdNm": name,
                }
            )
    return rows
