"""Whatever bytes a server sends: one of four classes, a reason, and the text as it was meant (A18, A19, A20)."""

from __future__ import annotations

import gzip
import io
import json
import unicodedata
import zipfile
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled import readers
from wireserver import FAST, Reply, client, rows, serving, tool

from edge.execution.archive import ArchiveLimits
from edge.execution.decoding import decode_body
from edge.execution.failures import judge
from edge.ids import canonical_json

NAME = "똠방각하 서울"
JSON = json.dumps(rows([{"a": NAME}], 1), ensure_ascii=False)
ROW = f"<items><item><a>{NAME}</a></item></items>"
XML = f"<response><header><resultCode>00</resultCode></header><body>{ROW}</body></response>"
LIMITED = FAST.model_copy(update={"max_response_bytes": 200_000, "max_archive_bytes": 300_000, "attempts": 1})


def declared(label: str, text: str = XML) -> str:
    return f'<?xml version="1.0" encoding="{label}"?>{text}'


def zipped(*files: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return buffer.getvalue()


def deflated(data: bytes) -> bytes:
    raw = zlib.compressobj(wbits=-15)
    return raw.compress(data) + raw.flush()


GOOD: dict[str, tuple[bytes, dict[str, str]]] = {
    "utf-8": (JSON.encode(), {}),
    "a18 cp949 labelled euc-kr": (JSON.encode("cp949"), {"Content-Type": "application/json; charset=euc-kr"}),
    "a18 cp949 labelled ks_c_5601-1987": (JSON.encode("cp949"), {"Content-Type": "text/json;charset=ks_c_5601-1987"}),
    "a18 cp949 labelled utf-8": (JSON.encode("cp949"), {"Content-Type": "application/json; charset=utf-8"}),
    "a18 cp949 without a label": (JSON.encode("cp949"), {"Content-Type": ""}),
    "utf-8 labelled ms949": (JSON.encode(), {"Content-Type": "application/json; charset=ms949"}),
    "utf-8 labelled latin-1": (JSON.encode(), {"Content-Type": "application/json; charset=iso-8859-1"}),
    "a19 charSet": (JSON.encode("cp949"), {"Content-Type": "text/html;charSet=euc-kr"}),
    "a18 xml that declares euc-kr": (declared("EUC-KR").encode("cp949"), {"Content-Type": "text/xml"}),
    "xml that declares euc-kr and is utf-8": (declared("EUC-KR").encode(), {"Content-Type": "text/xml"}),
    "xml that declares utf-8 and is cp949": (declared("UTF-8").encode("cp949"), {"Content-Type": "text/xml"}),
    "a20 byte-order mark": (b"\xef\xbb\xbf" + JSON.encode(), {}),
    "a20 byte-order mark before cp949": (b"\xef\xbb\xbf" + declared("EUC-KR").encode("cp949"), {}),
    "a20 byte-order mark before a zip": (b"\xef\xbb\xbf" + zipped(("a.json", JSON.encode())), {}),
    "utf-16": (JSON.encode("utf-16"), {}),
    "decomposed": (unicodedata.normalize("NFD", JSON).encode(), {}),
    "decomposed in escapes": (json.dumps(rows([{"a": unicodedata.normalize("NFD", NAME)}], 1)).encode(), {}),
    "json called xml": (JSON.encode(), {"Content-Type": "text/xml"}),
    "xml called json": (XML.encode(), {"Content-Type": "application/json"}),
    "json called html": (JSON.encode(), {"Content-Type": "text/html"}),
    "json called a picture": (JSON.encode(), {"Content-Type": "image/png"}),
    "blanks and NULs before": (b"\r\n \x00" + JSON.encode(), {}),
    "gzip": (gzip.compress(JSON.encode()), {"Content-Encoding": "gzip"}),
    "x-gzip": (gzip.compress(JSON.encode()), {"Content-Encoding": "X-GZIP"}),
    "deflate": (zlib.compress(JSON.encode()), {"Content-Encoding": "deflate"}),
    "deflate without a header": (deflated(JSON.encode()), {"Content-Encoding": "deflate"}),
    "a charset for an encoding": (JSON.encode(), {"Content-Encoding": "utf-8"}),
    "zip": (zipped(("README", b"x"), ("rows.json", JSON.encode())), {"Content-Type": "application/zip"}),
    "zip called xml": (zipped(("rows.xml", XML.encode())), {"Content-Type": "text/xml"}),
    "zip in gzip": (gzip.compress(zipped(("rows.xml", XML.encode()))), {"Content-Encoding": "gzip"}),
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
async def test_the_text_is_read_as_it_was_meant(name: str) -> None:
    body, headers = GOOD[name]
    async with serving(lambda _: Reply(body, headers=headers)) as server, client(server, LIMITED) as gateway:
        outcome = await gateway.call(tool(), {})
    assert (outcome.outcome, outcome.records) == ("ok", ({"a": NAME},)), outcome


async def test_control_characters_inside_json_texts_stay() -> None:
    body = JSON.replace("서울", "서\t울\n")
    async with serving(lambda _: Reply(body)) as server, client(server) as gateway:
        outcome = await gateway.call(tool(), {})
    assert outcome.records == ({"a": "똠방각하 서\t울\n"},)


BOMB = '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]><r>&c;</r>'
BAD: dict[str, tuple[bytes, dict[str, str], set[str]]] = {
    "cut json": (JSON.encode()[:60], {}, {"invalid_json"}),
    "cut xml with rows": (XML.encode()[:-30], {}, {"invalid_xml"}),
    "cut xml": (XML.encode()[:90], {}, {"invalid_xml"}),
    "json cut inside a character": (JSON.encode()[:-8], {}, {"invalid_json"}),
    "shorter than it says": (JSON.encode(), {"Content-Length": "9999"}, {"protocol", "timeout"}),
    "cut gzip": (gzip.compress(JSON.encode() * 9)[:70], {"Content-Encoding": "gzip"}, {"invalid_json", "empty_body"}),
    "no gzip": (JSON.encode(), {"Content-Encoding": "gzip"}, {"protocol"}),
    "no deflate": (b"\x78\x9c" + JSON.encode(), {"Content-Encoding": "deflate"}, {"protocol"}),
    "brotli, which was not offered": (
        bytes.fromhex("8b1f80") + bytes(range(128, 256)) * 3, {"Content-Encoding": "br"}, {"undecodable", "plain_text"},
    ),
    "zstd, which was not offered": (
        bytes.fromhex("28b52ffd2480") + bytes(range(255, 120, -1)) * 3, {"Content-Encoding": "zstd"},
        {"undecodable", "plain_text"},
    ),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(128, 256)) * 4, {}, {"undecodable"}),
    "gzip bomb": (gzip.compress(b"0" * 50_000_000), {"Content-Encoding": "gzip"}, {"too_large"}),
    "deflate bomb": (zlib.compress(b"0" * 50_000_000), {"Content-Encoding": "deflate"}, {"too_large"}),
    "too much": (b" " * 200_001, {}, {"too_large"}),
    "zip bomb": (zipped(("a.xml", b"0" * 30_000_000)), {}, {"too_large"}),
    "zip beyond the cap": (zipped(("a.xml", bytes(range(256)) * 2000)), {}, {"too_large"}),
    "zip of very many": (zipped(*((f"f{n}", b"") for n in range(1001))), {}, {"too_large"}),
    "no zip": (b"PK\x03\x04garbage", {}, {"invalid_archive"}),
    "entities that grow": (BOMB.encode(), {}, {"invalid_xml"}),
    "an entity from a file": (
        b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>', {}, {"invalid_xml"},
    ),
    "xml without an end": (b"<a>" * 5000, {}, {"invalid_xml"}),
    "json without an end": (b'{"a":' * 30_000, {}, {"invalid_json"}),
    "html": (b"<html><body>\xc1\xa1\xb0\xcb</body></html>", {}, {"html_page"}),
    "a sentence": ("점검 중입니다".encode("cp949"), {}, {"plain_text"}),
    "nothing": (b"", {}, {"empty_body"}),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
async def test_what_cannot_be_read_has_a_name_and_blames_nobody(name: str) -> None:
    body, headers, reasons = BAD[name]
    quick = LIMITED.model_copy(update={"read_timeout_s": 1.0})
    async with serving(lambda _: Reply(body, headers=headers)) as server, client(server, quick) as gateway:
        outcome = await gateway.call(tool(), {})
    assert outcome.outcome == "environmental", outcome
    assert outcome.reason in reasons, outcome
    assert (outcome.records, outcome.total) == ((), 0)


PIECES = st.sampled_from(
    [b"{", b"}", b"[", b"]", b'"', b":", b",", b"<a>", b"</a>", b"<!DOCTYPE r [<!ENTITY a 'b'>]>", b"&a;",
     b"PK\x03\x04", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", b"\xb0\xa1", b"\x00", b"null", b"NaN", b"1e999",
     b"<html>", b"00", b'"response"', b'"resultCode"', b"<?xml version='1.0' encoding='EUC-KR'?>", "가".encode()]
)  # fmt: skip
ANY_BYTES = st.binary(max_size=200) | st.lists(PIECES, max_size=30).map(b"".join)
SPOILT = st.builds(
    lambda body, at, dirt: body[: at % len(body)] + dirt + body[at % len(body) :],
    st.sampled_from([value for value, _ in GOOD.values()]),
    st.integers(0, 10_000),
    st.binary(max_size=8),
)
TESTED: list[Any] = [tool(), *(readers()[name] for name in ("datagokr", "dart.company", "kosis.data", "law.search"))]


@settings(max_examples=300, deadline=None)
@given(
    ANY_BYTES | SPOILT, st.text(max_size=30), st.sampled_from(TESTED), st.sampled_from([200, 302, 400, 404, 500, 999])
)
def test_any_bytes_end_in_one_of_the_four_classes(body: bytes, label: str, tested: Any, status: int) -> None:
    verdict = judge(tested, status, decode_body(body, label, archive_limits=ArchiveLimits(max_bytes=10_000)))
    assert verdict.outcome in ("ok", "empty", "structural", "environmental")
    assert verdict.reason
    assert (verdict.outcome == "ok") == bool(verdict.records)
    assert "\ufffd" not in verdict.message
    canonical_json([dict(record) for record in verdict.records]).encode()
