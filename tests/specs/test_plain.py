"""Reading documents: scalars as written, hostile input refused (C09)."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.errors import SpecError
from edge.specs.plain import decode, read_json, read_yaml


def test_c09_leading_zeros_stay() -> None:
    assert read_yaml("lawdCd: 01110\ncorp_code: 00349927\nok: 00\n") == {
        "lawdCd": "01110",
        "corp_code": "00349927",
        "ok": "00",
    }


def test_yaml_scalars_are_text_as_written() -> None:
    tree = read_yaml('a: yes\nb: no\nc: 1.0\nd: 2024-01-01\ne:\nf: ~\ng: ""\nh: on\ni: 1_000\n')
    assert tree == {
        "a": "yes", "b": "no", "c": "1.0", "d": "2024-01-01", "e": None, "f": None, "g": "", "h": "on", "i": "1_000",
    }  # fmt: skip


def test_json_numbers_keep_their_digits() -> None:
    assert read_json('{"a": 1.0, "b": 12345678901234567890, "c": true, "d": null}') == {
        "a": "1.0",
        "b": "12345678901234567890",
        "c": True,
        "d": None,
    }


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp949"])
def test_encodings(encoding: str) -> None:
    assert decode("이름: 병원".encode(encoding)) == "이름: 병원"


def test_text_is_nfc_also_from_escapes() -> None:
    decomposed = unicodedata.normalize("NFD", "병원")
    assert decode(decomposed.encode()) == "병원"
    assert read_json(json.dumps({decomposed: decomposed})) == {"병원": "병원"}


def test_alias_is_expanded() -> None:
    assert read_yaml("a: &x {k: 1}\nb: *x\n") == {"a": {"k": "1"}, "b": {"k": "1"}}


def test_merge_keys_lie_under_a_mappings_own() -> None:
    text = "a: &a {k: 1, l: 1}\nb: &b {l: 2, m: 2}\nc: {l: 3, <<: *a}\nd: {<<: [*a, *b], n: 4}\n"
    tree = read_yaml(text)
    assert isinstance(tree, dict)
    assert tree["c"] == {"k": "1", "l": "3"}
    assert tree["d"] == {"k": "1", "l": "1", "m": "2", "n": "4"}


def test_aliases_cannot_nest_deeper_than_a_document() -> None:
    ladder = "a0: &a0 [x]\n" + "\n".join(f"a{i}: &a{i} [*a{i - 1}]" for i in range(1, 200))
    with pytest.raises(SpecError, match="nested deeper than 100 levels after alias expansion"):
        read_yaml(ladder)
    assert isinstance(read_yaml("\n".join(ladder.splitlines()[:50])), dict)


def test_long_texts_count_when_aliases_repeat_them() -> None:
    text = "x" * 100_000
    with pytest.raises(SpecError, match="after alias expansion"):
        read_yaml(f"a: &a {text}\nb: [{', '.join(['*a'] * 3000)}]")
    assert isinstance(read_yaml(f"a: &a {text}\nb: [{', '.join(['*a'] * 300)}]"), dict)


def test_json_keys_given_twice() -> None:
    assert read_json('{"a": [1], "b": 2, "a": [1]}') == {"a": ["1"], "b": "2"}
    with pytest.raises(SpecError, match="key 'a' is given twice in one mapping, with different values"):
        read_json('[{"a": 1, "a": 2}]')


def test_nul_cannot_be_escaped_into_a_document() -> None:
    assert read_json('{"a\\u0000": "\\u0000b"}') == {"a\ufffd": "\ufffdb"}
    assert read_yaml('"a\\0": "\\0b"') == {"a\ufffd": "\ufffdb"}


def test_alias_bomb_is_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    with pytest.raises(SpecError, match="alias expansion"):
        read_yaml("\n".join(lines))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: &a [*a]", "inside or before its own anchor"),
        ("a: [1", "line 2 column 1: not YAML"),
        ("a: 1\na: 2", "line 2 column 1: key 'a' is given twice"),
        ("a: {<<: 1}", "line 1 column 9: a merge key"),
        ("---\na: 1\n---\nb: 2", "second YAML document"),
        ("[" * 500 + "]" * 500, "nested deeper"),
        ("{[1, 2]: x}", "single value"),
    ],
)
def test_refused_yaml(text: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        read_yaml(text)


@pytest.mark.parametrize("text", ['{"a": 1,}', "[" * 100_000, "{'a': 1}", ""])
def test_refused_json(text: str) -> None:
    with pytest.raises(SpecError):
        read_json(text)


def test_tags_construct_nothing() -> None:
    assert read_yaml("a: !!python/object/apply:os.system [id]") == {"a": ["id"]}


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    for reader in (read_yaml, read_json):
        try:
            reader(text)
        except SpecError as error:
            assert "\n" not in str(error)
