"""A verdict on one answer: four buttons with their keys, a tag, a note; kept in the database of verdicts."""

from collections.abc import Iterable

import streamlit as st

from evalcore.analysis.verdicts import VERDICT_NAMES, VERDICTS, Verdict
from evalcore.judging import TAGS, Judgement, Store, StoreError, judgement_of
from evalcore.judging.store import Judged, default_url
from pages.ui import state
from pages.ui.click import sendable
from pages.ui.frame import problem, section
from pages.ui.marks import raw
from pages.ui.store import Run, once
from pages.ui.tables import table

KEYS: tuple[tuple[Verdict, str, str], ...] = (
    ("right", "1", "check"),
    ("wrong", "2", "close"),
    ("unsure", "3", "question_mark"),
    ("reference_wrong", "4", "report"),
)


@st.cache_resource(show_spinner=False)
def _opened(url: str) -> Store:
    """Open the database of verdicts once for all sessions."""
    return Store.open(url)


def store() -> Store:
    """Give the database of verdicts.

    Raises: StoreError when it cannot be opened.
    """
    return _opened(default_url())


def judged(run: Run) -> Judged:
    """Give all verdicts in force on a run, those by others included.

    Raises: StoreError when the database cannot be read.
    """
    kept = store()
    number = kept.count()
    return once(("judged", default_url(), run.key, number), lambda: kept.judged(run.dataset), 2 * len(run.dataset))


def author() -> str:
    """Ask who judges."""
    name = st.text_input("Your name", key=state.keep("judge author", ""), placeholder="stands beside each verdict", max_chars=80, width=220)
    return (name or "").strip()


def ask(run: Run, row: int, author: str, said: int, tags: Iterable[str], place: str = "judge") -> None:
    """Ask for the verdict; `said` is the code of the one in force.

    The keys of the buttons hold the row: a press that comes while the page
    is being drawn is a verdict on the item that was seen.
    """
    with st.container(horizontal=True, gap="small"):
        for verdict, key, icon in KEYS:
            kind = "primary" if VERDICTS.index(verdict) == said else "secondary"
            args = (run, row, verdict, author, place)
            name = f"{place}_{verdict}_{row}"
            st.button(VERDICT_NAMES[verdict], key=name, shortcut=key, icon=f":material/{icon}:", type=kind, on_click=_say, args=args)
    choices = list(dict.fromkeys((*TAGS, *tags)))
    left, right = st.columns([2, 3], gap="small")
    with left:
        st.selectbox("Why", choices, index=None, key=f"{place}_tag", format_func=sendable, placeholder="choose or type a tag", accept_new_options=True)
    with right:
        st.text_input("Note", key=f"{place}_note", max_chars=2_000, placeholder="kept with the verdict")


def error() -> None:
    """Say why the last verdict was not kept."""
    if state.kept("judge error", ""):
        problem(f"Not kept: {state.kept('judge error')}")


def _say(run: Run, row: int, verdict: Verdict | None, author: str, place: str) -> None:
    """Keep a verdict; what could not be kept is said, and the item stays."""
    tag, note = st.session_state.get(f"{place}_tag") or "", st.session_state.get(f"{place}_note") or ""
    told = judgement_of(run.dataset, row, verdict, author=author, tag=tag, note=note, signature=state.settings().signature)
    try:
        store().add(told)
    except StoreError as problem_found:
        state.seed("judge error", str(problem_found))
        return
    state.seed("judge error", "")
    state.seed("judge again", None)
    st.session_state[f"{place}_tag"], st.session_state[f"{place}_note"] = None, ""


def panel(run: Run, row: int, name_of_item: str) -> None:
    """Ask for the verdict on the item that is open, and list what people say of it; its name keeps its buttons apart from those of others."""
    section("Is this answer right?", "keys 1 to 4; tag and note first")
    try:
        found = judged(run)
    except StoreError as problem_found:
        problem(problem_found)
        return
    error()
    name = author()
    mine = found.of(row, name)
    ask(run, row, name, VERDICTS.index(mine.verdict) if mine and mine.verdict else -1, found.tags, f"inspect{name_of_item}")
    if mine is not None:
        st.button(
            "Take my verdict back",
            key=f"inspect_back_{name_of_item}",
            icon=":material/undo:",
            type="tertiary",
            on_click=_say,
            args=(run, row, None, name, f"inspect{name_of_item}"),
        )
    standing = found.by_row.get(row, ())
    if standing:
        st.html(table(("Judge", "Verdict", "Why", "Note"), map(_line, standing), label="Verdicts on this item"))


def _line(told: Judgement) -> list[object]:
    said = VERDICT_NAMES[told.verdict] if told.verdict else ""
    return [raw(told.author, most=80) if told.author else "(no name)", said, raw(told.tag) if told.tag else "", raw(told.note, most=500) if told.note else ""]
