"""The state as query parameters, and pages by name."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import evalcore
from evalcore import Preset, UnknownName
from evalcore.analysis.selection import Selection, SelectionError
from pages.ui.store import FolderRun, Run

ROOT = Path(__file__).resolve().parents[2]
OWN = ("run", "file", "item", "preset", "steps", "pin", "pin_steps", "show")
LONGEST = 4000  # A steps list or a filter beyond this many characters stays out of the URL.


def page_files() -> dict[str, str]:
    """Give the pages in the order of the sidebar, name to file."""
    numbered = sorted(path.name for path in (ROOT / "pages").glob("[0-9]*_*.py"))
    return {"Home": "app.py", **{name.removesuffix(".py").partition("_")[2]: f"pages/{name}" for name in numbered}}


def page_file(page: str) -> str:
    """Find the file of a page by its name.

    Raises: UnknownName listing near names.
    """
    files = page_files()
    if page not in files:
        raise UnknownName("page", page, files)
    return files[page]


def target(page: str, query: dict[str, str]) -> str:
    """Give page and query as one text."""
    return f"{page}?{urlencode(query)}"


def is_ours(name: str) -> bool:
    """Tell whether a query parameter belongs to the state."""
    return name in OWN


def to_query(run: Run | FolderRun | None, settings: Preset, pinned: Preset | None, selection: Selection, item: int | None) -> dict[str, str]:
    """Give the query parameters of a state."""
    query = {} if run is None else {"run": run.token}
    if run is not None and run.origin == "upload":
        query["file"] = run.name
    query |= _preset_query(settings, "preset", "steps")
    if pinned is not None:
        query |= _preset_query(pinned, "pin", "pin_steps")
    shown = selection.to_json()
    if selection != Selection() and len(shown) <= LONGEST:
        query["show"] = shown
    if item is not None:
        query["item"] = str(item)
    return query


def settings_of(query: dict[str, str]) -> Preset | None:
    """Read the settings in force; None when there are none or they are not understood."""
    return _preset_of(query, "preset", "steps")


def pinned_of(query: dict[str, str]) -> Preset | None:
    """Read the settings to compare with; None when there are none or they are not understood."""
    return _preset_of(query, "pin", "pin_steps")


def selection_of(query: dict[str, str]) -> Selection | None:
    """Read the filter; None when there is none or it is not understood."""
    try:
        return Selection.from_json(query["show"])
    except (KeyError, SelectionError):
        return None


def _preset_query(preset: Preset, name: str, steps: str) -> dict[str, str]:
    query = {name: preset.name}
    if preset.settings != evalcore.preset(preset.name).settings:
        value: dict[str, Any] = json.loads(preset.to_json())
        written = json.dumps({key: value[key] for key in ("steps", "rules")}, ensure_ascii=False, separators=(",", ":"))
        if len(written) <= LONGEST:
            query[steps] = written
    return query


def _preset_of(query: dict[str, str], name: str, steps: str) -> Preset | None:
    try:
        preset = evalcore.preset(query[name])
        return preset.from_json(query[steps]) if steps in query else preset
    except (KeyError, ValueError, TypeError, UnknownName):
        return None
