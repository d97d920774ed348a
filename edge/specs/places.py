"""name, label, prose and examples of a place -> which coordinate system it is in, which level of region it names."""

from __future__ import annotations

import re
from typing import Final

from edge.specs.kinds import strip_brackets
from edge.specs.model import Kind

PROJECTED: Final[frozenset[Kind]] = frozenset({"projected_x", "projected_y"})
DEGREES: Final[frozenset[Kind]] = frozenset({"longitude", "latitude"})
_METRES: Final = (
    (re.compile(r"(?i)epsg[\s:_]*(\d{4,5})"), ""),
    (re.compile(r"(?i)utm[\s_-]?k|(?<!\d)5179(?!\d)"), "EPSG:5179"),
    (re.compile(r"(?i)w?congnamul|(?<![a-z])wtm|(?<!\d)5181(?!\d)|grs80"), "EPSG:5181"),
    (re.compile(r"(?<!\d)(5174|5186|5187|5185)(?!\d)"), ""),
    (re.compile(r"(?i)katech?|카텍|(?<![a-z])tm128"), "KATEC"),
    (re.compile(r"(?i)bessel|중부원점"), "EPSG:5174"),
    (re.compile(r"(?i)(?<![a-z])tm(?![a-z])|(?<=[a-z_])tm_?[xy]?$"), "TM"),
)
_WGS84 = re.compile(r"(?i)wgs[\s_-]?84|epsg[\s:_]*4326")

_PROVINCES: Final = frozenset({
    "서울특별시", "부산광역시", "대구광역시", "인천광역시", "광주광역시", "대전광역시", "울산광역시", "세종특별자치시",
    "경기도", "강원특별자치도", "충청북도", "충청남도", "전북특별자치도", "전라남도", "경상북도", "경상남도",
    "제주특별자치도", "강원도", "전라북도", "제주도", "서울시", "부산시", "대구시", "인천시", "광주시", "대전시",
    "울산시", "세종시", "서울", "부산", "대구", "인천", "광주", "대전", "울산", "세종", "경기", "강원", "충북", "충남",
    "전북", "전남", "경북", "경남", "제주",
})  # fmt: skip
_LEVELS: Final = tuple(
    (
        level,
        re.compile(rf"(?i)(?:^|_|(?<=[a-z]))(?:{names})(?:_?(?:cd|code))?(?:_?(?:nm|name))?\d*$"),
        re.compile(rf"(?:^|[\s(_]|설치|소재지?|지역|출발|도착|거주|관할)(?:{labels})(?:_?\s?(?:명칭|이름|명))?\)?$"),
    )
    for level, names, labels in (
        ("province", "si_?do|ctprvn|brtc|ctpv", "(?:광역)?시[·/]?도|도/시"),
        ("district", "si_?gun_?gu|signgu|sggu?|gu_?gun|cgg|wiw", "시[·/]?군[·/]?구|구시군|구[·/]?군|시[·/]?군|자치구"),
        ("town", "emd(?:ong)?|umd|ld?ong|adong|hjd|bjd(?:ong)?|adstrd|stdg", "읍[·/]?면[·/]?동|법정동|행정동"),
    )
)
_HANGUL = re.compile(r"[가-힣]")
_SPEAKS_OF_REGION = re.compile(r"(?i)지역|광역|도시명|행정구역|소재지|province|region")


def coordinate_system(kind: Kind, name: str, text: str) -> str | None:
    """Return the system that coordinates are said to be in ("EPSG:5179", "KATEC", "WGS84"), None where unsaid."""
    said = f"{text} {name}"
    if kind in DEGREES:
        return "WGS84" if _WGS84.search(said) else None
    for pattern, system in _METRES:
        found = pattern.search(said)
        if found:
            return system or f"EPSG:{found.group(1)}"
    return None


def region_level(name: str, label: str, examples: tuple[str, ...]) -> str | None:
    """Return "province", "district" or "town" for names of such regions, None for names of anything else."""
    for text in (label.strip(), strip_brackets(label)):
        for level, _, by_label in _LEVELS:
            if by_label.search(text):
                return level
    by_name = next((level for level, by_name, _ in _LEVELS if by_name.search(name)), None)
    of_region = bool(_SPEAKS_OF_REGION.search(label))
    if examples and _PROVINCES.issuperset(examples) and (by_name or of_region):
        return "province"  # toll gates, stations and authorities are called so too
    # A district's code in the wire name of an electoral district does not make it one.
    return by_name if of_region or not _HANGUL.search(label) else None
