"""Labelled links in, what following them gave out: records, nothing, or an end that the sandbox does not serve."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from linkcalls import fetch_rows, send, served_as
from linkways import CHANGE, CHANGES, FIELDS, JUSO, PARAMETERS, ROWS, example, needs_of, projected, start_of

FACTS = Path(__file__).parents[3] / "shared" / "facts"
LABELS = FACTS / "labelled_links.json"
SAMPLE = 6
# Exceptions that are none of the sandbox's making.
WHY = {
    "seoul.tbCycleStationInfo.RENT_ID->seoul.bikeList.stationId": (
        "the operation has no such parameter and ignores it without a word, as the platform does; the label says so"
    ),
}
Row = dict[str, Any]


@dataclass(frozen=True)
class Label:
    """One labelled link, with the served operations at its ends ("" where an end is not served)."""

    raw: Mapping[str, Any]
    source: str
    target: str

    @property
    def served(self) -> bool:
        return bool(self.source and self.target)

    @property
    def valid(self) -> bool:
        return bool(self.raw["valid"])

    @property
    def parameter(self) -> str:
        return PARAMETERS.get(self.raw["target_param"], self.raw["target_param"])

    def __str__(self) -> str:
        raw = self.raw
        return f"{raw['source_op']}.{raw['source_field']}->{raw['target_op']}.{raw['target_param']}"


@dataclass(frozen=True)
class Outcome:
    """How many records were followed, how many gave records, and the last bodies of either kind."""

    label: Label
    followed: int
    worked: int
    last: str

    @property
    def as_labelled(self) -> bool:
        """A sound link gives records for some record of its source, a wrong one for none."""
        return self.followed > 0 and (self.worked > 0) == self.label.valid


@cache
def labels() -> tuple[Label, ...]:
    """Every labelled link of the facts beside this checkout; none where they are absent."""
    if not LABELS.exists():
        return ()
    facts: dict[str, Row] = {}
    for name in ("gateway_operations.json", "platform_operations.json"):
        for row in json.loads((FACTS / name).read_text(encoding="utf-8")):
            facts[row.get("id") or row["key"]] = row
    found = json.loads(LABELS.read_text(encoding="utf-8"))
    return tuple(
        Label(row, served_as(facts, row["source_op"]) or "", served_as(facts, row["target_op"]) or "") for row in found
    )


def _filled(params: Mapping[str, object]) -> Row:
    return {k: example(v) if isinstance(v, str) and v.startswith("?") else v for k, v in params.items()}


@cache
def _answers(source: str, target: str) -> tuple[Row, ...]:
    rows: list[Row]
    if source == "addrlink.addrCoordApi":
        address = fetch_rows("addrlink.addrLinkApi", keyword="강남구 역삼동")[0]
        rows = fetch_rows(source, **{name: address[name] for name in JUSO})
    else:
        rows = fetch_rows(source, **_filled(start_of(source, target)))
    if source == "law.detail":
        # The fields of an article lie two levels down; its law is named in the head.
        head = rows[0]["기본정보"]
        rows = [unit | {"법령ID": head["법령ID"]} for unit in rows[0]["조문"]["조문단위"]]
    return tuple(rows)


def _records(label: Label) -> list[Row]:
    """A few records that have the field, spread over the whole answer."""
    field = _field(label)
    wanted = ROWS.get((label.source, label.parameter, label.valid), {})
    rows = [
        row
        for row in _answers(label.source, label.target)
        if value_at(row, field) not in (None, "") and all(_fits(row, k, v) for k, v in wanted.items())
    ]
    return rows[:: max(1, len(rows) // SAMPLE)][: SAMPLE * 2]


def _fits(row: Row, name: str, value: str) -> bool:
    have = str(row.get(name))
    return have != value[1:] if value.startswith("!") else have == value


def _field(label: Label) -> str:
    return FIELDS.get((label.source, label.parameter), label.raw["source_field"])


def value_at(row: Row, path: str) -> Any:
    """`a.b` inside a row; the last piece alone where the row is already the inner one."""
    if path in row:
        return row[path]
    value: Any = row
    for piece in path.split("."):
        value = value.get(piece) if isinstance(value, dict) else None
    return value if value is not None else row.get(path.rpartition(".")[2])


def _arguments(label: Label, row: Row) -> Row:
    arguments: Row = {}
    for name, text in needs_of(label.source, label.target, label.parameter).items():
        field, _, change = text.partition(":")
        value = text[1:] if text.startswith("=") else CHANGE[change](str(value_at(row, field) or ""))
        arguments[name] = example(value) if value.startswith("?") else value
    if label.parameter == "nx":
        return arguments | projected(row)
    change = CHANGES.get((label.source, label.parameter), "") if label.valid else ""
    return arguments | {label.parameter: CHANGE[change](str(value_at(row, _field(label))))}


@cache
def follow(label_index: int) -> Outcome:
    """Execute one link over a few records of its source."""
    label = labels()[label_index]
    worked, last, records = 0, "", _records(label)
    for row in records:
        reply = send(label.target, _arguments(label, row))
        found = bool(reply.rows)
        worked += found
        if found != label.valid or not last:
            last = f"{reply.raw.url} {reply.raw.text[:300] if reply.raw.content[:2] != b'PK' else 'ZIP'}"
    return Outcome(label, len(records), worked, last)


def outcomes() -> list[Outcome]:
    """Every link with both ends served, executed."""
    return [follow(index) for index, label in enumerate(labels()) if label.served]


def table() -> str:
    """What the labels promise against what happened, then every exception with its last call."""
    found, lines = outcomes(), [f"{'links':<8}{'labelled':>10}{'served':>8}{'as said':>9}{'share':>8}"]
    for name, valid in (("sound", True), ("wrong", False)):
        labelled = [label for label in labels() if label.valid == valid]
        tried = [outcome for outcome in found if outcome.label.valid == valid]
        good = sum(outcome.as_labelled for outcome in tried)
        lines.append(f"{name:<8}{len(labelled):>10}{len(tried):>8}{good:>9}{good / len(tried):>8.1%}")
    lines.append(f"both ends served: {len(found) / len(labels()):.1%}")
    lines += [f"not served: {label}" for label in labels() if not label.served]
    for outcome in found:
        if not outcome.as_labelled:
            kind = "sound, no records" if outcome.label.valid else "wrong, records"
            lines.append(f"{kind}: {outcome.label}: {WHY.get(str(outcome.label), outcome.last)}")
    return "\n".join(lines)
