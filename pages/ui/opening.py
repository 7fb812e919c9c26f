"""Open items by their rows."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NoReturn

from evalcore.analysis.selection import Selection
from pages.ui import state


def failures(rows: Iterable[int], label: str) -> NoReturn:
    """Show exactly these items on Failures."""
    show(state.selection().with_rows(rows, label))


def show(selection: Selection) -> NoReturn:
    """Show the items of a selection on Failures, from the first page on."""
    state.set_selection(selection)
    state.seed("failures seen", True)
    state.seed("failures page", 1)
    state.go("Failures")


def item(row: int, rows: Iterable[int] | None = None, label: str = "") -> NoReturn:
    """Show one item on Inspect; among the given rows when there are some."""
    if rows is not None:
        state.set_selection(state.selection().with_rows(rows, label))
    state.open_item(row)
    state.go("Inspect")


def listed(target: str) -> NoReturn:
    """Show the item of a clicked row, whose target is `item:ROW`, on Inspect."""
    item(int(target.removeprefix("item:")))


def narrowed(rows: Iterable[int], label: str) -> None:
    """Show these rows alone, further conditions kept."""
    state.set_selection(replace(state.selection(), rows=tuple(int(row) for row in rows), label=label))
    state.seed("failures page", 1)
