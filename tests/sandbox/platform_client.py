"""A sandbox process on loopback, and a client that builds each platform's URLs and unwraps its envelopes."""

import atexit
import io
import json
import re
import subprocess
import sys
import zipfile
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import quote

import httpx

from edge.sandbox.catalogue import Operation, load_platforms

DEMO_KEY = "edge+sandbox/key=="


@cache
def base_url() -> str:
    """Start one sandbox for this test process; it leaves with us."""
    command = [sys.executable, "-m", "edge.sandbox", "--port", "0", "--exit-with-parent"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://[\d.]+:\d+", line)
    assert found, line

    def stop() -> None:
        process.terminate()
        process.communicate(timeout=10)

    atexit.register(stop)
    return found[0]


@cache
def _http() -> httpx.Client:
    client = httpx.Client(timeout=30, trust_env=False)
    atexit.register(client.close)
    return client


@cache
def operations() -> dict[str, Operation]:
    return {operation.id: operation for platform in load_platforms() for operation in platform.operations}


@dataclass(frozen=True)
class Answer:
    """rows is empty unless the platform said it worked."""

    raw: httpx.Response
    body: Any
    rows: list[dict[str, Any]] = field(default_factory=list)
    total: int = 0
    code: str = ""


def fetch(host: str, path: str, headers: dict[str, str] | None = None, **params: object) -> httpx.Response:
    """One request with the path as it is (already quoted) and the parameters encoded once."""
    query = {name: str(value) for name, value in params.items()}
    return _http().get(f"{base_url()}/{host}{path}", params=query or None, headers=headers)


def call(name: str, key: str = DEMO_KEY, json_format: bool = True, **params: object) -> Answer:
    """One operation by id, as a client of that platform would send it."""
    operation = operations()[name]
    query = dict(operation.fixed) | {k: str(v) for k, v in params.items()}
    path = operation.path
    headers: dict[str, str] = {}
    if operation.key.place == "path":
        query |= {operation.key.names[0]: key, operation.format.param: "json" if json_format else "xml", "LANG": "kr"}
        query.setdefault("START", "1")
        query.setdefault("END", "1000")
    else:
        if operation.key.place == "header":
            headers = {operation.key.names[0]: f"{operation.key.prefix} {key}".strip()}
        elif operation.key.place == "query":
            query[operation.key.names[0]] = key
        if operation.format.param and json_format:
            query[operation.format.param] = "JSON" if operation.envelope == "law" else "json"
    path = path.replace("{EXT}", "json" if json_format else "xml")
    for placeholder in re.findall(r"\{(\w+)\??\}", path):
        value = query.pop(placeholder, " ")
        path = re.sub(rf"\{{{placeholder}\??\}}", lambda _match, text=value: quote(text, safe=""), path)
    while path.endswith("/%20"):
        path = path.removesuffix("/%20")
    if operation.key.place == "path":
        query = {}
    return unwrap(operation, fetch(operation.host, path, headers, **query))


def unwrap(operation: Operation, raw: httpx.Response) -> Answer:
    """Rows, total and the platform's own result code of a JSON answer."""
    if "json" not in raw.headers["content-type"]:
        if raw.content.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(raw.content)) as archive:
                rows = [{"file": name, "text": archive.read(name).decode()} for name in archive.namelist()]
            return Answer(raw, "", rows, len(rows), "000")
        return Answer(raw, raw.text, code="not json")
    body = json.loads(raw.text)
    return {
        "neis": _neis, "seoul": _seoul, "ecos": _seoul, "swopen": _swopen, "dart": _dart, "law": _law,
        "topis": _topis, "ex": _ex, "nec": _nec, "kosis": _kosis, "sgis": _sgis, "its": _its, "krx": _krx,
        "schoolinfo": _schoolinfo, "naver": _naver, "kakao": _kakao,
    }[operation.envelope](raw, body)  # fmt: skip


def _listed(value: Any) -> list[dict[str, Any]]:
    return value if isinstance(value, list) else [value] if value else []


def _result(body: Any) -> str:
    found = body["RESULT"]
    return (found[0] if isinstance(found, list) else found)["CODE"]


def _neis(raw: httpx.Response, body: Any) -> Answer:
    if "RESULT" in body:
        return Answer(raw, body, code=_result(body))
    head, row = next(iter(body.values()))
    return Answer(raw, body, row["row"], head["head"][0]["list_total_count"], head["head"][1]["RESULT"]["CODE"])


def _seoul(raw: httpx.Response, body: Any) -> Answer:
    if "RESULT" in body:
        return Answer(raw, body, code=_result(body))
    inner = next(iter(body.values()))
    return Answer(raw, body, inner["row"], inner["list_total_count"], inner.get("RESULT", {}).get("CODE", "INFO-000"))


def _swopen(raw: httpx.Response, body: Any) -> Answer:
    if "errorMessage" not in body:
        return Answer(raw, body, code=body["code"])
    return Answer(raw, body, body["realtimeArrivalList"], body["errorMessage"]["total"], body["errorMessage"]["code"])


def _dart(raw: httpx.Response, body: Any) -> Answer:
    rows = body.get("list", [body]) if body["status"] == "000" else []
    return Answer(raw, body, rows, body.get("total_count", len(rows)), body["status"])


def _law(raw: httpx.Response, body: Any) -> Answer:
    if "Law" in body:
        return Answer(raw, body, code="none")
    inner = next(iter(body.values()))
    if "totalCnt" not in inner:
        return Answer(raw, body, [] if inner.get("조문") == {} else [inner], 1, "00")
    item = next((value for key, value in inner.items() if isinstance(value, list | dict)), None)
    return Answer(raw, body, _listed(item), int(inner["totalCnt"]), inner["resultCode"])


def _topis(raw: httpx.Response, body: Any) -> Answer:
    rows = _listed(body["msgBody"]["itemList"])
    return Answer(raw, body, rows, len(rows), body["msgHeader"]["headerCd"])


def _ex(raw: httpx.Response, body: Any) -> Answer:
    rows = next((value for value in body.values() if isinstance(value, list)), [])
    return Answer(raw, body, rows, body["count"], body.get("code", ""))


def _nec(raw: httpx.Response, body: Any) -> Answer:
    response = body["response"]
    if "body" not in response:
        return Answer(raw, body, code=response["header"]["resultCode"])
    inner = response["body"]
    return Answer(raw, body, _listed(inner["items"]["item"]), inner["totalCount"], response["header"]["resultCode"])


def _kosis(raw: httpx.Response, body: Any) -> Answer:
    return Answer(raw, body, code=body["err"]) if isinstance(body, dict) else Answer(raw, body, body, len(body), "0")


def _sgis(raw: httpx.Response, body: Any) -> Answer:
    rows = [item["properties"] for item in body.get("features", [])] or _listed(body.get("result"))
    return Answer(raw, body, rows, len(rows), str(body["errCd"]))


def _its(raw: httpx.Response, body: Any) -> Answer:
    inner = body.get("body", {})
    rows = _listed(inner.get("items"))
    return Answer(raw, body, rows, inner.get("totalCount", 0), str(body["header"]["resultCode"]))


def _krx(raw: httpx.Response, body: Any) -> Answer:
    rows = body.get("OutBlock_1", [])
    return Answer(raw, body, rows, len(rows), body.get("respCode", "200"))


def _schoolinfo(raw: httpx.Response, body: Any) -> Answer:
    rows = body.get("list", [])
    return Answer(raw, body, rows, len(rows), body["resultCode"])


def _naver(raw: httpx.Response, body: Any) -> Answer:
    return Answer(raw, body, body.get("items", []), body.get("total", 0), body.get("errorCode", "200"))


def _kakao(raw: httpx.Response, body: Any) -> Answer:
    rows = body.get("documents", [])
    return Answer(raw, body, rows, body.get("meta", {}).get("total_count", 0), body.get("errorType", "200"))
