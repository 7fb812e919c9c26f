"""Judgements as CSV and JSONL, to carry from one database to another."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from evalcore.judging.errors import StoreError
from evalcore.judging.judgement import Judgement
from evalcore.judging.store import FIELDS, Store
from evalcore.text.spreadsheet import guarded, unguarded

TOLD = 10
REQUIRED = ("item_key", "verdict")
KEYS = {"id": 32, "item_key": 64, "answer_key": 64}
OPTIONAL_TEXT = ("question", "prediction")


@dataclass(frozen=True)
class Imported:
    """What an import did; `problems` names the lines that could not be read, the first ten, of `unreadable`."""

    added: int
    known: int
    unreadable: int
    problems: tuple[str, ...]


def to_jsonl(judgements: Iterable[Judgement]) -> bytes:
    """Write judgements, one JSON object a line."""
    return b"".join(_line(_record(judgement)) for judgement in judgements)


def to_csv(judgements: Iterable[Judgement]) -> bytes:
    """Write judgements as CSV in UTF-8 with a BOM; what a spreadsheet would compute is guarded.

    Differs: an absent question or prediction becomes the cell `null`, an
    empty one an empty cell; a text that reads `null` gets an apostrophe.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(FIELDS)
    for judgement in judgements:
        record = _record(judgement) | {"references": json.dumps(judgement.references, ensure_ascii=False)}
        writer.writerow([_cell(record[name]) for name in FIELDS])
    return b"\xef\xbb\xbf" + out.getvalue().encode("utf-8", "surrogatepass")


def add_file(store: Store, content: bytes) -> Imported:
    """Add the judgements of a JSONL or CSV file that `to_jsonl` or `to_csv` wrote; what is there already stays.

    A line that is no judgement is named, and the others are added.
    Raises: StoreError when the file is of another kind, or the database cannot keep them.
    """
    read = _jsonl_records if content.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"{") else _csv_records
    found: list[Judgement] = []
    problems: list[str] = []
    for place, record in read(content):
        try:
            found.append(_judgement(record()))
        except (KeyError, TypeError, ValueError, LookupError) as error:
            problems.append(f"{place}: {_said(error)}")
    added = store.add(*found) if found else 0
    return Imported(added, len(found) - added, len(problems), tuple(problems[:TOLD]))


def _said(error: Exception) -> str:
    return f"{error.args[0]!r} is missing" if type(error) is KeyError else f"{error}"[:200]


def _record(judgement: Judgement) -> dict[str, Any]:
    values = {name: getattr(judgement, name) for name in FIELDS}
    return values | {"at": judgement.at.isoformat(timespec="microseconds"), "references": list(judgement.references)}


def _line(record: dict[str, Any]) -> bytes:
    try:
        return (json.dumps(record, ensure_ascii=False) + "\n").encode()
    except UnicodeEncodeError:
        return (json.dumps(record) + "\n").encode()


def _cell(value: str | None) -> str:
    if value is None:
        return "null"
    return f"'{value}" if value.lstrip("'") == "null" else guarded(value)


def _uncell(cell: str) -> str | None:
    if cell == "null":
        return None
    return cell[1:] if cell.startswith("'") and cell.lstrip("'") == "null" else unguarded(cell)


def _jsonl_records(content: bytes) -> Iterator[tuple[str, Callable[[], Any]]]:
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if line.strip():
            yield f"line {number}", lambda line=line: json.loads(line)  # type: ignore[misc]


def _csv_records(content: bytes) -> Iterator[tuple[str, Callable[[], Any]]]:
    before = csv.field_size_limit(len(content) + 1)
    try:
        rows = list(csv.reader(io.StringIO(content.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogatepass"), newline="")))
    except (csv.Error, UnicodeDecodeError) as error:
        raise StoreError(f"the file is neither JSONL nor CSV in UTF-8: {error}; give one that Whymiss exported") from None
    finally:
        csv.field_size_limit(before)
    for number, cells in enumerate(rows[1:], 2):
        yield f"row {number}", lambda cells=cells: _csv_record(rows[0], cells)  # type: ignore[misc]


def _csv_record(names: list[str], cells: list[str]) -> dict[str, Any]:
    record: dict[str, Any] = {name: _uncell(cell) for name, cell in zip(names, cells, strict=False)}
    if isinstance(record.get("references"), str):
        record["references"] = json.loads(record["references"])
    return record


def _require_text(name: str, value: Any) -> None:
    if name == "references":
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise ValueError(f"references is {value!r:.80}; a list of texts is needed")
    elif not isinstance(value, str):
        if value is not None or name not in (*OPTIONAL_TEXT, "verdict"):
            raise ValueError(f"{name} is {value!r:.80}; a text is needed")
    elif name in KEYS and not (0 < len(value) <= KEYS[name] and value.isascii() and value.isprintable()):
        raise ValueError(f"{name} is {value!r:.80}; 1 to {KEYS[name]} plain letters and digits are needed")


def _judgement(record: Any) -> Judgement:
    if not isinstance(record, dict):
        raise TypeError(f"{record!r:.80} is no judgement; an object is needed")
    for name in REQUIRED:
        if name not in record:
            raise ValueError(f"{name!r} is missing; a file that Whymiss exported is needed")
    values = {name: record[name] for name in FIELDS if name in record}
    for name, value in values.items():
        _require_text(name, value)
    values["at"] = datetime.fromisoformat(values["at"]) if "at" in values else None
    values["references"] = tuple(values.get("references") or ())
    values.setdefault("answer_key", values["item_key"])
    values["verdict"] = values["verdict"] or None
    return Judgement(**{name: value for name, value in values.items() if value is not None or name in (*OPTIONAL_TEXT, "verdict")})
