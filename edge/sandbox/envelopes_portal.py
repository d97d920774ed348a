"""Pages in, bodies of portal services with shapes of their own out: procurement, MOIS, court, FTC, libraries."""

from collections.abc import Mapping

from edge.sandbox.envelopes import gateway_fault, provider_code
from edge.sandbox.model import OutcomeKind, Page, Response, Row
from edge.sandbox.registry import Context, style
from edge.sandbox.rendering import json_response, xml_response

_PROCUREMENT_ERRORS: Mapping[str, str] = {
    "06": "날짜Format 에러",
    "07": "입력범위값 초과 에러",
    "08": "필수값 입력 에러",
}
_PROCUREMENT_FAILURE = "nkoneps.com.response.ResponseError"


def _counts(page: Page) -> Row:
    return {"numOfRows": page.size, "pageNo": page.number, "totalCount": page.total}


def _document(root: str, value: object, context: Context) -> Response:
    return json_response({root: value}) if context.wants_json else xml_response(root, value)


@style("procurement")
def render_procurement(page: Page, context: Context) -> Response:
    """Public procurement: rows are a bare list, and a refusal comes below a root of its own with codes 06 to 08."""
    fault = gateway_fault(page.kind)
    if fault is not None:
        return fault
    if page.kind in ("missing_parameter", "bad_parameter"):
        code = "08" if page.kind == "missing_parameter" else page.detail if page.detail.isdigit() else "07"
        return _document(
            _PROCUREMENT_FAILURE, {"header": {"resultCode": code, "resultMsg": _PROCUREMENT_ERRORS[code]}}, context
        )
    items: object = page.rows if context.wants_json else {"item": page.rows} if page.rows else ""
    header = {"resultCode": "00", "resultMsg": "정상"}
    return _document("response", {"header": header, "body": {"items": items} | _counts(page)}, context)


@style("item_list")
def render_item_list(page: Page, context: Context) -> Response:
    """Facility safety of the interior ministry: response.body.item holds the rows, without an items level."""
    fault = gateway_fault(page.kind)
    if fault is not None:
        return fault
    code, message = provider_code(page, context)
    body: Row = {"item": page.rows or ""} | _counts(page)
    return _document("response", {"header": {"resultCode": code, "resultMsg": message}, "body": body}, context)


@style("court")
def render_court(page: Page, context: Context) -> Response:
    """The Constitutional Court: JSON without the response level, and `fields` cuts the rows down to the names given."""
    fault = gateway_fault(page.kind)
    if fault is not None:
        return fault
    code, message = provider_code(page, context)
    wanted = [name.strip() for name in context.request.get("fields").split(",") if name.strip()]
    rows = [{name: row[name] for name in wanted if name in row} for row in page.rows] if wanted else page.rows
    body: Row = {"items": {"item": rows} if rows else ""} | _counts(page)
    whole: Row = {"header": {"resultCode": code, "resultMsg": message}, "body": body}
    return json_response(whole) if context.wants_json else xml_response("response", whole)


@style("named_root")
def render_named_root(page: Page, context: Context) -> Response:
    """The Fair Trade Commission: XML whose root (option `root`) holds counts and rows (`element`) side by side."""
    fault = gateway_fault(page.kind)
    if fault is not None:
        return fault
    failed = page.kind in ("missing_parameter", "bad_parameter")
    head: Row = {"resultCode": "97" if failed else "00", "resultMsg": "parameter error" if failed else "SUCCESS"}
    root = context.option("root", "response")
    if failed:
        return xml_response(root, head)
    counts: Row = {"numOfRows": page.size, "pageNo": page.number} | head | {"totalCount": page.total}
    return xml_response(root, counts | {context.option("element", "item"): page.rows})


@style("daegu")
def render_daegu(page: Page, context: Context) -> Response:
    """Daegu waterworks: JSON only, the outcome in rsMsg, rows in list, and a total whose name is misspelled."""
    fault = gateway_fault(page.kind)
    if fault is not None:
        return fault
    code, message = provider_code(page, context)
    whole: Row = {"rsMsg": {"statusCode": code, "message": message}, "header": context.option("header")}
    if context.option("counts") != "none":
        whole |= {"count": len(page.rows), "tatalCount": page.total}
    return json_response(whole | {"list": page.rows})


_LIBRARY_ERRORS: Mapping[OutcomeKind, str] = {
    "missing_parameter": "필수 요청변수가 누락되었습니다.",
    "bad_parameter": "요청변수의 값이 올바르지 않습니다.",
    "key_missing": "인증키가 입력되지 않았습니다.",
    "key_invalid": "인증키가 유효하지 않습니다.",
    "quota": "1일 요청 한도를 초과하였습니다.",
    "rate": "요청 횟수가 한도를 초과하였습니다.",
    "unknown_operation": "올바르지 않은 요청입니다.",
}


@style("library_naru")
def render_library(page: Page, context: Context) -> Response:
    """Library Naru: rows wrapped one by one (docs[].doc), or one result; a refusal is a sentence without a code."""
    if page.kind in _LIBRARY_ERRORS:
        return _document("response", {"error": _LIBRARY_ERRORS[page.kind]}, context)
    hidden = ("authKey", "format")
    echo: Row = {name: value for name, value in context.request.params.items() if name not in hidden}
    whole: Row = {"request": echo}
    plural, single = context.option("list"), context.option("element")
    if not plural:
        return _document("response", whole | {"result": page.rows[0] if page.rows else {}}, context)
    whole |= {"numFound": page.total}
    rows: object = [{single: row} for row in page.rows] if context.wants_json else {single: page.rows}
    return _document("response", whole | {plural: rows}, context)
