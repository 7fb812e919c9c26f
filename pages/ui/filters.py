"""The controls of the Failures page. The filter itself is in the state; these widgets show and change it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

import streamlit as st

from evalcore.analysis.reasons import CODES, REASONS
from evalcore.analysis.selection import BUCKET_NAMES, EM_0, ORDER_NAMES, ORDERS
from evalcore.scoring.buckets import Bucket
from evalcore.text.amounts import amount
from pages.ui import reasons, state
from pages.ui.click import esc, sendable
from pages.ui.unseen import boxed

CHIPS: dict[str, tuple[Bucket, ...]] = {
    "All EM 0": EM_0,
    **{BUCKET_NAMES[bucket]: (bucket,) for bucket in ("near_miss", "partial", "miss", "empty_match", "match", "unscored")},
    "All": (),
}
PAGE_ROWS = 100
REASON_CHIPS = 8  # More than a line of them hides the list; the others are a click away.
VIEWS = ("Inline", "Side by side")
PYTHON = "Case as written; begin with (?i) to ignore it."


def begin() -> None:
    """Show the items with EM 0 when the page is opened first and no filter is in force."""
    if not state.kept("failures seen", False):
        state.seed("failures seen", True)
        if state.selection().is_all:
            state.set_selection(replace(state.selection(), buckets=EM_0))
            st.rerun()


def _change(**parts: Any) -> None:
    state.set_selection(replace(state.selection(), **parts))
    state.seed("failures page", 1)


def _chip() -> str | None:
    """Name the chip of the buckets in force; None for a choice that has none."""
    return next((name for name, buckets in CHIPS.items() if set(buckets) == set(state.selection().buckets)), None)


def bar(counts: dict[Bucket, int] | None, tip: str = PYTHON, known: Mapping[str, int] | Literal["being found"] | None = "being found") -> None:
    """Draw chips, threshold, search, order and view; without counts the chips have none.

    `tip`: how patterns are written; `known`: items by main reason, None where reasons are not known.
    """
    chosen = state.selection()
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        _chips(counts)
        st.space("stretch")
        st.segmented_control("View", VIEWS, key=state.keep("failures view", VIEWS[0], VIEWS), label_visibility="collapsed", required=True)
    if known == "being found":
        _reasons()
    elif known is not None:
        _choose_reasons(known)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.session_state["failures_text"] = sendable(chosen.text)
        st.text_input("Search id, question, prediction and references", key="failures_text", max_chars=500, on_change=_on_text, placeholder="Text to find")
        st.session_state["failures_pattern"] = chosen.pattern
        st.checkbox("Regular expression", key="failures_pattern", on_change=_on_pattern, help=tip, width=190)
        st.session_state["failures_near"] = chosen.near
        st.number_input("Near miss from F1", 0.05, 1.0, step=0.05, format="%.2f", key="failures_near", on_change=_on_near, width=150)
        st.session_state["failures_order"] = chosen.order
        st.selectbox("Order", ORDERS, format_func=lambda name: ORDER_NAMES[name], key="failures_order", on_change=_on_order, width=220)


def _chips(counts: dict[Bucket, int] | None) -> None:
    def label(name: str) -> str:
        if counts is None:
            return name
        return f"{name} :gray[{sum(counts[bucket] for bucket in CHIPS[name] or tuple(counts)):,}]"

    hidden = {"Unscored"} if counts is not None and not counts["unscored"] and _chip() != "Unscored" else set()
    st.session_state["failures_chip"] = _chip()
    names = [name for name in CHIPS if name not in hidden]
    st.pills("Bucket", names, format_func=label, key="failures_chip", on_change=_on_chip, label_visibility="collapsed", wrap=True)


def _reasons() -> None:
    """Show main reasons as chips, the most frequent first; counts are of the whole run."""
    found = reasons.diagnosis()
    if found is None:
        return
    _choose_reasons({entry.reason.name: entry.items for entry in found.reasons.counts()})


def _choose_reasons(counts: Mapping[str, int]) -> None:
    every, chosen = bool(state.kept("failures all reasons", False)), state.selection().reasons
    options = list(dict.fromkeys((*(list(counts) if every else list(counts)[:REASON_CHIPS]), *chosen)))
    if not options:
        return
    st.session_state["failures_reasons"] = list(chosen)

    def label(name: str) -> str:
        return f"{REASONS[CODES[name]].title} :gray[{counts.get(name, 0):,}]"

    with st.container(horizontal=True, gap="small", vertical_alignment="top"):
        st.pills(
            "Reasons",
            options,
            selection_mode="multi",
            format_func=label,
            key="failures_reasons",
            on_change=_on_reasons,
            label_visibility="collapsed",
            wrap=True,
        )
        if len(counts) > REASON_CHIPS:
            more = "Fewer reasons" if every else f"{len(counts) - REASON_CHIPS} more reasons"
            st.button(more, key="failures_more_reasons", type="tertiary", on_click=state.seed, args=("failures all reasons", not every))


def _on_reasons() -> None:
    _change(reasons=tuple(st.session_state["failures_reasons"]))


def _on_chip() -> None:
    chosen = st.session_state["failures_chip"]
    if chosen is not None:
        _change(buckets=CHIPS[chosen])


def _on_text() -> None:
    _change(text=st.session_state["failures_text"])


def _on_pattern() -> None:
    _change(pattern=st.session_state["failures_pattern"])


def _on_near() -> None:
    _change(near=round(float(st.session_state["failures_near"]), 4))


def _on_order() -> None:
    _change(order=st.session_state["failures_order"])


def line(found: int, items: int, offer: Callable[[str], None] | None) -> None:
    """Say the filter in words, with what can be taken off it, and offer the items; `offer` is given a name for them.

    While a search is under way there is no offer, and `items` are those looked at so far.
    """
    chosen = state.selection()
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="failures_line"):
        among = f"of {amount(items, 'item')}" if offer else f"so far, among {amount(items, 'item')}"
        st.html(f'<div class="wm-cap" role="status"><b>{found:,}</b> {among} · {boxed(chosen.words)}</div>', width="stretch")
        extra = {"rows": (chosen.rows is not None, {"rows": None, "label": ""}, "Show items outside this list")}
        extra["f1"] = (chosen.f1 is not None or chosen.em is not None, {"f1": None, "em": None}, "Drop the F1 range")
        extra["reasons"] = (bool(chosen.reasons), {"reasons": ()}, "Any reason")
        for name, (there, change, label) in extra.items():
            if there:
                st.button(label, key=f"failures_drop_{name}", on_click=_change, kwargs=change, icon=":material/close:", type="tertiary")
        if offer:
            offer(_slug())


def _slug() -> str:
    chip = _chip()
    return (chip or "items").lower().replace(" ", "-")


def page_number(pages: int) -> int:
    """Give the page in force, within what there is."""
    page = min(max(1, int(state.kept("failures page", 1))), pages)
    if page != state.kept("failures page", 1):
        state.seed("failures page", page)
    return page


def pager(page: int, pages: int, size: int, items: int, order: str) -> None:
    """Say which items are shown, and turn the pages."""
    first, last = (page - 1) * size + 1, min(page * size, items)
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        keys = "<kbd>J</kbd> <kbd>K</kbd> move, <kbd>↵</kbd> opens"
        st.html(f'<span class="wm-cap">{first:,} – {last:,} of {items:,} · {esc(order)} · {keys}</span>', width="stretch")
        if pages > 1:
            st.pagination(pages, key=state.keep("failures page", 1), max_visible_pages=7)
