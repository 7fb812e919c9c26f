"""The replacements that cost most: what the references say, and what the predictions say in its place."""

from typing import NoReturn

import streamlit as st

from evalcore.analysis.confusions import Confusion, find_confusions
from evalcore.analysis.own_aliases import with_alias
from evalcore.text.aliases import AliasError
from pages.ui import lab, opening, state, work
from pages.ui.click import clickable
from pages.ui.frame import percent, problem, section
from pages.ui.marks import deletion, insertion, string
from pages.ui.tables import Markup, goto, table

SHOWN = 12


def draw() -> None:
    """List the top confusions; a number shows exactly their items."""
    section("Top confusions", "EM points, where nothing else differs")
    found = work.finding("confusions", lambda scores, progress: find_confusions(scores, progress=progress))
    if found is None:
        work.progress("confusions", "Aligning words")
        return
    if not found:
        return
    lines = [_line(place, one) for place, one in enumerate(found[:SHOWN])]
    clicked = clickable(table(("Reference → prediction", "Items", "Points", ""), lines, numbers=(1, 2), label="Top confusions"), key="confusions")
    if state.kept("alias error"):
        problem(state.kept("alias error"))
    if clicked:
        what, _, place = clicked.partition(":")
        one = found[int(place)]
        if what == "alias":
            _alias(one)
        opening.failures(one.rows, f"“{one.reference or 'nothing'}” → “{one.predicted or 'nothing'}”")


def _line(place: int, one: Confusion) -> list[object]:
    nothing = '<span class="wm-none">nothing</span>'
    left = string(deletion(one.reference, "hover"), one.reference) if one.reference else nothing
    right = string(insertion(one.predicted, "hover"), one.predicted) if one.predicted else nothing
    cost = f"−{percent(one.points)}" if one.sole else "0"
    both = one.reference and one.predicted
    alias = goto("alias", f"alias:{place}", "take both words as one from now on, in an alias table of these settings") if both else ""
    return [Markup(f'{left} <span class="wm-state">→</span> {right}'), goto(one.count, f"one:{place}", "list these items"), cost, alias]


def _alias(one: Confusion) -> NoReturn:
    """Put a confusion into the alias table of the settings in force, and show what that changes."""
    try:
        changed = with_alias(state.settings(), one.reference, one.predicted)
    except AliasError as error:
        state.seed("alias error", str(error))
        st.rerun()
    state.seed("alias error", "")
    state.set_settings(changed)
    lab.clear()
    state.go("Normalization")
