"""The steps as controls: switch, side, parameters, order."""

from typing import Any

import streamlit as st

from evalcore import CATALOGUE, Step, UnknownName
from evalcore.scoring.presets import require_limit
from evalcore.text.aliases import AliasError, read_aliases, write_aliases
from evalcore.text.steps import SIDES, Entry, Parameter
from pages.ui import lab, state
from pages.ui.click import as_typed, esc, sendable
from pages.ui.frame import problem
from pages.ui.lab import Bench
from pages.ui.tables import Markup

SIDE_NAMES = {"both": "Both sides", "prediction": "Prediction only", "reference": "Reference only"}


def steps(rows: tuple[Bench, ...]) -> None:
    """Draw every step with its controls."""
    if not rows:
        st.html('<div class="wm-cap">No steps: the strings are compared as they are. Add one below.</div>')
    opened = state.kept("lab opened")
    with st.container(border=True, gap=None):
        for place, row in enumerate(rows):
            _row(place, row, len(rows), opened == row.number)


def _row(place: int, row: Bench, rows: int, opened: bool) -> None:
    with st.container(key=f"lab_row_{row.number}", gap=None):
        with st.container(horizontal=True, wrap=False, gap="xxsmall", vertical_alignment="center"):
            st.session_state[f"lab:{row.number}:on"] = row.on
            name = f"{place + 1}. {_plain(row.step)}"
            st.toggle(name, key=f"lab:{row.number}:on", on_change=lab.switch, args=(row.number,), width="stretch")
            _button(row, "edit", "tune", f"Change {row.step.title}", _open, (None if opened else row.number,), False)
            _button(row, "up", "keyboard_arrow_up", f"Move {row.step.title} up", lab.move, (row.number, -1), place == 0)
            _button(row, "down", "keyboard_arrow_down", f"Move {row.step.title} down", lab.move, (row.number, 1), place == rows - 1)
            _button(row, "remove", "close", f"Remove {row.step.title}", lab.remove, (row.number,), False)
        if opened:
            with st.container(gap="xsmall", key=f"lab_form_{row.number}"):
                _form(row)


def _plain(step: Step) -> str:
    """Write a step's title so that Streamlit's labels show it as typed."""
    side = "" if step.side == "both" else f" ({step.side} only)"
    return as_typed(step.title[:80] + side)


def _button(row: Bench, name: str, icon: str, tip: str, do: Any, args: tuple[Any, ...], disabled: bool) -> None:
    safe = "".join(character for character in tip if character.isalnum() or character in " :,")
    st.button("", key=f"lab:{row.number}:{name}", icon=f":material/{icon}:", help=safe, type="tertiary", on_click=do, args=args, disabled=disabled)


def _open(number: int | None) -> None:
    state.seed("lab opened", number)


def _form(row: Bench) -> None:
    """Draw side and parameters of a step, and what is wrong with them."""
    entry = row.step.entry
    st.html(Markup(f'<div class="wm-cap">{esc(entry.summary)}{_note(entry, "Differs")}{_note(entry, "Range")}{_note(entry, "Source")}</div>'))
    _seed(row, "side", row.step.side)
    st.selectbox("Acts on", SIDES, format_func=SIDE_NAMES.__getitem__, key=_key(row, "side"), on_change=_changed, args=(row.number,))
    for parameter in entry.parameters:
        _field(row, parameter)
    error = state.kept("lab errors", {}).get(row.number)
    if error:
        problem(f"Not in force: {error}")


def _note(entry: Entry, label: str) -> str:
    return f"<br>{label}: {esc(entry.note(label))}" if entry.note(label) else ""


def _key(row: Bench, name: str) -> str:
    return f"lab:{row.number}:p:{name}"


def _seed(row: Bench, name: str, value: Any) -> None:
    if _key(row, name) not in st.session_state:
        st.session_state[_key(row, name)] = value


def _field(row: Bench, parameter: Parameter) -> None:
    """Ask for one parameter by its kind."""
    value = dict(row.step.parameters)[parameter.name]
    label, key = parameter.name.replace("_", " ").capitalize(), _key(row, parameter.name)
    _seed(row, parameter.name, _shown(value))
    asked: dict[str, Any] = {"key": key, "on_change": _changed, "args": (row.number,)}
    if parameter.kind == "choice":
        st.selectbox(label, parameter.choices, **asked)
    elif parameter.kind == "flag":
        st.checkbox(label, **asked)
    elif parameter.kind == "number":
        st.number_input(label, step=1, **asked)
    elif parameter.kind == "words":
        st.text_area(f"{label}, one a line", height=96, **asked)
    elif parameter.kind == "table":
        st.file_uploader(
            "Load a CSV file with the columns canonical and alias", type=["csv", "tsv", "txt"], key=f"{key}:file", on_change=_uploaded, args=(row.number, key)
        )
        st.text_area(f"{label}, as CSV: canonical,alias", height=160, **asked)
    else:
        st.text_input(label, max_chars=2000, **asked)


def _changed(number: int) -> None:
    """Take the values of a step's fields; what is wrong stays in the field, and the old step in force."""
    row = next((row for row in lab.bench() if row.number == number), None)
    if row is None:
        return
    errors = dict(state.kept("lab errors", {}))
    errors.pop(number, None)
    try:
        values = {p.name: _value(p, dict(row.step.parameters)[p.name], st.session_state[_key(row, p.name)]) for p in row.step.entry.parameters}
        changed = row.step.with_parameters(**values).on(st.session_state[_key(row, "side")])
        require_limit(changed)
    except (ValueError, UnknownName, LookupError) as error:
        errors[number] = str(error)
    else:
        lab.change(number, changed)
    state.seed("lab errors", errors)


def _uploaded(number: int, field: str) -> None:
    """Put an alias file into its field; a file that cannot be used changes nothing and says why, with its lines."""
    file = st.session_state.get(f"{field}:file")
    if file is None:
        return
    errors = dict(state.kept("lab errors", {}))
    try:
        table = read_aliases(file.getvalue())
    except AliasError as error:
        errors[number] = f"{file.name}: {error}"
        state.seed("lab errors", errors)
        return
    st.session_state[field] = _shown(table)
    _changed(number)


def _shown(value: Any) -> Any:
    """Give a parameter's value as its field takes it: words one a line, texts as a browser can take them."""
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        value = write_aliases(value)
    elif isinstance(value, tuple):
        value = "\n".join(value)
    return sendable(value) if isinstance(value, str) else value


def _value(parameter: Parameter, old: Any, typed: Any) -> Any:
    """Give what a field says; a field that was not touched says the old value."""
    if typed == _shown(old):
        return old
    if parameter.kind == "words":
        return tuple(line.strip() for line in str(typed).split("\n") if line.strip())
    if parameter.kind == "table":
        return read_aliases(str(typed)) if str(typed).strip() else ()
    return typed


def adder() -> None:
    """Offer the steps of the catalogue, by group."""
    names = [name for name, entry in CATALOGUE.items() if _has_default(entry)]
    with st.container(horizontal=True, wrap=False, gap="small", vertical_alignment="bottom"):
        st.selectbox(
            "Add a step",
            names,
            format_func=lambda name: f"{CATALOGUE[name].group.capitalize()} › {CATALOGUE[name].title}",
            key=state.keep("lab add", names[0], names),
            width="stretch",
        )
        st.button("Add", key="lab:add", icon=":material/add:", on_click=_add)
    chosen = CATALOGUE[state.kept("lab add", names[0])]
    st.html(f'<div class="wm-cap">{esc(chosen.summary)}</div>')


def _has_default(entry: Entry) -> bool:
    """Tell whether the step can be made before its parameters are chosen."""
    try:
        Step(entry)
    except (ValueError, UnknownName, LookupError, ImportError):
        return False
    return True


def _add() -> None:
    lab.add(Step(CATALOGUE[state.kept("lab add")]))
    state.seed("lab opened", lab.bench()[-1].number)
