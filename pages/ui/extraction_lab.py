"""The extraction part of the lab: what was cut out of the outputs, what others would cut, what was lost."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import streamlit as st

from evalcore.analysis.extraction import SettingResult, found_nothing, several_candidates, with_extraction
from evalcore.analysis.extraction_report import ExtractionReport, cuts, extraction_report, extraction_trace, in_force, kept_spans
from evalcore.text.amounts import amount
from evalcore.text.rules import StepFailed
from pages.ui import lab, opening, state, work
from pages.ui.click import clickable, esc
from pages.ui.frame import percent, problem, section
from pages.ui.marks import folded, raw, string
from pages.ui.tables import Markup, called, goto, table

SHOWN = 6
MOST_CHARACTERS = 6_000
MOST_CANDIDATES = 8


class Finding(NamedTuple):
    """Rows that share something worth a look, with one more text an item."""

    name: str
    title: str
    said: str
    rows: tuple[int, ...]
    beside: dict[int, Markup]


def draw() -> None:
    """Show the table of extractions, and the lists of what the one in force did."""
    report = work.finding("extraction", extraction_report)
    if report is None:
        section("Other extractions", "each scored on the whole file, the normalization kept")
        work.progress("extraction", "Trying other extractions")
        return
    section("Other extractions", "each scored on the whole file, the normalization kept")
    st.html(f'<div class="wm-cap">{_best(report)}</div>')
    _settings(report)
    for finding in _findings(report):
        if finding.rows:
            _list(report, finding)
    _outputs(report)


def _best(report: ExtractionReport) -> str:
    """Say which extraction gives the most, strict and loose ones apart."""
    said = [_rescue(report, [result for result in report.results if result.setting.loose == loose]) for loose in (False, True)]
    return " ".join(sentence for sentence in said if sentence) or "No other extraction gives more than the settings in force."


def _rescue(report: ExtractionReport, results: Sequence[SettingResult]) -> str:
    """Say what the best of some extractions gives; nothing when that is no more than now."""
    best = max(results, key=lambda result: (result.em if result.em == result.em else -1.0, -len(result.lost), result.setting.name.startswith("last")))
    now = report.scores.summary().em
    if not best.rescued or not best.em > now:
        return ""
    lost = f" and loses {len(best.lost):,}" if best.lost else ""
    chance = ", though it finds a number or letter in almost every text" if best.setting.loose else ""
    return f"<b>{esc(best.setting.name)}</b> rescues {amount(len(best.rescued), 'item')}{lost}: EM {percent(best.em)}, now {percent(now)}{chance}."


def _settings(report: ExtractionReport) -> None:
    ranked = sorted(range(len(report.results)), key=lambda place: -(report.results[place].em if report.results[place].em == report.results[place].em else -1.0))
    rows = [_setting(report, report.results[place], place) for place in ranked]
    heads = ("Extraction", "EM", "change", "rescues", "loses", "found nothing", "several", "")
    clicked = clickable(table(heads, rows, numbers=range(1, 7), label="Extractions against EM"), key="extraction_settings")
    if clicked:
        _act(report, clicked)


def _setting(report: ExtractionReport, result: SettingResult, place: int) -> list[object]:
    name, change = result.setting.name, result.em - report.scores.summary().em
    loose = Markup(' <span class="wm-badge wm-odd" title="It finds something in almost every text, so a hit may be chance.">≋ loose</span>')
    adopted = Markup('<span class="wm-badge wm-hit">✓ in force</span>')
    return [
        Markup(f"<b>{esc(name)}</b>{loose if result.setting.loose else ''}"),
        percent(result.em),
        "–" if change != change else f"{100 * change:+.2f}".replace("-", "−"),
        _count(len(result.rescued), f"rescued:{place}", f"the items {name} rescues"),
        _count(len(result.lost), f"lost:{place}", f"the items {name} loses"),
        _count(result.nothing, f"nothing:{place}", f"the outputs in which {name} finds nothing"),
        _count(result.several, f"several:{place}", f"the outputs with several candidates for {name}"),
        adopted if in_force(report.scores.preset, result) else goto("use", f"use:{place}", f"score with {name} from now on"),
    ]


def _count(number: int, target: str, describe: str) -> object:
    return goto(number, target, f"list {describe}") if number else 0


def _act(report: ExtractionReport, clicked: str) -> None:
    """Do what a click in the table asks for."""
    what, _, place = clicked.partition(":")
    result = report.results[int(place)]
    name = result.setting.name
    if what == "use":
        state.set_settings(with_extraction(state.settings(), result.setting.steps))
        lab.clear()
        st.rerun()
    if what in ("nothing", "several"):
        scores = state.scores(preset=with_extraction(state.settings(), result.setting.steps))
        rows = found_nothing(scores) if what == "nothing" else tuple(found.row for found in several_candidates(scores))
        opening.failures(rows, f"{name} {'finds nothing' if what == 'nothing' else 'finds several candidates'}")
    rows = result.rescued if what == "rescued" else result.lost
    opening.failures(rows, f"{name} {'rescues them' if what == 'rescued' else 'loses them'}")


def _findings(report: ExtractionReport) -> Iterable[Finding]:
    several = {found.row: _candidates(found.texts) for found in report.several}
    lost = {loss.row: _lost(report, loss.start, loss.end, loss.row) for loss in report.lost}
    return (
        Finding("lost", "Reference cut away", "it stands in the raw output and not in what was extracted", tuple(lost), lost),
        Finding("nothing", "Found nothing", "the output has no candidate for the extraction in force", report.nothing, {}),
        Finding("several", "Several candidates", "the extraction in force had to choose", tuple(several), several),
        Finding("loose", "Right by a loose rule only", "no strict extraction gives these hits, so each may be chance", report.loose, {}),
        Finding("unfinished", "Unfinished thinking", "the output ends before its reasoning is closed", report.unfinished, {}),
        Finding("formulas", "Part of a formula", "what was extracted is a small part of a longer formula", report.formulas, {}),
    )


def _candidates(texts: Sequence[str]) -> Markup:
    shown = "".join(f'<span class="wm-badge wm-line">{raw(text, most=40)}</span>' for text in texts[:MOST_CANDIDATES])
    more = f' <span class="wm-state">{len(texts) - MOST_CANDIDATES:,} more</span>' if len(texts) > MOST_CANDIDATES else ""
    return Markup(f'<span class="wm-badges">{shown}{more}</span>')


def _lost(report: ExtractionReport, start: int, end: int, row: int) -> Markup:
    text = report.scores.dataset.predictions[row] or ""
    before, after = text[max(0, start - 60) : start], text[end : end + 60]
    return string(f'{esc("…" if start > 60 else "")}{folded(before)}<mark class="wm-answer">{folded(text[start:end])}</mark>{folded(after)}', text)


def _list(report: ExtractionReport, finding: Finding) -> None:
    """Show the first items of a finding, and link to all of them."""
    data = report.scores.dataset
    rows = finding.rows[:SHOWN]
    chip = f"{len(rows)} of {len(finding.rows):,}" if len(rows) < len(finding.rows) else f"{len(rows)}"
    section(finding.title, finding.said, chip)
    lines = []
    for row in rows:
        references = data.references[row]
        line: list[object] = [
            goto(called(data.ids[row]), f"item:{row}", "inspect this item"),
            _cut(report, row),
            raw(references[0] if references else "", most=120),
        ]
        lines.append([*line, finding.beside[row]] if finding.beside else line)
    heads = ["Item", "Output, the cut marked", "Reference"]
    heads += [{"several": "Candidates", "lost": "Where the reference stands"}.get(finding.name, "")] if finding.beside else []
    everything = f'<p class="wm-cap">{goto("List " + amount(len(finding.rows), "item"), "all:", f"list all items: {finding.title}")}</p>'
    clicked = clickable(table(heads, lines, label=finding.title) + everything, key=f"extraction_{finding.name}")
    if clicked:
        what, _, row = clicked.partition(":")
        if what == "all":
            opening.failures(finding.rows, f"extraction: {finding.title.lower()}")
        opening.item(int(row), finding.rows, f"extraction: {finding.title.lower()}")


def _cut(report: ExtractionReport, row: int) -> Markup:
    """Give a raw output with what was cut out of it marked."""
    text = report.scores.dataset.predictions[row]
    if row in report.scores.slow:
        return Markup(f'{raw(text, most=400)} <span class="wm-state">{esc(report.scores.unscored[row])}</span>')
    if text and row in report.nothing:
        return Markup(f'{raw(text, most=1_000)} <span class="wm-badge wm-off">✕ nothing found</span>')
    return raw(text) if not text else marked_cut(text, report)


def marked_cut(text: str, report: ExtractionReport) -> Markup:
    """Mark in a raw output what the extraction in force keeps."""
    if not cuts(report.scores.preset):
        return raw(text, most=1_000)
    try:
        trace = extraction_trace(text[:MOST_CHARACTERS], report.scores.preset)
    except StepFailed as error:
        return Markup(f'{raw(text, most=400)} <span class="wm-state">{esc(error)}</span>')
    parts, position = [], 0
    for start, end in kept_spans(trace):
        parts += [folded(trace.raw[position:start]), f'<mark class="wm-answer">{folded(trace.raw[start:end])}</mark>']
        position = end
    parts.append(folded(trace.raw[position:]))
    nothing = "" if trace.result else ' <span class="wm-badge wm-off">✕ nothing extracted</span>'
    return Markup(string("".join(parts), trace.raw) + nothing)


def _outputs(report: ExtractionReport) -> None:
    """Show some raw outputs with the cut marked."""
    section("Raw outputs", "what the extraction in force keeps is marked" if cuts(report.scores.preset) else "these settings keep the whole output")
    data = report.scores.dataset
    chosen = [row for row, text in enumerate(data.predictions[number] for number in range(min(len(data), 200))) if text][:SHOWN]
    if not chosen:
        problem("No item has an output.", "info")
        return
    lines = [[goto(called(data.ids[row]), f"item:{row}", "inspect this item"), _cut(report, row), _hit(report, row)] for row in chosen]
    clicked = clickable(table(("Item", "Output", ""), lines, label="Raw outputs"), key="extraction_outputs")
    if clicked:
        opening.item(int(clicked.partition(":")[2]))


def _hit(report: ExtractionReport, row: int) -> Markup:
    em = report.scores.em[row]
    if em != em:
        return Markup('<span class="wm-state">not scored</span>')
    kind, said = ("hit", "✓ EM 1") if em == 1 else ("off", "✕ EM 0")
    return Markup(f'<span class="wm-badge wm-{kind}" style="white-space:nowrap">{said}</span>')
