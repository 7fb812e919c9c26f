"""The command line's score-folder: many files, on all cores, taken up where a run stopped."""

import argparse
import os
import shlex
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from evalcore import cli_settings
from evalcore.analysis.languages import SCRIPTS, SMALL_WORDS
from evalcore.data import DataError
from evalcore.data.join_report import DESCRIPTIONS
from evalcore.engines.cluster import Cluster
from evalcore.engines.files import SUFFIXES
from evalcore.engines.folder import Progress, Scored, score_folder
from evalcore.engines.local import Processes
from evalcore.engines.work import Engine
from evalcore.report.comparison import percent
from evalcore.text.amounts import amount

INCOMPLETE = 1
SHOWN = 10
SHOWN_MEASURES = ("em", "f1", "precision", "recall")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is particular to folders."""
    parser.add_argument(
        "source", metavar="SOURCE", help="folder, quoted pattern or fsspec address (s3://...) of Parquet or JSONL files; each holds predictions and references"
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="folder for the scores; a run that was stopped goes on there")
    parser.add_argument("--references", metavar="FOLDER", help="folder, pattern or address of the references, which are joined to the predictions by id")
    parser.add_argument("--workers", type=_workers, metavar="N", help="processes to score in (as many as there are cores)")
    parser.add_argument(
        "--engine",
        choices=("local", "dask"),
        default="local",
        help="local: processes of this machine; dask: Dask's distributed scheduler, which the extra whymiss[distributed] brings (local)",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="with --engine dask: a running scheduler, such as tcp://10.0.0.5:8786, whose workers see SOURCE and OUT "
        "under the same paths; without it processes of this machine are started",
    )
    parser.add_argument(
        "--reasons",
        nargs="?",
        const=("en",),
        default=(),
        type=_languages,
        metavar="LANGUAGES",
        help="find the main reason of every failed item too, which takes "
        "some seventy times as long as scoring it; LANGUAGES, such as en,de, are those whose steps are tried (en)",
    )
    parser.add_argument("--no-slices", action="store_true", help="count no groups of items, which takes about as long as scoring them")
    cli_settings.add_arguments(parser)


def _workers(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(f"{text!r} is given; a whole number from 1 is needed")
    return int(text)


def _languages(text: str) -> tuple[str, ...]:
    known = (*SMALL_WORDS, *(name for name, _ in SCRIPTS))
    languages = tuple(text.split(","))
    if strange := [name for name in languages if name not in known]:
        raise argparse.ArgumentTypeError(f"{strange[0]!r} is no language that has steps; known are {', '.join(known)}")
    return languages


def run(options: argparse.Namespace, roles: dict[str, Any], progress: Progress) -> tuple[str, int]:
    """Score the folder; give what to print, and 1 when a file or row could not be read.

    Raises: DataError for a folder that cannot be scored.
    """
    if options.scheduler is not None and options.engine != "dask":
        raise DataError("--scheduler is given without --engine dask; add it, or leave the address out")
    preset = cli_settings.chosen(options)
    scored = score_folder(
        options.source,
        options.out,
        preset,
        references=options.references,
        engine=_engine(options),
        roles=roles,
        reasons=options.reasons,
        slices=not options.no_slices,
        progress=progress,
    )
    return "\n".join([*_lines(scored), f"signature: {preset.signature}", _opening(options.out)]), 0 if scored.complete else INCOMPLETE


def _opening(out: Path) -> str:
    return f"open it in the app: streamlit run app.py -- --folder {shlex.quote(str(out.resolve()))}"


def _engine(options: argparse.Namespace) -> AbstractContextManager[Engine]:
    workers = options.workers or os.cpu_count() or 1
    return Cluster(workers, options.scheduler) if options.engine == "dask" else Processes(workers)


def _lines(scored: Scored) -> list[str]:
    statistics = scored.statistics
    lines = []
    for measure in (name for name in SHOWN_MEASURES if name in statistics.values):
        found = statistics.interval(measure)
        lines.append(f"{measure:10} {percent(statistics.mean(measure)):>8}  [{percent(found.low)}, {percent(found.high)}]")
    lines += [f"items      {statistics.items:>8,}", f"scored     {statistics.scored:>8,}"]
    lines += [f"unscored: {reason}  {number:,}" for reason, number in statistics.unscored.items()]
    lines += [f"reason: {reason}  {number:,}" for reason, number in sorted(statistics.reasons.items(), key=lambda entry: -entry[1])]
    lines += [f"{DESCRIPTIONS[name].format(used='used once only')}  {number:,}, listed in manifest.json" for name, number in scored.joined.items()]
    lines += ["", f"{amount(scored.parts, 'file')}: {scored.fresh:,} scored, {scored.kept:,} taken over, {len(scored.troubles):,} with trouble"]
    if scored.passed_over:
        said = amount(len(scored.passed_over), "file of another kind was", "files of another kind were")
        lines.append(f"{said} passed over, such as {scored.passed_over[0]!r:.120}; scored are {', '.join(SUFFIXES)}")
    for outcome in scored.troubles[:SHOWN]:
        said = outcome.message or f"{amount(outcome.bad_rows, 'row')} could not be read or scored: {', '.join(outcome.places[:3])}"
        lines.append(f"  {outcome.name}: {outcome.state}; {said}")
    return [*lines, *([f"  and {len(scored.troubles) - SHOWN:,} more, in manifest.json"] if len(scored.troubles) > SHOWN else []), ""]
