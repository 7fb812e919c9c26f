"""Why items failed: the table, the colours, and the reasons of one item with what shows them."""

from collections.abc import Mapping

import streamlit as st

from evalcore import CATALOGUE, Preset, Scores
from evalcore.analysis.collisions import CAUTION_TITLES
from evalcore.analysis.diagnosis import Diagnosis
from evalcore.analysis.lanes import missed_by
from evalcore.analysis.losses import LOSS_TITLES
from evalcore.analysis.reasons import CODES, REASONS, Found, Reasons
from evalcore.analysis.reasons.costs import family_counts, points_of
from evalcore.analysis.reasons.families import FAMILIES, FAMILY_OF, Family, family_codes
from evalcore.analysis.selection import Codes, Selection
from evalcore.engines.diagnosing import diagnose_in_processes
from evalcore.text.amounts import amount
from pages.ui import state, work
from pages.ui.charts import Split
from pages.ui.click import esc, going
from pages.ui.frame import percent, section
from pages.ui.marks import raw
from pages.ui.tables import Markup, count, table

# Light and dark: a hue is form, which a rule can mend; grey is content.
COLOURS = {
    "sentence": ("#bd5a12", "#e08a44"),
    "number": ("#c0891a", "#f0c878"),
    "article": ("#7f2f3c", "#c9727c"),
    "marks": ("#83953a", "#b3c46a"),
    "characters": ("#2f8597", "#62b5c4"),
    "words": ("#b06a86", "#d99ab4"),
    "content": ("#6b7480", "#9aa3af"),
    "nothing": ("#8d95a0", "#656e7a"),
}
KINDS = {"surface": "form", "content": "content"}
WORKS = "Finding reasons, fixes and collisions"


def diagnosis(preset: Preset | None = None, at_once: int | None = None) -> Diagnosis | None:
    """Give all that is known of why the active run missed; None while it is being found, or was stopped."""
    return work.finding("diagnosis", lambda scores, progress: diagnose_in_processes(scores, progress=progress), preset, at_once, apart=True)


def progress() -> None:
    """Show how far the search for reasons is."""
    work.progress("diagnosis", WORKS)


def codes() -> Codes | None:
    """Give the code of every item's main reason; None while the reasons are being found."""
    found = diagnosis()
    return None if found is None else found.reasons.codes


def dot(family: Family, name: str) -> Markup:
    """Give a name beside the colour of its family."""
    light, dark = COLOURS[family.name]
    return Markup(f'<span class="wm-cell"><span class="wm-dot" style="background:light-dark({light},{dark})"></span>{esc(name)}</span>')


def named(code: int) -> Markup:
    """Give a reason's title beside its colour."""
    reason = REASONS[code]
    return dot(FAMILY_OF[reason.name], reason.title)


def split(scores: Scores) -> Split | None:
    """Share the lower lane of the chart by family of reasons; None while these are being found."""
    found = diagnosis()
    if found is None or not scores.preset.has_em:
        return None
    dark = st.context.theme.type == "dark"
    counts = missed_by(scores, family_codes(found.reasons.codes), len(FAMILIES))
    return Split(tuple((family.name, family.title, COLOURS[family.name][dark]) for family in FAMILIES), counts.tolist())


def overview(scores: Scores) -> None:
    """Show what each family of reasons costs; every number opens its items."""
    if not scores.preset.has_em:
        return
    section("Reasons", "what each kind costs, by main reason")
    found = diagnosis()
    if found is None:
        progress()
        return
    if not (found.reasons.codes >= 0).any():
        st.html('<div class="wm-cap">No scored item failed.</div>')
        return
    every = bool(state.kept("reasons all", False))
    going((_by_reason if every else _by_family)(found.reasons) + _said(found.reasons), key="overview_reasons")
    st.toggle("Every reason apart", key=state.keep("reasons all", False))


def of_counts(counts: Mapping[str, int] | None, scored: int) -> None:
    """Show what each reason costs where the items were counted by reason; None where they were not."""
    section("Reasons", "what each costs, by main reason")
    if counts is None:
        st.html('<div class="wm-cap">Reasons were not looked for when this folder was scored; score-folder finds them when asked.</div>')
        return
    if not counts:
        st.html('<div class="wm-cap">No scored item failed.</div>')
        return
    most = max(counts.values())
    rows = [
        _row(named(CODES[name]), REASONS[CODES[name]].kind, items, items / scored, most, _target(name))
        for name, items in sorted(counts.items(), key=lambda entry: -entry[1])
    ]
    going(_table("Reason", rows), key="overview_reasons")


def _target(*names: str) -> str:
    return state.link("Failures", selection=Selection(reasons=names, near=state.selection().near))


def _members(family: Family) -> str:
    return ", ".join(REASONS[CODES[name]].title.lower() for name in family.reasons)


def _by_family(reasons: Reasons) -> str:
    groups = family_counts(reasons)
    most = max(group.items for group in groups)
    return _table(
        "Kind of reason",
        [
            _row(
                Markup(f'<span title="{esc(_members(group.family))}">{dot(group.family, group.family.title)}</span>'),
                group.family.kind,
                group.items,
                group.points,
                most,
                _target(*group.family.reasons),
            )
            for group in groups
        ],
    )


def _by_reason(reasons: Reasons) -> str:
    counted = reasons.counts()
    most = counted[0].items
    return _table(
        "Reason",
        [
            _row(
                Markup(f'<span title="{esc(entry.reason.summary)}">{named(REASONS.index(entry.reason))}</span>'),
                entry.reason.kind,
                entry.items,
                entry.points,
                most,
                _target(entry.reason.name),
            )
            for entry in counted
        ],
    )


def _row(name: Markup, kind: str, items: int, points: float, most: int, target: str) -> list[object]:
    colour = "var(--wm-miss-fill)" if kind == "surface" else "var(--wm-faint)"
    bar = Markup(f'<span class="wm-cost"><i style="width:{100 * items / most:.0f}%;background:{colour}"></i></span>')
    return [name, KINDS[kind], bar, count(items, target, f"list the {amount(items, 'item')}"), f"−{percent(points)}"]


def _table(head: str, rows: list[list[object]]) -> str:
    return table((head, "Class", "", "Items", "EM points"), rows, numbers=(3, 4), label="Reasons and what they cost")


def _said(reasons: Reasons) -> str:
    form, content = points_of(reasons, "surface"), points_of(reasons, "content")
    return (
        f'<p class="wm-cap" style="margin:.6rem 0 0">Form costs <b>{percent(form)} points</b>: the same answer, written otherwise; '
        f"a setting or a prompt could win them back. Content costs {percent(content)}.</p>"
    )


def of_item(row: int) -> None:
    """Show the reasons of one item with what shows them."""
    found = diagnosis()
    if found is None:
        section("Why it failed", "the reasons of the run are being found")
        progress()
        return
    listed = found.reasons.of(row)
    if not listed:
        _cautions(found, row)
        return
    section("Why it failed", "the first is the main reason")
    st.html(f'<div class="wm-reasons">{"".join(map(_evidence, listed))}</div>')


def _cautions(found: Diagnosis, row: int) -> None:
    """Warn of a match that may be none: by a loss, of two empty texts, of a very short reference."""
    said = [CAUTION_TITLES[name] for name in found.collisions.cautions(row)]
    if not said:
        return
    section("Is it a match?", "under these settings it is, but:")
    said += [LOSS_TITLES[loss] for pair in found.collisions.pairs if pair.row == row for loss in pair.losses]
    st.html(f'<div class="wm-badges">{"".join(f"""<span class="wm-badge wm-odd">≋ {esc(one)}</span>""" for one in said)}</div>')


def _in_words(note: str) -> str:
    """Name the steps of a note by their titles; what is no step stays."""
    said = []
    for part in note.split(" or "):
        name, _, rest = part.partition(" ")
        said.append(f"{CATALOGUE[name].title} {rest}".strip() if name in CATALOGUE else part)
    return " or ".join(said)


def _evidence(found: Found) -> str:
    """Give a reason with the words that show it."""
    shown = found.evidence
    parts = [f'<span class="wm-label">prediction</span>{raw(shown.prediction, most=200)}'] if shown.prediction else []
    parts += [f'<span class="wm-label">reference</span>{raw(shown.reference, most=200)}'] if shown.reference else []
    note = f'<span class="wm-state">{esc(_in_words(shown.note))}</span>' if shown.note else ""
    name = dot(FAMILY_OF[found.reason.name], found.reason.title)
    kind = f'<span class="wm-badge wm-line">{KINDS[found.reason.kind]}</span>'
    return (
        f'<div class="wm-reason"><div><b>{name}</b> {kind} <span class="wm-cap">{esc(found.reason.summary)}</span></div>'
        f'<div class="wm-evidence">{"".join(parts)}{note}</div></div>'
    )
