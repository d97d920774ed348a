"""A rendered prompt -> an answer, from what stands in the prompt: the mind of the writer server.

It knows what any model would be told and no plan: it reads the variables back out of the text, lets the offline writers
write, and works answer keys out from the request it has written itself and the bindings it has judged itself.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from edge.ids import Json
from edge.links.feasibility import offline_feasibility
from edge.llm.answers import BindingAnswer, CallAnswer, KeyAnswer, LinkAnswer, OutlinedAnswer, ReferenceAnswer
from edge.llm.offline import OfflineModel
from edge.llm.prompts import load_prompt

_BLOCK = re.compile(r"<자료>\n(.*?)\n</자료>", re.DOTALL)
_LINE = re.compile(r"^(오늘|언어|문체|act|kind): (.*)$", re.MULTILINE)
_LINES = {"오늘": "today", "언어": "language", "문체": "style", "act": "act", "kind": "kind"}
# The variable that a block holds, by a word of the line above it.
_HEADS = {
    "outline": "outline", "texts": "texts", "labels": "labels", "요청하는 사람": "persona",
    "개요": "steps", "untaken": "untaken", "comparison": "comparison", "까닭": "feedback",
    "facts": "facts", "label": "label", "source": "source", "targets": "targets", "transforms": "transforms",
    "변환": "transforms", "outputs": "outputs", "도구": "tools", "요청": "query",
}  # fmt: skip
_NAMES = (
    "user_request", "outlined_request", "answer_key", "final_answer", "no_call", "link_feasibility", "tool_description",
)  # fmt: skip

Step = Mapping[str, Any]


def prompt_name(system: str) -> str | None:
    """Return which prompt a system text belongs to; a schema in words may follow it."""
    return next((name for name in _NAMES if system.startswith(load_prompt(name).system)), None)


def variables_of(text: str) -> dict[str, Any]:
    """Return the variables that a user message was rendered from."""
    found: dict[str, Any] = {_LINES[name]: value for name, value in _LINE.findall(text)}
    for block in _BLOCK.finditer(text):
        head = text[: block.start()].rstrip("\n").rpartition("\n")[2]
        found[next(name for word, name in _HEADS.items() if word in head)] = json.loads(block[1])
    return found


class Writer:
    """Answers prompts; remembers the briefs of its requests and the bindings of its links, as a conversation would."""

    def __init__(self) -> None:
        self._offline = OfflineModel({"link_feasibility": offline_feasibility})
        self._briefs: dict[str, Sequence[Step]] = {}
        self._shown: dict[tuple[str, ...], Sequence[Step]] = {}
        self._tools: dict[str, list[str]] = {}
        self._bindings: dict[tuple[str, str], list[list[BindingAnswer]]] = {}

    async def answer(self, name: str, text: str) -> str:
        """Return the JSON that answers a user message of the prompt `name`."""
        told = {"seed": int(sha256(text.encode()).hexdigest()[:7], 16), "language": "ko", **variables_of(text)}
        if name == "link_feasibility":
            return self._links(told).model_dump_json()
        if name == "answer_key":
            return self._key(told).model_dump_json()
        if name == "tool_description":
            return json.dumps({"description": "자료를 조회한다."}, ensure_ascii=False)
        if name == "outlined_request":
            return self._outlined(told)
        made = await self._offline.answer(load_prompt(name), told, _shape(name))
        if name == "user_request":
            self._briefs[made.value.query.strip()] = self._shown[tuple(told.get("texts", ()))] = told["steps"]
        return made.value.model_dump_json()

    def _outlined(self, told: Mapping[str, Any]) -> str:
        """Ask what the outline says; what was asked in other words before is remembered by the values in it."""
        query = f"{', '.join(told['outline'])} 확인 바람."
        self._briefs[query] = self._shown.get(tuple(told["texts"]), ())
        return OutlinedAnswer(sentences=[query]).model_dump_json()

    def _links(self, told: Mapping[str, Json]) -> LinkAnswer:
        answer, shown = offline_feasibility(told), told
        for tool in [shown["source"], *shown["targets"]]:  # type: ignore[misc]
            named = self._tools.setdefault(tool["title"], [])  # type: ignore[index,call-overload]
            if tool["tool_id"] not in named:  # type: ignore[index,call-overload]
                named.append(tool["tool_id"])  # type: ignore[index,call-overload,arg-type]
        for pair in answer.pairs:
            sets = [list(candidate.bindings) for candidate in pair.candidates]
            self._bindings[shown["source"]["tool_id"], pair.target] = sets  # type: ignore[index,call-overload]
        return answer

    def _key(self, told: Mapping[str, Any]) -> KeyAnswer:
        """One call for each step of the brief; no call at all where a tool or a value is not there."""
        offered = {tool["function"]["name"]: tool["function"]["parameters"] for tool in told["tools"]}
        rng = random.Random(told["seed"]) if told.get("feedback") else None
        steps, calls = self._briefs.get(told["query"], ()), dict[str, CallAnswer]()
        for step in steps:
            tool = next((t for t in self._tools.get(step["title"], ()) if t in offered), None)
            if tool is None:
                return KeyAnswer(calls=[])
            call = self._call(step, tool, calls, rng)
            given = {*call.arguments, *(reference.parameter for reference in call.references)}
            shape = offered[tool]
            if any(n not in given and "default" not in shape["properties"][n] for n in shape["required"]):
                return KeyAnswer(calls=[])
            calls[step["id"]] = call
        return KeyAnswer(calls=list(calls.values()))

    def _call(self, step: Step, tool: str, before: Mapping[str, CallAnswer], rng: random.Random | None) -> CallAnswer:
        arguments = {item["name"]: item["text"] for item in step.get("inputs", ())}
        references: dict[str, ReferenceAnswer] = {}
        for parent in step.get("parents", ()):
            sets = self._bindings.get((before[parent].tool, tool), [])
            free = [s for s in sets if not any(b.target_parameter in arguments for b in s)] or sets
            chosen = (rng.choice(free) if rng else free[0]) if free else []  # told that it fails: another one
            for bound in chosen:
                if bound.target_parameter not in arguments:
                    references.setdefault(
                        bound.target_parameter,
                        ReferenceAnswer(
                            parameter=bound.target_parameter, call=parent, path=bound.source_path,
                            transform=bound.transform,
                        ),
                    )  # fmt: skip
        return CallAnswer(id=step["id"], tool=tool, arguments=arguments, references=list(references.values()))


def _shape(name: str) -> Any:
    from edge.llm.answers import FinalAnswer, RequestAnswer

    return RequestAnswer if name == "user_request" else FinalAnswer
