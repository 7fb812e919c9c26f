"""How far is the score from what the answers deserve?"""

import streamlit as st

from evalcore.analysis.lanes import lanes
from pages.ui import clusters, folder_overview, labels, measures_view, overview, reasons, slices, state, weak
from pages.ui.frame import frame, problem, section

frame("Overview", "How many answers match, how near are the others, and where should you look first?", folders=True)

if state.active_folder() is not None:
    folder_overview.draw()
    st.stop()

scores, settings = state.scores(), state.settings()
counted = lanes(scores, state.selection().near)

with st.container(key="wm_page"):
    overview.strip(state.summary(), state.summary(preset=state.pinned()), settings, clusters.intervals(), labels.invalid())
    clusters.choose()

    chart, cells = st.columns([8, 5], gap="large")
    with chart:
        section("Two lanes of F1", overview.lanes_caption(settings))
        if settings.has_f1:
            overview.lanes_chart(counted, reasons.split(scores))
        else:
            problem("This preset has no F1, so there is nothing to lay along it. The cells below count what is right and what is not.", "info")
        section("The cells", "every number opens its items")
        overview.cells(counted, state.summary())
    with cells:
        reasons.overview(scores)

    groups, look = st.columns([8, 5], gap="large")
    with groups:
        slices.answerable(scores)
        slices.section_of(scores)
        labels.of_run()
        weak.of_run(scores)
        measures_view.of_run(scores)
    with look:
        section("Look here first", "some of each kind that did not match, highest F1 first")
        overview.first_looks(scores, counted)
        section("How to read this")
        overview.reading()

    if settings.has_f1:
        with st.expander("Items at every F1, as a table"):
            overview.bars_table(counted)
