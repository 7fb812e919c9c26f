"""In which way items miss: precision against recall of those with EM 0."""

from typing import Any

import altair as alt
import streamlit as st

from evalcore import Scores
from evalcore.analysis.plane import Plane, curve, plane, rows_apart, rows_at, rows_by_side
from evalcore.text.amounts import these
from pages.ui import charts, opening, state
from pages.ui.click import clickable
from pages.ui.frame import section
from pages.ui.tables import goto

CURVES = (0.5, 0.67, 0.8)
SIDES = {"short": "too short", "wordy": "too wordy", "substituted": "as many words, others"}


def draw(scores: Scores) -> None:
    """Show the plane; a dot or a count narrows the list to its items."""
    if not (scores.preset.has_em and scores.preset.has_f1):
        return
    section("Why F1 is what it is", "items with EM 0; area is count")
    found = state.found("plane", plane, 16 * len(scores))
    if found.spots:
        event: Any = st.altair_chart(chart(found, charts.palette()), on_select="rerun", key="failures_plane", width="stretch")
        _narrow(scores, event.selection or {})
    _counts(scores, found)


def _narrow(scores: Scores, selection: Any) -> None:
    """Show the items of a clicked dot, once for every click."""
    points = selection.get("spot", [])
    clicked = (points[0]["precision"], points[0]["recall"]) if points else None
    if clicked == state.kept("plane clicked"):
        return
    state.seed("plane clicked", clicked)
    if clicked is not None:
        precision, recall = clicked
        opening.narrowed(rows_at(scores, precision, recall).tolist(), f"precision {precision:.3g}, recall {recall:.3g}")
        st.rerun()


def _counts(scores: Scores, found: Plane) -> None:
    parts = [goto(f"{items:,} {said}", f"{side}:", f"list {these(items, 'item')}") for side, said in SIDES.items() if (items := getattr(found, side))]
    parts += [goto(f"{found.apart:,} without a common word", "apart:", "list these items")] if found.apart else []
    clicked = clickable(f'<div class="wm-cap">{" · ".join(parts) or "No scored item failed."}</div>', key="failures_sides")
    if clicked:
        side = clicked.rstrip(":")
        rows = rows_apart(scores) if side == "apart" else rows_by_side(scores, side)
        opening.narrowed(rows.tolist(), SIDES.get(side, "no common word"))
        st.rerun()


def chart(found: Plane, colours: charts.Palette) -> alt.LayerChart:
    """In which way do items miss?

    Above the diagonal too short, below too wordy; a click is the selection `spot`.
    """
    dots = [{"precision": spot.precision, "recall": spot.recall, "items": spot.items, "side": _side(spot)} for spot in found.spots]
    shown = alt.Axis(
        values=[0, 0.25, 0.5, 0.75, 1], grid=True, gridColor=colours.line, labelColor=colours.muted, titleColor=colours.muted, domain=False, format=".2~f"
    )
    x = alt.X("recall:Q", title="token recall", scale=alt.Scale(domain=[0, 1.05], nice=False), axis=shown)
    y = alt.Y("precision:Q", title="token precision", scale=alt.Scale(domain=[0, 1.05], nice=False), axis=shown)
    most = max(spot.items for spot in found.spots)
    circles = (
        alt.Chart(alt.Data(values=dots))
        .mark_circle(opacity=1, stroke=colours.ground, strokeWidth=0.7)
        .encode(
            x=x,
            y=y,
            size=alt.Size("items:Q", legend=None, scale=alt.Scale(domain=[1, max(2, most)], range=[26, 420])),
            color=alt.Color("side:N", legend=None, scale=alt.Scale(domain=["short", "wordy", "even"], range=[colours.match, colours.near_miss, colours.miss])),
            tooltip=[
                alt.Tooltip("precision:Q", title="Precision", format=".2f"),
                alt.Tooltip("recall:Q", title="Recall", format=".2f"),
                alt.Tooltip("items:Q", title="Items", format=",d"),
            ],
        )
        .add_params(alt.selection_point(name="spot", fields=["precision", "recall"]))
    )
    lines = [
        alt.Chart(alt.Data(values=[{"precision": precision, "recall": recall} for precision, recall in curve(f1)]))
        .mark_line(color=colours.muted, strokeDash=[3, 3], strokeWidth=1, clip=True)
        .encode(x="recall:Q", y="precision:Q", order="recall:Q")
        for f1 in CURVES
    ]
    names = [{"precision": curve(f1)[-1][0] - 0.03, "recall": 0.96, "said": f"F1 {f1:g}"} for f1 in CURVES]
    labels = alt.Chart(alt.Data(values=names)).mark_text(align="right", fontSize=11, color=colours.muted).encode(x="recall:Q", y="precision:Q", text="said:N")
    said = f"Items with EM 0 by precision and recall: {found.short:,} too short, {found.wordy:,} too wordy, {found.substituted:,} even, {found.apart:,} apart."
    return alt.layer(*lines, labels, circles).properties(height=300, description=said, background="transparent").configure_view(stroke=None)


def _side(spot: Any) -> str:
    return "short" if spot.precision > spot.recall else "wordy" if spot.precision < spot.recall else "even"
