"""Pages in, bodies of the KEY-and-RESULT family out: NEIS, assembly, local finance, Seoul, ECOS, subway arrivals."""

from collections.abc import Mapping

from edge.sandbox.matching import project, select
from edge.sandbox.model import OutcomeKind, Page, Refusal, Response, Row
from edge.sandbox.registry import Context, style
from edge.sandbox.rendering import json_response, xml_response

_OK = ("INFO-000", "정상 처리되었습니다.")
_NONE = ("INFO-200", "해당하는 데이터가 없습니다.")
_NEIS_CODES: Mapping[OutcomeKind, tuple[str, str]] = {
    "ok": _OK,
    "empty": _NONE,
    "missing_parameter": ("ERROR-300", "필수 값이 누락되어 있습니다. 요청인자를 참고 하십시오."),
    "bad_parameter": ("ERROR-333", "요청위치 값의 타입이 유효하지 않습니다. 요청위치 값은 정수를 입력하세요."),
    "key_missing": ("ERROR-290", "인증키가 유효하지 않습니다. 인증키가 없는 경우, 홈페이지에서 인증키를 신청하십시오."),
    "key_invalid": ("ERROR-290", "인증키가 유효하지 않습니다. 인증키가 없는 경우, 홈페이지에서 인증키를 신청하십시오."),
    "quota": ("ERROR-337", "일별 트래픽 제한을 넘은 호출입니다. 오늘은 더이상 호출할 수 없습니다."),
    "rate": ("ERROR-337", "일별 트래픽 제한을 넘은 호출입니다. 오늘은 더이상 호출할 수 없습니다."),
    "unknown_operation": ("ERROR-310", "해당하는 서비스를 찾을 수 없습니다. 요청인자 중 SERVICE를 확인하십시오."),
}
_TOO_MANY = ("ERROR-336", "데이터요청은 한번에 최대 1,000건을 넘을 수 없습니다.")
_SEOUL_CODES: Mapping[OutcomeKind, tuple[str, str]] = {
    **_NEIS_CODES,
    "key_missing": (
        "INFO-100",
        "인증키가 유효하지 않습니다. 인증키가 없는 경우, 열린 데이터 광장 홈페이지에서 인증키를 신청하십시오.",
    ),
    "key_invalid": (
        "INFO-100",
        "인증키가 유효하지 않습니다. 인증키가 없는 경우, 열린 데이터 광장 홈페이지에서 인증키를 신청하십시오.",
    ),
}
_ECOS_CODES: Mapping[OutcomeKind, tuple[str, str]] = {
    "ok": _OK,
    "empty": _NONE,
    "missing_parameter": ("ERROR-100", "필수 값이 누락되어 있습니다. 필수 값을 확인하십시오."),
    "bad_parameter": ("ERROR-301", "조회건수 값의 타입이 유효하지 않습니다. 조회건수 값을 확인하십시오."),
    "key_missing": ("INFO-100", "인증키가 유효하지 않습니다. 인증키를 확인하십시오."),
    "key_invalid": ("INFO-100", "인증키가 유효하지 않습니다. 인증키를 확인하십시오."),
    "quota": ("ERROR-602", "과도한 OpenAPI 호출로 이용이 제한되었습니다."),
    "rate": ("ERROR-602", "과도한 OpenAPI 호출로 이용이 제한되었습니다."),
    "unknown_operation": ("ERROR-100", "필수 값이 누락되어 있습니다. 필수 값을 확인하십시오."),
}


def _wants_json(context: Context) -> bool:
    """Errors on a path that no operation has still come in the format the caller named."""
    if context.operation is not None:
        return context.wants_json
    params = context.request.params
    named = params.get(context.option("format_param", "Type"), "")
    return named.lower() == "json" or "/json/" in f"{context.request.path}/"


def _root(context: Context) -> str:
    """The service name: an option, else the last fixed piece of the path."""
    if context.operation is None:
        return "RESULT"
    named = context.operation.path.split("/{")[0] if context.operation.pattern is None else context.operation.path
    plain = [piece for piece in named.split("/") if piece and "{" not in piece]
    return context.option("root", plain[-1])


def _result(code: str, message: str, context: Context) -> Response:
    """The bare RESULT that replaces the service envelope; local finance wraps it in a list."""
    inner: Row = {"CODE": code, "MESSAGE": message}
    if not _wants_json(context):
        return xml_response("RESULT", inner)
    return json_response({"RESULT": [inner] if context.option("result") == "list" else inner})


@style("neis")
def render_neis(page: Page, context: Context) -> Response:
    """`{SERVICE: [{head: [count, RESULT]}, {row: [...]}]}`; without a key the first five rows; no rows, no envelope."""
    code, message = _NEIS_CODES[page.kind]
    if page.kind in ("ok", "empty") and _asked_size(context) > 1000:
        return _result(*_TOO_MANY, context)
    if page.kind == "key_missing" and context.option("keyless"):
        page = _sample(context, int(context.option("keyless")))
        code, message = _NEIS_CODES[page.kind]
    if page.kind != "ok" or not page.rows:
        return _result(code if page.kind != "ok" else _NONE[0], message if page.kind != "ok" else _NONE[1], context)
    result: Row = {"CODE": code, "MESSAGE": message}
    root = _root(context)
    if context.wants_json:
        head: list[Row] = [{"list_total_count": page.total}, {"RESULT": result}]
        if context.option("api_version"):
            head.append({"api_version": context.option("api_version")})
        return json_response({root: [{"head": head}, {"row": page.rows}]})
    return xml_response(root, {"head": {"list_total_count": page.total, "RESULT": result}, "row": page.rows})


def _asked_size(context: Context) -> int:
    if context.operation is None:
        return 0
    text = context.request.get(context.operation.paging.size)
    return int(text) if text.isdigit() else 0


def _sample(context: Context, count: int) -> Page:
    """What a caller without a key gets: the first rows only, after the same checks of parameters."""
    operation = context.operation
    if operation is None:
        return Page("unknown_operation")
    for name in operation.required:
        if not context.request.get(name):
            return Page("missing_parameter", detail=name)
    try:
        rows = select(operation, context.request, context.world)
    except Refusal as refused:
        return Page(refused.kind, detail=refused.detail)
    return Page("ok" if rows else "empty", project(rows[:count], operation), len(rows), 1, count)


def _flat(page: Page, context: Context, code: str, message: str, with_result: bool) -> Response:
    root = _root(context)
    # One service counts its page where all others count the whole list.
    body: Row = {"list_total_count": len(page.rows) if context.option("total") == "page" else page.total}
    if with_result:
        body["RESULT"] = {"CODE": code, "MESSAGE": message}
    body["row"] = page.rows
    return json_response({root: body}) if context.wants_json else xml_response(root, body)


@style("seoul")
def render_seoul(page: Page, context: Context) -> Response:
    """`{SERVICE: {list_total_count, RESULT, row}}`, or RESULT alone; more than 1,000 rows asked is ERROR-336."""
    code, message = _SEOUL_CODES[page.kind]
    if page.kind == "bad_parameter" and page.detail == "page_size":
        code, message = _TOO_MANY
    if page.kind == "ok" and page.rows:
        return _flat(page, context, code, message, with_result=True)
    return _result(*(_NONE if page.kind == "ok" else (code, message)), context)


@style("ecos")
def render_ecos(page: Page, context: Context) -> Response:
    """`{SERVICE: {list_total_count, row}}`, or RESULT alone; values are texts."""
    code, message = _ECOS_CODES[page.kind]
    if page.kind == "bad_parameter" and page.detail == "date":
        code, message = "ERROR-101", "주기와 다른 형식의 날짜 형식입니다."
    if page.kind == "ok" and page.rows:
        return _flat(page, context, code, message, with_result=False)
    return _result(*(_NONE if page.kind == "ok" else (code, message)), context)


@style("swopen")
def render_swopen(page: Page, context: Context) -> Response:
    """Subway arrivals: errorMessage beside realtimeArrivalList, and a flat object for every failure."""
    code, message = _SEOUL_CODES[page.kind]
    if page.kind == "bad_parameter" and page.detail == "page_size":
        code, message = _TOO_MANY
    if page.kind == "ok" and page.rows:
        head: Row = {
            "status": 200,
            "code": code,
            "message": message,
            "link": "",
            "developerMessage": "",
            "total": page.total,
        }
        if context.wants_json:
            return json_response({"errorMessage": head, context.option("rows", "realtimeArrivalList"): page.rows})
        return xml_response(context.option("root", "realtimeStationArrival"), {"RESULT": head, "row": page.rows})
    if page.kind == "ok":
        code, message = _NONE
    flat: Row = {"status": 500, "code": code, "message": message, "link": "", "developerMessage": "", "total": 0}
    return json_response(flat) if _wants_json(context) else xml_response("RESULT", flat)
