"""What every step contributes: a waterfall in order, and beside it what each does alone and when left out."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import streamlit as st

from evalcore import Scores
from evalcore.analysis.contributions import Contribution, contributions
from evalcore.text.amounts import amount
from pages.ui import charts, opening, reasons, work
from pages.ui.charts import Palette
from pages.ui.click import clickable
from pages.ui.frame import section
from pages.ui.tables import Markup, goto, table

LISTS = {
    "gained": "first matched by",
    "lost": "lost by",
    "odd": "matched by a loss at",
    "alone": "matched by this step alone:",
    "needed": "lost without",
}
ROW = 25  # Pixels a step.
AXIS = 40
STACKED = 640  # Pixels of the window up to which Streamlit puts columns below one another.
NAMES_WHERE_STACKED = f"width > 0 && windowSize()[0] <= {STACKED} ? datum.label : ''"  # Reading the width has it asked again when that changes.


def draw(scores: Scores) -> None:
    """Draw both charts, and a table of the same numbers whose counts open their items."""
    if not scores.preset.has_em or not scores.preset.pipeline.steps:
        return
    section("Waterfall", "items first matched at each step, in order; beside it each step alone, and what is lost when it alone is left out")
    found = work.finding("contributions", contributions)
    if found is None:
        work.progress("contributions", "Scoring every step alone and left out")
        return
    odd = _suspicious(found)
    colours = charts.palette()
    left, right = st.columns([8, 5], gap="small")
    with left:
        st.altair_chart(in_order(found, odd, colours), width="stretch")
    with right:
        st.altair_chart(alone_and_left_out(found, colours), width="stretch")
    _table(found, odd)


def _suspicious(found: Sequence[Contribution]) -> list[tuple[int, ...]]:
    """Give the suspicious gains of every step; nothing while collisions are being found."""
    known = reasons.diagnosis()
    return [() if known is None else known.collisions.among(one.gained) for one in found]


def _names(found: Sequence[Contribution]) -> list[str]:
    return [f"{number}. {one.step.title}" for number, one in enumerate(found, 1)]


def _y(names: list[str], axis: alt.Axis) -> alt.Y:
    return alt.Y("step:N", sort=None, scale=alt.Scale(domain=["Raw strings equal", *names, "All steps"]), axis=axis)


def _name_axis(colours: Palette, **parts: Any) -> alt.Axis:
    return alt.Axis(ticks=False, domain=False, labelColor=colours.ink, labelLimit=170, labelPadding=6, labelOverlap=False, title=None, **parts)


def in_order(found: Sequence[Contribution], odd: Sequence[tuple[int, ...]], colours: Palette) -> alt.LayerChart:
    """How many items does each step make match, in order?"""
    names = _names(found)
    bars: list[dict[str, Any]] = [{"step": "Raw strings equal", "low": 0, "high": found[0].before, "kind": "total", "said": f"{found[0].before:,}"}]
    for name, one, doubts in zip(names, found, odd, strict=True):
        gained, lost, suspicious = len(one.gained), len(one.lost), len(doubts)
        top = one.before + gained
        said = f"+{gained:,}" + (f" −{lost:,}" if lost else "") + (f"  ≋ {suspicious:,}" if suspicious else "")
        bars.append({"step": name, "low": one.before, "high": top - suspicious, "kind": "safe", "said": said, "end": top})
        bars += [{"step": name, "low": top - suspicious, "high": top, "kind": "suspicious", "said": ""}] if suspicious else []
        bars += [{"step": name, "low": one.after, "high": top, "kind": "lost", "said": ""}] if lost else []
    bars.append({"step": "All steps", "low": 0, "high": found[-1].after, "kind": "total", "said": f"{found[-1].after:,}"})
    shades = {"total": colours.miss, "safe": colours.match, "lost": colours.near_miss}
    most = max(bar["high"] for bar in bars)
    x = alt.X("low:Q", title=None, scale=alt.Scale(domain=[0, max(1.0, most * 1.22)], nice=False), axis=_count_axis(colours))
    y = _y(names, _name_axis(colours))
    hatched = alt.Chart(alt.Data(values=[bar for bar in bars if bar["kind"] == "suspicious"])).mark_bar(height=13, color=_hatch(colours))
    drawn = (
        alt.Chart(alt.Data(values=[bar for bar in bars if bar["kind"] != "suspicious"]))
        .mark_bar(height=13)
        .encode(x=x, x2="high:Q", y=y, color=alt.Color("kind:N", legend=None, scale=alt.Scale(domain=list(shades), range=list(shades.values()))))
    )
    written = [{**bar, "end": bar.get("end", bar["high"])} for bar in bars if bar["said"]]
    labels = alt.Chart(alt.Data(values=written)).mark_text(align="left", dx=5, fontSize=12, color=colours.ink).encode(x="end:Q", y=y, text="said:N")
    said = "Matches after every step: " + "; ".join(f"{bar['step']} {bar['said']}" for bar in written)
    return _finished(alt.layer(drawn, hatched.encode(x=x, x2="high:Q", y=y), labels), len(names) + 2, said)


def _hatch(colours: Palette) -> alt.Gradient:
    """Give stripes of hard stops: suspicious gains are told by their pattern, not by colour alone."""
    stops = [alt.GradientStop(offset=(number + side) / 8, color=colours.doubt if number % 2 else colours.line) for number in range(8) for side in (0.001, 1)]
    return alt.Gradient(gradient="linear", x1=0, y1=0, x2=1, y2=1, stops=stops)


def alone_and_left_out(found: Sequence[Contribution], colours: Palette) -> alt.LayerChart:
    """What does each step do alone, and what is lost without it?"""
    names = _names(found)
    rows = [
        {"step": name, "gained": len(one.gained), "alone": len(one.alone), "needed": len(one.needed), "zero": 0} for name, one in zip(names, found, strict=True)
    ]
    y = _y(names, _name_axis(colours, values=names, labelExpr=NAMES_WHERE_STACKED))
    most = max(1, *(max(row["gained"], row["alone"], row["needed"]) for row in rows))
    scale = alt.Scale(domain=[0, most * 1.08], nice=False)
    base = alt.Chart(alt.Data(values=rows))
    tips = [
        alt.Tooltip("step:N", title="Step"),
        alt.Tooltip("gained:Q", title="In this order", format=",d"),
        alt.Tooltip("alone:Q", title="Alone", format=",d"),
        alt.Tooltip("needed:Q", title="Lost when left out", format=",d"),
    ]
    pale = base.mark_bar(height=13, color=colours.match, opacity=0.25).encode(
        x=alt.X("zero:Q", title=None, scale=scale, axis=_count_axis(colours)), x2="gained:Q", y=y, tooltip=tips
    )
    link = base.mark_rule(color=colours.muted).encode(x="alone:Q", x2="needed:Q", y=y)
    alone = base.mark_point(shape="diamond", filled=True, opacity=1, size=55, color=colours.match_text).encode(x="alone:Q", y=y, tooltip=tips)
    needed = base.mark_point(shape="diamond", filled=True, fill=colours.ground, stroke=colours.miss_text, strokeWidth=1.6, opacity=1, size=70)
    said = "Items each step makes match alone, and items lost without it: " + "; ".join(f"{row['step']} {row['alone']} and {row['needed']}" for row in rows)
    return _finished(alt.layer(pale, link, needed.encode(x="needed:Q", y=y, tooltip=tips), alone), len(names) + 2, said)


def _count_axis(colours: Palette) -> alt.Axis:
    return alt.Axis(format=",d", tickCount=5, tickMinStep=1, gridColor=colours.line, ticks=False, domain=False, labelColor=colours.muted)


def _finished(layers: alt.LayerChart, rows: int, said: str) -> alt.LayerChart:
    return layers.properties(height=ROW * rows + AXIS, description=said, background="transparent").configure_view(stroke=None)


def _table(found: Sequence[Contribution], odd: Sequence[tuple[int, ...]]) -> None:
    """Give the numbers of both charts; the counts open their items."""
    odd_rows = [np.array(doubts, dtype=np.int64) for doubts in odd]
    lines = []
    for place, (name, one, doubts) in enumerate(zip(_names(found), found, odd_rows, strict=True)):
        hatched = Markup(f'<span class="wm-badge wm-odd">{_link("≋ ", doubts, "odd", place)}</span>') if len(doubts) else "0"
        gained, lost = _link("+", one.gained, "gained", place), _link("−", one.lost, "lost", place)
        lines.append((name, gained, lost, hatched, _link("◆ ", one.alone, "alone", place), _link("◇ ", one.needed, "needed", place)))
    heads = ("Step", "gains", "loses", "suspicious", "alone", "lost when left out")
    clicked = clickable(table(heads, lines, numbers=(1, 2, 3, 4, 5), label="What every step contributes"), key="waterfall")
    if clicked:
        what, _, place = clicked.partition(":")
        one = found[int(place)]
        rows = odd_rows[int(place)] if what == "odd" else getattr(one, what)
        opening.failures(rows.tolist(), f"{amount(len(rows), 'item')} {LISTS[what]} {one.step.title}")


def _link(sign: str, rows: "np.typing.NDArray[np.int64]", what: str, place: int) -> Markup:
    return goto(f"{sign}{len(rows):,}", f"{what}:{place}", "list these items") if len(rows) else Markup("0")
