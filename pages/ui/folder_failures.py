"""Failures of a scored folder: counts and one page of items, found in its files."""

from collections.abc import Iterator
from itertools import count

import streamlit as st

from evalcore.analysis.selection import ORDER_NAMES, Selection, SelectionError
from evalcore.data import DataError
from evalcore.scoring.buckets import bucket_codes
from pages.ui import filters, folder_sample, opening, state
from pages.ui.click import clickable
from pages.ui.filters import PAGE_ROWS
from pages.ui.frame import hint, problem
from pages.ui.itemlist import item_list
from pages.ui.patience import PATIENCE, waited
from pages.ui.store import FolderRun

PATTERNS = "In the syntax of RE2, case as written; begin with (?i) to ignore it."
SECONDS = 0.5  # Between two looks at a search under way.


def draw() -> None:
    """Draw the filter, and the items of the page in force; those found so far while a search is under way."""
    folder, chosen = state.active_folder(), state.selection()
    assert folder is not None
    known = folder.folder.statistics.reasons if folder.folder.has_reasons else None
    asked = int(state.kept("failures page", 1))
    try:
        listing = waited(f"Searching {len(folder):,} items", lambda: folder.browser.listing(chosen, asked, PAGE_ROWS, PATIENCE))
    except (SelectionError, DataError) as error:
        filters.bar(None, PATTERNS, known)
        problem(error)
        return
    is_over = listing.searched == len(folder)
    pages = max(1, -(-listing.items // PAGE_ROWS))
    page = filters.page_number(pages)
    filters.bar(listing.counts, PATTERNS, known)
    filters.line(listing.items, listing.searched, (lambda name: folder_sample.filtered(folder, "failures_as_run")) if is_over else None)
    if not is_over:
        _watched(folder, chosen, len(folder) if listing.items >= PAGE_ROWS else listing.searched + 1, count())
    if not listing.items:
        hint("No item is in this filter. Choose another bucket, lower the threshold, or clear the filter in the sidebar." if is_over else "Nothing so far.")
        return
    positions, scores, reasons = listing.shown.positions.tolist(), listing.shown.scores, listing.shown.reasons
    codes = bucket_codes(scores, chosen.near).tolist()
    opened = positions.index(state.item()) if state.item() in positions else None
    rows = list(range(len(positions)))
    listed = item_list(scores, rows, codes, reasons, state.kept("failures view") == "Side by side", opened)
    clickable(listed, key="failures_list", then=lambda target: opening.item(positions[int(target.removeprefix("item:"))]))
    filters.pager(page, pages, PAGE_ROWS, listing.items, ORDER_NAMES[chosen.order])


@st.fragment(run_every=SECONDS)
def _watched(folder: FolderRun, chosen: Selection, enough: int, looks: Iterator[int]) -> None:
    """Show how far a search is, and draw the page anew when so many items were looked at: all, or more than before where the page is not full.

    `looks` counts up: at the first one, what was found so far is not drawn yet.
    """
    searched = folder.browser.progress(chosen)
    if next(looks) and searched >= enough:
        st.rerun()
    st.progress(searched / len(folder), text=f"Searching: {searched:,} of {len(folder):,} items")
