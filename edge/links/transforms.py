"""Named transforms: a field's value becomes the value a parameter wants (source record -> argument)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from datetime import datetime

from edge.calls import Record
from edge.ids import Json

Transform = Callable[[str, Mapping[str, Json], tuple[str, ...]], "str | None"]

# Short and official names of the first-level regions; platforms ask for the one or the other.
PROVINCES: dict[str, str] = {
    "서울": "서울특별시",
    "부산": "부산광역시",
    "대구": "대구광역시",
    "인천": "인천광역시",
    "광주": "광주광역시",
    "대전": "대전광역시",
    "울산": "울산광역시",
    "세종": "세종특별자치시",
    "경기": "경기도",
    "강원": "강원특별자치도",
    "충북": "충청북도",
    "충남": "충청남도",
    "전북": "전북특별자치도",
    "전남": "전라남도",
    "경북": "경상북도",
    "경남": "경상남도",
    "제주": "제주특별자치도",
}
_SHORT = {full: short for short, full in PROVINCES.items()} | {"강원도": "강원", "전라북도": "전북"}

_DATE = re.compile(
    r"^(?P<Y>\d{4})[-./년 ]*(?:(?P<m>\d{1,2})[-./월 ]*)?(?:(?P<d>\d{1,2})[일.]?)?"
    r"(?:[T ]*(?P<H>\d{2}):?(?P<M>\d{2})(?::?\d{2}(?:\.\d+)?)?)?$"
)


def scalar(value: Json) -> str | None:
    """Return a scalar as the text that goes on the wire; None for missing or nested values."""
    if value is None or isinstance(value, bool | list | tuple | dict | Mapping):
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = str(value)
    return text or None


def get_path(record: Mapping[str, Json], path: str) -> Json:
    """Return the value at a record-relative path ("a.b", "rows[].name" takes the first row); None where absent."""
    here: Json = record
    for part in path.split("."):
        name = part.removesuffix("[]")
        if not isinstance(here, Mapping) or name not in here:
            return None
        here = here[name]
        if part.endswith("[]"):
            here = here[0] if isinstance(here, list) and here else None
    return here


def with_arguments(record: Record, arguments: Mapping[str, str]) -> Record:
    """Return the record with the arguments of its call, under "@name": what a later call can carry over."""
    return record | {f"@{name}": value for name, value in arguments.items()}


def parse_date(text: str) -> datetime | None:
    """Parse the date spellings of the platforms: digits only, dashes, dots, slashes, with or without day and time."""
    compact = text.strip()
    if compact.isdigit() and len(compact) in (6, 8, 10, 12, 14):
        compact = f"{compact[:4]}-{compact[4:6]}" + (f"-{compact[6:8]}" if len(compact) > 6 else "")
        tail = text.strip()[8:12]
        compact += f" {tail[:2]}:{tail[2:] or '00'}" if tail else ""
    match = _DATE.match(compact)
    if match is None:
        return None
    parts = {key: int(value) for key, value in match.groupdict().items() if value}
    hour = parts.get("H", 0)  # measurements of a whole day are stamped 24:00 of that day
    try:
        return datetime(parts["Y"], parts.get("m", 1), parts.get("d", 1), 0 if hour == 24 else hour, parts.get("M", 0))
    except ValueError:
        return None


def kma_grid(longitude: float, latitude: float) -> tuple[int, int]:
    """Return the (nx, ny) cell of the weather service's 5 km Lambert conformal grid.

    Constants as the service documents them: Earth radius 6371.00877 km, cell 5 km, standard parallels 30 and 60 N,
    origin 126 E 38 N at cell (43, 136).
    """
    to_rad = math.pi / 180.0
    radius = 6371.00877 / 5.0
    slat1, slat2, olon, olat = 30 * to_rad, 60 * to_rad, 126 * to_rad, 38 * to_rad
    tan_ratio = math.tan(math.pi * 0.25 + slat2 * 0.5) / math.tan(math.pi * 0.25 + slat1 * 0.5)
    sn = math.log(math.cos(slat1) / math.cos(slat2)) / math.log(tan_ratio)
    sf = math.tan(math.pi * 0.25 + slat1 * 0.5) ** sn * math.cos(slat1) / sn
    ro = radius * sf / math.tan(math.pi * 0.25 + olat * 0.5) ** sn
    ra = radius * sf / math.tan(math.pi * 0.25 + latitude * to_rad * 0.5) ** sn
    theta = (longitude * to_rad - olon + math.pi) % (2 * math.pi) - math.pi
    theta *= sn
    return int(ra * math.sin(theta) + 43 + 0.5), int(ro - ra * math.cos(theta) + 136 + 0.5)


def _slice(value: str, _: Mapping[str, Json], args: tuple[str, ...]) -> str | None:
    start, stop = int(args[0]), int(args[1])
    return value[start:stop] or None if len(value) >= stop else None


def _date(value: str, _: Mapping[str, Json], args: tuple[str, ...]) -> str | None:
    moment = parse_date(value)
    return moment.strftime(":".join(args)) if moment else None


def _grid(axis: int) -> Transform:
    def project(value: str, record: Mapping[str, Json], args: tuple[str, ...]) -> str | None:
        other = scalar(get_path(record, args[0]))
        if other is None:
            return None
        try:
            pair = (float(value), float(other)) if axis == 0 else (float(other), float(value))
        except ValueError:
            return None
        if not (120 <= pair[0] <= 135 and 30 <= pair[1] <= 45):
            return None
        return str(kma_grid(*pair)[axis])

    return project


def _pad(value: str, _: Mapping[str, Json], args: tuple[str, ...]) -> str | None:
    return value.zfill(int(args[0])) if value.isdigit() else None


def _unlettered(value: str, _: Mapping[str, Json], __: tuple[str, ...]) -> str | None:
    return value[1:] if len(value) > 1 and value[0].isalpha() and value[1:].isdigit() else None


TRANSFORMS: dict[str, tuple[Transform, str]] = {
    "slice": (_slice, "앞에서 a번째부터 b번째 글자까지만 쓴다 (slice:a:b)"),
    "date": (_date, "날짜 형식을 바꾼다 (date:%Y%m%d)"),
    "pad": (_pad, "왼쪽을 0으로 채워 n자리로 만든다 (pad:n)"),
    "drop_letter": (_unlettered, "앞에 붙은 영문자 하나를 뗀다"),
    "strip": (lambda v, _, __: v.strip() or None, "앞뒤 공백을 없앤다"),
    "digits": (lambda v, _, __: re.sub(r"\D", "", v) or None, "숫자만 남긴다"),
    "province_short": (lambda v, _, __: _SHORT.get(v.split(" ")[0]), "시도 이름을 줄여 쓴다 (서울특별시 → 서울)"),
    "province_full": (lambda v, _, __: PROVINCES.get(v), "시도 이름을 정식 이름으로 쓴다 (서울 → 서울특별시)"),
    "first_word": (lambda v, _, __: v.split(" ")[0] or None, "첫 낱말만 쓴다"),
    "last_word": (lambda v, _, __: v.split(" ")[-1] or None, "마지막 낱말만 쓴다"),
    "kma_nx": (_grid(0), "경도·위도를 기상청 격자 X로 바꾼다 (kma_nx:위도필드)"),
    "kma_ny": (_grid(1), "경도·위도를 기상청 격자 Y로 바꾼다 (kma_ny:경도필드)"),
}


_ARGUMENTS: dict[str, re.Pattern[str]] = {
    "slice": re.compile(r"\d{1,3}:\d{1,3}", re.ASCII),
    "date": re.compile(r"(?:%[YymdHMS]|[-./: 년월일시분T])+"),
    "pad": re.compile(r"\d{1,2}", re.ASCII),
    "kma_nx": re.compile(r"[^:]+"),
    "kma_ny": re.compile(r"[^:]+"),
}
_NOTHING = re.compile("")


def known(transform: str | None) -> bool:
    """Whether `transform` is None or names an existing transform with arguments that it can work with."""
    if transform is None:
        return True
    name, _, rest = transform.partition(":")
    return name in TRANSFORMS and _ARGUMENTS.get(name, _NOTHING).fullmatch(rest) is not None


def companion(transform: str | None) -> str | None:
    """Return the path of the second field that a transform reads, None where it reads one only."""
    name, _, rest = (transform or "").partition(":")
    return rest if name in ("kma_nx", "kma_ny") else None


def apply(transform: str | None, record: Record | Mapping[str, Json], source_path: str) -> str | None:
    """Return the argument made from the field at `source_path`, or None where the record cannot give one."""
    value = scalar(get_path(record, source_path))
    if value is None or transform is None:
        return value
    name, _, rest = transform.partition(":")
    function, _ = TRANSFORMS[name]
    return function(value, record, tuple(rest.split(":")) if rest else ())
