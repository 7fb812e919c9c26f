"""DSPy: what Evaluate saves, as JSON or CSV."""

from evalcore.data.formats.delimited import csv_header, csv_rows
from evalcore.data.formats.format import Format
from evalcore.data.formats.rows import all_rows, first_rows, is_score
from evalcore.data.formats.told import told
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

EXAMPLE, PREDICTED = "example_", "pred_"
QUESTIONS = ("question", "query", "input", "problem")


def sniff(source: Source) -> str | None:
    """Tell by example_NAME beside pred_NAME, or NAME beside pred_NAME with a score in the last column."""
    rows = first_rows(source)
    names = list(rows[0]) if rows else list(csv_header(source))
    pairs = [name for name in names if name.startswith(PREDICTED) and EXAMPLE + name.removeprefix(PREDICTED) in names]
    if pairs:
        return f"it has {EXAMPLE + pairs[0].removeprefix(PREDICTED)} and {pairs[0]}"
    beside = [name for name in names if name.startswith(PREDICTED) and name.removeprefix(PREDICTED) in names]
    return (
        f"it has {beside[0]} beside {beside[0].removeprefix(PREDICTED)} and ends in a score"
        if len(beside) == 1 and rows and is_score(rows[0][names[-1]])
        else None
    )


def read(source: Source) -> Table:
    """Read one row an example; the last column is the score of DSPy's metric."""
    bad_rows: list[BadRow] = []
    placed = list(all_rows(source, bad_rows)) if first_rows(source) else list(csv_rows(source, bad_rows))
    names = list(dict.fromkeys(name for item in placed for name in item.row))
    output = next(
        name.removeprefix(PREDICTED) for name in names if name.startswith(PREDICTED) and (EXAMPLE + name[5:] in names or name.removeprefix(PREDICTED) in names)
    )
    reference = EXAMPLE + output if EXAMPLE + output in names else output
    question = next((name for key in QUESTIONS for name in (EXAMPLE + key, key) if name in names), ())
    last = names[-1]
    logged = (last,) if all(_is_score_text(item.row.get(last)) for item in placed) else ()
    roles = {"prediction": PREDICTED + output, "references": reference, "question": question, "context": (), "label": (), "logged": logged}
    return told(source, DSPY.name, placed, roles, bad_rows)  # type: ignore[arg-type]


def _is_score_text(value: object) -> bool:
    return value is None or is_score(value) or (isinstance(value, str) and value.strip("-").replace(".", "", 1).isdigit()) or value in ("True", "False", "")


DSPY = Format("DSPy evaluation", "DSPy, JSON or CSV saved by Evaluate: example_ and pred_ columns and a metric.", sniff, read)
