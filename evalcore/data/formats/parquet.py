"""Parquet files."""

import pyarrow as pa
import pyarrow.parquet as pq

from evalcore.data.errors import FormatError
from evalcore.data.formats.arrow import table_of_arrow
from evalcore.data.formats.format import Format
from evalcore.data.source import Source
from evalcore.data.table import Table

MAGIC = b"PAR1"


def sniff(source: Source) -> str | None:
    """Tell by the first four bytes."""
    return "it begins with PAR1" if source.data[:4] == MAGIC else None


def read(source: Source) -> Table:
    """Read every column; nothing is converted to a date or a missing value.

    Raises: FormatError when the file is cut off or damaged.
    """
    return table_of_arrow(source, PARQUET.name, content_of(source))


def column_names(source: Source) -> set[str]:
    """Name the columns; none when the file is damaged."""
    try:
        return set(pq.ParquetFile(pa.BufferReader(source.data)).schema_arrow.names)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError):
        return set()


def content_of(source: Source) -> pa.Table:
    """Give the whole content as Arrow.

    Raises: FormatError when the file is cut off or damaged.
    """
    try:
        return pq.ParquetFile(pa.BufferReader(source.data)).read()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        reason = str(error).splitlines()[0][:200]
        raise FormatError(
            f"{source.label} begins as Parquet but cannot be read ({len(source.data)} bytes): {reason}; it may be cut off: copy or write it again"
        ) from None


PARQUET = Format("Parquet", "Parquet: a table of columns.", sniff, read)
