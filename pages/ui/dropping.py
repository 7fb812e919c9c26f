"""Where files are dropped on Home: what is accepted, what was read, and how its text is written."""

from collections.abc import Sequence

import streamlit as st

import evalcore
from evalcore.text.amounts import amount
from pages.ui import state, tray
from pages.ui.click import as_typed, clickable, esc, sendable
from pages.ui.store import HOURS_KEPT
from pages.ui.tables import mark
from pages.ui.tray import Dropped
from pages.ui.unseen import boxed

ACCEPTED = (
    "Logs and results of evaluation tools (lm-eval samples and results, Inspect .eval and .json, HELM, OpenCompass, lighteval, promptfoo and others), "
    "SQuAD data sets and predictions, JSON, JSONL, CSV, TSV, Excel (xlsx, xlsb, xls, ods), Parquet, Arrow and Feather; each also as .gz, .zst or .zip."
)
LEFT_SHOWN = 3


def files() -> None:
    """Ask for files and list them; say what could not be read."""
    held = tray.tray()
    dropped = st.file_uploader(
        "Files with predictions and references", accept_multiple_files=True, label_visibility="collapsed", key=f"home_upload_{held.round}"
    )
    if dropped:
        for file in dropped:
            with st.spinner(f"Reading {as_typed(file.name)}"):
                held.add(file.name, file.getvalue())
        held.round += 1
        st.rerun()
    st.html(f'<div class="wm-cap">{esc(ACCEPTED)} {esc(limits())}</div>')
    if held.files:
        clicked = clickable("".join(map(_card, held.files)), key="home_files")
        if clicked:
            held.remove(int(clicked))
            st.rerun()
    for file in held.files:
        _encoding(file)
        _sheet(file)
    with st.container(horizontal=True, gap="small"):
        if st.button("Try the sample", icon=":material/science:", help="124 questions in several languages, answered by two systems"):
            state.load_sample()
            state.choose_preset(evalcore.preset(state.DEFAULT_PRESET))
            state.go("Overview")
        if held.files and st.button("Start over", icon=":material/restart_alt:"):
            held.clear()
            st.rerun()


def limits() -> str:
    """Say how large a file may be, and how long it is kept."""
    most = st.get_option("server.maxUploadSize")
    return (
        f"Up to {most:,} MB a file (server.maxUploadSize sets it); the command line takes larger ones. "
        f"A link to an upload works for {HOURS_KEPT} hours after its last use; nothing is written to disk."
    )


def _card(file: Dropped) -> str:
    size = f"{file.size / 1e6:.1f} MB" if file.size >= 1e5 else f"{file.size / 1e3:.1f} kB"
    remove = f'<button class="wm-x" data-go="{file.number}" aria-label="Remove {esc(file.name)}">×</button>'
    said = [f'<div class="wm-say wm-error" role="alert">{esc(file.error)}</div>'] if file.error else []
    if file.settings:
        said.append(f'<div class="wm-cap">{size} · lm-eval results: settings of {_named(list(file.settings))}, to choose under Preset</div>')
        said += [f'<div class="wm-cap">cannot be replayed: {esc(left)}</div>' for left in file.left[:LEFT_SHOWN]]
    elif file.table is not None:
        bad = f" · {amount(len(file.table.bad_rows), 'row')} could not be read" if file.table.bad_rows else ""
        written = f" · read as {esc(file.table.encoding)}" if file.table.encoding not in ("", "UTF-8") else ""
        said.append(f'<div class="wm-cap">{size} · {amount(len(file.table), "row")}{bad}{written} · {esc(file.table.recognised)}</div>')
    kind = "bad" if file.error else "ok"
    return f'<div class="wm-file">{mark(kind)}<div class="wm-grow"><b>{boxed(file.name)}</b>{"".join(said)}</div>{remove}</div>'


def _named(settings: Sequence[tuple[str, str]]) -> str:
    shown = ", ".join(f"{task} ({name})" for task, name in settings[:2])
    return esc(shown if len(settings) <= 2 else f"{shown} and {len(settings) - 2} more")


def _encoding(file: Dropped) -> None:
    """Ask how a file is written, where that was a guess."""
    if file.table is None or len(file.table.encodings) < 2:
        return
    now, key = file.table.encoding, f"home_encoding_{file.number}"
    st.selectbox(
        f"Encoding of {as_typed(file.name)}",
        file.table.encodings,
        index=file.table.encodings.index(now),
        key=key,
        on_change=lambda: tray.tray().read_again(file.number, st.session_state[key]),
        help="It was guessed from the bytes; choose another one where letters look wrong.",
    )


def _sheet(file: Dropped) -> None:
    """Ask which sheet of a workbook is read, where it has several."""
    if file.table is None or len(file.table.sheets) < 2:
        return
    key = f"home_sheet_{file.number}"
    st.selectbox(
        f"Sheet of {as_typed(file.name)}",
        file.table.sheets,
        index=file.table.sheets.index(file.table.sheet),
        key=key,
        format_func=sendable,
        on_change=lambda: tray.tray().read_again(file.number, sheet=st.session_state[key]),
        help="The first sheet with rows was read; choose another one where the answers stand there.",
    )


def belongings(groups: Sequence[Sequence[Dropped]]) -> None:
    """Ask to which predictions a file belongs that only adds columns, where there are several."""
    held = tray.tray()
    held.belongs = {}
    heads = {group[0].number: group[0].name for group in groups}
    if len(heads) < 2:
        return
    for place, file in enumerate(held.additions):
        default = list(heads)[min(place, len(heads) - 1)]
        key = state.keep(f"home_belongs_{file.number}", default, heads)
        chosen = st.selectbox(f"{as_typed(file.name)} belongs to", list(heads), format_func=lambda number: sendable(heads[number]), key=key)
        held.belongs[file.number] = chosen
