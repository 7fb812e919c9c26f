"""Charts. One function a chart, named by the question it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt, sqrt
from typing import Any

import altair as alt
import streamlit as st

from evalcore.analysis.lanes import INNER, Bar, Lanes
from evalcore.scoring.buckets import Bucket

GAP = 0.028  # Between the bars of exactly 0 and 1 and the ranges, in units of F1.
SLIT = 0.006  # Between two bars.
TALL = 1.5  # The match bar is cut when it is this many times higher than all others.


@dataclass(frozen=True)
class Palette:
    """Colours of a theme that a chart needs as values."""

    ground: str
    line: str
    ink: str
    muted: str
    accent: str
    match: str
    match_text: str
    miss_text: str
    doubt: str
    doubt_text: str
    near_miss: str
    partial: str
    miss: str


LIGHT = Palette("#ffffff", "#e6e9ed", "#1c2430", "#566070", "#0b6b6b", "#2f6fd0", "#1d56b0", "#9a4206", "#8451c9", "#6a33b0", "#bd5a12", "#cc8140", "#6b7480")
DARK = Palette("#14181d", "#262c34", "#e3e7ec", "#a3adba", "#3fb8b0", "#5e97ea", "#94bdf9", "#f6b27c", "#a57be2", "#cfb0fb", "#f0a35e", "#a86c33", "#8c96a3")


def palette() -> Palette:
    """Give the colours of the theme in use."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def bucket_colour(colours: Palette, bucket: Bucket) -> str:
    """Give the colour that stands for a bucket in every chart and table."""
    shown = {"match": colours.match, "empty_match": colours.doubt, "near_miss": colours.near_miss, "partial": colours.partial, "miss": colours.miss}
    return shown.get(bucket, colours.muted)


def bar_span(place: int) -> tuple[float, float]:
    """Give the ends of a bar on the x axis; exactly 0 and exactly 1 stand outside of 0 to 1."""
    if place == 0:
        return -GAP - 1 / INNER, -GAP - SLIT
    if place == INNER + 1:
        return 1 + GAP + SLIT, 1 + GAP + 1 / INNER
    return (place - 1) / INNER + SLIT / 2, place / INNER - SLIT / 2


def bars_between(low: float, high: float) -> tuple[int, int] | None:
    """Give the first and last bar whose middle lies in a range of the x axis."""
    inside = [place for place in range(INNER + 2) if low <= sum(bar_span(place)) / 2 <= high]
    return (inside[0], inside[-1]) if inside else None


@dataclass(frozen=True)
class Split:
    """Kinds that share the lower lane: key, title and colour of each, next to zero first, and counts by bar and kind."""

    kinds: tuple[tuple[str, str, str], ...]
    counts: Sequence[Sequence[int]]


def two_lanes(counted: Lanes, colours: Palette, split: Split | None = None) -> alt.LayerChart:
    """How many items match and miss at every F1.

    Upward EM 1, downward EM 0; heights are roots of counts, buckets share
    a bar by count, the lower ones by `split` where it is given. The brush
    is the selection `f1`, a click `bar`.
    """
    highest = _cut_height(counted)
    deepest = max([sqrt(bar.missed) for bar in counted.bars] + [1.0])
    segments = [segment for place, bar in enumerate(counted.bars) for segment in _segments(place, bar, highest, split)]
    ticks = _ticks(highest, deepest)
    x = alt.X(
        "low:Q",
        title="token F1 of the item; exactly 0 and exactly 1 stand apart",
        scale=alt.Scale(domain=[-0.085, 1.085], nice=False, zero=False),
        axis=_x_axis(colours),
    )
    y = alt.Y("bottom:Q", title=None, scale=alt.Scale(domain=[-deepest * 1.17, highest * 1.1], nice=False), axis=_y_axis(colours, ticks))
    brush = alt.selection_interval(name="f1", encodings=["x"], mark=alt.BrushConfig(fill=colours.accent, fillOpacity=0.12, stroke=colours.accent))
    kinds: list[Bucket] = ["match", "empty_match", "near_miss", "partial", "miss"]
    shades = {kind: bucket_colour(colours, kind) for kind in kinds} | ({key: colour for key, _, colour in split.kinds} if split else {})
    colour = alt.Color("bucket:N", legend=None, scale=alt.Scale(domain=list(shades), range=list(shades.values())))
    bars = (
        alt.Chart(alt.Data(values=segments))
        .mark_rect(stroke=colours.ground, strokeWidth=0.7)
        .encode(
            x=x,
            x2="high:Q",
            y=y,
            y2="top:Q",
            color=colour,
            tooltip=[
                alt.Tooltip("said:N", title="F1"),
                alt.Tooltip("name:N", title="Kind"),
                alt.Tooltip("items:Q", title="Items", format=",d"),
            ],
        )
        .add_params(brush, alt.selection_point(name="bar", fields=["place"]))
    )
    zero = alt.Chart(alt.Data(values=[{"bottom": 0}])).mark_rule(color=colours.muted, strokeWidth=1).encode(y="bottom:Q")
    threshold = (
        alt.Chart(alt.Data(values=[{"low": counted.near, "bottom": -deepest * 1.12, "top": 0}]))
        .mark_rule(color=colours.muted, strokeDash=[3, 3])
        .encode(x="low:Q", y="bottom:Q", y2="top:Q")
    )
    layers = [bars, zero, threshold, *_names(counted, colours, highest, deepest), *_break(counted, colours, highest)]
    return (
        alt.layer(*layers)
        .properties(height=330, description=_said(counted), background="transparent", padding={"left": 0, "right": 4, "top": 4, "bottom": 0})
        .configure_view(stroke=None)
    )


def _said(counted: Lanes) -> str:
    """Say the chart in one sentence, for those who do not see it."""
    cells = ", ".join(f"{name.replace('_', ' ')} {items:,}" for name, items in counted.totals.items())
    return f"Items by token F1, exact matches upward and others downward: {cells}. The table below has every bar."


def _cut_height(counted: Lanes) -> float:
    """Give the height of the upper lane: the match bar is cut where it would dwarf the rest."""
    others = [sqrt(bar.matched) for bar in counted.bars[:-1]] + [sqrt(bar.missed) for bar in counted.bars]
    return max(1.0, min(sqrt(counted.bars[-1].matched), TALL * max([*others, 1.0])), *(sqrt(bar.matched) for bar in counted.bars[:-1]))


def _is_cut(counted: Lanes, highest: float) -> bool:
    return sqrt(counted.bars[-1].matched) > highest + 1e-9


def _segments(place: int, bar: Bar, highest: float, split: Split | None) -> list[dict[str, Any]]:
    low, high = bar_span(place)
    upper = [(bucket, bucket.replace("_", " "), bar.counts[bucket]) for bucket in ("match", "empty_match")]
    lower = [(bucket, bucket.replace("_", " "), bar.counts[bucket]) for bucket in ("near_miss", "partial", "miss")]
    if split is not None:
        lower = [(key, title, items) for (key, title, _), items in zip(split.kinds, split.counts[place], strict=True)]
    found: list[dict[str, Any]] = []
    for height, direction, kinds in ((min(sqrt(bar.matched), highest), 1, upper), (sqrt(bar.missed), -1, lower)):
        total, done = sum(items for _, _, items in kinds), 0
        for key, title, items in kinds:
            if items:
                ends = [direction * height * done / total, direction * height * (done + items) / total]
                done += items
                shown = {"low": low, "high": high, "bottom": ends[0], "top": ends[1], "bucket": key, "items": items}
                found.append({**shown, "said": bar.f1.words.removeprefix("F1 = "), "name": title, "place": place})
    return found


def _ticks(highest: float, deepest: float) -> list[float]:
    """Choose four counts a lane, round ones, as roots."""

    def lane(height: float) -> list[float]:
        most = max(1, int(height * height))
        step = max(1, isqrt(most) // 3)
        rounded = {_round((number * step) ** 2) for number in (1, 2, 3)}
        return [sqrt(value) for value in sorted(rounded) if value <= most]

    return [*(-value for value in reversed(lane(deepest))), 0.0, *lane(highest * 0.93)]


def _round(value: int) -> int:
    """Round to one leading digit, or to 25 and 15 where that is nearer."""
    size = 10 ** (len(str(value)) - 1)
    near = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10] if size > 1 else range(1, 11)
    return int(min((size * digit for digit in near), key=lambda shown: abs(shown - value)))


def _x_axis(colours: Palette) -> alt.Axis:
    middle = GAP + 0.5 / INNER
    label = "datum.value < 0 ? '0' : datum.value > 1.01 ? '1' : (datum.value < 0.001 || datum.value > 0.999) ? '' : format(datum.value, '.1f')"
    values = [-middle, *(number / 10 for number in range(1, 10)), 1 + middle]
    return alt.Axis(
        values=values,
        labelExpr=label,
        grid=False,
        ticks=False,
        domain=False,
        labelColor=colours.muted,
        titleColor=colours.muted,
        labelPadding=6,
        titleFontWeight="normal",
        titleFontSize=12,
    )


def _y_axis(colours: Palette, ticks: list[float]) -> alt.Axis:
    return alt.Axis(
        values=ticks,
        labelExpr="format(round(datum.value * datum.value), ',')",
        gridColor=colours.line,
        ticks=False,
        domain=False,
        labelColor=colours.muted,
        labelPadding=6,
    )


def _names(counted: Lanes, colours: Palette, highest: float, deepest: float) -> list[alt.Chart]:
    """Write the five named cells with their counts where they are."""
    totals, below, middle = counted.totals, -deepest * 1.1, GAP + 0.5 / INNER
    near = max(0.06, min(0.99, counted.near))
    written = [
        (1 + GAP - 0.008, highest * 1.03, f"Match {totals['match']:,}", "right", colours.match_text),
        (
            -middle - 0.5 / INNER,
            max(sqrt(counted.bars[0].matched), 0.0) + highest * 0.07,
            f"≋ Empty match {totals['empty_match']:,}",
            "left",
            colours.doubt_text,
        ),
        (-middle - 0.5 / INNER, below, f"Miss {totals['miss']:,}", "left", colours.miss_text),
        (near / 2, below, f"Partial {totals['partial']:,}", "center", colours.miss_text),
        (near + 0.012 if near < 0.9 else near - 0.012, below, f"Near miss {totals['near_miss']:,}", "left" if near < 0.9 else "right", colours.miss_text),
    ]
    shown = [entry for entry in written if not entry[2].startswith("≋") or totals["empty_match"]]
    return [
        alt.Chart(alt.Data(values=[{"low": x, "bottom": y, "label": label}]))
        .mark_text(align=align, baseline="middle", fontSize=12.5, fontWeight=600, color=colour)
        .encode(x="low:Q", y="bottom:Q", text="label:N")
        for x, y, label, align, colour in shown
    ]


def _break(counted: Lanes, colours: Palette, highest: float) -> list[alt.Chart]:
    """Draw two slashes through the match bar where it is cut."""
    if not _is_cut(counted, highest):
        return []
    low, high = bar_span(INNER + 1)
    slashes = [{"low": low - 0.004, "high": high + 0.004, "bottom": highest * part, "top": highest * (part + 0.035)} for part in (0.84, 0.89)]
    return [alt.Chart(alt.Data(values=slashes)).mark_rule(color=colours.ground, strokeWidth=2.5).encode(x="low:Q", x2="high:Q", y="bottom:Q", y2="top:Q")]
