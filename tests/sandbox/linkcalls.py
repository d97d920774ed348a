"""One way to call any operation of the shared sandbox process and to find the records in whatever body comes back."""

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

import httpx
from platform_client import DEMO_KEY, _http, base_url, operations

from edge.sandbox.catalogue import Operation

Row = dict[str, Any]
# Elements that hold values but are no record.
_AROUND = {"header", "head", "common", "msgHeader", "comMsgHeader", "cmmMsgHeader", "body", "msgBody", "RESULT"}


@dataclass(frozen=True)
class Reply:
    """One answer; what is in it is found when it is asked for."""

    operation: Operation
    raw: httpx.Response

    @cached_property
    def rows(self) -> list[Row]:
        """The records of an answer that worked; none of a refusal or of an empty one."""
        if self.raw.status_code != 200:
            return []
        if self.raw.content[:2] == b"PK":
            return list(_archived(self.raw.content))
        text = self.text.lstrip()
        if text.startswith(("{", "[")):
            found = _ROWS.get(self.operation.envelope, _gateway)(json.loads(text))
            return [row for row in _listed(found) if row]
        if text.startswith("<") and "<html" not in text.lower():
            return _xml_rows(ElementTree.fromstring(re.sub(r"^<\?xml[^>]*>", "", text)))
        return []

    @property
    def text(self) -> str:
        """The body as text: who says EUC-KR sends CP949, and the parser of XML knows neither."""
        old = "euc-kr" in self.raw.headers.get("content-type", "").lower()
        return self.raw.content.decode("cp949") if old else self.raw.text


def send(name: str, params: Mapping[str, object], form: str = "json", key: str | None = DEMO_KEY) -> Reply:
    """One call of an operation by its id, as a client of that platform sends it; no key at all when it is None."""
    operation = operations()[name]
    query = dict(operation.fixed) | {k: str(v) for k, v in params.items()}
    headers: dict[str, str] = {}
    if operation.format.param:
        query.setdefault(operation.format.param, form.upper() if operation.envelope == "law" else form)
    if key is not None and operation.key.place == "header":
        headers[operation.key.names[0]] = f"{operation.key.prefix} {key}".strip()
    elif key is not None and operation.key.names:
        query = {operation.key.names[0]: key} | query
    path, query = _filled(operation, query, form)
    url = f"{base_url()}/{operation.host}{path}"
    if operation.method == "POST":
        body = {k: [v] for k, v in params.items()}
        given = {k: v for k, v in query.items() if k not in params}
        return Reply(operation, _http().post(url, params=given, headers=headers, json=body))
    return Reply(operation, _http().get(url, params=query or None, headers=headers))


def fetch_rows(name: str, **params: object) -> list[Row]:
    """Records of one call."""
    return send(name, params).rows


def _filled(operation: Operation, query: dict[str, str], form: str) -> tuple[str, dict[str, str]]:
    """Placeholders of the path filled from the parameters, which leave the query; optional ones end where none is."""
    path = operation.path
    names = re.findall(r"\{(\w+)\??\}", path)
    if not names:
        return path, query
    usual = {"EXT": form, "START": "1", "END": "1000", "LANG": "kr"} | query
    last = max((i for i, name in enumerate(names) if name in usual), default=-1)
    for i, name in enumerate(names):
        text = quote(usual.get(name) or " ", safe="")
        path = re.sub(rf"/\{{{name}\?\}}", f"/{text}" if i <= last else "", path)
        path = path.replace(f"{{{name}}}", text)
    if operation.key.place == "path":
        return path, {}
    return path, {k: v for k, v in query.items() if k not in names}


def _archived(content: bytes) -> Iterator[Row]:
    """The list of companies as records; of any other archive its file names."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        if names != ["CORPCODE.xml"]:
            yield from ({"file": name} for name in names)
            return
        for corp in ElementTree.fromstring(archive.read(names[0])).iter("list"):
            yield {child.tag: (child.text or "").strip() for child in corp}


def _xml_rows(root: ElementTree.Element) -> list[Row]:
    leaves = [node for node in root.iter() if len(node) and not any(len(child) for child in node)]
    found = [node for node in leaves if node is not root and node.tag not in _AROUND]
    return [{child.tag: child.text or "" for child in node} for node in found]


def _listed(value: Any) -> list[Row]:
    if isinstance(value, dict) and set(value) == {"item"}:
        value = value["item"]
    return value if isinstance(value, list) else [value] if value else []


def _gateway(body: Row) -> Any:
    inner = body.get("response", body)
    content = inner.get("body") or inner
    return content.get("items", content.get("item")) if isinstance(content, dict) else content


def _headed(body: Row) -> Any:
    return [] if "RESULT" in body else next(iter(body.values()))[1]["row"]


def _service(body: Row) -> Any:
    return [] if "RESULT" in body else next(iter(body.values())).get("row")


def _law(body: Row) -> Any:
    if "Law" in body:
        return []
    inner = next(iter(body.values()))
    if "totalCnt" in inner:
        return next((value for value in inner.values() if isinstance(value, list | dict)), None)
    return [] if inner.get("조문") == {} else [inner]


def _library(body: Row) -> Any:
    inner = body["response"]
    for plural, single in (("docs", "doc"), ("libs", "lib")):
        if plural in inner:
            return [row[single] for row in inner[plural]]
    return inner.get("result")


def _registered(body: Row) -> Any:
    # A number that nobody registered is a row too, without a state.
    return [row for row in body.get("data", []) if row.get("b_stt_cd") or row.get("valid") == "01"]


# Where the records are, by envelope; the gateway's nesting and its variants for the rest.
_ROWS: dict[str, Callable[[Any], Any]] = {
    "daegu": lambda body: body.get("list"),
    "dart": lambda body: body.get("list", body) if body["status"] == "000" else [],
    "ecos": _service,
    "ex": lambda body: next((value for value in body.values() if isinstance(value, list)), []),
    "gwangju": lambda body: body["RESPONSE"]["ITEMS"],
    "gyeonggi": lambda body: next(iter(body["response"].get("msgBody", {"": []}).values())),
    "juso": lambda body: body["results"]["juso"],
    "kakao": lambda body: body.get("documents"),
    "kosis": lambda body: body if isinstance(body, list) else [],
    "krx": lambda body: body.get("OutBlock_1"),
    "law": _law,
    "library_naru": _library,
    "neis": _headed,
    "nts": _registered,
    "schoolinfo": lambda body: body.get("list"),
    "seoul": _service,
    "sgis": lambda body: body.get("features") or body.get("result"),
    "stanregin": lambda body: body["StanReginCd"][1]["row"] if "StanReginCd" in body else [],
    "statistics": lambda body: body["Response"].get("items"),
    "swopen": lambda body: body.get("realtimeArrivalList"),
    "topis": lambda body: body["msgBody"]["itemList"],
}


def served_as(facts: Mapping[str, Row], name: str) -> str | None:
    """The served operation at the address that the facts give to an id; ids of two catalogues may mean one."""
    if name in operations():
        return name
    known = facts.get(name)
    if known is None:
        return None
    url = urlsplit(str(known["base_url"]) + str(known["path"]))
    for operation in operations().values():
        if operation.host == url.netloc.lower() and operation.path == url.path:
            return operation.id
    return None
