"""Every refusal has its class and a reason, no success is an error, HTTP 200 is no evidence (A05, A07, A16, A17)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from urllib.parse import parse_qsl, unquote

import pytest
from labelled import SAMPLES, Labelled, bundled, codes, readers, samples

from edge.execution.paging import page_values
from edge.execution.request import WireRequest, build_request
from edge.ids import canonical_json
from edge.links.fillers import Filler
from edge.links.rows import pool_of
from edge.plans.sayings import say_parameter
from edge.sandbox.engine import DEMO_KEY, Routed
from edge.sandbox.faults import FAULT_KINDS, Fault, instead, read_fault, spoilt
from edge.sandbox.model import OutcomeKind, Request, Response
from edge.sandbox.replica import Replica, Settings
from edge.specs.model import Tool

here = pytest.mark.skipif(not SAMPLES.is_dir(), reason="reference bodies (../shared/real/samples) are not here")


def faults_of(bodies: list[Labelled]) -> list[str]:
    return [fault for fault in (one.fault() for one in bodies) if fault]


@here
def test_every_reference_body_has_its_label() -> None:
    files = {path.name for path in SAMPLES.iterdir() if path.suffix != ".tsv" and "LICENSES" not in path.name}
    assert {one.name for one in samples()} == files


@here
def test_every_reference_body_is_called_what_it_is() -> None:
    assert faults_of(samples()) == []
    for one in samples():
        found = one.verdict()
        canonical_json([dict(record) for record in found.records])
        assert (found.outcome == "ok") == bool(found.records), one.name
    assert Counter(one.outcome for one in samples()) == {"ok": 105, "structural": 19, "environmental": 14, "empty": 6}


def test_every_result_code_of_the_facts_has_its_class() -> None:
    assert faults_of(codes()) == []
    assert len(codes()) > 400


@pytest.mark.parametrize("name", sorted({tool.platform for tool in bundled()}))
def test_an_unknown_code_is_kept_and_blames_nobody(name: str) -> None:
    tool = readers()[name]
    for path in tool.profile.envelope.code:
        tree: object = "E-UNHEARD"
        for step in reversed(path.replace("{root}", "root").replace("[0]", ".0").replace("[1]", ".1").split(".")):
            tree = [tree] if step == "0" else [{}, tree] if step == "1" else {step: tree}
        found = Labelled(path, tool, 200, canonical_json(tree).encode(), "environmental", "provider_error")  # type: ignore[arg-type]
        assert found.fault() == ""
        assert found.verdict().code == "E-UNHEARD"


# -- what the replica can send ----------------------------------------------------------------------------------------

ENGINE = Replica(Settings()).engine
FILLER = Filler(datetime(2026, 6, 15, 10, 35), pool_of(()), say_parameter)
REFUSALS: dict[OutcomeKind, tuple[str, set[str]]] = {
    "key_missing": ("environmental", {"key_rejected"}),
    "key_invalid": ("environmental", {"key_rejected"}),
    "quota": ("environmental", {"quota"}),
    "rate": ("environmental", {"rate_limit"}),
    "unknown_operation": ("structural", {"unknown_operation", "not_found"}),
    "missing_parameter": ("structural", {"missing_parameter", "invalid_parameter", "bad_request"}),
    "bad_parameter": ("structural", {"missing_parameter", "invalid_parameter", "bad_request"}),
}
SPOKEN: dict[str, OutcomeKind] = {
    "quota": "quota", "rate": "rate", "key_invalid": "key_invalid", "retired": "unknown_operation",
}  # fmt: skip
# What platforms do not tell apart. A shared code counts as what is worse: a day's quota.
ONE_CODE_FOR_QUOTA_AND_RATE = {
    "assembly", "dart", "data4library", "ecos", "ex", "gg", "its", "kakao", "krx", "law", "lofin", "naver", "neis",
    "reb", "schoolinfo", "seoul", "seoulsubway", "sgis", "topis",
}  # fmt: skip
UNKNOWN_PATHS_SAY_WRONG_PARAMETER = {"data4library", "ecos", "kosis", "krx", "law", "naver"}
TOLD_BY_THE_CONTROL = {"juso", "topis"}  # an unknown path reads like an outage; the doubt is noted
NOT_TOLD = {"odcloud"}  # and no call there is sound at all times
NOT_OVER = {"AsosDalyInfoService"}  # a day that is not over reads like an outage; the doubt is noted
ANSWERS_WITHOUT_A_KEY = {"assembly", "neis"}  # the first five rows


def routed(tool: Tool, *, served: bool = True) -> Routed | None:
    """A call of the tool as the replica gets it, with arguments that are likely to be right; None where it has none."""
    filled = FILLER.fill(tool, (), random.Random(tool.tool_id))
    arguments = {name: one.value for name, one in filled.items()} if filled is not None else {}
    for parameter in tool.required:
        usual = parameter.examples[:1] or tuple(value.value for value in parameter.enum[:1]) or ("1",)
        arguments.setdefault(parameter.name, usual[0])
    paging = tool.profile.paging
    page = page_values(paging, 0, min(10, paging.max_size)) if paging else {}
    wire = build_request(tool, arguments, keys=[DEMO_KEY] * 3, page=page)
    found = ENGINE.route(request_of(wire)) if isinstance(wire, WireRequest) else None
    return found if found is not None and (found.operation is not None or not served) else None


def request_of(wire: WireRequest) -> Request:
    place, _, query = wire.url.partition("://")[2].partition("?")
    host, _, path = place.partition("/")
    steps = [unquote(step).replace("/", "%2F") for step in path.split("/")]
    params = dict(parse_qsl(query, keep_blank_values=True))
    headers = {name.lower(): value for name, value in wire.headers.items()}
    return Request(wire.method, host.lower(), "/" + "/".join(steps), params, headers)


CALLS = [(tool, call) for tool in bundled() if (call := routed(tool)) is not None]


def refused_as(tool: Tool, kind: OutcomeKind) -> tuple[set[str], set[str]]:
    """The classes and reasons that the replica's refusal may have."""
    outcome, reasons = REFUSALS[kind]
    classes, platform = {outcome}, tool.platform
    if kind in ("quota", "rate") and platform in ONE_CODE_FOR_QUOTA_AND_RATE:
        reasons = {"quota", "rate_limit", *({"key_rejected"} if platform == "law" else ())}
    if kind == "unknown_operation" and platform in UNKNOWN_PATHS_SAY_WRONG_PARAMETER:
        reasons = reasons | {"invalid_parameter", "missing_parameter", "bad_request"}
    if kind == "unknown_operation" and platform in TOLD_BY_THE_CONTROL | NOT_TOLD:
        classes, reasons = {"environmental"}, {"server_error"}
    if kind == "key_missing" and platform in ANSWERS_WITHOUT_A_KEY:
        classes, reasons = {"ok", "empty", *classes}, {"ok", "no_data", *reasons}
    return classes, reasons


def wrong(tool: Tool, response: Response, classes: set[str], reasons: set[str] | None = None) -> Iterator[str]:
    one = Labelled(tool.operation_key, tool, response.status, response.body, "", "")
    found = one.verdict()
    if found.outcome not in classes or (reasons is not None and found.reason not in reasons):
        yield f"{tool.operation_key}: {found} instead of {classes} {reasons or ''}: {response.body[:200]!r}"
    if found.outcome == "environmental" and tool.platform in TOLD_BY_THE_CONTROL and found.reason == "server_error":
        assert found.doubt == "unknown_operation"


def answered(tool: Tool, kind: OutcomeKind) -> set[str]:
    """The classes of the replica's answer; where the body of a law is asked for, no such law is a wrong identifier."""
    if kind in ("ok", "empty"):
        return {"structural", "empty"} if (tool.platform, kind) == ("law", "empty") else {kind}
    if kind == "bad_parameter" and tool.service in NOT_OVER:
        return {"structural", "environmental"}
    return refused_as(tool, kind)[0]


@pytest.mark.parametrize("kind", sorted(REFUSALS))
def test_every_refusal_of_the_replica_has_its_class(kind: OutcomeKind) -> None:
    found = [one for tool, call in CALLS for one in wrong(tool, ENGINE.fault(call, kind), *refused_as(tool, kind))]
    assert found == []


def test_what_the_replica_does_not_serve_is_an_unknown_operation() -> None:
    found: list[str] = []
    unserved = 0
    for tool in bundled():
        call = routed(tool, served=False)
        if call is not None and call.operation is None and call.platform is not None:
            found += wrong(tool, ENGINE.answer(call)[0], *refused_as(tool, "unknown_operation"))
            unserved += 1
    assert found == []
    assert unserved + len(CALLS) > 0.95 * len(bundled())


def test_answers_of_the_replica_and_faults_that_spare_them() -> None:
    found: list[str] = []
    seen: Counter[str] = Counter()
    for tool, call in CALLS:
        response, kind = ENGINE.answer(call)
        seen[kind] += 1
        found += wrong(tool, response, answered(tool, kind))
        for fault in (read_fault(name) for name in ("content_type", "bom", "euc_kr")):
            found += wrong(tool, spoilt(fault, response), answered(tool, kind))
    assert found == []
    assert seen["ok"] > 200
    assert seen["empty"] > 50


@pytest.mark.parametrize("name", FAULT_KINDS)
def test_every_fault_of_the_replica_has_its_class(name: str) -> None:
    fault = read_fault(name)
    found: list[str] = []
    for tool, call in CALLS[:: 1 if fault.kind in SPOKEN else 7]:
        refusal = _instead(fault, call)
        if refusal is not None and fault.kind in SPOKEN:
            found += wrong(tool, refusal, *refused_as(tool, SPOKEN[fault.kind]))
        elif refusal is not None:
            found += wrong(tool, refusal, {"environmental"})
        elif fault.kind == "malformed":
            found += wrong(tool, spoilt(fault, ENGINE.answer(call)[0]), {"environmental"})
    assert found == []


def _instead(fault: Fault, call: Routed) -> Response | None:
    return instead(fault, lambda kind: ENGINE.fault(call, kind))


def test_most_tools_are_asked() -> None:
    assert len(CALLS) > 450
