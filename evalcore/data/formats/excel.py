"""Workbooks: xlsx, xlsb, xls and ods."""

import marshal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from evalcore.data.archive import ZIP, check_size, member_names
from evalcore.data.errors import FormatError, listed, quote
from evalcore.data.formats.format import Format, numbered, numbered_names
from evalcore.data.formats.workbook_process import MOST_MEMORY, UNKNOWN
from evalcore.data.json_text import Number
from evalcore.data.source import Source
from evalcore.data.table import Column, Table
from evalcore.text.amounts import amount

OLD = b"\xd0\xcf\x11\xe0"
PROGRAM = Path(__file__).with_name("workbook_process.py")
FAULTS_SHOWN = 5
PARTS = ("xl/workbook.xml", "xl/workbook.bin", "content.xml")


def sniff(source: Source) -> str | None:
    """Tell by a workbook inside a zip archive, or the mark of old Office documents."""
    if source.data[:4] == OLD:
        return "it begins as an old Office document"
    if source.data[:4] not in ZIP:
        return None
    part = next((name for name in member_names(source.data, source.label) if name in PARTS), None)
    return None if part is None else f"it is an archive with {part}"


def read(source: Source) -> Table:
    """Read the chosen sheet, or the first that has rows; the others are named in a note.

    Texts stay as they are. A number gives its shortest literal, without
    ".0" where it is whole; a date its ISO form; a formula its last value, or the error it gave.
    Empty: an empty cell is the empty text; a row without any value is no row.
    Raises: FormatError when the workbook is damaged, locked, takes too much memory, has no rows, or no such sheet.
    """
    if source.data[:4] in ZIP:
        check_size(source.data, source.label)
    answer = _answer(source)
    if isinstance(answer, str):
        raise FormatError(f"{source.label} begins as a workbook but cannot be read: {answer}; it may be locked or damaged: save it again as xlsx")
    names, *sheet = answer
    if not names:
        raise FormatError(f"{source.label} is a workbook without a sheet; a sheet with a heading and at least one row is needed")
    if not sheet:
        raise FormatError(f"{source.label} has no sheet {quote(source.sheet)}; its sheets are {listed(names)}")
    chosen, first, rows, merged, faults = sheet
    others = [name for name in names if name != chosen]
    notes = [f"of {len(names)} sheets {quote(chosen)} was read; the others are {listed(others, 8)}"] if others else []
    if merged:
        ranges = amount(merged, "range of merged cells: its", "ranges of merged cells: their")
        notes.append(f"{ranges} value stands in the first cell only, the others are empty")
    notes += _told(faults)
    return replace(
        _table(source, [(number, row) for number, row in enumerate(rows, first) if any(value != "" for value in row)], notes), sheet=chosen, sheets=tuple(names)
    )


def _told(faults: Sequence[tuple[int, int, str]]) -> list[str]:
    """Say which formulas gave an error, and which have no value."""
    unknown = [row for row, _, text in faults if text == UNKNOWN]
    errors = [f"{text} in row {row}" for row, _, text in faults if text != UNKNOWN]
    told = []
    if errors:
        cells = amount(len(errors), "formula gave an error, which is read as its text", "formulas gave an error, which is read as its text")
        told.append(f"{cells}: {', '.join(errors[:FAULTS_SHOWN])}")
    if unknown:
        cells = amount(len(unknown), "formula has no value and is read as empty", "formulas have no value and are read as empty")
        told.append(f"{cells}, such as in row {unknown[0]}: open the workbook in a spreadsheet program and save it, so that they are calculated")
    return told


def _answer(source: Source) -> Any:
    """Have a process of its own read the workbook; a text says what is wrong.

    Raises: FormatError when it needs more memory than a workbook of answers does.
    """
    request = marshal.dumps((bytes(source.data), source.sheet or ""))
    done = subprocess.run([sys.executable, "-P", str(PROGRAM)], input=request, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise FormatError(
            f"{source.label} is a workbook that cannot be read within {MOST_MEMORY >> 20:,} MB of memory; a cell may stand far from all others, such as "
            "XFD1048576: delete the rows and columns behind the answers, or save the sheet as CSV"
        )
    return marshal.loads(done.stdout)


def _table(source: Source, rows: Sequence[tuple[int, Sequence[object]]], notes: Sequence[str]) -> Table:
    if not rows:
        return Table({}, numbered("row", np.zeros(0, dtype=np.int64)), EXCEL.name, "", source.label, notes=(*source.notes, *notes))
    names = numbered_names([str(_value(cell)).strip() or f"column {place}" for place, cell in enumerate(rows[0][1], 1)])
    body = rows[1:]
    columns = {name: Column.of([_value(row[place]) if place < len(row) else "" for _, row in body]) for place, name in enumerate(names)}
    return Table(
        columns,
        numbered("row", np.array([number for number, _ in body], dtype=np.int64)),
        EXCEL.name,
        "",
        source.label,
        (),
        (*source.notes, *notes),
        has_null=False,
    )


def _value(cell: object) -> object:
    if isinstance(cell, bool) or not isinstance(cell, float | int):
        return cell
    return Number(str(int(cell)) if isinstance(cell, int) or (cell.is_integer() and abs(cell) < 2**53) else repr(cell))


EXCEL = Format(
    "Excel", "Excel and OpenDocument workbooks (xlsx, xlsb, xls, ods): the first sheet with rows.", sniff, lambda source: source.once("Excel table", read)
)
