"""Braintrust experiments: JSON lines, JSON or CSV."""

from evalcore.data.formats.delimited import csv_header, csv_rows
from evalcore.data.formats.format import Format
from evalcore.data.formats.rows import Placed, Row, all_rows, first_rows, flat, have, value_in
from evalcore.data.formats.told import told
from evalcore.data.messages import answer_in, question_in
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

KEYS = ("input", "output", "expected", "scores")


def sniff(source: Source) -> str | None:
    """Tell by input, output, expected and scores."""
    if have(first_rows(source), *KEYS) or set(KEYS) <= set(csv_header(source)):
        return "it has input, output, expected and scores"
    return None


def read(source: Source) -> Table:
    """Read one row a case; spans below the root of a trace are left out and counted."""
    bad_rows: list[BadRow] = []
    placed = list(all_rows(source, bad_rows) if first_rows(source) else csv_rows(source, bad_rows))
    roots = [item for item in placed if item.row.get("span_id") == item.row.get("root_span_id")]
    items = [Placed(item.place, _item(item.row)) for item in roots]
    logged = tuple(dict.fromkeys(name for item in items for name in item.row if name.startswith("scores.")))
    roles = {"id": "id", "prediction": "output", "references": "expected", "question": "question", "context": (), "label": (), "logged": logged}
    left = len(placed) - len(roots)
    return told(source, BRAINTRUST.name, items, roles, bad_rows, [f"{left} inner spans were left out"] if left else [])  # type: ignore[arg-type]


def _item(row: Row) -> Row:
    expected = value_in(row.get("expected"))
    found: Row = {"id": row.get("id"), "question": question_in(value_in(row.get("input"))), "output": answer_in(value_in(row.get("output")))}
    found["expected"] = expected if isinstance(expected, list) else answer_in(expected)
    rest = {name: value for name, value in row.items() if name not in ("id", *KEYS)}
    return {**found, **flat("scores", value_in(row.get("scores")) or {}), **rest}


BRAINTRUST = Format("Braintrust experiment", "Braintrust, an experiment as JSON lines, JSON or CSV.", sniff, read)
