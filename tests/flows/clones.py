"""What is here as a git repository of its own, and a worker elsewhere whose runs clone it (docs/cluster.md)."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import yaml
from deployed import ROOT, Site

OWN = "0.1.0+of.the.clone"  # the version there: what ran can be told from what is installed
POOL = "clones"
DEPLOYMENT = "compile-specs/cloned"


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder and return what it says."""
    done = subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments],
        cwd=folder, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout


def repository(folder: Path) -> Path:
    """Commit what is here, with a version of its own, and return the bare repository; its copy lies beside it."""
    copy = folder / "edge"
    for name in ("edge", "flows", "tasks", "specs", "prompts"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "prefect.yaml", "prompts.lock"):
        shutil.copy(ROOT / name, copy / name)
    own = copy / "edge" / "__init__.py"
    own.write_text(own.read_text(encoding="utf-8").replace('"0.1.0"', f'"{OWN}"'), encoding="utf-8")
    git(copy, "init", "--quiet", "--initial-branch", "main")
    git(copy, "add", "--all")
    git(copy, "commit", "--quiet", "--message", "all")
    git(folder, "clone", "--quiet", "--bare", str(copy), "edge.git")
    return folder / "edge.git"


def deploy(site: Site, bare: Path) -> None:
    """Deploy compile-specs once more, for runs that clone; it has a slot of its own."""
    copy = bare.parent / "edge"
    asked = yaml.safe_load((copy / "prefect.yaml").read_text(encoding="utf-8"))
    (one,) = [d for d in asked["deployments"] if d["name"] == "compile-specs"]
    flow, _, name = DEPLOYMENT.partition("/")
    assert flow == one["name"]
    asked["deployments"] = [{**one, "name": name, "work_pool": {**one["work_pool"], "name": POOL}}]
    asked["pull"] = [
        {"prefect.deployments.steps.git_clone": {"repository": f"file://{bare}", "branch": "main"}},
    ]
    (copy / "prefect.yaml").write_text(yaml.safe_dump(asked), encoding="utf-8")
    site.prefect("work-pool", "create", POOL, "--type", "process", "--overwrite")
    site.prefect("deploy", "--all", folder=copy)


def killed(process: subprocess.Popen[bytes]) -> None:
    """kill -9 a worker and all that it has started."""
    for pid in _family(process.pid):
        os.kill(pid, signal.SIGKILL)
    process.wait()


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return [pid, *(one for child in children for one in _family(int(child)))]
