"""A URL of an object store <-> a folder that mirrors it: work is done here, whole versions are kept there."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from edge.datasets.files import discard, read_bytes, write_atomic
from edge.datasets.manifests import MANIFEST, Manifest
from edge.datasets.mirrors import MARKER
from edge.errors import EdgeError, StoreError, UsageError
from edge.ids import canonical_json, digest_bytes


def sync(root: Path, *folders: str) -> Path:
    """Bring a mirror up to date with its place, and return it; a folder that mirrors nothing stays as it is.

    `folders` are brought too, such as "recordings": what is no version is left there until it is asked for.
    """
    remote = Remote.of(root)
    if remote is not None:
        remote.pull(root)
        for folder in folders:
            remote.pull_files(root, folder)
    return root


@dataclass(slots=True)
class Remote:
    """The place that a mirror stands for. `known` holds the versions that were seen there, as "dataset/version=V"."""

    url: str
    known: set[str] = field(default_factory=set[str])

    @classmethod
    def of(cls, root: Path) -> Remote | None:
        """Return what a folder mirrors; None for a folder that is itself the place."""
        if not (root / MARKER).exists():
            return None
        try:
            saved = json.loads(read_bytes(root / MARKER))
            return cls(str(saved["url"]), {str(name) for name in saved["known"]})
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{root / MARKER} is spoilt; remove {root}, it is only a copy") from error

    def save(self, root: Path) -> None:
        """Write the marker into the mirror."""
        write_atomic(root / MARKER, canonical_json({"url": self.url, "known": sorted(self.known)}).encode())

    def pull(self, root: Path) -> None:
        """Bring every version that is there and not here; let go what was there and is gone.

        A version is visible there once its manifest is, and here once all its files are: manifests come last.

        Raises:
            StoreError: the store cannot be reached, or a file there is not what its manifest says.
            UsageError: the URL needs a package that is not installed.
        """
        with self._open() as (files, base):
            there = _versions(files, base)
            for name in sorted(there):
                if not (root / name / MANIFEST).exists():
                    _fetch(files, f"{base}/{name}", root / name)
        for name in self.known - there:
            discard(root / name / MANIFEST)
        self.known = there
        self.save(root)

    def push_version(self, root: Path, name: str) -> None:
        """Copy a version ("dataset/version=V") there, its manifest last.

        Raises:
            StoreError: the store cannot be reached or written.
            UsageError: the URL needs a package that is not installed.
        """
        listed = [part.path for part in Manifest.load(root / name).files]
        self.push_files(root, [root / name / file for file in (*listed, MANIFEST)])
        self.known.add(name)
        self.save(root)

    def push_files(self, root: Path, paths: Iterable[Path]) -> None:
        """Copy files of the mirror there, under their relative paths and in order; raises as `push_version` does."""
        with self._open() as (files, base):
            for path in paths:
                files.pipe_file(f"{base}/{path.relative_to(root).as_posix()}", read_bytes(path))

    def pull_files(self, root: Path, folder: str) -> None:
        """Bring the files of a folder that are there and not here; raises as `pull` does."""
        with self._open() as (files, base):
            for path in files.find(f"{base}/{folder}") if files.exists(f"{base}/{folder}") else ():
                inside = str(path).removeprefix(f"{base}/")
                target = root / inside
                if ".." not in Path(inside).parts and not target.exists():
                    write_atomic(target, files.cat_file(path))

    def remove(self, root: Path, paths: Iterable[Path]) -> None:
        """Remove files and folders there, manifests first; raises as `push_version` does."""
        with self._open() as (files, base):
            for path in paths:
                target = f"{base}/{path.relative_to(root).as_posix()}"
                for found in (f"{target}/{MANIFEST}", target):
                    if files.exists(found):
                        files.rm(found, recursive=True)
            self.known = _versions(files, base)
        self.save(root)

    @contextmanager
    def _open(self) -> Generator[tuple[Any, str]]:
        """Give the file system and the path of the place in it; what drivers raise becomes one line."""
        fsspec: Any = import_module("fsspec")  # it has no types
        local: Any = import_module("fsspec.implementations.local")
        try:
            files, base = fsspec.url_to_fs(self.url)
            files.invalidate_cache()
            if isinstance(files, local.LocalFileSystem):
                files.auto_mkdir = True  # object stores have no folders, and a bucket is not ours to make
            yield files, str(base).rstrip("/")
        except EdgeError:
            raise
        except ImportError as error:
            raise UsageError(f"{self.url}: {error}; for s3: pip install 'edge-synthesis[s3]'") from None
        except Exception as error:  # drivers raise OSError, ValueError and errors of their own libraries
            text = str(error).splitlines()
            raise StoreError(f"{self.url}: {text[0] if text else type(error).__name__}") from error


def _versions(files: Any, base: str) -> set[str]:
    listed = [str(path) for path in files.glob(f"{base}/*/version=*/{MANIFEST}")]
    return {"/".join(path.split("/")[-3:-1]) for path in listed}


def _fetch(files: Any, source: str, folder: Path) -> None:
    manifest = Manifest.parse(files.cat_file(f"{source}/{MANIFEST}"), f"{source}/{MANIFEST}")
    for part in manifest.files:
        data = files.cat_file(f"{source}/{part.path}")
        if digest_bytes(data) != part.sha256:
            raise StoreError(f"{source}/{part.path}: content differs from the manifest")
        write_atomic(folder / part.path, data)
    manifest.save(folder)
