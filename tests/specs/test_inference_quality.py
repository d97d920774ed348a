"""How often the meaning of a field is told right, on fields labelled by hand.

`labelled_fields.tsv` holds fields of real documents (names, labels, what their prose says of values) and traps of our
own. `part` is "tuned" for fields whose errors were looked at while the rules were written, "held" for as many drawn at
the same time whose errors were looked at only when the rules stood (0.96 of the kinds were right then; two faults found
there were repaired since), "trap" for our own. `kinds` lists what a careful reader accepts; an empty `format` is not
checked in documents and must be none in traps; `values` is how many closed values the text spells out.
"""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from edge.specs.dates import DATES
from edge.specs.typing import Evidence, Typed, infer, json_type

TABLE = Path(__file__).with_name("labelled_fields.tsv")
MEASURED = frozenset({"number", "count", "amount"})
KIND_ACCURACY = {"tuned": 0.97, "held": 0.95, "trap": 0.98}
FORMAT_ACCURACY = 0.97
VALUES_ACCURACY = 0.98


@dataclass(frozen=True)
class Labelled:
    """A field, what is right, and what was told."""

    part: str
    source: str
    field: Evidence
    kinds: frozenset[str]
    form: str
    values: int
    told: Typed

    def __str__(self) -> str:
        told = f"{self.told.kind}/{self.told.format}/{len(self.told.enum)}"
        right = f"{'|'.join(sorted(self.kinds))}/{self.form}/{self.values}"
        return f"{self.part} {self.source} {self.field.name} ({self.field.label}): told {told}, right {right}"


@cache
def labelled() -> tuple[Labelled, ...]:
    """Read the table and infer every field of it."""
    with TABLE.open(encoding="utf-8") as lines:
        return tuple(map(_labelled, csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)))


def _labelled(row: dict[str, str]) -> Labelled:
    field = Evidence(
        name=row["name"],
        label=row["label"],
        description=row["prose"].replace("\\n", "\n"),
        examples=tuple(filter(None, row["examples"].split(" ; "))),
        type=json_type(row["type"]),
    )
    told = infer(field, output=row["way"] == "out")
    kinds = frozenset(row["kinds"].split("|"))
    return Labelled(row["part"], row["source"], field, kinds, row["format"], int(row["values"]), told)


def _confusion(wrong: list[Labelled]) -> str:
    pairs = Counter((" or ".join(sorted(case.kinds)), case.told.kind) for case in wrong)
    table = [f"{right} told as {told}: {count}" for (right, told), count in pairs.most_common()]
    return "\n".join([*table, "", *map(str, wrong)])


def test_the_table_is_large_and_varied() -> None:
    cases = labelled()
    assert len(cases) >= 250
    assert {"portal", "opendart", "assembly", "gateway", "platform", "mcp", "own"} <= {case.source for case in cases}
    assert min(Counter(case.part for case in cases).values()) >= 90


@pytest.mark.parametrize("part", sorted(KIND_ACCURACY))
def test_kinds(part: str) -> None:
    cases = [case for case in labelled() if case.part == part]
    wrong = [case for case in cases if case.told.kind not in case.kinds]
    assert 1 - len(wrong) / len(cases) >= KIND_ACCURACY[part], _confusion(wrong)


def test_formats() -> None:
    cases = [case for case in labelled() if case.form or case.part == "trap"]
    wrong = [case for case in cases if (case.told.format or "") != case.form]
    assert 1 - len(wrong) / len(cases) >= FORMAT_ACCURACY, _confusion(wrong)


def test_closed_lists_of_values() -> None:
    cases = labelled()
    wrong = [case for case in cases if len(case.told.enum) != case.values]
    assert 1 - len(wrong) / len(cases) >= VALUES_ACCURACY, _confusion(wrong)


def test_c09_no_code_is_read_as_a_number() -> None:
    """Leading zeros and identity are lost for good; nothing later can repair that."""
    codes = [case for case in labelled() if case.kinds == {"code"}]
    wrong = [case for case in codes if case.told.kind in MEASURED or case.told.type in ("integer", "number")]
    assert codes
    assert not wrong, _confusion(wrong)


def test_nothing_else_is_read_as_a_date() -> None:
    """The clock fills dates: a field wrongly taken for one is called with nonsense."""
    others = [case for case in labelled() if not case.kinds & DATES]
    wrong = [case for case in others if case.told.kind in DATES]
    assert others
    assert not wrong, _confusion(wrong)
