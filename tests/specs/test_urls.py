"""URLs of operations (A30, S07)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge.specs.urls import base_of, host_of, join, placeholders


@pytest.mark.parametrize("base", ["/3330000/EduNursService", "3330000/EduNursService/", "/3330000/EduNursService/"])
@pytest.mark.parametrize("path", ["getList", "/getList", "getList/"])
def test_a30_exactly_one_slash(base: str, path: str) -> None:
    url = join(base_of("apis.data.go.kr", base, ("https",)).url, path)
    assert url == "https://apis.data.go.kr/3330000/EduNursService/getList"


def test_s07_port_of_the_scheme_and_root_base_path() -> None:
    base = base_of("openapi.x.go.kr:80", "/", ("http",))
    assert join(base.url, "/list") == "http://openapi.x.go.kr/list"
    assert base.assumed == ()


def test_s07_assumed_scheme_is_recorded() -> None:
    assert base_of("x.go.kr", "/").assumed == ("scheme",)
    assert base_of("x.go.kr:8088", "").url == "https://x.go.kr:8088"


def test_host_may_hold_a_path() -> None:
    base = base_of("apis.data.go.kr/B551182/hospInfoServicev2", "", ("https", "http"))
    assert base.url == "https://apis.data.go.kr/B551182/hospInfoServicev2"
    assert host_of(base.url) == "apis.data.go.kr"


def test_s06_template_is_kept() -> None:
    url = join(base_of("x.go.kr", "/openapi", ("https",)).url, "/법 령/{지역명}/목록")
    assert url == "https://x.go.kr/openapi/법 령/{지역명}/목록"
    assert placeholders(url) == ("지역명",)


@given(st.lists(st.text(alphabet="ab/", max_size=6), max_size=4))
def test_join_never_doubles_slashes_at_seams(parts: list[str]) -> None:
    inner = [part.strip("/") for part in parts]
    assert join("https://x", *parts) == "/".join(["https://x", *(part for part in inner if part)])
