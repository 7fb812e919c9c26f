"""Exports as an Excel workbook: exactly the given items, every text as a text."""

import io
import json
import re
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
import xlsxwriter

from evalcore.analysis.reasons.find import Reasons
from evalcore.report.export import NUMBERS, columns_of, records
from evalcore.scoring.scores import Scores

MOST_ROWS = 1_048_575
MOST_COLUMNS = 16_384
MOST_CHARACTERS = 32_767
UNHOLDABLE = re.compile("[\ud800-\udfff\ufffe\uffff]")
ESCAPED = re.compile("_x[0-9A-Fa-f]{4}_")


def to_excel(scores: Scores, rows: npt.ArrayLike, reasons: Reasons | None = None, trace: bool = False) -> bytes:
    """Write the items of the rows as a workbook, in the order given.

    Shape: the sheet `items` has the columns of the CSV export; where a cell
    could not hold its text as it is, the sheet `notes` tells what was done.
    Texts are written as texts, so none of them is computed.
    Raises: ValueError when there are more rows or columns than a sheet holds.
    """
    columns = (*columns_of(reasons, trace), *(f"metadata.{name}" for name in scores.dataset.metadata), "settings")
    number_of_rows = len(np.asarray(rows))
    if number_of_rows > MOST_ROWS or len(columns) > MOST_COLUMNS:
        raise ValueError(
            f"{number_of_rows:,} rows and {len(columns):,} columns are more than a sheet holds ({MOST_ROWS:,} and {MOST_COLUMNS:,}); export Parquet or CSV"
        )
    changed: Counter[str] = Counter()
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        sheet = book.add_worksheet("items")
        for place, name in enumerate(columns):
            sheet.write_string(0, place, _held(name, changed))
        for number, record in enumerate(records(scores, rows, reasons, trace), 1):
            cells = {**record, **{f"metadata.{name}": value for name, value in record["metadata"].items()}}
            for place, name in enumerate(columns):
                _write(sheet, number, place, name, cells[name], changed)
        sheet.freeze_panes(1, 0)
        if changed:
            notes = book.add_worksheet("notes")
            for number, (what, count) in enumerate(changed.items()):
                notes.write_string(number, 0, f"{count:,} {what}")
    return sink.getvalue()


def _write(sheet: Any, row: int, place: int, name: str, value: Any, changed: Counter[str]) -> None:
    if value is None:
        return
    if name in NUMBERS:
        sheet.write_number(row, place, value)
    elif isinstance(value, bool):
        sheet.write_boolean(row, place, value)
    else:
        text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
        sheet.write_string(row, place, _held(text, changed))


def _held(text: str, changed: Counter[str]) -> str:
    """Give what a cell can hold of a text, and count what it cannot."""
    if UNHOLDABLE.search(text):
        changed["cells with characters that a workbook cannot hold: they are spelled, such as \\ud800"] += 1
        text = UNHOLDABLE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
    if ESCAPED.search(text):
        changed["cells that look like a workbook's own escapes (such as _x0041_): a reader may change them"] += 1
    if len(text.encode("utf-16-le")) // 2 > MOST_CHARACTERS:
        changed[f"cells longer than {MOST_CHARACTERS:,} characters: they are cut"] += 1
        text = text.encode("utf-16-le")[: 2 * MOST_CHARACTERS].decode("utf-16-le", "ignore")
    return text
