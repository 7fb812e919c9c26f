"""Workbooks: xlsx, xlsb, xls and ods."""

import datetime
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook

from evalcore.data.archive import ZIP, check_size, member_names
from evalcore.data.errors import FormatError, listed, quote
from evalcore.data.formats.format import Format, numbered
from evalcore.data.json_text import Number
from evalcore.data.source import Source
from evalcore.data.table import Column, Table

OLD = b"\xd0\xcf\x11\xe0"
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
    ".0" where it is whole; a date its ISO form; a formula its last value.
    Empty: an empty cell is the empty text; a row without any value is no row.
    Raises: FormatError when the workbook is damaged, locked, has no rows, or no such sheet.
    """
    if source.data[:4] in ZIP:
        check_size(source.data, source.label)
    try:
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(source.data))
        sheets = [(name, workbook.get_sheet_by_name(name)) for name in _sheet_names(workbook)]
    except (CalamineError, OSError, ValueError) as error:
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise FormatError(f"{source.label} begins as a workbook but cannot be read: {reason}; it may be locked or damaged: save it again as xlsx") from None
    filled = [(name, sheet) for name, sheet in sheets if sheet.height > 1] or sheets[:1]
    if not filled:
        raise FormatError(f"{source.label} is a workbook without a sheet; a sheet with a heading and at least one row is needed")
    names = tuple(name for name, _ in sheets)
    chosen = source.sheet or filled[0][0]
    if chosen not in names:
        raise FormatError(f"{source.label} has no sheet {quote(chosen)}; its sheets are {listed(names)}")
    others = [name for name in names if name != chosen]
    notes = [f"of {len(names)} sheets {quote(chosen)} was read; the others are {listed(others, 8)}"] if others else []
    return replace(_table(source, dict(sheets)[chosen], notes), sheet=chosen, sheets=names)


def _sheet_names(workbook: CalamineWorkbook) -> list[str]:
    shown = [sheet.name for sheet in workbook.sheets_metadata if "WorkSheet" in str(sheet.typ)]
    return shown or list(workbook.sheet_names)


def _table(source: Source, sheet: CalamineSheet, notes: list[str]) -> Table:
    rows = [(number, row) for number, row in enumerate(sheet.iter_rows(), 1 + (sheet.start[0] if sheet.start else 0)) if any(cell != "" for cell in row)]
    if not rows:
        return Table({}, numbered("row", np.zeros(0, dtype=np.int64)), EXCEL.name, "", source.label, notes=(*source.notes, *notes))
    names = _names(rows[0][1])
    body = rows[1:]
    columns = {name: Column.of([_value(row[place]) if place < len(row) else "" for _, row in body]) for place, name in enumerate(names)}
    merged = sheet.merged_cell_ranges or []
    if merged:
        notes.append(f"{len(merged)} ranges of merged cells: their value stands in the first cell only, the others are empty")
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


def _names(heading: Sequence[object]) -> list[str]:
    plain = [str(_value(cell)).strip() or f"column {place}" for place, cell in enumerate(heading, 1)]
    seen: Counter[str] = Counter()
    names: list[str] = []
    for name in plain:
        seen[name] += 1
        names.append(name if seen[name] == 1 else _free(f"{name} ({seen[name]})", (*plain, *names)))
    return names


def _free(name: str, taken: Iterable[str]) -> str:
    while name in taken:
        name += "'"
    return name


def _value(cell: object) -> object:
    if isinstance(cell, bool | str):
        return cell
    if isinstance(cell, float):
        return Number(str(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else repr(cell))
    if isinstance(cell, int):
        return Number(cell)
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    return cell.isoformat() if isinstance(cell, datetime.datetime | datetime.date | datetime.time) else str(cell)


EXCEL = Format(
    "Excel", "Excel and OpenDocument workbooks (xlsx, xlsb, xls, ods): the first sheet with rows.", sniff, lambda source: source.once("Excel table", read)
)
