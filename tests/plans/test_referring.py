"""A record whose name is not its own is told by a value it shares with few, and the end of those."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from planworld import world_tools

from edge.calls import Record
from edge.plans.model import Reducer
from edge.plans.reducers import NotUnique, reduce_records
from edge.plans.referring import referring
from edge.specs.model import OutputField, Tool

OUTPUTS = (
    OutputField("name", "종목명", kind="name"),
    OutputField("market", "시장", kind="text"),
    OutputField("day", "기준일", kind="date"),
    OutputField("owner", "소유자", kind="name", private=True),
)


def tool() -> Tool:
    return replace(world_tools("M1")["portal_shops"], outputs=OUTPUTS, name_field="name")


def ends(records: Sequence[Record]) -> list[Reducer]:
    found: list[Reducer] = []
    for kind in ("latest", "earliest"):
        try:
            reduce_records(Reducer(kind, "day"), records)
        except NotUnique:
            continue
        found.append(Reducer(kind, "day"))
    return found


def told(records: Sequence[Record], favoured: Sequence[int] = ()) -> list[Reducer]:
    return referring(tool(), records, random.Random(1), favoured, ends, lambda value: len(value) > 1)


def test_the_latest_of_the_rows_with_one_name() -> None:
    records: list[Record] = [
        {"name": name, "market": "코스피", "day": f"2026060{n}", "owner": "누구"}
        for name in ("라온전자", "도담유통")
        for n in (1, 2, 3)
    ]
    found = told(records, favoured=[5])
    assert Reducer("latest", "day", within=Reducer("filter", "name", "도담유통", "도담유통")) in found
    assert {r.within.value for r in found if r.within} == {"도담유통"}
    assert all(r.within is not None for r in found)  # nothing is alone by one value
    fields = {r.within.field for r in found if r.within}
    assert "owner" not in fields, "private"
    assert "market" not in fields, "all share it"


def test_a_value_of_its_own_singles_a_record_out() -> None:
    records: list[Record] = [
        {"name": "같은이름", "market": "코넥스", "day": "20260601"},
        {"name": "같은이름", "market": "코스닥", "day": "20260601"},
        {"name": "같은이름", "market": "코스닥", "day": "20260601"},
    ]
    assert Reducer("filter", "market", "코넥스", "코넥스") in told(records, favoured=[0])


RECORDS = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(["가나", "다라", "마바", ""]),
            "market": st.sampled_from(["코스피", "코스닥"]),
            "day": st.sampled_from([f"202606{n:02}" for n in range(1, 20)]),
        }
    ),
    min_size=2,
    max_size=20,
)


@given(RECORDS)
def test_every_description_leaves_one_record(records: list[Record]) -> None:
    for reducer in told(records):
        assert len(reduce_records(reducer, records)) == 1
