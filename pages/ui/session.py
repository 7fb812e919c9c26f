"""What a session holds: its runs and scored folders, and which of them all pages show.

Pages read it through `state.py`.
"""

from typing import Any

import streamlit as st

import evalcore
from evalcore.analysis.selection import Selection
from pages.ui.store import FolderRun, Run

DEFAULT_PRESET = "squad_v1"


def session() -> dict[str, Any]:
    """Give this session's own state."""
    if "whymiss" not in st.session_state:
        st.session_state["whymiss"] = {
            "runs": {},
            "folders": {},
            "one": None,
            "active": None,
            "settings": evalcore.preset(DEFAULT_PRESET),
            "pinned": None,
            "selection": Selection(),
            "item": None,
            "rows": {},
            "written": None,
            "lost": None,
            "refused": "",
        }
    session: dict[str, Any] = st.session_state["whymiss"]
    return session


def runs() -> tuple[Run, ...]:
    """Give the loaded runs, in the order they came."""
    return tuple(session()["runs"].values())


def active_run() -> Run | None:
    """Give the run all pages show, None when nothing is loaded or a scored folder is open; on Inspect, its one item."""
    held = session()
    run: Run | None = held["one"] or held["runs"].get(held["active"])
    return run


def folder_runs() -> tuple[FolderRun, ...]:
    """Give the scored folders that are open."""
    return tuple(session()["folders"].values())


def active_folder() -> FolderRun | None:
    """Give the scored folder all pages show, None when it is no folder."""
    held = session()
    run: FolderRun | None = held["folders"].get(held["active"])
    return run


def active() -> Run | FolderRun | None:
    """Give what all pages show: a run or a scored folder, None when nothing is loaded."""
    return active_folder() or active_run()


def length() -> int:
    """Count the items of what all pages show."""
    folder, run = active_folder(), active_run()
    return len(folder) if folder is not None else len(run.dataset) if run is not None else 0


def refused() -> str:
    """Say why the scored folder of a link was not opened; "" when it was, or none was asked for."""
    said: str = session()["refused"]
    return said


def lost_file() -> str | None:
    """Name the file a link pointed at that is no longer kept; "" when its name is unknown."""
    lost: str | None = session()["lost"]
    return lost
