"""Plans of faults: the coin, the scripted rules, how they are counted and read."""

import json
import re
from pathlib import Path

import pytest
from running import CITIES, CITIES_ID, TRADES, client

from edge.sandbox.faults import FAULT_KINDS
from edge.sandbox.timeline import FaultPlan, read_kinds, read_plan

PATH = "/apis.data.go.kr/1613000/TrainInfo/GetCtyCodeList"


def _fates(plan: FaultPlan, operation: str = "a.b", calls: int = 8, path: str = PATH) -> list[str]:
    return [str(plan.next(operation, path) or "") for _ in range(calls)]


def test_the_coin_follows_the_seed_and_the_rate() -> None:
    kinds = [_fates(FaultPlan(seed, 0.3), calls=300) for seed in (1, 1, 2)]
    assert kinds[0] == kinds[1] != kinds[2]
    assert 60 < sum(bool(kind) for kind in kinds[0]) < 120
    assert {kind for kind in kinds[0] if kind} == {str(kind) for kind in read_kinds("")}
    assert _fates(FaultPlan(1, 0.0)) == [""] * 8
    assert all(_fates(FaultPlan(1, 1.0)))


def test_operations_are_counted_apart() -> None:
    plan, mixed = FaultPlan(1, 0.5), FaultPlan(1, 0.5)
    alone = [_fates(plan, name, 20) for name in ("a.b", "c.d")]
    turns = [(str(mixed.next("a.b", PATH) or ""), str(mixed.next("c.d", PATH) or "")) for _ in range(20)]
    assert [list(column) for column in zip(*turns, strict=True)] == alone
    assert alone[0] != alone[1]


@pytest.mark.parametrize(
    ("rule", "fates"),
    [
        ("{fault: quota, calls: 3..}", ["", "", "quota=200", "quota=200", "quota=200"]),
        ("{fault: throttled=7, calls: 2..3}", ["", "throttled=7", "throttled=7", "", ""]),
        ("{fault: reset, calls: 4}", ["", "", "", "reset", ""]),
        ("{fault: drip}", ["drip=2000"] * 5),
        ("{fault: reset, operation: a.b}", ["reset"] * 5),
        ("{fault: reset, operation: c.d}", [""] * 5),
        ("{fault: reset, path: /apis.data.go.kr/1613000}", ["reset"] * 5),
        ("{fault: reset, path: /open.neis.go.kr}", [""] * 5),
        ("{fault: reset, rate: 0}", [""] * 5),
    ],
)
def test_a_rule_says_which_calls_fail(rule: str, fates: list[str]) -> None:
    assert _fates(read_plan(f"- {rule}", FaultPlan()), calls=5) == fates


def test_rules_count_each_operation_or_all_together() -> None:
    script = "- {fault: reset, path: /apis.data.go.kr, calls: 2, together: %s}"
    apart = read_plan(script % "false", FaultPlan())
    assert [_fates(apart, name, 2) for name in ("a.b", "c.d")] == [["", "reset"], ["", "reset"]]
    together = read_plan(script % "true", FaultPlan())
    assert [_fates(together, name, 1) for name in ("a.b", "c.d", "a.b")] == [[""], ["reset"], [""]]


def test_the_first_rule_that_applies_wins_and_the_coin_comes_last() -> None:
    coin = FaultPlan(1, 1.0, read_kinds("latency=5"))
    plan = read_plan("[{fault: reset, calls: 2}, {fault: html, calls: 2..3}]", coin)
    assert _fates(plan, calls=4) == ["latency=5", "reset", "html=200", "latency=5"]
    assert _fates(plan.again(), calls=4) == ["latency=5", "reset", "html=200", "latency=5"]


def test_a_rule_with_a_rate_follows_the_seed() -> None:
    fates = [_fates(read_plan("- {fault: reset, rate: 0.4}", FaultPlan(seed)), calls=100) for seed in (1, 1, 2)]
    assert fates[0] == fates[1] != fates[2]
    assert 25 < sum(map(bool, fates[0])) < 55


def test_what_a_plan_leaves_out_stays() -> None:
    standing = read_plan("{rate: 0.2, kinds: [html], timeline: [{fault: reset}]}", FaultPlan(9))
    assert (standing.seed, standing.rate, len(standing.rules)) == (9, 0.2, 1)
    changed = read_plan('{"rate": 0.1, "seed": 4}', standing)
    assert (changed.seed, changed.rate, changed.kinds, changed.rules) == (4, 0.1, standing.kinds, standing.rules)
    assert read_plan(json.dumps(changed.row()), FaultPlan()).row() == changed.row()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "neither JSON nor YAML"),
        ("hello", "must be an object"),
        ("[hello]", "timeline entry 1 must be an object"),
        ("{speed: 1}", "unknown 'speed'; use kinds, rate, seed, timeline"),
        ("{rate: 2}", "rate must be a number from 0 to 1"),
        ("{rate: true}", "rate must be a number"),
        ("{seed: a}", "seed must be a whole number"),
        ("{kinds: html}", "kinds must be a list"),
        ("{kinds: [fire]}", "unknown fault 'fire'"),
        ("{timeline: 1}", "timeline must be a list"),
        ("- {calls: 1}", "timeline entry 1 says no fault"),
        ("- {fault: fire}", "timeline entry 1: unknown fault 'fire'"),
        ("- {fault: [reset]}", "fault must be a text"),
        ("- {fault: reset, when: 1}", "timeline entry 1: unknown 'when'"),
        ("- {fault: reset}\n- {fault: reset, calls: 0}", "timeline entry 2: calls must be like"),
        ("- {fault: reset, calls: 5..2}", "ends before it begins"),
        ("- {fault: reset, calls: -1}", "calls must be like"),
        ("!!python/object/apply:os.system [ls]", "neither JSON nor YAML"),
        ("[" * 5000, "neither JSON nor YAML"),
    ],
)
def test_a_plan_nobody_can_read_is_said_in_one_line(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words) as raised:
        read_plan(text, FaultPlan())
    assert "\n" not in str(raised.value)


def test_a_timeline_posted_while_it_runs() -> None:
    with client() as http:
        script = [
            {"fault": "quota", "operation": CITIES_ID, "calls": "3.."},
            {"fault": "server_error=502", "path": "/apis.data.go.kr/1613000/RTMS", "calls": "1..2"},
        ]
        assert http.post("/__sandbox__/faults", json=script).json()["timeline"][0]["calls"] == "3.."
        codes = ["<returnReasonCode>22<" in http.get(CITIES).text for _ in range(4)]
        assert codes == [False, False, True, True]
        assert [http.get(TRADES).status_code for _ in range(3)] == [502, 502, 200]
        assert http.delete("/__sandbox__/faults").json()["timeline"] == []
        assert "citycode" in http.get(CITIES).text
        assert http.get("/__sandbox__/statistics").json()["faults"] == {"quota": 2, "server_error": 2}


def test_the_manual_shows_rules_that_can_be_read_and_every_kind() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text("utf-8")
    (script,) = re.findall(r"```yaml\n(.*?)```", manual, re.DOTALL)
    assert [str(rule.fault) for rule in read_plan(script, FaultPlan()).rules] == [
        "quota=200",
        "throttled=2",
        "server_error=502",
        "latency=3000",
    ]
    rows = manual.partition("| kind |")[2].partition("\n\n")[0].splitlines()[2:]
    assert {kind for row in rows for kind in re.findall(r"`(\w+)`", row.split("|")[1])} == set(FAULT_KINDS)
