"""The command line's score of files larger than memory: read part by part, items written as they come."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from evalcore import cli_table
from evalcore.data import DataError, read_table
from evalcore.data.archive import STREAMS
from evalcore.data.parts import NeedsWhole, open_parts
from evalcore.engines.stream import Items, Progress, Streamed, score_parts
from evalcore.engines.work import whole
from evalcore.report.export import csv_heading, csv_rows, to_jsonl
from evalcore.scoring.preset import Preset
from evalcore.scoring.scores import Scores

READING = ("auto", "parts", "whole")
ABOVE = 500_000_000  # Bytes from which a file is read part by part.
ABOVE_PACKED = 100_000_000
WRITTEN = (".csv", ".jsonl")
WARNINGS_SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the option that says how a file is read."""
    parser.add_argument(
        "--reading",
        choices=READING,
        default="auto",
        help="part by part in bounded memory, or the whole file; auto takes parts for a large JSONL, CSV, TSV, Parquet or Arrow file",
    )


@dataclass(frozen=True)
class Said:
    """Where things are said on the way: the items of a CSV, messages, and the rows that are done."""

    items: Callable[[str], Any]
    message: Callable[[str], Any]
    progress: Progress


def run(options: argparse.Namespace, preset: Preset, roles: dict[str, Any], said: Said) -> list[str] | None:
    """Score a large file part by part and give what to print; None where the whole file is read.

    Raises: DataError for a file that cannot be used, or cannot be read so where that was asked for.
    """
    if options.reading == "whole" or (options.reading == "auto" and not _is_large(options.predictions)):
        return None
    try:
        return _run(options, preset, roles, said)
    except NeedsWhole as error:
        if options.reading == "parts":
            raise DataError(f"{options.predictions} cannot be read part by part: {error}; leave --reading out, or split the file") from None
        said.message(f"the whole of {options.predictions} is read, for {error}")
        return None


def _run(options: argparse.Namespace, preset: Preset, roles: dict[str, Any], said: Said) -> list[str]:
    _require_rows(options)
    parts = open_parts(options.predictions, options.encoding)
    references = None if options.references is None else read_table(options.references, encoding=options.references_encoding)

    def scored(items: Items | None) -> Streamed:
        return score_parts(parts, preset, roles, references, items, said.progress)

    if options.export is None:
        streamed = scored(_csv(lambda content: said.items(content.decode("utf-8"))) if options.csv else None)
    else:
        streamed = _exported(options.export, scored)
        said.message(f"wrote {streamed.statistics.items:,} items to {options.export}")
    if options.csv:
        return []
    figures = streamed.figures()
    shown = [f"warning: {warning}" for warning in streamed.warnings[:WARNINGS_SHOWN]]
    if len(streamed.warnings) > WARNINGS_SHOWN:
        shown.append(f"warning: and {len(streamed.warnings) - WARNINGS_SHOWN:,} more of these")
    below = ["", *streamed.read, *streamed.report.lines(), *shown]
    return cli_table.lines(streamed.summary(), preset, {} if figures is None else figures.as_script(), below)


def _require_rows(options: argparse.Namespace) -> None:
    """Refuse what needs all items at once.

    Raises: NeedsWhole naming the option.
    """
    needs = {
        "--json holds all items in one document": options.json,
        "--measures and --semantic look at all items": options.measures or options.semantic is not None,
        "--labels looks at all predictions": options.labels is not None,
        "--trace looks for reasons among all items": options.trace,
        "--add lays columns over the whole file": bool(options.add),
        f"--how {options.how} pairs whole files": options.how in ("question", "position"),
        f"--export writes parts as {' or '.join(WRITTEN)} only": options.export is not None and options.export.suffix.lower() not in WRITTEN,
        "--csv and --export are both asked for": options.csv and options.export is not None,
    }
    for what, asked in needs.items():
        if asked:
            raise NeedsWhole(what)


def _exported(path: Path, scored: Callable[[Items], Streamed]) -> Streamed:
    """Write the items to a file as they come; after a fault nothing of it is left."""
    found: list[Streamed] = []

    def write(begun: Path) -> None:
        with begun.open("wb") as file:
            found.append(scored(_csv(file.write) if path.suffix.lower() == ".csv" else _lines(file)))

    try:
        whole(path, write)
    except OSError as error:
        raise DataError(f"{path} cannot be written ({error.strerror or error}); give another place to --export") from None
    return found[0]


def _lines(file: BinaryIO) -> Items:
    def items(scores: Scores) -> None:
        file.write(to_jsonl(scores, np.arange(len(scores))))

    return items


def _csv(write: Callable[[bytes], Any]) -> Items:
    """Write rows under the columns of the first part."""
    names: list[tuple[str, ...]] = []

    def items(scores: Scores) -> None:
        if not names:
            names.append(tuple(scores.dataset.metadata))
            write(csv_heading(names[0]))
        new = set(scores.dataset.metadata) - set(names[0])
        if new:
            raise DataError(f"the column {sorted(new)[0]!r:.60} first comes up after the heading of the CSV was written; write .jsonl, or read the whole file")
        write(csv_rows(scores, np.arange(len(scores)), names[0]))

    return items


def _is_large(file: str) -> bool:
    path = Path(file)
    if not path.is_file():
        return False
    size = path.stat().st_size
    if size < ABOVE_PACKED:
        return False
    with path.open("rb") as opened:
        head = opened.read(4)
    packed = head == b"PAR1" or any(head.startswith(magic) for magic, _ in STREAMS)
    return size >= (ABOVE_PACKED if packed else ABOVE)
