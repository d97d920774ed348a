"""Calls gateway operations of the shared sandbox process by id, and unwraps whichever envelope comes back."""

import json
from dataclasses import dataclass
from typing import Any

import httpx
from platform_client import DEMO_KEY, _http, base_url, fetch, operations
from platform_client import call as call_platform

Row = dict[str, Any]
EXTRA = {"MobileOS": "ETC", "MobileApp": "edge"}


@dataclass(frozen=True)
class Answer:
    """`code` is the provider's result code, the gateway's reason code, or the HTTP status of Kakao."""

    raw: httpx.Response
    rows: list[Row]
    total: int
    code: str

    @property
    def ok(self) -> bool:
        return bool(self.rows)


def ask(name: str, key: str | None = DEMO_KEY, form: str = "json", **params: object) -> Answer:
    """One call with the key where the platform wants it; `form` goes into the platform's own format parameter."""
    operation = operations()[name]
    query: dict[str, object] = dict(EXTRA) if "KorService2" in name else {}
    if operation.format.param:
        query[operation.format.param] = form
    headers: dict[str, str] = {}
    if key is not None and operation.key.place == "header":
        headers[operation.key.names[0]] = f"{operation.key.prefix} {key}"
    elif key is not None:
        query[operation.key.names[0]] = key
    query |= params
    url = f"{base_url()}/{operation.host}{operation.path}"
    raw = _http().get(url, params={k: str(v) for k, v in query.items()}, headers=headers)
    return unwrap(raw)


def ask_any(name: str, **params: object) -> Answer:
    """Gateway operations, or those of the other platforms through their own client."""
    if operations()[name].host in HOSTS:
        return ask(name, **params)
    answer = call_platform(name, **params)
    return Answer(answer.raw, answer.rows, answer.total, answer.code)


HOSTS = {"apis.data.go.kr", "business.juso.go.kr", "dapi.kakao.com", "www.safetydata.go.kr"}


def unwrap(raw: httpx.Response) -> Answer:
    if "json" not in raw.headers["content-type"]:
        return Answer(
            raw, _xml_rows(raw.text), 0, _between(raw.text, "returnReasonCode") or _between(raw.text, "resultCode")
        )
    body = json.loads(raw.text)
    if "documents" in body:
        return Answer(raw, body["documents"], body["meta"]["total_count"], "200")
    if "StanReginCd" in body:
        head, row = body["StanReginCd"]
        return Answer(raw, row["row"], head["head"][0]["totalCount"], "INFO-0")
    if "results" in body:
        common = body["results"]["common"]
        return Answer(raw, body["results"]["juso"] or [], int(common["totalCount"]), common["errorCode"])
    if "Response" in body:
        head = body["Response"]["head"]
        return Answer(raw, _listed(body["Response"].get("items")), int(head.get("totalCount", 0)), head["resultCode"])
    return _ordinary(raw, body)


def _ordinary(raw: httpx.Response, body: Any) -> Answer:
    if "response" not in body:
        code = str(body.get("resultCode") or body.get("RESULT", {}).get("resultCode") or body.get("errorType"))
        code = str(body["header"]["resultCode"]) if "header" in body else code
        return Answer(raw, _listed(body.get("items") or body.get("body")), int(body.get("totalCount", 0)), code)
    response = body["response"]
    inner = response.get("body") or {}
    items = inner.get("items") if "items" in inner else inner.get("item")
    return Answer(raw, _listed(items), int(inner.get("totalCount", 0)), response["header"]["resultCode"])


def _listed(value: Any) -> list[Row]:
    if isinstance(value, dict) and set(value) == {"item"}:
        value = value["item"]
    return value if isinstance(value, list) else [value] if value else []


def _xml_rows(text: str) -> list[Row]:
    from xml.etree import ElementTree

    if not text.lstrip().startswith("<") or "<html" in text:
        return []
    return [{child.tag: child.text or "" for child in item} for item in ElementTree.fromstring(text).iter("item")]


def _between(text: str, tag: str) -> str:
    return text.partition(f"<{tag}>")[2].partition("<")[0]


__all__ = ["DEMO_KEY", "Answer", "ask", "ask_any", "base_url", "fetch", "operations", "unwrap"]
