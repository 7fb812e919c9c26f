"""The settings as a whole: preset, rules, JSON."""

from typing import Any

import streamlit as st

import evalcore
from evalcore import Preset, UnknownName
from evalcore.scoring.preset import RULES
from evalcore.scoring.presets import changes
from evalcore.text.tokens import TOKENIZERS
from pages.ui import lab, presets, state
from pages.ui.click import esc
from pages.ui.frame import problem

NAMES = {
    "missing": "Missing predictions",
    "tokenizer": "Tokenizer",
    "match": "EM is 1 when",
    "overlap": "F1 counts tokens as",
    "tokens_from": "Tokens are cut from",
    "empty": "Both sides without tokens",
    "gate": "F1 is 0 in spite of common tokens",
    "references": "Several references",
    "empty_references": "References that become empty",
    "no_references": "Items without references",
    "no_answer_text": "A reference that means no answer",
    "empty_prediction": "An empty raw prediction",
    "rounding": "F1 of an item is rounded",
}
VALUES = {
    ("match", "equal"): "both sides are equal",
    ("match", "contains"): "the reference stands in the prediction",
    ("match", "token_run"): "the reference's tokens stand in a row in the prediction",
    ("match", "spelling"): "the reference stands in it as is, lower or capitalized",
    ("match", "none"): "never: this scorer has no EM",
    ("overlap", "bag"): "a bag (as often as they stand)",
    ("overlap", "set"): "a set (once each)",
    ("overlap", "run"): "the longest shared run",
    ("overlap", "none"): "nothing: this scorer has no F1",
    ("tokens_from", "normalized"): "the normalized text",
    ("tokens_from", "raw"): "the raw text, then normalized one by one",
    ("empty", "v1"): "F1 0 (v1)",
    ("empty", "v2"): "F1 1 (v2)",
    ("gate", "none"): "never",
    ("gate", "numbers"): "when no number of the reference is there",
    ("gate", "yes_no"): "when one side is yes, no or noanswer",
    ("references", "max"): "the best one counts",
    ("references", "leave_one_out"): "mean over leaving each one out",
    ("references", "leave_one_out_f1"): "mean over leaving each one out, F1 only",
    ("references", "spans"): "are spans of one answer",
    ("empty_references", "keep"): "are kept",
    ("empty_references", "drop"): "are dropped",
    ("empty_references", "drop_blank"): "are dropped where blank",
    ("no_references", "unscored"): "are not scored",
    ("no_references", "no_answer"): "have no answer: empty is right",
    ("no_references", "zero"): "score 0",
    ("no_answer_text", "none"): "there is none",
    ("empty_prediction", "compare"): "is compared as any other",
    ("empty_prediction", "wrong_if_empty"): "is wrong",
    ("empty_prediction", "wrong_if_blank"): "is wrong, a blank one too",
    ("missing", "leave_out"): "are left out of the score",
    ("missing", "wrong"): "count as wrong",
    ("rounding", "none"): "not at all",
    ("rounding", "hundredths"): "to two decimals of 0..1",
    ("rounding", "hundredths_of_percent"): "to two decimals of 0..100",
}


def start() -> None:
    """Choose a preset to start from; reset; pin."""
    current = state.settings()
    steps = len(changes(current))
    st.session_state["settings_preset"] = current.name
    presets.choose("settings_preset", current.name, "Start from", _on_preset)
    said = f"changed: {'; '.join(changes(current))}" if steps else "as published"
    presets.described(current)
    st.html(f'<div class="wm-cap">{esc(said[:1].upper() + said[1:])}. Compared with {esc(_named(state.pinned()))}.</div>')
    with st.container(horizontal=True, wrap=False, gap="small"):
        st.button("Reset", key="settings_reset", icon=":material/undo:", on_click=_reset, disabled=not steps, help="Back to the preset as published")
        st.button("Pin", key="settings_pin", icon=":material/keep:", on_click=_pin, help="Compare with the settings in force from now on")


def _named(preset: Preset) -> str:
    steps = len(changes(preset))
    return f"{preset.title or preset.name}{f', changed: {steps}' if steps else ', as published'}"


def _use(preset: Preset) -> None:
    state.set_settings(preset)
    lab.clear()


def _on_preset() -> None:
    chosen = evalcore.preset(st.session_state["settings_preset"])
    _use(chosen.with_rules(missing=state.settings().missing))


def _reset() -> None:
    _use(evalcore.preset(state.settings().name))


def _pin() -> None:
    state.pin(state.settings())


def rules() -> None:
    """Choose the rules of the score; rules with one choice are not asked."""
    choices: dict[str, tuple[str, ...]] = {"tokenizer": tuple(TOKENIZERS), **RULES}
    asked = [name for name in dict.fromkeys((*NAMES, *choices)) if len(choices.get(name, ())) > 1]
    for column, names in zip(st.columns(2, gap="small"), (asked[::2], asked[1::2]), strict=True):
        with column:
            for name in names:
                _rule(name, choices[name])
    error = state.kept("rule error", "")
    if error:
        problem(f"Not in force: {error}")


def _rule(name: str, choices: tuple[str, ...]) -> None:
    st.session_state[f"settings_{name}"] = getattr(state.settings(), name)
    st.selectbox(_label(name), choices, format_func=lambda value: _value(name, value), key=f"settings_{name}", on_change=_on_rule, args=(name,))


def _label(name: str) -> str:
    return NAMES.get(name, name.replace("_", " ").capitalize())


def _value(name: str, value: str) -> str:
    if name == "tokenizer":
        return f"{value.replace('_', ' ')}: {TOKENIZERS[value].summary}"
    return VALUES.get((name, value), value.replace("_", " "))


def _on_rule(name: str) -> None:
    try:
        state.set_settings(state.settings().with_rules(**{name: st.session_state[f"settings_{name}"]}))
    except (ValueError, UnknownName) as error:
        state.seed("rule error", str(error))
    else:
        state.seed("rule error", "")


def exchange() -> None:
    """Copy, download and load the settings."""
    current = state.settings()
    written = current.to_json().encode("utf-8", "backslashreplace")  # JSON's own escape for a lone surrogate.
    st.code(written.decode(), language="json", height=220)
    st.download_button("Download the settings", written, f"whymiss-{current.name}.json", "application/json", key="settings_download", on_click="ignore")
    file = st.file_uploader("Load settings from a file", type=["json"], key="settings_file", max_upload_size=1)
    st.text_area("or paste them here", key="settings_pasted", height=96, max_chars=100_000)
    st.button("Load", key="settings_load", on_click=_load, args=(None if file is None else file.getvalue(),))
    message, kind = state.kept("settings loaded", ("", ""))
    if message:
        problem(message, kind)


def _load(content: bytes | None) -> None:
    """Take settings from the pasted text, else from the file."""
    pasted = st.session_state.get("settings_pasted", "").strip()
    try:
        loaded = read_settings(pasted or content)
    except (ValueError, TypeError, UnknownName, LookupError) as error:
        state.seed("settings loaded", (f"Nothing was loaded: {error}", "error"))
        return
    _use(loaded)
    state.seed("settings loaded", (f"Loaded: {loaded.signature}", "success"))


def read_settings(source: str | bytes | None) -> Preset:
    """Read settings as JSON, on the preset they name.

    Raises: ValueError, TypeError or UnknownName saying which part is wrong.
    """
    if not source:
        raise ValueError("choose a file or paste settings first")
    try:
        text = source.decode("utf-8-sig") if isinstance(source, bytes) else source
    except UnicodeDecodeError as error:
        raise ValueError(f"the file is no UTF-8 text: byte {error.start} cannot be read; save the settings from this page to see the form") from None
    return evalcore.preset(_preset_name(text)).from_json(text)


def _preset_name(text: str) -> str:
    import json

    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return state.settings().name
    name = value.get("preset") if isinstance(value, dict) else None
    return name if isinstance(name, str) else state.settings().name
