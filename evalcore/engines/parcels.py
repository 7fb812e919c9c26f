"""A table parted by the ids of its rows, on disk: one file, from which a part can be read alone."""

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.data import Column, Table
from evalcore.dataset import References
from evalcore.text.columns import Texts

DESCRIPTION = b"whymiss.table"
Rows = npt.NDArray[np.int64]


def part_of(ids: Texts, parts: int) -> Rows:
    """Give the part of every id: equal ids are in one part, in every file and on every machine.

    >>> part_of(Texts.of(["a", "b", None, "a"]), 8).tolist()
    [3, 1, 0, 3]
    """
    return np.fromiter((zlib.crc32(text or b"") % parts for text in ids.array.to_pylist()), dtype=np.int64, count=len(ids))


def write(file: Path, table: Table, ids: Texts, places: Texts, parts: int) -> None:
    """Write the rows of a table, those of each part together, in their order."""
    owners = part_of(ids, parts)
    order = np.argsort(owners, kind="stable")
    bounds = np.searchsorted(owners[order], np.arange(parts + 1))
    described = json.dumps({"columns": table.names, "has_null": table.has_null, "format": table.format})
    schema: pa.Schema | None = None
    for start, end in pairwise(bounds.tolist()):
        rows = order[start:end]
        arrays = dict(_arrays([column.take(rows) for column in table.columns.values()], places.take(rows)))
        batch = pa.record_batch(list(arrays.values()), names=list(arrays)).replace_schema_metadata({DESCRIPTION: described})
        if schema is None:
            schema = batch.schema
            writer = pa.ipc.new_file(file, schema, options=pa.ipc.IpcWriteOptions(compression="zstd"))
        writer.write_batch(batch)
    writer.close()


def _arrays(columns: Sequence[Column], places: Texts) -> Iterator[tuple[str, pa.Array]]:
    yield "places", places.array
    for number, column in enumerate(columns):
        yield f"{number} texts", column.texts.array
        yield f"{number} kinds", pa.array(column.kinds)
        if column.lists is not None:
            offsets = column.lists.offsets - column.lists.offsets[0]
            yield f"{number} lists", pa.LargeListArray.from_arrays(pa.array(offsets, pa.int64()), column.lists.texts.array)


def read(file: Path, part: int) -> Table:
    """Read one part of a file."""
    with pa.memory_map(str(file)) as mapped, pa.ipc.open_file(mapped) as reader:
        described = json.loads(reader.schema.metadata[DESCRIPTION])
        batch = reader.get_batch(part)
    columns = {name: _column(batch, number) for number, name in enumerate(described["columns"])}
    return Table(columns, Texts(batch.column("places")), described["format"], "", has_null=described["has_null"])


def _column(batch: pa.RecordBatch, number: int) -> Column:
    lists = None
    if f"{number} lists" in batch.schema.names:
        array = batch.column(f"{number} lists")
        lengths = np.asarray(pc.list_value_length(array), dtype=np.int64)
        lists = References(Texts(array.flatten()), np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))
    return Column(Texts(batch.column(f"{number} texts")), np.asarray(batch.column(f"{number} kinds"), dtype=np.uint8), lists)


def together(tables: Iterable[Table], name: str) -> Table:
    """Put tables one below the other; a column that one does not have is null there."""
    listed = list(tables)
    names = dict.fromkeys(column for table in listed for column in table.names)
    columns = {column: Column.join([table.columns.get(column) or Column.nulls(len(table)) for table in listed]) for column in names}
    places = Texts.join([table.places for table in listed])
    return Table(columns, places, listed[0].format, "", name, has_null=all(table.has_null for table in listed))
