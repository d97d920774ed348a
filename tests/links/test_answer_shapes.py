"""What tools answered has a shape, and only sure changes of it count."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.links.shapes import Shape, drift, shape_of

RECORDS = [{"code": f"1{n:03}", "name": f"이름{n}", "n": n, "at": {"x": 1.5}, "list": [{"y": "a"}]} for n in range(20)]


def changed(**more: Any) -> list[dict[str, Any]]:
    return [{k: v for k, v in {**record, **more}.items() if v != "gone"} for record in RECORDS]


def test_a_shape_says_which_fields_hold_what() -> None:
    shape = shape_of([*RECORDS, {"code": None, "@corp": "C1", "odd": True}])
    assert shape.records == 21
    assert shape.holds == {"at.x": 20, "code": 20, "list.y": 20, "n": 20, "name": 20, "odd": 1}
    assert {path: set(kinds) for path, kinds in shape.kinds.items()} == {
        "at.x": {"number"}, "code": {"digits"}, "list.y": {"text"}, "n": {"number"}, "name": {"text"},
        "odd": {"boolean"},
    }  # fmt: skip
    assert shape_of(RECORDS * 500).records == 60


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (changed(), ""),
        (changed(name=7), "name was text and is number"),
        (changed(n="7"), "n was number and is digits"),
        (changed(code="2026-01-02"), "code was digits and is text"),
        (changed(code="gone"), "code is gone"),
        (changed(fresh="x"), ""),
        (changed(name="gone", title="x"), "name is gone"),
        (changed(list=[{"y": "a"}, {"y": "b"}]), ""),
        (changed(list={"y": "a"}), ""),  # XML tells no list of one from a single value
        (changed(name=None), "name is gone"),
    ],
)
def test_sure_changes_are_told(now: list[dict[str, Any]], said: str) -> None:
    assert drift(shape_of(RECORDS), shape_of(now)) == said


def test_few_records_and_fields_that_come_and_go_prove_nothing() -> None:
    now = changed(name="gone", code="x1")
    assert drift(shape_of(RECORDS[:9]), shape_of(now)) == drift(shape_of(RECORDS), shape_of(now[:9])) == ""
    assert drift(shape_of(RECORDS[:1]), shape_of(changed(name=7)[:1])) == "name was text and is number"
    optional = shape_of([*RECORDS, *changed(name="gone")])
    assert drift(optional, shape_of(changed(name="gone"))) == drift(shape_of(changed(name="gone")), optional) == ""
    mixed = shape_of([*RECORDS, *changed(code="A1")])
    assert drift(mixed, shape_of(changed(code="A1"))) == ""
    assert drift(shape_of(RECORDS), Shape()) == drift(Shape(), shape_of(RECORDS)) == ""


def test_many_changes_are_summed_up() -> None:
    assert drift(shape_of(RECORDS), shape_of(changed(code="gone", name="gone", n="gone", at="gone"))).endswith("1 more")


JSONISH: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False) | st.text("a1가", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
MANY = st.lists(st.dictionaries(st.sampled_from("abcd"), JSONISH, max_size=4), max_size=30)


@given(MANY, MANY)
def test_shapes_come_back_and_what_was_seen_once_is_no_change(some: list[Any], more: list[Any]) -> None:
    one, two = shape_of(some), shape_of(more)
    both = one.joined(two)
    assert Shape.of(both.records, json.loads(json.dumps(both.plain()))) == both
    assert both == two.joined(one)
    assert drift(one, one) == drift(both, one) == drift(both, two) == ""
