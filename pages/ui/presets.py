"""Choose a preset: one box that searches, filters beside it, and what the chosen one does."""

import re
from collections.abc import Callable, Sequence

import streamlit as st

import evalcore
from evalcore import Preset
from evalcore.scoring.presets import finding
from evalcore.scoring.presets.document import facts, rule_texts, step_text
from evalcore.scoring.presets.finding import Wanted
from pages.ui import state
from pages.ui.click import esc
from pages.ui.tables import Markup, mark, table

ANY = ""
FILTERS = (("family", "Family"), ("language", "Language"), ("dataset", "Data set"), ("measure", "Counts as right"))


def choose(key: str, current: str, label: str = "Preset", on_change: Callable[[], None] | None = None) -> Preset:
    """Ask for a preset; the filters are kept for all places where presets are chosen.

    `key` is the session key of the box, set to `current` where it has no
    value. Filters never change the choice: the current one is always offered.
    """
    every = {preset.name: preset for preset in evalcore.presets()}
    now = st.session_state.get(key, current)
    with st.container(horizontal=True, wrap=False, gap="small", vertical_alignment="bottom", key=f"presets_{key}"):
        place = st.container(width="stretch")
        with st.popover(_popover_label(), icon=":material/filter_alt:", help="By family, language, data set, what counts as right, or words"):
            wanted = _filters()
    fitting = [preset.name for preset in finding.found(wanted)]
    options = fitting if now in fitting else [now, *fitting]
    if st.session_state.get(key) not in options:
        st.session_state[key] = now if now in options else current
    with place:
        chosen = st.selectbox(label, options, format_func=lambda name: title(every[name]), key=key, on_change=on_change)
    return every[chosen]


def title(preset: Preset) -> str:
    """Name a preset in a list: title, family where the title does not say it, and what it measures when it is not EM."""
    family = "" if preset.family.casefold() in preset.title.casefold() else f" · {preset.family}"
    measure = "" if preset.measure == "exact match" else f" · {finding.measure_name(preset)}"
    return f"{preset.title or preset.name}{family}{measure}"


def _popover_label() -> str:
    wanted = _wanted()
    total = len(evalcore.presets())
    return f"All {total}" if wanted.is_anything else f"{len(finding.found(wanted))} of {total}"


def _wanted() -> Wanted:
    names = (*(name for name, _ in FILTERS), "words")
    return Wanted(**{name: state.kept(f"presets {name}", ANY) or ANY for name in names})


def _filters() -> Wanted:
    """Ask for the parts of a preset; every box offers only what the other ones leave."""
    st.text_input("Words", key=state.keep("presets words", ""), placeholder="in name, description or source", max_chars=100)
    for name, label in FILTERS:
        left = finding.found(Wanted(**{**_wanted().__dict__, name: ANY}))
        offered = {"family": finding.families, "language": finding.languages, "dataset": finding.datasets, "measure": finding.measures}[name](left)
        options = [ANY, *offered]
        st.selectbox(label, options, format_func=lambda value, name=name: _shown(name, value), key=state.keep(f"presets {name}", ANY, options))
    if not _wanted().is_anything:
        st.button("Clear", icon=":material/filter_alt_off:", key="presets_clear", on_click=_clear)
    found = len(finding.found(_wanted()))
    fit = "fits" if found == 1 else "fit"
    st.html(f'<div class="wm-cap">{found} of {len(evalcore.presets())} presets {fit}{"" if found else "; clear a filter to see others"}.</div>')
    return _wanted()


def _shown(name: str, value: str) -> str:
    if value == ANY:
        return "any"
    return finding.language_name(value) if name == "language" else value


def _clear() -> None:
    for name in (*(name for name, _ in FILTERS), "words"):
        state.seed(f"presets {name}", ANY)


def described(preset: Preset, notes: Sequence[tuple[str, object]] = ()) -> None:
    """Show what a preset does, what to mind, and how it differs; its steps and rules to open.

    `notes`: further lines as kind of mark and text, shown first.
    """
    lines = [(kind, esc(note)) for kind, note in notes]
    lines.append(("ok", with_code(preset.summary)))
    lines += [("odd", with_code(caution)) for caution in finding.cautions(preset)]
    lines += [("odd", f"Differs: {with_code(preset.differs)}")] if preset.differs else []
    st.html("".join(f'<div class="wm-note">{mark(kind)}<span>{line}</span></div>' for kind, line in lines))
    with st.expander("Steps, rules and source"):
        st.html(sheet(preset))


def with_code(note: str) -> str:
    """Give a text of our own, what stands between backticks set as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", esc(note))


def sheet(preset: Preset) -> Markup:
    """Give steps, rules, source and neighbours of a preset as a table."""
    steps = [[number, step_text(step)] for number, step in enumerate(preset.pipeline, 1)] or [["", "no steps: texts are compared as they are"]]
    rows = [["", text] for text in rule_texts(preset)]
    told = [[label, text] for label, text in facts(preset) if text and label not in ("Differs", "Signature")]
    told.insert(0, ["Languages", ", ".join(map(finding.language_name, preset.languages)) or "any"])
    return Markup(table(["", "Steps"], steps) + table(["", "Rules"], rows) + table(["About", ""], told))
