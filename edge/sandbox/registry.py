"""Three registries a declaration refers to by name: envelope styles, Python views and column functions."""

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from edge.sandbox.catalogue import Operation
from edge.sandbox.model import Page, Request, Response, Row
from edge.sandbox.world import World


@dataclass(frozen=True, slots=True)
class Context:
    """What a style knows beside the page: the request, the wanted format, options and the operation if one matched."""

    request: Request
    world: World
    wants_json: bool
    options: Mapping[str, str]
    operation: Operation | None

    def option(self, name: str, default: str = "") -> str:
        """An envelope option of the declaration."""
        return self.options.get(name, default)


Style = Callable[[Page, Context], Response]
View = Callable[[World, Request], Sequence[Row]]
ColumnFunction = Callable[[object, Row], object]

styles: dict[str, Style] = {}
views: dict[str, View] = {}
functions: dict[str, ColumnFunction] = {}


def style(name: str) -> Callable[[Style], Style]:
    """Register an envelope renderer; it renders every outcome kind of its platform."""

    def register(function: Style) -> Style:
        styles[name] = function
        return function

    return register


def view(name: str) -> Callable[[View], View]:
    """Register a builder of rows for what YAML cannot say; it may raise Refusal."""

    def register(function: View) -> View:
        views[name] = function
        return function

    return register


def column(name: str) -> Callable[[ColumnFunction], ColumnFunction]:
    """Register a function of one value (and its row), for fields and for filter parameters."""

    def register(function: ColumnFunction) -> ColumnFunction:
        functions[name] = function
        return function

    return register


@cache
def load_registries() -> None:
    """Import every module that registers something: envelopes*, columns* and all of views/."""
    package = importlib.import_module("edge.sandbox")
    for module in pkgutil.iter_modules(package.__path__):
        if module.name.startswith(("envelopes", "columns")):
            importlib.import_module(f"edge.sandbox.{module.name}")
    folder = importlib.import_module("edge.sandbox.views")
    for module in pkgutil.iter_modules(folder.__path__):
        importlib.import_module(f"edge.sandbox.views.{module.name}")
