"""Compact YAML data files in, plain typed lists and mappings out, for the tables built from real public names."""

from datetime import date
from functools import cache
from pathlib import Path
from typing import cast

import yaml

# The C parser is ten times faster where the wheel has it.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DATA = Path(__file__).parent / "data"


@cache
def read_yaml(name: str) -> dict[str, object]:
    """Top mapping of a data file of this package; the caller must not change it."""
    with (_DATA / name).open(encoding="utf-8") as file:
        return cast("dict[str, object]", yaml.load(file, Loader=_LOADER))  # noqa: S506  # both are safe loaders


def texts(value: object) -> list[str]:
    """A YAML sequence as texts."""
    return [str(item) for item in cast("list[object]", value)]


def mapping(value: object) -> dict[str, object]:
    """A YAML mapping."""
    return cast("dict[str, object]", value)


def mappings(value: object) -> list[dict[str, object]]:
    """A YAML sequence of mappings."""
    return cast("list[dict[str, object]]", value)


def day(value: object) -> date:
    """A value kept as a date; raises TypeError for anything else."""
    if not isinstance(value, date):
        raise TypeError(f"{value!r} is not a date")
    return value


def split(line: str) -> list[str]:
    """Fields of a `a|b|c` line."""
    return line.split("|")


def integer(value: object) -> int:
    """A value kept as int or digits; raises ValueError for other text."""
    return value if isinstance(value, int) else int(str(value))
