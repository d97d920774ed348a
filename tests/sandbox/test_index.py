"""The pages for people: every operation is listed, its try-it page makes a call that works, all is escaped."""

import re
import shlex
import subprocess
from html import unescape

import httpx
import pytest
from gateway_client import base_url
from platform_client import operations

from edge.sandbox.drift import load_drift
from edge.sandbox.guide import load_guide

RETIRED = {entry["operation"] for entry in load_drift() if entry["kind"] == "retired"}
# A token of another call is needed; a cold wave in June.
WITHOUT_ROWS = {"sgis.hadmarea", "ImpactInfoServiceV2.getCWImpactValueV2"}


def _get(path: str) -> httpx.Response:
    return httpx.get(f"{base_url()}{path}", timeout=60, trust_env=False)


def test_the_index_lists_every_operation_and_needs_nothing_from_elsewhere() -> None:
    page = _get("/").text
    links = re.findall(r"href='/__sandbox__/try\?operation=([^']+)'", page)
    assert {httpx.URL(f"?o={unescape(link)}").params["o"] for link in links} == set(operations()) - RETIRED
    assert not re.findall(r"<script|<link|<img|(?:src|href)='http", page)
    assert "에어코리아 측정소정보: 측정소 목록 조회" in page
    assert "<b>LAWD_CD</b> <b>DEAL_YMD</b> pageNo numOfRows _type" in page


def test_the_list_is_there_for_programs_too() -> None:
    rows = {row["id"]: row for row in _get("/__sandbox__/operations").json()}
    assert set(rows) == set(operations()) - RETIRED
    assert rows["local.searchKeyword"] | {"title": "", "try": ""} == {
        "id": "local.searchKeyword",
        "platform": "kakao",
        "title": "",
        "method": "GET",
        "path": "/dapi.kakao.com/v2/local/search/keyword.json",
        "key": {"in": "header", "names": ["Authorization"]},
        "required": ["query"],
        "parameters": rows["local.searchKeyword"]["parameters"],
        "format": {"parameter": "", "default": "json"},
        "try": "",
    }
    assert {"query", "x", "y", "radius", "size"} <= set(rows["local.searchKeyword"]["parameters"])


def test_every_operation_can_be_tried() -> None:
    silent = {
        name
        for name in set(operations()) - RETIRED
        if "<p>HTTP 200" not in httpx.get(f"{base_url()}/__sandbox__/try", params={"operation": name}, timeout=60).text
    }
    assert silent <= WITHOUT_ROWS


@pytest.mark.parametrize(
    "name",
    [
        "RTMSDataSvcAptTrade.getRTMSDataSvcAptTrade",
        "seoul.CardSubwayStatsNew",
        "dart.company",
        "local.searchKeyword",
        "v1.status",
        "law.detail",
        "careBusiness.careBusinessView",
    ],
)
def test_the_command_shown_gives_the_answer_shown(name: str) -> None:
    page = httpx.get(f"{base_url()}/__sandbox__/try", params={"operation": name}, timeout=60, trust_env=False).text
    command, shown = (unescape(block) for block in re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL))
    done = subprocess.run([*shlex.split(command), "-s", "--noproxy", "*"], capture_output=True, timeout=60, check=True)
    label = "cp949" if "EUC-KR" in page else "utf-8"
    assert shown.removesuffix(" ...") in done.stdout.decode(label)
    assert len(shown) > 100
    link = re.search(r"<a href='(/[^']+)'>Open it", page)
    if link is not None:
        assert _get(unescape(link[1])).content == done.stdout


def test_what_is_shown_is_escaped() -> None:
    answer = httpx.get(
        f"{base_url()}/__sandbox__/try", params={"operation": "<script>alert(1)</script>"}, trust_env=False
    )
    assert (answer.status_code, answer.headers["content-type"][:16]) == (400, "application/json")
    page = httpx.get(f"{base_url()}/__sandbox__/try", params={"operation": "careBusiness.careBusinessList"}).text
    assert "&lt;companyName&gt;" in page
    assert "<companyName>" not in page


def test_the_guide_speaks_of_operations_that_exist() -> None:
    guide = load_guide()
    assert set(guide.titles) | set(guide.takes) <= set(operations())
    assert len(set(operations()) - set(guide.titles)) <= len(operations()) // 20
