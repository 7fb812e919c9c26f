"""The settings of a results file, offered as a preset."""

from collections.abc import Sequence

import streamlit as st

import evalcore
from evalcore import Preset
from pages.ui import presets, state, tray
from pages.ui.click import sendable
from pages.ui.tray import Dropped

BASE = "lm_eval.exact_match_default"
RAW = "response"
NO_REPLAY = ("", "")


def choice(group: Sequence[Dropped], key: str) -> Preset | None:
    """Ask whether the settings of a results file are replayed, and describe them; None for no.

    They say what happens to the raw output, so that becomes the prediction
    with the choice, where the samples have it. The preset is the tool's exact
    match with the file's steps, so that links and exports can say it.
    """
    settings = tray.tray().settings
    if not settings:
        return None
    options = [NO_REPLAY, *settings]
    kept = state.keep(f"{key}_replay", NO_REPLAY, options)
    chosen = st.selectbox(
        "Settings of the results file",
        options,
        format_func=lambda name: sendable(f"{name[0]} ({name[1]})") if name != NO_REPLAY else "not used",
        key=kept,
        on_change=_on_change,
        args=(group, key, kept),
        help="What the file says about a task and filter, replayed on the raw output.",
    )
    if chosen == NO_REPLAY:
        return None
    presets.described(settings[chosen])
    return evalcore.preset(BASE).with_steps(settings[chosen].pipeline)


def _on_change(group: Sequence[Dropped], key: str, kept: str) -> None:
    """Take the raw output for the prediction, or what was guessed again."""
    head = group[0].table if group else None
    if head is not None and RAW in head.names:
        replayed = st.session_state[kept] != NO_REPLAY
        state.seed(f"{key}_prediction", [RAW] if replayed else list(tray.guessed(group)[0].predictions))
