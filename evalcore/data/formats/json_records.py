"""JSON documents that hold rows: lists of objects, and columns of lists."""

from collections.abc import Sequence
from dataclasses import replace

from evalcore.data.errors import FormatError, listed, quote
from evalcore.data.formats.format import Format, columns_of, table_of
from evalcore.data.formats.json_document import document
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Column, Table
from evalcore.text.columns import Texts

ROW_KEYS = ("data", "rows", "results", "items", "examples", "samples", "records", "predictions", "questions")


def sniff(source: Source) -> str | None:
    """Tell by a list whose entries are objects or answers, at the top or under one key."""
    value = document(source)
    if isinstance(value, list):
        return _list_reason(value, "it is")
    if isinstance(value, dict):
        if _is_columns(value):
            return f"its keys {', '.join(map(quote, list(value)[:5]))} hold lists, one entry an item"
        key = _row_key(value)
        return None if key is None else f"it holds a list of objects under {quote(key)}"
    return None


def read(source: Source) -> Table:
    """Read one row an entry.

    Raises: FormatError when lists that belong together differ in length.
    """
    value = document(source)
    if isinstance(value, dict) and _is_columns(value):
        return _read_columns(source, value)
    key = _row_key(value) if isinstance(value, dict) else None
    entries: list[object] = value[key] if key is not None else value  # type: ignore[index,assignment]
    base = f"$.{key}" if key is not None else "$"
    if not any(isinstance(entry, dict) for entry in entries):
        return _read_answers(source, entries, base)
    rows = [(f"{base}[{number}]", entry) for number, entry in enumerate(entries) if isinstance(entry, dict)]
    bad_rows = [BadRow(f"{base}[{number}]", f"not an object but {quote(entry)}") for number, entry in enumerate(entries) if not isinstance(entry, dict)]
    table = table_of(source, RECORDS.name, [row for _, row in rows], [place for place, _ in rows], bad_rows)
    others = [name for name in _row_keys(value) if name != key] if isinstance(value, dict) else []
    left = f"{source.label} holds rows under {quote(key)}, which were read, and under {listed(others, 5)}, which were not"
    return replace(table, notes=(*table.notes, left)) if others else table


def _list_reason(entries: Sequence[object], where: str) -> str:
    if not entries:
        return f"{where} an empty list"
    if any(isinstance(entry, dict) for entry in entries):
        return f"{where} a list of objects"
    return f"{where} a list of {'lists' if all(isinstance(entry, list) for entry in entries) else 'answers'}, paired by position"


def _is_columns(value: dict[str, object]) -> bool:
    if len(value) < 2 or not all(isinstance(part, list) for part in value.values()):
        return False
    lists: list[list[object]] = list(value.values())  # type: ignore[arg-type]
    known = {"predictions", "references"} <= set(value)
    return known or (len({len(part) for part in lists}) == 1 and not any(isinstance(entry, dict) for part in lists for entry in part))


def _row_keys(value: dict[str, object]) -> list[str]:
    return [key for key, part in value.items() if isinstance(part, list) and part and all(isinstance(entry, dict) for entry in part)]


def _row_key(value: dict[str, object]) -> str | None:
    keys = _row_keys(value)
    return keys[0] if len(keys) == 1 else next((key for key in ROW_KEYS if key in keys), None)


def _read_columns(source: Source, value: dict[str, object]) -> Table:
    lengths = {key: len(part) for key, part in value.items() if isinstance(part, list)}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{key}: {length}" for key, length in lengths.items())
        raise FormatError(f"{source.label} holds lists of different lengths ({found}); they are paired by position, so they must be equally long")
    if all(isinstance(entry, dict) for part in value.values() for entry in part):  # type: ignore[attr-defined]
        rows = [
            {f"{key}.{name}": cell for key, entry in zip(value, entries, strict=True) for name, cell in entry.items()}
            for entries in zip(*value.values(), strict=True)
        ]
        columns = columns_of(rows, source.label)
    else:
        columns = {key: Column.of(part) for key, part in value.items()}  # type: ignore[arg-type]
    places = Texts.of([f"[{number}]" for number in range(next(iter(lengths.values())))])
    return Table(columns, places, RECORDS.name, "", source.label, notes=source.encoding_notes)


def _read_answers(source: Source, entries: Sequence[object], base: str) -> Table:
    role = "references" if entries and all(isinstance(entry, list) for entry in entries) else "prediction"
    places = Texts.of([f"{base}[{number}]" for number in range(len(entries))])
    return Table({role: Column.of(entries)}, places, RECORDS.name, "", source.label, notes=source.encoding_notes, roles={role: role})


RECORDS = Format("JSON rows", "JSON: a list of objects, or lists that go by position.", sniff, read)
