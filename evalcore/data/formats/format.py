"""What a file format is, and how its rows become a table."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.data.errors import FormatError
from evalcore.data.json_text import Repeated
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Column, Table, require_filled
from evalcore.text.amounts import amount
from evalcore.text.columns import Texts

BAD_ROWS_SHOWN = 10
REPEATED, CSV_TABLE = "places of repeated keys", "CSV table"  # What a source knows, by name.


@dataclass(frozen=True)
class Format:
    """One way to write answers to a file.

    `sniff` gives the reason why a source is of this format, or None.
    `read` gives its table, and may raise FormatError.
    """

    name: str
    summary: str
    sniff: Callable[[Source], str | None]
    read: Callable[[Source], Table]


def columns_of(rows: Sequence[dict[str, object]], label: str) -> dict[str, Column]:
    """Turn objects into columns, in the order in which keys first appear; a missing key is null.

    Raises: FormatError for rows whose keys differ too much to be a table; `label` names their file.
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    require_filled(len(names), len(rows), len(names) * len(rows) - sum(map(len, rows)), label)
    return {name: Column.of([row.get(name) for row in rows]) for name in names}


def table_of(
    source: Source,
    format: str,
    rows: Sequence[dict[str, object]],
    places: Sequence[str],
    bad_rows: Iterable[BadRow] = (),
    roles: Mapping[str, str | tuple[str, ...]] | None = None,
) -> Table:
    """Build the table of a file whose rows are objects."""
    return Table(
        columns_of(rows, source.label),
        Texts.of(list(places)),
        format,
        "",
        source.label,
        tuple(bad_rows),
        _notes(source, rows, places),
        roles or {},
    )


def numbered(word: str, numbers: npt.NDArray[np.int64]) -> Texts:
    """Name places by number: "line 1", "line 2"."""
    texts = pa.array(numbers, pa.int64()).cast(pa.large_string())
    return Texts.from_arrow(pc.binary_join_element_wise(pa.scalar(word, pa.large_string()), texts, pa.scalar(" ", pa.large_string())))


def numbered_names(names: Sequence[str]) -> list[str]:
    """Give columns names of their own: one that stood before gets a number.

    >>> numbered_names(["a", "b", "a", "a (2)", "a"])
    ['a', 'b', 'a (2)', 'a (2) (2)', 'a (3)']
    """
    taken: set[str] = set()
    found: list[str] = []
    turns: Counter[str] = Counter()
    for name in names:
        own = name
        while own in taken:
            turns[name] += 1
            own = f"{name} ({turns[name] + 1})"
        taken.add(own)
        found.append(own)
    return found


def bad_rows_listed(bad_rows: Sequence[BadRow]) -> str:
    """Write the first ten bad rows and a count, one a line."""
    lines = [f"  {row.place}: {row.message}" for row in bad_rows[:BAD_ROWS_SHOWN]]
    if len(bad_rows) > BAD_ROWS_SHOWN:
        lines.append(f"  and {len(bad_rows) - BAD_ROWS_SHOWN} more")
    return "\n".join(lines)


def refuse_without_rows(table: Table) -> Table:
    """Give the table back when it has rows.

    Raises: FormatError when it has none.
    """
    if len(table):
        return table
    if table.bad_rows:
        found = f"{table.name} was read as {table.format}, but none of its {len(table.bad_rows)} rows can be used"
        raise FormatError(f"{found}:\n{bad_rows_listed(table.bad_rows)}\nRepair these rows, or export the file again")
    names = f" (columns: {', '.join(table.names)})" if table.columns else ""
    raise FormatError(f"{table.name} was read as {table.format} and has no rows{names}; a file with at least one row is needed")


def note_repeated(source: Source, place: str, row: object) -> None:
    """Remember the place of an object in which a key stands twice, for `table_of` to tell."""
    if isinstance(row, Repeated):
        source.once(REPEATED, lambda source: list[str]()).append(place)


def repeated_notes(places: Sequence[str]) -> list[str]:
    """Tell objects in which a key stands twice; nothing where there are none."""
    if not places:
        return []
    said = amount(len(places), "row holds a key twice and only its last value is used", "rows hold a key twice and only its last value is used")
    return [f"{said}: {', '.join(places[:BAD_ROWS_SHOWN])}"]


def _notes(source: Source, rows: Sequence[dict[str, object]], places: Sequence[str]) -> tuple[str, ...]:
    """Collect what was told on the way: of the encoding, of the CSV the rows stood in, and of repeated keys."""
    table: Table | None = source.known.get(CSV_TABLE)
    found = [place for row, place in zip(rows, places, strict=True) if isinstance(row, Repeated)]
    repeated = repeated_notes(list(dict.fromkeys([*source.known.get(REPEATED, ()), *found])))
    return tuple(dict.fromkeys([*source.encoding_notes, *(table.notes if table else ()), *repeated]))
