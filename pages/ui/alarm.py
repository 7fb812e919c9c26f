"""The collision alarm: different answers that the settings in force make equal."""

import streamlit as st

from evalcore import Comparison
from evalcore.analysis.collisions import CAUTION_TITLES, Caution, Collision, Collisions, Merge, references_apart
from evalcore.analysis.losses import LOSS_TITLES, Loss
from evalcore.text.amounts import amount
from pages.ui import opening, reasons, state
from pages.ui.click import clickable, esc
from pages.ui.frame import section
from pages.ui.marks import raw
from pages.ui.tables import Markup, called, goto, table

SHOWN = 8
MERGES = 5
MEMBERS = 6
DOUBTFUL: tuple[Caution, ...] = ("empty_match", "short_reference")  # The others are listed as pairs.


def draw() -> None:
    """List matches by a loss, and references of different items that fall together."""
    found = reasons.diagnosis()
    section("Collision alarm", "different answers that became equal by losing something that carries meaning")
    if found is None:
        reasons.progress()
        return
    collisions = found.collisions
    if not collisions.is_alarm:
        st.html('<div class="wm-cap">✓ No pair of different answers is equal under these settings.</div>')
    if collisions.pairs:
        _pairs(found.scores.dataset.ids.to_list(), collisions)
    _cautions(collisions)
    if collisions.suspicious_merges:
        _merges(collisions.suspicious_merges)
    _counts(collisions)


def suspicious_gains(comparison: Comparison) -> tuple[int, ...] | None:
    """Give the rows that match now, did not before, and match only by a loss; None while these are being found."""
    found = reasons.diagnosis()
    return None if found is None else found.collisions.among(comparison.after_rows[comparison.fixed])


def _pairs(ids: list[str | None], collisions: Collisions) -> None:
    lines = [_pair(ids[pair.row], pair) for pair in collisions.pairs[:SHOWN]]
    number = len(collisions.pairs)
    everything = goto(f"List {amount(number, 'item')}", "all:", "list all items that match only by a loss")
    html = table(("Prediction", "", "Reference", "Both become", "How", "Item"), lines, label="Matches by a loss")
    clicked = clickable(f'{html}<p class="wm-cap">{everything}</p>', key="alarm_pairs")
    if clicked:
        what, _, row = clicked.partition(":")
        rows = [pair.row for pair in collisions.pairs]
        if what == "all":
            opening.failures(rows, "matches by a loss")
        opening.item(int(row), rows, "matches by a loss")


def _pair(name: str | None, pair: Collision) -> list[object]:
    nothing = Markup('<span class="wm-none">nothing left</span>')
    return [
        raw(pair.prediction_text, most=120),
        Markup('<span class="wm-state">=</span>'),
        raw(pair.reference_text, most=120),
        raw(pair.normalized, most=80) if pair.normalized else nothing,
        _losses(pair.losses),
        goto(called(name), f"item:{pair.row}", "inspect this item"),
    ]


def _losses(lost: tuple[Loss, ...]) -> Markup:
    return Markup(" ".join(f'<span class="wm-badge wm-odd">≋ {esc(LOSS_TITLES[loss])}</span>' for loss in lost))


def _cautions(collisions: Collisions) -> None:
    """Say which matches are doubtful though both texts are alike; each count opens its items."""
    said = [(name, rows) for name in DOUBTFUL if len(rows := collisions.warnings[name])]
    if not said:
        return
    badge = '<span class="wm-badge wm-odd">≋</span>'
    parts = [
        f"{badge} {goto(amount(len(rows), 'item'), f'{name}:', 'list these items')} {'matches' if len(rows) == 1 else 'match'} {esc(CAUTION_TITLES[name])}"
        for name, rows in said
    ]
    clicked = clickable("".join(f'<p class="wm-cap">{part}</p>' for part in parts), key="alarm_cautions")
    if clicked:
        name = next(name for name, _ in said if clicked == f"{name}:")
        opening.failures(collisions.warnings[name].tolist(), f"items that match {CAUTION_TITLES[name]}")


def _merges(merges: tuple[Merge, ...]) -> None:
    lines = [_merge(place, merge) for place, merge in enumerate(merges[:MERGES])]
    chip = f"{len(lines)} of {len(merges):,}" if len(lines) < len(merges) else f"{len(merges)}"
    section("References that fall together", "of different questions, so that one's answer would count for the other", chip)
    clicked = clickable(table(("References", "become", "How", "Items"), lines, numbers=(3,), label="References that fall together"), key="alarm_merges")
    if clicked:
        merge = merges[int(clicked.partition(":")[2])]
        opening.failures(merge.rows, "references that fall together")


def _merge(place: int, merge: Merge) -> list[object]:
    texts = [raw(text, most=60) for text in merge.texts[:MEMBERS]]
    more = f' <span class="wm-state">and {len(merge.texts) - MEMBERS:,} more</span>' if len(merge.texts) > MEMBERS else ""
    after = raw(merge.normalized, most=60) if merge.normalized else Markup('<span class="wm-none">nothing</span>')
    return [Markup("<br>".join(texts) + more), after, _losses(merge.losses), goto(len(merge.rows), f"merge:{place}", "list the items of these references")]


def _counts(collisions: Collisions) -> None:
    """Count different references and matches by a loss, against the raw text and against the pinned settings."""
    pinned = state.pinned()
    before = state.found("references apart", lambda scores: references_apart(scores, pinned), preset=pinned)
    matched = state.scores(preset=pinned).em == 1
    new = [pair.row for pair in collisions.pairs if not matched[pair.row]]
    parts = [f"Different references: {collisions.distinct:,} as raw text, {before:,} under the pinned settings, {collisions.merged:,} under these."]
    if collisions.pairs:
        shown = goto(f"{len(new):,}", "new:", "list these items") if new else "0"
        parts.append(f"Matches by a loss, none of them equal as raw text: {len(collisions.pairs):,}, of which {shown} did not match under the pinned settings.")
    clicked = clickable(f'<p class="wm-cap">{" ".join(parts)}</p>', key="alarm_counts")
    if clicked:
        opening.failures(new, "matches by a loss that did not match under the pinned settings")
