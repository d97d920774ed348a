"""Hand-made tools, links and a scripted model for the tests of links."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from edge.calls import Arguments, Outcome, Record
from edge.ids import Json, digest
from edge.links.model import Binding, Link
from edge.llm.prompts import Prompt
from edge.llm.protocol import Answer, T, TokenUsage
from edge.specs.model import EnumValue, Envelope, OutputField, Parameter, Profile, Tool

PROFILE = Profile(
    platform="plain",
    title="시험 플랫폼",
    hosts=("api.plain.test",),
    auth=None,
    envelope=Envelope(records=("items",), total=("total",), code=("code",), message=("message",), success=("00",)),
)
KINDS = (
    "date", "month", "year", "datetime", "time", "longitude", "latitude", "projected_x", "projected_y", "grid",
    "code", "name", "address", "text", "number", "count", "amount", "flag", "url", "unknown",
)  # fmt: skip


def make_tool(
    tool_id: str, outputs: Sequence[OutputField] = (), parameters: Sequence[Parameter] = (), **changes: Any
) -> Tool:
    """Return a tool of the test platform."""
    values: dict[str, Any] = {
        "tool_id": tool_id,
        "operation_key": f"plain.{tool_id}",
        "platform": "plain",
        "service": "plain",
        "provider": "기관",
        "domain": "test",
        "title": tool_id,
        "description": "",
        "method": "GET",
        "url": f"https://api.plain.test/{tool_id}",
        "parameters": tuple(parameters),
        "outputs": tuple(outputs),
        "profile": PROFILE,
    }
    return Tool(**values | changes)


def make_link(source: str, target: str, *bindings: tuple[str, str] | tuple[str, str, str], score: float = 0.6) -> Link:
    """Return a link with bindings (path, parameter[, transform])."""
    return Link(source, target, tuple(Binding(*b) for b in bindings), score)


def make_outcome(tool_id: str, arguments: Arguments, records: Sequence[Record], kind: Any = None) -> Outcome:
    """Return the outcome of a call that gave these records."""
    state = kind or ("ok" if records else "empty")
    return Outcome(
        outcome_id=digest([tool_id, dict(arguments)]),
        tool_id=tool_id,
        arguments=dict(arguments),
        outcome=state,
        reason=state,
        records=tuple(records),
        total=len(records),
        response_hash=digest(list(records)),
    )


class FunctionCaller:
    """A caller that answers by a function of tool id and arguments; keeps what it was asked."""

    def __init__(self, answer: Callable[[str, Arguments], Sequence[Record] | str]) -> None:
        self.answer = answer
        self.asked: list[tuple[str, dict[str, str]]] = []

    async def call(self, tool: Tool, arguments: Arguments, *, all_pages: bool = False) -> Outcome:
        """Answer; a text is the class of an outcome without records."""
        self.asked.append((tool.tool_id, dict(arguments)))
        said = self.answer(tool.tool_id, arguments)
        if isinstance(said, str):
            return make_outcome(tool.tool_id, arguments, (), said)
        return make_outcome(tool.tool_id, arguments, said)


class ScriptedModel:
    """A model that answers by a function of the variables; an exception is raised."""

    provider = "scripted"
    name = "scripted-1"

    def __init__(self, answer: Callable[[Mapping[str, Json]], Mapping[str, Any] | Exception]) -> None:
        self.said = answer
        self.calls = 0

    async def answer(self, prompt: Prompt, variables: Mapping[str, Json], schema: type[T]) -> Answer[T]:
        """Render the prompt as a real model would, then answer."""
        self.calls += 1
        assert prompt.render(variables)
        made = self.said(variables)
        if isinstance(made, Exception):
            raise made
        return Answer(schema.model_validate(made), TokenUsage(10, 5), "")


_NAMES = ("corp_code", "corpName", "bjdCd", "nx", "ny", "lat", "lon", "bgnDe", "endDe", "sidoNm", "stdrYear",
          "keyword", "busRouteId", "ykiho", "SIGUN_CD", "mapX", "mapY", "q")  # fmt: skip
_LABELS = ("고유번호", "회사명", "법정동코드", "시군구코드", "위도", "경도", "시작일자", "종료일자", "시도명",
           "기준년도", "검색어", "노선ID", "암호화된 요양기호", "지역코드", "종목코드", "X")  # fmt: skip
_FORMATS = (None, "10", "5", "6", "2", "%Y%m%d", "%Y%m", "%Y-%m-%d")


def output_fields() -> st.SearchStrategy[OutputField]:
    """Output fields with names, labels, kinds and formats in any combination."""
    return st.builds(
        OutputField,
        path=st.sampled_from(_NAMES) | st.sampled_from(_NAMES).map(lambda n: f"row.{n}"),
        label=st.sampled_from(_LABELS),
        kind=st.sampled_from(KINDS),  # type: ignore[arg-type]
        format=st.sampled_from(_FORMATS),
        private=st.booleans(),
    )


def parameters() -> st.SearchStrategy[Parameter]:
    """Parameters in any combination."""
    return st.builds(
        Parameter,
        name=st.sampled_from(_NAMES),
        label=st.sampled_from(_LABELS),
        required=st.booleans(),
        kind=st.sampled_from(KINDS),  # type: ignore[arg-type]
        format=st.sampled_from(_FORMATS),
        default=st.none() | st.just("1"),
        enum=st.just(()) | st.just((EnumValue("1", "하나"),)),
    )


def signatures() -> st.SearchStrategy[tuple[list[OutputField], list[Parameter]]]:
    """Outputs and parameters, each name once."""
    return st.tuples(
        st.lists(output_fields(), max_size=8, unique_by=lambda f: f.path),
        st.lists(parameters(), max_size=6, unique_by=lambda p: p.name),
    )


def tools() -> st.SearchStrategy[list[Tool]]:
    """A few tools in two domains."""

    def build(parts: list[tuple[tuple[list[OutputField], list[Parameter]], str]]) -> list[Tool]:
        return [make_tool(f"t{i}", o, p, domain=d) for i, ((o, p), d) in enumerate(parts)]

    return st.lists(st.tuples(signatures(), st.sampled_from(("가", "나"))), max_size=7).map(build)
