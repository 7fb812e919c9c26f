"""LangSmith: datasets and experiments, JSON lines, JSON or CSV."""

from collections.abc import Iterable, Iterator

from evalcore.data.formats.delimited import csv_header, csv_rows
from evalcore.data.formats.format import Format
from evalcore.data.formats.rows import Placed, Row, all_rows, first_rows, flat, have, value_in
from evalcore.data.formats.told import told
from evalcore.data.messages import answer_in, question_in
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

RUN = ("reference_outputs", "feedback", "run_type", "latency", "error", "start_time", "trace_id")
INPUT, OUTPUT = "input_", "output_"


def sniff(source: Source) -> str | None:
    """Tell by inputs and outputs that are objects, or by columns input_NAME and output_NAME alone."""
    rows = first_rows(source)
    if have(rows, "inputs", "outputs") and isinstance(rows[0]["inputs"], dict):
        return "its rows have objects under inputs and outputs"
    header = csv_header(source)
    if {"inputs", "outputs"} <= set(header):
        return "it has the columns inputs and outputs"
    beside = any(name.startswith(INPUT) for name in header) and any(name.startswith(OUTPUT) for name in header)
    return f"it has columns {INPUT}… and {OUTPUT}…" if beside and all(name.startswith((INPUT, OUTPUT)) for name in header) else None


def read(source: Source) -> Table:
    """Read a dataset, whose outputs are the references, or an experiment, whose outputs are the predictions."""
    bad_rows: list[BadRow] = []
    placed = list(all_rows(source, bad_rows) if first_rows(source) else csv_rows(source, bad_rows))
    names = {name.split(".")[0] for item in placed for name in item.row}
    is_run = bool(names & set(RUN))
    items = list(_items(placed))
    logged = tuple(dict.fromkeys(name for item in items for name in item.row if name.startswith("feedback.")))
    own: dict[str, str | tuple[str, ...]] = {"prediction": "output", "references": "reference_output"} if is_run else {"prediction": (), "references": "output"}
    return told(source, LANGSMITH.name, items, {"question": "question", "context": (), "label": (), "logged": logged, **own}, bad_rows)


def _items(placed: Iterable[Placed]) -> Iterator[Placed]:
    for item in placed:
        row = item.row
        inputs = value_in(row["inputs"]) if "inputs" in row else {name.removeprefix(INPUT): cell for name, cell in row.items() if name.startswith(INPUT)}
        outputs = value_in(row["outputs"]) if "outputs" in row else {name.removeprefix(OUTPUT): cell for name, cell in row.items() if name.startswith(OUTPUT)}
        found: Row = {name: value for name, value in row.items() if name in ("id", "name")}
        found |= {"question": question_in(inputs), "output": answer_in(outputs)}
        if "reference_outputs" in row:
            found["reference_output"] = answer_in(value_in(row["reference_outputs"]))
        for name, value in row.items():
            if name not in ("id", "name", "inputs", "outputs", "reference_outputs") and not name.startswith((INPUT, OUTPUT)):
                found |= flat(name, value_in(value)) if name == "feedback" else {name: value}
        yield Placed(item.place, found)


LANGSMITH = Format("LangSmith export", "LangSmith, a dataset or an experiment as JSON lines, JSON or CSV.", sniff, read)
