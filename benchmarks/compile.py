"""Compilation speed: tools a second and peak memory, beside other libraries that load the same files.

Run: python benchmarks/compile.py [--documents ../shared/real/swagger ../shared/real/opendart] [--copies 11]
     pip install openapi-core prance      # for the comparison; what is absent is left out and said

The documents are copied under other names and hosts. Each contender loads the same copies in a process of its own, so
that its memory is its own, one after another in one run:

- edge compile: reads, resolves, types and names every operation; each becomes a tool or is skipped with a reason.
- openapi-core: builds its specification object of every OpenAPI 3 file and walks all operations (no Swagger 2.0).
- prance: resolves all references of every file, without validation (Swagger 2.0 and OpenAPI 3).
- json and yaml: parse the text alone, with the C readers; nobody can be faster.

A contender that cannot read a version of the format loads the files it can; ratios are taken over those same files.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
REAL = ROOT.parent / "shared" / "real"
_HOST = re.compile(r"(?:[a-z0-9-]+\.)+kr\b")
METHODS = ("get", "post", "put", "delete", "patch")


@dataclass(frozen=True)
class Result:
    """What one contender did with the files: operations seen, seconds, peak resident memory, and a remark."""

    operations: int
    seconds: float
    peak_mb: float
    remark: str = ""


def replicate(documents: Sequence[Path], copies: int, folder: Path) -> tuple[list[Path], list[Path]]:
    """Copy documents under other names and hosts; return the Swagger 2.0 and the OpenAPI 3 files."""
    swagger: list[Path] = []
    openapi: list[Path] = []
    sources = [path for root in documents for path in ([root] if root.is_file() else sorted(root.rglob("*")))]
    sources = [path for path in sources if path.suffix in (".json", ".yaml", ".yml")]
    texts = {path: path.read_text(encoding="utf-8") for path in sources}
    for copy in range(copies):
        for path, text in texts.items():
            target = folder / f"{path.stem}_{copy}{path.suffix}"
            target.write_text(_HOST.sub(rf"\g<0>.copy{copy}.example", text), encoding="utf-8")
            (swagger if '"swagger"' in text[:2000] else openapi).append(target)
    return swagger, openapi


def edge(files: Sequence[Path]) -> tuple[int, str]:
    """Compile with this package."""
    from edge.specs.compile import compile_paths

    report = compile_paths(list(files))
    return report.operations, f"{len(report.tools):,} tools, {len(report.skipped)} skipped with reasons"


def openapi_core(files: Sequence[Path]) -> tuple[int, str]:
    """Load with openapi-core, without its validation, and walk every operation."""
    from openapi_core import OpenAPI

    seen, refused = 0, 0
    for file in files:
        try:
            paths = OpenAPI.from_dict(parsed(file), config=_unchecked()).spec / "paths"
            seen += sum(method in METHODS for _, item in paths.items() for method, _ in item.items())
        except Exception:  # a benchmark reports what another library cannot read
            refused += 1
    return seen, f"{refused} files refused" if refused else ""


def _unchecked() -> object:
    from openapi_core import Config

    return Config(spec_validator_cls=None)


def prance(files: Sequence[Path]) -> tuple[int, str]:
    """Resolve every reference with prance, without validation."""
    from prance.util.resolver import RESOLVE_INTERNAL, RefResolver

    seen, refused = 0, 0
    for file in files:
        try:
            resolver = RefResolver(parsed(file), file.as_uri(), resolve_types=RESOLVE_INTERNAL, recursion_limit=1,
                                   recursion_limit_handler=lambda *_: {})  # fmt: skip
            resolver.resolve_references()
            seen += operations(resolver.specs)
        except Exception:
            refused += 1
    return seen, f"{refused} files refused" if refused else ""


def parse_only(files: Sequence[Path]) -> tuple[int, str]:
    """Parse the text and nothing else."""
    return sum(operations(parsed(file)) for file in files), ""


def parsed(file: Path) -> dict[str, Any]:
    """Return the document as plain data, by the fastest reader there is."""
    import yaml

    text = file.read_text(encoding="utf-8")
    return json.loads(text) if file.suffix == ".json" else yaml.load(text, Loader=yaml.CSafeLoader)


def operations(tree: dict[str, Any]) -> int:
    """Count the operations of a document; a path may be a reference to where it is described."""
    items = [at(tree, item["$ref"]) if "$ref" in item else item for item in (tree.get("paths") or {}).values()]
    return sum(method in METHODS for item in items for method in item)


def at(tree: dict[str, Any], reference: str) -> dict[str, Any]:
    """Follow a local reference."""
    for step in reference.removeprefix("#/").split("/"):
        tree = tree[step.replace("~1", "/").replace("~0", "~")]
    return tree


CONTENDERS: dict[str, Callable[[Sequence[Path]], tuple[int, str]]] = {
    "edge compile": edge,
    "openapi-core": openapi_core,
    "prance": prance,
    "parsing alone": parse_only,
}


def _child(name: str, files: Sequence[Path], send: Any) -> None:
    began = time.perf_counter()
    try:
        seen, remark = CONTENDERS[name](files)
    except ImportError as error:
        send.send(f"not installed: {error.name}")
        return
    send.send(Result(seen, time.perf_counter() - began, _rss_mb(), remark))


def _rss_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def measured(name: str, files: Sequence[Path]) -> Result | str:
    """Run one contender in a fresh process; the time includes its imports."""
    context = multiprocessing.get_context("spawn")
    receive, send = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(name, files, send))
    process.start()
    send.close()
    try:
        return receive.recv()
    except EOFError:
        return "died"
    finally:
        process.join()


def main() -> None:
    """Replicate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=Path, nargs="+", default=[REAL / "swagger", REAL / "opendart"])
    parser.add_argument("--copies", type=int, default=11, help="of every document (default: 11, for 2,541 tools)")
    args = parser.parse_args()
    missing = [path for path in args.documents if not path.exists()]
    if missing:
        raise SystemExit(f"{missing[0]} is absent; name documents with --documents PATH ...")
    with tempfile.TemporaryDirectory() as folder:
        swagger, openapi = replicate(args.documents, args.copies, Path(folder))
        size = sum(file.stat().st_size for file in (*swagger, *openapi)) / 2**20
        print(f"{len(swagger)} Swagger 2.0 and {len(openapi)} OpenAPI 3 files, {size:.0f} MB")
        for title, files in (("all files", [*swagger, *openapi]), ("OpenAPI 3 alone", openapi)):
            if files:
                compare(title, files, [n for n in CONTENDERS if n != "openapi-core" or files is openapi])


def compare(title: str, files: Sequence[Path], names: Sequence[str]) -> None:
    """Print one table: every contender over the same files, and how many times longer it takes than `edge compile`."""
    print(f"\n{title}: {len(files)} files")
    print(f"  {'':14} {'operations':>10} {'seconds':>8} {'per second':>10} {'peak MB':>8} {'time, edge = 1':>15}")
    first: Result | None = None
    for name in names:
        result = measured(name, files)
        if isinstance(result, str):
            print(f"  {name:14} {result}")
            continue
        first = first or result
        ratio = result.seconds / first.seconds
        print(
            f"  {name:14} {result.operations:>10,} {result.seconds:>8.2f} {result.operations / result.seconds:>10,.0f}"
            f" {result.peak_mb:>8.0f} {ratio:>15.2f}  {result.remark}"
        )


if __name__ == "__main__":
    main()
