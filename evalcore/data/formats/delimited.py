"""CSV and TSV: one row a line, cells between separators."""

import csv
import io
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from evalcore.data.errors import FormatError, quote
from evalcore.data.formats.format import CSV_TABLE, Format, numbered, numbered_names
from evalcore.data.formats.rows import Placed
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Column, Table
from evalcore.text.amounts import amount
from evalcore.text.columns import Texts

EXTENSIONS = (".csv", ".tsv", ".tab", ".txt")
DELIMITERS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "vertical bars"}
SNIFFED_BYTES = 1 << 16
SNIFFED_ROWS = 100
BLOCK = 1 << 22
STATED = re.compile(rb"sep=([,;|\t])\r?\n")  # What spreadsheets write before the heading to name the separator.
PART = 1 << 21  # Bytes of a part; a row must fit, and some parts are read ahead.
HEADING_AGAIN = "the heading stands here again, as in files that were put one behind the other"
SENTINEL = b"\n\x00end of file\x00\n"


@dataclass(frozen=True)
class Dialect:
    """How a file separates its cells; `share` of the first rows have as many cells as the header."""

    delimiter: str
    columns: int
    share: float
    quoted: bool = True


@dataclass(frozen=True, eq=False)
class Parsed:
    """Cells of a file under one dialect; `numbers` are its rows, the header is row 1."""

    header: tuple[str, ...]
    columns: tuple[pa.ChunkedArray, ...]
    bad_rows: tuple[tuple[int, str], ...]
    rows: int
    unclosed: bool


def sniff(source: Source) -> str | None:
    """Tell by the name, or by rows that have as many cells as the header."""
    dialect = source.once("dialect", _dialect)
    if source.extension in EXTENSIONS[:3] and not (source.extension != ".csv" and dialect.columns == 0):
        return f"its name ends in {source.extension}" + (f" and {DELIMITERS[dialect.delimiter]} separate its cells" if dialect.columns > 1 else "")
    if source.opening[:1] in (b"{", b"[") and source.extension != ".txt":
        return None
    if dialect.columns > 1 and dialect.share >= 0.8:
        return f"{DELIMITERS[dialect.delimiter]} separate its first line into {dialect.columns} cells, and the lines below alike"
    return "its name ends in .txt: one text a line under a heading" if source.extension == ".txt" else None


def read(source: Source) -> Table:
    """Read every cell as the text it is; rows with another number of cells are listed.

    Empty: an empty cell is the empty text. A blank line is no row, unless
        there is only one column.
    Raises: FormatError when not even the header can be read.
    """
    stated = STATED.match(source.text)
    if stated is not None:
        below = source.text[stated.end() :]
        dialect = _count(below[:SNIFFED_BYTES].decode("utf-8", "replace"), stated.group(1).decode())
        table = read(replace(source, data=below, notes=(), chosen=None, before=1, known={"dialect": dialect}))
        return replace(table, notes=(*source.encoding_notes, *table.notes))
    dialect = source.once("dialect", _dialect)
    parsed, odd = _best(source, dialect)
    name = "TSV" if dialect.delimiter == "\t" else "CSV"
    names, notes = _unique(parsed.header)
    bad_rows = [BadRow(f"row {number + source.before}", message) for number, message in parsed.bad_rows]
    numbers = source.before + np.delete(np.arange(2, parsed.rows + len(parsed.bad_rows) + 2), [number - 2 for number, _ in parsed.bad_rows])
    columns = {column: Column.of_texts(Texts.from_arrow(array)) for column, array in zip(names, parsed.columns, strict=True)}
    return Table(columns, numbered("row", numbers), name, "", source.label, tuple(bad_rows), (*source.encoding_notes, *odd, *notes), has_null=False)


def csv_header(source: Source) -> tuple[str, ...]:
    """Give the names of the columns of a CSV or TSV.

    Empty: when the content looks like JSON, or its rows do not fit its heading.
    """
    return source.once("CSV header", _header)


def csv_rows(source: Source, bad_rows: list[BadRow]) -> Iterator[Placed]:
    """Go through the rows of a CSV or TSV as objects of texts, adding what cannot be read to `bad_rows`."""
    table = source.once(CSV_TABLE, read)
    bad_rows.extend(table.bad_rows)
    columns = {name: column.texts.to_list() for name, column in table.columns.items()}
    for row, place in enumerate(table.places.to_list()):
        yield Placed(place or "", {name: cells[row] for name, cells in columns.items()})


def _header(source: Source) -> tuple[str, ...]:
    if source.opening[:1] in (b"{", b"["):
        return ()
    dialect = source.once("dialect", _dialect)
    if dialect.columns < 2 or dialect.share < 0.5:
        return ()
    head = source.text[:SNIFFED_BYTES].decode("utf-8", "replace")
    try:
        first = next(csv.reader(io.StringIO(head, newline=""), delimiter=dialect.delimiter), [])
    except csv.Error:
        return ()
    return tuple(_unique(first)[0])


def _dialect(source: Source) -> Dialect:
    head = source.text[:SNIFFED_BYTES].decode("utf-8", "replace")
    if len(source.text) > SNIFFED_BYTES:
        head = head[: head.rfind("\n") + 1] or head
    found = [_count(head, delimiter) for delimiter in DELIMITERS]
    if source.extension in (".tsv", ".tab") and found[1].columns > 1:
        return found[1]
    several = [dialect for dialect in found[:3] if dialect.columns > 1] or [dialect for dialect in found[3:] if dialect.columns > 1 and dialect.share >= 0.8]
    return max(several, key=lambda dialect: (dialect.share, dialect.columns), default=found[1 if source.extension in (".tsv", ".tab") else 0])


def _count(head: str, delimiter: str) -> Dialect:
    try:
        rows = [row for _, row in zip(range(SNIFFED_ROWS), csv.reader(io.StringIO(head, newline=""), delimiter=delimiter), strict=False) if row]
    except csv.Error:
        rows = [line.split(delimiter) for line in head.splitlines()[:SNIFFED_ROWS] if line]
    if not rows:
        return Dialect(delimiter, 0, 0.0)
    counts = Counter(map(len, rows[1:]))
    return Dialect(delimiter, len(rows[0]), counts[len(rows[0])] / max(1, len(rows) - 1), delimiter != "\t" or _is_quoted(head))


def _is_quoted(head: str) -> bool:
    """Tell whether quotes in a tab-separated text enclose cells; where text follows a closing quote they are part of the answers."""
    try:
        for _ in csv.reader(io.StringIO(head, newline=""), delimiter="\t", strict=True):
            pass
    except csv.Error as error:
        return "expected after" not in str(error)
    return True


def _best(source: Source, dialect: Dialect) -> tuple[Parsed, list[str]]:
    """Parse with quotes; without them where that alone gives rows of equal length, which a note tells."""
    has_quotes = dialect.quoted and b'"' in source.text
    try:
        parsed = _parse(source, dialect)
    except FormatError:
        if not has_quotes:
            raise
        return _parse(source, replace(dialect, quoted=False)), [f"{source.label}: a quote opens in the heading and never closes, so quotes are letters here"]
    if not (parsed.unclosed or any(message != HEADING_AGAIN for _, message in parsed.bad_rows)) or dialect.columns < 2 or not has_quotes:
        return parsed, []
    plain = _parse(source, replace(dialect, quoted=False))
    if plain.bad_rows and not (parsed.unclosed and len(plain.bad_rows) < len(parsed.bad_rows)):
        return parsed, []
    number, message = parsed.bad_rows[-1]
    return plain, [f"{source.label}: as marks around cells the quotes do not fit (row {number}: {message}); so they were read as letters"]


def _parse(source: Source, dialect: Dialect) -> Parsed:
    columns = max(1, dialect.columns)
    text = source.text if columns > 1 else source.text.rstrip(b"\r\n")
    text = text if b"\n" in text or b"\r" in text else text + b"\n"
    for attempt in range(3):
        try:
            content, bad = _read_arrow(text, dialect, columns, BLOCK if attempt == 0 else len(text) + 1)
        except pa.ArrowInvalid as error:
            if attempt == 0:
                continue
            raise FormatError(f"{source.label} cannot be read as CSV or TSV: {str(error).splitlines()[0][:200]}; export it again with one row a line") from None
        if content.num_columns == columns:
            return _finish(text, dialect, content, bad)
        columns = content.num_columns
    raise FormatError(f"{source.label} cannot be read as CSV or TSV: its rows have no steady number of cells; export it again with one row a line")


def _read_arrow(text: bytes, dialect: Dialect, columns: int, block: int) -> tuple[pa.Table, list[tuple[int, str]]]:
    bad: list[tuple[int, str]] = []

    def skip(row: pyarrow.csv.InvalidRow) -> str:
        bad.append((row.number, f"{amount(row.actual_columns, 'cell')} where the header has {row.expected_columns}: {quote(row.text)}"))
        return "skip"

    content = pyarrow.csv.read_csv(pa.BufferReader(text), **_options(dialect, columns, block, b'"' in text, skip))
    return content, bad


def _options(dialect: Dialect, columns: int, block: int, has_quotes: bool, skip: Callable[[pyarrow.csv.InvalidRow], str]) -> dict[str, Any]:
    """Give the options under which every cell is read as the text it is."""
    return {
        "read_options": pyarrow.csv.ReadOptions(use_threads=False, autogenerate_column_names=True, block_size=min(block, 2**31 - 1)),
        "parse_options": pyarrow.csv.ParseOptions(
            delimiter=dialect.delimiter,
            quote_char='"' if dialect.quoted else False,
            newlines_in_values=dialect.quoted and has_quotes,
            ignore_empty_lines=columns > 1,
            invalid_row_handler=skip,
        ),
        "convert_options": pyarrow.csv.ConvertOptions(
            column_types={f"f{number}": pa.large_binary() for number in range(columns)}, strings_can_be_null=False, check_utf8=False
        ),
    }


def csv_parts(source: Source) -> Iterator[Table]:
    """Read a CSV or TSV part by part; quotes are marks or letters as its first rows say.

    Raises: FormatError when it has one column only, or a row that never ends.
    """
    dialect = _dialect(source)
    if dialect.columns < 2:
        raise FormatError(f"{source.label} has one column; predictions and references, or an id to join by, need two at least")
    stream = _Blocks(source.blocks())
    bad: list[tuple[int, str]] = []
    seen, number = 0, 1
    names: list[str] | None = None
    header: list[str] = []
    cells: list[Texts] = []
    format = "TSV" if dialect.delimiter == "\t" else "CSV"

    def skip(row: pyarrow.csv.InvalidRow) -> str:
        bad.append((row.number, f"{amount(row.actual_columns, 'cell')} where the header has {row.expected_columns}: {quote(row.text)}"))
        return "skip"

    try:
        for batch in pyarrow.csv.open_csv(pa.PythonFile(stream, mode="r"), **_options(dialect, dialect.columns, PART, True, skip)):
            wrong = {place for place, _ in bad}
            numbers = [place for place in range(number, number + batch.num_rows + len(wrong)) if place not in wrong][: batch.num_rows]
            number = numbers[-1] + 1 if numbers else number
            cells = [Texts.from_arrow(column) for column in batch.columns]
            notes: list[str] = []
            if names is None:
                header = [column[0] or "" for column in cells]
                names, notes = _unique(header)
                cells, numbers = [column[1:] for column in cells], numbers[1:]
            again = _headings(cells, header).tolist()
            if again:
                bad += [(numbers[row], HEADING_AGAIN) for row in again]
                kept = np.delete(np.arange(len(numbers)), again)
                cells, numbers = [column.take(kept) for column in cells], [numbers[row] for row in kept.tolist()]
            columns = {name: Column.of_texts(column) for name, column in zip(names, cells, strict=True)}
            bad_rows = tuple(BadRow(f"row {place}", message) for place, message in bad[seen:])
            seen = len(bad)
            yield Table(columns, numbered("row", np.array(numbers, dtype=np.int64)), format, "", source.label, bad_rows, tuple(notes), has_null=False)
    except pa.ArrowInvalid as error:
        reason = str(error).splitlines()[0][:200]
        raise FormatError(
            f"{source.label} cannot be read further than row {number}: {reason}; a quote may open there and never close: repair it, or export the file again"
        ) from None
    if dialect.quoted and stream.quotes % 2 and any("\n" in (column[-1] or "") for column in cells if len(column)):
        note = f"{source.label} holds an odd number of quotes: one opens at row {number - 1} and never closes, so that row holds all that follows; check it"
        yield Table({name: Column.nulls(0) for name in names or ()}, numbered("row", np.zeros(0, dtype=np.int64)), format, "", source.label, notes=(note,))


class _Blocks:
    """Blocks of a file as what pyarrow reads from; counts the quotes that went by."""

    closed = False

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self.blocks = blocks
        self.held = b""
        self.quotes = 0

    def read(self, size: int) -> bytes:
        if not self.held:
            self.held = next(self.blocks, b"")
            self.quotes += self.held.count(b'"')
        part, self.held = self.held[:size], self.held[size:]
        return part

    def close(self) -> None:
        self.closed = True


def _finish(text: bytes, dialect: Dialect, content: pa.Table, bad: list[tuple[int, str]]) -> Parsed:
    header = tuple(column[0].as_py().decode("utf-8", "surrogatepass") for column in content.columns)
    unclosed = dialect.quoted and _ends_inside_quotes(text, dialect, content)
    rows = content.num_rows - 1
    if unclosed and rows > 0:
        last = b" ".join(column[rows].as_py() for column in content.columns)
        bad.append(
            (
                rows + 1 + len(bad),
                f"a quote opens here and never closes, so {last.count(bytes([10]))} lines below are part of it: {quote(last.decode('utf-8', 'replace'))}",
            )
        )
        rows -= 1
    body = content.slice(1, rows)
    again = _headings([Texts.from_arrow(column) for column in body.columns], header)
    if len(again):
        numbers = np.delete(np.arange(2, rows + len(bad) + 2), [number - 2 for number, _ in bad])
        bad = sorted([*bad, *((int(number), HEADING_AGAIN) for number in numbers[again])])
        rows -= len(again)
        body = body.take(np.delete(np.arange(len(numbers)), again))
    return Parsed(header, tuple(body.columns), tuple(bad), rows, unclosed)


def _headings(cells: Sequence[Texts], header: Sequence[str]) -> npt.NDArray[np.int64]:
    """Give the rows that are the heading once more, as where files were put one behind the other; a heading that names columns alike is none."""
    if len(set(header)) < max(2, len(header)) or not all(header):
        return np.zeros(0, dtype=np.int64)
    first = pa.array([header[0].encode("utf-8", "surrogatepass"), BOM_UTF8 + header[0].encode("utf-8", "surrogatepass")], pa.large_binary())
    rows = np.flatnonzero(np.asarray(pc.is_in(cells[0].array, value_set=first)))
    return np.array([row for row in rows.tolist() if all(column[row] == name for column, name in zip(cells[1:], header[1:], strict=True))], dtype=np.int64)


def _ends_inside_quotes(text: bytes, dialect: Dialect, content: pa.Table) -> bool:
    last = [column[content.num_rows - 1].as_py() for column in content.columns]
    if not any(b"\n" in cell or b"\r" in cell for cell in last) and text[-1:] in b"\r\n":
        return False
    if b'"' not in text[-2 - sum(map(len, last)) * 2 - 4 * len(last) :]:
        return False
    longer, _ = _read_arrow(text + SENTINEL.replace(b"end", dialect.delimiter.join(["end"] * len(last)).encode()), dialect, len(last), len(text) + 200)
    return bool(longer.num_rows == content.num_rows)


def _unique(header: Sequence[str]) -> tuple[list[str], list[str]]:
    names = numbered_names([name.strip() or f"column {position}" for position, name in enumerate(header, 1)])
    twice = [name for name, count in Counter(name.strip() for name in header).items() if count > 1 and name]
    said = amount(len(twice), "column name stands more than once and got a number", "column names stand more than once and got a number")
    return names, [f"{said}: {', '.join(map(quote, twice[:10]))}"] if twice else []


DELIMITED = Format("CSV", "CSV or TSV: one row a line under a heading, cells between commas, tabs or semicolons.", sniff, read)
