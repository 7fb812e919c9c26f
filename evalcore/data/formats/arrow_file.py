"""Arrow files and streams, and Feather."""

import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc

from evalcore.data.errors import FormatError
from evalcore.data.formats.arrow import table_of_arrow
from evalcore.data.formats.format import Format
from evalcore.data.source import Source
from evalcore.data.table import Table

FILE, STREAM, OLD_FEATHER = b"ARROW1", b"\xff\xff\xff\xff", b"FEA1"


def sniff(source: Source) -> str | None:
    """Tell by the first bytes."""
    if source.data[:6] == FILE:
        return "it begins with ARROW1"
    if source.data[:4] == OLD_FEATHER:
        return "it begins with FEA1"
    return "it begins as an Arrow stream" if source.data[:4] == STREAM and len(source.data) > 8 else None


def read(source: Source) -> Table:
    """Read every column; nothing is converted to a date or a missing value.

    Raises: FormatError when the file is cut off or damaged.
    """
    buffer = pa.BufferReader(source.data)
    try:
        if source.data[:6] == FILE:
            content = pyarrow.ipc.open_file(buffer).read_all()
        else:
            content = pyarrow.feather.read_table(buffer) if source.data[:4] == OLD_FEATHER else pyarrow.ipc.open_stream(buffer).read_all()
    except (pa.ArrowException, OSError, KeyError) as error:
        reason = str(error).splitlines()[0][:200]
        raise FormatError(f"{source.label} begins as Arrow but cannot be read ({len(source.data)} bytes): {reason}; copy or write it again") from None
    return table_of_arrow(source, ARROW.name, content)


ARROW = Format("Arrow", "Arrow file, Arrow stream or Feather: a table of columns.", sniff, read)
