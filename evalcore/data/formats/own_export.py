"""Our own exports: they load again and give the same scores."""

import json
import re
from collections.abc import Iterator

import pyarrow as pa

from evalcore.data.formats.delimited import csv_header, csv_rows
from evalcore.data.formats.excel import EXCEL
from evalcore.data.formats.format import Format
from evalcore.data.formats.parquet import MAGIC, column_names, content_of
from evalcore.data.formats.rows import Placed, Row, all_rows, first_rows
from evalcore.data.formats.told import told
from evalcore.data.json_text import Number, decode
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table
from evalcore.text.spreadsheet import unguarded

MARKS = frozenset({"id", "prediction", "references", "normalized_prediction", "normalized_references", "unscored", "missing", "settings"})
SCORES = ("em", "f1")
TEXTS = ("id", "question", "context", "prediction")
METADATA = "metadata."
NO_TEXT = re.compile(r"prediction is (an? .*, not a text|.*, which is no answer)")
NO_REFERENCES = re.compile(r"references are an? .* without texts|reference is .*, which is no answer|a list of references is expected in the cell")


def sniff(source: Source) -> str | None:
    """Tell by normalized_prediction, normalized_references, missing and settings beside the answers."""
    return "it has the columns of an export of items" if _names(source) >= MARKS else None


def read(source: Source) -> Table:
    """Read answers, references and metadata as they were; scores are kept as logged, what was derived is left to be computed again."""
    bad_rows: list[BadRow] = []
    items = list(_items(source, bad_rows))
    roles = {"id": "id", "question": "question", "context": "context", "prediction": "prediction", "references": "references", "label": (), "logged": SCORES}
    settings = sorted({str(item.row.pop("settings")) for item in items if item.row.get("settings")})
    notes = [f"{source.label} was exported under {setting}" for setting in settings[:3]]
    return told(source, OWN.name, items, roles, bad_rows, notes)  # type: ignore[arg-type]


def _names(source: Source) -> frozenset[str]:
    if source.data[:4] == MAGIC:
        return frozenset(source.once("Parquet columns", column_names))
    if EXCEL.sniff(source) is not None:
        return frozenset(EXCEL.read(source).names)
    rows = first_rows(source)
    return frozenset(rows[0]) if rows else frozenset(csv_header(source))


def _items(source: Source, bad_rows: list[BadRow]) -> Iterator[Placed]:
    if source.data[:4] == MAGIC:
        for number, entry in enumerate(_parquet_rows(source), 1):
            yield Placed(f"row {number}", _item(entry))
    elif EXCEL.sniff(source) is not None:
        for placed in _cells(EXCEL.read(source)):
            yield Placed(placed.place, _from_cells(placed.row, False))
    elif first_rows(source):
        for placed in all_rows(source, bad_rows):
            metadata = placed.row.get("metadata")
            laid = {f"{METADATA}{name}": value for name, value in metadata.items()} if isinstance(metadata, dict) else {}
            yield Placed(placed.place, _item({**{name: value for name, value in placed.row.items() if name != "metadata"}, **laid}))
    else:
        for placed in csv_rows(source, bad_rows):
            yield Placed(placed.place, _from_cells(placed.row, True))


def _cells(table: Table) -> Iterator[Placed]:
    columns = {name: column.as_texts().to_list() for name, column in table.columns.items()}
    for row, place in enumerate(table.places.to_list()):
        yield Placed(place or "", {name: cells[row] for name, cells in columns.items()})


def _from_cells(cells: Row, guarded: bool) -> Row:
    """Take apostrophes off, read lists and numbers, and give back what was null; an empty question or context counts as none."""
    row: Row = {}
    for name, cell in cells.items():
        text = unguarded(str(cell or "")) if guarded else str(cell or "")
        row[unguarded(name) if guarded else name] = text
    for name in SCORES:
        row[name] = Number(str(row[name])) if row.get(name) else None
    for name in ("question", "context"):
        row[name] = row.get(name) or None
    row["references"] = _list(str(row["references"]))
    if str(row["missing"]).casefold() == "true":
        row["prediction"] = None
    return _item(row)


def _list(cell: str) -> object:
    try:
        return decode(cell)
    except (json.JSONDecodeError, RecursionError):
        return cell


def _item(row: Row) -> Row:
    """Keep what is no derived value; metadata gets its own name again, unless that is one of ours."""
    kept: Row = {name: row.get(name) for name in (*TEXTS, "references", *SCORES, "settings")}
    for name, value in row.items():
        own = name.removeprefix(METADATA)
        if name.startswith(METADATA):
            kept[own if own not in kept else name] = value
    return _unscorable(kept, str(row.get("unscored") or ""))


def _unscorable(row: Row, reason: str) -> Row:
    """Give back the list, object or NaN that an item could not be scored for."""
    if NO_TEXT.fullmatch(reason):
        row["prediction"] = _list(str(row["prediction"]))
    if NO_REFERENCES.fullmatch(reason) and not row["references"]:
        row["references"] = {}
    return row


def _parquet_rows(source: Source) -> Iterator[Row]:
    content = content_of(source)
    columns = {name: _values(content.column(name)) for name in content.column_names}
    for number in range(content.num_rows):
        yield {name: values[number] for name, values in columns.items()}


def _values(column: pa.ChunkedArray) -> list[object]:
    values = column.to_pylist()
    if pa.types.is_floating(column.type):
        return [None if value is None else Number(repr(value)) for value in values]
    return [_plain(value) for value in values]


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogatepass")
    return [_plain(part) for part in value] if isinstance(value, list) else value


OWN = Format("Whymiss export", "Whymiss, exported items as JSONL, CSV, Parquet or Excel: answers and references as they were.", sniff, read)
