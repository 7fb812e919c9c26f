"""The replacements that cost most: what the references say, and what the predictions say in its place."""

from evalcore.analysis.confusions import Confusion, find_confusions
from pages.ui import opening, work
from pages.ui.click import clickable
from pages.ui.frame import percent, section
from pages.ui.marks import deletion, insertion, string
from pages.ui.tables import Markup, goto, table

SHOWN = 12


def draw() -> None:
    """List the top confusions; a number shows exactly their items."""
    section("Top confusions", "points: where nothing else differs")
    found = work.finding("confusions", lambda scores, progress: find_confusions(scores, progress=progress))
    if found is None:
        work.progress("confusions", "Aligning words")
        return
    if not found:
        return
    lines = [_line(place, one) for place, one in enumerate(found[:SHOWN])]
    clicked = clickable(table(("Reference → prediction", "Items", "EM points"), lines, numbers=(1, 2), label="Top confusions"), key="confusions")
    if clicked:
        one = found[int(clicked.partition(":")[2])]
        opening.failures(one.rows, f"“{one.reference or 'nothing'}” → “{one.predicted or 'nothing'}”")


def _line(place: int, one: Confusion) -> list[object]:
    nothing = '<span class="wm-none">nothing</span>'
    left = string(deletion(one.reference, "hover"), one.reference) if one.reference else nothing
    right = string(insertion(one.predicted, "hover"), one.predicted) if one.predicted else nothing
    cost = f"−{percent(one.points)}" if one.sole else "0"
    return [Markup(f'{left} <span class="wm-state">→</span> {right}'), goto(one.count, f"one:{place}", "list these items"), cost]
