"""The smallest fixes of all failed items: which sets of changes would rescue how many."""

import numpy as np
import streamlit as st

from evalcore.analysis.effects import Effect, effects_of, taken_from
from evalcore.analysis.fixes import Fix, Fixes, MoveCount, is_searchable
from evalcore.analysis.moves import apply_moves
from evalcore.text.amounts import amount
from pages.ui import lab, opening, reasons, state, work
from pages.ui.click import clickable, esc
from pages.ui.frame import percent, problem, section
from pages.ui.tables import Markup, count, goto, table

SAID = {
    "alone": "matched by adding only",
    "always": "whose smallest fixes all hold",
    "jointly": "helped, with others, by",
    "gained": "that would match with",
    "lost": "that would no longer match with",
    "suspicious": "that would match by a loss with",
}
BROUGHT = ("gained", "lost", "suspicious")
SETS = 14
MOVES = 20


def draw() -> None:
    """Show sets as rows with a dot a change, and every change with what it does alone and in sets."""
    section("Smallest fixes", "sets of changes that would rescue items, by how many")
    found = reasons.diagnosis()
    if found is None:
        reasons.progress()
        return
    fixes = found.fixes
    if not is_searchable(fixes.scores.preset):
        problem("Under these settings a match is not equality of both texts, so no smallest change is searched.", "info")
        return
    sets = fixes.set_counts()
    if not sets:
        st.html('<div class="wm-cap">No set of up to three changes would rescue a failed item.</div>')
        return
    rescued, failed = len(fixes.fixable), len(fixes.failed)
    said = f"{goto(f'{rescued:,} of {failed:,} failed items', 'all:')} {'has' if rescued == 1 else 'have'} a fix of up to three changes."
    clicked = clickable(f'{_sets(fixes)}<p class="wm-cap">{said}</p>', key="fix_sets")
    if clicked:
        _act(fixes, clicked)
    _by_threshold(fixes)
    _every_change(fixes)


def _by_threshold(fixes: Fixes) -> None:
    """Say what taking an F1 for a match would do: it needs no step, and rescues what no set of steps does."""
    scores, least = fixes.scores, state.selection().near
    if not scores.preset.has_f1:
        return
    taken = taken_from(scores, least)
    if not len(taken):
        return
    others = np.setdiff1d(taken, fixes.fixable)
    said = f"Taking F1 ≥ {least:g} for a match would rescue {goto(amount(len(taken), 'item'), 'taken:')}"
    rest = f", {goto(f'{len(others):,} of them', 'others:')} without a fix above" if len(others) else ", all of them have a fix above"
    clicked = clickable(f'<p class="wm-cap">{said}{rest}. The line is "Near miss from F1" on Failures.</p>', key="fix_threshold")
    if clicked:
        rows = taken if clicked == "taken:" else others
        opening.failures(rows.tolist(), f"{amount(len(rows), 'item')} with EM 0 and F1 ≥ {least:g}")


def _sets(fixes: Fixes) -> str:
    """Give the set chart: one row a set, a filled dot for each of its changes, a bar for its items."""
    sets = fixes.set_counts()[:SETS]
    while len(moves := list(dict.fromkeys(move for chosen, _ in sets for move in chosen))) > MOVES:
        sets = sets[:-1]
    most = max(len(rows) for _, rows in sets)
    head = "".join(f'<th class="wm-up" title="{esc(move.title)}"><span>{esc(_short(move.title))}</span></th>' for move in moves)
    lines = []
    for place, (chosen, rows) in enumerate(sets):
        dots = "".join(f'<td class="wm-u">{_dot(move in chosen)}</td>' for move in moves)
        bar = f'<span class="wm-cost"><i style="width:{100 * len(rows) / most:.0f}%;background:var(--wm-match-fill)"></i></span>'
        title = Fix(chosen).title
        lines.append(
            f'<tr><td class="wm-n">{goto(len(rows), f"set:{place}", f"list the items {title} would rescue")}</td><td>{bar}</td>{dots}'
            f"<td>{esc(title)}</td><td>{goto('use', f'use:{place}', f'score with {title} from now on')}</td></tr>"
        )
    return (
        f'<div class="wm-scroll"><table class="wm-t wm-upset" aria-label="Smallest sets of changes"><thead><tr><th class="wm-n">Items</th><th></th>{head}'
        f"<th>Set</th><th></th></tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def _dot(filled: bool) -> str:
    return '<i class="wm-in-set" role="img" aria-label="in the set"></i>' if filled else '<i class="wm-out-set"></i>'


def _short(title: str, most: int = 24) -> str:
    return title if len(title) <= most else title[: most - 1] + "…"


def _every_change(fixes: Fixes) -> None:
    """List every change: its part in the smallest sets, and what scoring the whole run with it alone brings and loses."""
    section("Every change", "alone: it suffices; always: every smallest set of the item holds it; jointly: only with others")
    counted = fixes.counts()
    moves = [entry.move for entry in counted]
    effects = work.finding("effects", lambda scores, progress: effects_of(scores, moves, progress))
    if effects is None:
        work.progress("effects", "Scoring the run with every change")
    lines = []
    for place, entry in enumerate(counted):
        parts = [count(number, f"{what}:{place}", "list these items") for what, number in _parts(entry)]
        effect = effects[place] if effects else None
        lines.append([entry.move.title, *parts, *(_brought(effect, place) if effect else ["", "", ""])])
    heads = ("Change", "alone", "always", "jointly", "would match", "would be lost", "suspicious")
    clicked = clickable(table(heads, lines, numbers=range(1, 7), label="What every change does"), key="fix_moves")
    if clicked:
        what, _, place = clicked.partition(":")
        move = moves[int(place)]
        rows = getattr(effects[int(place)], what) if effects and what in BROUGHT else getattr(fixes.helped(move), what)
        opening.failures(rows.tolist(), f"{amount(len(rows), 'item')} {SAID[what]} {move.title}")


def _parts(entry: MoveCount) -> tuple[tuple[str, int], ...]:
    return ("alone", entry.alone), ("always", entry.always), ("jointly", entry.jointly)


def _brought(effect: Effect, place: int) -> list[object]:
    """Give what a change brings and loses over the run, in items and EM points."""
    odd = len(effect.suspicious)
    hatched = Markup(f'<span class="wm-badge wm-odd">≋ {count(odd, f"suspicious:{place}", "list these items")}</span>') if odd else "0"
    gains = _points("+", len(effect.gained), effect.gained_points, f"gained:{place}")
    return [gains, _points("−", len(effect.lost), effect.lost_points, f"lost:{place}"), hatched]


def _points(sign: str, number: int, points: float, target: str) -> Markup:
    if not number:
        return Markup("0")
    return Markup(f'{goto(f"{sign}{number:,}", target, "list these items")} <span class="wm-state">{sign}{percent(points)}</span>')


def _act(fixes: Fixes, clicked: str) -> None:
    what, _, place = clicked.partition(":")
    if what == "all":
        opening.failures(fixes.fixable.tolist(), "items with a fix of up to three changes")
    chosen, rows = fixes.set_counts()[int(place)]
    if what == "use":
        state.set_settings(apply_moves(state.settings(), chosen))
        lab.clear()
        st.rerun()
    opening.failures(rows.tolist(), f"items that {Fix(chosen).title} would rescue")
