"""Some items of a scored folder as an ordinary run, for everything that looks at all items at once."""

import streamlit as st

from evalcore import Dataset
from evalcore.data.join_report import DESCRIPTIONS, JoinReport, Listing
from evalcore.text.amounts import amount
from pages.ui import state
from pages.ui.frame import problem
from pages.ui.patience import waited
from pages.ui.store import FolderRun, Run

START, MOST = 10_000, 200_000


def as_run(data: Dataset, key: str, name: str) -> Run:
    """Make a run of items that were read already."""
    lists = ("predictions_without_reference", "references_without_prediction", "duplicated", "empty_predictions", "null_predictions")
    lists += ("without_reference", "left_out", "unscorable", "made_text", "bad_rows")
    report = JoinReport("one file", len(data), len(data), **dict.fromkeys(lists, Listing.none()))
    return Run(key, state.new_token(), name, "", data, report)


def offer() -> None:
    """Offer a random sample of the open folder, and the items of the filter, as a run."""
    folder = state.active_folder()
    if folder is None:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        most = min(MOST, len(folder))
        key = state.keep("folder sample", min(START, most))
        size = int(st.number_input("Items, drawn at random", 1, most, step=1_000, key=key, width=200))
        if st.button(f"Open {size:,} of {amount(len(folder), 'item')} as a run", key="folder_sample", type="primary"):
            _open(folder, folder.folder.sample(size), f"{folder.name}, {size:,} at random")
    filtered(folder, "folder_filtered")


def filtered(folder: FolderRun, key: str) -> None:
    """Offer the items of the filter in force as a run; more than fit are told."""
    chosen = state.selection()
    if chosen.is_all:
        return
    items = waited(f"Searching {len(folder):,} items", lambda: folder.browser.count(chosen))
    tip = f"At most {MOST:,} items; narrow the filter." if items > MOST else "Every page works on a run; its items are read into memory."
    if st.button(f"Open the {items:,} of this filter as a run", key=key, disabled=not 0 < items <= MOST, help=tip, icon=":material/open_in_new:"):
        _open(folder, folder.browser.page(chosen, 0, items), f"{folder.name}, {chosen.words}")


def _open(folder: FolderRun, positions: "state.Rows", name: str) -> None:
    with st.spinner(f"Reading {len(positions):,} items", show_time=True):
        data = folder.folder.dataset(positions)
    state.add_run(as_run(data, "", name), folder.folder.preset)
    state.go("Overview")


def troubles(folder: FolderRun) -> None:
    """Say which files and rows are not among the items, and how many ids of predictions and references did not meet."""
    found = folder.folder.troubles
    alone = [f"{DESCRIPTIONS[name].format(used='used once only')}: {number:,}" for name, number in folder.folder.joined.items()]
    if alone:
        problem("\n".join([*alone, "manifest.json lists them."]), "info")
    if found:
        more = f"\nand {len(found) - 5:,} more, in manifest.json" if len(found) > 5 else ""
        listed = "\n".join(found[:5])
        problem(f"{amount(len(found), 'file was', 'files were')} not read whole; the numbers are those of the others.\n{listed}{more}", "warning")
