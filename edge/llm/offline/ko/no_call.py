"""A request that cannot be carried out -> what is said instead of a call: a question back, or that it cannot be."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Literal

from edge.ids import Json
from edge.llm.offline.ko.frames import STYLES, Style
from edge.llm.offline.ko.labels import spoken
from edge.llm.offline.ko.particles import attach

Kind = Literal["moment", "name", "place", "number", "other"]
_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("date", "month", "year", "datetime", "time"), "moment"),
    "name": "name",
    "address": "place",
    **dict.fromkeys(("number", "count", "amount"), "number"),
}
_CALLED = {"대수": "국회 대수", "반경": "찾을 반경", "차수": "회의 차수"}  # labels that say too little alone
# {는}, {이}, {을}: the label with its particle; {label} without; {인지}: the label as an indirect question
_ASKS: Mapping[Style, Mapping[Kind, tuple[str, ...]]] = {
    "formal": {
        "moment": (
            "언제를 기준으로 확인해 드릴까요? {을} 알려 주시기 바랍니다.",
            "{이} 언제인지 알려 주시면 바로 확인해 드리겠습니다.",
            "찾으시는 {이} 나와 있지 않습니다. 언제로 조회하면 되겠습니까?",
        ),
        "name": (
            "어느 {인지} 말씀해 주시면 바로 확인해 드리겠습니다.",
            "어떤 {을} 찾으십니까? 이름을 알려 주시기 바랍니다.",
            "말씀하신 내용만으로는 어느 {인지} 알 수 없습니다. {label} 이름을 알려 주시겠습니까?",
        ),
        "place": (
            "어느 곳의 {인지} 알려 주시기 바랍니다.",
            "{을} 알려 주시면 바로 확인해 드리겠습니다. 어디를 말씀하시는지요?",
            "확인하시려는 {이} 빠져 있습니다. 어디인지 알려 주시겠습니까?",
        ),
        "number": (
            "{을} 얼마로 하면 되겠습니까? 알려 주시면 바로 확인해 드리겠습니다.",
            "{이} 정해져야 찾을 수 있습니다. 얼마로 할지 알려 주시기 바랍니다.",
            "원하시는 {을} 알려 주시겠습니까?",
        ),
        "other": (
            "{이} 있어야 찾을 수 있습니다. {을} 알려 주시기 바랍니다.",
            "{을} 알려 주시면 바로 확인해 드리겠습니다.",
            "요청하신 내용을 찾으려면 {을} 알아야 합니다. {label}, 어떻게 되십니까?",
        ),
    },
    "polite": {
        "moment": (
            "{이} 언제인지 알려 주시면 바로 찾아볼게요.",
            "언제 자료가 필요하세요? {을} 알려 주세요.",
            "{는} 언제로 할까요?",
        ),
        "name": (
            "어느 {인지} 알려 주시겠어요?",
            "어떤 {을} 찾으세요? 이름을 알려 주시면 바로 찾아볼게요.",
            "{label} 이름을 알려 주셔야 찾을 수 있어요. 어느 {인지} 말씀해 주세요.",
        ),
        "place": (
            "{이} 어디인지 알려 주시면 찾아볼게요.",
            "어디를 말씀하시는 건가요? {을} 알려 주세요.",
            "{을} 알아야 찾을 수 있어요. 어디인지 알려 주시겠어요?",
        ),
        "number": (
            "{는} 얼마로 할까요? 알려 주시면 바로 찾아볼게요.",
            "{을} 얼마까지로 볼지 알려 주시겠어요?",
            "{을} 정해 주시면 찾아볼게요. 얼마로 할까요?",
        ),
        "other": (
            "{이} 있어야 찾을 수 있어요. {을} 알려 주시겠어요?",
            "{을} 알려 주시면 바로 찾아볼게요.",
            "{는} 어떻게 할까요? 알려 주시면 찾아볼게요.",
        ),
    },
    "casual": {
        "moment": ("{이} 언제야? 알려 주면 바로 찾아볼게.", "언제 걸로 찾아볼까? {을} 알려 줘.", "{는} 언제로 할까?"),
        "name": (
            "어느 {label} 말하는 거야?",
            "어떤 {을} 찾는데? 이름 좀 알려 줘.",
            "{label} 이름을 알아야 찾을 수 있어. 뭐야?",
        ),
        "place": ("{이} 어디야? 알려 주면 찾아볼게.", "어디 말하는 거야? {을} 알려 줘.", "{이} 빠졌네. 어디야?"),
        "number": ("{는} 얼마로 할까?", "{을} 얼마까지로 볼까? 알려 줘.", "{을} 정해 주면 찾아볼게. 얼마로 할래?"),
        "other": (
            "{을} 알아야 찾을 수 있어. 알려 줄래?",
            "{이} 빠졌네. {는} 뭘로 할까?",
            "{을} 말해 주면 바로 찾아볼게.",
        ),
    },
    "terse": {
        "moment": ("{label} 확인 필요. 언제인지 회신 바람.", "{label} 누락. 시점 회신 부탁.", "{을} 알려 주시기 바람."),
        "name": (
            "어느 {인지} 확인 필요. 회신 바람.",
            "{label} 이름 누락. 회신 부탁.",
            "{label} 특정 필요. 이름 회신 요망.",
        ),
        "place": ("{label} 누락. 어디인지 회신 바람.", "{label} 확인 필요. 회신 부탁.", "{을} 알려 주시기 바람."),
        "number": ("{label} 값 확인 필요. 회신 바람.", "{label} 누락. 얼마인지 회신 부탁.", "{을} 정해 주시기 바람."),
        "other": ("{label} 확인 필요. {을} 알려 주시기 바람.", "{label} 누락. 회신 부탁.", "{label} 필요. 회신 요망."),
    },
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
    label = _CALLED.get(label := spoken(str(variables["label"])), label)
    kind = _KINDS.get(str(variables.get("kind")), "other")
    pattern = rng.choice(_ASKS[style][kind] if variables["act"] == "ask" else _DECLINES[style])
    said = {"는": "은는", "이": "이가", "을": "을를", "인지": "인지"}
    return pattern.format_map({"label": label, **{name: attach(label, pair) for name, pair in said.items()}})
