"""tool -> the description a model reads: what it answers, what it needs and what it gives back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from edge.ids import Json
from edge.specs.kinds import strip_brackets
from edge.specs.model import Parameter, Tool

MAX_LENGTH = 900  # a function's description is cut at 1024, the title stands before it
_NAMED_OUTPUTS = 8
_LABEL = 30  # a longer one is a cut explanation
_SAID = 3  # an answer of which so many fields are named already is described
_HANGUL = re.compile(r"[가-힣]")
# What looks like a wire name: small letters with a capital inside ("sidoCd"), or an underscore ("LAWD_CD").
_WIRE_NAME = re.compile(r"(?<![A-Za-z0-9_])(?:[a-z]+[A-Z][A-Za-z0-9]*|[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+)")
_WORDS: Final = {
    True: ("필요한 값: {}.", "돌려주는 값: {}.", "{} 등 {}가지"),
    False: ("Needs: {}.", "Returns: {}.", "{} and more, {} in all"),
}


def is_korean(tool: Tool) -> bool:
    """Whether a tool's document speaks Korean."""
    return bool(_HANGUL.search(" ".join((tool.title, tool.description, *(p.label for p in tool.parameters)))))


def completed(tool: Tool) -> Tool:
    """Return `tool` with a description that also says what it needs and gives, as far as the document's does not.

    The document's own text stays in `original` where something was added.
    """
    text = " ".join(tool.description.split())
    needs, gives, many = _WORDS[is_korean(tool)]
    additions: list[str] = []
    needed = [p for p in tool.required if p.label not in text and p.name not in text]
    if needed:
        additions.append(needs.format(", ".join(map(_called, needed))))
    labels = list(dict.fromkeys(field.label for field in tool.outputs if not field.private))
    if labels and sum(label in text for label in labels) < min(_SAID, len(labels)):
        shown = ", ".join(labels[:_NAMED_OUTPUTS])
        additions.append(gives.format(shown if len(labels) <= _NAMED_OUTPUTS else many.format(shown, len(labels))))
    if not additions:
        kept = _cut(text, MAX_LENGTH)
        return replace(tool, description=kept, original=tool.original or ("" if kept == text else text))
    room = MAX_LENGTH - sum(len(addition) + 1 for addition in additions)
    kept = _cut(text, max(room, MAX_LENGTH // 3))
    described = " ".join(filter(None, (f"{kept.rstrip('. ')}." if kept else "", *additions)))
    return replace(tool, description=_cut(described, MAX_LENGTH), original=tool.original or text)


def _called(parameter: Parameter) -> str:
    """Return label and name of a parameter; a label that ends in brackets ("자치구명(예: 종로구)") is shown without."""
    label = strip_brackets(parameter.label) if parameter.label.endswith((")", "]")) else parameter.label
    return f"{label}({parameter.name})" if label != parameter.name and len(label) <= _LABEL else parameter.name


def brief_of(tool: Tool) -> dict[str, Json]:
    """Return the variables of the prompt `tool_description`: what the document says of a tool."""
    return {
        "language": "ko" if is_korean(tool) else "en",
        "title": tool.title,
        "description": tool.original or tool.description,
        "provider": tool.provider,
        "service": tool.service,
        "parameters": [
            {
                "name": p.name,
                "label": p.label,
                "description": _cut(p.description, 300),
                "required": p.required,
                "values": [f"{v.value}: {v.label}" for v in p.enum[:20]],
            }
            for p in tool.offered
        ],
        "outputs": [{"path": f.path, "label": f.label} for f in tool.outputs[:60] if not f.private],
    }


def problem_of(brief: dict[str, Json], text: str) -> str:
    """Return what is wrong with a description that was written for a brief; "" when nothing is."""
    if len(text) > MAX_LENGTH:
        return f"longer than {MAX_LENGTH} characters"
    if brief["language"] == "ko" and not _HANGUL.search(text):
        return "not Korean"
    known = json.dumps(brief, ensure_ascii=False)
    invented = next((name for name in wire_names(text) if name not in known), None)
    return f"names {invented}, which the document does not know" if invented else ""


def wire_names(text: str) -> Iterable[str]:
    """Return the words of a text that look like names on the wire: "corp_code", "sidoCd", "LAWD_CD"."""
    return (found.group(0) for found in _WIRE_NAME.finditer(text))


def _cut(text: str, length: int) -> str:
    """Return `text`, shortened at a word where it is too long."""
    folded = " ".join(text.split())
    if len(folded) <= length:
        return folded
    return folded[: length - 1].rpartition(" ")[0].rstrip(",. ") + "…"
