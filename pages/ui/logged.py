"""Scores that another tool logged, beside ours, with every item on which they differ."""

from collections.abc import Callable, Sequence

import streamlit as st

from evalcore import Preset, Scores
from evalcore.data.logged import LoggedComparison, compare_all
from evalcore.text.amounts import amount
from pages.ui import state
from pages.ui.click import clickable
from pages.ui.frame import hint, section
from pages.ui.store import Run
from pages.ui.tables import Markup, goto, mark, table, text

LISTED = 100
MEASURES = {"em": "EM", "f1": "F1", "score": "score"}


def compared(run: Run, preset: Preset, enter: Callable[[], None]) -> None:
    """Show each logged column against our number under a preset; `enter` loads the run before its items are opened."""
    if not run.logged:
        return
    section("Logged scores", "what the tool wrote, beside ours under this preset")
    if len(run.dataset) > state.ITEMS_WITH_PROGRESS and not state.is_scored(run):
        hint(f"{', '.join(run.logged)}: compared once the items are scored.")
        return
    scores = state.scores(run, preset)
    found = state.found(("logged", run.logged), lambda scores: compare_all(scores, run.logged), run=run, preset=preset)
    clicked = clickable(_table(found), key="home_logged")
    if clicked:
        _toggle(found[int(clicked.removeprefix("list:"))].column)
    shown = next((entry for entry in found if entry.column == state.kept("home_differing") and len(entry.rows)), None)
    if shown is not None:
        _differences(shown, scores, enter)


def _table(found: Sequence[LoggedComparison]) -> Markup:
    rows: list[list[object]] = []
    for place, entry in enumerate(found):
        differ: object = goto(len(entry.rows), f"list:{place}", f"List the {amount(len(entry.rows), 'item')}") if len(entry.rows) else 0
        kind = "none" if not entry.compared else "odd" if len(entry.rows) else "ok"
        rows.append([mark(kind), text(entry.column, 60), MEASURES[entry.measure], entry.compared, entry.equal, differ, _note(entry)])
    return table(["", "Logged", "Ours", "Compared", "Equal", "Differ", ""], rows, numbers=(3, 4, 5), label="Logged scores")


def _note(entry: LoggedComparison) -> str:
    scale = "percents" if entry.scale != 1 else ""
    unread = f"{entry.unread:,} are no number" if entry.unread else ""
    return ", ".join(part for part in (scale, unread) if part)


def _toggle(column: str) -> None:
    """List the items of a column, or hide them when they are shown."""
    state.seed("home_differing", None if state.kept("home_differing") == column else column)


def _differences(entry: LoggedComparison, scores: Scores, enter: Callable[[], None]) -> None:
    """List the items whose numbers differ; each opens on Inspect, all of them on Failures."""
    data, total = scores.dataset, len(entry.rows)
    section(f"Where {entry.column} differs", f"{min(total, LISTED):,} of {total:,}")
    rows = [
        [goto(text(data.ids[row], 40), f"item:{row}", "Inspect"), f"{logged:.4g}", f"{ours:.4g}", text(data.predictions[row], 60)]
        for row, logged, ours in zip(entry.rows[:LISTED].tolist(), entry.logged.tolist(), entry.ours.tolist(), strict=False)
    ]
    with st.container(height=260 if len(rows) > 7 else "content"):
        clicked = clickable(table(["Id", "Logged", "Ours", "Prediction"], rows, numbers=(1, 2), label="Differences"), key="home_differences")
    if st.button(f"Open {total:,} in Failures", icon=":material/arrow_forward:", key="home_differing_open"):
        enter()
        state.set_selection(state.selection().with_rows(entry.rows.tolist(), f"items on which {entry.column} differs"))
        state.go("Failures")
    if clicked:
        enter()
        state.open_item(int(clicked.removeprefix("item:")))
        state.go("Inspect")
