"""Pages in, bodies of the providers that build an envelope of their own on the gateway out: city buses, NTS."""

from edge.sandbox.envelopes import gateway_fault
from edge.sandbox.model import Page, Response, Row
from edge.sandbox.registry import Context, style
from edge.sandbox.rendering import json_response, xml_response

_GYEONGGI = {
    "ok": (0, "정상적으로 처리되었습니다."),
    "empty": (4, "결과가 존재하지 않습니다."),
    "missing_parameter": (5, "필수 요청 Parameter가 존재하지 않습니다."),
    "bad_parameter": (6, "필수 요청 Parameter가 잘못되었습니다."),
}


@style("gyeonggi")
def render_gyeonggi(page: Page, context: Context) -> Response:
    """response.msgHeader with a whole number, msgBody with a list (or one object) under the operation's own name."""
    fault = gateway_fault(page.kind)
    if fault is not None:
        return fault
    code, message = _GYEONGGI[page.kind]
    clock = f"{context.world.now:%Y-%m-%d %H:%M:%S}.093"
    body: Row = {
        "comMsgHeader": "",
        "msgHeader": {"queryTime": clock, "resultCode": code, "resultMessage": message},
    }
    if page.kind == "ok":
        rows: object = page.rows[0] if len(page.rows) == 1 else page.rows
        body["msgBody"] = {context.option("list"): rows}
    return json_response({"response": body}) if context.wants_json else xml_response("response", body)


_GWANGJU = {
    "ok": ("SUCCESS", "정상 처리 되었습니다."),
    "empty": ("SUCCESS", "정상 처리 되었습니다."),
    "missing_parameter": ("ERROR", "필수 파라미터가 없습니다."),
    "bad_parameter": ("ERROR", "파라미터가 올바르지 않습니다."),
}


@style("gwangju")
def render_gwangju(page: Page, context: Context) -> Response:
    """RESPONSE with RESULT_CODE, ROW_COUNT and a bare list of ITEMS; nothing pages."""
    fault = gateway_fault(page.kind)
    if fault is not None:
        return fault
    code, message = _GWANGJU[page.kind]
    body: Row = {"RESULT_CODE": code, "RESULT_MSG": message, "ROW_COUNT": len(page.rows)}
    if context.wants_json:
        return json_response({"RESPONSE": body | {"ITEMS": page.rows}})
    return xml_response("RESPONSE", body | {"ITEMS": {"ITEM": page.rows} if page.rows else ""})


_NTS_ERRORS = {
    "key_missing": (401, -401, "인증키는 필수 항목 입니다."),
    "key_invalid": (401, -4, "등록되지 않은 인증키 입니다."),
    "quota": (429, -10, "일일 트래픽을 초과하였습니다."),
    "rate": (429, -10, "초당 트래픽을 초과하였습니다."),
    "unknown_operation": (404, -5, "API 서버 오류가 발생하였습니다."),
}
_NTS_REFUSALS = {"too_many": (413, "TOO_LARGE_REQUEST"), "not_json": (400, "BAD_JSON_REQUEST")}


@style("nts")
def render_nts(page: Page, context: Context) -> Response:
    """POST answers: status_code, counts and data at the root; a malformed body is an HTTP error with a word."""
    match page.kind:
        case "ok" | "empty":
            known = sum(bool(row.get("b_stt_cd")) or row.get("valid") == "01" for row in page.rows)
            counts: Row = {"request_cnt": len(page.rows), context.option("count", "match_cnt"): known}
            return json_response({"status_code": "OK"} | counts | {"data": page.rows})
        case "missing_parameter":
            return json_response({"status_code": "REQUEST_DATA_MALFORMED"}, 411)
        case "bad_parameter":
            status, word = _NTS_REFUSALS.get(page.detail, (411, "REQUEST_DATA_MALFORMED"))
            return json_response({"status_code": word}, status)
        case _:
            status, code, message = _NTS_ERRORS[page.kind]
            return json_response({"code": code, "msg": message}, status)
