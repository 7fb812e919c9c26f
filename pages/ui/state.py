"""What the user is looking at: runs, settings, filter, item.

Every page reads and changes the state through this module only. The state
lives in the session; run, settings, filter and item also stand in the URL,
so a link reopens the same view (`links.py` writes and reads it).

Call the setters from a widget's callback, or end with `go`, `follow` or
`st.rerun()`: what was drawn before a change still shows the state before it.

`rows` raises SelectionError for a filter that cannot be applied; show it
with `frame.problem`.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any, NoReturn, TypeVar
from urllib.parse import parse_qsl

import numpy as np
import numpy.typing as npt
import streamlit as st

import evalcore
from evalcore import Preset, Scores, Summary
from evalcore.analysis import aggregates
from evalcore.analysis.selection import Selection, apply
from evalcore.data import DataError
from evalcore.data.read import Loaded, sample
from evalcore.scoring.statistics import Interval
from pages.ui import links
from pages.ui.session import DEFAULT_PRESET as DEFAULT_PRESET
from pages.ui.session import active, active_folder, active_run, folder_runs, length, runs, session
from pages.ui.session import lost_file as lost_file
from pages.ui.session import refused as refused
from pages.ui.store import FOLDER_TOKEN, FolderRun, Run, Scored, content_key, kept_runs, kept_scores, nbytes, new_token, once, scores_nbytes
from pages.ui.widgets import keep as keep
from pages.ui.widgets import kept as kept
from pages.ui.widgets import seed as seed

Rows = npt.NDArray[np.int64]
Found = TypeVar("Found")

SAMPLE_TOKEN = "sample"
ITEMS_WITH_PROGRESS = 50_000
ROWS_KEPT = 8


# Runs


def add_runs(loaded: Loaded, origin: str = "upload") -> tuple[Run, ...]:
    """Load one run a system and activate the first of them.

    A run that is already there (equal content) is kept as it is.
    """
    held = session()
    added = []
    for dataset, report, logged in zip(loaded.datasets, loaded.reports, loaded.logged, strict=True):
        key = content_key(dataset)
        token = f"{SAMPLE_TOKEN}-{dataset.system}" if origin == "sample" else new_token()
        name = dataset.name or dataset.system or "answers"
        run = held["runs"].get(key) or Run(key, token, name, dataset.system, dataset, report, origin, loaded.warnings, logged)
        held["runs"][key] = run
        if origin != "sample":
            kept_runs().put(run.token, run, nbytes(dataset))
        added.append(run)
    if added:
        held["selection"], held["item"] = _everything(), None
        choose_run(added[0].key)
    return tuple(added)


def add_run(run: Run, preset: Preset) -> None:
    """Load a run that was made of items read already, and score it with a preset."""
    held, key = session(), content_key(run.dataset)
    kept = held["runs"].setdefault(key, replace(run, key=key))
    kept_runs().put(kept.token, kept, nbytes(kept.dataset))
    held["selection"], held["item"] = _everything(), None
    choose_run(key)
    choose_preset(preset)


def load_sample() -> tuple[Run, ...]:
    """Load the built-in sample: one run a system."""
    return add_runs(sample(), "sample")


def remove_run(key: str) -> None:
    """Forget a run in this session; the next one becomes active."""
    held = session()
    held["runs"].pop(key, None)
    held["folders"].pop(key, None)
    if held["active"] == key:
        held["active"] = next(iter((*held["runs"], *held["folders"])), None)
        held["item"] = None
    _write_url()


def add_folder(path: str) -> FolderRun:
    """Open a scored folder and activate it.

    Raises: DataError when it may not be opened, or cannot be.
    """
    from pages.ui import folders  # The engines load on use.

    held, run = session(), folders.opened(path)
    held["folders"][run.key] = run
    held["selection"], held["item"] = _everything(), None
    choose_run(run.key)
    return run


def choose_run(key: str) -> None:
    """Make a loaded run the active one; filter and item stay where they fit."""
    held = session()
    held["active"] = key
    held["lost"], held["refused"] = None, ""
    if held["item"] is not None and held["item"] >= length():
        held["item"] = None
    if held["selection"].rows is not None:
        held["selection"] = _everything()
    _write_url()


# Settings


def settings() -> Preset:
    """Give the settings in force; those of a scored folder are the ones it was scored with."""
    folder = active_folder()
    chosen: Preset = session()["settings"] if folder is None else folder.folder.preset
    return chosen


def set_settings(preset: Preset) -> None:
    """Score with other settings from now on."""
    session()["settings"] = preset
    _write_url()


def choose_preset(preset: Preset) -> None:
    """Start from a preset: score with it, and compare with it."""
    session()["pinned"] = None
    set_settings(preset)


def pinned() -> Preset:
    """Give the settings to compare with: the pinned ones, else the unchanged preset."""
    held = session()
    if active_folder() is not None:
        return settings()
    if held["pinned"] is not None:
        chosen: Preset = held["pinned"]
        return chosen
    active = settings()
    return evalcore.preset(active.name).with_rules(missing=active.missing)


def pin(preset: Preset | None) -> None:
    """Compare with these settings; None compares with the unchanged preset again."""
    session()["pinned"] = preset
    _write_url()


# Numbers


def _scored(run: Run | None, preset: Preset | None) -> Scored:
    run, preset = run or active_run(), preset or settings()
    if run is None:
        raise LookupError("no run is loaded; call frame() first, it ends a page without one")
    key = (run.key, preset.name, preset.settings)
    found = kept_scores().get(key)
    if found is None:
        scores = _score(run, preset)
        found = Scored(scores, scores.summary())
        kept_scores().put(key, found, scores_nbytes(scores))
    return found


def _score(run: Run, preset: Preset) -> Scores:
    if len(run.dataset) <= ITEMS_WITH_PROGRESS:
        return evalcore.score(run.dataset, preset=preset)
    place = st.empty()
    bar = place.progress(0.0)

    def show(done: int, items: int) -> None:
        bar.progress(done / max(1, items), text=f"Scoring, {done:,} of {items:,} items")

    try:
        return evalcore.score(run.dataset, preset=preset, progress=show)
    finally:
        place.empty()


def scores(run: Run | None = None, preset: Preset | None = None) -> Scores:
    """Give the scores of a run under settings; by default of what is in force."""
    return _scored(run, preset).scores


def summary(run: Run | None = None, preset: Preset | None = None) -> Summary:
    """Give the aggregates of a run under settings; by default of what is in force."""
    return _scored(run, preset).summary


def intervals(run: Run | None = None, preset: Preset | None = None) -> Mapping[str, Interval]:
    """Give the intervals of a run's measures under settings; by default of what is in force."""
    return found("intervals", aggregates.intervals, run=run, preset=preset)


def found(name: Hashable, make: Callable[[Scores], Found], size: int = 1_000, run: Run | None = None, preset: Preset | None = None) -> Found:
    """Give what `make` finds in the scores of a run under settings, found once; `size` is about its bytes."""
    run, preset = run or active_run(), preset or settings()
    return once((name, run and run.key, preset.name, preset.settings), lambda: make(scores(run, preset)), size)


def is_scored(run: Run) -> bool:
    """Tell whether the scores of a run under the settings in force are at hand or quick to make."""
    preset = settings()
    return len(run.dataset) <= ITEMS_WITH_PROGRESS or kept_scores().get((run.key, preset.name, preset.settings)) is not None


# Filter and item


def selection() -> Selection:
    """Give the filter in force."""
    chosen: Selection = session()["selection"]
    return chosen


def set_selection(chosen: Selection) -> None:
    """Show other items; the open item stays open."""
    session()["selection"] = chosen
    _write_url()


def clear_selection() -> None:
    """Show all items again; threshold and order stay."""
    set_selection(_everything())


def _everything() -> Selection:
    return Selection(near=selection().near, order=selection().order)


def rows() -> Rows:
    """Give the indexes of the items shown, filtered and sorted.

    Raises: SelectionError for a filter that cannot be applied to this run.
    """
    held = session()
    run, preset, chosen = active_run(), settings(), selection()
    key = (held["active"], preset.settings, chosen)
    if run is None:
        return np.zeros(0, dtype=np.int64)
    if key not in held["rows"]:
        while len(held["rows"]) >= ROWS_KEPT:
            held["rows"].pop(next(iter(held["rows"])))
        held["rows"][key] = apply(chosen, scores(), reason_codes() if chosen.reasons else None)
    found: Rows = held["rows"][key]
    return found


def reason_codes() -> npt.NDArray[np.int8] | None:
    """Give the code of every item's main reason; None while the reasons are being found."""
    from pages.ui import reasons  # It needs this module first.

    return reasons.codes()


def item() -> int | None:
    """Give the index of the open item."""
    index: int | None = session()["item"]
    return index


def open_item(index: int | None) -> None:
    """Open an item by its index in the dataset."""
    session()["item"] = index
    _write_url()


def neighbours() -> tuple[int | None, int | None]:
    """Give the items before and after the open one among those shown.

    Empty: when the open item is not among them, the next one is the first shown.
    """
    folder, index = active_folder(), item()
    if folder is not None:
        return folder.browser.beside(selection(), index, patience=0)
    shown = rows()
    place = np.flatnonzero(shown == index)
    if not len(place):
        return None, int(shown[0]) if len(shown) else None
    at = int(place[0])
    return int(shown[at - 1]) if at else None, int(shown[at + 1]) if at + 1 < len(shown) else None


# Links


def query(**changes: Any) -> dict[str, str]:
    """Give the query parameters of the state in force, changes laid over it.

    Changes: run, settings, pinned, selection, item.
    """
    held = session()
    now = {"run": active(), "settings": settings(), "pinned": held["pinned"], "selection": selection(), "item": item(), **changes}
    return links.to_query(**now)


def link(page: str, *, extra: dict[str, str] | None = None, **changes: Any) -> str:
    """Give a target for `data-go` or `follow`: a page under the state in force.

    `page` is a file name without number and ending, such as "Failures".
    `changes` as in `query`; `extra` adds the page's own query parameters.
    """
    return links.target(page, {**query(**changes), **(extra or {})})


def follow(target: str) -> NoReturn:
    """Open a target made by `link`."""
    page, _, encoded = target.partition("?")
    st.switch_page(links.page_file(page), query_params=dict(parse_qsl(encoded, keep_blank_values=True)))


def go(page: str) -> NoReturn:
    """Open a page under the state in force."""
    st.switch_page(links.page_file(page), query_params=query())


def restore() -> None:
    """Take the state from the URL when it is not the one written last."""
    held = session()
    held["one"] = None
    found = st.query_params.to_dict()
    if found and found != held["written"]:
        _take(found)
    _stay_open()
    _write_url()


def _stay_open() -> None:
    """Count this as a use of the active upload, so that its link lasts."""
    run = active_run()
    if run is not None and run.origin != "sample" and kept_runs().get(run.token) is None:
        kept_runs().put(run.token, run, nbytes(run.dataset))


def _take(found: dict[str, str]) -> None:
    """Take run, settings, filter and item from query parameters; what is wrong in them is left alone."""
    held = session()
    token = found.get("run")
    if token:
        run = next((run for run in (*runs(), *folder_runs()) if run.token == token), None) or _reopened(token)
        held["lost"] = None if run or held["refused"] else found.get("file", "")
        held["active"] = run.key if run else held["active"]
        if run is None:
            return
        held["pinned"] = links.pinned_of(found)
        held["selection"] = links.selection_of(found) or Selection()
        held["item"] = None
    if "preset" in found:
        held["settings"] = links.settings_of(found) or held["settings"]
    number = found.get("item", "")
    if active() is not None and number.isascii() and number.isdigit() and int(number) < length():
        held["item"] = int(number)


def _reopened(token: str) -> Run | FolderRun | None:
    """Load the run a token names into this session, the sample with all its systems."""
    held = session()
    held["refused"] = ""
    if token.startswith(FOLDER_TOKEN):
        try:
            return add_folder(token.removeprefix(FOLDER_TOKEN))
        except DataError as error:
            held["refused"] = str(error)
            return None
    if token.startswith(SAMPLE_TOKEN):
        load_sample()
        return next((run for run in runs() if run.token == token), active_run())
    run = kept_runs().get(token)
    if run is not None:
        held["runs"][run.key] = run
    return run


def _write_url() -> None:
    """Bring the URL up to the state; a page's own parameters stay."""
    held = session()
    now = query() if active() is not None else {}
    if held["lost"] is not None or held["refused"]:
        return
    found = st.query_params.to_dict()
    own = {name: value for name, value in found.items() if not links.is_ours(name)}
    if found != {**now, **own}:
        st.query_params.from_dict({**now, **own})
    held["written"] = st.query_params.to_dict()
