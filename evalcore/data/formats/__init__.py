"""The table of formats; the first that knows a source reads it."""

from dataclasses import replace

from evalcore.data.errors import FormatError, quote
from evalcore.data.formats.delimited import DELIMITED
from evalcore.data.formats.format import Format, refuse_without_rows
from evalcore.data.formats.json_by_id import BY_ID
from evalcore.data.formats.json_document import SHAPES, explain_failure
from evalcore.data.formats.json_records import RECORDS
from evalcore.data.formats.jsonl import JSONL
from evalcore.data.formats.parquet import PARQUET
from evalcore.data.formats.squad import SQUAD
from evalcore.data.source import ACCEPTED, Source
from evalcore.data.table import Table

FORMATS: tuple[Format, ...] = (PARQUET, JSONL, SQUAD, RECORDS, BY_ID, DELIMITED)

EXPECTED = {
    ".parquet": (PARQUET,),
    ".jsonl": (JSONL,),
    ".ndjson": (JSONL,),
    ".json": (SQUAD, RECORDS, BY_ID),
    ".csv": (DELIMITED,),
    ".tsv": (DELIMITED,),
}


def recognise(source: Source) -> tuple[Format, str]:
    """Tell the format of a source, and why: content first, then the name.

    Raises: FormatError when no format knows it.
    """
    for format in FORMATS:
        reason = format.sniff(source)
        if reason is not None:
            return format, reason
    if source.opening[:1] in (b"{", b"["):
        raise explain_failure(source)
    first = source.opening.splitlines()[0].decode("utf-8", "replace") if source.opening else ""
    wanted = f" as its name {quote(source.name)} says" if source.extension in EXPECTED else ""
    found = f"{source.label} cannot be read{wanted}: line 1 begins with {quote(first)}, which is no {ACCEPTED}"
    raise FormatError(f"{found}. {SHAPES[0].upper()}{SHAPES[1:]}; or a CSV with a heading")


def read_source(source: Source) -> Table:
    """Read a source with the format that knows it.

    Raises: FormatError when none does, or there are no rows.
    """
    format, reason = recognise(source)
    table = format.read(source)
    expected = EXPECTED.get(source.extension, (format,))
    notes = table.notes if format in expected else (*table.notes, f"{source.label} is {table.format}, not what its name says; it was read as {table.format}")
    return refuse_without_rows(replace(table, recognised=f"{table.format}: {reason}", notes=notes))
