"""Keys: the demo key after exactly one decoding, and nothing else, in each platform's own words."""

import pytest
from gateway_client import DEMO_KEY, ask, fetch

TRADES = "RTMSDataSvcAptTrade.getRTMSDataSvcAptTrade"
PATH = "/1613000/RTMSDataSvcAptTrade/getRTMSDataSvcAptTrade"
WHERE = {"LAWD_CD": "11680", "DEAL_YMD": "202605"}
ENCODED = "edge%2Bsandbox%2Fkey%3D%3D"


def _raw(key: str) -> str:
    return fetch("apis.data.go.kr", f"{PATH}?LAWD_CD=11680&DEAL_YMD=202605&_type=json&serviceKey={key}").text


def test_demo_key_is_accepted_once_encoded() -> None:
    assert ask(TRADES, **WHERE).ok
    assert '"resultCode":"000"' in _raw(ENCODED)


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("", "20"),
        ("wrong", "30"),
        ("edge+sandbox/key==", "30"),  # the plus signs arrive as blanks
        (ENCODED.replace("%", "%25"), "30"),  # encoded twice
    ],
)
def test_other_keys_get_the_gateways_xml_even_for_json(key: str, code: str) -> None:
    text = _raw(key)
    assert text.startswith("<OpenAPI_ServiceResponse>")
    assert f"<returnReasonCode>{code}</returnReasonCode>" in text


def test_gateway_faults_come_with_status_200_and_an_xml_type() -> None:
    answer = ask(TRADES, key=None, **WHERE)
    assert answer.raw.status_code == 200
    assert answer.raw.headers["content-type"].startswith("text/xml")
    assert answer.code == "20"


def test_both_spellings_of_the_parameter_are_read() -> None:
    query = f"{PATH}?LAWD_CD=11680&DEAL_YMD=202605&ServiceKey={ENCODED}"
    assert "<resultCode>000</resultCode>" in fetch("apis.data.go.kr", query).text


def test_juso_refuses_with_its_own_code() -> None:
    assert ask("addrlink.addrLinkApi", key="wrong", keyword="역삼동").code == "E0001"


def test_kakao_wants_its_header() -> None:
    assert ask("local.searchKeyword", query="강남역").ok
    for key in (None, "wrong"):
        answer = ask("local.searchKeyword", key=key, query="강남역")
        assert answer.raw.status_code == 401
        assert answer.code == "AccessDeniedError"
    bare = fetch("dapi.kakao.com", "/v2/local/search/keyword.json", query="강남역", serviceKey=DEMO_KEY)
    assert bare.status_code == 401


def test_safety_data_wraps_its_refusal() -> None:
    assert ask("DSSP.DSSP-IF-00247", key="wrong").code == "30"
