"""Weights & Biases Weave: calls of Evaluation.predict_and_score."""

from evalcore.data.formats.format import Format
from evalcore.data.formats.rows import Placed, Row, all_rows, any_row, first_rows, flat, part
from evalcore.data.formats.told import told
from evalcore.data.guess import CONTEXTS, EITHER, IDS, QUESTIONS, REFERENCES, column_like
from evalcore.data.messages import answer_in
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

CALL = "Evaluation.predict_and_score"


def sniff(source: Source) -> str | None:
    """Tell by an op_name with Evaluation.predict_and_score."""
    rows = first_rows(source)
    return f"its calls are named {CALL}" if any_row(rows, lambda row: CALL in str(row.get("op_name", ""))) else None


def read(source: Source) -> Table:
    """Read one row a scored example; calls of another name are left out and counted."""
    bad_rows: list[BadRow] = []
    calls = list(all_rows(source, bad_rows))
    items = [Placed(call.place, _item(call.row)) for call in calls if CALL in str(call.row.get("op_name", ""))]
    names = list(dict.fromkeys(name for item in items for name in item.row))
    logged = tuple(name for name in names if name.startswith("scores."))
    own = [name for name in names if name not in logged and name not in ("call", "output")]
    roles = {
        "id": column_like(own, IDS) or "call",
        "prediction": "output",
        "references": column_like(own, (*REFERENCES, *EITHER)) or (),
        "question": column_like(own, QUESTIONS) or (),
        "context": column_like(own, CONTEXTS) or (),
        "label": (),
        "logged": logged,
    }
    others = len(calls) - len(items)
    return told(source, WEAVE.name, items, roles, bad_rows, [f"{others} calls that are not {CALL} were left out"] if others else [])


def _item(call: Row) -> Row:
    example = part(call, "inputs", "example")
    fields = {("output (2)" if name in ("output", "call") else name): value for name, value in example.items()} if isinstance(example, dict) else {}
    output = part(call, "output", "output")
    found: Row = {"call": call.get("id"), **fields, "output": answer_in(output if output is not None else part(call, "output", "model_output"))}
    return {**found, **flat("scores", part(call, "output", "scores")), "latency": part(call, "output", "model_latency")}


WEAVE = Format("Weave evaluation", "W&B Weave, exported calls of Evaluation.predict_and_score.", sniff, read)
