"""Pages in, bodies of the data.go.kr gateway and its neighbours out; other platforms live in envelopes_*.py."""

from collections.abc import Mapping
from typing import assert_never

from edge.sandbox.model import OutcomeKind, Page, Response, Row
from edge.sandbox.registry import Context, style
from edge.sandbox.rendering import json_response, loose_numbers, xml_element, xml_response

# (returnAuthMsg, returnReasonCode) of faults that the gateway answers before the provider sees the call.
_GATEWAY_FAULTS: Mapping[OutcomeKind, tuple[str, str]] = {
    "key_missing": ("SERVICE_ACCESS_DENIED_ERROR", "20"),
    "key_invalid": ("SERVICE_KEY_IS_NOT_REGISTERED_ERROR", "30"),
    "quota": ("LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR", "22"),
    "rate": ("LIMITED_NUMBER_OF_SERVICE_REQUESTS_PER_SECOND_EXCEEDS_ERROR", "23"),
    "unknown_operation": ("NO_OPENAPI_SERVICE_ERROR", "12"),
}
_MESSAGES: Mapping[str, str] = {
    "03": "NODATA_ERROR",
    "10": "INVALID_REQUEST_PARAMETER_ERROR",
    "11": "NO_MANDATORY_REQUEST_PARAMETERS_ERROR",
    "99": "UNKNOWN_ERROR",
}


def gateway_fault(kind: OutcomeKind) -> Response | None:
    """The gateway's XML, whatever format was asked for; None for outcomes that the provider renders itself."""
    if kind not in _GATEWAY_FAULTS:
        return None
    message, code = _GATEWAY_FAULTS[kind]
    header = {"errMsg": "SERVICE ERROR", "returnAuthMsg": message, "returnReasonCode": code}
    body = xml_element("OpenAPI_ServiceResponse", {"cmmMsgHeader": header})
    return Response(200, "text/xml;charset=UTF-8", body.encode())


def provider_code(page: Page, context: Context) -> tuple[str, str]:
    """(resultCode, resultMsg) of a page that reached the provider; a refusal may carry its own code in `detail`."""
    match page.kind:
        case "ok":
            return context.option("ok_code", "00"), context.option("ok_message", "NORMAL SERVICE.")
        case "empty":
            if context.option("empty", "blank") == "blank":
                return context.option("ok_code", "00"), context.option("ok_message", "NORMAL SERVICE.")
            return "03", context.option("empty_message", "NO_DATA")
        case "missing_parameter":
            code = context.option("missing_code", "11")
            return code, context.option("missing_message", _MESSAGES.get(code, "ERROR"))
        case "bad_parameter":
            code = page.detail if page.detail.isdigit() else context.option("bad_code", "10")
            return code, context.option("bad_message", _MESSAGES.get(code, "ERROR"))
        case "key_missing" | "key_invalid" | "quota" | "rate" | "unknown_operation":
            raise ValueError(f"{page.kind} is the gateway's to render")
        case _:
            assert_never(page.kind)


def _rows(page: Page, context: Context) -> list[Row]:
    rows = page.rows
    if context.option("row_number"):
        # Rows are numbered through the whole answer, not through the page.
        first = (page.number - 1) * page.size + 1
        rows = [{context.option("row_number"): number} | row for number, row in enumerate(rows, start=first)]
    if context.wants_json and context.option("json_numbers") == "loose":
        return [{name: loose_numbers(value) for name, value in row.items()} for row in rows]
    return rows


def _items(rows: list[Row], context: Context, empty: object) -> object:
    """`items` as the provider nests it: `item` inside (default), or the bare list of `items: bare`."""
    if context.option("items") == "bare":
        return rows if context.wants_json else ({"item": rows} if rows else empty)
    if not rows:
        return empty
    single = len(rows) == 1 and context.wants_json and context.option("single", "object") == "object"
    return {"item": rows[0] if single else rows}


# What `items` is where there are none, by option `none`; XML shows no difference.
_NOTHING: Mapping[str, object] = {"blank": "", "null": None, "object": {}}


def _counts(page: Page, context: Context) -> Row:
    counts: Row = {"numOfRows": page.size, "pageNo": page.number, "totalCount": page.total}
    if context.option("counts") == "text":
        return {name: str(value) for name, value in counts.items()}
    return counts


def _document(root: str, value: object, context: Context) -> Response:
    # Some providers leave the outer element out, but only of their JSON: `root: bare`.
    bare = not root or (root == "response" and context.option("root") == "bare")
    if context.wants_json:
        return json_response(value if bare else {root: value})
    return xml_response(root or "response", value)


@style("datagokr")
def render_datagokr(page: Page, context: Context) -> Response:
    """response.header + response.body.items.item; options `items: bare|flat` and `root: bare` move the pieces."""
    fault = gateway_fault(page.kind)
    if fault is not None:
        return fault
    code, message = provider_code(page, context)
    header = {"resultCode": code, "resultMsg": message}
    failed = page.kind in ("missing_parameter", "bad_parameter") or code == "03"
    if failed and context.option("items") != "bare":
        return _document("response", {"header": header}, context)
    rows = _rows(page, context)
    if context.option("items") == "flat":
        # K-apt basis: the single row sits in body.item, without a list or counts.
        return _document("response", {"header": header, "body": {"item": rows[0] if rows else ""}}, context)
    body: Row = {"items": _items(rows, context, _NOTHING[context.option("none", "blank")])}
    if context.option("counts") != "none":
        body |= _counts(page, context)
    if context.option("data_type"):
        # KMA repeats the format it answers in.
        body = {"dataType": "JSON" if context.wants_json else "XML"} | body
    return _document("response", {"header": header, "body": body}, context)


@style("airkorea")
def render_airkorea(page: Page, context: Context) -> Response:
    """AirKorea: like the gateway's own shape, but items is a bare list in JSON and errors keep an empty body."""
    fault = gateway_fault(page.kind)
    if fault is not None:
        return fault
    code, message = provider_code(page, context)
    header = {"resultCode": code, "resultMsg": message}
    items: object = page.rows if context.wants_json else {"item": page.rows} if page.rows else ""
    return _document("response", {"body": _counts(page, context) | {"items": items}, "header": header}, context)


@style("rootless")
def render_rootless(page: Page, context: Context) -> Response:
    """The EV charger service: header fields and items side by side at the root in JSON, `response` only in XML."""
    fault = gateway_fault(page.kind)
    if fault is not None:
        return fault
    code, message = provider_code(page, context)
    head: Row = {"resultCode": code, "resultMsg": message} | _counts(page, context)
    items: object = {"item": page.rows}
    if context.wants_json:
        return json_response(head | {"items": items})
    return xml_response("response", {"header": head, "body": {"items": items if page.rows else ""}})


@style("statistics")
def render_statistics(page: Page, context: Context) -> Response:
    """Resident statistics: a capital `Response` with `head` and `items`."""
    fault = gateway_fault(page.kind)
    if fault is not None:
        return fault
    code, message = provider_code(page, context)
    # The provider numbers its answers 0 and 3 here, without the leading zero of the gateway.
    head: Row = {"resultCode": code.lstrip("0") or "0", "resultMsg": message}
    if page.kind == "ok":
        counts = {name: str(value) for name, value in _counts(page, context).items()}
        return _document("Response", {"head": head | counts, "items": _items(page.rows, context, "")}, context)
    return _document("Response", {"head": head}, context)


@style("stanregin")
def render_stanregin(page: Page, context: Context) -> Response:
    """Legal-dong codes: two blocks, head and row, under StanReginCd; no match is a RESULT of another shape."""
    fault = gateway_fault(page.kind)
    if fault is not None:
        return fault
    if page.kind != "ok":
        code, message = ("INFO-3", "데이터없음 에러") if page.kind == "empty" else ("ERROR-300", "필수 값 누락")
        return _document("RESULT", {"resultCode": code, "resultMsg": message}, context)
    counts: list[Row] = [
        {"totalCount": page.total},
        {"numOfRows": str(page.size), "pageNo": str(page.number), "type": "JSON" if context.wants_json else "XML"},
        {"RESULT": {"resultCode": "INFO-0", "resultMsg": "NOMAL SERVICE"}},
    ]
    if context.wants_json:
        return json_response({"StanReginCd": [{"head": counts}, {"row": page.rows}]})
    head: Row = {}
    for part in counts:
        head |= part
    return xml_response("StanReginCd", {"head": head, "row": page.rows})


_SAFETY_CODES: Mapping[OutcomeKind, tuple[str, str]] = {
    "ok": ("00", "NORMAL SERVICE"),
    "empty": ("00", "NORMAL SERVICE"),
    "missing_parameter": ("11", "NO_MANDATORY_REQUEST_PARAMETERS_ERROR"),
    "bad_parameter": ("10", "INVALID_REQUEST_PARAMETER_ERROR"),
    "key_missing": ("20", "SERVICE_ACCESS_DENIED_ERROR"),
    "key_invalid": ("30", "SERVICE_KEY_IS_NOT_REGISTERED_ERROR"),
    "quota": ("22", "LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR"),
    "rate": ("23", "LIMITED_NUMBER_OF_SERVICE_REQUESTS_PER_SECOND_EXCEEDS_ERROR"),
    "unknown_operation": ("12", "NO_OPENAPI_SERVICE_ERROR"),
}


@style("safetydata")
def render_safetydata(page: Page, context: Context) -> Response:
    """Disaster safety data: flat, body a list or null, every error a header with HTTP 200."""
    code, message = _SAFETY_CODES[page.kind]
    header = {"resultMsg": message, "resultCode": code, "errorMsg": None if code == "00" else message}
    counts = _counts(page, context)
    return _document("", {"header": header} | counts | {"body": page.rows or None}, context)


_JUSO_ERRORS: Mapping[OutcomeKind, tuple[str, str]] = {
    "ok": ("0", "정상"),
    "empty": ("0", "정상"),
    "missing_parameter": ("E0005", "검색어가 입력되지 않았습니다."),
    "bad_parameter": ("E0006", "주소를 상세히 입력해 주시기 바랍니다."),
    "key_missing": ("E0001", "승인되지 않은 KEY 입니다."),
    "key_invalid": ("E0001", "승인되지 않은 KEY 입니다."),
    "quota": ("E0007", "일일 호출 건수를 초과하였습니다."),
    "rate": ("E0007", "초당 호출 건수를 초과하였습니다."),
    "unknown_operation": ("-999", "시스템에러"),
}


@style("juso")
def render_juso(page: Page, context: Context) -> Response:
    """Road addresses: results.common with an error code of its own, results.juso null when empty."""
    code, message = _JUSO_ERRORS[page.kind]
    common: Row = {
        "errorMessage": message,
        "countPerPage": str(page.size),
        "totalCount": str(page.total),
        "errorCode": code,
        "currentPage": str(page.number),
    }
    return _document("results", {"common": common, "juso": page.rows or None}, context)


# However many places match, only this many can be paged to.
_KAKAO_REACH = 45


@style("kakao")
def render_kakao(page: Page, context: Context) -> Response:
    """Kakao Local: meta and documents; failures are HTTP errors with a JSON body."""
    match page.kind:
        case "ok" | "empty":
            shown = min(page.total, _KAKAO_REACH)
            meta: Row = {"total_count": page.total}
            if context.option("meta") != "plain":
                meta |= {"pageable_count": shown, "is_end": page.number * page.size >= shown}
            left = max(0, shown - (page.number - 1) * page.size)
            return json_response({"meta": meta, "documents": page.rows[:left]})
        case "key_missing" | "key_invalid":
            message = "cannot find Authorization : KakaoAK header" if page.kind == "key_missing" else "wrong appKey"
            return json_response({"errorType": "AccessDeniedError", "message": f"{message}"}, 401)
        case "quota" | "rate":
            return json_response({"errorType": "RequestThrottled", "message": "API limit has been exceeded."}, 429)
        case "missing_parameter":
            message = f"{page.detail} parameter required"
            return json_response({"errorType": "MissingParameter", "message": message}, 400)
        case "bad_parameter":
            return json_response({"errorType": "InvalidArgument", "message": f"{page.detail} is invalid"}, 400)
        case "unknown_operation":
            return json_response({"errorType": "NotFound", "message": "no such resource"}, 404)
        case _:
            assert_never(page.kind)
