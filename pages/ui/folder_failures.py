"""Failures of a scored folder: counts and one page of items, found in its files."""

from evalcore.analysis.selection import ORDER_NAMES, SelectionError
from evalcore.data import DataError
from evalcore.scoring.buckets import bucket_codes
from pages.ui import filters, folder_sample, opening, state
from pages.ui.click import clickable
from pages.ui.filters import PAGE_ROWS
from pages.ui.frame import hint, problem
from pages.ui.itemlist import item_list
from pages.ui.patience import waited

PATTERNS = "In the syntax of RE2, case as written; begin with (?i) to ignore it."


def draw() -> None:
    """Draw the filter, and the items of the page in force."""
    folder, chosen = state.active_folder(), state.selection()
    assert folder is not None
    known = folder.folder.statistics.reasons if folder.folder.has_reasons else None
    try:
        asked = f"Searching {len(folder):,} items"
        counts, items = waited(asked, lambda: (folder.browser.counts(chosen), folder.browser.count(chosen)))
        pages = max(1, -(-items // PAGE_ROWS))
        page = filters.page_number(pages)
        shown, scores, reasons = waited(asked, lambda: folder.browser.shown(chosen, (page - 1) * PAGE_ROWS, PAGE_ROWS))
    except (SelectionError, DataError) as error:
        filters.bar(None, PATTERNS, known)
        problem(error)
        return
    filters.bar(counts, PATTERNS, known)
    filters.line(items, len(folder), lambda name: folder_sample.filtered(folder, "failures_as_run"))
    if not items:
        hint("No item is in this filter. Choose another bucket, lower the threshold, or clear the filter in the sidebar.")
        return
    codes = bucket_codes(scores, chosen.near).tolist()
    positions = shown.tolist()
    opened = positions.index(state.item()) if state.item() in positions else None
    rows = list(range(len(positions)))
    listed = item_list(scores, rows, codes, reasons, state.kept("failures view") == "Side by side", opened)
    clickable(listed, key="failures_list", then=lambda target: opening.item(positions[int(target.removeprefix("item:"))]))
    filters.pager(page, pages, PAGE_ROWS, items, ORDER_NAMES[chosen.order])
