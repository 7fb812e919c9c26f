"""The command line's other measures: beside EM and F1, when asked."""

import argparse
from collections.abc import Sequence
from math import isnan
from typing import Any

from evalcore.analysis.measures import MEASURES, Measured, measured
from evalcore.analysis.semantic import Model, SemanticError, meanings
from evalcore.data.errors import DataError
from evalcore.scoring.chunks import Progress
from evalcore.scoring.scores import Scores


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that ask for them."""
    parser.add_argument("--measures", action="store_true", help=f"add other measures: {', '.join(measure.title for measure in MEASURES.values())}")
    parser.add_argument(
        "--semantic",
        metavar="MODEL",
        help="add BERTScore and sentence similarity by this language model: a folder, or a name of the Hugging Face hub; needs the extra 'semantic'",
    )
    parser.add_argument("--layer", type=int, metavar="N", help="with --semantic: the layer BERTScore looks at; else the one recommended, or the last")
    parser.add_argument("--download", action="store_true", help="with --semantic: download the model if it is not on this machine")


def model(options: argparse.Namespace) -> Model | None:
    """Give the model asked for; None without one.

    Raises: DataError when the options do not go together, the extra is not installed or the model is not there.
    """
    if (options.measures or options.semantic) and (options.csv or options.export):
        raise DataError("--measures and --semantic go with the table or --json; leave out --csv and --export")
    if options.semantic is None:
        if options.download or options.layer is not None:
            raise DataError("--download and --layer go with --semantic MODEL; name the model")
        return None
    try:
        return Model.find(options.semantic, download=options.download, layer=options.layer)
    except SemanticError as error:
        raise DataError(str(error)) from None


def run(options: argparse.Namespace, chosen: Model | None, scores: Scores, progress: Progress) -> tuple[Measured, ...]:
    """Measure what was asked for.

    Raises: DataError when the model cannot be read.
    """
    found = tuple(measured(scores, name, progress) for name in MEASURES) if options.measures else ()
    try:
        return (*found, *meanings(scores, chosen, progress)) if chosen else found
    except SemanticError as error:
        raise DataError(str(error)) from None


def lines(found: Sequence[Measured]) -> list[str]:
    """Write one line a measure: its mean of 100 with the interval, the number of items, and that of all texts together."""
    if not found:
        return []
    width = max(len(each.measure.title) for each in found)
    return ["", "other measures: mean of 100, 95 % interval, items", *(_line(each, width) for each in found)]


def _line(found: Measured, width: int) -> str:
    side = found.interval
    shown = f"{100 * side.estimate:>8.2f}  {100 * side.low:.2f} to {100 * side.high:.2f}  {side.count:,}" if side.count else "     n/a"
    pooled = "" if found.pooled is None else f"  all texts together: {100 * found.pooled:.2f}"
    return f"{found.measure.title:{width}}  {shown}{pooled}{'  lower is better' if found.measure.lower_is_better else ''}"


def as_json(found: Sequence[Measured]) -> dict[str, Any]:
    """Give what was measured of the run, by name, unrounded."""
    return {
        each.measure.name: {
            **{name: _number(getattr(each.interval, name)) for name in ("estimate", "low", "high")},
            "items": each.interval.count,
            "method": each.interval.method,
            **({} if each.pooled is None else {"all_texts_together": each.pooled}),
        }
        for each in found
    }


def of_item(found: Sequence[Measured], row: int) -> dict[str, float | None]:
    """Give what was measured of one item, by name."""
    return {each.measure.name: _number(float(each.values[row])) for each in found}


def _number(value: float) -> float | None:
    return None if isnan(value) else value
