"""Other measures beside EM and F1, for a run when asked, and for one item."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from evalcore import Scores
from evalcore.analysis.measures import MEASURES, Measure, Measured, measured, measured_item
from evalcore.scoring.statistics import Interval, mean_interval
from evalcore.text.amounts import amount
from pages.ui import clusters, meaning, opening, state, work
from pages.ui.click import clickable, esc
from pages.ui.clusters import Labels
from pages.ui.forest import span
from pages.ui.frame import percent, section
from pages.ui.tables import Markup, goto, table

WORST = 50
HEADS = ("Measure", "Mean", "95 %", "All texts together", "Items", "Worst")


@dataclass(frozen=True)
class Row:
    """One measure of a run, and the rows that fare worst by it."""

    measure: Measure
    interval: Interval
    pooled: float | None
    worst: tuple[int, ...]


def of_run(scores: Scores) -> None:
    """Show every measure of the run with its interval, once asked for."""
    section("Other measures", "for when exact match is the wrong question")
    run = state.active_run()
    if run is None or not st.toggle("Measure all items", key=state.keep(f"measures asked {run.key}", False)):
        return
    name, labels = ("measures", clusters.chosen()), clusters.labels()
    found = work.finding(name, lambda scores, progress: _measured(scores, progress, labels))
    if found is None:
        work.progress(name, "Measuring")
        return
    meant = tuple(_row(each, labels) for each in meaning.found(run))
    found = (*found, *meant)
    lines = [_line(each) for each in found]
    method = next((each.interval.method for each in found if each.interval.count), "")
    note = f"In points of 100. Raw answers against raw references; containment follows the settings in force. Intervals: {method or 'none'}."
    note += f" Meaning: by {meaning.model_name(run)[:200]}; compare only values of one model." if meant else ""
    clicked = clickable(table(HEADS, lines, numbers=range(1, 6), caption=note, label="Other measures"), key="measures_table")
    if clicked:
        chosen = next(each for each in found if each.measure.name == clicked)
        opening.failures(chosen.worst, f"worst by {chosen.measure.title}")
    meaning.choose(run)


def _measured(scores: Scores, progress: work.Progress, labels: Labels) -> tuple[Row, ...]:
    items = max(1, len(scores))
    found = []
    for number, name in enumerate(MEASURES):
        progress(number * items, len(MEASURES) * items)
        told = measured(scores, name, lambda done, _, number=number: progress(number * items + done, len(MEASURES) * items))  # type: ignore[misc]
        found.append(_row(told, labels))
    return tuple(found)


def _row(told: Measured, labels: Labels) -> Row:
    interval = told.interval if labels is None else mean_interval(told.values, clusters=labels)
    return Row(told.measure, interval, told.pooled, tuple(worst(told).tolist()))


def worst(found: Measured) -> np.ndarray:
    """Give the rows that fare worst by a measure, the worst first; the best possible is left out."""
    badness = found.values if found.measure.lower_is_better else 1 - found.values
    rows = np.flatnonzero(badness > 0)
    return rows[np.argsort(-badness[rows], kind="stable")][:WORST]


def _line(found: Row) -> list[object]:
    measure, side = found.measure, found.interval
    pooled = "–" if found.pooled is None else percent(found.pooled, 1)
    rows = len(found.worst)
    go = goto(rows, measure.name, f"list the {amount(rows, 'item')} that fare worst") if rows else 0
    return [_name(measure), Markup(f"<b>{percent(side.estimate, 1)}</b>"), span(side), pooled, side.count, go]


def _name(measure: Measure) -> Markup:
    lower = " Lower is better." if measure.lower_is_better else ""
    return Markup(f'{esc(measure.title)}<div class="wm-cap">{esc(measure.summary)}{lower}</div>')


def of_item(scores: Scores, row: int) -> None:
    """Show every measure of one item."""
    with st.expander("Other measures"):
        values = state.found(("item measures", row), lambda scores: measured_item(scores, row))
        told = [(MEASURES[name], value) for name, value in values.items()]
        run = state.active_run()
        told += [(each.measure, float(each.values[row])) for each in (() if run is None else meaning.known(run))]
        rows = [[_name(measure), Markup(f"<b>{percent(value, 1)}</b>")] for measure, value in told]
        st.html(table(("Measure", "This item"), rows, numbers=(1,), caption="In points of 100.", label="Other measures of this item"))
