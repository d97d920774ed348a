"""Declarations -> typed columns: the small vocabulary in which `edge.datasets.schemas` states every dataset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast, get_args

import polars as pl

from edge.errors import StoreError

Kind = Literal["text", "json", "int", "float", "flag", "texts", "time"]

_POLARS: dict[Kind, pl.DataType] = {
    "text": pl.String(),
    "json": pl.String(),
    "int": pl.Int64(),
    "float": pl.Float64(),
    "flag": pl.Boolean(),
    "texts": pl.List(pl.String()),
    "time": pl.Datetime("us", "UTC"),
}
_SQL: dict[Kind, str] = {
    "text": "VARCHAR",
    "json": "VARCHAR",
    "int": "BIGINT",
    "float": "DOUBLE",
    "flag": "BOOLEAN",
    "texts": "VARCHAR[]",
    "time": "TIMESTAMP WITH TIME ZONE",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `json` is text that holds canonical JSON; `time` is a UTC instant with its zone.

    `measured` columns hold what a clock or the place of publication says. They are kept apart from the parts (in a
    sidecar), so that two runs of one seed give byte-identical parts, and are joined again by the views.
    """

    name: str
    kind: Kind
    nullable: bool = False
    measured: bool = False
    about: str = ""

    @property
    def polars(self) -> pl.DataType:
        """The type in parts."""
        return _POLARS[self.kind]

    @property
    def sql(self) -> str:
        """The type in views."""
        return _SQL[self.kind]


@dataclass(frozen=True, slots=True)
class Schema:
    """The declared shape of one dataset: columns in order, the key that identifies a row, the schema version.

    An empty `key` means that equal rows may repeat. `version` goes up when a column changes its meaning or type.
    """

    dataset: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    version: int = 1
    about: str = ""

    @property
    def stored(self) -> tuple[Column, ...]:
        """The columns of a part."""
        return tuple(c for c in self.columns if not c.measured)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns of a part, in order."""
        return tuple(c.name for c in self.stored)

    @property
    def measured(self) -> tuple[Column, ...]:
        """The measured columns."""
        return tuple(c for c in self.columns if c.measured)

    @property
    def sidecar(self) -> tuple[Column, ...]:
        """The columns of the sidecar: the key, then the measured columns; empty where nothing is measured."""
        if not self.measured:
            return ()
        return tuple(self.column(name) for name in self.key) + self.measured

    def column(self, name: str) -> Column:
        """Return the column of this name.

        Raises:
            StoreError: there is none.
        """
        for column in self.columns:
            if column.name == name:
                return column
        raise StoreError(f"dataset {self.dataset} has no column {name!r}")


def declare(dataset: str, key: str, columns: str, version: int = 1, about: str = "") -> Schema:
    """Return the schema written as lines of `name kind: what it is`; `?` is nullable, `~` nullable and measured.

    Args:
        dataset: the name of the dataset.
        key: names of the key columns, separated by spaces; "" for none.
        columns: one declaration a line; what follows the colon is the comment in the catalog, and may be left out.
        version: the schema version, stored in every row.
        about: what one row is, for the catalog.

    Raises:
        ValueError: an unknown kind, a repeated name, or a key that is not among the stored columns.
    """
    parsed = [_parse(line) for line in columns.strip().splitlines()]
    parsed.append(Column("schema_version", "int", about="version of this dataset's schema"))
    names = [c.name for c in parsed]
    if len(set(names)) != len(names):
        raise ValueError(f"{dataset}: a column is declared twice")
    keys = tuple(key.split())
    if not set(keys) <= {c.name for c in parsed if not c.measured}:
        raise ValueError(f"{dataset}: the key {key!r} is not stored")
    return Schema(dataset, tuple(parsed), keys, version, about)


def _parse(line: str) -> Column:
    declared, _, about = line.partition(":")
    name, kind = declared.split()
    measured, bare = kind.endswith("~"), kind.rstrip("?~")
    if bare not in get_args(Kind):
        raise ValueError(f"{name}: unknown kind {bare!r}")
    return Column(name, cast("Kind", bare), measured or kind.endswith("?"), measured, about.strip())
