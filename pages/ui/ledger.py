"""What the settings in force change against the pinned ones."""

import numpy as np
import streamlit as st

from evalcore import Comparison, Scores
from evalcore.analysis.best_reference import best_reference
from evalcore.analysis.effect import signed
from evalcore.analysis.explain import explain
from evalcore.text.amounts import amount
from evalcore.text.rules import StepFailed
from pages.ui import alarm, opening, state, steptable, waterfall
from pages.ui.click import clickable, esc
from pages.ui.frame import percent, problem, section
from pages.ui.marks import compared, raw, string, way_of
from pages.ui.tables import Markup, called, goto, table

LISTED = 8


def strip(comparison: Comparison) -> None:
    """Show the change in numbers; each opens its items."""
    odd = alarm.suspicious_gains(comparison)
    lists = {
        "gained": (comparison.fixed, "that now match"),
        "lost": (comparison.broken, "that no longer match"),
        "odd": (np.array(odd or (), dtype=np.int64), "that match now by losing something"),
        "moved": (_moved_f1(comparison), "whose F1 changed and EM did not"),
        "unscored": (comparison.only_before, "that can no longer be scored"),
        "scored": (comparison.only_after, "that can be scored now"),
    }
    signs = {
        "gained": ("+", "wm-plus", "now match"),
        "lost": ("−", "wm-minus", "no longer match"),
        "odd": ("≋ ", "wm-odd-fig", "suspicious"),
        "moved": ("", "", "F1 changed, EM did not"),
    }
    cells = [_count(name, None if name == "odd" and odd is None else len(lists[name][0]), *signs[name]) for name in signs]
    cells += [
        _count(name, len(lists[name][0]), "", "", label)
        for name, label in (("unscored", "not scored any more"), ("scored", "scored now"))
        if len(lists[name][0])
    ]
    cells += [_score(comparison, "em", "EM"), _score(comparison, "f1", "F1")]
    clicked = clickable(f'<div class="wm-ledger">{"".join(cells)}</div>', key="ledger")
    if clicked in lists:
        rows, what = lists[clicked]
        opening.failures((rows if clicked == "odd" else comparison.after_rows[rows]).tolist(), f"{amount(len(rows), 'item')} {what}")


def _moved_f1(comparison: Comparison) -> "np.typing.NDArray[np.int64]":
    before, after = comparison.before, comparison.after
    changed = ~np.isnan(before.f1) & ~np.isnan(after.f1) & (before.f1 != after.f1)
    changed[comparison.fixed] = changed[comparison.broken] = False
    return np.flatnonzero(changed)


def _count(name: str, number: int | None, sign: str, kind: str, under: str) -> str:
    if number is None:  # Not known yet: its place is kept, so that no other number moves when it is.
        return f'<div><span class="wm-fig wm-none">…</span><span class="wm-under">{esc(under)}</span></div>'
    shown = f"{sign if number else ''}{number:,}"
    describe = f"list the {amount(number, 'item')}: {under}"
    figure, label = (goto(shown, name, describe), goto(under, name, describe)) if number else (esc(shown), esc(under))
    return f'<div><span class="wm-fig {kind}">{figure}</span><span class="wm-under">{label}</span></div>'


def _score(comparison: Comparison, field: str, name: str) -> str:
    before, after = getattr(comparison.before.summary(), field), getattr(comparison.after.summary(), field)
    change = after - before
    moved = "as before" if change == 0 else f"was {percent(before)}" + (f", {signed(change)}" if change == change else "")
    moved = "not in these settings" if after != after else moved
    return f'<div class="wm-end"><span class="wm-fig">{percent(after)}</span><span class="wm-under"><b>{name}</b> {esc(moved)}</span></div>'


def changes(comparison: Comparison) -> None:
    """Show the items that change hands, what every step contributes, and different answers that became equal."""
    moved(comparison)
    waterfall.draw(comparison.after)
    alarm.draw()


def moved(comparison: Comparison) -> None:
    """List the first items gained and lost, with both normalized forms before and now."""
    if not len(comparison.fixed) and not len(comparison.broken):
        same = comparison.before.preset.settings == comparison.after.preset.settings
        said = (
            "The settings in force are the pinned ones. Turn a step on or off to see which items move."
            if same
            else "No item changes hands: EM is the same on every item."
        )
        problem(said, "info")
        return
    for rows, title, caption in ((comparison.fixed, "Gained", "match now, did not before"), (comparison.broken, "Lost", "matched before, do not now")):
        if len(rows):
            listed = min(LISTED, len(rows))
            section(title, caption, f"{listed} of {len(rows):,}" if listed < len(rows) else f"{listed:,}")
            _list(comparison, [int(row) for row in rows[:LISTED]], title)


def _list(comparison: Comparison, rows: list[int], title: str) -> None:
    lines = [_line(comparison, row) for row in rows]
    clickable(table(("Item", "Prediction", "Reference", "Compared before", "Compared now"), lines, label=title), key=f"moved_{title}", then=opening.listed)


def _line(comparison: Comparison, row: int) -> tuple[object, ...]:
    data = comparison.after.dataset
    prediction, references = data.predictions[row] or "", data.references[row]
    best = max(best_reference(comparison.after if comparison.after.em[row] == 1 else comparison.before, row), 0)
    reference = references[best] if best < len(references) else ""
    item = int(comparison.after_rows[row])
    return (
        goto(called(data.ids[row]), f"item:{item}", "inspect this item"),
        raw(prediction, most=200),
        raw(reference, most=200),
        _forms(comparison.before, prediction, reference),
        _forms(comparison.after, prediction, reference),
    )


def _forms(scores: Scores, prediction: str, reference: str) -> Markup:
    """Give both normalized strings, one under the other, the difference marked."""
    pipeline = scores.preset.pipeline
    try:
        ours, theirs = pipeline.on("prediction").apply(prediction[:1000]), pipeline.on("reference").apply(reference[:1000])
    except StepFailed as error:
        return Markup(esc(error))
    to = way_of(theirs, ours)
    if ours == theirs:
        if not ours:
            return Markup('<span class="wm-badge wm-odd">≋ nothing left of both</span>')
        shown = string(compared(theirs, ours, None, "after"), ours, to)
        return Markup(f'<span class="wm-state wm-eq" role="img" aria-label="equal">✓</span> {shown}')
    parts = [
        string(compared(theirs, ours, "word", side) or '<span class="wm-none">nothing left</span>', text, to)
        for side, text in (("after", ours), ("before", theirs))
    ]
    return Markup(f"<div class='wm-forms'>{parts[0]}{parts[1]}</div>")


def playground() -> None:
    """Trace two typed strings side by side."""
    first, second = st.columns(2, gap="small")
    with first:
        st.text_input("Prediction", key=state.keep("playground prediction", "The U.S.A. (1919)"), max_chars=20_000)
    with second:
        st.text_input("Reference", key=state.keep("playground reference", "usa 1919"), max_chars=20_000)
    prediction, reference = str(state.kept("playground prediction")), str(state.kept("playground reference"))
    try:
        found = explain(prediction, [reference], state.settings())
    except StepFailed as error:
        problem(f"The strings cannot be traced: {error}")
        return
    st.html(_verdict(found.em, found.f1) + steptable.pair(found, "Word", "Reference"))
    st.html(steptable.steps(found))


def _verdict(em: float, f1: float) -> str:
    hit = '<span class="wm-badge wm-hit">✓ EM 1</span>' if em == 1 else '<span class="wm-badge wm-off">✕ EM 0</span>' if em == em else ""
    score = f'<span class="wm-badge wm-dim">F1 {f1:.2f}</span>' if f1 == f1 else ""
    return f'<div class="wm-badges" style="margin-bottom:.5rem">{hit}{score}</div>'
