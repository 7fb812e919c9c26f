"""The items behind a comparison: the tile of four numbers, and both predictions laid against each other."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from evalcore import Comparison, Scores
from evalcore.analysis.differences import moved_most
from evalcore.scoring.metrics import Counts
from evalcore.text.amounts import amount, these
from pages.ui import opening, state
from pages.ui.click import clickable, esc
from pages.ui.comparison_view import Side, Sides
from pages.ui.frame import problem, section
from pages.ui.marks import compared, raw, string, way_of
from pages.ui.tables import Markup, called, goto

PAGE = 20
MOST_CHARACTERS = 1_000
NAMES = {
    "fixed": "fixed",
    "broken": "broken",
    "both_right": "both right",
    "both_wrong": "both wrong",
    "only_before": "scored before alone",
    "only_after": "scored after alone",
    "unmatched_before": "only in the run before",
    "unmatched_after": "only in the run after",
    "references_differ": "other references",
}


def _lists(both: Sides) -> dict[str, Counts]:
    """Give all lists of rows; those of unmatched items index the run itself."""
    return {name: getattr(both.comparison, name) for name in NAMES}


def tile(both: Sides) -> None:
    """Show both right, fixed, broken and both wrong; a click lists the items below."""
    section("What became of the items", "each number lists them below")
    lists = _lists(both)
    heads = '<span></span><span class="wm-label">right after</span><span class="wm-label">wrong after</span>'
    before_right, before_wrong = (f'<span class="wm-label">{name} before</span>' for name in ("right", "wrong"))
    both_right, broken, fixed, both_wrong = (_cell(name, lists[name]) for name in ("both_right", "broken", "fixed", "both_wrong"))
    html = f'<div class="wm-two-by-two">{heads}{before_right}{both_right}{broken}{before_wrong}{fixed}{both_wrong}</div>'
    clicked = clickable(html, key="compare_tile")
    if clicked:
        _choose(clicked)


def _choose(name: str) -> None:
    state.seed("compare list", name)
    state.seed("compare page", 1)
    st.rerun()


def _cell(name: str, rows: Counts) -> str:
    figure = goto(len(rows), name, f"list the {amount(len(rows), 'item')}: {NAMES[name]}") if len(rows) else "0"
    return f'<div class="wm-{name}"><span class="wm-fig">{figure}</span><span class="wm-under">{NAMES[name]}</span></div>'


def items(both: Sides) -> None:
    """List the items of one kind with both predictions diffed; each opens in Inspect."""
    lists = {name: rows for name, rows in _lists(both).items() if len(rows)}
    if not lists:
        return
    section("Items", "what the prediction after has more is underlined, what it lacks is struck; a row opens the item")
    kept = state.kept("compare list")
    names = list(lists)
    start = kept if kept in names else next((name for name in ("broken", "fixed") if name in names), names[0])
    shown = {name: f"{NAMES[name]} ({len(rows):,})" for name, rows in lists.items()}
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        key = state.keep("compare list", start, names, shown.__getitem__)
        name = st.selectbox("Show", names, format_func=shown.__getitem__, key=key, width=300) or start
        open_all = st.button(f"Open {these(len(lists[name]), 'item')} on Failures", icon=":material/arrow_forward:", key="compare_open")
    side, rows = _placed(both, name, lists[name])
    if open_all:
        state.choose_run(side.run.key)
        opening.failures(rows.tolist(), f"{amount(len(rows), 'item')} {NAMES[name]}")
    if name.startswith("unmatched"):
        _alone(side, rows)
        return
    _pairs(both, both.found(("moved most", name), lambda found: moved_most(found, lists[name]), 8 * len(rows)))


def _placed(both: Sides, name: str, rows: Counts) -> tuple[Side, Counts]:
    """Give the side whose run holds the items, and their rows there."""
    if name == "unmatched_before":
        return both.before, rows
    if name == "only_before":
        return both.before, both.comparison.before_rows[rows]
    return both.after, rows if name == "unmatched_after" else both.comparison.after_rows[rows]


def _page(rows: Counts) -> list[int]:
    pages = -(-len(rows) // PAGE)
    page = st.pagination(pages, key=state.keep("compare page", 1, range(1, pages + 1))) if pages > 1 else 1
    return [int(row) for row in rows[(page - 1) * PAGE : page * PAGE]]


def _pairs(both: Sides, rows: Counts) -> None:
    comparison = both.comparison
    shown = _page(rows)
    heads = ("Item", "Reference", "Prediction before", "Prediction after", "Before", "After")
    clicked = clickable(_table(heads, [_pair(comparison, row) for row in shown], shown), key="compare_items")
    if clicked:
        state.choose_run(both.after.run.key)
        opening.item(int(comparison.after_rows[int(clicked)]), comparison.after_rows[rows].tolist(), "items of the comparison")


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]], rows: Sequence[int]) -> str:
    head = "".join(f"<th>{esc(name)}</th>" for name in heads)
    body = "".join(
        f'<tr data-row data-go="{row}" tabindex="0">{"".join(f"<td>{cell}</td>" for cell in line)}</tr>' for row, line in zip(rows, lines, strict=True)
    )
    named = 'class="wm-t wm-pairs" aria-label="Items of the comparison"'
    return f'<div class="wm-scroll"><table {named}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _pair(comparison: Comparison, row: int) -> list[str]:
    data, other = comparison.after.dataset, comparison.before.dataset
    references = data.references[row]
    best = int((comparison.after if comparison.after.em[row] == 1 else comparison.before).best_em[row])
    reference = references[best if 0 <= best < len(references) else 0] if references else None
    was, now = other.predictions[row], data.predictions[row]
    return [
        f'<span class="wm-cell">{called(data.ids[row], 40)}</span>',
        raw(reference, most=300) if reference is not None else '<span class="wm-none">none</span>',
        *_both(was, now, reference or ""),
        _numbers(comparison.before, row),
        _numbers(comparison.after, row),
    ]


def _both(was: str | None, now: str | None, reference: str) -> tuple[str, str]:
    """Give both predictions, each with what only it has marked."""
    if was is None or now is None or was == now:
        return raw(was, most=300), raw(now, most=300)
    left, right = was[:MOST_CHARACTERS], now[:MOST_CHARACTERS]
    to = way_of(reference, right)
    sides = (compared(left, right, "word", "before") or raw(""), compared(left, right, "word", "after") or raw(""))
    return string(sides[0], left, to), string(sides[1], right, to)


def _numbers(scores: Scores, row: int) -> Markup:
    preset = scores.preset
    if scores.unscored[row] is not None:
        return Markup(f'<span class="wm-state">not scored: {esc(scores.unscored[row])}</span>')
    parts = [f"{preset.em_name} {scores.em[row]:.3g}"] if preset.has_em else []
    parts += [f"F1 {scores.f1[row]:.2f}"] if preset.has_f1 else []
    right = scores.score[row] == 1
    return Markup(f'<span class="wm-badge {"wm-hit" if right else "wm-off"}">{"✓" if right else "✕"} {esc(" · ".join(parts))}</span>')


def _alone(side: Side, rows: Counts) -> None:
    """List items that only one run has."""
    data = side.run.dataset
    problem(f"Only in {side.run.title}; these are not compared.", "info")
    shown = _page(np.asarray(rows))
    lines = []
    for row in shown:
        references = data.references[row]
        reference = raw(references[0], most=300) if references else '<span class="wm-none">none</span>'
        lines.append([f'<span class="wm-cell">{called(data.ids[row], 40)}</span>', reference, raw(data.predictions[row], most=300)])
    clicked = clickable(_table(("Item", "Reference", "Prediction"), lines, shown), key="compare_alone")
    if clicked:
        state.choose_run(side.run.key)
        opening.item(int(clicked), rows.tolist(), "items of one run alone")
