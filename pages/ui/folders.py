"""Scored folders on the server's machine: which may be opened, and what is open."""

import os
import sys
from collections.abc import Iterator
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

import streamlit as st

from evalcore.analysis.selection import EM_0, Selection
from evalcore.data import DataError
from evalcore.engines.browse import Browser
from evalcore.engines.scored_folder import ScoredFolder
from evalcore.engines.statistics import Statistics
from pages.ui.filters import PAGE_ROWS
from pages.ui.store import FOLDER_TOKEN, FolderRun, Shelf

VARIABLE = "WHYMISS_FOLDERS"
OPTION = "--folder"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
MOST_FOLDERS = 16
MOST_BYTES = 1 << 28
LANE_BYTES, REASON_BYTES = 1000, 70  # What statistics take for every F1 of a lane, measures and groups included, and of a reason.
LISTED = 50
HOW = f"start the app with `streamlit run app.py -- {OPTION} OUT`, or name the folders that may be opened in {VARIABLE}"


@st.cache_resource(show_spinner=False)
def _opened() -> Shelf[FolderRun]:
    """The folders that are open, for all sessions."""
    return Shelf(MOST_FOLDERS, MOST_BYTES)


def given() -> tuple[Path, ...]:
    """Give the folders named when the app was started: each may be opened, with all below it."""
    arguments = sys.argv[1:]
    named = [value for option, value in pairwise(arguments) if option == OPTION]
    named += [argument.removeprefix(f"{OPTION}=") for argument in arguments if argument.startswith(f"{OPTION}=")]
    named += [part for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part]
    return tuple(Path(name).expanduser().resolve() for name in named)


def any_allowed() -> bool:
    """Tell whether every folder may be opened: only this machine can reach the app, and nothing narrower was said."""
    return VARIABLE not in os.environ and st.get_option("server.address") in LOOPBACK


def is_offered() -> bool:
    """Tell whether some folder may be opened."""
    return any_allowed() or bool(given())


def listed() -> list[Path]:
    """List scored folders among those named at the start and right below them, the first fifty."""
    return list(dict.fromkeys(path for path, _ in zip(_scored_below(), range(LISTED), strict=False)))


def _scored_below() -> Iterator[Path]:
    for root in given():
        yield from (file.parent for pattern in ("manifest.json", "*/manifest.json") for file in sorted(root.glob(pattern)))


def opened(path: str) -> FolderRun:
    """Open a folder, or give it when it is open and has not changed.

    Raises: DataError when it may not be opened, or cannot be.
    """
    asked = Path(path.strip()).expanduser()
    asked = (asked if asked.is_absolute() else Path.cwd() / asked).resolve()
    if not any_allowed() and not any(asked.is_relative_to(root) for root in given()):
        raise DataError(f"{path!r:.300} is not among the folders this server may open; {HOW}")
    try:
        stamp = (asked / "manifest.json").stat().st_mtime_ns, (asked / "summary.json").stat().st_mtime_ns
    except OSError:
        stamp = (0, 0)
    key = blake2b(repr((str(asked), stamp)).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    run = _opened().get(key)
    if run is None:
        folder = ScoredFolder.open(asked)
        run = FolderRun(key, f"{FOLDER_TOKEN}{asked}", "/".join(asked.parts[-2:]), folder, Browser(folder))
        run.browser.warm(Selection(buckets=EM_0), PAGE_ROWS)
        _opened().put(key, run, sum(_weight(part.statistics) for part in folder.parts))
    return run


def _weight(statistics: Statistics) -> int:
    """Give about how many bytes of memory the statistics of a file take."""
    lanes, reasons = (sum(map(len, split.values())) for split in (statistics.lanes, statistics.by_reason))
    return LANE_BYTES * lanes + REASON_BYTES * reasons
