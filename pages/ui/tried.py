"""The smallest changes that would make one item match, tried on it one at a time."""

import streamlit as st

from evalcore import Scores
from evalcore.analysis.explain import Explanation, explain
from evalcore.analysis.fix_effects import FixEffect, fix_effect, item_fixes
from evalcore.analysis.fixes import Fix, is_searchable, run_languages
from evalcore.text.amounts import amount
from evalcore.text.rules import StepFailed
from pages.ui import lab, opening, state, work
from pages.ui.click import clickable, esc
from pages.ui.frame import section
from pages.ui.tables import Markup, goto

SHOWN = 6


def fixes(scores: Scores, row: int) -> tuple[Fix, ...]:
    """Give the smallest changes under which the item matches, found once."""
    data = scores.dataset
    if scores.em[row] != 0 or not is_searchable(scores.preset):
        return ()
    languages = state.found("languages", run_languages)
    return state.found(("item fixes", row), lambda scores: item_fixes(data.predictions[row], data.references[row], scores.preset, languages))


def chosen(scores: Scores, row: int) -> Fix | None:
    """Give the change on trial; None when none is, or it was tried on another item or under other settings.

    The changes are searched here only when one is on trial, so that an
    item just opened stands on the page before.
    """
    tried = state.kept("inspect tried")
    if tried is None or tried[:2] != (row, scores.preset.settings):
        return None
    offered = fixes(scores, row)
    return offered[int(tried[2])] if tried[2] < len(offered) else None


def explained(scores: Scores, row: int, fix: Fix | None, reference: int | None) -> Explanation | None:
    """Trace the item under the change on trial, against the same reference where that one matches."""
    if fix is None:
        return None
    prediction, references, preset = scores.dataset.predictions[row], scores.dataset.references[row], fix.applied(scores.preset)
    try:
        best = explain(prediction, references, preset)
        if reference is None or any(row.index == reference and row.em != 1 for row in best.references):
            return best
        return explain(prediction, references, preset, reference)
    except StepFailed:
        return None


def panel(scores: Scores, row: int, on_trial: Fix | None) -> None:
    """Offer the changes, each with what it brings and loses over the file; a click tries it on this item."""
    if scores.em[row] != 0:
        return
    section("Would match if", "smallest sets of changes; a click tries one")
    offered = fixes(scores, row)
    if not offered:
        st.html(f'<div class="wm-cap">{esc(_none(scores))}</div>')
        return
    shown = offered if state.kept("inspect all fixes", False) else offered[:SHOWN]
    lines = "".join(_line(scores, row, place, fix, fix is on_trial) for place, fix in enumerate(shown))
    rest = f"<p>{goto(f'{len(offered) - SHOWN} more', 'all:')}</p>" if len(shown) < len(offered) else ""
    clicked = clickable(f'<div class="wm-fixes">{lines}{rest}</div>', key="inspect_fixes")
    if clicked:
        _act(scores, row, offered, on_trial, clicked)
    if on_trial is not None and state.active_folder() is None:
        st.button(
            "Use these settings", key="inspect_use", icon=":material/check:", on_click=_use, args=(on_trial,), help="Score the whole file with the change"
        )


def _none(scores: Scores) -> str:
    if not is_searchable(scores.preset):
        return "Under these settings a match is not equality of both texts, so no smallest change is searched."
    return "No set of up to three changes of steps makes both sides equal."


def _line(scores: Scores, row: int, place: int, fix: Fix, tried: bool) -> str:
    """Give one change as a button, with its size and what it does to the file."""
    number = len(fix.moves)
    size = amount(number, "change")
    sign = "◉" if tried else "+"
    pressed = "true" if tried else "false"
    return (
        f'<div class="wm-fix{" wm-tried" if tried else ""}"><span class="wm-do" role="button" tabindex="0" aria-pressed="{pressed}" data-go="try:{place}">'
        f'<i aria-hidden="true">{sign}</i><span>{esc(fix.title)}</span></span>'
        f'<span class="wm-brings">{size}<br>{_brings(_effect(scores, fix), place)}</span></div>'
    )


def _effect(scores: Scores, fix: Fix) -> FixEffect | None:
    """Give what a change does to the file; None for a large file until it is asked for."""
    asked = (fix.moves, scores.preset.settings) in state.kept("fixes counted", ())
    if not asked and not work.is_small(scores):
        return None
    return state.found(("fix effect", fix.moves), lambda scores: fix_effect(scores, fix.applied(scores.preset)), 16 * len(scores))


def _brings(effect: FixEffect | None, place: int) -> Markup:
    if state.active_folder() is not None:
        return Markup("")
    if effect is None:
        return goto("count over the file", f"count:{place}")
    gained, lost, odd = len(effect.gained), len(effect.lost), len(effect.suspicious)
    parts = [str(goto(f"+{amount(gained, 'item')}", f"gained:{place}", "list the items that would match")) if gained else "+0 items"]
    parts += [str(goto(f"−{lost:,}", f"lost:{place}", "list the items that would no longer match"))] if lost else []
    parts += [f'<span class="wm-badge wm-odd">≋ {goto(odd, f"odd:{place}", "list the suspicious gains")}</span>'] if odd else ["0 suspicious"]
    return Markup(", ".join(parts))


def _act(scores: Scores, row: int, offered: tuple[Fix, ...], on_trial: Fix | None, clicked: str) -> None:
    what, _, place = clicked.partition(":")
    if what == "all":
        state.seed("inspect all fixes", True)
        st.rerun()
    fix = offered[int(place)]
    if what == "try":
        state.seed("inspect tried", None if fix is on_trial else (row, scores.preset.settings, int(place)))
        st.rerun()
    if what == "count":
        state.seed("fixes counted", (*state.kept("fixes counted", ())[-20:], (fix.moves, scores.preset.settings)))
        st.rerun()
    effect = _effect(scores, fix)
    if effect is not None:
        rows, said = {"gained": (effect.gained, "match"), "lost": (effect.lost, "no longer match"), "odd": (effect.suspicious, "match by a loss")}[what]
        opening.failures(rows.tolist(), f"{len(rows):,} that would {said} with {fix.title}")


def _use(fix: Fix) -> None:
    state.set_settings(fix.applied(state.settings()))
    state.seed("inspect tried", None)
    lab.clear()
