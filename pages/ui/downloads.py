"""Files of exactly the items shown, in every format that loads again."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt
import streamlit as st

from evalcore import Scores
from evalcore.analysis.reasons.find import Reasons
from evalcore.report.export import to_csv, to_jsonl
from evalcore.report.parquet import to_parquet
from evalcore.report.workbook import MOST_ROWS, to_excel
from pages.ui import reasons, state

EXACTLY = "Exactly the items of this filter, in this order."
EXPLAINED = "The main reason of every item that did not match, and what each step changed in its prediction, as JSON."


@dataclass(frozen=True)
class Kind:
    """One format: its name, how it is written, and what to know before."""

    name: str
    write: Callable[..., bytes]
    ending: str
    mime: str
    told: str
    most: int | None = None


KINDS = (
    Kind("CSV", to_csv, "csv", "text/csv", "A text that a spreadsheet would compute gets an apostrophe in front."),
    Kind("JSONL", to_jsonl, "jsonl", "application/jsonl", "Every text stays as it is."),
    Kind("Parquet", to_parquet, "parquet", "application/vnd.apache.parquet", "Every text stays as it is; lists are lists."),
    Kind(
        "Excel",
        to_excel,
        "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "No text is computed. What a cell cannot hold is told on the sheet notes.",
        MOST_ROWS,
    ),
)


def offer(scores: Scores, rows: npt.NDArray[Any], name: str) -> None:
    """Offer the items of the rows as files; `name` is part of the names of the files."""
    explained = st.checkbox("Reasons and trace", key=state.keep("downloads explained", False), help=EXPLAINED, width="content")
    known = reasons.diagnosis() if explained else None
    waiting = explained and known is None
    if waiting:
        reasons.progress()
    for kind in KINDS:
        too_many = kind.most is not None and len(rows) > kind.most
        told = f"A sheet holds {kind.most:,} rows; take Parquet or CSV." if too_many else f"{EXACTLY} {kind.told}"
        st.download_button(
            f"{kind.name} of {len(rows):,}",
            data=_written(kind, scores, rows, None if known is None else known.reasons),
            file_name=f"whymiss-{name}-{len(rows)}.{kind.ending}",
            mime=kind.mime,
            key=f"downloads_{kind.name}",
            icon=":material/download:",
            disabled=not len(rows) or too_many or waiting,
            on_click="ignore",
            help="The reasons are being found first." if waiting else told,
        )


def _written(kind: Kind, scores: Scores, rows: npt.NDArray[Any], found: Reasons | None) -> Callable[[], bytes]:
    """Give what writes the file once it is asked for."""
    return lambda: kind.write(scores, rows, found, found is not None)
