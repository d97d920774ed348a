"""Named transforms: a field's value becomes the value a parameter wants (source record -> argument)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from edge.ids import Json
from edge.links import moments, places, wording
from edge.links.paths import get_path, scalar

Transform = Callable[[str, Mapping[str, Json], tuple[str, ...]], "str | None"]
CHAINED: Final = "|"  # "province_short|map:서울=11": one after the other
_LONGEST: Final = 6000


@dataclass(frozen=True, slots=True)
class Named:
    """One transform: what it does, in words for a model, which arguments it takes and which of them is a path."""

    function: Transform
    says: str
    arguments: str = ""
    reads: int | None = None


_PATTERN = r"(?:%[YymdHMS]|[-./: 년월일시분T])+"
_WORD = r"(?:[^%=,:|]|%[0-9A-F]{2})+"
_SYSTEM = "|".join(places.SYSTEMS)
_OTHER = r"[^:|]+"
_BETWEEN = rf"(?:{_SYSTEM}):(?:{_SYSTEM}):{_OTHER}"

TRANSFORMS: Final[Mapping[str, Named]] = {
    "slice": Named(wording.sliced, "앞에서 a번째부터 b번째 글자까지만 쓴다 (slice:a:b)", r"\d{1,3}:\d{1,3}"),
    "date": Named(moments.rewritten, "날짜 형식을 바꾼다 (date:%Y%m%d)", _PATTERN),
    "date_shift": Named(
        moments.shifted, "날짜를 며칠 옮겨 쓴다 (date_shift:1:%Y%m%d는 다음 날)", rf"-?\d{{1,3}}:{_PATTERN}"
    ),
    "floor": Named(
        moments.floored,
        "늘어놓은 시각 가운데 그보다 늦지 않은 마지막 것을 쓴다 (floor:0200,0500)",
        r"\d{2,6}(?:,\d{2,6})*",
    ),
    "pad": Named(wording.padded, "왼쪽을 0으로 채워 n자리로 만든다 (pad:n)", r"\d{1,2}"),
    "unpad": Named(wording.unpadded, "왼쪽의 0을 뗀다"),
    "drop_letter": Named(wording.unlettered, "앞에 붙은 영문자 하나를 뗀다"),
    "strip": Named(wording.stripped, "앞뒤 공백을 없앤다"),
    "digits": Named(wording.digits, "숫자만 남긴다"),
    "number": Named(wording.number, "자릿점과 뒤에 붙은 단위를 뗀다 (1,234명 → 1234)"),
    "add": Named(wording.added, "정수에 n을 더한다 (add:-1)", r"-?\d{1,6}"),
    "wrap": Named(wording.wrapped, "앞뒤에 글자를 붙인다 (wrap:제:대는 22 → 제22대)", r"(?!:$)[^:|]*:[^:|]*"),
    "unwrap": Named(wording.unwrapped, "앞뒤 글자를 뗀다 (unwrap:제:대는 제22대 → 22)", r"(?!:$)[^:|]*:[^:|]*"),
    "no_brackets": Named(wording.unbracketed, "괄호와 그 안의 글자를 뺀다"),
    "map": Named(
        wording.mapped, "값을 정해진 짝으로 바꾼다 (map:주의=1,경보=2)", rf"{_WORD}={_WORD}(?:,{_WORD}={_WORD})*"
    ),
    "province_short": Named(wording.province_short, "시도 이름을 줄여 쓴다 (서울특별시 → 서울)"),
    "province_full": Named(wording.province_full, "시도 이름을 정식 이름으로 쓴다 (서울 → 서울특별시)"),
    "in_province": Named(wording.in_province, "맨 앞의 시도 이름을 뺀 나머지를 쓴다 (서울특별시 강남구 → 강남구)"),
    "first_word": Named(wording.first_word, "첫 낱말만 쓴다"),
    "last_word": Named(wording.last_word, "마지막 낱말만 쓴다"),
    "word": Named(wording.word, "앞에서 n번째 낱말만 쓴다, 처음이 0 (word:1)", r"\d{1,2}"),
    "first_item": Named(wording.first_item, "쉼표로 늘어놓은 값 가운데 첫째만 쓴다"),
    "kma_nx": Named(places.to_grid(0), "경도·위도를 기상청 격자 X로 바꾼다 (kma_nx:위도필드)", _OTHER, 0),
    "kma_ny": Named(places.to_grid(1), "경도·위도를 기상청 격자 Y로 바꾼다 (kma_ny:경도필드)", _OTHER, 0),
    "project_x": Named(
        places.to_system(0),
        f"X좌표나 경도를 다른 좌표계의 것으로 바꾼다 (project_x:5179:WGS84:Y필드; 좌표계 {_SYSTEM})",
        _BETWEEN,
        2,
    ),
    "project_y": Named(
        places.to_system(1), "Y좌표나 위도를 다른 좌표계의 것으로 바꾼다 (project_y:5179:WGS84:X필드)", _BETWEEN, 2
    ),
}
_ARGUMENTS = {name: re.compile(named.arguments, re.ASCII) for name, named in TRANSFORMS.items()}


def chain(*steps: str | None) -> str | None:
    """Return the transform that applies `steps` one after the other; None stands for the value as it is."""
    return CHAINED.join(step for step in steps if step) or None


def known(transform: str | None) -> bool:
    """Whether `transform` is None or names existing transforms with arguments that they can work with."""
    if transform is None:
        return True
    return len(transform) <= _LONGEST and all(_known(step) for step in transform.split(CHAINED))


def _known(step: str) -> bool:
    name, colon, rest = step.partition(":")
    pattern = _ARGUMENTS.get(name)
    return pattern is not None and bool(colon) == bool(pattern.pattern) and pattern.fullmatch(rest) is not None


def companion(transform: str | None) -> str | None:
    """Return the path of the second field that a transform reads, None where it reads one only."""
    for step in (transform or "").split(CHAINED):
        name, _, rest = step.partition(":")
        named = TRANSFORMS.get(name)
        if named is not None and named.reads is not None:
            return rest.split(":")[named.reads]
    return None


def apply(transform: str | None, record: Mapping[str, Json], source_path: str) -> str | None:
    """Return the argument made from the field at `source_path`, or None where the record cannot give one."""
    value = scalar(get_path(record, source_path))
    for step in transform.split(CHAINED) if transform else ():
        if value is None:
            return None
        name, _, rest = step.partition(":")
        value = TRANSFORMS[name].function(value, record, tuple(rest.split(":")) if rest else ())
    return value
