"""Items that belong together: intervals that draw whole contexts or documents, when asked."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc
import streamlit as st

from evalcore import Dataset
from evalcore.analysis import aggregates
from evalcore.analysis.runs import cluster_labels
from evalcore.scoring.statistics import SMALL, Interval
from pages.ui import state
from pages.ui.click import sendable
from pages.ui.store import once

APART = ""
Labels = npt.NDArray[np.int64] | None


def columns(data: Dataset) -> tuple[str, ...]:
    """Name the columns in which texts repeat, and that have enough different ones to draw whole clusters."""
    there = {"context": data.contexts, "question": data.questions, **data.metadata}
    return tuple(
        name for name, texts in there.items() if texts is not None and SMALL <= pc.count_distinct(texts.array).as_py() < len(texts) - texts.array.null_count
    )


def _offered() -> tuple[str, ...]:
    run = state.active_run()
    return () if run is None else once(("cluster columns", run.key), lambda: columns(run.dataset))


def chosen() -> str:
    """Give the column whose equal texts go together, "" where every item stands for itself."""
    name = state.kept("clusters", APART)
    return name if name in _offered() else APART


def labels() -> Labels:
    """Give one label an item of the run in force, None where every item stands for itself."""
    column = chosen()
    return state.found(("cluster labels", column), lambda scores: cluster_labels(scores, column), 8 * len(state.scores())) if column else None


def intervals() -> Mapping[str, Interval]:
    """Give the intervals of the run in force, by whole clusters where a column was chosen."""
    column = chosen()
    if not column:
        return state.intervals()
    return state.found(("intervals", column), lambda scores: aggregates.intervals(scores, column))


def choose() -> None:
    """Ask whether items that share a text are drawn together; nothing is asked where none repeats."""
    offered = _offered()
    if not offered:
        return
    options = [APART, *offered]
    key = state.keep("clusters", APART, options)
    st.selectbox("Items that belong together", options, format_func=_say, key=key, width=320, label_visibility="collapsed")


def _say(name: str) -> str:
    return f"Intervals: items of one {sendable(name)} together" if name else "Intervals: every item for itself"
