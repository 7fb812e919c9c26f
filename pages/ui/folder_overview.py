"""Overview of a scored folder, from its statistics alone."""

import streamlit as st

from evalcore.analysis.selection import Selection
from evalcore.engines.groups import WITH_INTERVALS
from evalcore.scoring.statistics import SMALL
from pages.ui import folder_sample, overview, reasons, state
from pages.ui.click import going, sendable
from pages.ui.forest import Line, forest, legend
from pages.ui.frame import percent, problem, section
from pages.ui.itemlist import one_item
from pages.ui.store import FolderRun
from pages.ui.tables import Markup, called, goto, table

LOOKS = 4


def draw() -> None:
    """Draw the numbers, the lanes, the cells, reasons and slices."""
    folder, settings = state.active_folder(), state.settings()
    assert folder is not None
    folder_sample.troubles(folder)
    summary, counted = folder.folder.summary(), folder.browser.lanes(state.selection().near)
    measured = {name: interval for name in ("em", "f1", "precision", "recall") if (interval := folder.folder.interval(name)) is not None}
    with st.container(key="wm_page"):
        overview.strip(summary, summary, settings, measured)
        chart, beside = st.columns([8, 5], gap="large")
        with chart:
            section("Two lanes of F1", overview.lanes_caption(settings))
            if settings.has_f1:
                overview.lanes_chart(counted)
            else:
                problem("This preset has no F1, so there is nothing to lay along it. The cells below count what is right and what is not.", "info")
            section("The cells", "every number opens its items")
            overview.cells(counted, summary)
        with beside:
            reasons.of_counts(folder.folder.statistics.reasons if folder.folder.has_reasons else None, summary.scored)
            section("Look here first", "some of each kind that did not match")
            _looks(folder)
            section("Other pages", "they work on a run of some of the items")
            folder_sample.offer()
        groups, read = st.columns([8, 5], gap="large")
        with groups:
            _slices(folder)
        with read:
            section("How to read this")
            overview.reading()
        if settings.has_f1:
            with st.expander("Items at every F1, as a table"):
                overview.bars_table(counted)


def _slices(folder: FolderRun) -> None:
    """Show the groups that were counted when the folder was scored."""
    found, settings = folder.folder.groups(), state.settings()
    section("Slices", "groups of items, counted when the folder was scored; small ones are greyed")
    if not found:
        problem("No groups were counted in this folder; score it without --no-slices to have them.", "info")
        return
    names = list(found)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        way = st.selectbox("Group by", names, format_func=sendable, key=state.keep("slices way", names[0], names), width=260)
        st.html(legend(settings.em_name, settings.has_f1, settings.has_em), width="content")
    groups = found[way]
    lines = []
    for label, items, em, f1 in groups[:WITH_INTERVALS]:
        cells: list[object] = [items, *(percent(side.estimate, 1) if side else "–" for side in (em, f1))]
        shown = called(label, 120)
        lines.append(Line(shown, em if settings.has_em else None, f1 if settings.has_f1 else None, cells, items < SMALL, label))
    st.html(forest(lines, ("items", settings.em_name or "EM", "F1"), f"{way}: EM and F1 of every group", way, None, settings.em_name))
    if len(groups) > WITH_INTERVALS:
        st.html(f'<div class="wm-cap">The {WITH_INTERVALS} largest of {len(groups):,} groups; summary.json has the numbers of all.</div>')


def _looks(folder: FolderRun) -> None:
    """Show the first items of each kind that did not match."""
    rows: list[list[object]] = []
    for bucket in ("near_miss", "partial", "miss"):
        selection = Selection(buckets=(bucket,), near=state.selection().near)
        shown = folder.browser.page(selection, 0, LOOKS)
        scores = folder.folder.scores(shown)
        for row, position in enumerate(shown.tolist()):
            target = state.link("Inspect", item=position, selection=selection)
            f1 = "–" if scores.f1[row] != scores.f1[row] else f"{scores.f1[row]:.2f}"
            rows.append([goto(f1, target, "Open this item"), Markup(one_item(scores, row)), overview.cell_of(bucket)])
    if not rows:
        st.html('<div class="wm-cap">Every scored item matches.</div>')
        return
    html = table(["F1", "Prediction against reference", "Cell"], rows, numbers=(0,), label="Items to look at first")
    going(f'<div class="wm-looks">{html}</div>', key="overview_looks")
