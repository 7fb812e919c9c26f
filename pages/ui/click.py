"""HTML whose parts can be clicked.

The one component of the app. It shows HTML that our own code wrote, and
sends back what was clicked. Text from files must pass `esc` first.
"""

import re
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path

import streamlit as st

from pages.ui import state

_MARKUP = "\\`*_{}[]<>#+-.!$:~|&"
_WITHIN_WORDS = re.compile(r"(?<=[^\W_])[-_](?=[^\W_])|\.(?=\w)")
_COLON = re.compile(r"(?<!\S)[^\s:]+:(?=\s)")  # Behind a word: one before a word begins a directive, two hold an emoji's name.
_MOUNT = st.components.v2.component("whymiss_html", js=Path(__file__).with_name("click.js").read_text("utf-8"), isolate_styles=False)


def sendable(text: object) -> str:
    """Give a text that a browser can take: NUL and lone surrogates become U+FFFD."""
    shown = str(text).replace("\0", "\ufffd")
    return shown.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def esc(text: object) -> str:
    """Escape a text for HTML, in content and in quoted attributes.

    What a browser cannot take is replaced, as by `sendable`.
    """
    return escape(sendable(text), quote=True)


def as_typed(text: str) -> str:
    """Write a text so that Streamlit's labels, which read Markdown, show it as typed.

    Streamlit takes a label as it is written for the name that screen readers
    read out, so a mark that is no Markdown where it stands gets no backslash.
    """
    shown = sendable(text)
    plain = {match.end() - 1 for pattern in (_WITHIN_WORDS, _COLON) for match in pattern.finditer(shown)}
    return "".join(f"\\{character}" if character in _MARKUP and at not in plain else character for at, character in enumerate(shown))


def clickable(html: str, key: str, keys: Mapping[str, str] | None = None, then: Callable[[str], object] | None = None) -> str | None:
    """Show HTML; give the `data-go` of what was clicked since the last run, else None.

    `then` gets it before the page is drawn again, so a click that opens
    another page need not wait for this one.

    Elements with `data-go` get focus and answer to Enter. `keys` maps
    keyboard keys to targets, such as {"j": state.link("Inspect", item=4)}.
    Rows (`data-row`) are walked with J and K when `keys` does not take these.
    """

    def act() -> None:
        target: str | None = st.session_state[key].go
        if then is not None and target:
            then(target)

    result = _MOUNT(key=key, data={"html": html, "keys": dict(keys or {})}, on_go_change=act)
    clicked: str | None = result.go
    return clicked


def going(html: str, key: str, keys: Mapping[str, str] | None = None) -> None:
    """Show HTML and follow the `data-go` that was clicked, a target of `state.link`."""
    clickable(html, key, keys, then=state.follow)
