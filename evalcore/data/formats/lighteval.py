"""lighteval details: Parquet with doc, metric and model_response, or the older flat columns."""

from evalcore.data.formats.arrow import plain
from evalcore.data.formats.format import Format
from evalcore.data.formats.parquet import MAGIC, column_names, content_of
from evalcore.data.formats.rows import Placed, Row, flat, part
from evalcore.data.formats.told import told
from evalcore.data.source import Source
from evalcore.data.table import Table

NEW = {"doc", "metric", "model_response"}
OLD = {"full_prompt", "predictions", "gold", "metrics"}


def sniff(source: Source) -> str | None:
    """Tell by the columns."""
    if source.data[:4] != MAGIC:
        return None
    names = source.once("Parquet columns", column_names)
    return "its columns are doc, metric and model_response" if names >= NEW else "it has full_prompt, predictions, gold and metrics" if names >= OLD else None


def read(source: Source) -> Table:
    """Read one row a document; of several generated texts the first is the prediction, all of them are kept.

    Raises: FormatError when the file is damaged.
    """
    content = content_of(source)
    make = _new if set(content.column_names) >= NEW else _old
    items = [Placed(f"row {number}", make(_row(entry))) for number, entry in enumerate(content.to_pylist(), 1)]
    logged = tuple(dict.fromkeys(name for item in items for name in item.row if name.startswith("metric.")))
    roles = {"id": "id", "prediction": "prediction", "references": "references", "question": "question", "context": (), "label": (), "logged": logged}
    return told(source, LIGHTEVAL.name, items, roles)  # type: ignore[arg-type]


def _row(entry: dict[str, object]) -> Row:
    return plain(entry)  # type: ignore[return-value]


def _new(row: Row) -> Row:
    choices, index = part(row, "doc", "choices"), part(row, "doc", "gold_index")
    texts = part(row, "model_response", "text_post_processed") or part(row, "model_response", "text")
    found: Row = {"id": part(row, "doc", "id"), "question": part(row, "doc", "query")}
    found |= {"prediction": _answer(texts, choices, part(row, "model_response", "logprobs")), "references": _golds(choices, index)}
    found |= {"raw": part(row, "model_response", "text", 0), "task": part(row, "doc", "task_name")}
    if isinstance(texts, list) and len(texts) > 1:
        found["texts"] = texts
    if isinstance(choices, list) and len(choices) > 1:
        found["choices"] = choices
    return {**found, **flat("metric", row.get("metric"))}


def _old(row: Row) -> Row:
    choices, golds, texts = row.get("choices"), row.get("gold"), row.get("predictions")
    specific = [name for name in ("example", "instruction", "specifics") if row.get(name)]
    found: Row = {"id": row.get("id"), "question": row.get("example") or row.get("full_prompt")}
    found |= {"prediction": _answer(texts, choices, row.get("pred_logits")), "references": golds or _golds(choices, row.get("gold_index"))}
    found |= {"full_prompt": row.get("full_prompt"), **{name: row[name] for name in specific if name != "example"}}
    if isinstance(choices, list) and choices:
        found["choices"] = choices
    return {name: value for name, value in {**found, **flat("metric", row.get("metrics"))}.items() if value is not None or name == "prediction"}


def _answer(texts: object, choices: object, likelihoods: object) -> object:
    """Take the first text, or the likeliest choice where nothing was generated."""
    if isinstance(texts, list) and texts:
        return texts[0]
    scores = likelihoods if isinstance(likelihoods, list) and likelihoods and all(isinstance(score, float | int) for score in likelihoods) else []
    if isinstance(choices, list) and len(scores) == len(choices) > 1:
        return choices[max(range(len(choices)), key=lambda number: scores[number])]
    return None


def _golds(choices: object, index: object) -> object:
    indices = index if isinstance(index, list) else [index]
    return [choices[place] for place in indices if isinstance(place, int) and 0 <= place < len(choices)] if isinstance(choices, list) else None


LIGHTEVAL = Format("lighteval details", "lighteval, details_*.parquet: documents, responses and metrics, new and old.", sniff, read)
