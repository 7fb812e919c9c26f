"""Presets side by side on one run, and the items two of them see differently."""

from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import evalcore
from evalcore import Preset, Scores
from evalcore.analysis.explain import explain
from evalcore.analysis.preset_table import ORDERS, Disagreement, Kind, PresetRow, disagreement, ordered, preset_row, spread
from evalcore.analysis.suggestion import suggest
from evalcore.scoring.presets import changes, finding
from evalcore.text.amounts import amount, these
from evalcore.text.resources import MissingResource
from evalcore.text.rules import StepFailed
from pages.ui import inspection, opening, presets, state, steptable
from pages.ui.click import clickable, esc
from pages.ui.forest import Line, forest, legend, span
from pages.ui.frame import percent, problem, section
from pages.ui.marks import raw
from pages.ui.store import Run, kept_findings, once
from pages.ui.tables import Markup, called, goto

SUITED, ALL, OWN = "suited", "all", "own"
PAGE = 12
HEADS = ("counts as right", "right", "95 %", "F1", "95 %", "unscored")
ROW_BYTES = 2_000


def chooser(run: Run) -> tuple[Preset, ...]:
    """Ask which presets to compare; those that suit the data to begin with. The settings in force stand among them."""
    few = once(("suggested", run.key), lambda: suggest(run.dataset, [run.name]).beside)
    question_answering = finding.question_answering()
    labels = {SUITED: "Suited to these data", ALL: f"All QA presets ({len(question_answering)})", OWN: "My choice"}
    names = [preset.name for preset in evalcore.presets()]
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        key = state.keep("presets which", SUITED, labels)
        which = st.segmented_control("Presets", list(labels), format_func=labels.__getitem__, key=key, required=True, on_change=_stop, args=(False,))
        if which == OWN:
            key = state.keep("presets chosen", list(few))
            picked = st.multiselect("Choose", names, format_func=_name, key=key, placeholder="choose presets", on_change=_stop, args=(False,))
    listed = {SUITED: list(few), ALL: [preset.name for preset in question_answering]}.get(which or SUITED, [])
    current = state.settings()
    chosen = [current, *(evalcore.preset(name).with_rules(missing=current.missing) for name in (picked if which == OWN else listed))]
    return tuple({(preset.name, preset.settings): preset for preset in chosen}.values())


def _name(name: str) -> str:
    return presets.title(evalcore.preset(name))


def scored(run: Run, chosen: Sequence[Preset]) -> tuple[PresetRow, ...]:
    """Score under every preset; what is done stays, so a cancelled run goes on where it stopped."""
    lacking = [preset for preset in chosen if preset.missing_resources]
    for preset in lacking:
        problem(f"{preset.title} is left out: it needs {', '.join(preset.missing_resources)}, which is not installed.", "warning")
    able = [preset for preset in chosen if preset not in lacking]
    todo = [preset for preset in able if kept_findings().get(_key(run, preset)) is None]
    place = st.empty()  # The one place of progress and of the word that it was stopped: neither outlives the other.
    if todo and not state.kept("presets stopped", False):
        _score(run, todo, place)
    rows = [kept_findings().get(_key(run, preset)) for preset in able]
    found = tuple(row[0] for row in rows if row is not None)
    if len(found) < len(able) and state.kept("presets stopped", False):
        with place.container(horizontal=True, gap="small", vertical_alignment="center"):
            problem(f"Stopped: {len(able) - len(found):,} of {len(able):,} presets are not scored yet.", "info")
            st.button("Go on", icon=":material/play_arrow:", on_click=_stop, args=(False,), key="presets_go_on")
    return found


def _key(run: Run, preset: Preset) -> tuple[Any, ...]:
    return ("preset row", run.key, preset.name, preset.settings)


def _stop(stopped: bool) -> None:
    state.seed("presets stopped", stopped)


def _score(run: Run, todo: Sequence[Preset], place: DeltaGenerator) -> None:
    """Score under presets one after the other, showing how far it is; a click on Cancel ends this run of the page."""
    with place.container(horizontal=True, gap="small", vertical_alignment="center"):
        bar = st.progress(0.0, width="stretch")
        st.button("Cancel", icon=":material/close:", on_click=_stop, args=(True,), key="presets_cancel")
    items = max(1, len(run.dataset))
    for number, preset in enumerate(todo):

        def show(done: int, _: int, number: int = number, name: str = preset.name) -> None:
            bar.progress((number + done / items) / len(todo), text=f"{number + 1} of {len(todo)}: `{name}`")

        show(0, items)
        try:
            found = preset_row(evalcore.score(run.dataset, preset=preset, progress=show))
        except (MissingResource, StepFailed) as error:
            problem(f"{preset.title} is left out: {error}", "warning")
            continue
        kept_findings().put(_key(run, preset), (found,), ROW_BYTES)
    place.empty()


def plot(rows: Sequence[PresetRow]) -> None:
    """Show every preset's EM and F1 with intervals; a click on a name puts its settings in force."""
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        order = st.segmented_control("Order by", list(ORDERS), key=state.keep("presets order", ORDERS[0], ORDERS), required=True)
        st.html(legend("EM, or what counts as right"), width="content")
    shown = ordered(rows, order or ORDERS[0])
    current = state.settings()
    lines = [_line(row, number, row.preset.settings == current.settings and row.preset.name == current.name) for number, row in enumerate(shown)]
    clicked = clickable(forest(lines, HEADS, "Presets on this run", "preset"), key="presets_forest")
    if clicked:
        state.choose_preset(shown[int(clicked)].preset)
        st.rerun()


def _line(row: PresetRow, number: int, active: bool) -> Line:
    preset = row.preset
    name = _named(preset)
    label = Markup(f"<b>{esc(name)}</b>") if active else goto(name, str(number), f"Score with {preset.name}")
    cells: list[object] = [Markup(f'<span class="wm-cap">{esc(finding.measure_name(preset))}</span>')]
    cells += [Markup(f"<b>{percent(row.em.estimate)}</b>") if row.em else "–", Markup(f'<span class="wm-cap">{esc(span(row.em))}</span>')]
    cells += [percent(row.f1.estimate) if row.f1 else "–", Markup(f'<span class="wm-cap">{esc(span(row.f1))}</span>'), row.unscored]
    return Line(label, row.em, row.f1, cells, title=f"{preset.name}: {preset.summary}", opened=active)


def _named(preset: Preset) -> str:
    steps = len(changes(preset))
    return f"{preset.title or preset.name}{f', changed: {steps}' if steps else ''}"


def say(rows: Sequence[PresetRow]) -> None:
    """Say in one sentence how far the presets lie apart."""
    apart = spread(rows)
    parts = ["A click on a name scores with that preset everywhere; the one in force is marked."]
    if apart is not None:
        parts.insert(
            0,
            f"On the same answers exact match lies between {percent(apart.lowest.em.estimate)} ({apart.lowest.preset.title}) and "
            f"{percent(apart.highest.em.estimate)} ({apart.highest.preset.title}): {percent(apart.points)} points are the choice of the scorer."
            if apart.lowest.em and apart.highest.em
            else "",
        )
    st.html(f'<div class="wm-cap">{esc(" ".join(parts))} EM intervals by Wilson, F1 by bootstrap with a fixed seed.</div>')


def disagreements(run: Run, rows: Sequence[PresetRow]) -> None:
    """Choose two presets, count where they disagree, list the items, and trace one under both."""
    known = {f"{row.preset.name}{'; '.join(('', *changes(row.preset)))}": row.preset for row in rows}
    names = list(known)
    left, right = st.columns(2, gap="small")
    with left:
        one = st.selectbox("First", names, format_func=lambda name: _named(known[name]), key=state.keep("presets first", names[0], names))
    with right:
        others = [name for name in names if name != one]
        two = st.selectbox("Second", others, format_func=lambda name: _named(known[name]), key=state.keep("presets second", others[0], others))
    first, second = state.scores(run, known[one]), state.scores(run, known[two])
    found = once(("disagreement", run.key, known[one], known[two]), lambda: disagreement(first, second), 16 * len(first))
    kind = _kinds(found, known[one], known[two])
    if kind is None:
        problem(f"The two agree on every one of the {amount(len(first), 'item')}.", "success")
        return
    item = _list(run, found.lists[kind], first, second)
    _traces(run, item, known[one], known[two])


def _kinds(found: Disagreement, first: Preset, second: Preset) -> Kind | None:
    """Show how many items are in each list; give the list that is open."""
    ours, theirs = _named(first), _named(second)
    names: dict[Kind, str] = {
        "first": f"right under {ours} alone",
        "second": f"right under {theirs} alone",
        "value": "right under both or wrong under both, other numbers",
        "scored_first": f"scored under {ours} alone",
        "scored_second": f"scored under {theirs} alone",
    }
    filled = [kind for kind in names if len(found.lists[kind])]
    if not filled:
        return None
    kept: Kind = state.kept("presets kind", filled[0])
    kind = kept if kept in filled else filled[0]
    cells = [_count(each, len(found.lists[each]), names[each], each == kind) for each in names if len(found.lists[each]) or each in ("first", "second")]
    cells.append(f'<div><span class="wm-fig">{found.agreed:,}</span><span class="wm-under">the same under both</span></div>')
    clicked = clickable(f'<div class="wm-ledger">{"".join(cells)}</div>', key="presets_kinds")
    if clicked:
        state.seed("presets kind", clicked)
        state.seed("presets page", 1)
        st.rerun()
    if st.button(f"Open {these(len(found.lists[kind]), 'item')} on Failures", icon=":material/arrow_forward:", key="presets_open"):
        opening.failures(found.lists[kind].tolist(), f"{amount(len(found.lists[kind]), 'item')} {names[kind]}")
    return kind


def _count(kind: Kind, items: int, name: str, opened: bool) -> str:
    label = goto(name, kind, f"list the {amount(items, 'item')}") if items else esc(name)
    return f'<div{" class=wm-chosen" if opened else ""}><span class="wm-fig">{items:,}</span><span class="wm-under">{label}</span></div>'


def _list(run: Run, rows: "state.Rows", first: Scores, second: Scores) -> int:
    """List one page of the items with their numbers under both; give the one that is open."""
    pages = -(-len(rows) // PAGE)
    page = st.pagination(pages, key=state.keep("presets page", 1, range(1, pages + 1))) if pages > 1 else 1
    shown = [int(row) for row in rows[(page - 1) * PAGE : page * PAGE]]
    opened = state.kept("presets item")
    opened = opened if opened in shown else shown[0]
    heads = ("Item", "Prediction", "Reference", *(_named(scores.preset) for scores in (first, second)))
    head = "".join(f"<th>{esc(name)}</th>" for name in heads)
    body = "".join(_row(run, row, first, second, row == opened) for row in shown)
    named = 'class="wm-t" aria-label="Items on which the two disagree"'
    html = f'<div class="wm-scroll"><table {named}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    clicked = clickable(html, key="presets_items")
    if clicked:
        state.seed("presets item", int(clicked))
        st.rerun()
    return opened


def _row(run: Run, row: int, first: Scores, second: Scores, opened: bool) -> str:
    data = run.dataset
    references = data.references[row]
    best = max(int(first.best_em[row] if first.em[row] == 1 else second.best_em[row]), 0)
    cells = [
        Markup(f'<span class="wm-cell">{called(data.ids[row], 40)}</span>'),
        raw(data.predictions[row], most=160),
        raw(references[best] if best < len(references) else None, most=160),
        *(_numbers(scores, row) for scores in (first, second)),
    ]
    kind = " class=wm-chosen" if opened else ""
    return f'<tr data-row data-go="{row}" tabindex="0"{kind}>' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _numbers(scores: Scores, row: int) -> Markup:
    """Give what an item scores under a preset, in words where it has no score."""
    preset = scores.preset
    if scores.unscored[row] is not None:
        return Markup(f'<span class="wm-state">not scored: {esc(scores.unscored[row])}</span>')
    right = scores.score[row] == 1
    parts = [f"{preset.em_name} {scores.em[row]:.3g}"] if preset.has_em else []
    parts += [f"F1 {scores.f1[row]:.2f}"] if preset.has_f1 else []
    return Markup(f'<span class="wm-badge {"wm-hit" if right else "wm-off"}">{"✓" if right else "✕"} {esc(" · ".join(parts))}</span>')


def _traces(run: Run, row: int, first: Preset, second: Preset) -> None:
    """Trace one item under both presets, side by side."""
    data = run.dataset
    section("Both traces", f"item {data.ids[row]}")
    if st.button("Open in Inspect", icon=":material/search:", key="presets_inspect"):
        opening.item(row)
    with st.container(key="wm_page"):
        columns = st.columns(2, gap="medium")
    for place, preset in zip(columns, (first, second), strict=True):
        with place:
            try:
                found = explain(data.predictions[row], data.references[row], preset)
            except StepFailed as error:
                problem(f"The item cannot be traced under {preset.title}: {error}")
                continue
            scores = state.scores(run, preset)
            st.html(f'<div class="wm-badges"><b>{esc(preset.title or preset.name)}</b>{_numbers(scores, row)}</div>')
            st.html(steptable.pair(found, "Word", inspection.reference_name(found, found.best)))
            st.html(steptable.steps(found))
