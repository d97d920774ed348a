"""Shared fixtures: real documents are read where the shared folder lies beside the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from edge.specs.compile import BUNDLED_SPECS, CompileReport, compile_paths

REAL = Path(__file__).resolve().parents[3] / "shared" / "real"


def real(name: str) -> Path:
    """Return a path below the shared real files, or skip the test."""
    path = REAL / name
    if not path.exists():
        pytest.skip(f"real documents are absent: {path}")
    return path


@pytest.fixture(scope="session")
def portal() -> CompileReport:
    """The Swagger files of the portal."""
    return compile_paths([real("swagger")])


@pytest.fixture(scope="session")
def opendart() -> CompileReport:
    """The OpenAPI document of OpenDART."""
    return compile_paths([real("opendart/openapi.yaml")])


@pytest.fixture(scope="session")
def bundled() -> CompileReport:
    """The platform files of this repository."""
    if not any(BUNDLED_SPECS.glob("*/profile.yaml")):
        pytest.skip("specs/ holds no platform yet")
    return compile_paths([BUNDLED_SPECS])
