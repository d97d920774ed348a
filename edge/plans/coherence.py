"""Do a record and what came of it speak of the same region? (records -> verdict)

A region code of one system often exists in another and means another place there: the call succeeds, the chain is
nonsense. Most records say in words where they are, and those words can be compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from edge.calls import Record
from edge.links.wording import PROVINCES
from edge.plans.draft import flat

_FULL = {full: short for short, full in PROVINCES.items()} | {"강원도": "강원", "전라북도": "전북"}
_NAMES = "|".join(sorted([*_FULL, *PROVINCES], key=len, reverse=True))
# "서울특별시 중구 ...", "경기 성남시", "대전본청", "서울종로구"; not the city "광주시", not the road "세종대로"
_PLACE = re.compile(rf"^({_NAMES})(?:특별자치시|특별자치도|특별시|광역시)?(?:$|\s|본청|[가-힣]{{1,4}}[시군구]$)")
READ = 30


def provinces(values: Iterable[str]) -> set[str]:
    """Return the short names of the first-level regions that values begin with."""
    found = (_PLACE.match(v.strip()) for v in values)
    return {_FULL.get(m.group(1), m.group(1)) for m in found if m}


def regions_agree(source: Record, records: Sequence[Record]) -> bool:
    """Whether the records name a region that the source names too; where either names none, they agree."""
    before = provinces(flat(source))
    after = provinces(v for r in records[:READ] for v in flat(r))
    return not before or not after or bool(before & after)
