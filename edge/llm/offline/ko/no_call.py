"""A request that cannot be carried out -> what is said instead of a call: a question back, or that it cannot be."""

from __future__ import annotations

import random
from collections.abc import Mapping

from edge.ids import Json
from edge.llm.offline.ko.frames import STYLES, Style
from edge.llm.offline.ko.labels import spoken
from edge.llm.offline.ko.particles import attach

# {는}, {이}, {을}: the label with its particle; {label} without
_ASKS: Mapping[Style, tuple[str, ...]] = {
    "formal": (
        "조회하려면 {이} 필요합니다. {을} 알려 주시기 바랍니다.",
        "{을} 말씀해 주시면 바로 확인해 드리겠습니다.",
        "요청하신 내용을 찾으려면 {을} 알아야 합니다. {label}, 어떻게 되십니까?",
        "{이} 빠져 있어 아직 조회할 수 없습니다. {을} 알려 주시겠습니까?",
    ),
    "polite": (
        "찾아보려면 {이} 필요해요. {을} 알려 주시겠어요?",
        "{을} 말씀해 주시면 바로 찾아볼게요.",
        "{이} 없어서 아직 찾을 수 없어요. {을} 알려 주세요.",
        "{는} 어떻게 할까요? 알려 주시면 찾아볼게요.",
    ),
    "casual": (
        "{을} 알아야 찾을 수 있어. 알려 줄래?",
        "{이} 빠졌네. {는} 뭘로 할까?",
        "{을} 말해 주면 바로 찾아볼게.",
    ),
    "terse": (
        "{label} 확인 필요. {을} 알려 주시기 바람.",
        "{label} 누락. 회신 부탁.",
        "조회에 {label} 필요. {label} 회신 요망.",
    ),
}
_DECLINES: Mapping[Style, tuple[str, ...]] = {
    "formal": (
        "죄송합니다. 지금 쓸 수 있는 도구로는 {을} 조회할 수 없습니다.",
        "주어진 도구 가운데 {을} 조회할 수 있는 것이 없어 확인해 드리기 어렵습니다.",
        "현재 도구에는 {을} 찾는 기능이 없습니다. 확인되지 않은 내용은 안내해 드리지 않겠습니다.",
    ),
    "polite": (
        "죄송해요. 지금 있는 도구로는 {을} 찾을 수 없어요.",
        "{을} 찾아볼 수 있는 도구가 없어서 알려 드릴 수 없어요.",
        "{는} 지금 도구로 확인이 안 돼요. 도와드리지 못해 죄송해요.",
    ),
    "casual": (
        "미안, 지금 있는 도구로는 {을} 찾을 수 없어.",
        "{을} 찾아볼 도구가 없어서 알려 줄 수가 없네.",
        "{는} 지금 도구로는 확인이 안 돼.",
    ),
    "terse": (
        "현재 도구로 {label} 조회 불가.",
        "{label} 조회 도구 없음. 확인 불가.",
        "{label}: 제공된 도구로는 확인할 수 없음.",
    ),
}


def no_call(variables: Mapping[str, Json]) -> str:
    """Return what is said; the same variables and seed always give the same text."""
    rng = random.Random(f"{variables.get('seed', 0)}|no_call|{variables['label']}")
    known: dict[str, Style] = {**{style: style for style in STYLES}, "memo": "terse"}
    style = known.get(str(variables["style"])) or rng.choice(STYLES)
    label = spoken(str(variables["label"]))
    pattern = rng.choice((_ASKS if variables["act"] == "ask" else _DECLINES)[style])
    return pattern.format_map(
        {"label": label, "는": attach(label, "은는"), "이": attach(label, "이가"), "을": attach(label, "을를")}
    )
