"""Home: load predictions and references, and check that they were paired the way you meant."""

import streamlit as st

from evalcore.data import DataError
from pages.ui import dropping, folder_opening, home, tray
from pages.ui.frame import frame, problem, section

run = frame("Home", "Load predictions and references; check that they were paired the way you meant.", needs_run=False, signature=False)
with st.container(key="wm_page"):
    left, right = st.columns([5, 7], gap="large")

with left:
    section("Files", "drop one or several; references may be in the same file")
    dropping.files()
    folder_opening.ask()
    group = home.paired()

with right:
    if not group:
        folder_opening.shown()
        home.understood()
        loaded = None
    else:
        section("Columns understood", "change a role when it is wrong")
        mapping, references_mapping, how = home.mapping(group)
        try:
            loaded = home.loaded(group, mapping, references_mapping, how)
        except DataError as error:
            loaded = None
            problem(error)
            home.raw_rows(group)

with left:
    if loaded is not None:
        section("Preset", "how answers are compared; every step can be changed later")
        preset = home.preset_choice(loaded[0].datasets[0], group)
        home.score_button(loaded, preset)
    elif run is not None and not tray.tray().read:
        section("Preset", "how answers are compared; every step can be changed later")
        home.use_button(run, home.preset_choice(run.dataset))

with right:
    if loaded is not None:
        home.logged_scores(loaded, preset)
