"""The parts of the Home page."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

import evalcore
from evalcore import Dataset, Preset
from evalcore.analysis.suggestion import suggest
from evalcore.data import DataError, JoinReport, Listing, Loaded, Mapping
from evalcore.text.amounts import amount
from pages.ui import dropping, logged, presets, replays, splitting, state, tray
from pages.ui.click import clickable, sendable
from pages.ui.frame import problem, section
from pages.ui.store import Run
from pages.ui.tables import Markup, called, goto, mark, table, text
from pages.ui.tray import Dropped

NO_COLUMN = "(none)"
PAIRING = {"": "by what both have", "id": "by id", "question": "by the text of the question", "position": "by position"}
SPLITS = {
    "": "one text a cell",
    "json": "a list written in the cell",
    "|": "split at |",
    ";": "split at ;",
    ",": "split at ,",
    "\n": "one a line",
    "other": "split at …",
}
MISSING = {"leave_out": "leave out", "wrong": "count as wrong"}
PREVIEWED = 5
COLUMNS = 8
LISTED = 200


def paired() -> tuple[Dropped, ...]:
    """Ask which files belong together; give the pair whose mapping is shown."""
    read = tray.tray().read
    choices = tray.references_choices(read)
    choice = st.selectbox("References come from", choices, key=state.keep("home_references", choices[0], choices)) if choices else None
    groups = tray.pairs(read, choice)
    dropping.belongings(groups)
    if len(groups) < 2:
        return groups[0] if groups else ()
    heads = {group[0].number: group for group in groups}
    names = dict(zip(heads, tray.titles([group[0] for group in groups]), strict=True))
    key = state.keep("home_shown", next(iter(heads)), heads, names.__getitem__)
    return heads[st.selectbox("Predictions to look at", list(heads), format_func=names.__getitem__, key=key)]


def loaded(group: Sequence[Dropped], ours: Mapping, theirs: Mapping | None, how: str | None) -> list[Loaded]:
    """Load all files, show what became of the pair in view, and give everything loaded.

    Raises: DataError for the pair in view.
    """
    shown = tray.load(group, ours, theirs, how)
    for warning in shown.warnings:
        problem(warning, "warning")
    report, dataset = shown.report, shown.datasets[0]
    if len(shown.datasets) > 1:
        systems = [sendable(system) for system in shown.systems]
        key = state.keep("home_system", 0, range(len(systems)), systems.__getitem__)
        number = st.selectbox("System", range(len(systems)), format_func=systems.__getitem__, key=key)
        report, dataset = shown.reports[number], shown.datasets[number]
    join_report(report, "home_loaded")
    splitting.preview(shown)
    section("First rows", "as they were understood")
    first_rows(dataset)
    return [shown, *_others(group, shown, ours)]


def _others(group: Sequence[Dropped], shown: Loaded, ours: Mapping) -> list[Loaded]:
    """Load the other pairs of the tray, under the mapping in view where they have its columns; say which cannot be."""
    read = tray.tray().read
    found = []
    for other in tray.pairs(read, state.kept("home_references") if len(read) > 1 else None):
        if tuple(other) == tuple(group):
            continue
        guess, guessed_references = tray.guessed(other)
        same = set(ours.columns) <= set(_names(other[0]))
        references = shown.references_mapping if len(other) > 1 and other[-1] is group[-1] else guessed_references
        try:
            found.append(tray.load(other, ours if same else guess, references, None))
        except DataError as error:
            problem(f"{other[0].name} is left out: {error}")
    return found


def mapping(group: Sequence[Dropped]) -> tuple[Mapping, Mapping | None, str | None]:
    """Ask for the role of every column, starting from what was guessed."""
    ours, theirs = tray.guessed(group)
    first, last, given = group[0], group[-1], theirs or ours
    key = _key(group)
    columns = st.columns(3) + st.columns(3) + st.columns(3)
    with columns[0]:
        identity = _column("id" if theirs is None else "id of the predictions", first, ours.id, key)
    with columns[1]:
        predictions = _several("prediction", first, ours.predictions, key)
    with columns[2]:
        references = _several("references", last, given.references, key)
    with columns[3]:
        question = _column("question", last, given.question, key)
    with columns[4]:
        context = _column("context", last, given.context, key)
    with columns[5]:
        separator = _separator(given.separator, key)
    with columns[6]:
        where = _where(first, key)
    own = replace(ours, id=identity, predictions=predictions, where=where)
    if theirs is None:
        return replace(own, references=references, question=question, context=context, separator=separator), None, None
    with columns[7]:
        other = _column("id of the references", last, theirs.id, key)
    with columns[8]:
        how = st.selectbox("pair the files", list(PAIRING), format_func=PAIRING.__getitem__, key=state.keep(f"{key}_how", "", PAIRING)) or None
        if how == "question":
            own = replace(own, question=_column("question of the predictions", first, ours.question, key))
    asked = replace(theirs, id=other, predictions=(), references=references, question=question, context=context, separator=separator)
    return replace(own, references=()), asked, how


def _names(file: Dropped) -> list[str]:
    return list(file.table.names) if file.table is not None else []


def _column(role: str, file: Dropped, guessed: str | None, key: str) -> str | None:
    options = [NO_COLUMN, *_names(file)]
    chosen = st.selectbox(role, options, format_func=sendable, key=state.keep(f"{key}_{role}", guessed or NO_COLUMN, options))
    return None if chosen == NO_COLUMN else chosen


def _several(role: str, file: Dropped, guessed: tuple[str, ...], key: str) -> tuple[str, ...]:
    options = _names(file)
    return tuple(st.multiselect(role, options, format_func=sendable, key=state.keep(f"{key}_{role}", list(guessed)), placeholder="choose a column"))


def _separator(guessed: str | None, key: str) -> str | None:
    known = (guessed or "") if (guessed or "") in SPLITS else "other"
    chosen = st.selectbox("references in a cell", list(SPLITS), format_func=SPLITS.__getitem__, key=state.keep(f"{key}_split", known, SPLITS))
    if chosen != "other":
        return chosen or None
    return st.text_input("split at", key=state.keep(f"{key}_separator", guessed or "/")) or None


def _where(file: Dropped, key: str) -> tuple[tuple[str, str], ...]:
    options = [NO_COLUMN, *_names(file)]
    column = st.selectbox("keep only rows where", options, format_func=sendable, key=state.keep(f"{key}_where", NO_COLUMN, options))
    if column == NO_COLUMN or file.table is None:
        return ()
    value = st.text_input("is exactly", key=state.keep(f"{key}_value", ""), help="as in the file; true and false for truth values")
    return ((column, value),) if value else ()


def preset_choice(data: Dataset, group: Sequence[Dropped] = ()) -> Preset:
    """Ask for the preset, and what missing predictions count.

    Files just dropped start from a suggestion, a run that is loaded from
    the settings in force.
    """
    suggested = suggest(data, [file.name for file in group])
    start, missing = (suggested.preset, "leave_out") if group else (state.settings().name, state.settings().missing)
    key = _key(group)
    replayed = replays.choice(group, key)
    if replayed is not None:
        return replayed.with_rules(missing=_missing(key, missing))
    chosen = presets.choose(state.keep(f"{key}_preset", start, [preset.name for preset in evalcore.presets()]), start)
    notes: list[tuple[str, object]] = [("odd", caution) for caution in suggested.cautions]
    if chosen.name == suggested.preset:
        notes.insert(0, ("none", f"Suggested because {suggested.because}."))
    elif group:
        notes.insert(0, ("none", f"{evalcore.preset(suggested.preset).title} was suggested because {suggested.because}."))
    presets.described(chosen, notes)
    return chosen.with_rules(missing=_missing(key, missing))


def _missing(key: str, start: str) -> str:
    kept = state.keep(f"{key}_missing", start, MISSING)
    return st.radio("Missing predictions", list(MISSING), format_func=MISSING.__getitem__, key=kept, horizontal=True)


def _key(group: Sequence[Dropped]) -> str:
    return f"home_{'_'.join(str(file.number) for file in group)}"


def score_button(found: Sequence[Loaded], preset: Preset) -> None:
    """Offer to score all that was loaded."""
    items = sum(len(dataset) for loaded in found for dataset in loaded.datasets)
    if st.button(f"Score {amount(items, 'item')}", type="primary", icon=":material/arrow_forward:", icon_position="right", disabled=not items):
        _enter(found, preset)
        state.go("Overview")


def _enter(found: Sequence[Loaded], preset: Preset, key: str | None = None) -> None:
    """Load everything as runs under a preset; the run of the key, or the first, becomes active."""
    added = [run for loaded in found for run in state.add_runs(loaded)]
    state.choose_run(key or added[0].key)
    state.choose_preset(preset)


def logged_scores(found: Sequence[Loaded], preset: Preset) -> None:
    """Hold the scores another tool logged for the system in view against ours."""
    number = state.kept("home_system", 0) if len(found[0].datasets) > 1 else 0
    run = tray.tray().preview(found[0], number)
    logged.compared(run, preset, lambda: _enter(found, preset, run.key))


def use_button(run: Run, preset: Preset) -> None:
    """Offer to show a loaded run under another preset."""
    if st.button(f"Score {amount(len(run.dataset), 'item')}", type="primary", icon=":material/arrow_forward:", icon_position="right"):
        state.choose_preset(preset)
        state.go("Overview")


def join_report(report: JoinReport, key: str) -> None:
    """Show what became of every row; each number opens its list."""
    joined = {"one file": "predictions and references in one file"}.get(report.how, f"paired {report.how}")
    section("Join report", joined)
    lists = {name: listing for name, listing in report.listings.items() if len(listing)}
    rows: list[list[object]] = [[mark("ok"), "items", report.items, ""], [mark("ok"), "with a row on both sides", report.matched, ""]]
    for name, listing in lists.items():
        examples = ", ".join(identity or place for identity, place, _ in listing.rows(3)) + (" …" if len(listing) > 3 else "")
        rows.append([mark("bad"), name, goto(len(listing), name, f"List the {amount(len(listing), 'row')}"), text(examples, 60)])
    st.html(_shares(report))
    clicked = clickable(table(["", "What", "Rows", "For example"], rows, numbers=(2,), label="Join report"), key=f"{key}_report")
    if clicked:
        state.seed("home_listing", None if state.kept("home_listing") == clicked else clicked)
    shown = state.kept("home_listing")
    if shown in lists:
        _listing(shown, lists[shown])


def _shares(report: JoinReport) -> str:
    lost = len(report.predictions_without_reference) + len(report.references_without_prediction)
    odd = len(report.bad_rows) + len(report.unscorable)
    parts = ((report.matched, "match-fill"), (lost, "miss-fill"), (odd, "doubt-fill"))
    return '<div class="wm-share">' + "".join(f'<i style="flex:{number};background:var(--wm-{colour})"></i>' for number, colour in parts if number) + "</div>"


def _listing(name: str, listing: Listing) -> None:
    rows = [[text(identity or None, 80), place, reason] for identity, place, reason in listing.rows(LISTED)]
    total = len(listing)
    section(name, f"{min(total, LISTED):,} of {total:,}")
    reasons = any(row[2] for row in rows)
    heads = ["Id", "Place", "Reason"] if reasons else ["Id", "Place"]
    with st.container(height=260 if total > 8 else "content"):
        st.html(table(heads, [row[: len(heads)] for row in rows]))
    if total > LISTED:
        lines = ("\t".join(row) for row in listing.rows())
        st.download_button("Download the whole list", lambda: "\n".join(lines), file_name="list.tsv", icon=":material/download:")


def first_rows(dataset: Dataset) -> None:
    """Show the first items as they were understood."""
    rows = []
    for index in range(min(PREVIEWED, len(dataset))):
        references = dataset.references[index]
        shown = Markup(" <span class='wm-cap'>or</span> ".join(text(reference, 80) for reference in references[:3]))
        more = Markup(f" <span class='wm-cap'>and {len(references) - 3} more</span>") if len(references) > 3 else Markup("")
        question = dataset.questions[index] if dataset.questions is not None else None
        cell = called(question, 160) if question else ""
        rows.append(
            [
                Markup(f'<span class="wm-cell">{text(dataset.ids[index], 26)}</span>'),
                text(dataset.predictions[index], 120),
                Markup((shown + more) or text(None)),
                cell,
            ]
        )
    st.html(table(["id", "prediction", "references", "question"], rows, label="First rows"))


def raw_rows(group: Sequence[Dropped]) -> None:
    """Show the first rows of files before any column has a role."""
    for file in group:
        if file.table is None:
            continue
        names = list(file.table.names)[:COLUMNS]
        cells = {name: file.table.columns[name].as_texts()[:PREVIEWED] for name in names}
        section("As read", file.name)
        heads = [text(column, 60) for column in names]
        st.html(table(heads, [[text(cells[name][row], 60) for name in names] for row in range(min(PREVIEWED, len(file.table)))]))


def welcome() -> None:
    """Say what this is, where nothing is loaded yet."""
    st.html(
        '<p class="wm-lead">Whymiss shows why exact match missed. Load what a system answered and what was right: you see the answers that hold the right '
        "words and still count as wrong, the step that decides each of them, and how the score moves when you change that step.</p>"
    )
    rows = [
        ["One file", "an id, the prediction and the references in each row"],
        ["Two files", "predictions and references, in either order; paired by id"],
        ["Several systems", "one column each, or one file each"],
        ["Logs of a tool", "one file with everything, such as an lm-eval samples file or an Inspect .eval"],
        ["Results of lm-eval", "beside the samples: its settings are offered as a preset"],
        ["SQuAD", "the data set as JSON, and an object of id to prediction"],
        ["What adds columns", "no-answer probabilities, or the scores of HELM: laid over their predictions by id"],
    ]
    section("What can be loaded")
    st.html(table(["Files", "with"], rows))


def understood() -> None:
    """Show what was understood of the files in the tray, or of the active run."""
    run, read = state.active_run(), tray.tray().read
    if not read and state.active() is None:
        welcome()
    elif not read and run is not None:
        join_report(run.report, "home_run")
        section("First rows", run.title)
        first_rows(run.dataset)
        logged.compared(run, state.settings(), lambda: None)
