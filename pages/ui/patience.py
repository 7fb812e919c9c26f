"""Work that is mostly done at once: only who waits longer sees a spinner.

A spinner redraws the page sixty times a second, which costs the browser,
and on the same machine the server, more than a quick answer does.
"""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

import streamlit as st

SECONDS = 1.0  # Until a page that does not change looks stuck.
PATIENCE = 0.3  # Until a page shows what a search has found so far: to read and to draw it takes half a second more.

Found = TypeVar("Found")


def waited(label: str, work: Callable[[], Found]) -> Found:
    """Give what the work gives, which must not touch Streamlit; after a second, a spinner with this label is shown.

    Raises: whatever the work raises.
    """
    future: Future[Found] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, name="whymiss-page", daemon=True).start()
    try:
        return future.result(SECONDS)
    except TimeoutError:
        if future.done():
            raise
    with st.spinner(label, show_time=True):
        return future.result()
