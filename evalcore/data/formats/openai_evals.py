"""OpenAI evals: run logs, and sample files."""

from pathlib import PurePath

from evalcore.data.formats.format import Format
from evalcore.data.formats.rows import Placed, Row, all_rows, any_row, first_rows, have, part
from evalcore.data.formats.told import told, unique
from evalcore.data.messages import question_in
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

NAMES = ("id", "question", "expected", "picked", "correct")
SCORES = ("match", "metrics")


def sniff(source: Source) -> str | None:
    """Tell by events with run_id, sample_id, type and data."""
    rows = first_rows(source)
    if any_row(rows, lambda row: {"run_id", "sample_id", "type", "data"} <= row.keys()):
        return "its lines are events with run_id, sample_id, type and data"
    return None


def read(source: Source) -> Table:
    """Read one row a sample: what was sampled is the prediction, `expected` holds the references, `correct` is the logged score."""
    bad_rows: list[BadRow] = []
    samples: dict[str, Placed] = {}
    spec: object = None
    report: object = None
    for placed in all_rows(source, bad_rows):
        spec = placed.row.get("spec", spec)
        report = placed.row.get("final_report", report)
        identity = placed.row.get("sample_id")
        if identity is not None:
            item = samples.setdefault(str(identity), Placed(placed.place, {"id": identity}))
            item.row.update(_event(placed.row, item.row))
    model = part(spec, "completion_fns", 0)
    system = unique(model if isinstance(model, str) and model else PurePath(source.name).stem, NAMES)
    items = [Placed(item.place, {system if name == "prediction" else name: value for name, value in item.row.items()}) for item in samples.values()]
    logged = tuple(dict.fromkeys(name for item in items for name in item.row if name == "correct" or name.startswith("metrics.")))
    notes = [] if report is not None else [f"{source.label} has no final report: the run may have been interrupted"]
    roles = {"id": "id", "prediction": (system,), "references": "expected", "question": "question", "context": (), "label": (), "logged": logged}
    return told(source, LOG.name, items, roles, bad_rows, notes)  # type: ignore[arg-type]


def _event(event: Row, known: Row) -> Row:
    data = event.get("data")
    if event.get("type") == "sampling":
        return {"question": question_in(part(data, "prompt")), "prediction": known.get("prediction", _first(part(data, "sampled")))}
    if event.get("type") == "match":
        sampled = part(data, "sampled")
        found: Row = {"expected": part(data, "expected"), "picked": part(data, "picked"), "correct": part(data, "correct")}
        return {**found, "prediction": _first(sampled) if sampled is not None else known.get("prediction")}
    if event.get("type") == "metrics" and isinstance(data, dict):
        return {f"metrics.{name}": value for name, value in data.items()}
    return {}


def _first(sampled: object) -> object:
    return part(sampled, 0) if isinstance(sampled, list) else sampled


LOG = Format("OpenAI evals log", "OpenAI evals, JSON lines of events: sampling, match and final report, in any order.", sniff, read)


def sniff_samples(source: Source) -> str | None:
    """Tell by rows with input and ideal."""
    return "its rows have input and ideal" if have(first_rows(source), "input", "ideal") else None


def read_samples(source: Source) -> Table:
    """Read one row a sample: the question and its ideal answers, without predictions."""
    bad_rows: list[BadRow] = []
    items = [Placed(placed.place, {"question": question_in(placed.row.get("input")), **placed.row}) for placed in all_rows(source, bad_rows)]
    for item in items:
        item.row.pop("input", None)
    return told(source, SAMPLES.name, items, {"question": "question", "references": "ideal", "prediction": ()}, bad_rows)


SAMPLES = Format("OpenAI evals samples", "OpenAI evals, samples.jsonl: input and ideal answers, no predictions.", sniff_samples, read_samples)
