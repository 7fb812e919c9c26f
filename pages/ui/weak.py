"""Groups of items that are worst for their size, looked for when asked."""

import streamlit as st

from evalcore import Scores
from evalcore.analysis.slices import WeakSlice, weak_slices
from evalcore.scoring.statistics import SMALL
from pages.ui import opening, state, work
from pages.ui.click import clickable, esc
from pages.ui.forest import span
from pages.ui.frame import percent, problem, section
from pages.ui.tables import Markup, called, goto, table

SHOWN = 20
NOTE = (
    f"Looked at: every group of at least {SMALL} scored items by question, reference, script and column, alone and two together. "
    "Listed: those with so few matches that chance gives fewer in less than 5 of 100 cases, after Holm's correction for all groups looked at."
)


def of_run(scores: Scores) -> None:
    """Look for the groups that are worst for their size, and list those that cost most."""
    if not scores.preset.has_em:
        return
    section("Weak groups", "worst for their size, alone and in pairs")
    run = state.active_run()
    if run is None or not st.toggle("Look for weak groups", key=state.keep(f"weak asked {run.key}", False)):
        return
    found = work.finding("weak slices", lambda scores, progress: weak_slices(scores, progress=progress))
    if found is None:
        work.progress("weak slices", "Looking at all groups")
        return
    if not found:
        problem("No group is worse than chance explains.", "info")
        st.html(f'<div class="wm-cap">{esc(NOTE)}</div>')
        return
    name = scores.preset.em_name
    heads = ("Group", "Items", name, "95 %", f"{name} elsewhere", "Points lost", "p, corrected")
    more = f" {len(found) - SHOWN:,} more are not listed." if len(found) > SHOWN else ""
    lines = [_line(weak, number) for number, weak in enumerate(found[:SHOWN])]
    clicked = clickable(table(heads, lines, numbers=range(1, 7), caption=NOTE + more, label="Weak groups"), key="weak_table")
    if clicked:
        weak = found[int(clicked)]
        opening.failures(weak.rows.tolist(), weak.name[:200])


def _line(weak: WeakSlice, number: int) -> list[object]:
    name = called(weak.name, 200)
    p = f"{weak.corrected:.3f}" if weak.corrected >= 0.001 else "< 0.001"
    items = goto(len(weak.rows), str(number), "list these items")
    return [name, items, Markup(f"<b>{percent(weak.em.estimate, 1)}</b>"), span(weak.em), percent(weak.rest, 1), percent(weak.lost, 2), p]
