"""Tool names: readable, unique, stable (S04, S05)."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from edge.specs.names import Identity, assign_names, romanise, tool_name

ALLOWED = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")
S04 = ["법령조회", "법령검색", "getList.v1", "getList_v1", "x" + "a" * 80 + "1", "x" + "a" * 80 + "2"]

parts = st.text(max_size=90)
identities = st.builds(Identity, parts, parts, parts, st.sampled_from(["GET", "POST"]), st.text(max_size=10))


def test_s04_six_operation_ids_give_six_names() -> None:
    names = assign_names(Identity("law", "svc", operation) for operation in S04)
    assert len(set(names.values())) == 6
    assert all(ALLOWED.match(name) for name in names.values())
    assert not any(re.fullmatch(r"_+", name.removeprefix("law_svc")) for name in names.values())


def test_s04_names_do_not_depend_on_what_else_is_compiled() -> None:
    together = assign_names(Identity("law", "svc", operation) for operation in S04)
    for operation in S04:
        alone = Identity("law", "svc", operation)
        assert assign_names([alone])[alone] == together[alone]


def test_s05_same_operation_in_two_services() -> None:
    names = assign_names([Identity("p", "traffic", "getList"), Identity("p", "finance", "getList")])
    assert sorted(names.values()) == ["p_finance_getList", "p_traffic_getList"]


def test_plain_parts_give_a_plain_name() -> None:
    assert tool_name(Identity("datagokr", "hospInfoServicev2", "getHospBasisList")) == (
        "datagokr_hospInfoServicev2_getHospBasisList"
    )
    assert tool_name(Identity("dart", "dart", "company")) == "dart_company"


def test_hangul_is_romanised() -> None:
    assert romanise("법령조회") == "beopryeongjohoe"
    assert romanise("서울 A-1") == "seoul A-1"


def test_joined_alike_but_different() -> None:
    names = assign_names([Identity("a", "b_c", "d"), Identity("a_b", "c", "d")])
    assert len(set(names.values())) == 2


@given(st.lists(identities, max_size=12))
def test_names_are_allowed_unique_and_order_free(members: list[Identity]) -> None:
    names = assign_names(members)
    assert len(set(names.values())) == len(set(members))
    assert all(ALLOWED.match(name) for name in names.values())
    assert assign_names(reversed(members)) == names
