"""Calls any gateway operation of the shared sandbox process, and finds the rows in whichever body comes back."""

import json
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import httpx
from platform_client import DEMO_KEY, _http, base_url, operations

Row = dict[str, Any]


def send(name: str, params: Mapping[str, object], form: str = "json", body: object = None) -> httpx.Response:
    """One call with the key where the service wants it; a body makes it a POST."""
    operation = operations()[name]
    query = {key: str(value) for key, value in params.items()}
    headers: dict[str, str] = {}
    if operation.key.place == "header":
        headers[operation.key.names[0]] = f"{operation.key.prefix} {DEMO_KEY}"
    else:
        query = {operation.key.names[0]: DEMO_KEY} | query
    if operation.format.param:
        query = {operation.format.param: form} | query
    url = f"{base_url()}/{operation.host}{operation.path}"
    if body is not None:
        return _http().post(url, params=query, headers=headers, json=body)
    return _http().get(url, params=query, headers=headers)


def rows_of(raw: httpx.Response) -> list[Row]:
    """Rows of a body; a tax state counts only where the number is registered."""
    if "json" not in raw.headers["content-type"]:
        return _xml_rows(raw.text)
    body = json.loads(raw.text)
    if "status_code" in body:
        return [row for row in body.get("data", []) if row.get("b_stt_cd") or row.get("valid") == "01"]
    if "documents" in body:
        return body["documents"]
    if "RESPONSE" in body:
        return body["RESPONSE"]["ITEMS"]
    inner = body.get("response", body)
    if "msgHeader" in inner:
        return _listed(next(iter(inner.get("msgBody", {"": []}).values())))
    content = inner.get("body", inner)
    return _listed(content.get("items", content.get("item")))


def fetch_rows(name: str, params: Mapping[str, object], form: str = "json") -> list[Row]:
    """Rows of one call."""
    return rows_of(send(name, params, form))


def _listed(value: Any) -> list[Row]:
    if isinstance(value, dict) and set(value) == {"item"}:
        value = value["item"]
    return value if isinstance(value, list) else [value] if value else []


def _xml_rows(text: str) -> list[Row]:
    root = ElementTree.fromstring(text)
    single = root.tag.removesuffix("List") if root.tag.endswith("List") else "item"
    return [{child.tag: child.text or "" for child in item} for item in root.iter(single)]
