"""Schools in, what each discloses out, under codes that are not those of NEIS."""

from edge.sandbox.world.store import Row, World, table

_KINDS = {"초등학교": "02", "중학교": "03", "고등학교": "04", "특수학교": "05"}


@table("disclosed_schools")
def build_disclosed(world: World) -> list[Row]:
    """Schools with the disclosure's code (S + 9), kind (2), district (5), degrees, pupils, classes and teachers."""
    districts = {str(row["full_name"]): row for row in world.table("districts")}
    rows: list[Row] = []
    for order, school in enumerate(world.table("schools")):
        district = districts.get(f"{school['sido']} {school['sigungu']}".strip())
        if district is None:
            continue
        rng = world.rng("disclosed", school["code"])
        classes = rng.randrange(3, 43)
        pupils = int(classes * rng.uniform(9, 28))
        boys = int(pupils * rng.uniform(0.46, 0.54))
        rows.append(
            school
            | {
                "open_code": f"S{(order // 100 + 1) * 10:04d}{order * 37 % 100000:05d}",
                "unique": f"{rng.getrandbits(64):016x}",
                "kind_code": _KINDS[str(school["kind"])],
                "code2": district["code2"],
                "code5": district["code5"],
                "lon": round(float(str(district["lon"])) + rng.uniform(-0.02, 0.02), 6),
                "lat": round(float(str(district["lat"])) + rng.uniform(-0.02, 0.02), 6),
                "classes": classes,
                "pupils": pupils,
                "boys": boys,
                "teachers": max(5, int(classes * rng.uniform(1.4, 2.4))),
                "hidden": rng.random() < 0.01,
            }
        )
    return rows
