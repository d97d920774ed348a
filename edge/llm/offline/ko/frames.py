"""Core of a request -> sentence: the ways of asking, by style."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Style = Literal["formal", "polite", "casual", "terse"]
STYLES: tuple[Style, ...] = ("formal", "polite", "casual", "terse")

Need = Literal["any", "noun", "target", "count", "one"]


@dataclass(frozen=True, slots=True)
class Frame:
    """A sentence pattern.

    {core} is the whole core, {obj} {sub} {top} its object, subject and topic particle (empty after a clause), {np} the
    noun phrase of the record, {things} what is asked of it, {group} and {amount} those of a count, {wh} the question.
    `acts`: the sentence tells someone to do something, so "찾아서" and the like may come before it.
    """

    text: str
    need: Need = "any"
    acts: bool = False


def _acting(*texts: str) -> tuple[Frame, ...]:
    return tuple(Frame(text, acts=True) for text in texts)


_FORMAL = (
    *_acting(
        "{core}{obj} {adv}알려 주십시오.",
        "{core}{obj} {adv}알려 주시기 바랍니다.",
        "{core}{obj} {adv}확인해 주시기 바랍니다.",
        "{core}{obj} {adv}조회해 주십시오.",
        "{core}{obj} {adv}안내해 주시면 감사하겠습니다.",
        "{core}{obj} {adv}알려 주실 수 있습니까?",
        "{core}{obj} {adv}확인해 주실 수 있을까요?",
        "{core}{obj} {adv}찾아 주시면 감사하겠습니다.",
    ),
    Frame("{core}{obj} {adv}확인 부탁드립니다.", "noun"),
    Frame("{core}{obj} {adv}확인하고자 합니다."),
    Frame("{core}{obj} {adv}알고 싶습니다."),
    Frame("{core}{sub} 궁금합니다."),
    Frame("{core}{obj} {adv}문의드립니다.", "noun"),
    Frame("{core}{top} 어떻게 됩니까?", "noun"),
    Frame("{core}{top} {wh}입니까?", "one"),
    Frame("{np}에 관해 문의드립니다. {things}{obj} 알려 주십시오.", "target"),
    Frame("{np}{np_obj} 찾아 {things}{obj} 알려 주시기 바랍니다.", "target"),
    Frame("{np}{np_obj} 확인하여 {things}{obj} 회신해 주십시오.", "target"),
    Frame("{group}{group_top} {amount}입니까?", "count"),
    Frame("{group}의 수를 확인하고 있습니다. {amount}인지 알려 주십시오.", "count"),
)
_POLITE = (
    *_acting(
        "{core}{obj} {adv}알려 주세요.",
        "{core}{obj} {adv}알려 주시겠어요?",
        "{core}{obj} {adv}좀 찾아봐 주세요.",
        "{core}{obj} {adv}확인해 주실 수 있나요?",
        "{core}{obj} {adv}조회해 주세요.",
        "{core}{obj} {adv}알려 주시면 좋겠어요.",
        "{core}{obj} {adv}알려 주실 수 있을까요?",
        "{core}{obj} {adv}알려 주시면 감사하겠습니다.",
    ),
    Frame("{core}{sub} 궁금해요."),
    Frame("{core}{obj} {adv}알고 싶어요."),
    Frame("{core}{obj} {adv}확인하고 싶어요."),
    Frame("혹시 {core}{obj} {adv}알 수 있을까요?"),
    Frame("{core}{top} 어떻게 되나요?", "noun"),
    Frame("{core}{top} {wh}인가요?", "one"),
    Frame("{np}{np_obj} 찾고 있는데, {things}{sub} 궁금해요.", "target"),
    Frame("{np}{np_obj} 찾아서 {things}{obj} 알려 주세요.", "target"),
    Frame("{np}에 대해 알아보고 있어요. {things}{obj} 알려 주시겠어요?", "target"),
    Frame("{group}{group_top} {amount}인가요?", "count"),
    Frame("{group}{group_sub} {amount}이나 되나요?", "count"),
)
_CASUAL = (
    *_acting(
        "{core}{obj} {adv}알려 줘.",
        "{core} 좀 {adv}알려 줄래?",
        "{core}{obj} {adv}찾아 줘.",
        "{core} 좀 {adv}찾아봐 줘.",
        "{core}{obj} {adv}확인해 줄 수 있어?",
        "{core}{obj} {adv}알아봐 줘.",
    ),
    Frame("{core}{sub} 궁금해."),
    Frame("{core}{obj} {adv}알고 싶어."),
    Frame("혹시 {core} 알아?"),
    Frame("{core}{top} 어떻게 돼?", "noun"),
    Frame("{core}{sub} {wh}{josa:이야야}?", "one"),
    Frame("{np}{np_obj} 찾아서 {things}{obj} 알려 줘.", "target"),
    Frame("{np}{np_obj} 찾는 중인데 {things} 좀 알려 줘.", "target"),
    Frame("{np} 말인데, {things}{sub} 궁금해.", "target"),
    Frame("{group}{group_sub} {amount}이야?", "count"),
    Frame("{group}, {amount}인지 좀 세어 줘.", "count"),
)
_TERSE = (
    *_acting(
        "{core} {adv}확인 부탁.",
        "{core} {adv}조회 요청.",
        "{core} {adv}확인 바람.",
        "{core}{obj} {adv}확인해 회신 바람.",
        "{core} {adv}파악 요망.",
        "{core}{obj} {adv}찾아 회신 요망.",
    ),
    Frame("{core}?"),
    Frame("{core} 확인 필요."),
    Frame("[조회 요청] {core}"),
    Frame("요청 사항: {core}"),
    Frame("{np} 관련, {things} 확인 부탁.", "target"),
    Frame("{np} 찾아 {things} 회신 바람.", "target"),
    Frame("대상: {np}\n확인할 것: {things}", "target"),
    Frame("{group} {amount}?", "count"),
    Frame("{group}, {amount}인지 집계 바람.", "count"),
)
FRAMES: Mapping[Style, tuple[Frame, ...]] = {"formal": _FORMAL, "polite": _POLITE, "casual": _CASUAL, "terse": _TERSE}

# {np} was found first; the frame goes on about it
LEADS: Mapping[Style, tuple[tuple[str, bool], ...]] = {
    "formal": (
        ("{np}{josa:을를} 먼저 찾아 주시고, ", True),
        ("먼저 {np}{josa:을를} 확인한 뒤 ", True),
        ("{np}{josa:을를} 찾고 있습니다. ", False),
        ("{np}{josa:을를} 확인하려고 합니다. ", False),
    ),
    "polite": (
        ("{np}{josa:을를} 먼저 찾은 다음 ", True),
        ("먼저 {np}{josa:을를} 찾아 주시고, ", True),
        ("{np}{josa:을를} 찾아서 ", True),
        ("{np}{josa:을를} 찾고 있어요. ", False),
        ("{np}{josa:을를} 알아보는 중이에요. ", False),
    ),
    "casual": (
        ("{np}{josa:을를} 먼저 찾고 ", True),
        ("{np}{josa:을를} 찾아서 ", True),
        ("{np}{josa:을를} 찾는 중이야. ", False),
        ("{np}{josa:을를} 보고 있는데, ", False),
    ),
    "terse": (
        ("{np} 확인 후 ", True),
        ("{np}{josa:을를} 먼저 찾고 ", True),
        ("{np} 확인 중. ", False),
    ),
}

# two askings too long for one sentence; {first} and {second} are whole cores, {obj} the particle of the first
PAIRS: Mapping[Style, tuple[str, ...]] = {
    "formal": (
        "{first}{obj} 알려 주시고, {second}{also} 함께 알려 주십시오.",
        "{first}{obj} 알려 주십시오. 아울러 {second}{also} 확인해 주시기 바랍니다.",
        "{first}{obj} 확인하고자 합니다. 또한 {second}{also} 알려 주시기 바랍니다.",
        "두 가지를 문의드립니다. 먼저 {first}{obj}, 다음으로 {second}{also} 알려 주십시오.",
        "{first}{obj} 알려 주실 수 있습니까? 더불어 {second}{also} 확인 부탁드립니다.",
        "{first}{obj} 확인해 주시기 바랍니다. 이어서 {second}{also} 회신해 주십시오.",
    ),
    "polite": (
        "{first}{obj} 알려 주시고, {second}{also} 알려 주세요.",
        "{first}{obj} 알려 주세요. 그리고 {second}{also} 궁금해요.",
        "먼저 {first}{obj} 알려 주세요. 이어서 {second}{also} 확인해 주실 수 있나요?",
        "{first}{obj} 알고 싶어요. {second}{also} 같이 알려 주시면 좋겠어요.",
        "{first}{obj} 찾아봐 주시겠어요? {second}{also} 부탁드려요.",
        "두 가지가 궁금해요. 먼저 {first}{obj} 알려 주시고, 그다음 {second}{also} 알려 주세요.",
    ),
    "casual": (
        "{first}{obj} 알려 주고, {second}{also} 알려 줘.",
        "{first}{obj} 알려 줘. 그리고 {second}{also} 궁금해.",
        "{first}{obj} 찾아보고, {second}{also} 확인해 줘.",
        "{first}{obj} 알고 싶어. {second}{also} 같이 알려 줄래?",
        "두 개만 물어볼게. {first}, 그리고 {second}{also} 알려 줘.",
        "{first} 좀 봐 줘. 하는 김에 {second}{also} 봐 주고.",
    ),
    "terse": (
        "1) {first} 2) {second} 확인 부탁.",
        "{first} 확인 후 {second} 추가 확인 바람.",
        "{first} 및 {second} 조회 요청.",
        "{first} 확인 바람. 추가로 {second} 회신 요망.",
        "확인 사항 2건. 첫째, {first}. 둘째, {second}.",
        "{first} 조회, {second} 조회 후 회신 바람.",
    ),
}

# an asking that goes before a condition
NEXT: Mapping[Style, tuple[str, ...]] = {
    "formal": ("{core}{obj} 알려 주십시오. 그리고 ", "{core}{obj} 확인해 주시고, "),
    "polite": ("{core}{obj} 알려 주세요. 그리고 ", "{core}{obj} 확인해 주시고, "),
    "casual": ("{core}{obj} 알려 줘. 그리고 ", "{core}{obj} 찾아보고, "),
    "terse": ("{core} 확인. ", "{core} 확인 후, "),
}
