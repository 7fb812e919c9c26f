"""Is it better, and by more than chance?"""

import streamlit as st

from pages.ui import clusters, comparison_lists, comparison_view
from pages.ui.frame import frame

run = frame("Compare", "Is one run, or one setting, better than the other, and by more than chance explains?")
assert run is not None

before, after = comparison_view.sides(run)
clusters.choose()
both = comparison_view.compared(before, after)

if both is not None:
    comparison_view.verdict(both.comparison)
    with st.container(key="wm_page"):
        tile, effects = st.columns([5, 8], gap="large")
        with tile:
            comparison_lists.tile(both)
            comparison_view.moved(both)
        with effects:
            comparison_view.effects(both)
    comparison_view.slices(both)
    comparison_lists.items(both)
comparison_view.all_runs()
