"""Measures of meaning beside the others: which model, whether it may be downloaded, and what came of it. Off until asked for."""

import streamlit as st

import evalcore
from evalcore import Preset, Scores
from evalcore.analysis.measures import Measured
from evalcore.analysis.semantic import Model, SemanticError, meanings, missing
from pages.ui import state, work
from pages.ui.click import sendable
from pages.ui.frame import problem
from pages.ui.store import Run

Meanings = tuple[Measured, ...]
HELP = "A folder on the machine of the server that holds a model as save_pretrained writes it, or a name of the Hugging Face hub, such as roberta-large."


def _settings() -> Preset:
    """Give the settings such measures are kept under: they look at raw texts, so a changed step must not make them anew."""
    return evalcore.preset("raw")


def choose(run: Run) -> None:
    """Ask for the model; nothing is loaded or downloaded before the button is pressed."""
    if not st.toggle("Measures of meaning, by a language model", key=state.keep(f"meaning wanted {run.key}", False)):
        return
    if missing():
        problem(f"{missing()[:1].upper()}{missing()[1:]}. Then start the app again.", "info")
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        name = (st.text_input("Model", key=state.keep("meaning model", ""), help=HELP, placeholder="a folder, or a name of the hub", width=320) or "").strip()
        download = st.checkbox("Download it if it is not here", key=state.keep("meaning download", False))
        st.button("Measure meaning", disabled=not name, on_click=_ask, args=(run.key, name, download), key="meaning_go")


def _ask(key: str, name: str, download: bool) -> None:
    """Begin, or try again after what went wrong."""
    before = state.kept(f"meaning of {key}")
    state.seed(f"meaning of {key}", (name, download, 1 if before is None else before[-1] + 1))


def _asked(run: Run) -> tuple[str, bool, int] | None:
    wanted = state.kept(f"meaning wanted {run.key}", False)
    asked: tuple[str, bool, int] | None = state.kept(f"meaning of {run.key}")
    return asked if wanted else None


def found(run: Run) -> Meanings:
    """Give what was measured, once it is; until then show how far it is, or why it cannot be."""
    asked = _asked(run)
    if asked is None or missing():
        return ()
    name, download, _ = asked
    made = work.finding(("meaning", *asked), lambda scores, progress: _made(scores, progress, name, download), _settings(), at_once=0, long=True)
    if made is None:
        work.progress(("meaning", *asked), f"Measuring meaning by {sendable(name)[:80]}", _settings())
        return ()
    if isinstance(made, str):
        problem(made)
        return ()
    return made


def known(run: Run) -> Meanings:
    """Give what was measured already, and begin nothing."""
    asked = _asked(run)
    made = None if asked is None else work.known(("meaning", *asked), _settings())
    return made if isinstance(made, tuple) else ()


def model_name(run: Run) -> str:
    """Name the model asked for."""
    asked = _asked(run)
    return "" if asked is None else asked[0]


def _made(scores: Scores, progress: work.Progress, name: str, download: bool) -> Meanings | str:
    """Measure; what stands in the way is a result too, so that it is tried again only when asked."""
    try:
        return meanings(scores, Model.find(name, download=download), progress)
    except SemanticError as error:
        return str(error)
