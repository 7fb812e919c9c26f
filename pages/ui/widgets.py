"""Widget values that survive a page change; Streamlit drops them."""

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st


def _values() -> dict[str, Any]:
    """Give this session's own copies."""
    if "whymiss_kept" not in st.session_state:
        st.session_state["whymiss_kept"] = {}
    values: dict[str, Any] = st.session_state["whymiss_kept"]
    return values


def enter(page: str) -> None:
    """Take note of the page that is drawn from here on."""
    st.session_state["whymiss_page"] = page


def keep(name: str, default: Any, options: Iterable[Any] | None = None, shown: Callable[[Any], str] | None = None) -> str:
    """Give the key for a widget whose value survives a page change.

    Call it right before the widget, and give the widget no value of its own:
    `st.text_input("Search", key=state.keep("search", ""))`. A value that is
    not among `options` any more gives way to the default. `shown` says how a
    value is written where that may change, as a count does.
    """
    kept_values, key = _values(), f"keep:{name}"
    moved = _moved(name)
    if key in st.session_state:
        kept_values[name] = st.session_state[key]
    value = kept_values.get(name, default)
    if options is not None and value not in list(options):
        value = default
    rewritten = shown is not None and _rewritten(name, value, shown(value))
    if moved or rewritten or key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    return key


def _moved(name: str) -> bool:
    """Tell whether another page drew this widget last.

    Its value is then still there and belongs to that page's widget: set
    anew it goes to this one, else it is lost with the other.
    """
    if "whymiss_places" not in st.session_state:
        st.session_state["whymiss_places"] = {}
    places: dict[str, str | None] = st.session_state["whymiss_places"]
    here = st.session_state.get("whymiss_page")
    before, places[name] = places.get(name, here), here
    return before != here


def _rewritten(name: str, value: Any, words: str) -> bool:
    """Tell whether the value a widget had before is written otherwise now.

    The browser keeps a choice by its words: set anew it gets the new ones,
    else it shows the old ones, and the next run knows them no more.
    """
    if "whymiss_written" not in st.session_state:
        st.session_state["whymiss_written"] = {}
    written: dict[str, tuple[Any, str]] = st.session_state["whymiss_written"]
    (before, said), written[name] = written.get(name, (value, words)), (value, words)
    return before == value and said != words


def kept(name: str, default: Any = None) -> Any:
    """Give the value of a kept widget, as of now."""
    key = f"keep:{name}"
    return st.session_state[key] if key in st.session_state else _values().get(name, default)


def seed(name: str, value: Any) -> None:
    """Set the value of a kept widget; before it is drawn, or in a callback."""
    _values()[name] = value
    st.session_state[f"keep:{name}"] = value
