"""Which answers lose their point, and is it the words or only their form?"""

import streamlit as st

from evalcore.analysis.selection import ORDER_NAMES, SelectionError, bucket_counts
from evalcore.scoring.buckets import bucket_codes
from pages.ui import confusions, downloads, filters, folder_failures, opening, plane, reasons, state
from pages.ui.click import clickable
from pages.ui.filters import PAGE_ROWS
from pages.ui.frame import frame, hint, problem
from pages.ui.itemlist import item_list

frame("Failures", "Which answers lose their point, and is it the words or only their form?", folders=True)
filters.begin()
if state.active_folder() is not None:
    folder_failures.draw()
    st.stop()

scores = state.scores()
try:
    rows = state.rows()
    counts = bucket_counts(state.selection(), scores, state.reason_codes() if state.selection().reasons else None)
except SelectionError as error:
    filters.bar(None)
    problem(error)
    reasons.progress()
    st.stop()

filters.bar(counts)
filters.line(len(rows), len(scores), lambda name: downloads.offer(scores, rows, name))

if not len(rows):
    hint("No item is in this filter. Choose another bucket, lower the threshold, or clear the filter in the sidebar.")
    st.stop()

pages = -(-len(rows) // PAGE_ROWS)
page = filters.page_number(pages)
shown = [int(row) for row in rows[(page - 1) * PAGE_ROWS : page * PAGE_ROWS]]
codes = bucket_codes(scores, state.selection().near)[shown].tolist()
with st.container(key="two_columns"):
    left, right = st.columns([9, 4], gap="medium")
with left:
    listed = item_list(scores, shown, codes, reasons.codes(), state.kept("failures view") == "Side by side", state.item())
    clickable(listed, key="failures_list", then=opening.listed)
    filters.pager(page, pages, PAGE_ROWS, len(rows), ORDER_NAMES[state.selection().order])
with right:
    reasons.progress()
    plane.draw(scores)
    confusions.draw()
