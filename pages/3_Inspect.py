"""What happened to this one answer, step by step?"""

import numpy as np
import streamlit as st

from evalcore.analysis.best_reference import best_reference
from evalcore.analysis.explain import explain
from evalcore.analysis.moves import laid_out
from evalcore.analysis.selection import SelectionError
from evalcore.text.rules import StepFailed
from pages.ui import folder_item, inspection, measures_view, reasons, state, steptable, tried, verdict_form
from pages.ui.frame import frame, hint, problem, section

run = frame("Inspect", "What happened to this one answer, step by step?", folders=True)

try:
    if state.active_folder() is not None:
        run, row, place, items, is_so_far = folder_item.opened()
    else:
        shown = state.rows()
        if state.item() is None and len(shown):
            state.open_item(int(shown[0]))
        row, items, is_so_far = state.item(), len(shown), False
        place = next(iter(np.flatnonzero(shown == row).tolist()), None)
except SelectionError as error:
    problem(error)
    st.stop()
if run is None or row is None:
    hint("No item is in the filter in force. Choose other items on Failures, or clear the filter in the sidebar.", "Failures", "Go to Failures")
    st.stop()

scores, data = state.scores(), run.dataset
inspection.head(scores, row, place, items, is_so_far)
prediction, references = data.predictions[row], data.references[row]
counted = best_reference(scores, row)
try:
    found = explain(prediction, references, state.settings(), inspection.chosen_reference(row, len(references), counted))
except StepFailed as error:
    problem(f"The item cannot be traced: {error}")
    inspection.raw_only(prediction, references)
    st.stop()

fix = tried.chosen(scores, row)
trial = tried.explained(scores, row, fix, found.best)
with st.container(key="two_columns"):
    left, right = st.columns([8, 4], gap="large")
with left:
    inspection.question(data, row)
    view = inspection.view()
    st.html(steptable.pair(found, view, inspection.reference_name(found, counted), trial))
    section("Steps", "only touched characters are marked" if fix is None else "with the change on trial; only touched characters are marked")
    st.html(steptable.steps(trial or found, laid_out(scores.preset, fix.moves) if fix and trial else ()))
    below = st.container()
with right:
    why, would_match = st.container(), st.container()
    section("Tokens", f"{found.preset.tokenizer} tokens of both normalized strings")
    st.html(steptable.tokens(found))
    section("All references", "best first; click one to trace against it")
    inspection.references(found, counted, row)
    inspection.metadata(data, row)

# What must be searched or loaded comes last: the item stands on the page while this is made.
with below:
    verdict_form.panel(run, row, str(state.item()))
with why:
    reasons.of_item(row)
with would_match:
    tried.panel(scores, row, fix)
with below:
    measures_view.of_item(scores, row)
