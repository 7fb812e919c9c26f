"""Where Home opens a scored folder on the server's machine."""

import streamlit as st

from evalcore.data import DataError
from evalcore.text.amounts import amount
from pages.ui import state
from pages.ui.click import clickable, esc, sendable
from pages.ui.frame import problem, section

WHAT = "The OUT of `whymiss score-folder SOURCE OUT`, on the machine this app runs on; its items stay in their files."


def ask() -> None:
    """Ask for the path of a scored folder, and open it."""
    from pages.ui import folders  # The engines load on use.

    section("A scored folder", "millions of items, without loading them")
    if not folders.is_offered():
        st.html(f'<div class="wm-cap">To open one, {esc(folders.HOW)}.</div>')
        return
    with st.form("home_folder", border=False), st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        path = st.text_input("Path on the server's machine", key="home_folder_path", placeholder="/data/run-7/out", help=WHAT, max_chars=4_000)
        pressed = st.form_submit_button("Open folder", icon=":material/folder_open:")
    found = folders.listed()
    if found:
        clicked = clickable("".join(_card(number, str(each)) for number, each in enumerate(found)), key="home_folders")
        if clicked:
            _open(str(found[int(clicked)]))
    if pressed:
        _open(sendable(path))


def _card(number: int, path: str) -> str:
    return f'<div class="wm-file"><div class="wm-grow"><span class="wm-go" role="link" tabindex="0" data-go="{number}">{esc(path)}</span></div></div>'


def _open(path: str) -> None:
    if not path.strip():
        problem("Write the path of a scored folder first.", "warning")
        return
    try:
        with st.spinner("Opening the folder", show_time=True):
            state.add_folder(path)
    except DataError as error:
        problem(error)
        return
    state.go("Overview")


def shown() -> None:
    """Show the folder that is open."""
    from pages.ui import folder_sample

    run = state.active_folder()
    if run is None:
        return
    section("Scored folder", amount(len(run.folder.parts), "file"))
    st.html(f'<div class="wm-cap">{esc(run.folder.path)} · {amount(len(run), "item")} · scored with {esc(run.folder.preset.title)}</div>')
    folder_sample.troubles(run)
