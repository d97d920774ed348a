"""Brief -> a request or an answer in plain Japanese; the same brief and seed always give the same text."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from edge.llm.offline.brief import Brief, Condition, Fact, Reducer, Step
from edge.llm.offline.ja.words import measure
from edge.llm.offline.plain import Sides, enumerated, missing, name_of, owners_of, sides_of, stated

_FRAMES: Mapping[str, tuple[str, ...]] = {
    "formal": (
        "{core}をご教示ください。",
        "{core}をお知らせいただけますでしょうか。",
        "{core}をご確認くださいますようお願いいたします。",
        "{core}について照会いたします。",
    ),
    "polite": (
        "{core}を教えてください。",
        "{core}を調べてもらえますか。",
        "{core}を知りたいです。",
        "{core}を教えていただけますか。",
    ),
    "casual": ("{core}を教えて。", "{core}を調べてくれる?", "{core}が知りたいんだけど。", "{core}ってわかる?"),
    "terse": ("{core}の確認依頼。", "照会事項:{core}", "{core}、確認願います。"),
}
_STYLES = tuple(_FRAMES)
_NOTHING = "条件に合う結果は見つかりませんでした。"


def write_request(brief: Brief) -> str:
    """Return the request."""
    rng = random.Random(f"ja|{brief.seed}|{brief.style}|{len(brief.steps)}")
    sides = sides_of(brief)
    frame = rng.choice(_FRAMES.get(brief.style) or _FRAMES[rng.choice(_STYLES)])
    text = ""
    if sides.always:
        text = frame.replace("{core}", _cores(brief, sides.always))
    if sides.condition:
        text += f"{_branches(brief, sides.condition, sides)}を教えてください。"
    elif brief.comparison is not None:
        text += f"また、{_which(brief)}も教えてください。"
    left = missing(brief, text)
    return f"{text}({'、'.join(f'{label}は{value}' for label, value in left)})" if left else text


def outline(brief: Brief) -> tuple[str, ...]:
    """Return what is asked, a line for each thing, with nobody asking it."""
    sides = sides_of(brief)
    lines = [_core(brief, step) for step in sides.always]
    if sides.condition:
        lines.append(_branches(brief, sides.condition, sides))
    elif brief.comparison is not None:
        lines.append(_which(brief))
    return tuple(lines)


def _branches(brief: Brief, condition: Condition, sides: Sides) -> str:
    chosen = [_cores(brief, side) for side in (sides.holds, sides.fails) if side]
    clause = _clause(brief, condition, truth=bool(sides.holds))
    return f"{clause}場合は{'、そうでない場合は'.join(chosen)}"


def _cores(brief: Brief, steps: Sequence[Step]) -> str:
    return enumerated([_core(brief, step) for step in steps], "、および", "、")


def _core(brief: Brief, step: Step) -> str:
    labels = enumerated([_bare(ask.label) for ask in step.asks], "と", "、")
    group, label = _group(brief, step), _bare(step.reducer.label or "値")
    match step.reducer.kind:
        case "count":
            return f"{group}の件数"
        case "distinct":
            return f"{group}における異なる{label}の数"
        case "sum":
            return f"{group}の{label}の合計"
        case "mean":
            return f"{group}の{label}の平均"
        case _:
            return f"{_record(brief, step)}の{labels}" if labels else _record(brief, step)


def _record(brief: Brief, step: Step) -> str:
    """The phrase for the record or records that a step leaves."""
    noun, name = _bare(step.noun or step.title), name_of(step)
    if name is not None:
        rest = [item for item in step.inputs if item.text not in name]
        return f"{_of(brief, step)}{''.join(f'{item.text}の' for item in rest)}{name}"
    reducer, group, label = step.reducer, _group(brief, step), _bare(step.reducer.label or "値")
    match reducer.kind:
        case "max" | "min":
            return f"{group}のうち{label}が最も{'大きい' if reducer.kind == 'max' else '小さい'}{noun}"
        case "latest" | "earliest":
            return f"{group}のうち{label}が最も{'新しい' if reducer.kind == 'latest' else '早い'}{noun}"
        case "top" | "bottom":
            return f"{group}のうち{label}の{'上位' if reducer.kind == 'top' else '下位'}{reducer.k}件"
        case "nearest":
            near = brief.step(reducer.near_step)
            place = _record(brief, near) if near is not None else reducer.text or "そこ"
            return f"{group}のうち{place}に最も近い{noun}"
        case "all":
            return f"{group}それぞれ"
        case "filter" | "at_least" | "at_most" | "contains":
            return f"{group}のうち{_test(reducer)}{noun}"
        case _:
            return group


def _group(brief: Brief, step: Step) -> str:
    noun = _bare(step.noun or step.title)
    dated = ("month", "year", "date", "datetime")
    said = "".join(
        f"{item.text}の" if item.kind in dated else f"{_bare(item.label)}が{item.text}の" for item in step.inputs
    )
    group = f"{_of(brief, step)}{said}{noun}"
    return f"{group}のうち{_test(step.reducer.within)}もの" if step.reducer.within else group


def _of(brief: Brief, step: Step) -> str:
    owners = [_record(brief, owner) for owner in owners_of(brief, step)]
    if not owners:
        return ""
    return f"{enumerated(owners, 'と', '、')}の{f'{step.via}の' if step.via else ''}"


def _test(reducer: Reducer) -> str:
    label, text = _bare(reducer.label or "名称"), measure(reducer.text or "", reducer.unit)
    text = text if (reducer.text or "") in text else reducer.text or ""
    match reducer.kind:
        case "at_least":
            return f"{label}が{text}以上の"
        case "at_most":
            return f"{label}が{text}以下の"
        case "contains":
            return f"{label}に「{reducer.text}」を含む"
        case _:
            return f"{label}が{reducer.text}の"


def _clause(brief: Brief, condition: Condition, *, truth: bool) -> str:
    step = brief.step(condition.step)
    if step is None:
        return "そうである"
    if condition.exists:
        return f"{_group(brief, step)}が{'ある' if truth else 'ない'}"
    subject = f"{_record(brief, step)}の{_bare(condition.label)}" if condition.label else _core(brief, step)
    side = {
        (">=", True): "以上の",
        (">=", False): "未満の",
        ("<=", True): "以下の",
        ("<=", False): "を超える",
        ("==", True): "である",
        ("==", False): "でない",
    }[condition.operator, truth]
    return f"{subject}が{condition.text or condition.value}{side}"


def _which(brief: Brief) -> str:
    compared = brief.comparison
    step = brief.step(compared.steps[0]) if compared else None
    if compared is None or step is None:
        return ""
    names = [name for name in compared.names if name]
    side = f"{enumerated(names, 'と', '、')}のどちら" if names else "どれ"
    what = _bare(compared.label) if compared.label else f"{_bare(step.noun)}の件数"
    return f"{side}の{what}が{'大きい' if compared.kind == 'max' else '小さい'}か"


def write_answer(brief: Brief) -> str:
    """Return the answer; without facts it says that nothing was found."""
    groups, won = stated(brief)
    if not groups and not won:
        return _NOTHING
    lines: list[str] = []
    told: set[str] = set()
    for group in groups:
        condition = brief.condition_of(group.step) if group.step else None
        if condition and condition.step not in told:
            told.add(condition.step)
            lines.append(f"{_clause(brief, condition, truth=condition.truth)}場合に当たります。")
        lines.append(_sentence(group.entity, group.step, group.facts))
    return "\n".join([*lines, *(_winner(fact) for fact in won)])


def _sentence(entity: str | None, step: Step | None, facts: Sequence[Fact]) -> str:
    made = {"sum": "の合計", "mean": "の平均", "count": "の件数", "distinct": "の種類の数"}
    kind = made.get(step.reducer.kind, "") if step else ""
    said = "、".join(f"{_bare(fact.label)}{kind}は{_value(fact)}" for fact in facts if fact.text != entity)
    if not said:
        return f"{entity}です。"
    return f"{entity}の{said}です。" if entity else f"{said}です。"


def _winner(fact: Fact) -> str:
    side = "大きい" if fact.operation == "max" else "小さい"
    return f"{_bare(fact.label)}が最も{side}のは{fact.entity or '次の値'}({_value(fact)})です。"


def _value(fact: Fact) -> str:
    return measure(fact.text, fact.unit) if fact.unit and re.fullmatch(r"[\d,.]+", fact.text) else fact.text


def _bare(label: str) -> str:
    return re.sub(r"[(（][^)）]*[)）]", "", label).strip() or label
