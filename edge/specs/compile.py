"""files and folders -> tools, with every file and operation that gave none and the reason why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import assert_never

from edge.errors import SpecError, UsageError
from edge.specs.building import Notice, Reading, Skip, identity_of, renamed
from edge.specs.bundling import Fetch, bundled
from edge.specs.catalogue import read_catalogue
from edge.specs.descriptions import completed
from edge.specs.documents import SUFFIXES, Document, UnknownKind, load_document, read_document
from edge.specs.mcp import read_mcp
from edge.specs.model import Tool
from edge.specs.names import assign_names
from edge.specs.openapi3 import read_openapi3
from edge.specs.plain import Plain
from edge.specs.platform_files import read_services
from edge.specs.profiles import PROFILE_FILE, Facts, ProfileBook
from edge.specs.swagger2 import read_swagger2
from edge.specs.urls import UNKNOWN_HOST, host_of

BUNDLED_SPECS = Path(__file__).resolve().parents[2] / "specs"


@dataclass(frozen=True, slots=True)
class CompileReport:
    """The tools, sorted by `tool_id`, and an account of everything else. `files` are the documents read, relative."""

    tools: tuple[Tool, ...]
    skipped: tuple[Skip, ...]
    files: tuple[str, ...]
    notices: tuple[Notice, ...]

    @property
    def operations(self) -> int:
        """How many operations the documents hold: each is a tool or skipped."""
        return len(self.tools) + sum(bool(skip.operation) for skip in self.skipped)

    def tool(self, tool_id: str) -> Tool | None:
        """Return the tool of this name."""
        return next((tool for tool in self.tools if tool.tool_id == tool_id), None)


@dataclass(slots=True)
class _Run:
    """What is gathered while files are read."""

    book: ProfileBook
    reading: Reading = field(default_factory=Reading)
    files: list[str] = field(default_factory=list[str])
    foreign: set[str] = field(default_factory=set[str])
    folders: dict[Path, Facts | None] = field(default_factory=dict[Path, "Facts | None"])
    fetch: Fetch | None = None
    parts: set[Path] = field(default_factory=set[Path])  # files that other documents refer to


def compile_paths(
    paths: Sequence[Path],
    profiles_root: Path | None = None,
    documents: Mapping[str, bytes] | None = None,
    fetch: Fetch | None = None,
) -> CompileReport:
    """Compile files and folders of provider documents.

    Args:
        paths: Files, or folders that are walked in sorted order.
        profiles_root: The folder whose `<platform>/profile.yaml` describe the gateways; the bundled one by default.
        documents: Documents that lie in no file, by the names they are reported under ("mcp:weather.json") or their
            URLs, which their references are relative to.
        fetch: How references to other hosts are had; None refuses them.

    Returns:
        The tools under unique names, and every file or operation that gave none, with the reason.

    Raises:
        UsageError: a path does not exist, or none was given.
    """
    if not paths and not documents:
        raise UsageError("no spec files given; name files or folders, for example specs/")
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path} does not exist; name a spec file or a folder of them")
    run = _Run(ProfileBook.read(profiles_root or BUNDLED_SPECS), fetch=fetch)
    found = _documents(paths, profiles_root or BUNDLED_SPECS)
    for path in (path for path in paths if path.is_dir()):
        _account_for(run, path)
    for file, (relative, inside) in found:
        run.files.append(relative)
        _compile(run, relative, lambda file=file, inside=inside: _loaded(run, file, inside))
    for name, data in (documents or {}).items():
        run.files.append(name)
        load = partial(read_document, Path(name), data)
        _compile(run, name, lambda name=name, load=load: (_whole(run, _located(load(), name), name, None), None))
    _forgive_parts(run, {relative for file, (relative, _) in found if file in run.parts})
    tools, skipped = _distinct(run.reading.tools, frozenset(run.foreign))
    names = assign_names(map(identity_of, tools))
    foreign = (completed(tool) if tool.spec_file in run.foreign else tool for tool in tools)
    named = sorted((renamed(tool, names[identity_of(tool)]) for tool in foreign), key=lambda tool: tool.tool_id)
    return CompileReport(
        tools=tuple(named),
        skipped=(*run.reading.skipped, *skipped),
        files=tuple(run.files),
        notices=tuple(dict.fromkeys(run.reading.notices)),
    )


def _loaded(run: _Run, file: Path, inside: Path) -> tuple[Document, Facts | None]:
    return _whole(run, load_document(file), file.as_uri(), inside), _folder_facts(run, file.parent)


def _located(document: Document, address: str) -> Document:
    """Return a document that was fetched with what its address says where it leaves that out: it serves the API."""
    scheme, mark, rest = address.partition("://")
    if not mark:
        return document
    tree = document.tree
    if document.kind == "openapi3":
        return replace(document, tree={"$self": address, **tree})
    if document.kind == "swagger2" and not tree.get("host"):
        host: dict[str, Plain] = {"host": rest.partition("/")[0]}
        return replace(document, tree={**tree, **host, "schemes": tree.get("schemes") or [scheme]})
    return document


def _whole(run: _Run, document: Document, base: str, inside: Path | None) -> Document:
    """Return a document together with what it refers to."""
    if document.kind not in ("swagger2", "openapi3"):
        return document
    bundle = bundled(document, base, inside, run.fetch)
    run.parts |= bundle.files
    return bundle.document


def _forgive_parts(run: _Run, parts: set[str]) -> None:
    """Turn the skips of files that are no documents but parts of one into notices."""
    forgiven = [s for s in run.reading.skipped if s.reason == "unknown_document" and s.file in parts]
    names = {skip.file for skip in forgiven}
    run.reading.skipped = [skip for skip in run.reading.skipped if skip.file not in names]
    detail = "compiled with the document that refers to it"
    run.reading.notices.extend(Notice(skip.file, "", "referenced_part", detail) for skip in forgiven)


def _documents(paths: Sequence[Path], root: Path) -> list[tuple[Path, tuple[str, Path]]]:
    """Return the files to read, each with its name and the folder that its references may lead to.

    Names are relative to the specs root or to the parent of the path given.

    Platform files come first, whatever the order of `paths`: where a document describes the same operation, the
    richer description is kept.
    """
    found: dict[Path, tuple[str, Path]] = {}
    for path in paths:
        base = path.resolve()
        inside = base.is_relative_to(root.resolve())
        parent = root.resolve() if inside else base if base.is_dir() else base.parent
        for file in _walk(base):
            found.setdefault(file, (file.relative_to(parent).as_posix(), base if base.is_dir() else base.parent))
    return sorted(found.items(), key=lambda item: (not (item[0].parent / PROFILE_FILE).exists(), item[1][0], item[0]))


def _walk(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    files = (file for file in path.rglob("*") if file.is_file() and file.suffix.lower() in SUFFIXES)
    return sorted(file for file in files if not any(part.startswith(".") for part in file.relative_to(path).parts))


def _account_for(run: _Run, folder: Path) -> None:
    """Say what a folder holds beside documents, and that it holds none."""
    others = Counter(
        file.suffix.lower() or file.name
        for file in folder.rglob("*")
        if file.is_file() and file.suffix.lower() not in SUFFIXES and not file.name.startswith(".")
    )
    if others:
        kinds = ", ".join(f"{number} {suffix}" for suffix, number in others.most_common(5))
        detail = f"{others.total()} files are no documents: {kinds}"
        run.reading.notices.append(Notice(folder.name, "", "left_out", detail))
    if not _walk(folder):
        detail = "the folder holds no .json, .yaml or .yml file"
        run.reading.skipped.append(Skip(folder.name, "", "no_documents", detail))


def _compile(run: _Run, relative: str, load: Callable[[], tuple[Document, Facts | None]]) -> None:
    try:
        document, facts = load()
        reading = _read(run, document, facts, relative)
    except UnknownKind as unknown:
        run.reading.skipped.append(Skip(relative, "", "unknown_document", str(unknown)))
    except SpecError as error:
        run.reading.skipped.append(Skip(relative, "", "invalid_file", str(error)))
    else:
        run.reading.tools.extend(reading.tools)
        run.reading.skipped.extend(reading.skipped)
        run.reading.notices.extend(reading.notices)


def _folder_facts(run: _Run, folder: Path) -> Facts | None:
    """Return the profile lying beside a document, read once a folder."""
    profile = folder / PROFILE_FILE
    if folder not in run.folders:
        run.folders[folder] = None
        if profile.exists():
            try:
                run.folders[folder] = run.book.add_folder(folder)
            except SpecError as error:
                raise SpecError(f"{PROFILE_FILE}: {error}") from None
    return run.folders[folder]


def _read(run: _Run, document: Document, facts: Facts | None, relative: str) -> Reading:
    match document.kind:
        case "profile":
            return Reading()
        case "services":
            if facts is None:
                raise SpecError(f"no usable {PROFILE_FILE} beside it; a service file needs its platform's profile")
            return read_services(document, facts, relative)
        case "swagger2":
            run.foreign.add(relative)
            return read_swagger2(document, run.book, relative, facts)
        case "openapi3":
            run.foreign.add(relative)
            return read_openapi3(document, run.book, relative, facts)
        case "catalogue":
            run.foreign.add(relative)
            return read_catalogue(document, run.book, relative, facts)
        case "mcp":
            run.foreign.add(relative)
            return read_mcp(document, relative)
    assert_never(document.kind)


def _distinct(tools: Sequence[Tool], foreign: frozenset[str]) -> tuple[list[Tool], list[Skip]]:
    """Return the tools without repetitions, the first of each kept, and a skip naming both places for the others.

    In service files an operation is its key: one URL may serve many, told apart by a fixed switch. In a provider's
    document (`foreign` files) it is its call, or a key that a service file has for the same host.
    """
    by_key: dict[tuple[str, str], Tool] = {}
    on_host: dict[tuple[str, str], Tool] = {}
    by_call: dict[str, Tool] = {}
    kept: list[Tool] = []
    skipped: list[Skip] = []
    for tool in tools:
        call = f"{tool.method} {tool.url.partition('://')[2]}"
        place = (host_of(tool.url), tool.operation_key)
        if tool.spec_file not in foreign:
            first = by_key.setdefault((tool.platform, tool.operation_key), tool)
            on_host.setdefault(place, tool)
        elif place[0] == UNKNOWN_HOST:
            first = tool
        else:
            first = by_call.get(call) or on_host.get(place, tool)
        by_call.setdefault(call, tool)
        if first is tool:
            kept.append(tool)
            continue
        detail = f"{tool.method} {tool.url}: in {first.spec_file} ({first.operation_key}) and again in {tool.spec_file}"
        skipped.append(Skip(tool.spec_file, tool.operation_key, "duplicate_operation", detail))
    return kept, skipped
