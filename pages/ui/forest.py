"""A forest plot as HTML: one row a group, EM and F1 with intervals on one axis, numbers beside it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor

from evalcore.scoring.statistics import Interval
from pages.ui.click import esc
from pages.ui.frame import percent
from pages.ui.tables import Markup, cell
from pages.ui.unseen import spelled

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)


@dataclass(frozen=True)
class Line:
    """One row: its label, its measures (None where there is none), and cells of the table beside the axis.

    `small`: greyed, as it says little. `title` explains the label.
    """

    label: Markup | str
    em: Interval | None
    f1: Interval | None
    cells: Sequence[object] = ()
    small: bool = False
    title: str = ""
    target: str = ""
    opened: bool = False


@dataclass(frozen=True)
class Axis:
    """The part of 0..1 that is shown."""

    low: float
    high: float

    @classmethod
    def of(cls, lines: Iterable[Line]) -> "Axis":
        """Choose the part that holds all intervals, to the next twentieth."""
        ends = [end for line in lines for side in (line.em, line.f1) if side is not None and side.count for end in (side.low, side.high)]
        low, high = (floor(20 * min(ends) + 1e-9) / 20, ceil(20 * max(ends) - 1e-9) / 20) if ends else (0.0, 1.0)
        return cls(low, high) if high > low else cls(max(0.0, low - 0.05), min(1.0, high + 0.05))

    def at(self, value: float) -> str:
        """Give the place of a value in percent of the width."""
        return f"{100 * (value - self.low) / (self.high - self.low):.2f}%"

    def ticks(self) -> list[float]:
        """Choose three to seven round values."""
        step = next((step for step in STEPS if (self.high - self.low) / step <= 6.001), STEPS[-1])
        first = ceil(self.low / step - 1e-9)
        return [number * step for number in range(first, floor(self.high / step + 1e-9) + 1)]


def forest(lines: Sequence[Line], heads: Sequence[str], label: str, first: str = "", line: float | None = None, em_name: str = "EM") -> Markup:
    """Give the plot. `heads` name the cells; `line` draws a dashed line at a value, such as that of all items."""
    axis = Axis.of(lines)
    columns = f"grid-template-columns: minmax(84px, max-content) minmax(72px, 1fr) repeat({len(heads)}, max-content)"
    top = f'<span class="wm-fl" role="columnheader">{esc(first)}</span><span role="columnheader" aria-label="on the axis"></span>'
    top += "".join(f'<span class="wm-fn" role="columnheader">{esc(head)}</span>' for head in heads)
    guide = f'<u style="left:{axis.at(line)}"></u>' if line is not None and axis.low <= line <= axis.high else ""
    grid = "".join(f'<s style="left:{axis.at(tick)}"></s>' for tick in axis.ticks())
    body = "".join(_row(each, axis, grid + guide, em_name) for each in lines)
    ticks = "".join(f'<i style="left:{axis.at(tick)}">{percent(tick, 0)}</i>' for tick in axis.ticks())
    foot = f'<div class="wm-fr wm-ff" aria-hidden="true"><span></span><span class="wm-ft">{ticks}</span>{"<span></span>" * len(heads)}</div>'
    return Markup(
        f'<div class="wm-forest" role="table" aria-label="{esc(label)}" style="{columns}"><div class="wm-fr wm-fh" role="row">{top}</div>{body}{foot}</div>'
    )


def _row(line: Line, axis: Axis, behind: str, em_name: str) -> str:
    said = "; ".join(f"{name} {words(side)}" for name, side in ((em_name, line.em), ("F1", line.f1)) if side is not None and side.count)
    go = f' data-go="{esc(line.target)}" tabindex="0"' if line.target else ""
    kind = f"wm-fr{' wm-small' if line.small else ''}{' wm-open' if line.opened else ''}"
    cells = "".join(f'<span class="wm-fn" role="cell">{cell(value)}</span>' for value in line.cells)
    title = f' title="{esc(spelled(line.title))}"' if line.title else ""
    return (
        f'<div class="{kind}" role="row"{go}><span class="wm-fl" role="rowheader"{title}>{cell(line.label)}</span>'
        f'<span class="wm-ft" role="cell" aria-label="{esc(said)}" title="{esc(said)}">{behind}{_marks(line, axis)}</span>{cells}</div>'
    )


def _marks(line: Line, axis: Axis) -> str:
    """Draw the band from EM to F1, both intervals, a filled dot for EM and an open one for F1."""
    sides = [(kind, side) for kind, side in (("f", line.f1), ("e", line.em)) if side is not None and side.count]
    ends = sorted(side.estimate for _, side in sides)
    band = f'<b class="wm-fb" style="left:{axis.at(ends[0])};right:calc(100% - {axis.at(ends[1])})"></b>' if len(ends) == 2 else ""
    bars = "".join(f'<b class="wm-f{kind}i" style="left:{axis.at(side.low)};right:calc(100% - {axis.at(side.high)})"></b>' for kind, side in sides)
    dots = "".join(f'<b class="{"wm-fe" if kind == "e" else "wm-ff1"}" style="left:{axis.at(side.estimate)}"></b>' for kind, side in sides)
    return band + bars + dots


def words(side: Interval) -> str:
    """Say an estimate with its interval."""
    return f"{percent(side.estimate, 1)} ({span(side)})"


def span(side: Interval | None) -> str:
    """Say the ends of an interval; a dash where there is none."""
    return f"{percent(side.low, 1)} – {percent(side.high, 1)}" if side is not None and side.count else "–"


def legend(em: str = "EM", f1: bool = True, has_em: bool = True) -> Markup:
    """Explain the dots."""
    parts = [f'<b class="wm-fe"></b> {esc(em)}'] if has_em else []
    parts += ['<b class="wm-ff1"></b> F1'] if f1 else []
    return Markup(f'<span class="wm-fkey">{" ".join(parts)} with 95 % intervals</span>')
