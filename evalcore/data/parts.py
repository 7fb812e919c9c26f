"""A file of any size as tables of some of its rows, one after the other."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq

from evalcore.data import blocks
from evalcore.data.errors import DataError, FormatError, quote
from evalcore.data.formats import goes_by_lines, recognise
from evalcore.data.formats.arrow import table_of_arrow
from evalcore.data.formats.arrow_file import ARROW, FILE
from evalcore.data.formats.delimited import DELIMITED, STATED, csv_parts
from evalcore.data.formats.format import refuse_without_rows
from evalcore.data.formats.parquet import MAGIC, PARQUET
from evalcore.data.formats.rows import line_ends
from evalcore.data.source import BOMS, GUESSED_BYTES, Source, cannot_open, known_encoding, utf16_without_bom
from evalcore.data.table import Column, Table

ROWS = 1 << 16  # Rows of a columnar file read at once.
HEAD = b"PK\x03\x04"


class NeedsWhole(DataError):
    """A file that cannot be read part by part; the message says why."""


@dataclass(frozen=True)
class Parts:
    """The tables of one file: `first` and those that follow, each with the places its rows have in the file."""

    first: Table
    following: Iterator[Table]

    def __iter__(self) -> Iterator[Table]:
        yield self.first
        for table in self.following:
            absent = {name: Column.nulls(len(table)) for name in self.first.names if name not in table.columns}
            yield replace(table, columns={**absent, **table.columns}) if absent else table


def open_parts(path: str | PathLike[str], encoding: str | None = None) -> Parts:
    """Open a JSONL, CSV, TSV, Parquet or Arrow file to be read part by part.

    Raises: NeedsWhole for any other format, FormatError when it cannot be read.
    """
    name = Path(fspath(path)).name
    try:
        with open(fspath(path), "rb") as file:
            head = file.read(8)
    except OSError as error:
        raise cannot_open(path, error) from None
    tables = _columnar(path, name, head) if head[:4] == MAGIC or head[:6] == FILE else _lines(path, name, encoding)
    return Parts(_first(tables, name), tables)


def _first(tables: Iterator[Table], name: str) -> Table:
    """Give the first table that has rows, with what was said of those before.

    Raises: FormatError when none has.
    """
    before: Table | None = None
    for table in tables:
        if before is not None:
            table = replace(table, bad_rows=(*before.bad_rows, *table.bad_rows), notes=(*before.notes, *table.notes))
        if len(table):
            return table
        before = table
    if before is None:
        raise FormatError(f"{name} has no rows; a file with at least one row is needed")
    return refuse_without_rows(before)


def _columnar(path: str | PathLike[str], name: str, head: bytes) -> Iterator[Table]:
    """Read the rows of a Parquet or Arrow file, some at once."""
    try:
        file = pa.OSFile(fspath(path))
        if head[:4] == MAGIC:
            reader = pq.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False)
            schema, batches = reader.schema_arrow, reader.iter_batches(batch_size=ROWS)
        else:
            opened = pyarrow.ipc.open_file(file)
            schema, batches = opened.schema, (opened.get_batch(number) for number in range(opened.num_record_batches))
    except (pa.ArrowException, OSError) as error:
        raise FormatError(f"{name} cannot be read: {str(error).splitlines()[0][:200]}; it may be cut off: copy or write it again") from None
    format, reason = recognise(Source(_without_rows(schema, head), name))
    if format not in (PARQUET, ARROW):
        raise NeedsWhole(f"{name} is {format.name}, whose rows are put together from the whole file")
    source = Source(b"", name)
    rows = 0
    for batch in _told(batches, name):
        for start in range(0, batch.num_rows, ROWS):
            table = table_of_arrow(source, format.name, pa.Table.from_batches([batch.slice(start, ROWS)]), before=rows)
            rows += len(table)
            yield replace(table, recognised=f"{format.name}: {reason}")


def _without_rows(schema: pa.Schema, head: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    if head[:4] == MAGIC:
        pq.write_table(schema.empty_table(), sink)
    else:
        with pyarrow.ipc.new_file(sink, schema) as writer:
            writer.write_table(schema.empty_table())
    return bytes(sink.getvalue())


def _told(batches: Any, name: str) -> Iterator[pa.RecordBatch]:
    try:
        yield from batches
    except (pa.ArrowException, OSError) as error:
        raise FormatError(f"{name} cannot be read further: {str(error).splitlines()[0][:200]}; copy or write it again") from None


def _lines(path: str | PathLike[str], name: str, encoding: str | None) -> Iterator[Table]:
    """Read the rows of a file of lines, block by block."""
    label = name or "the input"
    source = blocks.opened(path, name)
    head = source.data[:GUESSED_BYTES]
    if head[:4] == HEAD or not source.data:
        raise NeedsWhole(f"{label} is {'an archive' if source.data else 'empty'}")
    written, note = (encoding, "") if encoding else _written(head, label)
    if not written.startswith("UTF-8"):
        source = blocks.opened(path, name, encoding=known_encoding(written))
    notes = (note,) if note else ()
    if goes_by_lines(source):
        format, reason = recognise(source)
        found = _json_lines(source, format.read)
    else:
        format, reason = _recognised(source)
        if format is not DELIMITED:
            raise NeedsWhole(f"{label} is {format.name}, which is read as a whole")
        if STATED.match(source.text):
            raise NeedsWhole(f"{label} names its separator in a line before the heading")
        found = csv_parts(source)
    try:
        for number, table in enumerate(found):
            told = (*notes, *table.notes) if number == 0 else table.notes
            yield replace(table, recognised=f"{table.format}: {reason}", encoding=written, notes=told)
    except blocks.NotUtf8:
        raise FormatError(f"{label} began as UTF-8 and does not go on so; say how it is written, such as --encoding cp1252") from None


def _written(head: bytes, label: str) -> tuple[str, str]:
    """Tell how a file is written by its first bytes, and what was guessed there."""
    marked = next((name for bom, name in BOMS if head.startswith(bom)), None) or utf16_without_bom(head)
    if marked not in (None, "utf-8"):
        return str(marked), ""
    _, encoding, note = Source(head[: head.rfind(b"\n") + 1] or head, label).decoded
    return encoding, note


def _recognised(source: Source) -> tuple[Any, str]:
    try:
        return recognise(source)
    except FormatError as error:
        raise NeedsWhole(f"{source.label} is of no kind whose rows stand one a line by what it begins with ({quote(str(error), 80)})") from None


def _json_lines(source: Source, read: Callable[[Source], Table]) -> Iterator[Table]:
    before = 0
    for block in map(line_ends, source.blocks()):
        yield read(replace(source, data=block, rest=None, before=before, known={}))
        before += block.count(b"\n")
