"""The command line's label sets: invalid predictions, accuracy, and which label was taken for which."""

import argparse
from typing import Any

from evalcore.analysis.label_sets import label_set
from evalcore.data.errors import DataError
from evalcore.report import labels as shown
from evalcore.report.document import Section, Table
from evalcore.scoring.labels import LabelReport, label_report
from evalcore.scoring.scores import Scores


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the option that gives a label set."""
    parser.add_argument(
        "--labels",
        metavar="LABELS",
        help="count predictions that are none of the labels, and which label was taken for which: a list with commas or | between (yes,no), "
        "column:NAME for a column of options, or references for the distinct ones",
    )


def _found(scores: Scores, spec: str) -> tuple[LabelReport, str]:
    try:
        chosen = label_set(scores, spec)
        return label_report(scores, chosen), chosen.said
    except ValueError as error:
        raise DataError(f"--labels: {error}") from None


def section(scores: Scores, spec: str | None) -> Section | None:
    """Give the part of a report about the labels; None where none are asked for.

    Raises: DataError when they are no labels.
    """
    return None if spec is None else shown.label_section(*_found(scores, spec))


def as_json(scores: Scores, spec: str | None) -> dict[str, Any]:
    """Give the part of the JSON about the labels; nothing where none are asked for."""
    return {} if spec is None else {"labels": shown.as_json(*_found(scores, spec), scores.dataset.ids)}


def lines(scores: Scores, spec: str | None) -> list[str]:
    """Give the part of the text about the labels; nothing where none are asked for."""
    part = section(scores, spec)
    if part is None:
        return []
    written = ["", f"Labels: {part.note}"]
    for block in part.blocks:
        if isinstance(block, Table) and not block.folded:
            written += ["", *_written(block)]
    return written


def _written(table: Table) -> list[str]:
    """Write a table with its columns under one another."""
    rows = [tuple(cell.replace("\n", " ") for cell in row) for row in (table.heads, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(_cell(cell, width, place < table.texts) for place, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip() for row in rows]


def _cell(cell: str, width: int, is_text: bool) -> str:
    return cell.ljust(width) if is_text else cell.rjust(width)
