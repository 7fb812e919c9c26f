"""How far is the score from what the answers deserve?"""

import streamlit as st

from evalcore.analysis.lanes import lanes
from pages.ui import overview, state
from pages.ui.frame import frame, section
from pages.ui.marks import STYLE

frame("Overview", "How many answers match, how near are the others, and where should you look first?")
st.html(STYLE)

scores = state.scores()
counted = lanes(scores, state.selection().near)

with st.container(key="wm_page"):
    overview.strip(state.summary(), state.summary(preset=state.pinned()))

    chart, cells = st.columns([8, 5], gap="large")
    with chart:
        section("Two lanes of F1", "up: EM 1 · down: EM 0 · heights are roots of counts · drag or click to choose")
        overview.lanes_chart(counted)
    with cells:
        section("The cells", "every number opens its items")
        overview.cells(counted, state.summary())

    look, read = st.columns([8, 5], gap="large")
    with look:
        section("Look here first", "some of each kind that did not match, highest F1 first")
        overview.first_looks(scores, counted)
    with read:
        section("How to read this")
        overview.reading()

    with st.expander("Items at every F1, as a table"):
        overview.bars_table(counted)
