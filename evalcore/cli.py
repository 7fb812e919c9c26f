"""The command line: score, score-folder, compare, explain, report, trace, presets, formats."""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

import numpy as np

import evalcore
from evalcore import cli_compare, cli_explain, cli_folder, cli_labels, cli_measures, cli_parts, cli_report, cli_settings, cli_table
from evalcore.analysis.measures import Measured
from evalcore.analysis.reasons.find import find_reasons
from evalcore.data import FORMATS, DataError, JoinReport, Loaded, load_tables, only_system, read_table, read_tables
from evalcore.data.errors import MappingError
from evalcore.data.mapping import ROLES
from evalcore.report.export import to_csv, to_jsonl
from evalcore.report.parquet import to_parquet
from evalcore.report.workbook import to_excel
from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import document
from evalcore.scoring.scores import Scores
from evalcore.scoring.squad_v2 import ProbabilityError, Variant, figures, has_answer, recorded_probabilities
from evalcore.text.amounts import amount
from evalcore.text.names import UnknownName
from evalcore.text.resources import MissingResource
from evalcore.text.rules import StepFailed
from evalcore.text.visible import inert
from evalcore.version import VERSION

UNUSABLE = 2
STOPPED = 130  # What a shell gives for a program that was interrupted.
SECONDS_OF_SILENCE = 1.0
LARGE_FILE = 20_000_000
SEPARATORS = {"none": None, "newline": "\n", "\\n": "\n", "tab": "\t", "\\t": "\t"}
NUMBERS = ("em", "f1", "precision", "recall")
WAYS = ("id", "question", "position")
EXPORTS = {".csv": to_csv, ".jsonl": to_jsonl, ".parquet": to_parquet, ".xlsx": to_excel}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it worked, 1 when a gate stops, 2 when its input cannot be used, 130 when it is interrupted."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options) or 0
        sys.stdout.flush()
    except (DataError, UnknownName, StepFailed, MissingResource, ProbabilityError) as error:
        _say(f"whymiss: {error}", sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        return STOPPED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def _say(text: str, file: TextIO | None = None) -> None:
    """Write text to a terminal; what files hold cannot steer it."""
    print(inert(text), file=file)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="whymiss", description="Why did exact match miss? EM, token F1, and a trace of every normalization step.")
    parser.add_argument("--version", action="version", version=f"whymiss {VERSION}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_score(commands.add_parser("score", help="score a file of predictions", description="Score a file of predictions."))
    compared = commands.add_parser("compare", help="compare runs, and stop a pipeline", description="Compare two runs, two settings, or many runs.")
    cli_compare.add_arguments(compared)
    _add_reading(compared)
    compared.set_defaults(run=_compare)
    explained = commands.add_parser("explain", help="say why items failed", description="Say why items failed and what would change it: one item or a file.")
    cli_explain.add_arguments(explained)
    _add_reading(explained)
    explained.set_defaults(run=_explain)
    reported = commands.add_parser("report", help="write a report to hand on", description="Write a report to hand on: HTML, Markdown, and a script.")
    cli_report.add_arguments(reported)
    _add_reading(reported)
    reported.set_defaults(run=_report_on)
    folder = commands.add_parser(
        "score-folder", help="score a folder of files", description="Score a folder of files, on the cores of this machine or a Dask cluster."
    )
    cli_folder.add_arguments(folder)
    _add_columns(folder)
    folder.set_defaults(run=_score_folder)
    trace = commands.add_parser("trace", help="show what every step does to a text", description="Show what every step of a preset does to a text.")
    trace.add_argument("text", metavar="TEXT", help="the text; - reads it from standard input")
    trace.add_argument("--preset", default="squad_v1", metavar="NAME", help="the preset whose steps to apply (squad_v1)")
    trace.add_argument("--side", choices=("prediction", "reference"), default="prediction", help="which side the text is on (prediction)")
    trace.set_defaults(run=_trace)
    presets = commands.add_parser("presets", help="list the presets", description="List the presets, or describe some step by step.")
    presets.add_argument("names", nargs="*", metavar="NAME", help="presets to describe step by step; without names all are listed")
    presets.add_argument("--markdown", action="store_true", help="write a Markdown page")
    presets.set_defaults(run=_presets)
    commands.add_parser("formats", help="list the file formats", description="List the file formats.").set_defaults(run=_formats)
    return parser


def _add_score(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("predictions", metavar="PREDICTIONS", help="file with the predictions, and maybe the references")
    _add_reading(parser)
    cli_parts.add_arguments(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="write summary, report and items as JSON, numbers unrounded")
    output.add_argument("--csv", action="store_true", help="write one row an item as CSV")
    parser.add_argument("--export", metavar="FILE", type=_export, help=f"write the items to FILE too; its ending says how: {', '.join(EXPORTS)}")
    parser.add_argument("--trace", action="store_true", help="with --export: add the main reason and what each step changed in the prediction")
    cli_labels.add_arguments(parser)
    cli_measures.add_arguments(parser)
    parser.set_defaults(run=_score)


def _add_reading(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--references", metavar="FILE", help="file with the references; the two may be given in either order")
    parser.add_argument(
        "--add", action="append", default=[], metavar="FILE", help="file that only adds columns by id, such as no-answer probabilities; may be repeated"
    )
    parser.add_argument("--how", choices=WAYS, help="pair the two files by id, by the text of the question or by position; without it by what both have")
    parser.add_argument("--encoding", metavar="NAME", help="how the file of predictions is written, such as gb18030; without it this is found out")
    parser.add_argument("--references-encoding", metavar="NAME", help="how the file of references is written")
    parser.add_argument("--sheet", metavar="NAME", help="the sheet of a workbook with the predictions; without it the first that has rows")
    parser.add_argument("--references-sheet", metavar="NAME", help="the sheet of a workbook with the references")
    cli_settings.add_arguments(parser)
    _add_columns(parser)


def _add_columns(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--map", action="append", default=[], type=_pair, metavar="ROLE=COLUMN", help=f"give a column its role; roles: {', '.join(ROLES)}")
    parser.add_argument(
        "--split-references", metavar="SEP", help="split a reference cell at SEP; newline, tab, json (a list in the cell) or none are words for themselves"
    )
    parser.add_argument(
        "--where", action="append", default=[], type=_pair, metavar="COLUMN=VALUE", help="keep the rows whose COLUMN is exactly VALUE; the others are counted"
    )


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not (sign and name):
        raise argparse.ArgumentTypeError(f"{text!r} has no '='; NAME=VALUE is needed, such as prediction=answer")
    return name, value


def _export(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() not in EXPORTS:
        raise argparse.ArgumentTypeError(f"{text!r} ends in none of {', '.join(EXPORTS)}")
    return path


def _score(options: argparse.Namespace) -> None:
    preset, model = cli_settings.chosen(options), cli_measures.model(options)
    for file in (options.predictions, options.references):
        _announce(file)
    said = cli_parts.Said(sys.stdout.write, lambda text: _say(text, sys.stderr), _progress("rows"))
    lines = cli_parts.run(options, preset, _roles(options), said)
    if lines is not None:
        if lines:
            _say("\n".join(lines))
        return
    loaded = _chosen(options)
    scores = evalcore.score(loaded.datasets[0], preset=preset, progress=_progress())
    if options.export is not None:
        _write(options.export, scores, options.trace)
    if options.csv:
        sys.stdout.write(to_csv(scores, np.arange(len(scores))).decode("utf-8"))
    elif options.json:
        _say(_as_json(scores, loaded, options.labels, cli_measures.run(options, model, scores, _progress(done_as="measured"))))
    else:
        found = cli_measures.run(options, model, scores, _progress(done_as="measured"))
        _say("\n".join([*_as_table(scores, loaded, options.labels), *cli_measures.lines(found)]))


def _write(path: Path, scores: Scores, explained: bool) -> None:
    """Write all items to a file.

    Raises: DataError when the file cannot be written or cannot hold them.
    """
    reasons = find_reasons(scores) if explained else None
    try:
        path.write_bytes(EXPORTS[path.suffix.lower()](scores, np.arange(len(scores)), reasons, explained))
    except OSError as error:
        raise DataError(f"{path} cannot be written ({error.strerror or error}); give another place to --export") from None
    except ValueError as error:
        raise DataError(str(error)) from None
    _say(f"wrote {amount(len(scores), 'item')} to {path}", sys.stderr)


def _compare(options: argparse.Namespace) -> int:
    for file in (*options.predictions, options.references):
        _announce(file)
    outcome = cli_compare.run(options, lambda file: _load(file, options))
    _say(outcome.text)
    return outcome.status


def _explain(options: argparse.Namespace) -> None:
    for file in (options.predictions, options.references):
        _announce(file)
    _say(cli_explain.run(options, lambda file: _load(file, options), _progress()))


def _report_on(options: argparse.Namespace) -> None:
    for file in (options.predictions, options.references, options.before):
        _announce(file)
    _say(cli_report.run(options, lambda file: _load(file, options), _progress()))


def _score_folder(options: argparse.Namespace) -> int:
    text, status = cli_folder.run(options, _roles(options), _progress("files"))
    _say(text)
    return status


def _load(file: str, options: argparse.Namespace) -> Loaded:
    try:
        tables = [*read_tables(file, encoding=options.encoding, sheet=options.sheet)]
        if options.references is not None:
            tables += read_tables(options.references, encoding=options.references_encoding, sheet=options.references_sheet)
        tables += map(read_table, options.add)
        return load_tables(tables, _roles(options), how=options.how)
    except MappingError as error:
        raise DataError(f"{error} (on the command line: --map {error.missing[0]}=COLUMN)" if error.missing else str(error)) from None


def _chosen(options: argparse.Namespace) -> Loaded:
    return only_system(_load(options.predictions, options))


def _roles(options: argparse.Namespace) -> dict[str, Any]:
    roles: dict[str, Any] = {}
    for role, column in options.map:
        roles[role] = (*roles.get(role, ()), column)
    if options.where:
        roles["where"] = tuple(options.where)
    if options.split_references is not None:
        roles["separator"] = SEPARATORS.get(options.split_references, options.split_references)
    return roles


def _announce(file: str | None) -> None:
    if file is not None and Path(file).is_file() and Path(file).stat().st_size > LARGE_FILE:
        _say(f"reading {file} ({Path(file).stat().st_size / 1e6:,.0f} MB)", sys.stderr)


def _progress(what: str = "items", done_as: str = "scored") -> Any:
    """Give a callback that reports once a second, and not at all for short work."""
    said = [time.monotonic()]

    def progress(done: int, items: int | None = None) -> None:
        if time.monotonic() - said[0] > SECONDS_OF_SILENCE:
            said[0] = time.monotonic()
            of = "" if items is None else f" of {items:,}"
            print(f"{done_as} {done:,}{of} {what}", file=sys.stderr)

    return progress


def _as_table(scores: Scores, loaded: Loaded, labels: str | None) -> list[str]:
    read = [f"{table.name}: {table.recognised}" for table in loaded.tables]
    warnings = [f"warning: {warning}" for warning in loaded.warnings]
    below = [*cli_labels.lines(scores, labels), "", *read, *loaded.report.lines(), *warnings]
    return cli_table.lines(scores.summary(), scores.preset, _no_answer(scores), below)


def _no_answer(scores: Scores) -> dict[str, float]:
    """Give SQuAD v2's own figures, where some items have no answer."""
    if scores.preset.no_references != "no_answer" or has_answer(scores).all():
        return {}
    variant: Variant = "hugging_face" if scores.preset.name == "hf_squad_v2" else "official"
    return figures(scores, recorded_probabilities(scores), variant=variant).as_script()


def _as_json(scores: Scores, loaded: Loaded, labels: str | None, found: Sequence[Measured]) -> str:
    dataset = scores.dataset
    columns = {name: _floats(getattr(scores, name)) for name in NUMBERS}
    items = [
        {"id": identity, "place": place, **{name: column[row] for name, column in columns.items()}, "unscored": scores.unscored[row]}
        | ({"measures": cli_measures.of_item(found, row)} if found else {})
        for row, (identity, place) in enumerate(zip(dataset.ids, dataset.places or dataset.ids, strict=True))
    ]
    summary = {name: None if isinstance(value, float) and np.isnan(value) else value for name, value in asdict(scores.summary()).items()}
    content = {
        "summary": summary,
        **({"squad_v2": no_answer} if (no_answer := _no_answer(scores)) else {}),
        **cli_labels.as_json(scores, labels),
        **({"measures": cli_measures.as_json(found)} if found else {}),
        "system": dataset.system,
        "files": [{"name": table.name, "recognised": table.recognised} for table in loaded.tables],
        "report": _report(loaded.report),
        "warnings": list(loaded.warnings),
        "items": items,
    }
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1)


def _floats(values: Any) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]


def _report(report: JoinReport) -> dict[str, Any]:
    counts = {"how": report.how, "items": report.items, "matched": report.matched}
    lists = {name: [dict(zip(("id", "place", "reason"), row, strict=True)) for row in listing.rows()] for name, listing in report.named.items()}
    return {**counts, **{name: {"count": len(rows), "rows": rows} for name, rows in lists.items()}}


def _trace(options: argparse.Namespace) -> None:
    text = sys.stdin.read() if options.text == "-" else options.text
    trace = evalcore.trace(text, preset=options.preset, side=options.side)
    width = max((len(stage.step.title) for stage in trace.stages), default=0)
    print(f"{'raw':{width + 3}}  {trace.raw!r}")
    for number, stage in enumerate(trace.stages, 1):
        print(f"{number}. {stage.step.title:{width}}  {stage.after!r}" if stage.changed else f"{number}. {stage.step.title:{width}}  (no change)")
    print(f"{'result':{width + 3}}  {trace.result!r}")


def _presets(options: argparse.Namespace) -> None:
    chosen = tuple(map(evalcore.preset, options.names)) or evalcore.presets()
    if options.markdown:
        print(document.markdown(chosen), end="")
    elif options.names:
        print("\n\n".join(map(document.plain_text, chosen)))
    else:
        print("\n".join(map(_described, chosen)))


def _described(preset: Preset) -> str:
    lines = (preset.name, preset.summary, preset.source and f"source: {preset.source} {preset.version}".rstrip(), preset.signature)
    return "\n    ".join(line for line in lines if line)


def _formats(options: argparse.Namespace) -> None:
    for format in FORMATS:
        print(f"{format.name}\n    {format.summary}")
