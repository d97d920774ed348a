"""Pages in, bodies of platforms with a shape of their own out: OpenDART, law, Seoul buses, expressways, elections."""

import io
import zipfile
from collections.abc import Mapping
from functools import lru_cache
from typing import cast

from edge.sandbox.envelopes import gateway_fault
from edge.sandbox.model import OutcomeKind, Page, Response, Row
from edge.sandbox.registry import Context, style
from edge.sandbox.rendering import json_response, xml_element, xml_response

_DART_CODES: Mapping[OutcomeKind, tuple[str, str]] = {
    "ok": ("000", "정상"),
    "empty": ("013", "조회된 데이타가 없습니다."),
    "missing_parameter": ("100", "필수값({})이 누락되었습니다."),
    "bad_parameter": ("100", "필드의 부적절한 값입니다. 필드 설명에 없는 값을 사용한 경우에 발생하는 메시지입니다."),
    "key_missing": ("100", "인증키(crtfc_key)가 누락되었습니다."),
    "key_invalid": ("010", "등록되지 않은 인증키입니다."),
    "quota": ("020", "요청 제한을 초과하였습니다."),
    "rate": ("020", "요청 제한을 초과하였습니다."),
    "unknown_operation": ("101", "부적절한 접근입니다."),
}


@style("dart")
def render_dart(page: Page, context: Context) -> Response:
    """status and message at the root, then list (and counts where `counts: true`), or one company spread out."""
    code, message = _DART_CODES[page.kind]
    if page.kind == "bad_parameter" and page.detail == "period":
        message = "corp_code가 없는 경우 검색기간은 3개월만 가능합니다."
    if page.kind == "bad_parameter" and page.detail == "companies":
        code, message = "021", "조회 가능한 회사 개수가 초과하였습니다.(최대 100건)"
    body: Row = {"status": code, "message": message.format(page.detail)}
    if page.kind == "ok" and not page.rows:
        body = {"status": _DART_CODES["empty"][0], "message": _DART_CODES["empty"][1]}
    elif page.kind == "ok":
        if context.option("shape") == "single":
            body |= page.rows[0]
        else:
            if context.option("counts"):
                pages = -(-page.total // page.size)
                body |= {"page_no": page.number, "page_count": page.size}
                body |= {"total_count": page.total, "total_page": pages}
            body["list"] = page.rows
    # The extension of the path, not a parameter, chooses the format.
    if context.request.path.endswith(".json"):
        return json_response(body)
    return xml_response("result", body)


@style("dart_zip")
def render_dart_zip(page: Page, context: Context) -> Response:
    """A ZIP of the files that the rows name; failures are plain XML with a status, still HTTP 200."""
    if page.kind == "empty":
        return xml_response("result", {"status": "014", "message": "파일이 존재하지 않습니다."})
    if page.kind != "ok":
        code, message = _DART_CODES[page.kind]
        return xml_response("result", {"status": code, "message": message.format(page.detail)})
    files = tuple((str(row["file"]), cast("bytes", row["content"])) for row in page.rows)
    day = context.world.today
    name = context.option("archive") or f"{context.request.get('rcept_no')}.zip"
    head = ("content-disposition", f"attachment; filename={name}")
    body = _zipped(files, (day.year, day.month, day.day, 0, 0, 0))
    return Response(200, "application/x-msdownload;charset=UTF-8", body, (head,))


# The registry takes a second to pack and is asked for again and again.
@lru_cache(maxsize=4)
def _zipped(files: tuple[tuple[str, bytes], ...], moment: tuple[int, int, int, int, int, int]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
        for name, content in files:
            # A fixed date keeps the bytes the same for the same world.
            info = zipfile.ZipInfo(name, moment)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return buffer.getvalue()


_LAW_ERROR = (
    "<!DOCTYPE html><html><head><title>국가법령정보 공동활용</title></head><body><div class='error'>"
    "<h2>사용자 정보 검증에 실패하였습니다.</h2><p>OPEN API 호출 시 사용자 검증을 위하여 정확한 서버장비의 IP주소 및 "
    "도메인주소를 등록해 주세요.</p></div></body></html>"
)
_LAW_BAD = (
    "<!DOCTYPE html><html><head><title>국가법령정보 공동활용</title></head><body><div class='error'>"
    "<h2>페이지 접속에 실패하였습니다.</h2><p>요청 변수를 확인하여 주십시오.</p></div></body></html>"
)


def _html(text: str) -> Response:
    return Response(200, "text/html; charset=UTF-8", text.encode())


def _law_document(root: str, value: object, context: Context) -> Response:
    if context.request.get("type").upper() == "HTML":
        return _html(f"<!DOCTYPE html><html><body><pre>{xml_element(root, value)}</pre></body></html>")
    return json_response({root: value}) if context.wants_json else xml_response(root, value)


def _law_body(page: Page, context: Context) -> Response:
    if page.rows:
        return _law_document(context.option("root"), page.rows[0], context)
    what = context.option("what", "법령")
    message = f"일치하는 {what}이 없습니다.  {what}명을 확인하여 주십시오."
    return json_response({"Law": message}) if context.wants_json else xml_response("Law", message)


@style("law")
def render_law(page: Page, context: Context) -> Response:
    """Lists under a root that differs per target, one hit as an object, none without the key; bodies as they are."""
    if page.kind in ("key_missing", "key_invalid", "quota", "rate"):
        return _html(_LAW_ERROR)
    if page.kind not in ("ok", "empty"):
        return _html(_LAW_BAD)
    if context.option("shape") == "body":
        return _law_body(page, context)
    operation = context.operation
    body: Row = {
        "target": operation.fixed["target"] if operation else "",
        "키워드": context.request.get("query"),
        "section": context.option("section", "lawNm"),
        "totalCnt": str(page.total),
        "page": str(page.number),
        "numOfRows": str(len(page.rows)),
        "resultCode": "00",
        "resultMsg": "success",
    }
    if page.rows:
        item = context.option("item")
        numbered: list[Row] = [
            {"id": str((page.number - 1) * page.size + order)} | row for order, row in enumerate(page.rows, start=1)
        ]
        body[item] = numbered[0] if len(numbered) == 1 else numbered
    return _law_document(context.option("root"), body, context)


_TOPIS_CODES: Mapping[OutcomeKind, tuple[str, str]] = {
    "ok": ("0", "정상적으로 처리되었습니다."),
    "empty": ("4", "결과가 없습니다."),
    "missing_parameter": ("3", "필수 요청 값이 누락되었습니다."),
    "bad_parameter": ("5", "정류소 ID 또는 노선 ID의 형식이 올바르지 않습니다."),
    "key_missing": ("7", "Key인증실패: SERVICE KEY IS NOT REGISTERED ERROR.[인증모듈 에러코드(30)]"),
    "key_invalid": ("7", "Key인증실패: SERVICE KEY IS NOT REGISTERED ERROR.[인증모듈 에러코드(30)]"),
    "quota": ("22", "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS"),
    "rate": ("22", "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS"),
    "unknown_operation": ("1", "시스템에 오류가 발생하였습니다."),
}


@style("topis")
def render_topis(page: Page, context: Context) -> Response:
    """msgHeader and msgBody.itemList: a list, one object for a single hit, null for none; the count stays 0."""
    code, message = _TOPIS_CODES["empty" if page.kind == "ok" and not page.rows else page.kind]
    header: Row = {"headerMsg": message, "headerCd": code, "itemCount": 0}
    items: object = page.rows[0] if len(page.rows) == 1 else page.rows or None
    comm: Row = {"responseTime": None, "requestMsgID": None, "responseMsgID": None, "returnCode": None}
    if context.wants_json:
        return json_response({"comMsgHeader": comm, "msgHeader": header, "msgBody": {"itemList": items}})
    body: Row = {} if items is None else {"itemList": items}
    return xml_response("ServiceResult", {"comMsgHeader": "", "msgHeader": header, "msgBody": body})


_EX_CODES: Mapping[OutcomeKind, tuple[str, str]] = {
    "ok": ("SUCCESS", "인증키가 유효합니다."),
    "empty": ("NO_DATA", "데이터가 존재하지 않습니다."),
    "missing_parameter": ("ERROR", "필수 입력값이 누락되었습니다."),
    "bad_parameter": ("ERROR", "입력값이 올바르지 않습니다."),
    "key_missing": ("INVALID_KEY", "인증키가 유효하지 않습니다."),
    "key_invalid": ("INVALID_KEY", "인증키가 유효하지 않습니다."),
    "quota": ("ERROR", "일일 호출 건수를 초과하였습니다."),
    "rate": ("ERROR", "호출 건수를 초과하였습니다."),
}


@style("ex")
def render_ex(page: Page, context: Context) -> Response:
    """code and message, count, list; every row repeats the request's parameter names with nulls."""
    if page.kind == "unknown_operation":
        return Response(404, "text/html; charset=UTF-8", b"<html><body><h1>404 Not Found</h1></body></html>")
    code, message = _EX_CODES["empty" if page.kind == "ok" and not page.rows else page.kind]
    echo: Row = {"pageNo": None, "numOfRows": None, "pageSize": None, "startPage": None}
    rows = [row | echo for row in page.rows]
    # Each service names its own list; one of them leaves the code out where nothing is wrong.
    silent = context.option("code") == "none" and page.kind in ("ok", "empty")
    body: Row = {} if silent else {"code": code, "message": message}
    body |= {"count": page.total, context.option("rows", "list"): rows}
    body |= {"pageNo": page.number, "numOfRows": page.size, "pageSize": -(-page.total // max(page.size, 1))}
    return json_response(body) if context.wants_json else xml_response("root", body)


_NEC_CODES: Mapping[OutcomeKind, tuple[str, str]] = {
    "ok": ("INFO-00", "NORMAL SERVICE"),
    "empty": ("INFO-03", "데이터 정보가 없습니다. 입력 파라미터값을 확인 하십시오."),
    "missing_parameter": ("11", "NO_MANDATORY_REQUEST_PARAMETERS_ERROR"),
    "bad_parameter": ("10", "INVALID_REQUEST_PARAMETER_ERROR"),
}


@style("nec")
def render_nec(page: Page, context: Context) -> Response:
    """The gateway's nesting with the election commission's own INFO codes."""
    fault = gateway_fault(page.kind)
    if fault is not None:
        return fault
    code, message = _NEC_CODES["empty" if page.kind == "ok" and not page.rows else page.kind]
    response: Row = {"header": {"resultCode": code, "resultMsg": message}}
    if page.kind == "ok" and page.rows:
        item: object = page.rows[0] if len(page.rows) == 1 and context.wants_json else page.rows
        counts: Row = {"numOfRows": page.size, "pageNo": page.number, "totalCount": page.total}
        response["body"] = {"items": {"item": item}} | counts
    return json_response({"response": response}) if context.wants_json else xml_response("response", response)
