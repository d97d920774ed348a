"""What people count, ask for and say at all: nouns, labels and values that only a machine would use are left out.

Nouns and labels are in the language of the platforms, whatever language a request is written in.
"""

from __future__ import annotations

import re

from edge.llm.offline.packs import DEFAULT, pack_of
from edge.specs.model import OutputField, Tool

_MACHINE = re.compile(
    r"[\^|<>{}]"  # separators inside one value
    r"|\[[^\[\]]*/\d{2,}\]|/0\d{2,}$"  # [name/0001], name/0001
    r"|^\[\d|^\d+\^"
    r"|(?<![A-Za-z])[A-Z]\d{2}[A-Z]{1,3}\d{4,}"  # R26BK01234567
    r"|^[A-Z0-9]+_[A-Z0-9_]+$"
    r"|^(?i:null|nan|none|n/a|undefined|true|false|[yn])$"
)


def machine_like(value: str) -> bool:
    """Whether a value is written for programs, so that nobody says it: codes in brackets, joined parts, constants."""
    return bool(_MACHINE.search(value.strip()))


def countable(tool: Tool) -> bool:
    """Whether "how many" can be asked of a tool's records: things, not figures about things."""
    return pack_of(DEFAULT).countable(tool.noun or tool.title)


def askworthy(field: OutputField) -> bool:
    """Whether a person would ask for a field: not for remarks, parts of numbers or when a row was entered."""
    return pack_of(DEFAULT).askworthy(field.label)
