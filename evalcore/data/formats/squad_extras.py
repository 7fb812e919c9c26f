"""What stands beside SQuAD predictions: no-answer probabilities and the n best answers."""

from dataclasses import replace

from evalcore.data.errors import quote
from evalcore.data.formats.format import Format
from evalcore.data.formats.json_document import document
from evalcore.data.formats.rows import Placed, part
from evalcore.data.formats.told import told
from evalcore.data.json_text import Number, pairs_of
from evalcore.data.source import Source
from evalcore.data.table import BadRow, Table

FIGURES = ("accuracy", "f1", "em", "exact", "exact_match", "score", "total", "loss", "precision", "recall", "bleu", "rouge", "mean", "acc")


def sniff_probabilities(source: Source) -> str | None:
    """Tell by an object of id to a number between 0 and 1, or by the name null_odds with any number."""
    value = document(source)
    if not isinstance(value, dict) or not value or not all(isinstance(part, Number) for part in value.values()):
        return None
    if any(key.casefold().split(",")[0].split(" ")[0] in FIGURES for key in value):
        return None
    if any(name in source.name.casefold() for name in ("na_prob", "null_odds")):
        return "it is an object of id to a number, and its name says no-answer probability"
    fractions = all(0 <= float(part) <= 1 for part in value.values()) and any("." in part or "e" in part for part in value.values())
    return "it is an object of id to a fraction between 0 and 1" if fractions else None


def read_probabilities(source: Source) -> Table:
    """Read one row an id, to be joined to predictions."""
    value: dict[str, object] = source.json  # type: ignore[assignment]
    items = [Placed(f"$[{quote(key)}]", {"id": key, "no_answer_probability": number}) for key, number in pairs_of(value)]
    return replace(told(source, PROBABILITIES.name, items, {"id": "id", "prediction": (), "references": ()}), adds=True)


PROBABILITIES = Format(
    "SQuAD no-answer probabilities", "SQuAD 2.0, na_prob.json or null_odds.json: id to number, added to predictions.", sniff_probabilities, read_probabilities
)


def sniff_nbest(source: Source) -> str | None:
    """Tell by an object of id to a list of objects with text and probability or logits."""
    value = document(source)
    first = part(next(iter(value.values())), 0) if isinstance(value, dict) and value else None
    known = isinstance(first, dict) and "text" in first and bool({"probability", "start_logit", "score"} & first.keys())
    return "it is an object of id to answers with text and probability" if known else None


def read_nbest(source: Source) -> Table:
    """Read one row an id; the first answer is the prediction, all are kept with their probability."""
    value: dict[str, object] = source.json  # type: ignore[assignment]
    usable = [(key, answers) for key, answers in pairs_of(value) if isinstance(answers, list)]
    bad_rows = [BadRow(f"$[{quote(key)}]", f"not a list but {quote(answers)}") for key, answers in pairs_of(value) if not isinstance(answers, list)]
    items = [
        Placed(f"$[{quote(key)}]", {"id": key, "prediction": part(answers, 0, "text"), "probability": part(answers, 0, "probability"), "nbest": answers})
        for key, answers in usable
    ]
    return told(source, NBEST.name, items, {"id": "id", "prediction": "prediction", "references": ()}, bad_rows)


NBEST = Format("SQuAD n-best predictions", "SQuAD, nbest_predictions.json: id to its best answers; the first counts.", sniff_nbest, read_nbest)
