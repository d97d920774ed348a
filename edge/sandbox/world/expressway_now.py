"""Toll gates and rest areas in, volumes, travel times, messages, fuel prices and weather along the road out."""

from datetime import timedelta

from edge.sandbox.world.store import Row, World, part, table

_CARS = ("1", "2", "3", "4", "5", "6")
_STEPS = {"1": 60, "2": 15, "3": 5}
_OIL = ("SK", "GS", "S-OIL", "현대오일뱅크", "알뜰(EX)")
_KINDS = (("01", "사고"), ("02", "고장"), ("04", "공사"), ("15", "작업"))
_SKIES = ("맑음", "구름조금", "구름많음", "흐림", "비")


@part("gate_volumes")
def build_volumes(world: World, way: str, step: str) -> list[Row]:
    """Vehicles at every gate in the last whole step (1 hour, 2 quarter, 3 five minutes), by system and car type."""
    if way not in ("0", "1") or step not in _STEPS:
        return []
    minutes = _STEPS[step]
    now = world.now
    end = now - timedelta(minutes=now.minute % minutes if minutes < 60 else now.minute)
    rows: list[Row] = []
    for gate in world.table("toll_gates"):
        rng = world.rng("gate volume", gate["code"], way, step)
        for system, name in (("1", "TCS"), ("2", "hi-pass")):
            for car in _CARS:
                count = int(rng.lognormvariate(3.2 if car == "1" else 1.2, 1.0) * minutes * (3 if system == "2" else 1))
                rows.append(
                    gate
                    | {"way": way, "step": step, "system": system, "system_name": name, "car": car}
                    | {"day": f"{end:%Y%m%d}", "time": f"{end:%H%M}", "count": f"{count:,}", "division": "00"}
                )
    return rows


@part("gate_times")
def build_times(world: World, start: str, end: str, step: str) -> list[Row]:
    """Travel times between two gates today, by car type and then time; the last three hours are not out yet."""
    gates = {str(gate["code"]): gate for gate in world.table("toll_gates")}
    if start not in gates or end not in gates or start == end or step not in ("1", "2", "3"):
        return []
    here, there = gates[start], gates[end]
    minutes = {"1": 5, "2": 15, "3": 60}[step]
    degrees = sum(abs(float(str(here[axis])) - float(str(there[axis]))) for axis in ("lon", "lat"))
    usual = 4 + degrees * 75
    rng = world.rng("gate times", start, end, step)
    last = world.now - timedelta(hours=3)
    rows: list[Row] = []
    for car in _CARS:
        moment = world.now.replace(hour=0, minute=0)
        while moment <= last:
            mean = usual * rng.uniform(0.9, 1.5) * (1.0 if car in "12" else 1.12)
            times: Row = {"mean": f"{mean:.1f}", "least": f"{mean * 0.82:.1f}", "most": f"{mean * 1.4:.1f}"}
            ends: Row = {"from": here["code_out"], "from_name": here["name"], "to": there["code_out"]}
            when: Row = {"day": f"{moment:%Y%m%d}", "time": f"{moment:%H:%M}", "to_name": there["name"]}
            rows.append(ends | when | times | {"car": car, "sample": str(rng.randrange(1, 90))})
            moment += timedelta(minutes=minutes)
    return rows


@table("road_messages")
def build_messages(world: World) -> list[Row]:
    """Messages about what happened on the expressways, newest first; the field called altitude is the longitude."""
    rng = world.rng("road_messages")
    zones = world.table("traffic_zones")
    gates = world.table("toll_gates")
    rows: list[Row] = []
    for _ in range(190):
        zone, gate = rng.choice(zones), rng.choice(gates)
        code, kind = rng.choice(_KINDS)
        moment = world.now - timedelta(minutes=rng.randrange(2, 2400))
        rows.append(
            {
                "day": f"{moment:%Y.%m.%d}",
                "time": f"{moment:%H:%M:%S}",
                "kind": kind,
                "kind_code": code,
                "way": zone["way"],
                "text": f"[{zone['route']}] {zone['zone']} {kind} 처리중",
                "route_no": zone["route_no"],
                "route": zone["route"],
                "lat": gate["lat"],
                "lon": gate["lon"],
                "state": rng.choice(("진행", "종료")),
            }
        )
    return sorted(rows, key=lambda row: (str(row["day"]), str(row["time"])), reverse=True)


@table("rest_fuel")
def build_fuel(world: World) -> list[Row]:
    """Fuel prices at rest areas, as texts with a unit; X where it is not sold."""
    rows: list[Row] = []
    for area in world.table("rest_areas"):
        rng = world.rng("rest_fuel", area["std_code"])
        end = str(area["name"]).partition("(")[2].partition(")")[0]
        prices: Row = {"gasoline": f"{rng.randrange(1590, 1760):,}원", "diesel": f"{rng.randrange(1450, 1620):,}원"}
        prices["lpg"] = f"{rng.randrange(960, 1080):,}원" if rng.random() < 0.6 else "X"
        fuel_name = str(area["name"]).replace("휴게소", "주유소")
        rows.append(area | prices | {"fuel_name": fuel_name, "end": end, "oil": rng.choice(_OIL)})
    return rows


@part("rest_weather")
def build_weather(world: World, day: str, hour: str) -> list[Row]:
    """Weather at rest areas in an hour of the past three days; -99 where an instrument failed."""
    now = world.now
    hours = {f"{now - timedelta(hours=back):%Y%m%d%H}" for back in range(72)}
    if f"{day}{hour}" not in hours:
        return []
    rows: list[Row] = []
    for area in world.table("rest_areas"):
        rng = world.rng("rest_weather", area["std_code"], day, hour)
        failed = rng.random() < 0.03
        values = (-99.0, -99.0) if failed else (rng.uniform(14, 29), rng.uniform(35, 95))
        texts: Row = {"temperature": f"{values[0]:.6f}", "humidity": f"{values[1]:.6f}", "sky": rng.choice(_SKIES)}
        rows.append(area | texts | {"day": day, "hour": hour})
    return rows
