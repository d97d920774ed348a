"""Domain -> who asks and why: a plausible person, and the reason said in the chosen style."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from edge.llm.offline.ko.frames import Style


@dataclass(frozen=True, slots=True)
class Persona:
    """Someone who asks. Each reason ends in "중", "려고" or "필요", which every style can finish."""

    name: str
    reasons: tuple[str, ...]


_OFFICIAL = Persona(
    "민원 담당 공무원", ("민원 답변을 준비하는 중", "담당 부서 보고 자료를 만드는 중", "민원인께 안내해 드리려고")
)
_REPORTER = Persona("기자", ("기사에 쓸 자료를 확인하는 중", "보도 전에 사실을 확인하려고", "취재 자료가 필요"))
_RESEARCHER = Persona("연구원", ("연구 보고서를 쓰는 중", "통계 자료를 비교하려고", "정책 연구에 쓸 자료가 필요"))
_STUDENT = Persona("대학생", ("과제를 하는 중", "조별 발표를 준비하는 중", "과제에 쓸 자료가 필요"))
_GENERAL = (_OFFICIAL, _REPORTER, _RESEARCHER, _STUDENT)

_BY_DOMAIN: Mapping[str, tuple[Persona, ...]] = {
    "real estate": (
        Persona("이사를 준비하는 직장인", ("이사 갈 동네를 알아보는 중", "집을 알아보는 중", "시세를 비교해 보려고")),
        Persona("공인중개사", ("손님께 시세를 안내하려고", "상담 자료를 준비하는 중")),
        Persona("신혼부부", ("신혼집을 알아보는 중", "전세와 매매를 비교해 보려고")),
    ),
    "finance": (
        Persona("개인 투자자", ("투자할 만한지 살펴보는 중", "투자 전에 공시를 확인하려고")),
        Persona("취업 준비생", ("지원할 회사를 알아보는 중", "면접을 준비하는 중")),
        Persona("회계사", ("감사 자료를 대조하는 중", "검토 의견서에 쓸 자료가 필요")),
        _REPORTER,
    ),
    "healthcare": (
        Persona("보호자", ("부모님이 다니실 곳을 알아보는 중", "부모님을 모시고 가려고")),
        Persona("구급대원", ("이송할 곳을 확인하는 중", "관내 현황을 정리하는 중")),
        Persona("보건소 직원", ("관내 의료 자원을 정리하는 중", "주민 안내문을 만드는 중")),
    ),
    "education": (
        Persona("학부모", ("아이 학교 생활을 챙기려고", "아이 학교 일정을 확인하는 중")),
        Persona("교사", ("학급 안내문을 만드는 중", "수업 자료를 준비하는 중")),
        Persona("교육청 직원", ("관내 학교 자료를 정리하는 중",)),
    ),
    "law": (
        Persona("법무팀 직원", ("사내 검토 의견을 쓰는 중", "관련 규정을 확인하려고")),
        Persona("법학 전공 대학원생", ("논문을 쓰는 중", "세미나 발표를 준비하는 중")),
        _OFFICIAL,
    ),
    "politics": (
        Persona("시민단체 활동가", ("의정 활동을 정리하는 중", "감시 보고서에 쓸 자료가 필요")),
        Persona("국회 보좌관", ("질의서를 준비하는 중", "입법 자료를 정리하는 중")),
        _REPORTER,
    ),
    "transport": (
        Persona("출퇴근하는 직장인", ("출근길을 정하려고", "약속 장소까지 어떻게 갈지 알아보는 중")),
        Persona("여행객", ("여행 일정을 짜는 중", "처음 가는 동네라 미리 알아보려고")),
        Persona("시청 교통과 직원", ("교통 불편 민원을 처리하는 중",)),
    ),
    "air quality": (
        Persona("천식이 있는 시민", ("외출해도 될지 확인하려고",)),
        Persona("어린이집 교사", ("야외 활동을 할지 정하려고", "학부모 안내문을 쓰는 중")),
        Persona("환경 분야 연구원", ("대기질 자료를 비교하는 중",)),
    ),
    "weather": (
        Persona("농민", ("밭일 일정을 잡으려고",)),
        Persona("행사 담당자", ("야외 행사를 준비하는 중",)),
        Persona("여행객", ("여행 일정을 짜는 중",)),
    ),
    "public safety": (
        Persona("재난 안전 담당 공무원", ("상황 보고를 준비하는 중", "관내 대피 계획을 점검하는 중")),
        Persona("구급대원", ("출동 자료를 정리하는 중",)),
        Persona("동네 주민", ("혹시 모를 상황에 대비하려고",)),
    ),
    "procurement": (
        Persona("중소기업 영업 담당자", ("입찰에 참여할지 검토하는 중", "제안서를 준비하는 중")),
        Persona("계약 담당 공무원", ("유사 사례를 찾는 중",)),
    ),
    "festivals/tourism": (
        Persona("여행객", ("주말 나들이를 계획하는 중", "가족 여행을 준비하는 중")),
        Persona("여행사 직원", ("여행 상품을 기획하는 중",)),
    ),
    "public facilities": (
        Persona("동네 주민", ("주말에 가 볼 곳을 찾는 중", "아이와 함께 가 보려고")),
        _OFFICIAL,
    ),
    "employment": (
        Persona("취업 준비생", ("일자리를 알아보는 중", "지원서를 쓰는 중")),
        Persona("직업 상담사", ("구직자 상담을 준비하는 중",)),
    ),
    "commerce": (
        Persona("예비 창업자", ("가게 자리를 알아보는 중", "주변 상권을 살펴보는 중", "창업 계획서를 쓰는 중")),
        Persona("동네 주민", ("동네 가게를 찾아보는 중", "이사 온 동네를 알아보려고")),
        Persona("상권 분석 담당자", ("상권 보고서를 쓰는 중", "입지를 비교해 보려고")),
    ),
    "statistics": (_RESEARCHER, _STUDENT, _REPORTER),
    "geocoding": (
        Persona("배송 담당자", ("배송지 주소를 정리하는 중", "방문할 곳을 확인하려고")),
        _OFFICIAL,
        Persona("지리 정보 담당 직원", ("주소 자료를 정리하는 중", "지도에 올릴 자료가 필요")),
    ),
    "environment": (Persona("환경 분야 연구원", ("현황 보고서를 쓰는 중",)), _OFFICIAL, _REPORTER),
    "agriculture": (
        Persona("농민", ("출하 시기를 정하려고", "이력을 확인하려고")),
        Persona("정육점 주인", ("손님께 보여 드리려고",)),
    ),
    "district administration": (
        Persona("지방의회 직원", ("행정 사무 감사를 준비하는 중", "예산 심의 자료를 만드는 중")),
        *_GENERAL,
    ),
    "culture": (Persona("문화 기획자", ("전시를 기획하는 중",)), _STUDENT),
}
_SAME = {
    "traffic": "transport",
    "district-administration": "district administration",
    "tourism": "festivals/tourism",
    "libraries": "public facilities",
    "housing": "real estate",
    "safety": "public safety",
    "local government": "district administration",
}
_ENDINGS: Mapping[Style, Mapping[str, tuple[str, ...]]] = {
    "formal": {"중": ("입니다. ", "입니다. ", "이라 문의드립니다. "), "려고": (" 합니다. ",), "필요": ("합니다. ",)},
    "polite": {
        "중": ("이에요. ", "인데요, ", "이라서요. "),
        "려고": (" 해요. ", " 하는데요, "),
        "필요": ("해요. ", "해서요. "),
    },
    "casual": {
        "중": ("인데, ", "이야. ", "이라서 그런데, "),
        "려고": (" 하는데, ", " 해. "),
        "필요": ("해서 그런데, ", "해. "),
    },
    "terse": {"중": (". ",), "려고": (" 함. ",), "필요": (". ",)},
}
_SELF: Mapping[Style, tuple[str, ...]] = {
    "formal": ("{name}입니다. ", "안녕하십니까, {name}입니다. "),
    "polite": ("안녕하세요, {name}입니다. ", "안녕하세요. {name}인데요. "),
    "casual": ("",),
    "terse": ("",),
}
_GREETINGS: Mapping[Style, tuple[str, ...]] = {
    "formal": ("안녕하십니까. ", "수고 많으십니다. ", ""),
    "polite": ("안녕하세요. ", "안녕하세요! ", ""),
    "casual": ("안녕! ", "저기, ", ""),
    "terse": ("",),
}


def personas(domain: str) -> tuple[Persona, ...]:
    """Return the people who plausibly ask about a domain."""
    return _BY_DOMAIN.get(_SAME.get(domain, domain), _GENERAL)


def people(domain: str) -> tuple[str, ...]:
    """Return the names of those people."""
    return tuple(person.name for person in personas(domain))


def opening(style: Style, persona: str, domain: str, rng: random.Random, *, reason: bool = True) -> str:
    """Return what is said before the request: nothing, a greeting, who asks, why, or the last two.

    `reason` False leaves the reason out, for a request that opens with a statement of its own.
    """
    drawn = rng.random()
    if drawn < 0.45:
        return ""
    if drawn < 0.55 or not reason:
        return rng.choice(_GREETINGS[style])
    people = personas(domain)
    person = next((p for p in (*people, *_GENERAL) if p.name == persona), None) or rng.choice(people)
    why = rng.choice(person.reasons)
    ending = next(end for end in ("중", "려고", "필요") if why.endswith(end))
    said = why + rng.choice(_ENDINGS[style][ending])
    if drawn < 0.85:
        return said
    return rng.choice(_SELF[style]).replace("{name}", persona if 0 < len(persona) <= 20 else person.name) + said
