"""Pages in, bodies of single-shape platforms out: KOSIS, SGIS, ITS, KRX, school disclosure and Naver search."""

import re
from collections.abc import Mapping

from edge.sandbox.model import OutcomeKind, Page, Response, Row
from edge.sandbox.registry import Context, style
from edge.sandbox.rendering import json_response, xml_response

_KOSIS: Mapping[OutcomeKind, tuple[str, str]] = {
    "empty": ("30", "데이터가 존재하지 않습니다."),
    "missing_parameter": ("20", "필수요청변수값이 누락되었습니다."),
    "bad_parameter": ("21", "잘못된 요청변수를 호출하였습니다."),
    "key_missing": ("10", "인증KEY값이 누락되었습니다."),
    "key_invalid": ("11", "유효하지 않은 인증KEY입니다."),
    "quota": ("42", "사용자별 이용이 제한되었습니다."),
    "rate": ("40", "호출가능 건수가 제한되었습니다."),
    "unknown_operation": ("21", "잘못된 요청변수를 호출하였습니다."),
}
_KEYS = re.compile(r'"(\w+)":')


@style("kosis")
def render_kosis(page: Page, context: Context) -> Response:
    """A bare list, or an object with err and errMsg; keys lose their quotes unless jsonVD is Y."""
    body: object = page.rows
    if page.kind != "ok" or not page.rows:
        code, message = _KOSIS["empty" if page.kind == "ok" else page.kind]
        if page.detail == "cells":
            code, message = "31", "조회결과가 초과되었습니다. (40,000셀)"
        body = {"err": code, "errMsg": message}
    response = json_response(body)
    if context.request.get("jsonVD").upper() == "Y":
        return response
    text = _KEYS.sub(r"\1:", response.body.decode())
    return Response(response.status, response.content_type, text.encode())


_SGIS: Mapping[OutcomeKind, tuple[int, str]] = {
    "ok": (0, "Success"),
    "empty": (-100, "검색결과가 존재하지 않습니다."),
    "missing_parameter": (-200, "필수 파라미터가 누락되었습니다."),
    "bad_parameter": (-200, "파라미터 값이 올바르지 않습니다."),
    "key_missing": (-401, "인증 정보가 존재하지 않습니다."),
    "key_invalid": (-401, "인증 정보가 존재하지 않습니다."),
    "quota": (-600, "일일 호출 건수를 초과하였습니다."),
    "rate": (-600, "호출 건수를 초과하였습니다."),
    "unknown_operation": (-300, "존재하지 않는 API 입니다."),
}


@style("sgis")
def render_sgis(page: Page, context: Context) -> Response:
    """errCd and errMsg beside either one result object or the features of a GeoJSON collection."""
    code, message = _SGIS["empty" if page.kind == "ok" and not page.rows else page.kind]
    head: Row = {"id": context.option("id", "API_0000"), "errMsg": message, "errCd": code, "trId": "edge"}
    if code:
        return json_response(head)
    if context.option("shape") == "features":
        return json_response({"type": "FeatureCollection"} | head | {"features": page.rows})
    return json_response(head | {"result": page.rows[0]})


_ITS: Mapping[OutcomeKind, tuple[int, str]] = {
    "ok": (0, "success"),
    "empty": (0, "success"),
    "missing_parameter": (4002, "필수 요청 변수가 없습니다."),
    "bad_parameter": (4003, "요청 변수 값이 올바르지 않습니다."),
    "key_missing": (4005, "등록되지 않은 인증키입니다."),
    "key_invalid": (4005, "등록되지 않은 인증키입니다."),
    "quota": (4001, "사용자별 제한량을 초과하였습니다."),
    "rate": (4001, "사용자별 제한량을 초과하였습니다."),
    "unknown_operation": (4004, "요청하신 서비스가 없습니다."),
}


@style("its")
def render_its(page: Page, context: Context) -> Response:
    """header and body.items: a list, one object, or an empty object; a bad key is HTTP 401."""
    code, message = _ITS[page.kind]
    header: Row = {"resultCode": code, "resultMsg": message}
    if context.option("shape") == "cctv" and not code:
        # This one answers in XML, whatever getType says, and spells its rows `data`.
        inner: Row = {"coordtype": "1", "datacount": page.total, "data": page.rows}
        return xml_response("response", inner)
    if code:
        return json_response({"header": header}, 401 if code == 4005 else 200)
    items: object = page.rows[0] if len(page.rows) == 1 else page.rows or {}
    body: Row = {"totalCount": page.total, "items": items}
    if context.wants_json:
        return json_response({"header": header, "body": body})
    xml_body: Row = {"totalCount": page.total, "items": {"item": page.rows} if page.rows else ""}
    return xml_response("response", {"header": header, "body": xml_body})


@style("krx")
def render_krx(page: Page, context: Context) -> Response:
    """OutBlock_1, empty on holidays; a bad key is HTTP 401 with a message of its own."""
    match page.kind:
        case "ok" | "empty":
            return json_response({"OutBlock_1": page.rows})
        case "key_missing" | "key_invalid":
            return json_response({"respMsg": "Unauthorized Key", "respCode": "401"}, 401)
        case "quota" | "rate":
            return json_response({"respMsg": "Too Many Requests", "respCode": "429"}, 429)
        case _:
            return json_response({"respMsg": f"Bad Request {page.detail}".strip(), "respCode": "400"}, 400)


_SCHOOL: Mapping[OutcomeKind, str] = {
    "empty": "조회된 데이터가 없습니다.",
    "missing_parameter": "필수 값이 누락되었습니다.",
    "bad_parameter": "요청 값이 잘못되었습니다.",
    "key_missing": "인증키가 유효하지 않습니다.",
    "key_invalid": "인증키가 유효하지 않습니다.",
    "quota": "일일 호출 건수를 초과하였습니다.",
    "rate": "호출 건수를 초과하였습니다.",
    "unknown_operation": "존재하지 않는 서비스입니다.",
}


@style("schoolinfo")
def render_schoolinfo(page: Page, _context: Context) -> Response:
    """resultCode success with a list; wrong arguments and missing data differ by their message only."""
    if page.kind == "ok" and page.rows:
        return json_response({"resultCode": "success", "resultMsg": "성공", "list": page.rows})
    message = _SCHOOL["empty" if page.kind == "ok" else page.kind]
    return json_response({"resultCode": "fail", "resultMsg": message})


@style("naver")
def render_naver(page: Page, context: Context) -> Response:
    """items with total, start and display; failures are HTTP errors with a code of their own."""
    match page.kind:
        case "ok" | "empty":
            start = int(context.request.get("start", "1"))
            counts: Row = {"total": page.total + start - 1, "start": start, "display": len(page.rows)}
            built = f"{context.world.now:%a, %d %b %Y %H:%M:%S +0900}"
            body: Row = {"lastBuildDate": built} | counts | {"items": page.rows}
            return json_response(body)
        case "key_missing" | "key_invalid":
            error = {"errorMessage": "NID AUTH Result Invalid : Authentication failed.", "errorCode": "024"}
            return json_response(error, 401)
        case "quota" | "rate":
            return json_response({"errorMessage": "Query limit exceeded.", "errorCode": "012"}, 429)
        case _:
            return json_response({"errorMessage": f"Invalid {page.detail} value.", "errorCode": "SE01"}, 400)
