"""Groups of facts -> the lines of a list: each says which record it is of, names stand together, nothing twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from edge.llm.offline.brief import Fact, Step
from edge.llm.offline.ko.answer_groups import Group, picked
from edge.llm.offline.ko.facts import counted, is_long, label_of, value
from edge.llm.offline.ko.frames import Style
from edge.llm.offline.ko.labels import counter, own_label, spoken
from edge.llm.offline.ko.soundness import countable

_NAME = re.compile(r"(?:이름|명|명칭|제목)$")


def lines_of(groups: Sequence[Group], style: Style, *, several: bool) -> list[str]:
    """Return the lines; records of one step stand together, under its noun where the answer has `several` steps."""
    runs = [list(run) for _, run in groupby(groups, key=lambda g: g.step.id if g.step else "")]
    return [line for run in runs for line in _run(run, style, several=several)]


def _run(run: Sequence[Group], style: Style, *, several: bool) -> list[str]:
    step = run[0].step
    if step is not None and all(group.computed for group in run):
        return [f"- {counted(group.facts[0], step, group.entity, style, several=several)}" for group in run]
    noun = spoken(step.noun or step.title) if step else ""
    if (names := _names_alone(run)) and (several or len(names) > 1):
        label = run[0].facts[0].label
        head = noun if _names(label, noun) or not label else spoken(label)
        head = (picked(step) or head) if step and len(names) == 1 else head
        return [f"- {_numbered(head, step, len(names))}: {', '.join(names)}"]
    under, named = several and len(run) > 1, _told_by_name(run)
    said = _once([_record(group, noun, several=several and not under, named=named) for group in run])
    if not under:
        return [f"- {line}" for line in said]
    return [f"- {_numbered(noun, step, len(run))}", *(f"  - {line}".replace("\n", "\n  ") for line in said)]


def _numbered(head: str, step: Step | None, count: int) -> str:
    """What a list is of, with how many there are where those are things: 도서관 5곳."""
    if step is None or not step.many or count < 2 or head != spoken(step.noun or step.title) or not countable(head):
        return head
    return f"{head} {count}{counter(head)}"


def _told_by_name(run: Sequence[Group]) -> bool:
    """Whether the first thing told of each record is a name that no other has: then it stands for the record."""
    firsts = [group.facts[0] for group in run]
    if any(group.entity or len(group.facts) < 2 for group in run) or len(run) < 2:
        return False
    distinct = len({fact.text for fact in firsts}) == len(firsts)
    return distinct and all(fact.kind == "name" and not is_long(fact.text) for fact in firsts)


def _names_alone(run: Sequence[Group]) -> list[str]:
    """Return the names, where nothing but a name is told of each record."""
    if any(len(group.facts) != 1 or is_long(group.facts[0].text) for group in run):
        return []
    told = [group.facts[0] for group in run]
    if any(group.entity not in (None, fact.text) for group, fact in zip(run, told, strict=True)):
        return []
    return [value(fact) for fact in told] if all(fact.kind in ("name", "address") for fact in told) else []


def _record(group: Group, noun: str, *, several: bool, named: bool) -> str:
    head, rest = _head(group, noun, several=several, named=named)
    if not rest:
        return head
    if any(is_long(fact.text) for fact in rest):
        told = "\n".join(f"  - {spoken(fact.label)}: {value(fact)}" for fact in rest)
        return f"{head}\n{told}" if head else told.removeprefix("  - ").replace("\n  - ", "\n- ")
    said = ", ".join(f"{label_of(fact, group.step, owned=bool(head))} {value(fact)}" for fact in rest)
    return f"{head}: {said}" if head else said


def _head(group: Group, noun: str, *, several: bool, named: bool) -> tuple[str, list[Fact]]:
    """Return what a record is called and the facts that this leaves to be told."""
    first, chosen = group.facts[0], picked(group.step) if group.step else ""
    if group.entity:
        rest = [fact for fact in group.facts if fact.text != group.entity]
        own = len(rest) < len(group.facts)
        if chosen and not own:
            return f"{group.entity}{'에서' if group.place else '의'} {chosen}", rest
        return group.entity, rest
    own = first.kind == "name" and _names(first.label, noun) and not is_long(first.text)
    if named or (own and len(group.facts) > 1):
        return value(first), group.facts[1:]
    if not several:
        return "", group.facts
    return chosen or _of(group.step, noun), group.facts


def _of(step: Step | None, noun: str) -> str:
    return spoken(step.via) if step is not None and step.via else noun


def _names(label: str, noun: str) -> bool:
    """Whether a label is that of the record's own name: 도서관명 of a 도서관, 단지명 of a trade of one."""
    return own_label(label, noun) == "이름" or bool(_NAME.search(spoken(label)))


def _once(lines: Sequence[str]) -> list[str]:
    """Lines that read alike are said once, with how often they are true."""
    counts = {line: lines.count(line) for line in lines}
    return [line if count == 1 else f"{line} ({count}건 모두 같음)" for line, count in counts.items()]
