"""How groups of items fare: a forest plot whose numbers open the items."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace

import streamlit as st

from evalcore import Scores
from evalcore.analysis import aggregates
from evalcore.analysis.slices import SliceRow, Slicing, all_items, macro_row, slice_table
from evalcore.scoring.statistics import SMALL
from evalcore.text.amounts import amount
from pages.ui import clusters, opening, state
from pages.ui.click import clickable, sendable
from pages.ui.clusters import Labels
from pages.ui.forest import Line, forest, legend
from pages.ui.frame import percent, problem, section
from pages.ui.store import once
from pages.ui.tables import Markup, called, goto

SHOWN = 20
HEADS = ("items", "not right", "EM", "F1", "gap")


def answerable(scores: Scores) -> None:
    """Show items with and without an answer apart, as SQuAD v2 does, where the preset knows the difference."""
    labels = clusters.labels()
    rows = state.found(("answerable", clusters.chosen()), lambda scores: _answerable(scores, labels), 16 * len(scores))
    if rows:
        section("With and without an answer", "HasAns and NoAns of SQuAD v2: on items without a reference the empty answer is right")
        _plot("answerable", "answerable", rows, scores, rows)


def _answerable(scores: Scores, labels: Labels) -> tuple[SliceRow, ...]:
    slicing = aggregates.by_answerable(scores)
    return () if slicing is None else slice_table(scores, slicing, labels)


def section_of(scores: Scores) -> None:
    """Choose how to group the items, and show the groups."""
    run = state.active_run()
    if run is None:
        return
    section("Slices", "groups of items; small ones are greyed, every number opens its items")
    ways = once(("ways", run.key), lambda: aggregates.ways(run.dataset), 1_000)
    names = list(ways)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        way = st.selectbox("Group by", names, format_func=sendable, key=state.keep("slices way", aggregates.first_way(run.dataset), names), width=260)
        orders = list(aggregates.ORDERS)
        order = st.selectbox("Order", orders, key=state.keep("slices order", orders[0], orders), width=170)
        st.html(legend(scores.preset.em_name, scores.preset.has_f1, scores.preset.has_em), width="content")
    with st.spinner(f"Grouping {len(scores):,} items", show_time=True) if len(scores) > aggregates.MANY else nullcontext():
        slicing = once(("slicing", run.key, way), ways[way], 8 * len(scores))
    if slicing is None:
        problem(f"The column {way} has too many different values to group by; choose another one.", "info")
        return
    labels = clusters.labels()
    groups = state.found(("slices", way, clusters.chosen()), lambda scores: slice_table(scores, slicing, labels), 8 * len(scores))
    rows = aggregates.ordered(groups, order)
    everything = bool(state.kept("slices all", False))
    _plot("slices", way, rows if everything else rows[:SHOWN], scores, rows)
    if len(rows) > SHOWN:
        st.toggle(f"Show all {amount(len(rows), 'group')}", key=state.keep("slices all", False))
    _say(rows, slicing)


def _macro(rows: Sequence[SliceRow], scores: Scores) -> Line:
    """Give the mean of the groups, each counting the same; its items are those of all groups, so it opens none."""
    found = _line(macro_row(rows), -1, scores, "Mean of groups")
    return replace(found, cells=["", "", *found.cells[2:]], title="Every group counts the same, whatever its size")


def _plot(key: str, way: str, rows: tuple[SliceRow, ...], scores: Scores, everything: Sequence[SliceRow]) -> None:
    preset = scores.preset
    labels = clusters.labels()
    total = state.found(("all items", clusters.chosen()), lambda scores: all_items(scores, labels), 8 * len(scores))
    lines = [_line(total, -1, scores, "All items"), *([_macro(everything, scores)] if len(everything) > 1 else [])]
    lines += [_line(row, number, scores, "") for number, row in enumerate(rows)]
    heads = [head for head in HEADS if _has(head, scores)]
    headline = total.em if preset.has_em else total.f1
    measure = preset.em_name
    heads = [measure if head == "EM" else head for head in heads]
    shown = forest(lines, heads, f"{way}: EM and F1 of every group", way, headline.estimate if headline.count else None, measure)
    clicked = clickable(shown, key=f"{key}_forest")
    if clicked:
        what, _, place = clicked.partition(":")
        row = total if place == "-1" else rows[int(place)]
        opening.failures(aggregates.missed(scores, row) if what == "missed" else row.rows, f"{way}: {row.label}{', not right' if what == 'missed' else ''}")


def _has(head: str, scores: Scores) -> bool:
    return {"EM": scores.preset.has_em, "F1": scores.preset.has_f1, "gap": scores.preset.has_em and scores.preset.has_f1}.get(head, True)


def _line(row: SliceRow, number: int, scores: Scores, name: str) -> Line:
    preset = scores.preset
    wrong = len(aggregates.missed(scores, row))
    cells: list[object] = [_count(len(row.rows), f"rows:{number}", "list these items"), _count(wrong, f"missed:{number}", "list those that are not right")]
    cells += [percent(row.em.estimate, 1)] if preset.has_em else []
    cells += [percent(row.f1.estimate, 1)] if preset.has_f1 else []
    cells += [Markup(f"<b>{percent(row.gap, 1)}</b>")] if preset.has_em and preset.has_f1 else []
    label = Markup(f"<b>{name}</b>") if name else called(row.label, 120)
    return Line(label, row.em if preset.has_em else None, row.f1 if preset.has_f1 else None, cells, number >= 0 and row.small, name or row.label)


def _count(items: int, target: str, describe: str) -> object:
    return goto(items, target, describe) if items else 0


def _say(rows: tuple[SliceRow, ...], slicing: Slicing) -> None:
    small = sum(row.small for row in rows)
    units = "items or clusters" if clusters.chosen() else "items"
    verbs = ("has", "is") if small == 1 else ("have", "are")
    greyed = f"{small:,} of {amount(len(rows), 'group')} {verbs[0]} fewer than {SMALL} scored {units} and {verbs[1]} greyed. " if small else ""
    many = "Of twenty groups that do not differ, one interval misses by chance." if len(slicing.labels) > 1 else ""
    st.html(f'<div class="wm-cap">{greyed}{many}</div>')
