"""The files of a folder, a pattern or an address: where they are, and what is in them."""

import glob
import hashlib
import os
import posixpath
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalcore.data import DataError, Loaded, Mapping, load, only_system

SUFFIXES = (".parquet", ".jsonl", ".ndjson", ".jsonl.gz", ".jsonl.zst", ".ndjson.gz", ".ndjson.zst")
MAGIC = "*?["
OWN = ("items", "search", "statistics", "split", "manifest.json", "summary.json")  # What stands in a scored folder.


@dataclass(frozen=True)
class File:
    """One file: its name below the folder, its path, and the fsspec file system it is on (None: this machine's disks)."""

    name: str
    path: str
    system: Any = None

    @property
    def filename(self) -> str:
        """The last part of the path, whose ending tells the format."""
        return posixpath.basename(self.path) if self.system is not None else os.path.basename(self.path)

    def read(self) -> bytes:
        """Give the content.

        Raises: OSError, and what the file system's own package raises.
        """
        content: bytes = Path(self.path).read_bytes() if self.system is None else self.system.cat_file(self.path)
        return content

    def is_of(self, out: Path) -> bool:
        """Tell whether it is one of the files of a scored folder on this machine."""
        path, folder = Path(self.path).resolve(), out.resolve()
        here = self.system is None or "file" in self.system.protocol
        return here and path.is_relative_to(folder) and path.relative_to(folder).parts[0] in OWN

    def opened(self) -> tuple[str, Callable[[Mapping], Loaded]]:
        """Give the hash of the content, and what reads it."""
        content = self.read()
        return hashlib.sha256(content).hexdigest(), lambda mapping: only_system(load(content, self.filename, mapping=mapping))


def files_of(source: str, out: Path | None = None) -> list[File]:
    """Find the files of a folder, of a pattern such as `runs/*.parquet`, or of an fsspec address such as `s3://bucket/runs`.

    `out` is a folder of scores: what was scored into it is no file to score, where it stands in the source.
    Raises: DataError when there are none, or the address cannot be reached.
    """
    found = [file for file in (_at_address(source) if "://" in source else _on_disk(source)) if out is None or not file.is_of(out)]
    if not found:
        raise DataError(
            f"there are no files to score at {source!r:.200}; give a folder with {', '.join(SUFFIXES[:3])} files, or a pattern such as 'runs/*.parquet'"
        )
    return found


def passed_over(source: str, out: Path) -> tuple[str, ...]:
    """Name the files of a folder on this machine that are no files to score by their ending, those of `out` and hidden ones left out.

    Empty: for a pattern and for an address, which say themselves what is meant.
    """
    if "://" in source or not os.path.isdir(source):
        return ()
    found = [path for path in sorted(Path(source).rglob("*")) if path.is_file() and not _is_wanted(path.name) and not path.name.startswith((".", "_"))]
    return tuple(path.relative_to(source).as_posix() for path in found if not File(path.name, str(path)).is_of(out))


def _on_disk(source: str) -> list[File]:
    if os.path.isdir(source):
        found = [path for path in sorted(Path(source).rglob("*")) if path.is_file() and _is_wanted(path.name)]
        return [File(path.relative_to(source).as_posix(), os.path.abspath(path)) for path in found]
    found = [Path(name) for name in sorted(glob.glob(source, recursive=True)) if os.path.isfile(name)]
    root = os.path.commonpath([path.parent for path in found]) if found else ""
    return [File(path.relative_to(root).as_posix(), os.path.abspath(path)) for path in found]


def _at_address(address: str) -> list[File]:
    """Find the files at an address; packages of file systems raise errors of their own kinds, all of which mean that it cannot be read."""
    import fsspec

    try:
        system, root = fsspec.core.url_to_fs(address)
        if any(letter in root for letter in MAGIC):
            paths = [path for path in system.glob(root) if system.isfile(path)]
            root = posixpath.commonpath([posixpath.dirname(path) for path in paths]) if paths else ""
        elif system.isdir(root):
            paths = [path for path in system.find(root) if _is_wanted(posixpath.basename(path))]
        else:
            paths, root = ([root], posixpath.dirname(root)) if system.isfile(root) else ([], "")
    except Exception as error:
        raise DataError(
            f"{address!r:.200} cannot be read ({type(error).__name__}: {error}); check the address, and that the package it needs is installed"
        ) from None
    return [File(posixpath.relpath(path, root or "."), path, system) for path in sorted(paths)]


def _is_wanted(name: str) -> bool:
    return name.lower().endswith(SUFFIXES) and not name.startswith(".")
