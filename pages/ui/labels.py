"""Label sets on Overview: which answers are allowed, what is none of them, and which was taken for which."""

import streamlit as st

from evalcore import Scores
from evalcore.analysis.extraction import with_extraction
from evalcore.analysis.label_sets import COLUMN, REFERENCES, YES_NO, cutting_step, label_set, option_columns, suggested
from evalcore.report import labels as shown
from evalcore.report.document import Section
from evalcore.scoring.labels import NONE, LabelReport, LabelSet, label_report
from evalcore.scoring.statistics import SMALL, Interval, wilson
from evalcore.text.amounts import amount
from pages.ui import lab, opening, state, work
from pages.ui.click import clickable, esc, sendable
from pages.ui.forest import Line, forest, span
from pages.ui.frame import percent, problem, section
from pages.ui.store import Run, once
from pages.ui.tables import Markup, called, goto, table
from pages.ui.unseen import spelled

PARAMETER = "labels"  # The query parameter: the labels, where they are not those that suggest themselves.
NO_LABELS, OWN = "none", "own"
MOST_ROWS, MOST_PAIRS = 20, 12
LONGEST = 1_000
HEADS = ("items", "chosen", "EM", "95 %", "precision")


def in_force(run: Run) -> str:
    """Give the labels chosen for a run, as one text; "" without any."""
    mode = state.kept(f"labels {run.key}", None)
    if mode is None:
        _begin(run)
        mode = state.kept(f"labels {run.key}")
    own: str = state.kept(f"own labels {run.key}", "")
    return {NO_LABELS: "", OWN: own.strip()}.get(mode, mode)


def _begin(run: Run) -> None:
    """Take the labels of the URL, else those that suggest themselves."""
    wanted = st.query_params.get(PARAMETER, _suggested(run))
    known = wanted in _modes(run)
    state.seed(f"labels {run.key}", wanted if known else OWN if wanted else NO_LABELS)
    state.seed(f"own labels {run.key}", "" if known else wanted[:LONGEST])


def _suggested(run: Run) -> str:
    return once(("labels suggested", run.key), lambda: suggested(run.dataset))


def _modes(run: Run) -> dict[str, str]:
    """Give the ways to say which labels there are, each in words."""
    columns = once(("option columns", run.key), lambda: option_columns(run.dataset))
    named = {COLUMN + name: f"Options in the column {sendable(name)}" for name in columns}
    return {NO_LABELS: "No labels", **named, REFERENCES: "The distinct references", YES_NO: "yes, no", OWN: "A list of my own"}


def _write_url(run: Run) -> None:
    spec = in_force(run) or NO_LABELS
    if spec == (_suggested(run) or NO_LABELS):
        if PARAMETER in st.query_params:
            del st.query_params[PARAMETER]
    elif len(spec) <= LONGEST and st.query_params.get(PARAMETER) != spec:
        st.query_params[PARAMETER] = spec


def _found(scores: Scores, spec: str) -> tuple[LabelSet, LabelReport] | str:
    """Count under the labels; a text says why that cannot be."""
    try:
        chosen = label_set(scores, spec)
        return chosen, label_report(scores, chosen)
    except ValueError as error:
        return str(error)


def _report() -> tuple[LabelSet, LabelReport] | str | None:
    run = state.active_run()
    spec = in_force(run) if run is not None else ""
    return work.finding(("labels", spec), lambda scores, progress: _found(scores, spec)) if spec else None


def invalid() -> Interval | None:
    """Give the share of invalid predictions; None without labels, or while they are being counted."""
    found = _report()
    return wilson(len(found[1].invalid), found[1].scored) if isinstance(found, tuple) else None


def in_report() -> Section | None:
    """Give what the labels show as a part of a report; None without labels."""
    found = _report()
    return shown.label_section(found[1], found[0].said) if isinstance(found, tuple) else None


def of_run() -> None:
    """Show how the run did on its labels; without any, offer to give some."""
    run = state.active_run()
    if run is None:
        return
    if not in_force(run):
        with st.expander("Labels: is every answer one of a few?"):
            st.html('<div class="wm-cap">Give the allowed answers: what is none of them is then counted and listed, and which was taken for which.</div>')
            _choose(run)
    else:
        section("Labels", "allowed answers; what is none of them is invalid, and wrong; every number opens its items")
        _choose(run)
        _draw()
    _write_url(run)


def _choose(run: Run) -> None:
    modes = _modes(run)
    with st.container(horizontal=True, gap="small"):
        key = state.keep(f"labels {run.key}", NO_LABELS, modes)
        mode = st.selectbox("Allowed answers", list(modes), format_func=modes.__getitem__, key=key, width=280, label_visibility="collapsed")
        if mode == OWN:
            key = state.keep(f"own labels {run.key}", "")
            st.text_area("Labels", key=key, placeholder="one a line, or yes | no", max_chars=LONGEST, height=80, width=320, label_visibility="collapsed")


def being_counted() -> bool:
    """Tell whether labels are being counted, and show how far that is."""
    run = state.active_run()
    spec = in_force(run) if run is not None else ""
    if not spec or _report() is not None:
        return False
    work.progress(("labels", spec), "Counting labels")
    return True


def _draw() -> None:
    found = _report()
    if being_counted() or found is None:
        return
    if isinstance(found, str):
        problem(found, "warning")
        return
    chosen, report = found
    _figures(chosen, report)
    _per_label(report)
    _matrix(report)


def _figures(chosen: LabelSet, report: LabelReport) -> None:
    """Write the figures, each with its items, and offer to cut labels out of outputs that name them."""
    hits, valid, wrong = wilson(report.hits, report.items), wilson(report.hits, report.valid), wilson(len(report.invalid), report.scored)
    rows: list[list[object]] = [
        ["Strict accuracy", Markup(f"<b>{percent(hits.estimate)}</b>"), span(hits), f"{report.hits:,} of {report.items:,}", "an invalid prediction is wrong"],
        ["Accuracy of valid", percent(valid.estimate), span(valid), f"{report.hits:,} of {report.valid:,}", "invalid predictions left out"],
        ["Invalid predictions", percent(wrong.estimate), span(wrong), _linked(len(report.invalid), report.scored, "invalid:"), "none of the labels"],
    ]
    if report.foreign:
        share = wilson(len(report.foreign), report.scored)
        rows.append(["References no label", percent(share.estimate), span(share), _linked(len(report.foreign), report.scored, "foreign:"), "in no accuracy"])
    html = table(("", "%", "95 %", "Items", ""), rows, numbers=(1, 2, 3), label="Figures of the labels")
    notes = [f"{amount(len(report.labels), 'label')} from {chosen.said}, compared after the steps in force."]
    if report.emptied:
        notes.append(f"The steps leave nothing of {_listed(report.emptied)}, so an empty answer counts as this label: switch off the step that deletes it.")
    said = f'<p class="wm-cap" style="margin:.5rem 0 0">{esc(" ".join(notes))} {_offer(chosen, report)}</p>'
    clicked = clickable(html + said, key="labels_figures")
    if clicked:
        _act(clicked, chosen, report)


def _listed(labels: tuple[str, ...]) -> str:
    return ", ".join(f"“{label[:40]}”" for label in labels[:6])


def _linked(part: int, whole: int, target: str) -> Markup:
    return Markup(f"{goto(part, target, 'list these items') if part else 0} of {whole:,}")


def _offer(chosen: LabelSet, report: LabelReport) -> str:
    """Offer the steps that cut a label out of an output, where predictions are invalid."""
    if not report.invalid or cutting_step(chosen, "first") is None:
        return ""
    now = state.settings().settings
    offers = [way for way in ("first", "last") if with_extraction(state.settings(), _steps(chosen, way)).settings != now]
    links = " or ".join(str(goto(f"the {way}", f"cut:{way}", f"score with the {way} label an output names from now on")) for way in offers)
    return f"Cut labels out of longer outputs: take {links} label named." if links else ""


def _steps(chosen: LabelSet, way: str) -> tuple[object, ...]:
    return tuple(filter(None, [cutting_step(chosen, way)]))  # type: ignore[arg-type]


def _act(clicked: str, chosen: LabelSet, report: LabelReport) -> None:
    """Do what a click beside the figures asks for."""
    what, _, way = clicked.partition(":")
    if what == "cut":
        state.set_settings(with_extraction(state.settings(), _steps(chosen, way)))  # type: ignore[arg-type]
        lab.clear()
        st.rerun()
    if what == "invalid":
        opening.failures(report.invalid, "prediction is no label")
    opening.failures(report.foreign, "reference is no label")


def _per_label(report: LabelReport) -> None:
    """Show EM of every label that is named at all."""
    place = {label: number for number, label in enumerate(report.labels)}
    rows = sorted(shown.used(report), key=lambda row: -row.gold)
    everything = bool(state.kept("labels all", False))
    lines = []
    for row in rows if everything else rows[:MOST_ROWS]:
        number = place[row.label]
        cells = (
            _count(row.gold, f"gold:{number}"),
            _count(row.predicted, f"chosen:{number}"),
            percent(row.em, 1),
            span(row.interval),
            percent(row.precision, 1),
        )
        label = called(row.label, 120)
        lines.append(Line(label, row.interval, None, cells, row.gold < SMALL, row.label))
    total = wilson(report.hits, report.items)
    clicked = clickable(forest(lines, HEADS, "EM of every label", "label", total.estimate if total.count else None), key="labels_forest")
    if len(rows) > MOST_ROWS:
        st.toggle(f"Show all {len(rows)} labels", key=state.keep("labels all", False))
    if clicked:
        what, _, number = clicked.partition(":")
        codes = report.gold if what == "gold" else report.predicted
        said = "reference" if what == "gold" else "prediction"
        opening.failures(report.rows[codes == int(number)], f"{said} is “{report.labels[int(number)][:80]}”")


def _count(items: int, target: str) -> object:
    return goto(items, target, "list these items") if items else 0


def _matrix(report: LabelReport) -> None:
    """Show which label was taken for which: the whole matrix, after the fullest cells where there are many labels."""
    if len(shown.used(report)) <= shown.WIDE:
        section("Which label was taken for which", "row: reference · column: prediction · shade: share of the row")
        clicked = clickable(_grid(report), key="labels_matrix")
    else:
        pairs = shown.confusions(report)
        section("Which label was taken for which", "the pairs with most items")
        lines = [[_label(report, gold), _label(report, chosen), _count(count, f"{gold}:{chosen}")] for gold, chosen, count in pairs[:MOST_PAIRS]]
        clicked = clickable(table(("Reference", "Prediction", "Items"), lines, numbers=(2,), label="Labels taken for others"), key="labels_pairs")
        with st.expander("The whole confusion matrix"):
            clicked = clickable(_grid(report), key="labels_matrix") or clicked
    if clicked:
        gold, chosen = map(int, clicked.split(":"))
        opening.failures(report.cell(gold, chosen), f"“{report.labels[gold][:60]}” answered by {_quoted(report, chosen)}")


def _label(report: LabelReport, number: int) -> Markup:
    return called(shown.named(report, number), 120)


def _quoted(report: LabelReport, number: int) -> str:
    return "what is no label" if number == NONE else f"“{report.labels[number][:60]}”"


def _grid(report: LabelReport) -> Markup:
    """Give the matrix of all labels that are named at all."""
    places = [number for number, row in enumerate(report.per_label) if row.gold or row.predicted]
    heads = "".join(
        f'<th scope="col" title="{esc(spelled(label))}">{called(label)}</th>' for label in (*(report.labels[place] for place in places), shown.INVALID, "all")
    )
    tall = " wm-tall" if len(places) > shown.WIDE or max((len(report.labels[place]) for place in places), default=0) > 14 else ""
    body = "".join(_grid_row(report, gold, places) for gold in places)
    corner = '<th><span class="wm-sr">reference</span></th>'
    head = f"<thead><tr>{corner}{heads}</tr></thead>"
    return Markup(f'<div class="wm-scroll"><table class="wm-matrix{tall}" aria-label="Confusion matrix">{head}<tbody>{body}</tbody></table></div>')


def _grid_row(report: LabelReport, gold: int, places: list[int]) -> str:
    counts = report.matrix[gold]
    total = int(counts.sum())
    cells = [_grid_cell(int(counts[place]), total, f"{gold}:{place}", "wm-right" if place == gold else "wm-wrong") for place in places]
    cells.append(_grid_cell(int(counts[-1]), total, f"{gold}:{NONE}", "wm-unlabelled"))
    label = report.labels[gold]
    return f'<tr><th scope="row" title="{esc(spelled(label))}">{called(label)}</th>{"".join(cells)}<td class="wm-total">{total:,}</td></tr>'


def _grid_cell(count: int, total: int, target: str, kind: str) -> str:
    if not count:
        return '<td class="wm-zero">0</td>'
    return f'<td class="{kind}" style="--wm-share:{8 + 47 * count / total:.0f}%">{goto(count, target, "list these items")}</td>'
