"""The parts of the Overview page."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from evalcore import Scores, Summary
from evalcore.analysis.lanes import Lanes, between
from evalcore.analysis.selection import BUCKET_NAMES, EM_0, Selection, apply
from evalcore.scoring.buckets import Bucket
from pages.ui import charts, state
from pages.ui.click import esc, going
from pages.ui.frame import percent
from pages.ui.itemlist import one_item
from pages.ui.tables import Markup, count, goto, table

METRICS = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"
CELLS: tuple[tuple[Bucket, str], ...] = (
    ("match", "EM 1"),
    ("empty_match", "EM 1, nothing left of the prediction"),
    ("near_miss", "EM 0, F1 ≥ {near:g}"),
    ("partial", "EM 0, F1 below {near:g}"),
    ("miss", "EM 0, F1 0"),
    ("unscored", "no score; not in any average"),
)
LOOKS = 4


@dataclass(frozen=True)
class Figure:
    """One number of the strip, with what stands under it."""

    name: str
    shown: str
    under: str = ""
    delta: float = 0.0
    share: float | None = None


def strip(now: Summary, before: Summary) -> None:
    """Show the aggregates, and how they moved against the pinned settings."""
    rates = [
        ("Exact match", "em", f"{now.exact:,} of {now.scored:,} exact"),
        ("EM, first reference", "em_first_reference", "the others not asked"),
        ("Token F1", "f1", "best reference"),
        ("Precision", "precision", "words that are right"),
        ("Recall", "recall", "words that are there"),
    ]
    figures = [Figure(name, percent(getattr(now, field)), under, _moved(now, before, field), getattr(now, field)) for name, field, under in rates]
    figures.append(Figure("Items", f"{now.items:,}", f"{now.scored:,} scored"))
    figures.append(Figure("Unscored", f"{now.items - now.scored:,}", _reasons(now)))
    figures.append(Figure("Missing", f"{now.missing:,}", "predictions"))
    figures.append(Figure("Empty", f"{now.empty:,}", f"{now.emptied:,} with nothing left" if now.emptied else "predictions"))
    st.html(f'<div class="wm-strip">{"".join(map(_figure, figures))}</div>')


def _moved(now: Summary, before: Summary, field: str) -> float:
    return 0.0 if now.signature == before.signature else getattr(now, field) - getattr(before, field)


def _reasons(summary: Summary) -> str:
    return ", ".join(f"{number:,} {reason}" for reason, number in summary.unscored.items())


def _figure(figure: Figure) -> str:
    points = 100 * figure.delta
    direction = " wm-down" if points < 0 else ""
    delta = f'<span class="wm-delta{direction}">{"−" if points < 0 else "+"}{abs(points):.2f}</span>' if abs(points) >= 0.005 else ""
    shown = figure.share is not None and figure.share == figure.share
    track = f'<div class="wm-track"><i class="wm-em" style="left:{100 * (figure.share or 0):.2f}%"></i></div>' if shown else ""
    cut = figure.under if len(figure.under) <= 60 else figure.under[:59] + "…"
    return (
        f'<div><div class="wm-label">{esc(figure.name)}</div><div class="wm-fig">{esc(figure.shown)}{delta}</div>'
        f'<div class="wm-under" title="{esc(figure.under)}">{esc(cut)}</div>{track}</div>'
    )


def lanes_chart(counted: Lanes) -> None:
    """Draw the chart, and under it what was chosen on it."""
    event: Any = st.altair_chart(charts.two_lanes(counted, charts.palette()), on_select="rerun", key="overview_lanes", width="stretch")
    span = _chosen_bars(event.selection or {})
    if span is None:
        going('<div class="wm-cap">Drag across the bars, or click one, to choose a range of F1.</div>', key="overview_chosen")
        return
    f1 = between(counted, *span)
    inside = counted.bars[span[0] : span[1] + 1]
    missed, matched = sum(bar.missed for bar in inside), sum(bar.matched for bar in inside)
    near = counted.near
    links = [f"<b>{esc(f1.words)}</b>"]
    links += [str(goto(f"List {missed:,} with EM 0", _failures(Selection(f1=f1, em=0, near=near))))] if missed else ["none with EM 0"]
    links += [str(goto(f"list {matched:,} with EM 1", _failures(Selection(f1=f1, em=1, near=near))))] if matched else []
    going(f'<div class="wm-cap">{" · ".join(links)}</div>', key="overview_chosen")


def _chosen_bars(selection: Any) -> tuple[int, int] | None:
    """Give the first and last bar of the brush, or else of the clicked ones."""
    brushed = selection.get("f1", {}).get("low", [])
    if len(brushed) == 2:
        return charts.bars_between(min(brushed), max(brushed))
    clicked = [point["place"] for point in selection.get("bar", [])]
    return (min(clicked), max(clicked)) if clicked else None


def _failures(selection: Selection) -> str:
    return state.link("Failures", selection=selection)


def cells(counted: Lanes, summary: Summary) -> None:
    """List the named cells with their counts and shares."""
    rows = []
    for bucket, rule in CELLS:
        items = counted.totals[bucket]
        target = _failures(Selection(buckets=(bucket,), near=counted.near))
        share = percent(items / summary.scored, 1) + " %" if summary.scored and bucket != "unscored" else ""
        rows.append(
            [
                _cell(bucket),
                Markup(f'<span class="wm-cap">{esc(rule.format(near=counted.near))}</span>'),
                count(items, target, f"Show the {items:,} items"),
                share,
            ]
        )
    failed = sum(counted.totals[bucket] for bucket in EM_0)
    html = table(["Cell", "Where", "Items", "Share"], rows, numbers=(2, 3), label="Items in every cell of EM against F1")
    gap = summary.f1 - summary.em
    below = (
        f'<p class="wm-cap" style="margin:.6rem 0 0">All {count(failed, _failures(Selection(em=0, near=counted.near)))} with EM 0. '
        f"F1 is {percent(gap)} points above EM: that much of the words is right in answers that do not match.</p>"
        if summary.scored
        else ""
    )
    going(html + below, key="overview_cells")


def first_looks(scores: Scores, counted: Lanes) -> None:
    """Show some items of every kind that did not match, each opening in Inspect."""
    rows = []
    for bucket in ("near_miss", "partial", "miss", "empty_match"):
        selection = Selection(buckets=(bucket,), near=counted.near)
        found = apply(selection, scores)
        if not len(found):
            continue
        for index in _spread(found, LOOKS if bucket in ("near_miss", "partial") else 1):
            rows.append(_look(scores, int(index), bucket, selection))
    if not rows:
        st.html('<div class="wm-cap">Every scored item matches.</div>')
        return
    html = table(["F1", "Prediction against reference", "Cell"], rows, numbers=(0,), label="Items to look at first")
    going(f'<div class="wm-looks">{html}</div>', key="overview_looks")


def _spread(rows: "np.typing.NDArray[np.int64]", most: int) -> "np.typing.NDArray[np.int64]":
    """Pick rows evenly from the first to the last."""
    return rows[np.unique(np.linspace(0, len(rows) - 1, min(most, len(rows))).astype(np.int64))]


def _look(scores: Scores, index: int, bucket: Bucket, selection: Selection) -> list[Markup]:
    target = state.link("Inspect", item=index, selection=selection)
    return [goto(f"{scores.f1[index]:.2f}", target, "Open this item"), Markup(one_item(scores, index)), _cell(bucket)]


def _cell(bucket: Bucket) -> Markup:
    """Give a bucket's name beside its colour."""
    hollow = " wm-hollow" if bucket == "unscored" else ""
    dot = f'<span class="wm-dot{hollow}" style="background:{charts.bucket_colour(charts.palette(), bucket)}"></span>'
    return Markup(f'<span class="wm-cell">{dot}{esc(BUCKET_NAMES[bucket])}</span>')


def reading() -> None:
    """Show docs/metrics.md, each of its sections to open."""
    with st.container(key="wm_read", gap="xxsmall"):
        _reading()


def _reading() -> None:
    opening, *parts = METRICS.read_text("utf-8").split("\n## ")
    st.markdown(opening.partition("\n")[2].strip())
    for part in parts:
        title, _, body = part.partition("\n")
        with st.expander(title):
            st.markdown(body.strip())


def bars_table(counted: Lanes) -> None:
    """List every bar of the chart with its counts."""
    rows = []
    for bar in counted.bars:
        numbers = [
            count(
                bar.counts[bucket],
                _failures(Selection(buckets=(bucket,), f1=bar.f1, near=counted.near)),
                f"Show {BUCKET_NAMES[bucket].lower()}, {bar.f1.words}",
            )
            for bucket, _ in CELLS
            if bucket != "unscored"
        ]
        rows.append([bar.f1.words, *numbers])
    heads = ["F1", *(BUCKET_NAMES[bucket] for bucket, _ in CELLS if bucket != "unscored")]
    going(table(heads, rows, numbers=range(1, len(heads)), label="Items at every F1"), key="overview_bars")
