"""The parts of the Overview page."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from evalcore import Preset, Scores, Summary
from evalcore.analysis.aggregates import method
from evalcore.analysis.lanes import Lanes, between
from evalcore.analysis.selection import BUCKET_NAMES, EM_0, EM_1, F1Range, Selection, apply
from evalcore.scoring.buckets import Bucket
from evalcore.scoring.statistics import Interval
from evalcore.text.amounts import amount
from pages.ui import charts, state
from pages.ui.click import esc, going
from pages.ui.forest import span
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
F1_FIGURES = (
    ("Token F1", "f1", "best reference"),
    ("Precision", "precision", "words that are right"),
    ("Recall", "recall", "words that are there"),
)
LOOKS = 4


@dataclass(frozen=True)
class Figure:
    """One number of the strip, with what stands under it; an interval is drawn on the track."""

    name: str
    shown: str
    under: str = ""
    delta: float = 0.0
    interval: Interval | None = None


def strip(now: Summary, before: Summary, preset: Preset, found: Mapping[str, Interval], invalid: Interval | None = None) -> None:
    """Show the aggregates with their intervals, and how they moved against the pinned settings; the preset's own score first.

    `invalid`: the share of predictions that are no label, where there are labels.
    """
    counts = f"{now.exact:,} of {now.scored:,} {'exact' if preset.measure == 'exact match' else 'right'}"
    em = _figure_of(now, before, "em", preset.measure.capitalize(), found, counts) if preset.has_em else Figure("Exact match", "–", "no EM in this preset")
    name = preset.em_name
    first = _figure_of(now, before, "em_first_reference", f"{name[:1].upper()}{name[1:]}, first reference", found, "the others not asked")
    f1 = [_figure_of(now, before, field, name, found, under) for name, field, under in F1_FIGURES]
    f1 = f1 if preset.has_f1 else [Figure("Token F1", "–", "no F1 in this preset")]
    figures = [em, first, *f1] if preset.has_em else [*f1, em]
    figures.append(Figure("Items", f"{now.items:,}", f"{now.scored:,} scored"))
    figures.append(Figure("Unscored", f"{now.items - now.scored:,}", _reasons(now)))
    left = f"{now.emptied:,} with nothing left" if now.emptied else "predictions"
    if invalid is None:
        figures += [Figure("Missing", f"{now.missing:,}", "predictions"), Figure("Empty", f"{now.empty:,}", left)]
    else:
        figures += [Figure("Missing · empty", f"{now.missing:,} · {now.empty:,}", left), Figure("Invalid", percent(invalid.estimate), "% are no label")]
    st.html(f'<div class="wm-strip">{"".join(map(_figure, figures))}</div><div class="wm-cap wm-how">{esc(method(found, preset))}</div>')


def _figure_of(now: Summary, before: Summary, field: str, name: str, found: Mapping[str, Interval], under: str) -> Figure:
    return Figure(name, percent(getattr(now, field)), under, _moved(now, before, field), found.get(field))


def _moved(now: Summary, before: Summary, field: str) -> float:
    return 0.0 if now.signature == before.signature else getattr(now, field) - getattr(before, field)


def _reasons(summary: Summary) -> str:
    return ", ".join(f"{number:,} {reason}" for reason, number in summary.unscored.items())


def _figure(figure: Figure) -> str:
    points = 100 * figure.delta
    direction = " wm-down" if points < 0 else ""
    delta = f'<span class="wm-delta{direction}">{"−" if points < 0 else "+"}{abs(points):.2f}</span>' if abs(points) >= 0.005 else ""
    side = figure.interval
    drawn = side is not None and side.count > 0
    between = f'<div class="wm-under">{esc(span(side))} · 95 %</div>' if drawn else ""
    track = _track(side) if side is not None and drawn else ""
    cut = figure.under if len(figure.under) <= 60 else figure.under[:59] + "…"
    return (
        f'<div><div class="wm-label">{esc(figure.name)}</div><div class="wm-fig">{esc(figure.shown)}{delta}</div>'
        f'{between}<div class="wm-under" title="{esc(figure.under)}">{esc(cut)}</div>{track}</div>'
    )


def _track(side: Interval) -> str:
    low, middle, high = (f"{100 * value:.2f}%" for value in (side.low, side.estimate, side.high))
    reach = f'<i class="wm-range" style="left:{low};right:calc(100% - {high});width:auto"></i>'
    return f'<div class="wm-track">{reach}<i class="wm-em" style="left:{middle}"></i></div>'


def lanes_caption(preset: Preset) -> str:
    """Say how the chart is read, by the name of the preset's own measure."""
    name = preset.em_name
    sides = f"up: {name} 1 · down: {name} 0" if name else "up: F1 1 · down: below"
    return f"{sides} · heights are roots of counts · drag or click to choose" if preset.has_f1 else ""


def lanes_chart(counted: Lanes, split: charts.Split | None = None) -> None:
    """Draw the chart, and under it what was chosen on it."""
    event: Any = st.altair_chart(charts.two_lanes(counted, charts.palette(), split), on_select="rerun", key="overview_lanes", width="stretch")
    span = _chosen_bars(event.selection or {})
    if span is None:
        going('<div class="wm-cap">Drag across the bars, or click one, to choose a range of F1.</div>', key="overview_chosen")
        return
    f1 = between(counted, *span)
    inside = counted.bars[span[0] : span[1] + 1]
    missed, matched = sum(bar.missed for bar in inside), sum(bar.matched for bar in inside)
    near = counted.near
    links = [f"<b>{esc(f1.words)}</b>"]
    links += [str(goto(f"List {missed:,} {_right(0)}", _failures(_half(0, near, f1))))] if missed else [f"none {_right(0)}"]
    links += [str(goto(f"list {matched:,} {_right(1)}", _failures(_half(1, near, f1))))] if matched else []
    going(f'<div class="wm-cap">{" · ".join(links)}</div>', key="overview_chosen")


def _chosen_bars(selection: Any) -> tuple[int, int] | None:
    """Give the first and last bar of the brush, or else of the clicked ones."""
    brushed = selection.get("f1", {}).get("low", [])
    if len(brushed) == 2:
        return charts.bars_between(min(brushed), max(brushed))
    clicked = [point["place"] for point in selection.get("bar", [])]
    return (min(clicked), max(clicked)) if clicked else None


def _half(em: int, near: float, f1: F1Range | None = None) -> Selection:
    """Choose the items that are right or not: by EM, or by F1 where the preset has no EM."""
    if state.settings().has_em:
        return Selection(em=em, near=near, f1=f1)
    return Selection(buckets=EM_1 if em else EM_0, near=near, f1=f1)


def _right(em: int) -> str:
    settings = state.settings()
    return f"with {settings.em_name or 'F1'} {em}" if settings.has_em or em else "with F1 below 1"


def _failures(selection: Selection) -> str:
    return state.link("Failures", selection=selection)


def cells(counted: Lanes, summary: Summary) -> None:
    """List the named cells with their counts and shares."""
    rows = []
    for bucket, rule in ((bucket, rule) for bucket, rule in CELLS if _told(bucket)):
        items = counted.totals[bucket]
        target = _failures(Selection(buckets=(bucket,), near=counted.near))
        share = percent(items / summary.scored, 1) + " %" if summary.scored and bucket != "unscored" else ""
        rows.append(
            [
                cell_of(bucket),
                Markup(f'<span class="wm-cap">{esc(_rule(rule, counted.near))}</span>'),
                count(items, target, f"Show the {amount(items, 'item')}"),
                share,
            ]
        )
    failed = sum(counted.totals[bucket] for bucket in EM_0)
    html = table(["Cell", "Where", "Items", "Share"], rows, numbers=(2, 3), label="Items in every cell of EM against F1")
    said = _gap(summary.f1 - summary.em)
    below = (
        f'<p class="wm-cap" style="margin:.6rem 0 0">All {count(failed, _failures(_half(0, counted.near)))} {esc(_right(0))}. {said}</p>'
        if summary.scored
        else ""
    )
    going(html + below, key="overview_cells")


def _gap(points: float) -> str:
    """Say how far F1 is from EM, and why."""
    if points > 0:
        return f"F1 is {percent(points)} points above EM: that much of the words is right in answers that do not match."
    return f"F1 is {percent(-points)} points below EM: answers that match can have a lower F1, such as those with nothing left." if points < 0 else ""


def _rule(rule: str, near: float) -> str:
    """Say what holds in a cell, by the name the preset's own measure has."""
    settings = state.settings()
    if not settings.has_em:
        return rule.removeprefix("EM 0, ").replace("EM 1", "F1 1").format(near=near)
    if not settings.has_f1:
        rule = rule.removesuffix(", F1 0")
    return rule.format(near=near).replace("EM", settings.em_name)


def _told(bucket: Bucket) -> bool:
    """Tell whether the preset can put an item in a bucket: without F1 a near miss is a miss."""
    return state.settings().has_f1 or bucket not in ("near_miss", "partial")


def first_looks(scores: Scores, counted: Lanes) -> None:
    """Show some items of every kind that did not match, each opening in Inspect."""
    rows = []
    for bucket in ("near_miss", "partial", "miss", "empty_match"):
        selection = Selection(buckets=(bucket,), near=counted.near)
        found = apply(selection, scores)
        if not len(found):
            continue
        for index in _spread(found, LOOKS if bucket in ("near_miss", "partial") or not scores.preset.has_f1 else 1):
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
    return [goto("–" if np.isnan(scores.f1[index]) else f"{scores.f1[index]:.2f}", target, "Open this item"), Markup(one_item(scores, index)), cell_of(bucket)]


def cell_of(bucket: Bucket) -> Markup:
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
