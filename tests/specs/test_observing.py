"""What records show of their fields, whatever the portal did to lists, numbers and empty values."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from edge.specs.observing import Observed, observe

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


def by_path(*records: dict[str, Any]) -> dict[str, Observed]:
    return {one.path: one for one in observe(records)}


def test_nested_objects_and_lists_become_paths() -> None:
    seen = by_path({"a": 1, "owner": {"name": "가"}, "rows": [{"no": "1"}, {"no": "2", "more": True}], "tags": ["x"]})
    assert list(seen) == ["a", "owner.name", "rows[].no", "rows[].more", "tags[]"]
    assert {path: one.type for path, one in seen.items()} == {
        "a": "integer", "owner.name": "string", "rows[].no": "string", "rows[].more": "boolean", "tags[]": "string",
    }  # fmt: skip
    assert seen["rows[].no"].repeats
    assert seen["rows[].no"].examples == ("1", "2")


def test_a_list_anywhere_makes_a_field_repeat() -> None:
    assert list(by_path({"item": {"no": 1}}, {"item": [{"no": 2}]})) == ["item[].no"]


def test_a_field_that_is_empty_here_and_an_object_there_is_the_object() -> None:
    assert list(by_path({"owner": None}, {"owner": {}}, {"owner": {"name": "가"}})) == ["owner.name"]
    assert by_path({"owner": None}, {"owner": {}})["owner"].type is None


def test_numbers_sent_as_text_are_counted() -> None:
    seen = by_path(
        {"a": "1,234", "b": 1, "c": "Y"}, {"a": "-5.5", "b": 2.5, "c": None}, {"a": "없음", "b": 3, "c": "N"}
    )
    assert (seen["a"].type, round(seen["a"].numeric, 2), seen["a"].whole) == ("string", 0.67, False)
    assert (seen["b"].type, seen["b"].numeric) == ("number", 1.0)
    assert (seen["c"].numeric, round(seen["c"].nulls, 2)) == (0.0, 0.33)


def test_depth_number_and_length_are_bounded() -> None:
    deep: Any = "x"
    for _ in range(40):
        deep = {"d": deep}
    (path,) = by_path({"d": deep})
    assert path.count(".") == 5
    assert len(by_path({f"f{n}": n for n in range(2_000)})) == 500
    assert by_path({"t": "가" * 5_000})["t"].examples == ()
    assert len(by_path(*({"n": n} for n in range(400)))["n"].examples) == 8


def test_names_that_no_path_can_say_are_left_out() -> None:
    assert list(by_path({"ok": 1, "": 2, "a[0]": 3, "a\nb": 4, "x" * 200: 5, " ": 6})) == ["ok"]


@given(st.lists(st.dictionaries(st.text(max_size=5), JSON, max_size=4), max_size=5))
def test_any_record_is_observed_the_same_each_time(records: list[dict[str, Any]]) -> None:
    first = observe(records)
    assert first == observe(records)
    assert len({one.path for one in first}) == len(first)
    assert all(0 <= one.numeric <= 1 and 0 <= one.nulls <= 1 for one in first)
