"""The batch endpoints of both protocols, answered by the writer that knows every prompt of this repository."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from batchserver import BatchServer
from model_writer import Writer, prompt_name


@dataclass
class WriterBatches(BatchServer):
    """Writes what the prompts ask for; `told` counts how often each was answered, `names` what each batch asked."""

    writer: Writer = field(default_factory=Writer)
    told: Counter[str] = field(default_factory=Counter[str])

    def names(self) -> list[str | None]:
        """Return the prompt that each batch asks, in the order in which they came."""
        return [prompt_name(_parts(next(iter(sent.lines.values())))[0]) for sent in list(self.batches.values())]

    def text(self, body: dict[str, Any]) -> str:
        """Answer a line as the writer does; nothing in it waits for anything."""
        system, turns = _parts(body)
        name = prompt_name(system)
        assert name is not None, system[:80]
        self.told[json.dumps([system, turns])] += 1
        answering = self.writer.answer(name, turns[-1]["content"])
        try:
            answering.send(None)
        except StopIteration as done:
            said: str = done.value
            return said
        raise AssertionError("the writer waits")


def _parts(body: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    """Return the system text and the turns after it; Anthropic's requests hold the one beside the others."""
    if "system" in body:
        return body["system"], body["messages"]
    return body["messages"][0]["content"], body["messages"][1:]
