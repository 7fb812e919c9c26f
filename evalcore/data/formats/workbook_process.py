"""The process that reads a workbook: it comes by standard input, the rows of one sheet go to standard output, both as `marshal` writes them.

A workbook of a few kilobytes with a cell far from the others has its reader ask for more memory than there is, which ends the whole
process. So it is one of its own, and bounded. It imports nothing of this package, so that it starts fast.
"""

import datetime
import io
import marshal
import posixpath
import re
import sys
import zipfile
from typing import Any
from xml.etree import ElementTree

MOST_MEMORY = 4 << 30  # Bytes: twenty columns of the million rows that a sheet may have take half of it.


ERROR = re.compile(rb'<c ([^>]*\bt="e"[^>]*)>(?:<f[^>]*(?:/>|>[^<]*</f>))?<v>([^<]*)</v>')
NO_VALUE = re.compile(rb"<c ((?:(?!\bt=)[^>])*)><f[^>]*(?:/>|>[^<]*</f>)(?:<v ?/>|<v></v>)?</c>")
REFERENCE = re.compile(rb'\br="([A-Z]{1,3})([0-9]{1,7})"')
BELONGS = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
UNKNOWN = "formula without a value"


def cell(value: Any) -> Any:
    """Give a cell as a text, a truth value or a number; a date in its ISO form, without the time of day where that is midnight."""
    if isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, datetime.datetime | datetime.date | datetime.time) else str(value)


def found(content: bytes, wanted: str) -> tuple[Any, ...]:
    """Read the sheet of a name, else the first that has rows.

    Shape: names of all sheets, its name, the number of its first row, its
    rows, how many ranges are merged, and the cells of formulas that have an
    error or no value: row, column and the error, which stands in the cell too.
    Empty: the names alone where there is no such sheet.
    """
    from python_calamine import CalamineWorkbook

    workbook = CalamineWorkbook.from_filelike(io.BytesIO(content))
    names = [sheet.name for sheet in workbook.sheets_metadata if "WorkSheet" in str(sheet.typ)] or list(workbook.sheet_names)
    if not names or (wanted and wanted not in names):
        return (names,)
    first = None
    for name in [wanted] if wanted else names:
        sheet = workbook.get_sheet_by_name(name)
        if wanted or sheet.height > 1:
            first = sheet
            break
        first = first or sheet
    assert first is not None
    rows = [[cell(value) for value in row] for row in first.iter_rows()]
    end = first.end or (0, 0)
    top = end[0] + 1 - len(rows)  # The reader pads what it gives, up to the first row of the sheet.
    left = end[1] + 1 - len(rows[0]) if rows else 0
    faults = [(row, column, text) for row, column, text in faulty(content, first.name) if 0 <= row - top < len(rows) and 0 <= column - left < len(rows[0])]
    for row, column, text in faults:
        if text != UNKNOWN:
            rows[row - top][column - left] = text
    return names, first.name, 1 + top, rows, len(first.merged_cell_ranges or []), [(1 + row, column - left, text) for row, column, text in faults]


def faulty(content: bytes, name: str) -> list[tuple[int, int, str]]:
    """Find the cells of an xlsx whose formula gave an error, or was never calculated; the reader gives both as empty.

    Empty: for workbooks of other kinds.
    """
    if content[:2] != b"PK":
        return []
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if not {"xl/workbook.xml", "xl/_rels/workbook.xml.rels"} <= set(archive.namelist()):
            return []
        targets = {each.get("Id"): each.get("Target", "") for each in ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))}
        sheets = {
            each.get("name"): targets.get(each.get(BELONGS), "") for each in ElementTree.fromstring(archive.read("xl/workbook.xml")).iter() if each.get(BELONGS)
        }
        path = posixpath.normpath(posixpath.join("/xl", sheets.get(name, ""))).lstrip("/")
        source = archive.read(path) if path in archive.namelist() else b""
    errors = [(found[1], found[2].decode("utf-8", "replace")) for found in ERROR.finditer(source)] if b't="e"' in source else []
    unknown = [(found[1], UNKNOWN) for found in NO_VALUE.finditer(source)] if b"<f" in source else []
    placed = [(REFERENCE.search(attributes), text) for attributes, text in (*errors, *unknown)]
    return sorted((int(place[2]) - 1, column_number(place[1]), text) for place, text in placed if place)


def column_number(letters: bytes) -> int:
    """Give the number of a column, 0 for A.

    >>> column_number(b"A"), column_number(b"AA"), column_number(b"XFD")
    (0, 26, 16383)
    """
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number - 1


def main() -> None:
    """Answer with the sheet, or with what is wrong with the workbook."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    except (ImportError, OSError, ValueError):
        pass  # This system has no such bound.
    try:
        answer: Any = found(*marshal.load(sys.stdin.buffer))
    except BaseException as error:  # The reader's own panics are no Exception.
        answer = str(error).split("\n")[0][:200] or type(error).__name__
    sys.stdout.buffer.write(marshal.dumps(answer))


if __name__ == "__main__":
    main()
