"""Bodies that real platforms sent, judged with the bundled profiles: nothing raises and no refusal passes for data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from wireserver import tool

from edge.execution.decoding import decode_body
from edge.execution.failures import Verdict, judge
from edge.ids import canonical_json
from edge.specs.model import CodeRule, Envelope

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT.parent / "shared" / "real" / "samples"
BODIES = sorted(path for path in SAMPLES.glob("*") if path.suffix != ".tsv" and "LICENSES" not in path.name)
PLATFORMS = {
    "assembly__": "assembly", "kpubdata__bok": "ecos", "kpubdata__datago": "datagokr", "kpubdata__kosis": "kosis",
    "kpubdata__law": "law", "kpubdata__lofin": "lofin", "kpubdata__seoul": "seoul", "kpubdata__sgis": "sgis",
}  # fmt: skip
REFUSALS = ("error_", "academyinfo", "ekape-cattle", "uiryeong-shelter", "nts-status", "moj-stay-person-counter-http")
EMPTIES = ("success_empty", "empty_response", "tago-bus-arrival.body.xml", "mpm-public-job.body")

pytestmark = pytest.mark.skipif(not BODIES, reason="reference bodies (../shared/real/samples) are not here")


def envelope(name: str) -> Envelope:
    """Read a bundled profile's envelope, without the spec compiler: this tests the gateway alone."""
    platform = next((known for prefix, known in PLATFORMS.items() if name.startswith(prefix)), "datagokr")
    file = ROOT / "specs" / platform / "profile.yaml"
    if not file.is_file():
        return Envelope(records=("result", "features", ""), code=("err", "errCd"), message=("errMsg",), success=("0",))
    raw: dict[str, Any] = yaml.safe_load(file.read_text("utf-8"))["envelope"]
    rules = tuple(CodeRule(**rule) for rule in raw.pop("codes", ()))
    return Envelope(
        codes=rules, **{key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()}
    )


def verdict(path: Path) -> Verdict:
    found = envelope(path.name)
    tested = tool(**{name: getattr(found, name) for name in Envelope.__slots__})
    return judge(tested, 200, decode_body(path.read_bytes(), "application/json"))


@pytest.mark.parametrize("path", BODIES, ids=lambda path: path.name)
def test_a_real_body_has_a_verdict(path: Path) -> None:
    found = verdict(path)
    canonical_json([dict(record) for record in found.records])
    if any(part in path.name for part in REFUSALS):
        assert found.outcome in ("structural", "environmental"), found
    elif any(part in path.name for part in EMPTIES):
        assert found.outcome == "empty", found
    assert (found.outcome == "ok") == bool(found.records)


def test_most_successes_are_read_by_the_bundled_profiles() -> None:
    named = [path for path in BODIES if not any(part in path.name for part in (*REFUSALS, *EMPTIES))]
    wanted = [path for path in named if b'"ERROR-' not in path.read_bytes()]
    read = [path for path in wanted if verdict(path).outcome == "ok"]
    missed = [f"{path.name}: {verdict(path).reason}" for path in wanted if path not in read]
    assert len(read) >= 0.85 * len(wanted), missed
