"""Places in one system become places in another, checked on points that others have published."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.links.places import DEGREES, SYSTEMS, kma_grid, projected, system_of
from edge.links.transforms import apply, known
from edge.sandbox.world.coordinates import distance_m, tm_middle, utm_k

KOREA = (st.floats(124.6, 131.8), st.floats(33.1, 38.6))


@pytest.mark.parametrize(
    ("longitude", "latitude", "cell"),
    [
        (126.9784, 37.5665, (60, 127)),  # Seoul City Hall
        (129.0756, 35.1796, (98, 76)),  # Busan City Hall
        (126.5312, 33.4996, (53, 38)),  # Jeju City
        (127.3845, 36.3504, (67, 100)),  # Daejeon City Hall
        (126.0, 38.0, (43, 136)),  # the origin
    ],
)
def test_known_cells_of_the_weather_grid(longitude: float, latitude: float, cell: tuple[int, int]) -> None:
    assert kma_grid(longitude, latitude) == cell
    record = {"x": str(longitude), "y": latitude}
    assert (apply("kma_nx:y", record, "x"), apply("kma_ny:x", record, "y")) == tuple(map(str, cell))


@pytest.mark.parametrize(
    "record", [{"x": "127"}, {"x": "0", "y": "0"}, {"x": "동", "y": "37"}, {"x": "nan", "y": "37"}]
)
def test_no_cell_without_a_place_in_korea(record: dict[str, Any]) -> None:
    assert apply("kma_nx:y", record, "x") is None


@pytest.mark.parametrize(
    ("system", "point", "degrees", "metres"),
    [
        # Kakao's reference of its coordinate conversion, the example of WTM (central belt, GRS80) on Jeju.
        ("5181", (160710.37729270622, -4388.879299157299), (126.57740680000002, 33.453357700000005), 0.01),
        # Naver's reference of its local search answered KATEC for a restaurant at Euljiro 3-ga 229-1; the address is
        # within a block of these degrees.
        ("KATEC", (311277.0, 552097.0), (126.9930, 37.5664), 100.0),
        # False origins: the point at which each system's definition puts its two constants.
        ("5179", (1_000_000.0, 2_000_000.0), (127.5, 38.0), 0.01),
        ("5181", (200_000.0, 500_000.0), (127.0, 38.0), 0.01),
        ("5185", (200_000.0, 600_000.0), (125.0, 38.0), 0.01),
        ("5186", (200_000.0, 600_000.0), (127.0, 38.0), 0.01),
        ("5187", (200_000.0, 600_000.0), (129.0, 38.0), 0.01),
    ],
)
def test_published_points(system: str, point: tuple[float, float], degrees: tuple[float, float], metres: float) -> None:
    found = projected(*point, system, DEGREES)
    assert found is not None and distance_m(*found, *degrees) <= metres
    back = projected(*degrees, DEGREES, system)
    assert back is not None and math.dist(back, point) <= metres


@given(*KOREA)
def test_metres_on_the_new_datum_agree_with_the_formulas_of_snyder(longitude: float, latitude: float) -> None:
    """The sandbox's own arithmetic, written from the manual, is the second opinion."""
    for system, formula in (("5179", utm_k), ("5181", tm_middle)):
        found = projected(longitude, latitude, DEGREES, system)
        assert found is not None
        near = abs(longitude - 127.25) < 2.0  # his series end at the sixth power of the distance from the middle
        assert math.dist(found, formula(longitude, latitude)) < (0.01 if near else 0.5)


@pytest.mark.parametrize("place", [(126.9784, 37.5665), (129.0756, 35.1796), (126.5312, 33.4996)])
def test_the_old_datum_lies_where_surveys_say(place: tuple[float, float]) -> None:
    """The same digits read on the Bessel datum lie 300 to 400 m south-east of where they do on the new one."""
    x, y = projected(*place, DEGREES, "5174") or (0.0, 0.0)
    misread = projected(x, y, "5181", DEGREES)
    assert misread is not None and 200 < distance_m(*misread, *place) < 450


@given(*KOREA, st.sampled_from(sorted(itertools.permutations(SYSTEMS, 2))))
def test_there_and_back_is_the_same_place(longitude: float, latitude: float, pair: tuple[str, str]) -> None:
    source, target = pair
    start = projected(longitude, latitude, DEGREES, source)
    assert start is not None
    record: dict[str, Any] = {"x": start[0], "y": str(start[1])}
    there, back = f"{source}:{target}", f"{target}:{source}"
    x, y = apply(f"project_x:{there}:y", record, "x"), apply(f"project_y:{there}:x", record, "y")
    assert x is not None and y is not None
    moved = {"x": x, "y": y}
    again = apply(f"project_x:{back}:y", moved, "x"), apply(f"project_y:{back}:x", moved, "y")
    tolerance = 1e-6 if source == DEGREES else 0.05
    assert all(math.isclose(float(a or "nan"), b, abs_tol=tolerance) for a, b in zip(again, start, strict=True))


@pytest.mark.parametrize("target", ["WGS84", "5179"])
@pytest.mark.parametrize(
    "record",
    [{"x": "953936"}, {"x": "953936", "y": "북"}, {"x": "nan", "y": "1"}, {"x": "0", "y": "0"}, {"x": 0, "y": 1e300},
     {"x": "inf", "y": "-inf"}, {"x": 37.5, "y": 127.0}],
)  # fmt: skip
def test_nothing_where_there_is_no_place_in_korea(record: dict[str, Any], target: str) -> None:
    assert apply(f"project_x:5174:{target}:y", record, "x") is None
    assert apply(f"project_x:WGS84:{target}:y", record, "x") is None


def test_text_of_registers_with_blanks_is_read() -> None:
    record = {"CRD_INFO_X": "198022.084582704    ", "CRD_INFO_Y": "451579.842188204    "}
    assert apply("project_x:5174:WGS84:CRD_INFO_Y", record, "CRD_INFO_X") == "126.9784000"
    assert apply("project_y:5174:WGS84:CRD_INFO_X", record, "CRD_INFO_Y") == "37.5665000"


def test_systems_by_the_names_that_signatures_have() -> None:
    assert [system_of(x) for x in ("EPSG:5179", "KATEC", "WGS84")] == ["5179", "KATEC", "WGS84"]
    assert [system_of(x) for x in ("TM", "EPSG:32652", "%Y%m%d", "", None)] == [None] * 5
    assert all(known(f"project_x:{a}:{b}:y") for a in SYSTEMS for b in SYSTEMS)
