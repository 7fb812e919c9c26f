"""Charts as inline SVG: no program draws them later, so they look the same everywhere.

Colours come from the style sheet of the page, by class.
"""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import ceil, floor, sqrt

from evalcore.analysis.lanes import INNER, Bar, Lanes
from evalcore.report.comparison import percent
from evalcore.scoring.buckets import Bucket
from evalcore.scoring.statistics import Interval
from evalcore.text.visible import visible

WIDTH = 760
LANE = 110
LEFT, RIGHT, TOP = 46, 8, 18
BAR_SLIT = 1.5
ROW = 22
LABEL_WIDTH, AXIS_WIDTH = 190, 330
LABEL_LETTERS = 30
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
UPWARD: tuple[Bucket, ...] = ("match", "empty_match")
DOWNWARD: tuple[Bucket, ...] = ("near_miss", "partial", "miss")

ForestRow = tuple[str, Interval | None, Interval | None, bool]


def readable(text: str) -> str:
    """Write a text for a label: what cannot be seen by its name in brackets.

    >>> readable("a\\u00a0b")
    'a[NBSP]b'
    """
    return "".join(f"[{shown.label}]" if (shown := visible(letter)) is not None and shown.kind != "combining" else letter for letter in text)


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(readable(text))}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _svg(width: float, height: float, name: str, parts: Iterable[str]) -> str:
    return f'<svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(readable(name))}">{"".join(parts)}</svg>'


def lanes_svg(counted: Lanes) -> str:
    """Draw how many items match and miss at every F1; heights are roots of counts, on one scale."""
    highest = max([sqrt(max(bar.matched, bar.missed)) for bar in counted.bars] + [1.0])
    middle = TOP + LANE
    slot = (WIDTH - LEFT - RIGHT) / (INNER + 4)  # The bars of exactly 0 and 1 stand one slot apart.
    parts = [_text(0, TOP + 8, "right", "muted"), _text(0, middle + LANE, "wrong", "muted"), _text(0, middle + LANE + 28, "F1", "muted")]
    for place, bar in enumerate(counted.bars):
        x = LEFT + slot * (place + (place > 0) + (place > INNER))
        parts += _bar(bar, x, slot - BAR_SLIT, middle, LANE / highest)
    parts.append(_line(LEFT, middle, WIDTH - RIGHT, middle, "axis"))
    foot = middle + LANE + 28
    for place in range(0, INNER + 1, INNER // 5):
        parts.append(_text(LEFT + slot * (place + 2), foot, f"{place / INNER:g}", "muted", "middle"))
    parts += [_text(LEFT + slot / 2, foot, "0", "muted", "middle"), _text(WIDTH - RIGHT - slot / 2, foot, "1", "muted", "middle")]
    near = LEFT + slot * (2 + counted.near * INNER)
    parts.append(_line(near, middle, near, middle + LANE, "dashed"))
    return _svg(WIDTH, foot + 6, "Items that match (upward) and do not (downward) at every F1", parts)


def _bar(bar: Bar, x: float, width: float, middle: float, unit: float) -> list[str]:
    parts = []
    for total, kinds, way in ((bar.matched, UPWARD, -1), (bar.missed, DOWNWARD, 1)):
        height, place = unit * sqrt(total), middle
        for kind in kinds:
            part = height * bar.counts[kind] / total if total else 0.0
            if part:
                top = place - part if way < 0 else place
                said = f"{kind.replace('_', ' ')}: {bar.counts[kind]:,}"
                parts.append(f'<rect x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="{part:.1f}" class="{kind}"><title>{escape(said)}</title></rect>')
                place += way * part
        if total and (bar.exact or height > LANE / 3):
            parts.append(_text(x + width / 2, place - 3 if way < 0 else place + 10, f"{total:,}", "count", "middle"))
    return parts


def forest_svg(name: str, rows: Sequence[ForestRow], em_name: str) -> str:
    """Draw groups on one axis: a filled dot for EM, an open one for F1, each with its interval."""
    low, high = _shown(rows)
    sides = [(title, index) for title, index in ((em_name, 1), ("F1", 2)) if any(row[index] is not None for row in rows)]
    width = LABEL_WIDTH + AXIS_WIDTH + 60 + 60 * len(sides)

    def at(value: float) -> float:
        return LABEL_WIDTH + AXIS_WIDTH * (value - low) / (high - low)

    bottom = ROW * (len(rows) + 1)
    parts = [_line(at(tick), ROW - 4, at(tick), bottom, "grid") for tick in _ticks(low, high)]
    parts += [_text(at(tick), bottom + 14, f"{100 * tick:.0f}", "muted", "middle") for tick in _ticks(low, high)]
    parts += [_text(LABEL_WIDTH + AXIS_WIDTH + 60 * (column + 1), 12, title, "muted", "end") for column, title in enumerate(["scored", *(t for t, _ in sides)])]
    for number, row in enumerate(rows, 1):
        middle = ROW * number + ROW / 2
        cut = row[0] if len(row[0]) <= LABEL_LETTERS else row[0][:LABEL_LETTERS] + "…"
        count = max((side.count for side in row[1:3] if isinstance(side, Interval)), default=0)
        inside = [_text(0, middle + 4, cut)]
        inside += _marks(row, middle, at)
        shown = [f"{count:,}", *(percent(side.estimate) if isinstance(side := row[index], Interval) else "" for _, index in sides)]
        inside += [_text(LABEL_WIDTH + AXIS_WIDTH + 60 * (column + 1), middle + 4, cell, "number", "end") for column, cell in enumerate(shown)]
        parts.append(f'<g class="{"small" if row[3] else "group"}"><title>{escape(readable(row[0]))}</title>{"".join(inside)}</g>')
    return _svg(width, bottom + 20, f"{em_name} and F1 by {name}, with 95 % intervals", parts)


def _marks(row: ForestRow, y: float, at: Callable[[float], float]) -> list[str]:
    parts = []
    for side, kind, shift in ((row[2], "f1", 3), (row[1], "em", -3)):
        if side is not None and side.count:
            parts.append(_line(at(side.low), y + shift, at(side.high), y + shift, f"interval {kind}"))
            parts.append(f'<circle cx="{at(side.estimate):.1f}" cy="{y + shift:.1f}" r="4" class="dot {kind}"/>')
    return parts


def _shown(rows: Sequence[ForestRow]) -> tuple[float, float]:
    """Choose the part of 0..1 that holds all intervals, to the next twentieth."""
    ends = [end for row in rows for side in row[1:3] if isinstance(side, Interval) and side.count for end in (side.low, side.high)]
    low, high = (floor(20 * min(ends) + 1e-9) / 20, ceil(20 * max(ends) - 1e-9) / 20) if ends else (0.0, 1.0)
    return (low, high) if high > low else (max(0.0, low - 0.05), min(1.0, high + 0.05))


def _ticks(low: float, high: float) -> list[float]:
    step = next((step for step in STEPS if (high - low) / step <= 6.001), STEPS[-1])
    return [number * step for number in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]
