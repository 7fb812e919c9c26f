"""OpenCompass predictions and results."""

from evalcore.data.errors import quote
from evalcore.data.formats.format import Format
from evalcore.data.formats.json_document import document
from evalcore.data.formats.rows import Placed, Row, all_rows, first_rows, have
from evalcore.data.formats.told import Roles, told
from evalcore.data.json_text import pairs_of
from evalcore.data.messages import question_in
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

ROLES: Roles = {"id": "id", "prediction": "prediction", "references": "gold", "question": "question", "context": (), "label": ()}


def sniff_predictions(source: Source) -> str | None:
    """Tell by keys "0", "1", … with a prediction and an origin_prompt, or by lines with idx (a run under way)."""
    value = document(source)
    if isinstance(value, dict):
        parts = list(value.items())[:20]
        if parts and all(key.isdigit() and isinstance(part, dict) and {"prediction", "origin_prompt"} <= part.keys() for key, part in parts):
            return "its keys are numbers with origin_prompt and prediction"
    return "its lines have idx, origin_prompt and prediction" if have(first_rows(source), "idx", "origin_prompt", "prediction") else None


def read_predictions(source: Source) -> Table:
    """Read one row an entry; OpenCompass leaves out a gold that is 0 or empty, so such items have no reference."""
    bad_rows: list[BadRow] = []
    value = document(source)
    if isinstance(value, dict) and "idx" not in value:
        bad_rows += [BadRow(f"$[{quote(key)}]", f"not an object but {quote(part)}") for key, part in pairs_of(value) if not isinstance(part, dict)]
        entries = [Placed(f"$[{quote(key)}]", {"idx": key, **part}) for key, part in pairs_of(value) if isinstance(part, dict)]
    else:
        entries = list(all_rows(source, bad_rows))
    items = [Placed(entry.place, _prediction(entry.row)) for entry in entries]
    without = sum("gold" not in item.row for item in items)
    notes = [f"{without} entries have no gold: OpenCompass leaves it out where it is 0 or empty, so they have no reference here"] if without else []
    return told(source, PREDICTIONS.name, items, ROLES, bad_rows, notes)


def _prediction(entry: Row) -> Row:
    prompt = entry.get("origin_prompt")
    labels = {key: value for key, value in entry.items() if key.startswith("label: ")}
    rest = {key: value for key, value in entry.items() if key not in ("idx", "origin_prompt", "prediction", "gold", *labels)}
    row: Row = {"id": entry.get("idx"), "question": question_in(prompt), "prediction": entry.get("prediction")}
    if "gold" in entry:
        row["gold"] = entry["gold"]
    if labels:
        row["choices"] = [key.removeprefix("label: ") for key in labels]
        row |= {f"PPL.{key.removeprefix('label: ')}": value.get("PPL") for key, value in labels.items() if isinstance(value, dict)}
    return {**row, **rest}


PREDICTIONS = Format(
    "OpenCompass predictions", "OpenCompass, predictions/MODEL/DATASET.json: prompts, predictions and golds by number.", sniff_predictions, read_predictions
)


def sniff_results(source: Source) -> str | None:
    """Tell by details with predictions and references, or with pred and answer."""
    value = document(source)
    details = value.get("details") if isinstance(value, dict) else None
    rows = list(details.values()) if isinstance(details, dict) else details if isinstance(details, list) else []
    first = next((row for row in rows if isinstance(row, dict)), {})
    known = {"predictions", "references"} <= first.keys() or {"pred", "answer"} <= first.keys()
    return "it has details with predictions and references" if known else None


def read_results(source: Source) -> Table:
    """Read one row a detail; `correct` is the score that OpenCompass gave."""
    details = source.json["details"]  # type: ignore[index]
    pairs = pairs_of(details) if isinstance(details, dict) else [(str(number), entry) for number, entry in enumerate(details)]
    bad_rows = [
        BadRow(f"$.details[{quote(key)}]", f"not an object but {quote(entry)}") for key, entry in pairs if not isinstance(entry, dict) and key != "type"
    ]
    items = [Placed(f"$.details[{quote(key)}]", _result(key, entry)) for key, entry in pairs if isinstance(entry, dict)]
    return told(source, RESULTS.name, items, {**ROLES, "logged": ("correct",)}, bad_rows)


def _result(key: str, entry: Row) -> Row:
    taken = ("prompt", "predictions", "references", "pred", "answer")
    prediction, gold = (entry["predictions"], entry.get("references")) if "predictions" in entry else (entry.get("pred"), entry.get("answer"))
    rest = {name: value for name, value in entry.items() if name not in taken}
    return {"id": key, "question": question_in(entry.get("prompt")), "prediction": _only(prediction), "gold": gold, **rest}


def _only(value: object) -> object:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


RESULTS = Format("OpenCompass results", "OpenCompass, results/MODEL/DATASET.json with details.", sniff_results, read_results)
