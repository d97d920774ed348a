"""The offline feasibility scorer: two signatures become scored binding sets (variables -> LinkAnswer)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from edge.links.evidence_rules import Fit, fits, name_similarity
from edge.links.joint import Group, groups
from edge.links.model import Binding
from edge.links.transform_rules import AXES, without_boxes
from edge.specs.model import OutputField, Parameter

MAX_SETS = 6
REQUIRED_FLOOR = 0.3
OPTIONAL_FLOOR = 0.5
ALTERNATIVE_GAP = 0.3
GUESS_GAP = 0.1
POOLED = 0.8  # what a set is worth that leaves a parameter to values of earlier calls


@dataclass(frozen=True, slots=True)
class ScoredSet:
    """A binding set and how far it is believed, with the reason in a few words.

    `pooled` are required parameters that it leaves to values of earlier calls.
    """

    bindings: tuple[Binding, ...]
    score: float
    reason: str
    pooled: frozenset[str] = frozenset()


def binding_sets(
    outputs: Sequence[OutputField],
    parameters: Sequence[Parameter],
    fillable: frozenset[str],
    carried: Sequence[OutputField] = (),
    *,
    same_service: bool,
    name_field: str | None = None,
) -> list[ScoredSet]:
    """Return up to MAX_SETS binding sets, best first.

    Every required parameter is bound where a field fits; one that has no field must be `fillable` from elsewhere
    (default, clock, what the user says), or carried over from the source's own arguments. One more may be left to
    values of earlier calls (`pooled`) beside an identifier that fits well; else there is no set at all.
    Where no field fits a required parameter, each well-fitting optional parameter makes a set. Parameters that belong
    together are bound together. Near-equal alternatives become sets of their own: execution decides.
    """
    parameters = without_boxes(parameters)
    ranked = {p.name: fits(tuple(outputs), p, same_service=same_service, name_field=name_field) for p in parameters}
    required = [p for p in parameters if p.required]
    best = {p.name: next(iter(ranked[p.name]), None) for p in required}
    bound = {name: fit for name, fit in best.items() if fit is not None and fit.score >= REQUIRED_FLOOR}
    extra = {p.name: fit for p in required if p.name not in bound and (fit := _carried(carried, p)) is not None}
    left = {p.name for p in required if p.name not in bound and p.name not in extra and p.name not in fillable}
    if left:
        return _beside_the_pool(bound, extra, left, fillable, groups(parameters))
    needed = {name: fit for name, fit in extra.items() if name not in fillable}
    sets = _required_sets(bound, ranked, extra) if bound else []
    if bound and needed != extra:
        sets.append(_make(bound | needed))  # the source may not have been called with what it could carry over
    joint = groups(parameters)
    sets.extend(_optional_sets(parameters, ranked, bound | extra if bound else needed, joint))
    names = {p.name for p in required}
    whole = [s for s in sets if all(g.holds({b.target_parameter for b in s.bindings}, names) for g in joint)]
    return _distinct(whole)[:MAX_SETS]


def _beside_the_pool(
    bound: dict[str, Fit], extra: dict[str, Fit], left: set[str], fillable: frozenset[str], joint: Sequence[Group]
) -> list[ScoredSet]:
    """The one set that leaves a parameter to values of earlier calls: all others that only a link fills fit well.

    Where two are missing, or nothing but dates and words is brought, a call tells little of the link.
    """
    brought = [fit for name, fit in bound.items() if name not in fillable]
    if len(left) > 1 or not brought or any(fit.score < OPTIONAL_FLOOR for fit in brought):
        return []
    apart = any(left & set(group.names) and set(group.names) & (bound | extra).keys() for group in joint)
    return [] if apart else [_make(bound | extra, worth=POOLED, pooled=frozenset(left))]


def _make(chosen: dict[str, Fit], worth: float = 1.0, pooled: frozenset[str] = frozenset()) -> ScoredSet:
    bindings = tuple(Binding(f.path, name, f.transform) for name, f in sorted(chosen.items()))
    weakest = min(f.score for f in chosen.values())
    mean = sum(f.score for f in chosen.values()) / len(chosen)
    reason = ", ".join(f"{b.source_path}→{b.target_parameter}" for b in bindings)
    return ScoredSet(bindings, round(worth * (0.5 * weakest + 0.5 * mean), 4), reason, pooled)


def _carried(carried: Sequence[OutputField], parameter: Parameter) -> Fit | None:
    """An argument of the source call that has the parameter's very name and can be passed on unchanged."""
    same = [c for c in carried if name_similarity(c.path[1:], parameter.name) == 1.0 and c.kind == parameter.kind]
    return Fit(same[0].path, None, 0.9) if same else None


def _required_sets(bound: dict[str, Fit], ranked: dict[str, list[Fit]], extra: dict[str, Fit]) -> list[ScoredSet]:
    """The best set, and those that differ from it in one parameter by a nearly as good field or transform.

    `extra` are carried-over arguments that complete every set.
    """
    sets = [_make(bound | extra)]
    for name, fit in sorted(bound.items()):
        gap = ALTERNATIVE_GAP if fit.score >= OPTIONAL_FLOOR else GUESS_GAP
        others = [f for f in ranked[name] if f != fit and fit.score - f.score <= gap]
        sets.extend(_make(bound | extra | {name: other}) for other in others[:3] if other.score >= REQUIRED_FLOOR)
    return sets


def _optional_sets(
    parameters: Sequence[Parameter], ranked: dict[str, list[Fit]], bound: dict[str, Fit], joint: Sequence[Group]
) -> list[ScoredSet]:
    """Sets with optional parameters: added to the required ones where there are some, alone where there are none."""
    optional = [p for p in parameters if not p.required]
    kinds = {p.name: p.kind for p in optional}
    floor = OPTIONAL_FLOOR if bound else REQUIRED_FLOOR
    fitting = {name: [f for f in ranked[name] if f.score >= floor] for name in kinds}
    together = [chosen for group in joint for chosen in _filled(group, fitting)]
    strong = [
        (p.name, f)
        for p in optional
        for n, f in enumerate(ranked[p.name][:2])
        if f.score >= floor and (n == 0 or ranked[p.name][0].score >= OPTIONAL_FLOOR)
    ]
    strong = _first_of_series([(name, f) for name, f in strong if kinds[name] not in AXES])
    strong.sort(key=lambda item: (-item[1].score, item[0], item[1].path))
    if bound:
        return [_make(bound | more) for more in (*together, *({name: fit} for name, fit in strong[:2]))]
    codes = {name: fit for name, fit in reversed(strong) if fit.score >= 0.7}
    sets = [*together, *([codes] if 1 < len(codes) <= 4 else []), *({name: fit} for name, fit in strong[:6])]
    return [_make(chosen) for chosen in sets]


def _filled(group: Group, fitting: Mapping[str, Sequence[Fit]]) -> list[dict[str, Fit]]:
    """A group's parameters as far down as there are fits: by the best of each, and by one field that has them all."""
    names = list(takewhile(lambda name: bool(fitting.get(name)), group.names))
    if len(names) < 2:
        return []
    found = [{name: fitting[name][0] for name in names}]
    paths = [{f.path for f in fitting[name]} for name in names]
    for path in sorted(path for path in paths[0] if all(path in others for others in paths)):
        found.append({name: next(f for f in fitting[name] if f.path == path) for name in names})
    found.sort(key=lambda chosen: -min(f.score for f in chosen.values()))
    return found[:2] if group.levels else found[:1]


def _first_of_series(found: Sequence[tuple[str, Fit]]) -> list[tuple[str, Fit]]:
    """Of numbered parameters (code1, code2, ...) that one field would fill, the first stands for all."""
    series: dict[tuple[str, str, str | None], tuple[str, Fit]] = {}
    for name, fit in sorted(found, key=lambda item: item[0]):
        key = (name.rstrip("0123456789"), fit.path, fit.transform)
        first, best = series.setdefault(key, (name, fit))
        series[key] = (first, max(best, fit, key=lambda f: f.score))
    return list(series.values())


def _distinct(sets: Sequence[ScoredSet]) -> list[ScoredSet]:
    seen: dict[tuple[Binding, ...], ScoredSet] = {}
    for scored in sorted(sets, key=lambda s: (-s.score, len(s.bindings), s.reason)):
        seen.setdefault(scored.bindings, scored)
    return list(seen.values())
