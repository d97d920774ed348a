"""Askings too many for one sentence -> a list: about one thing where they share it, a condition as the last item."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from edge.llm.offline.brief import Brief, Step
from edge.llm.offline.ko.branching import Fork, clause
from edge.llm.offline.ko.cores import build_cores, join_cores
from edge.llm.offline.ko.frames import Style
from edge.llm.offline.ko.naming import own_name
from edge.llm.offline.ko.nounphrases import Phraser
from edge.llm.offline.ko.particles import attach, fill
from edge.llm.offline.ko.phrases import Phrase, taken_up

Entry = tuple[str, str, str, str]  # what opens the list, an item, what stands between two items, what ends it

# three askings and more: what opens the list, an item, what stands between two items, what ends it
LISTS: Mapping[Style, tuple[Entry, ...]] = {
    "formal": (
        ("다음 사항을 확인해 주시기 바랍니다. ", "{n}) {core}", " ", ""),
        ("아래 내용을 알려 주십시오.\n", "- {core}", "\n", ""),
        ("몇 가지 문의드립니다.\n", "{n}. {core}", "\n", ""),
        ("다음 내용에 대해 회신 부탁드립니다.\n", "{n}) {core}", "\n", ""),
        ("", "{core}", ", 아울러 ", ", 이상의 내용을 확인해 주시기 바랍니다."),
        ("문의 사항이 여러 가지입니다. ", "({n}) {core}", ", ", "에 대해 답변 부탁드립니다."),
    ),
    "polite": (
        ("몇 가지 여쭤볼게요.\n", "{n}. {core}", "\n", ""),
        ("아래 내용을 알려 주세요. ", "{n}) {core}", " ", ""),
        ("궁금한 게 몇 가지 있어요.\n", "- {core}", "\n", ""),
        ("", "{core}", ", 그리고 ", ". 이렇게 알려 주세요."),
        ("한꺼번에 여쭤봐서 죄송해요. ", "{n}) {core}", ", ", " 부탁드려요."),
        ("다음 내용을 알고 싶어요.\n", "* {core}", "\n", "\n알려 주시면 감사하겠습니다."),
    ),
    "casual": (
        ("이것 좀 알려 줘.\n", "- {core}", "\n", ""),
        ("궁금한 게 몇 개 있어. ", "{n}) {core}", " ", ""),
        ("", "{core}", ", 또 ", ". 이렇게 찾아 줘."),
        ("물어볼 게 좀 많아. ", "{core}", ", 그다음 ", ", 이거 알려 줘."),
        ("찾아 줄 거 적어 둘게.\n", "{n}) {core}", "\n", ""),
        ("이거 다 찾아봐 줄래?\n", "{n}. {core}", "\n", ""),
    ),
    "terse": (
        ("확인 요청:\n", "- {core}", "\n", ""),
        ("", "{n}) {core}", " ", " 확인 바람."),
        ("[조회 요청]\n", "{n}. {core}", "\n", ""),
        ("요청 사항\n", "* {core}", "\n", ""),
        ("", "{core}", " / ", " 조회 요청."),
    ),
}
# the same where all is asked of one thing, {np}: it is said once, and the items need not name it
TOPICS: Mapping[Style, tuple[Entry, ...]] = {
    "formal": (
        ("{np}에 관해 다음 사항을 확인해 주시기 바랍니다. ", "{n}) {core}", " ", ""),
        ("{np}에 대해 아래 내용을 알려 주십시오.\n", "- {core}", "\n", ""),
        ("{np}에 대해 몇 가지 문의드립니다.\n", "{n}. {core}", "\n", ""),
        ("{np} 관련 문의입니다. 다음 내용을 회신해 주시면 감사하겠습니다.\n", "{n}) {core}", "\n", ""),
        ("{np}{josa:을를} 살펴보고 있습니다. 아래 자료가 필요합니다.\n", "- {core}", "\n", ""),
        ("{np}에 관한 문의 사항이 여러 가지입니다. ", "({n}) {core}", ", ", "에 대해 답변 부탁드립니다."),
    ),
    "polite": (
        ("{np}에 대해 몇 가지 여쭤볼게요.\n", "{n}. {core}", "\n", ""),
        ("{np}에 대해 아래 내용을 알려 주세요. ", "{n}) {core}", " ", ""),
        ("{np}에 대해 궁금한 게 몇 가지 있어요.\n", "- {core}", "\n", ""),
        ("{np}{josa:을를} 알아보고 있어요. 다음 내용을 알려 주시겠어요?\n", "{n}. {core}", "\n", ""),
        ("{np}에 관해 알고 싶은 게 있어요. ", "{n}) {core}", ", ", " 부탁드려요."),
        ("{np}에 관해 여쭤봐요. 아래 내용을 확인해 주세요.\n", "* {core}", "\n", "\n미리 감사드려요."),
    ),
    "casual": (
        ("{np}에 대해 이것 좀 알려 줘.\n", "- {core}", "\n", ""),
        ("{np} 말인데, 궁금한 게 몇 개 있어. ", "{n}) {core}", " ", ""),
        ("{np}{josa:을를} 알아보는 중이야. 이거 다 찾아봐 줄래?\n", "{n}. {core}", "\n", ""),
        ("{np}에 대해 물어볼 게 좀 많아. ", "{core}", ", 그다음 ", ", 이거 알려 줘."),
        ("{np} 보고 있는데, 찾아 줄 거 적어 둘게.\n", "{n}) {core}", "\n", ""),
        ("{np} 좀 알아봐 줘. 필요한 건 이거야.\n", "- {core}", "\n", ""),
    ),
    "terse": (
        ("{np}에 대한 확인 요청:\n", "- {core}", "\n", ""),
        ("{np}: ", "{n}) {core}", " ", " 확인 바람."),
        ("[조회 요청] {np}\n", "{n}. {core}", "\n", ""),
        ("대상: {np}\n요청 사항\n", "* {core}", "\n", ""),
        ("{np}에 대해 ", "{core}", " / ", " 조회 요청."),
    ),
}
# a condition as an item of a list
BRANCHES = (
    "{cond} {first}, 아니면 {second}",
    "{cond} {first}, 그렇지 않으면 {second}",
    "만약 {cond} {first}, 아닌 경우에는 {second}",
)


def listed(
    brief: Brief, phraser: Phraser, rng: random.Random, style: Style, units: Sequence[Step], fork: Fork | None = None
) -> tuple[str, str]:
    """Return the list of the askings and its pattern; with a fork, of those in any case and the condition last."""
    always = list(fork.always) if fork else list(units)
    topic = shared(brief, units)
    said = _introduce(brief, phraser, topic, units) if topic else ""
    items = [core.text for core in build_cores(brief, phraser, rng, always, apart=True)]
    if fork is not None:
        phraser.known.update({step.id: taken_up(step) for step in fork.always})
        items.append(_branches(brief, phraser, rng, fork))
    opening, item, gap, end = rng.choice((TOPICS if said else LISTS)[style])
    lines = [fill(item, n=str(n), core=text) for n, text in enumerate(items, start=1)]
    return fill(opening, np=said) + gap.join(lines) + end, f"{opening}{item}"


def shared(brief: Brief, units: Sequence[Step]) -> Step | None:
    """Return the last step from which all the askings are reached, None where they start apart."""
    chains = [brief.ancestors(step) for step in units]
    common = [step for step in chains[0] if all(step in chain for chain in chains[1:])]
    return common[-1] if common else None


def _introduce(brief: Brief, phraser: Phraser, topic: Step, units: Sequence[Step]) -> str:
    """Return the topic in words; from here on it is understood, and what it came from taken up by a short word."""
    phrase, via = phraser.of(topic), _led_to(brief, topic, units)
    for earlier in brief.ancestors(topic):
        phraser.known[earlier.id] = taken_up(earlier)
    short = taken_up(topic)
    phraser.known[topic.id] = Phrase("", short.word, many=phrase.many, place=short.place)
    if not phrase.many and via:
        phraser.understood.add((topic.id, via))
        return phraser.lying(phrase, via)
    if not phrase.many:
        return phrase.text
    if own_name(topic):  # several of one name
        return f"{attach(phrase.text, '이라는라는')} 이름의 {short.word} 각각"
    return f"{phrase.text} 각각"


def _led_to(brief: Brief, topic: Step, units: Sequence[Step]) -> str | None:
    """Return what the topic leads to where all is asked of that: the committee of a sitting."""
    next_ones = [step for unit in units for step in (*brief.ancestors(unit), unit) if step.parent == topic.id]
    vias = {step.via for step in next_ones}
    return vias.pop() if len(vias) == 1 else None


def _branches(brief: Brief, phraser: Phraser, rng: random.Random, fork: Fork) -> str:
    said = clause(brief, phraser, fork.condition, truth=bool(fork.holds))
    sides = [
        join_cores(build_cores(brief, phraser, rng, side, apart=True), rng).text
        for side in (fork.holds, fork.fails)
        if side
    ]
    if len(sides) == 1:
        return f"{said} {sides[0]}"
    return fill(rng.choice(BRANCHES), cond=said, first=sides[0], second=sides[1])
