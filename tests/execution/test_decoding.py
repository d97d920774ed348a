"""What a body really is (cases A05, A18, A19, A20, A22, A23, D10) and XML as the tree of JSON."""

from __future__ import annotations

import gzip
import io
import json
import unicodedata
import zipfile
import zlib
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from edge.execution.archive import ArchiveLimits
from edge.execution.decoding import decode_body, decode_text
from edge.execution.unpacking import TooLarge, Unpacker
from edge.execution.xmltree import TEXT_KEY, XmlError, parse_xml
from edge.ids import canonical_json

KOREAN = st.text(alphabet=st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=2)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
TREES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12)


def composed(value: object) -> object:
    """A tree with its texts in NFC, as decoding leaves them; of keys that fall together the last counts."""
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, list):
        return [composed(item) for item in value]
    if isinstance(value, dict):
        return {composed(key): composed(item) for key, item in value.items()}
    return value


def zipped(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize("label", ["euc-kr", "EUC-KR", "ks_c_5601-1987", "ms949", "", "utf-8", "iso-8859-1"])
def test_a18_korean_labels_and_none_decode_as_cp949(label: str) -> None:
    content_type = f"text/xml; charset={label}" if label else "text/xml"
    assert decode_text(bytes.fromhex("8c63b9e6b0a2c7cf"), content_type) == ("똠방각하", 0)


def test_a18_xml_that_declares_euc_kr() -> None:
    body = '<?xml version="1.0" encoding="EUC-KR"?><r><a>똠방각하</a></r>'.encode("cp949")
    assert decode_body(body).tree == {"r": {"a": "똠방각하"}}


@settings(deadline=None)
@given(KOREAN, st.sampled_from(["text/html;charSet=euc-kr", "application/json", "a/b; charset=utf-8", ""]))
def test_a19_labels_are_hints(text: str, content_type: str) -> None:
    assert decode_text(text.encode("utf-8"), content_type) == (text, 0)
    assert decode_text(("가나다 " + text).encode("cp949"), content_type.replace("utf-8", "euc-kr"))[1] == 0


def test_a19_the_header_parameter_name_has_no_case() -> None:
    assert decode_text(bytes.fromhex("bcadbfef"), "text/html;charSet=euc-kr") == ("서울", 0)
    assert decode_text("짜".encode("cp949"), "text/html;CharSet=EUC-KR") == ("짜", 0)  # also valid UTF-8


def test_a20_byte_order_marks() -> None:
    assert decode_body(bytes.fromhex("efbbbf7b2261223a317d")).tree == {"a": 1}
    assert decode_body('{"a":"가"}'.encode("utf-16")).tree == {"a": "가"}


def test_a05_the_body_is_sniffed_not_the_header() -> None:
    inner = b"<cmmMsgHeader><returnReasonCode>12</returnReasonCode></cmmMsgHeader>"
    fault = b"<OpenAPI_ServiceResponse>" + inner + b"</OpenAPI_ServiceResponse>"
    decoded = decode_body(fault, "application/json")
    assert (decoded.kind, decoded.tree) == (
        "xml",
        {"OpenAPI_ServiceResponse": {"cmmMsgHeader": {"returnReasonCode": "12"}}},
    )
    assert decode_body(b' {"a": 1}', "text/xml").kind == "json"


def test_a22_a_trailing_comma_is_a_named_problem() -> None:
    assert decode_body(b'{"hearings":[{"id":1},{"id":2},]}').problem == "invalid_json"
    assert decode_body(b'{"hearings":[{"id":1},{"id":2}]}').problem == ""


@given(TREES, st.sampled_from([(",", ":"), (", ", ": "), (",", " :")]), st.booleans())
def test_a_json_text_is_read_alike_however_it_is_written(tree: object, between: tuple[str, str], plain: bool) -> None:
    text = json.dumps({"a": tree}, ensure_ascii=not plain, separators=between)
    assume(not any(0xD800 <= ord(c) < 0xE000 for c in text))
    found = decode_body(text.encode())
    assert (found.kind, canonical_json(found.tree), found.notes) == ("json", canonical_json(composed({"a": tree})), ())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a":123456789012345678901234567890}', 123456789012345678901234567890),
        ('{"a":-9223372036854775809}', -9223372036854775809),
        ('{"a":1e999}', "1e999"),
        ('{"a":NaN}', None),
        ('{"a":"x\u0001y"}', "x\u0001y"),
        ('{"a":1,"a":2}', [1, 2]),
        ('{"a":{"b":1},"a":{"b":2}}', [{"b": 1}, {"b": 2}]),
        ('{"a":' + "[" * 300 + "]" * 300 + "}", None),
    ],
)
def test_compact_json_loses_nothing(text: str, value: object) -> None:
    found = decode_body(text.encode())
    assert isinstance(found.tree, dict)
    if value is not None or "NaN" in text:
        assert found.tree["a"] == value
    else:
        assert json.dumps(found.tree, separators=(",", ":")) == text


def test_a23_repeated_keys_are_joined_and_noted() -> None:
    decoded = decode_body(b'{"item":[{"n":1}],"item":[{"n":2}]}')
    assert decoded.tree == {"item": [{"n": 1}, {"n": 2}]}
    assert decoded.notes == ("duplicate_key:item",)
    assert decode_body(b'{"a":1,"a":2}').tree == {"a": [1, 2]}
    assert decode_body(b'{"a":1,"a":1}').tree == {"a": 1}


def test_d10_text_is_composed_even_inside_escapes() -> None:
    plain = unicodedata.normalize("NFD", "서울시 강남구")
    for body in (json.dumps({"a": plain}, ensure_ascii=False), json.dumps({"a": plain}), f"<r><a>{plain}</a></r>"):
        tree: Any = decode_body(body.encode()).tree
        assert (tree.get("r") or tree)["a"] == "서울시 강남구"


def test_json_that_providers_send() -> None:
    assert decode_body(b'{"a":"x\ty\nz"}').tree == {"a": "x\ty\nz"}
    assert decode_body(b'{"a":NaN,"b":Infinity,"c":1e999}').tree == {"a": None, "b": None, "c": "1e999"}
    assert decode_body(b'{"a":"\\ud800"}').tree == {"a": "\ufffd"}
    assert decode_body(b"[" * 100_000).problem == "invalid_json"
    assert decode_body(b'{"code": 0830}').problem == "invalid_json"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "empty"),
        (b" \r\n", "empty"),
        (b"<!DOCTYPE HTML PUBLIC><HTML><body>x", "html"),
        (b"<script>location.assign('/x')</script>", "html"),
        (b'<?xml version="1.0"?>\n<!-- x --><!DOCTYPE html PUBLIC "x"><html/>', "html"),
        (b"<p>down<br>for today", "html"),
        (b"<schoolInfo><head><n>1</n></head><row><t><![CDATA[<script>]]></t></row></schoolInfo>", "xml"),
        (b"Error forwarding request to backend server", "text"),
        (b"<a><b></a>", "broken"),
    ],
)
def test_kinds(body: bytes, kind: str) -> None:
    assert decode_body(body).kind == kind


def test_a_text_cut_inside_a_character_is_kept_without_replacement_marks() -> None:
    text, lost = decode_text(("가" * 500).encode("cp949") + b"\xb0")
    assert (text, lost) == ("가" * 500, 1)


@settings(deadline=None)
@given(st.binary(max_size=300), st.text(max_size=40))
def test_nothing_a_server_sends_raises(body: bytes, content_type: str) -> None:
    decoded = decode_body(body, content_type)
    assert "\ufffd" not in decoded.text
    canonical_json(decoded.tree).encode()


@settings(max_examples=50, deadline=None)
@given(TREES)
def test_json_survives(tree: Any) -> None:
    decoded = decode_body(json.dumps({"t": tree}, ensure_ascii=True).encode())
    composed = json.loads(unicodedata.normalize("NFC", json.dumps({"t": tree}, ensure_ascii=False)))
    if "\\ud" not in json.dumps(tree) and "\ufffd" not in str(tree):
        assert decoded.tree == composed


NAMES = st.from_regex(r"[A-Za-z가-힣_][A-Za-z0-9가-힣_]{0,8}", fullmatch=True)
TEXTS = st.text(alphabet=st.characters(min_codepoint=32, exclude_categories=["Cs", "Cn", "Co"])).map(
    lambda text: " ".join(unicodedata.normalize("NFC", text).split())
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.dictionaries(NAMES, TEXTS, min_size=1), min_size=2, max_size=4))
def test_xml_gives_the_tree_of_json(items: list[dict[str, str]]) -> None:
    def escaped(text: str) -> str:
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    inner = "".join(
        "<item>" + "".join(f"<{k}>{escaped(v)}</{k}>" for k, v in item.items()) + "</item>" for item in items
    )
    tree = decode_body(f'<?xml version="1.0" encoding="UTF-8"?><items>{inner}</items>'.encode()).tree
    assert tree == {"items": {"item": items}}


def test_xml_shapes() -> None:
    tree, notes = parse_xml(
        '<n:r xmlns:n="u" id="1"><a/><b> x </b><c k="v">t</c><d><![CDATA[a & b]]></d><e>1</e><e>2</e></n:r>'
    )
    assert tree == {"r": {"id": "1", "a": "", "b": "x", "c": {"k": "v", TEXT_KEY: "t"}, "d": "a & b", "e": ["1", "2"]}}
    assert notes == ()


def test_xml_repairs_are_narrow_and_noted() -> None:
    tree, notes = parse_xml("<r><a>A&B&nbsp;C &lt; D</a><b><![CDATA[x&y]]></b><c>\x01z</c></r>")
    assert tree == {"r": {"a": "A&B\xa0C < D", "b": "x&y", "c": "z"}}
    assert notes == ("lenient_xml",)


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><r>&b;</r>',
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>',
        "<a>" * 300 + "</a>" * 300,
        "<a>",
        "no xml",
    ],
)
def test_xml_that_may_not_be_read(text: str) -> None:
    with pytest.raises(XmlError):
        parse_xml(text)


def test_archives() -> None:
    body = zipped(**{"README": b"x", "CORPCODE.xml": b"<result><list><corp_code>00126380</corp_code></list></result>"})
    assert decode_body(body, "application/zip").tree == {"result": {"list": {"corp_code": "00126380"}}}


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"PK\x03\x04garbage", "invalid_archive"),
        (zipped(a=b"0" * 3_000_000), "too_large"),
        (zipped(a=bytes(range(256)) * 40), "too_large"),
        (zipped(**{f"f{n}": b"{}" for n in range(6)}), "too_large"),
    ],
)
def test_archives_that_may_not_be_opened(body: bytes, problem: str) -> None:
    assert decode_body(body, archive_limits=ArchiveLimits(max_entries=5, max_bytes=10_000)).problem == problem


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=2000), st.integers(1, 50))
def test_unpacking(body: bytes, step: int) -> None:
    raw = zlib.compressobj(wbits=-15)
    packed = {
        "gzip": gzip.compress(body),
        "deflate": zlib.compress(body),
        "DEFLATE ": raw.compress(body) + raw.flush(),
        "": body,
        "identity": body,
    }
    for encoding, sent in packed.items():
        unpacker = Unpacker(encoding, 2000)
        for start in range(0, len(sent), step):
            unpacker.feed(sent[start : start + step])
        assert unpacker.body() == body


def test_unpacking_stops_at_the_limit() -> None:
    with pytest.raises(TooLarge):
        Unpacker("gzip", 1000).feed(gzip.compress(b"0" * 100_000_000))
    with pytest.raises(TooLarge):
        Unpacker("", 3).feed(b"1234")
