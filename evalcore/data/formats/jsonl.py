"""JSON lines: one object a line."""

import re

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json

from evalcore.data.formats.arrow import column_of_arrow
from evalcore.data.formats.format import Format, numbered, table_of
from evalcore.data.formats.json_document import NOTHING, document
from evalcore.data.formats.rows import lines, object_in
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Column, Table, kind_of

EXTENSIONS = (".jsonl", ".ndjson", ".jl")
LINES_SNIFFED = 20
LINES_SAMPLED = 200
BLOCK = 1 << 22
NEGATIVE_ZERO = re.compile(rb":\s*-0\s*[,}]")


def sniff(source: Source) -> str | None:
    """Tell by the first lines: most are objects, or the name says so and it is no single document."""
    named = source.extension in EXTENSIONS
    if not (named or source.opening.startswith(b"{")):
        return None
    first = [line for _, line in zip(range(LINES_SNIFFED), lines(source.text), strict=False)]
    objects = sum(_is_object(line) for _, line in first)
    if len(first) > 1 and objects * 2 >= len(first):
        return "its lines are JSON objects"
    if named and len(first) == objects == 1:
        return f"its name ends in {source.extension} and its only line is a JSON object"
    if named and (objects or source.opening.startswith(b"{")) and document(source) is NOTHING:
        return f"its name ends in {source.extension}, and it is no single JSON document"
    return None


def read(source: Source) -> Table:
    """Read all lines; those that are no JSON object are listed as bad rows."""
    whole = _read_whole(source.text)
    if whole is not None:
        return Table(whole[0], numbered("line", whole[1]), JSONL.name, "", source.label, notes=source.encoding_notes)
    rows: list[dict[str, object]] = []
    places: list[str] = []
    bad_rows: list[BadRow] = []
    for number, line in lines(source.text):
        row = object_in(line)
        if isinstance(row, dict):
            rows.append(row)
            places.append(f"line {number}")
        else:
            bad_rows.append(BadRow(f"line {number}", row))
    return table_of(source, JSONL.name, rows, places, bad_rows)


def _numbers(text: bytes, rows: int) -> npt.NDArray[np.int64] | None:
    """Number the lines of the rows; None when there are not as many lines as rows."""
    if text.count(b"\n") + (not text.endswith(b"\n")) == rows:
        return np.arange(1, rows + 1)
    numbers = np.fromiter((number for number, _ in lines(text)), dtype=np.int64)
    return numbers if len(numbers) == rows else None


def _is_object(line: bytes) -> bool:
    return isinstance(object_in(line), dict)


def _read_whole(text: bytes) -> tuple[dict[str, Column], npt.NDArray[np.int64]] | None:
    """Read with Arrow when every row fits one schema of texts, lists of texts, integers and truth values.

    Empty: None when the rows do not fit, so that they are read one by one.
    """
    schema = _schema(text)
    if schema is None:
        return None
    reading = pyarrow.json.ReadOptions(use_threads=False, block_size=BLOCK)
    parsing = pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")
    try:
        content = pyarrow.json.read_json(pa.BufferReader(text), reading, parsing)
    except (pa.ArrowInvalid, UnicodeDecodeError):
        return None
    numbers = _numbers(text, content.num_rows)
    if numbers is None or _has_row_without_value(content) or _has_negative_zero(content, text):
        return None
    return {name: column_of_arrow(content.column(name)) for name in schema.names}, numbers


def _schema(text: bytes) -> pa.Schema | None:
    rows = [object_in(line) for _, (_, line) in zip(range(LINES_SAMPLED), lines(text), strict=False)]
    if not all(type(row) is dict for row in rows):
        return None
    names = dict.fromkeys(name for row in rows for name in row)
    if any("\ud800" <= character <= "\udfff" for name in names for character in name):
        return None  # Arrow cannot name a column by a lone surrogate.
    types = {name: _type({type(part) for part in _values(rows, name)}, _values(rows, name)) for name in names}
    return None if None in types.values() or not types else pa.schema(list(types.items()))


def _values(rows: list[dict[str, object] | str], name: str) -> list[object]:
    return [row[name] for row in rows if isinstance(row, dict) and row.get(name) is not None]


def _type(found: set[type], values: list[object]) -> pa.DataType | None:
    if found <= {str}:
        return pa.large_string()
    if found == {bool}:
        return pa.bool_()
    if all(kind_of(value).name == "NUMBER" and str(value).lstrip("-").isdecimal() for value in values):
        return pa.int64()
    if found == {list} and all(type(part) is str for value in values for part in value):  # type: ignore[attr-defined]
        return pa.list_(pa.large_string())
    return None


def _has_row_without_value(content: pa.Table) -> bool:
    if all(column.null_count for column in content.columns):
        nulls = [np.asarray(pc.is_null(column).combine_chunks()) for column in content.columns]
        return bool(np.logical_and.reduce(nulls).any())
    return False


def _has_negative_zero(content: pa.Table, text: bytes) -> bool:
    return any(pa.types.is_integer(column.type) for column in content.columns) and b"-0" in text and NEGATIVE_ZERO.search(text) is not None


JSONL = Format("JSONL", "JSON lines: one object a line.", sniff, read)
