"""The parts of the Inspect page around the trace."""

from collections.abc import Sequence

import streamlit as st

from evalcore import Dataset, Scores
from evalcore.analysis.explain import Explanation
from evalcore.analysis.selection import BUCKET_NAMES
from evalcore.scoring.buckets import BUCKETS, bucket_codes
from evalcore.text.amounts import amount
from pages.ui import state, steptable
from pages.ui.click import clickable, esc
from pages.ui.frame import problem
from pages.ui.marks import answers, folded, raw
from pages.ui.tables import table
from pages.ui.unseen import boxed

REASONS = {
    "no prediction": "The item has no prediction. On Normalization, missing predictions can be counted as wrong.",
    "no references": "The item has no reference, so there is nothing to compare with.",
}


def head(scores: Scores, row: int, place: int | None, items: int, is_so_far: bool = False) -> None:
    """Draw previous and next, and what the item is.

    `place` is its place among the items shown, None when it is not one of
    them; `is_so_far`: a search is under way that may find more of them.
    """
    before, after = state.neighbours()
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="inspect_head"):
        st.button(
            "Previous", key="inspect_before", icon=":material/chevron_left:", shortcut="K", disabled=before is None, on_click=state.open_item, args=(before,)
        )
        st.button("Next", key="inspect_after", icon=":material/chevron_right:", shortcut="J", disabled=after is None, on_click=state.open_item, args=(after,))
        so_far = " found so far" if is_so_far else ""
        outside = f"not among the {amount(items, 'item')} of the filter{so_far}"
        where = outside if place is None else f"{place + 1:,} of {items:,}{so_far} · {state.selection().words}"
        st.html(f'<div class="wm-badges"><b>{boxed(scores.dataset.ids[row] or "")}</b>{_badges(scores, row)}<span>{boxed(where)}</span></div>')
    reason = scores.unscored[row]
    if reason is not None:
        problem(f"This item is not scored: {reason}. {REASONS.get(reason, 'It is left out of every average.')}", "warning")
    elif scores.dataset.predictions[row] is None:
        problem("The item has no prediction; these settings count it as wrong.", "warning")


def _badges(scores: Scores, row: int) -> str:
    if scores.unscored[row] is not None:
        return '<span class="wm-badge wm-dim">not scored</span>'
    em, f1 = float(scores.em[row]), float(scores.f1[row])
    bucket = BUCKET_NAMES[BUCKETS[int(bucket_codes(scores, state.selection().near)[row])]]
    badges = [] if em != em else ['<span class="wm-badge wm-hit">✓ EM 1</span>' if em == 1 else '<span class="wm-badge wm-off">✕ EM 0</span>']
    badges += [] if f1 != f1 else [f'<span class="wm-badge wm-dim">F1 {f1:.2f}</span>']
    kind = "wm-odd" if bucket == "Empty match" else "wm-line"
    return f'{"".join(badges)}<span class="wm-badge {kind}">{esc(bucket)}</span>'


def chosen_reference(row: int, references: int, best: int) -> int | None:
    """Give the reference to trace: the one the user chose for this item, else the one its score comes from."""
    chosen = state.kept("inspect reference")
    if chosen is not None and chosen[0] == row and chosen[1] < references:
        return int(chosen[1])
    return best if 0 <= best < references else None


def question(data: Dataset, row: int) -> None:
    """Show question and context, the places of the references marked."""
    parts = []
    asked = data.questions[row] if data.questions is not None else None
    context = data.contexts[row] if data.contexts is not None else None
    if asked:
        parts.append(f'<span class="wm-ask-big" dir="auto">{folded(asked)}</span>')
    if context:
        parts.append(f'<span class="wm-context" dir="auto">{answers(context, data.references[row])}</span>')
    if parts:
        st.html("".join(parts))


def view() -> str:
    """Ask how the pair is compared; give the choice."""
    views = list(steptable.UNITS)
    st.segmented_control("Differences", views, key=state.keep("inspect view", "Word", views), required=True, label_visibility="collapsed")
    return str(state.kept("inspect view", "Word"))


def reference_name(found: Explanation, best: int) -> str:
    """Name the reference that is traced."""
    if found.best < 0:
        return "No reference: the empty text" if not found.references else "No answer: the empty text"
    place = next((number for number, row in enumerate(steptable.ordered(found), 1) if row.index == found.best), 1)
    return f"{'Best reference' if found.best == best else 'Reference'} · {place} of {len(found.references)}"


def references(found: Explanation, best: int, row: int) -> None:
    """List the references; a click traces against another one."""
    clicked = clickable(steptable.references(found, best), key="inspect_refs")
    if clicked:
        state.seed("inspect reference", (row, int(clicked.removeprefix("ref:"))))
        st.rerun()


def metadata(data: Dataset, row: int) -> None:
    """Show the other columns of the item, and where it came from."""
    rows = [(name, raw(column[row], most=500)) for name, column in data.metadata.items() if column[row] is not None]
    place = data.places[row] if data.places is not None else None
    rows += [("from", raw(place))] if place else []
    if rows:
        with st.expander("Other columns"):
            st.html(table(("Column", "Value"), rows))


def raw_only(prediction: str | None, texts: Sequence[str]) -> None:
    """Show the strings as they are, where no trace can be made."""
    st.html(table(("", "Text"), [("Prediction", raw(prediction)), *((f"Reference {number}", raw(text)) for number, text in enumerate(texts, 1))]))
