"""JSON lines to columns, block by block: compiled where lines are plain, row by row where they are odd."""

import json
import mmap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import orjson
import pyarrow as pa

from evalcore.data import json_scan
from evalcore.data.json_text import Repeated, decode, require_shallow, source_of
from evalcore.data.table import BadRow, Column, Kind, require_filled
from evalcore.dataset import References
from evalcore.text.columns import Texts

BLOCK = 1 << 23
LARGE = 1 << 18
FEWEST_ODD, MOST_ODD = 1, 8192
KINDS = np.array(
    [Kind.NULL, Kind.NULL, Kind.TEXT, Kind.TEXT, Kind.NUMBER, Kind.BOOLEAN, Kind.BOOLEAN, Kind.LIST, Kind.OBJECT, Kind.TEXTS], dtype=np.uint8
)  # By what `json_scan` calls them.
ReadLine = Callable[[bytes], dict[str, object] | str]


class _Invalid(Exception):
    """A list or an object that is no valid JSON inside."""


@dataclass
class _Lines:
    """What was read so far: parts of columns, and the lines they came from."""

    read_line: ReadLine
    label: str
    absent: int = 0
    rows: int = 0
    parts: list[tuple[int, dict[str, Column]]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    numbers: list[npt.NDArray[np.int64]] = field(default_factory=list)
    bad_rows: list[BadRow] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)

    def add_rows(self, lines: list[tuple[int, bytes]]) -> None:
        """Read lines one by one."""
        rows: list[dict[str, object]] = []
        numbers: list[int] = []
        for number, line in lines:
            row = self.read_line(line) if line else None
            if isinstance(row, dict):
                rows.append(row)
                numbers.append(number)
                if isinstance(row, Repeated):
                    self.repeated.append(f"line {number}")
            elif row is not None:
                self.bad_rows.append(BadRow(f"line {number}", row))
        names = list(dict.fromkeys(name for row in rows for name in row))
        self.count(len(rows), len(names) * len(rows) - sum(map(len, rows)), len({*self.names, *names}))
        self.names = list(dict.fromkeys([*self.names, *names]))
        if rows:
            self.parts.append((len(rows), {name: Column.of([row.get(name) for row in rows]) for name in names}))
            self.numbers.append(np.array(numbers, dtype=np.int64))

    def count(self, rows: int, absent: int, names: int) -> None:
        """Count rows and the cells for which they have no key.

        Raises: FormatError where keys differ too much to be columns.
        """
        self.rows += rows
        self.absent += absent
        require_filled(names, self.rows, self.absent, self.label)

    def columns(self) -> dict[str, Column]:
        """Put the parts of every column together."""
        self.count(0, sum(count * (len(self.names) - len(columns)) for count, columns in self.parts), len(self.names))
        found: dict[str, Column] = {}
        for name in self.names:
            found[name] = Column.join([columns.pop(name) if name in columns else Column.nulls(count) for count, columns in self.parts])
        return found


def read_lines(
    blocks: Iterable[bytes], read_line: ReadLine, before: int = 0, label: str = "the input"
) -> tuple[dict[str, Column], npt.NDArray[np.int64], list[BadRow], list[str]]:
    """Read all objects: columns, the line number of every row, lines that are no object, and places with a repeated key.

    `blocks` hold whole lines each, `before` counts the lines that stand
    before them. `read_line` reads one line, or says what is wrong with it.
    Blank lines are no rows.
    Raises: FormatError for rows whose keys differ too much to be columns; `label` names their file.
    """
    lines = _Lines(read_line, label)
    first = 1 + before
    for text in blocks:
        data = np.frombuffer(text, dtype=np.uint8)
        start = 0
        while start < len(text):
            end = len(text) if len(text) - start <= BLOCK else text.rfind(b"\n", start, start + BLOCK) + 1 or text.find(b"\n", start + BLOCK) + 1 or len(text)
            breaks = np.flatnonzero(data[start:end] == 10) + start
            ends = breaks if end > start and text[end - 1 : end] == b"\n" else np.append(breaks, end)
            starts = np.concatenate([[start], ends[:-1] + 1])
            _read_block(text, data, starts, ends, first, lines)
            first += len(ends)
            start = end
    numbers = np.concatenate(lines.numbers) if lines.numbers else np.zeros(0, dtype=np.int64)
    return lines.columns(), numbers, lines.bad_rows, lines.repeated


def _read_block(text: bytes, data: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64], first: int, lines: _Lines) -> None:
    """Scan the lines of a block; where a line is odd, read it and as many after it as were odd of late one by one."""
    at, odd = 0, FEWEST_ODD
    while at < len(starts):
        scanned = _scan(data, starts[at:], ends[at:], lines)
        if scanned:
            lines.numbers.append(np.arange(first + at, first + at + scanned))
        at += scanned
        if scanned > 8 * odd:
            odd = FEWEST_ODD
        if at < len(starts):
            stop = min(at + odd, len(starts))
            lines.add_rows([(first + line, text[starts[line] : ends[line]].strip()) for line in range(at, stop)])
            at, odd = stop, min(2 * odd, MOST_ODD)


def _scan(data: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64], lines: _Lines) -> int:
    """Scan lines until one is odd, add their columns, and give their number."""
    names = [name.encode("utf-8", "surrogatepass") for name in lines.names]
    known = np.frombuffer(b"".join(names), dtype=np.uint8)
    name_ends = np.cumsum(np.fromiter(map(len, names), dtype=np.int64, count=len(names)))
    rows = min(len(starts), max(1, (1 << 23) // max(1, len(names))))
    kinds = np.zeros((rows, len(names)), dtype=np.uint8)
    places = np.zeros((2, rows, len(names)), dtype=np.int64)
    count, _ = json_scan.scan(data, starts[:rows], ends[:rows], known, name_ends, kinds, places[0], places[1])
    if not count or not names:
        return 0
    lines.count(int(count), int((kinds[:count] == json_scan.MISSING).sum()), len(names))
    try:
        columns = {
            name: _column(data, *(np.ascontiguousarray(part[:count, column]) for part in (kinds, places[0], places[1])))
            for column, name in enumerate(lines.names)
        }
    except _Invalid:
        return 0
    lines.parts.append((int(count), columns))
    return int(count)


def _column(data: npt.NDArray[np.uint8], kinds: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64], stops: npt.NDArray[np.int64]) -> Column:
    lists = _lists(data, kinds, starts, stops) if (kinds == json_scan.LIST).any() else None
    nested = (kinds == json_scan.LIST) | (kinds == json_scan.OBJECT)
    written = (kinds > json_scan.NULL) & (kinds != json_scan.TEXTS)
    sizes = np.where(written, stops - starts, 0)
    out = _room(int(sizes.sum() + sizes[nested].sum()))
    offsets = _room(8 * (len(kinds) + 1)).view(np.int64)
    odd = np.zeros(len(kinds), dtype=np.uint8)
    json_scan.copy_cells(data, kinds, starts, stops, out, offsets, odd)
    texts = _texts(out, offsets, ~written)
    if nested.any():
        texts = _checked(data, np.flatnonzero(nested), starts, stops, odd, texts)
    return Column(texts, KINDS[kinds], lists)


def _checked(
    data: npt.NDArray[np.uint8],
    rows: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    stops: npt.NDArray[np.int64],
    odd: npt.NDArray[np.uint8],
    texts: Texts,
) -> Texts:
    """Check that lists and objects are JSON inside, and write those with escapes.

    Raises: _Invalid when one is not.
    """
    changed: dict[int, str] = {}
    for row in rows.tolist():
        source = data[starts[row] : stops[row]].tobytes()
        try:
            require_shallow(source)
            orjson.loads(source)
            if odd[row]:
                changed[row] = source_of(decode(source.decode("utf-8", "surrogatepass")))
        except RecursionError:
            raise _Invalid from None
        except orjson.JSONDecodeError:
            try:
                changed[row] = source_of(decode(source.decode("utf-8", "surrogatepass")))
            except (json.JSONDecodeError, RecursionError):
                raise _Invalid from None
    if not changed:
        return texts
    cells = texts.to_list()
    for row, text in changed.items():
        cells[row] = text
    return Texts.of(cells)


def _lists(data: npt.NDArray[np.uint8], kinds: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64], stops: npt.NDArray[np.int64]) -> References | None:
    """Collect the lists that hold only texts, and mark them."""
    counts = np.zeros(len(kinds), dtype=np.int64)
    out = _room(json_scan.count_texts(data, kinds, starts, stops, counts))
    if not (kinds == json_scan.TEXTS).any():
        return None
    offsets = _room(8 * (int(counts.sum()) + 1)).view(np.int64)
    json_scan.copy_lists(data, kinds, starts, stops, out, offsets)
    return References(_texts(out, offsets, None), np.concatenate([[0], np.cumsum(counts)]))


def _room(size: int) -> npt.NDArray[np.uint8]:
    """Make room for a part of a column, zeroed; a large one goes back to the system as soon as the part is joined, which keeps the peak low."""
    return np.frombuffer(mmap.mmap(-1, size), dtype=np.uint8) if size >= LARGE else np.zeros(max(8, size), dtype=np.uint8)


def _texts(out: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64], null: npt.NDArray[np.bool_] | None) -> Texts:
    filled = None if null is None or not null.any() else pa.py_buffer(np.packbits(~null, bitorder="little"))
    buffers = [filled, pa.py_buffer(offsets), pa.py_buffer(out[: offsets[-1]])]
    return Texts(pa.Array.from_buffers(pa.large_binary(), len(offsets) - 1, buffers))
