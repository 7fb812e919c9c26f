"""The smallest fixes of all failed items: which sets of changes would rescue how many."""

import streamlit as st

from evalcore.analysis.fixes import Fix, Fixes, is_searchable
from evalcore.analysis.moves import apply_moves
from pages.ui import lab, opening, reasons, state
from pages.ui.click import clickable, esc
from pages.ui.frame import problem, section
from pages.ui.tables import goto, table

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
    clicked = clickable(
        _sets(fixes) + f'<p class="wm-cap">{goto(f"{rescued:,} of {failed:,} failed items", "all:")} have a fix of up to three changes.</p>', key="fix_sets"
    )
    if clicked:
        _act(fixes, clicked)
    section("Every change", "alone: it suffices; always: every smallest set of the item holds it; jointly: only with others")
    _moves(fixes)


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


def _moves(fixes: Fixes) -> None:
    rows = [[entry.move.title, entry.alone, entry.always, entry.jointly] for entry in fixes.counts()]
    st.html(table(("Change", "alone", "always", "jointly"), rows, numbers=(1, 2, 3), label="What every change does"))


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
