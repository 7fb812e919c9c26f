"""Objects of a file, whatever holds them: JSON lines, a JSON list, or the cells of a CSV."""

import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evalcore.data.errors import quote
from evalcore.data.formats.format import note_repeated
from evalcore.data.formats.json_document import NOTHING, document
from evalcore.data.json_text import Number, decode, decode_line
from evalcore.data.source import Source
from evalcore.data.table import BadRow, kind_of

FIRST = 20
Row = dict[str, object]


@dataclass(frozen=True)
class Placed:
    """One object of a file and where it stands."""

    place: str
    row: Row


def first_rows(source: Source) -> Sequence[Row]:
    """Give the first objects of JSON lines or of a JSON list, 20 at most.

    Empty: when the file is neither, or fewer than half of its first lines are objects.
    """
    return source.once("first rows", _first_rows)


def all_rows(source: Source, bad_rows: list[BadRow]) -> Iterator[Placed]:
    """Go through the objects of JSON lines or of a JSON list, adding what is none to `bad_rows`."""
    value = document(source) if _is_one_document(source) else NOTHING
    if isinstance(value, list):
        for number, entry in enumerate(value):
            if isinstance(entry, dict):
                note_repeated(source, f"$[{number}]", entry)
                yield Placed(f"$[{number}]", entry)
            else:
                bad_rows.append(BadRow(f"$[{number}]", f"not an object but {quote(entry)}"))
        return
    for number, line in lines(source.text):
        entry = object_in(line)
        if isinstance(entry, dict):
            note_repeated(source, f"line {number}", entry)
            yield Placed(f"line {number}", entry)
        else:
            bad_rows.append(BadRow(f"line {number}", entry))


def have(rows: Sequence[Row], *keys: str) -> bool:
    """Tell whether there are rows and every one has all of these keys."""
    return bool(rows) and all(key in row for row in rows for key in keys)


def lines(text: bytes) -> Iterator[tuple[int, bytes]]:
    """Go through the lines that are not blank, with their numbers."""
    text = line_ends(text)
    start, number = 0, 0
    while start < len(text):
        end = text.find(b"\n", start)
        end = len(text) if end < 0 else end
        number += 1
        line = text[start:end].strip()
        if line:
            yield number, line
        start = end + 1


def line_ends(text: bytes) -> bytes:
    """Give JSON lines with a line feed where a carriage return alone ends a line.

    Differs: a carriage return that no object follows stays; inside a text of JSON none can stand.

    >>> line_ends(b'{"id": 1}\\r{"id": 2}\\r\\n')
    b'{"id": 1}\\n{"id": 2}\\r\\n'
    """
    return text.replace(b"\r{", b"\n{") if b"\r{" in text else text


def object_in(line: bytes) -> Row | str:
    """Read a line that holds one JSON object; a text says why it does not. A mark of the encoding before it, as where two files were put together, goes."""
    try:
        row = decode_line(line.removeprefix(BOM_UTF8))
    except json.JSONDecodeError as error:
        return f"no valid JSON ({error.msg.removesuffix(' at')} at column {error.colno}): {quote(line[:400].decode('utf-8', 'replace'))}"
    except RecursionError:
        return f"JSON nested too deeply: {quote(line[:400].decode('utf-8', 'replace'))}"
    described = kind_of(row).name.lower().replace("texts", "list")
    return row if isinstance(row, dict) else f"not an object but {described}: {quote(line[:400].decode('utf-8', 'replace'))}"


def value_in(cell: object) -> object:
    """Read a JSON value written in a cell; anything else stays as it is.

    >>> value_in('{"answer": "paris"}'), value_in("[citation needed]"), value_in('"Paris"')
    ({'answer': 'paris'}, '[citation needed]', 'Paris')
    """
    if isinstance(cell, str) and not isinstance(cell, Number) and cell[:1] in ("{", "[", '"'):
        try:
            return decode(cell)
        except (json.JSONDecodeError, RecursionError):
            return cell
    return cell


def part(value: object, *keys: str | int) -> object:
    """Follow keys into a value; None where one is missing."""
    for key in keys:
        if isinstance(key, str):
            value = value.get(key) if isinstance(value, dict) else None
        else:
            value = value[key] if isinstance(value, list) and -len(value) <= key < len(value) else None
    return value


def flat(prefix: str, value: object) -> Row:
    """Lay an object flat: every value under its keys joined by dots; lists stay whole.

    >>> flat("scores", {"f1": 1, "match": {"correct": True}})
    {'scores.f1': 1, 'scores.match.correct': True}
    """
    if not isinstance(value, dict):
        return {prefix: value}
    return {name: found for key, inner in value.items() for name, found in flat(f"{prefix}.{key}" if prefix else str(key), inner).items()}


def is_score(value: object) -> bool:
    """Tell a number or a truth value."""
    return isinstance(value, Number | bool | int | float)


def any_row(rows: Sequence[Row], fits: Callable[[Row], bool]) -> bool:
    """Tell whether some row fits."""
    return any(map(fits, rows))


def _first_rows(source: Source) -> Sequence[Row]:
    if source.opening[:1] == b"[":
        value = document(source)
        return [entry for entry in value[:FIRST] if isinstance(entry, dict)] if isinstance(value, list) else []
    if source.opening[:1] != b"{":
        return []
    first = [object_in(line) for _, (_, line) in zip(range(FIRST), lines(source.text), strict=False)]
    found = [row for row in first if isinstance(row, dict)]
    return found if len(found) * 2 >= len(first) else []


def _is_one_document(source: Source) -> bool:
    return source.opening[:1] == b"["
