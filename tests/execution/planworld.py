"""A small world of shops behind a real loopback server, the tools that ask about it, and hand-made plans over them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, get_args

from hypothesis import strategies as st
from wireserver import PROFILE, Reply, Seen, Server, client, rows, serving

from edge.calls import Outcome, Record
from edge.execution.gateway import GatewayClient
from edge.ids import Json, digest
from edge.links.fillers import Filler, ValuePool
from edge.links.model import Binding, Evidence, LearnedLink, Link
from edge.llm.prompts import Prompt
from edge.llm.protocol import Answer, T, TokenUsage
from edge.plans.model import (
    ArgumentSource,
    BoundValue,
    CallPlan,
    Comparison,
    Condition,
    DefaultValue,
    Operator,
    PlanStep,
    Point,
    Reducer,
    ReducerKind,
    UserTask,
    UserValue,
)
from edge.plans.runner import ExecutedCall
from edge.plans.sayings import say_parameter
from edge.specs.model import EnumValue, OutputField, Paging, Parameter, Tool

TODAY = "2026-06-15"
NOW = datetime(2026, 6, 15, 10, 35)
MARKETS = {"M1": ("한가람시장", 1), "M3": ("두물머리시장", 3), "M30": ("큰마루시장", 30)}
PAGED = replace(PROFILE, paging=Paging("page", "pageNo", "numOfRows", page_size=10, max_size=10))
NAMES = ("가온", "나루", "다솜", "라온", "마루", "바다", "사랑", "아름", "자람", "차오름")


def shop(market: str, index: int) -> dict[str, Any]:
    """Return a shop; every value but the market's differs between shops."""
    return {
        "shopNm": f"{NAMES[index % 10]}상점{index // 10 + 1}호",
        "shopId": f"S{market[1:]}{index:04d}",
        "rgnCd": f"11{index:03d}10100",
        "marketNm": MARKETS[market][0],
        "salesAmt": 1000 + index * 37 % 997,
        "openDe": f"2026{index % 12 + 1:02d}{index // 12 + 1:02d}",
        "empCnt": 2,
        "lat": f"{37.5 + index / 100:.4f}",
        "lon": "127.0500",
        "ownerTel": "010-1234-5678",
    }


@dataclass
class World:
    """What the server knows. Tests change it to see what the pipeline notices."""

    shops: dict[str, list[dict[str, Any]]] = field(
        default_factory=lambda: {m: [shop(m, i) for i in range(n)] for m, (_, n) in MARKETS.items()}
    )
    details: dict[str, dict[str, Any]] = field(default_factory=dict)
    regions: dict[str, dict[str, Any]] = field(default_factory=dict)
    fails: set[str] = field(default_factory=set)
    breaks_at: int | None = None

    def __post_init__(self) -> None:
        for listed in self.shops.values():
            for i, one in enumerate(listed):
                self.details[one["shopId"]] = {
                    "shopId": one["shopId"],
                    "seatCnt": 10 + i,
                    "rentAmt": 5000 + 7 * i,
                    "checkDe": f"202605{i % 28 + 1:02d}",
                }
                self.regions[one["rgnCd"]] = {
                    "rgnCd": one["rgnCd"],
                    "rgnNm": f"{NAMES[i % 10]}동{i}",
                    "popCnt": 9000 + i,
                }

    def answer(self, seen: Seen) -> Reply:
        """Answer a request as a platform would: pages, "no data" as an empty list, errors by code."""
        operation = seen.target.partition("?")[0].rpartition("/")[2]
        query = seen.query
        if operation in self.fails:
            return Reply(rows([], code="10"))
        if operation == "shops":
            found = self.shops.get(query.get("market", ""), [])
            page, size = int(query["pageNo"]), int(query["numOfRows"])
            if self.breaks_at == page:
                return Reply(rows([], code="10"))
            return Reply(rows(found[(page - 1) * size : page * size], total=len(found)))
        table = self.details if operation == "detail" else self.regions
        one = table.get(query.get("shopId" if operation == "detail" else "rgnCd", ""))
        return Reply(rows([one] if one else [], total=1 if one else 0))


@asynccontextmanager
async def living(world: World) -> AsyncIterator[tuple[GatewayClient, Server]]:
    """Serve the world and give a gateway client for it."""
    async with serving(world.answer) as server, client(server) as gateway:
        yield gateway, server


def world_tool(name: str, parameters: Sequence[Parameter], outputs: Sequence[OutputField], **more: Any) -> Tool:
    """Return a tool of the world."""
    values: dict[str, Any] = {
        "tool_id": f"portal_{name}",
        "operation_key": f"svc.{name}",
        "platform": "portal",
        "service": "svc",
        "provider": "기관",
        "domain": "commerce",
        "title": name,
        "description": "",
        "method": "GET",
        "url": f"https://apis.data.go.kr/B55/svc/{name}",
        "parameters": tuple(parameters),
        "outputs": tuple(outputs),
        "profile": PROFILE,
    }
    return Tool(**values | more)


def shops_tool(*markets: str) -> Tool:
    """Return the list tool; its market is one of `markets`, so that a test decides how many records come."""
    values = tuple(EnumValue(m, MARKETS[m][0]) for m in markets)
    return world_tool(
        "shops",
        [Parameter("market", "시장", required=True, kind="code", enum=values, phrase="{v}에 있는")],
        [
            OutputField("shopNm", "상호", kind="name"),
            OutputField("shopId", "가게코드", kind="code"),
            OutputField("rgnCd", "법정동코드 10자리", kind="code", format="10"),
            OutputField("marketNm", "시장명", kind="name"),
            OutputField("salesAmt", "매출액", type="integer", kind="amount", unit="만원"),
            OutputField("openDe", "개업일자", kind="date"),
            OutputField("empCnt", "종업원수", type="integer", kind="count", unit="명"),
            OutputField("lat", "위도", kind="latitude"),
            OutputField("lon", "경도", kind="longitude"),
            OutputField("ownerTel", "전화번호", kind="text", private=True),
        ],
        title="가게 목록",
        noun="가게",
        name_field="shopNm",
        profile=PAGED,
    )


DETAIL = world_tool(
    "detail",
    [Parameter("shopId", "가게코드", required=True, kind="code")],
    [
        OutputField("shopId", "가게코드", kind="code"),
        OutputField("seatCnt", "좌석수", type="integer", kind="count", unit="석"),
        OutputField("rentAmt", "임대료", type="integer", kind="amount", unit="원"),
        OutputField("checkDe", "점검일자", kind="date"),
    ],
    title="가게 상세",
    noun="가게 상세",
)
REGION = world_tool(
    "region",
    [Parameter("rgnCd", "법정동코드", required=True, kind="code", format="10")],
    [
        OutputField("rgnCd", "법정동코드", kind="code", format="10"),
        OutputField("rgnNm", "법정동명", kind="name"),
        OutputField("popCnt", "인구수", type="integer", kind="count", unit="명"),
    ],
    title="법정동 인구",
    noun="법정동 인구",
    name_field="rgnNm",
    domain="demographics",
)
BY_MARKET = world_tool(
    "bymarket",
    [Parameter("marketNm", "시장명", required=True, kind="name")],
    [OutputField("areaAmt", "면적", kind="number", unit="㎡")],
    title="시장 현황",
    noun="시장",
)
TO_DETAIL = Link("portal_shops", "portal_detail", (Binding("shopId", "shopId"),), 0.9)
TO_REGION = Link("portal_shops", "portal_region", (Binding("rgnCd", "rgnCd"),), 0.9)
TO_MARKET = Link("portal_shops", "portal_bymarket", (Binding("marketNm", "marketNm"),), 0.9)


def world_tools(*markets: str) -> dict[str, Tool]:
    """Return all tools by id."""
    return {t.tool_id: t for t in (shops_tool(*(markets or tuple(MARKETS))), DETAIL, REGION, BY_MARKET)}


def filler() -> Filler:
    """Return a filler with an empty pool and a fixed clock."""
    return Filler(NOW, ValuePool(), say_parameter)


def learned(link: Link, status: Any = "verified", wins: int = 5) -> LearnedLink:
    """Return a link with evidence."""
    return LearnedLink(link, Evidence(1.0 + wins, 1.0, successes=wins, status=status))


# -- hand-made plans ----------------------------------------------------------------------------------------------


def shops_step(market: str, reducer: Reducer, asks: Sequence[str] = (), step_id: str = "s1") -> PlanStep:
    """Return the entry step."""
    user = UserValue(market, MARKETS[market][0])
    return PlanStep(step_id, "portal_shops", (("market", user),), reducer, tuple(asks))


def detail_step(asks: Sequence[str], junction: Any, step_id: str = "s2", parent: str = "s1") -> PlanStep:
    """Return the step that asks for the details of what the entry step left."""
    bound = BoundValue(parent, "shopId")
    return PlanStep(
        step_id, "portal_detail", (("shopId", bound),), Reducer("only"), tuple(asks), TO_DETAIL.link_id, junction
    )


def region_step(asks: Sequence[str], junction: Any, step_id: str = "s3", parent: str = "s1") -> PlanStep:
    """Return the step that asks about the region of what the entry step left."""
    bound = BoundValue(parent, "rgnCd")
    return PlanStep(
        step_id,
        "portal_region",
        (("rgnCd", bound),),
        Reducer("only"),
        tuple(asks),
        TO_REGION.link_id,
        junction,
        "법정동",
    )


def plan_of(*steps: PlanStep, widths: Sequence[int] = ()) -> CallPlan:
    """Return a plan of these steps."""
    ids = digest([[s.step_id, s.tool_id, s.reducer.kind, list(s.asks)] for s in steps], 16)
    return CallPlan(ids, steps, TODAY, tuple(widths) or (1,) * len(steps))


DRV_PLAN = plan_of(shops_step("M30", Reducer("max", "salesAmt")), detail_step(("seatCnt", "rentAmt"), "DRV"))
FAN_PLAN = plan_of(shops_step("M3", Reducer("all")), detail_step(("seatCnt",), "FAN"), widths=(1, 3))
SEM_PLAN = plan_of(shops_step("M1", Reducer("only")), detail_step(("rentAmt",), "SEM"), region_step(("popCnt",), "SEM"))


def task_for(plan: CallPlan, query: str, **more: Any) -> UserTask:
    """Return a request for a plan."""
    values: dict[str, Any] = {
        "task_id": digest(["task", plan.plan_id, query], 16),
        "language": "ko",
        "persona": "",
        "style": "polite",
        "difficulty": "easy",
        "generator": "offline/ko",
        "prompt_hash": "p1",
    }
    return UserTask(plan=plan, query=query, **values | more)


def executed(
    step: PlanStep, records: Sequence[Mapping[str, Json]], chosen: Sequence[int], call_id: str = "c1", **more: Any
) -> ExecutedCall:
    """Return a call that gave these records; `arguments` and `source` may be given."""
    arguments: dict[str, str] = more.get("arguments", {})
    kept: tuple[Record, ...] = tuple(dict(r) for r in records)
    outcome = Outcome("o", step.tool_id, arguments, "ok", "ok", records=kept, total=len(kept))
    sources = (more["source"],) if more.get("source") else ()
    value = str(len(chosen)) if step.reducer.kind == "count" else None
    return ExecutedCall(call_id, step.step_id, step.tool_id, arguments, outcome, sources, tuple(chosen), value)


class Scripted:
    """A model that answers by a function of the variables; an exception is raised."""

    provider = "scripted"
    name = "scripted-1"

    def __init__(self, said: Callable[[Mapping[str, Json]], Mapping[str, Any] | Exception]) -> None:
        self.said = said
        self.asked: list[Mapping[str, Json]] = []

    async def answer(self, prompt: Prompt, variables: Mapping[str, Json], schema: type[T]) -> Answer[T]:
        """Render the prompt as a real model would, then answer."""
        self.asked.append(variables)
        assert prompt.render(variables)
        made = self.said(variables)
        if isinstance(made, Exception):
            raise made
        return Answer(schema.model_validate(made), TokenUsage(10, 5), "")


# -- plans of any shape -------------------------------------------------------------------------------------------

_WORDS = st.text(alphabet='abcXYZ가나다라 .%[]"\\', max_size=6)
_SOURCES: st.SearchStrategy[ArgumentSource] = st.builds(
    UserValue, _WORDS, _WORDS, st.none() | st.sampled_from(["month-1", "day-1"])
) | st.builds(DefaultValue, _WORDS)
_KINDS: tuple[ReducerKind, ...] = get_args(ReducerKind)


def _reducers(within: st.SearchStrategy[Reducer | None]) -> st.SearchStrategy[Reducer]:
    words = st.none() | _WORDS
    near = st.none() | st.builds(Point, _WORDS, _WORDS)
    kinds = st.sampled_from(_KINDS)
    return st.builds(Reducer, kinds, words, words, words, st.none() | st.integers(1, 5), words, near, within)


_REDUCERS = _reducers(st.none() | _reducers(st.none()))
_JUNCTIONS = st.sampled_from(["SEQ", "FAN", "DRV", "SEM", "CMP", "COND"])


def _conditions(position: int) -> st.SearchStrategy[Condition]:
    step = st.integers(1, position).map(lambda n: f"s{n}")
    operator: st.SearchStrategy[Operator] = st.sampled_from([">=", "<=", "=="])
    return st.builds(Condition, step, operator, _WORDS, st.booleans(), st.none() | _WORDS, st.none() | _WORDS)


@st.composite
def plans(draw: st.DrawFn) -> CallPlan:
    """Plans of one to five steps; every step but the first may hang on any earlier one."""
    steps: list[PlanStep] = []
    for i in range(draw(st.integers(1, 5))):
        arguments = dict(draw(st.lists(st.tuples(st.sampled_from("pqrst"), _SOURCES), max_size=3)))
        parent = draw(st.none() | st.integers(0, i - 1)) if i else None
        if parent is not None:
            transform = draw(st.none() | st.just("slice:0:5"))
            arguments["bound"] = BoundValue(f"s{parent + 1}", draw(_WORDS), transform)
        if i and draw(st.booleans()):  # two branches join
            arguments["joined"] = BoundValue(f"s{draw(st.integers(1, i))}", draw(_WORDS))
        steps.append(
            PlanStep(
                step_id=f"s{i + 1}",
                tool_id=draw(st.sampled_from(["t1", "t2", "t3"])),
                arguments=tuple(arguments.items()),
                reducer=draw(_REDUCERS),
                asks=tuple(draw(st.lists(_WORDS, max_size=3, unique=True))),
                link_id=None if parent is None else "link",
                junction=None if parent is None else draw(_JUNCTIONS),
                via=draw(st.none() | _WORDS),
                when=draw(st.none() | _conditions(i)) if i else None,
                may_be_empty=draw(st.booleans()),
                also_links=tuple(draw(st.lists(_WORDS, max_size=2))),
            )
        )
    untaken = tuple(steps[:1]) if draw(st.booleans()) else ()
    compared = st.builds(Comparison, st.just((steps[0].step_id,)), st.sampled_from(["max", "min"]), st.none() | _WORDS)
    comparison = draw(st.none() | compared)
    widths = draw(st.lists(st.integers(1, 5), min_size=len(steps), max_size=len(steps)))
    return CallPlan(draw(_WORDS), tuple(steps), TODAY, tuple(widths), untaken, comparison)
