"""The parts of the Report page: what goes into the report, files to take along, and how to reproduce."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import streamlit as st

from evalcore import Preset, Scores, compare
from evalcore.analysis.reasons.find import Reasons
from evalcore.report.document import EXAMPLES, Chosen, groupings, report
from evalcore.report.export import to_csv, to_jsonl
from evalcore.report.html import as_html
from evalcore.report.markdown import as_markdown
from evalcore.report.parquet import to_parquet
from evalcore.report.replay import command, obstacles, paper_line, replay_script
from evalcore.report.workbook import MOST_ROWS, to_excel
from evalcore.text.amounts import amount
from pages.ui import clusters, labels, reasons, state, work
from pages.ui.click import sendable
from pages.ui.frame import problem
from pages.ui.store import Run

ITEMS, SETTINGS, SCRIPT = "whymiss-items.jsonl", "whymiss-settings.json", "replay.py"
MOST_EXAMPLES = 200
ALONE = "no other run"


def choices(run: Run, scores: Scores) -> Chosen | None:
    """Ask what goes into the report; None while the reasons are being found."""
    others = {each.key: each.title for each in state.runs() if each.key != run.key}
    groups = [slicing.name for slicing in state.found("groupings", groupings, 100 * len(scores))]
    named = f"report groups {run.key}"
    st.multiselect("Groups", groups, format_func=sendable, key=state.keep(named, groups))
    number, other = st.columns([1, 2], gap="medium")
    number.number_input("Examples", min_value=0, max_value=MOST_EXAMPLES, step=5, key=state.keep("report examples", EXAMPLES))
    options = [ALONE, *others]
    titled = {key: sendable(others.get(key, key)) for key in options}
    other.selectbox("Compare with", options, key=state.keep("report other", ALONE, options), format_func=titled.__getitem__, disabled=not others)
    clusters.choose()
    st.checkbox("Why items failed: reasons and their cost", key=state.keep("report reasons", work.is_small(scores)))
    commands = (command(scores.preset, ITEMS, SETTINGS, labels.in_force(run)),)
    groups = tuple(state.kept(named))
    chosen = Chosen(slices=groups, examples=int(state.kept("report examples")), near=state.selection().near, commands=commands, labels=labels.in_report())
    chosen = replace(chosen, clusters=clusters.chosen() or None)
    before = next((each for each in state.runs() if each.key == state.kept("report other")), None)
    if before is not None:
        chosen = _compared(chosen, before, run)
    if labels.being_counted():
        return None
    if not state.kept("report reasons"):
        return chosen
    found = reasons.diagnosis()
    if found is None:
        reasons.progress()
        return None
    return replace(chosen, reasons=found.reasons)


def _compared(chosen: Chosen, before: Run, after: Run) -> Chosen:
    try:
        comparison = compare(state.scores(before), state.scores(after))
    except ValueError as error:
        problem(error, "warning")
        return chosen
    return replace(chosen, comparison=comparison, names=(before.title, after.title))


def report_files(scores: Scores, chosen: Chosen | None) -> None:
    """Offer the report; it is written when it is asked for."""
    with st.container(horizontal=True, gap="small"):
        _download("HTML, one file", lambda: as_html(report(scores, chosen)), "whymiss-report.html", "text/html", chosen is not None, primary=True)
        _download("Markdown", lambda: as_markdown(report(scores, chosen)), "whymiss-report.md", "text/markdown", chosen is not None)


def item_files(scores: Scores, known: Reasons | None) -> None:
    """Offer all items in every format."""
    rows = np.arange(len(scores))
    with st.container(horizontal=True, gap="small"):
        _download("JSONL", lambda: to_jsonl(scores, rows, known), ITEMS, "application/jsonl", bool(len(rows)))
        _download("CSV", lambda: to_csv(scores, rows, known), "whymiss-items.csv", "text/csv", bool(len(rows)))
        _download("Parquet", lambda: to_parquet(scores, rows, known), "whymiss-items.parquet", "application/vnd.apache.parquet", bool(len(rows)))
        kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        _download("Excel", lambda: to_excel(scores, rows, known), "whymiss-items.xlsx", kind, 0 < len(rows) <= MOST_ROWS)
    if len(rows) > MOST_ROWS:
        problem(f"A sheet of Excel holds {MOST_ROWS:,} rows, and there are {amount(len(rows), 'item')}: take another format.", "info")


def _download(label: str, write: Callable[[], bytes], file: str, kind: str, ready: bool, primary: bool = False) -> None:
    st.download_button(
        label,
        write,
        file,
        kind,
        key=f"report_{file}",
        icon=":material/download:",
        disabled=not ready,
        on_click="ignore",
        type="primary" if primary else "secondary",
    )


def reproduction(run: Run, preset: Preset) -> None:
    """Show the line for a paper, the command, the settings and the script."""
    line = command(preset, ITEMS, SETTINGS, labels.in_force(run))
    _copied("For a paper", paper_line(preset))
    _copied(
        "On the command line, with the items as JSONL" + ("" if "--preset" in line else " and the settings"),
        line,
    )
    in_the_way = obstacles(preset)
    if in_the_way:
        problem(f"No script of its own can give these numbers: {'; '.join(in_the_way)}. The command above does.", "info")
    else:
        _copied("Without Whymiss: a script of its own", f"python {SCRIPT} {ITEMS}")
    script = "" if in_the_way else replay_script(preset)
    with st.container(horizontal=True, gap="small"):
        _download("Settings", lambda: preset.to_json().encode("utf-8", "backslashreplace"), SETTINGS, "application/json", True)
        _download("Script", script.encode, SCRIPT, "text/x-python", bool(script))
    with st.expander("The settings as JSON"):
        st.code(preset.to_json().encode("utf-8", "backslashreplace").decode(), language="json", height=300)
    if script:
        with st.expander("The script"):
            st.code(script, language="python", height=420)


def _copied(label: str, text: str) -> None:
    st.html(f'<div class="wm-cap">{label}</div>')
    st.code(text, language=None, wrap_lines=True)
