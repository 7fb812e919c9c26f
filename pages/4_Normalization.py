"""Which rule makes answers match, and which items change hands when it is turned?"""

import streamlit as st

from evalcore import compare
from pages.ui import extraction_lab, fix_sets, lab, ledger, settings_form, state, stepform
from pages.ui.frame import frame, section

VIEWS = ("Changes", "Extraction", "Smallest fixes")

frame("Normalization", "Turn one rule on or off and see which items change hands.")

with st.container(key="two_columns"):
    left, right = st.columns([6, 9], gap="large")
with right:  # First of all the numbers: a switch is turned to see them.
    comparison = compare(state.scores(preset=state.pinned()), state.scores())
    ledger.strip(comparison)
with left:
    settings_form.start()
    section("Steps", "in order, from the raw string to the one that is compared")
    stepform.steps(lab.bench())
    stepform.adder()
    with st.expander("Rules of the score"):
        settings_form.rules()
    with st.expander("Settings as JSON: copy, download, load"):
        settings_form.exchange()
    section("Playground", "two strings of your own, traced under these settings")
    ledger.playground()
with right:
    view = st.segmented_control("Show", VIEWS, key=state.keep("lab view", VIEWS[0], VIEWS), required=True, label_visibility="collapsed")
    if view == "Changes":
        ledger.changes(comparison)
    elif view == "Extraction":
        extraction_lab.draw()
    else:
        fix_sets.draw()

lab.write_url()
