"""JSON lines: one object a line."""

from evalcore.data.formats.format import Format, numbered, repeated_notes
from evalcore.data.formats.json_document import NOTHING, document
from evalcore.data.formats.rows import line_ends, lines, object_in
from evalcore.data.json_columns import read_lines
from evalcore.data.source import Source
from evalcore.data.table import Table

EXTENSIONS = (".jsonl", ".ndjson", ".jl")
LINES_SNIFFED = 20


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
    columns, numbers, bad_rows, repeated = read_lines(map(line_ends, source.blocks()), object_in, source.before, source.label)
    places = numbered("line", numbers)
    return Table(columns, places, JSONL.name, "", source.label, tuple(bad_rows), (*source.encoding_notes, *repeated_notes(repeated)))


def _is_object(line: bytes) -> bool:
    return isinstance(object_in(line), dict)


JSONL = Format("JSONL", "JSON lines: one object a line.", sniff, read)
