"""Paths of ours and RFC 9535 queries find the same values, and each spelling becomes the other."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonpath import JSONPathEnvironment

from edge.errors import UsageError
from edge.links.paths import from_jsonpath, get_path, scalar, select, to_jsonpath, with_arguments

STRICT = JSONPathEnvironment(strict=True)
# Surrogates are not text that JSON can carry; the library takes \\t and the like for a control character, not \\u001f.
NAME = st.sampled_from(["a", "b", "c", "코드", "@year", "a b", "x'y", "\\", "0", "[]", "-", "é", "\t", ""]) | st.text(
    st.characters(exclude_categories=["Cs", "Cc"]), max_size=4
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAME, inner, max_size=4),
    max_leaves=12,
)
RECORD = st.dictionaries(NAME, JSON, max_size=4)
PATH = st.lists(st.tuples(NAME, st.sampled_from(["", "[]"])), min_size=1, max_size=4).map(
    lambda parts: ".".join(name + rows for name, rows in parts)
)


def walks(value: Any, path: str = "") -> list[str]:
    """The paths that lead somewhere in a record, as a signature would spell them."""
    found: list[str] = []
    if isinstance(value, dict):
        for name, inner in value.items():
            if "." not in name and not name.endswith("[]"):
                here = f"{path}.{name}" if path else name
                found += [here, *walks(inner, here)] if here else []
    elif isinstance(value, list) and value and not path.endswith("[]"):
        found += [f"{path}[]", *walks(value[0], f"{path}[]")]
    return found


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.b", "1"),
        ("rows[].n", "2"),
        ("none", None),
        ("a.b.c", None),
        ("empty[].n", None),
        ("a[].b", None),
        ("", None),
    ],
)
def test_paths(path: str, expected: str | None) -> None:
    record: dict[str, Any] = {"a": {"b": "1"}, "rows": [{"n": "2"}, {"n": "3"}], "empty": []}
    assert get_path(record, path) == expected


@given(RECORD, st.text(max_size=9) | PATH)
def test_a_path_never_raises_and_a_scalar_is_text(record: dict[str, Any], path: str) -> None:
    text = scalar(get_path(record, path))
    assert text is None or text


def test_arguments_of_the_call_travel_with_the_record() -> None:
    record = {"x": "1"}
    seen = with_arguments(record, {"year": "2026"})
    assert (get_path(seen, "@year"), get_path(seen, "x"), record) == ("2026", "1", {"x": "1"})


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("a.b[].c", "$.a.b[*].c"),
        ("법령명한글", "$.법령명한글"),
        ("조문.조문단위[].조문번호", "$.조문.조문단위[*].조문번호"),
        ("@year", "$['@year']"),
        ("gml:pos", "$['gml:pos']"),
        ("1월", "$['1월']"),
        ("x'y\\z", r"$['x\'y\\z']"),
        ("\n", r"$['\n']"),
        ("", "$['']"),
    ],
)
def test_a_path_in_the_standard_s_words(path: str, query: str) -> None:
    assert to_jsonpath(path) == query
    assert from_jsonpath(query) == path


def test_control_characters_are_escaped() -> None:
    assert to_jsonpath("a\x1f") == r"$['a\u001f']"


@given(PATH)
def test_every_path_has_a_query_and_comes_back(path: str) -> None:
    if any(part.removesuffix("[]").endswith("[]") for part in path.split(".")):
        with pytest.raises(UsageError):  # a name that itself ends in brackets has no spelling of ours
            from_jsonpath(to_jsonpath(path))
        return
    assert from_jsonpath(to_jsonpath(path)) == path == from_jsonpath(to_jsonpath(path, first=True))


@given(RECORD, st.data())
def test_a_path_reads_what_the_standard_reads(record: dict[str, Any], data: st.DataObject) -> None:
    """The library is the judge, on paths that lead somewhere as on those that do not."""
    there = walks(record)
    path = data.draw(st.sampled_from(there) | PATH if there else PATH)
    first = STRICT.findall(to_jsonpath(path, first=True), record)
    assert first == ([get_path(record, path)] if first else [])
    assert first or get_path(record, path) is None
    every = select(to_jsonpath(path), record)
    assert first == every[: len(first)], "the first row's value comes first among those of all rows"
    if path in there:
        assert first


@pytest.mark.parametrize(
    "expression",
    ["", "a.b", "$", "$..code", "$.a[1]", "$.a[-1]", "$.a[0:2]", "$.a[?@.b]", "$['a','b']", "$[*].a", "$.a[*][*]",
     "$['a.b']", "$['a[]']", "$.a[", "$." + "(" * 5000, "$[?" + "(" * 5000],
)  # fmt: skip
def test_what_no_path_can_say_is_refused_in_one_line(expression: str) -> None:
    with pytest.raises(UsageError) as caught:
        from_jsonpath(expression)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=20) | st.text("$.[]*?@'\"ab0:()&|!<=", max_size=20))
def test_any_text_is_a_path_or_a_clear_refusal(expression: str) -> None:
    try:
        path = from_jsonpath(expression)
    except UsageError:
        return
    assert from_jsonpath(to_jsonpath(path)) == path


def test_all_that_the_standard_can_say_is_open_to_people() -> None:
    records = [{"dong": "역삼동", "price": 9}, {"dong": "삼성동", "price": 7}]
    assert select("$[?@.price > 8].dong", records) == ["역삼동"]
    assert select("$..price", {"rows": records}) == [9, 7]
    with pytest.raises(UsageError, match="RFC 9535"):
        select("dong", records)


def test_a_record_without_end_is_a_clear_refusal() -> None:
    deep: Any = "x"
    for _ in range(300):
        deep = {"a": deep}
    with pytest.raises(UsageError, match="nested"):
        select("$..b", deep)


def test_neither_library_is_read_before_it_is_needed() -> None:
    code = (
        "import sys; from edge.links.transforms import apply; from edge.links.paths import get_path;"
        "assert apply('slice:0:2', {'a': '11680'}, 'a') == '11';"
        "print([n for n in ('pyproj', 'jsonpath') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
