"""What do I hand on, and how does somebody else get the same numbers?"""

import streamlit as st

from pages.ui import reporting, state
from pages.ui.frame import frame, section

run = frame("Report", "What do you hand on, and how does somebody else get the same numbers?")
assert run is not None

scores = state.scores()

with st.container(key="wm_page"):
    handing, again = st.columns([6, 7], gap="large")
    with handing:
        section("The report", "numbers with intervals, settings in words, cells, groups, examples")
        chosen = reporting.choices(run, scores)
        reporting.report_files(scores, chosen)
        section("The items", "every item with its scores; the filter of Failures does not apply here")
        reporting.item_files(scores, None if chosen is None else chosen.reasons)
    with again:
        section("The same numbers again", "from the items as JSONL, beside")
        reporting.reproduction(run, scores.preset)
