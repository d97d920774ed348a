"""The identity of a request: the same question has one name, other questions have others, no key is in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from wireserver import tool

from edge.execution.request import WireRequest, build_request
from edge.specs.model import Auth, Parameter

PARAMETERS = (
    Parameter("q", "검색어"),
    Parameter("ref", "참조"),
    Parameter("who", "누구", location="header"),
    Parameter("part", "부분", location="body"),
)
VALUES = st.text(min_size=1, max_size=6).map("v".__add__)
ARGUMENTS = st.dictionaries(st.sampled_from([p.name for p in PARAMETERS]), VALUES)
PAGES = st.fixed_dictionaries({"pageNo": st.integers(1, 9).map(str), "numOfRows": st.sampled_from(["10", "100"])})
KEYS = st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S"]), min_size=8, max_size=20)
AUTHS = st.sampled_from([("query", "serviceKey"), ("header", "Authorization"), ("path", "KEY"), ("body", "apiKey")])


def asked(arguments: dict[str, str], page: dict[str, str], key: str, auth: tuple[str, str], method: str) -> WireRequest:
    location, name = auth
    url = "https://apis.data.go.kr/{KEY}/list" if location == "path" else "https://apis.data.go.kr/B55/list"
    made = replace(tool(parameters=PARAMETERS, auth=None), method=method, url=url)
    wants = Auth(name, location, "EDGE_KEY_PORTAL")  # type: ignore[arg-type]
    made = replace(made, profile=replace(made.profile, auth=wants))
    request = build_request(made, arguments, keys=[key], page=page)
    assert isinstance(request, WireRequest)
    return request


@settings(deadline=None)
@given(ARGUMENTS, PAGES, KEYS, KEYS, AUTHS, st.sampled_from(["GET", "POST"]), st.randoms(use_true_random=False))
def test_keys_and_order_do_not_matter(
    arguments: dict[str, str], page: dict[str, str], one: str, other: str, auth: tuple[str, str], method: str, draw: Any
) -> None:
    mixed = list(arguments.items())
    draw.shuffle(mixed)
    first = asked(arguments, page, one, auth, method)
    assert asked(dict(mixed), page, other, auth, method).identity == first.identity


@settings(deadline=None)
@given(ARGUMENTS, ARGUMENTS, PAGES, PAGES, AUTHS)
def test_other_questions_have_other_names(
    first: dict[str, str], second: dict[str, str], page: dict[str, str], other: dict[str, str], auth: tuple[str, str]
) -> None:
    one, two = asked(first, page, "secret-key-1", auth, "POST"), asked(second, other, "secret-key-1", auth, "POST")
    wire = [(r.url, r.body, {n: v for n, v in r.headers.items() if n != auth[1]}) for r in (one, two)]
    assert (one.identity == two.identity) == (wire[0] == wire[1] or (first, page) == (second, other))


@settings(deadline=None)
@given(ARGUMENTS, PAGES)
def test_methods_and_addresses_matter(arguments: dict[str, str], page: dict[str, str]) -> None:
    base = tool(parameters=PARAMETERS, auth=None)
    made = [base, replace(base, method="POST"), replace(base, url=base.url + "2"),
            replace(base, url=base.url.replace("https", "http"))]  # fmt: skip
    requests = [build_request(one, arguments, page=page) for one in made]
    names = {request.identity for request in requests if isinstance(request, WireRequest)}
    assert len(names) == len(made)
