"""The steps on the bench: in order, switched on or off.

A step that is switched off keeps its place here and in the URL; only those
that are on are in the settings in force.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count

import streamlit as st

from evalcore import UnknownName
from evalcore.scoring.presets import require_limit
from evalcore.text.catalogue import step_from_json
from evalcore.text.settings_json import read_json
from evalcore.text.steps import Step
from pages.ui import state

OFF = "off"  # The query parameter: [[position, step] ...] of the steps that are off.
_NUMBERS = count(1)


@dataclass(frozen=True)
class Bench:
    """One step on the bench. `number` names its widgets and never changes."""

    number: int
    step: Step
    on: bool = True


def bench() -> tuple[Bench, ...]:
    """Give the steps on the bench, brought in line with the settings in force."""
    kept: tuple[Bench, ...] = state.kept("lab", ())
    steps = tuple(state.settings().pipeline)
    if _on(kept) != steps or not kept:
        kept = _rebuilt(steps, kept)
        state.seed("lab", kept)
    return kept


def _on(kept: Iterable[Bench]) -> tuple[Step, ...]:
    return tuple(row.step for row in kept if row.on)


def _rebuilt(steps: tuple[Step, ...], kept: tuple[Bench, ...]) -> tuple[Bench, ...]:
    """Take the steps of the settings, and the ones that are off from the bench or, on a first visit, the URL."""
    rows = [Bench(next(_NUMBERS), step) for step in steps]
    off = [(place, row.step) for place, row in enumerate(kept) if not row.on] or (_from_url() if not kept else [])
    for place, step in off:
        rows.insert(min(place, len(rows)), Bench(next(_NUMBERS), step, on=False))
    return tuple(rows)


def _from_url() -> list[tuple[int, Step]]:
    """Read the steps that are off; what is not understood is left out, as the settings in force do not depend on it."""
    try:
        listed = [(int(place), step_from_json(value)) for place, value in read_json(st.query_params.get(OFF, "[]"))]
        for _, step in listed:
            require_limit(step)
        return listed
    except (ValueError, TypeError, UnknownName):
        return []


def put(rows: Iterable[Bench]) -> None:
    """Lay the steps on the bench and score with those that are on."""
    kept = tuple(rows)
    state.seed("lab", kept)
    state.set_settings(state.settings().with_steps(_on(kept)))


def clear() -> None:
    """Empty the bench; it fills again from the settings in force."""
    state.seed("lab", ())
    state.seed("lab errors", {})
    if OFF in st.query_params:
        del st.query_params[OFF]


def write_url() -> None:
    """Bring the query parameter up to the bench."""
    off = [[place, row.step.to_json()] for place, row in enumerate(bench()) if not row.on]
    written = json.dumps(off, ensure_ascii=False, separators=(",", ":"))
    if off and st.query_params.get(OFF) != written:
        st.query_params[OFF] = written
    elif not off and OFF in st.query_params:
        del st.query_params[OFF]


def switch(number: int) -> None:
    """Turn a step on or off, in its place."""
    put(replace(row, on=not row.on) if row.number == number else row for row in bench())


def move(number: int, by: int) -> None:
    """Move a step up (-1) or down (1)."""
    rows = list(bench())
    at = next(place for place, row in enumerate(rows) if row.number == number)
    rows.insert(at + by, rows.pop(at))
    put(rows)


def remove(number: int) -> None:
    """Take a step off the bench."""
    put(row for row in bench() if row.number != number)


def add(step: Step) -> None:
    """Put a step at the end of the bench."""
    put([*bench(), Bench(next(_NUMBERS), step)])


def change(number: int, step: Step) -> None:
    """Put a changed step in the place of the old one."""
    put(replace(row, step=step) if row.number == number else row for row in bench())
