"""Langfuse exports: traces and observations, JSON lines, JSON or CSV."""

from collections.abc import Iterable

from evalcore.data.formats.delimited import csv_header, csv_rows
from evalcore.data.formats.format import Format
from evalcore.data.formats.rows import Placed, Row, all_rows, first_rows, flat, have, value_in
from evalcore.data.formats.told import told
from evalcore.data.messages import answer_in, question_in
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

MARKS = ({"traceId", "type"}, {"traceId", "startTime"}, {"userId", "sessionId"}, {"observations"}, {"timestamp", "sessionId"})
EXPECTED = ("expectedOutput", "expected_output", "expected")


def sniff(source: Source) -> str | None:
    """Tell by id, input and output beside traceId and type, or userId and sessionId, or observations."""
    rows = first_rows(source)
    names = set(rows[0]) if have(rows, "id", "input", "output") else set(csv_header(source))
    if not {"id", "input", "output"} <= names:
        return None
    found = next((mark for mark in MARKS if mark <= names), None)
    return None if found is None else f"it has id, input and output beside {' and '.join(sorted(found))}"


def read(source: Source) -> Table:
    """Read one row a trace or observation; the answer is the last message of its output."""
    bad_rows: list[BadRow] = []
    placed = all_rows(source, bad_rows) if first_rows(source) else csv_rows(source, bad_rows)
    items = _items(placed)
    logged = tuple(dict.fromkeys(name for item in items for name in item.row if name.startswith("scores.")))
    expected = next((name for name in EXPECTED for item in items if name in item.row), ())
    roles = {"id": "id", "prediction": "output", "references": expected, "question": "question", "context": (), "label": (), "logged": logged}
    return told(source, LANGFUSE.name, items, roles, bad_rows)


def _items(placed: Iterable[Placed]) -> list[Placed]:
    found = []
    for item in placed:
        row: Row = {"id": item.row.get("id"), "question": question_in(value_in(item.row.get("input"))), "output": answer_in(value_in(item.row.get("output")))}
        for name, value in item.row.items():
            if name == "scores":
                row |= _scores(value_in(value))
            elif name in EXPECTED:
                row[name] = answer_in(value_in(value))
            elif name not in ("id", "input", "output"):
                row[name] = value
        found.append(Placed(item.place, row))
    return found


def _scores(scores: object) -> Row:
    if isinstance(scores, list):
        return {f"scores.{entry.get('name')}": entry.get("value") for entry in scores if isinstance(entry, dict)}
    if not isinstance(scores, dict):
        return {}
    return {name: value[0] if isinstance(value, list) and len(value) == 1 else value for name, value in flat("scores", scores).items()}


LANGFUSE = Format("Langfuse export", "Langfuse, traces or observations as JSON lines, JSON or CSV.", sniff, read)
