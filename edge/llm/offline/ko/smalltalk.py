"""Style -> what people also say: remarks that have nothing to do with the request, a stated today, a word of thanks."""

from __future__ import annotations

import random
from collections.abc import Mapping

from edge.llm.offline.ko.dates import format_date
from edge.llm.offline.ko.frames import Style

_BEFORE: Mapping[Style, tuple[str, ...]] = {
    "formal": (
        "연일 수고가 많으십니다. ",
        "바쁘신 중에 죄송합니다. ",
        "지난번에 빠르게 답해 주셔서 감사했습니다. ",
        "회의 들어가기 전이라 급히 여쭙니다. ",
        "늘 친절히 답해 주셔서 감사합니다. ",
        "전화가 계속 통화 중이라 글로 남깁니다. ",
        "자주 문의드려 송구합니다. ",
    ),
    "polite": (
        "바쁘실 텐데 죄송해요. ",
        "지난번에 알려 주신 덕분에 일이 잘 풀렸어요. ",
        "이런 것도 여쭤봐도 되는지 모르겠어요. ",
        "커피 한잔하면서 쉬고 있었는데 갑자기 생각났어요. ",
        "검색을 한참 했는데 잘 안 나오더라고요. ",
        "컴퓨터를 잘 못 다뤄서 부탁드려요. ",
        "아이 재우고 이제야 앉았네요. ",
        "비가 와서 집에만 있으니 이것저것 궁금하네요. ",
        "버스 기다리면서 쓰느라 오타가 있을지도 몰라요. ",
        "지난번에도 문의드렸는데 이번에는 다른 거예요. ",
        "말씀 많이 들었어요, 친절하시다고요. ",
    ),
    "casual": (
        "점심 먹고 나니까 졸리네. ",
        "아, 요즘 정신이 하나도 없어. ",
        "지하철 안이라 길게는 못 써. ",
        "친구가 물어보는데 나도 모르겠더라고. ",
        "야구 봤어? 아무튼. ",
        "나 지금 버스 안이야. ",
        "주말에 뭐 했어? 난 내내 잤어. ",
        "엄마가 자꾸 물어보셔서. ",
        "휴대폰이 이상해서 자꾸 꺼지네. ",
        "커피 내리다가 생각났는데, ",
        "검색해도 안 나와서 답답해. ",
        "방금 커피 쏟아서 난리 났었어. 암튼, ",
    ),
    "terse": ("수고 많으십니다. ", "회의 중이라 짧게 적음. ", "이동 중. ", "급함. "),
}
_AFTER: Mapping[Style, tuple[str, ...]] = {
    "formal": (" 감사합니다.", " 회신 기다리겠습니다.", " 번거롭게 해 드려 죄송합니다."),
    "polite": (" 감사합니다!", " 천천히 주셔도 돼요.", " 미리 감사드려요."),
    "casual": (" 고마워!", " 급한 건 아니야.", " 부탁할게."),
    "terse": (" 감사.",),
}
_TODAY: Mapping[Style, tuple[str, ...]] = {
    "formal": ("오늘은 {d}입니다. ", "{d} 현재 기준으로 문의드립니다. "),
    "polite": ("오늘이 {d}이잖아요. ", "오늘({d}) 기준으로 여쭤봐요. "),
    "casual": ("오늘이 {d}이잖아. ", "오늘 {d}이지? "),
    "terse": ("기준일 {d}. ", "({d} 기준) "),
}


def remark(style: Style, rng: random.Random) -> str:
    """Return something that does not belong to the matter, to be said before it."""
    return rng.choice(_BEFORE[style])


def thanks(style: Style, rng: random.Random) -> str:
    """Return what may be said behind a request."""
    return rng.choice(_AFTER[style])


def stated_today(style: Style, today: str, rng: random.Random) -> str:
    """Return the sentence that says which day today is, from an ISO date."""
    return rng.choice(_TODAY[style]).replace("{d}", format_date(today[:10]))
