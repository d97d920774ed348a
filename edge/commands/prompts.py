"""`edge prompts`: the prompts, their hashes and where they are used; keeps the lock file that guards them."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from edge.commands.options import Subparsers, add_command

PACKAGE = Path(__file__).resolve().parents[1]


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "prompts", "list the prompts with their hashes and where they are used", run)
    parser.add_argument("--lock", action="store_true", help="write prompts.lock after a change that is meant")


def run(args: argparse.Namespace) -> int:
    """Print one line a prompt; 1 where the lock file says otherwise."""
    from edge.llm.prompts import LOCK, prompt_hashes, read_lock, write_lock

    hashes = prompt_hashes()
    if args.lock:
        write_lock(LOCK, hashes)
    locked = read_lock(LOCK)
    for name, value in hashes.items():
        state = "" if locked.get(name) == value else "  CHANGED" if name in locked else "  NOT LOCKED"
        print(f"{name:<18}  {value}  {', '.join(uses_of(name)) or 'nowhere'}{state}")
    for name in sorted(set(locked) - set(hashes)):
        print(f"{name:<18}  {locked[name]}  GONE")
    if locked == hashes:
        return 0
    print("prompts.lock says otherwise; if the change is meant: edge prompts --lock")
    return 1


def uses_of(name: str, package: Path = PACKAGE) -> list[str]:
    """Return where the package loads a prompt, as `edge/stages/keys.py:12`."""
    loads = re.compile(rf'(?:load_prompt\(\s*|PROMPTS / )"{re.escape(name)}"')
    found: list[str] = []
    for path in sorted(package.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for match in loads.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found.append(f"{path.relative_to(package.parent).as_posix()}:{line}")
    return found
