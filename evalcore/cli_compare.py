"""The command line's compare: two runs, two settings, many runs, and gates."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evalcore import cli_settings
from evalcore.analysis.comparison import Comparison, compare
from evalcore.analysis.gate import QUANTITIES, Finding, Gate, GateError
from evalcore.analysis.runs import cluster_labels, compare_runs, run_names
from evalcore.cli_files import write
from evalcore.data import DataError, Loaded
from evalcore.report.comparison import as_json, as_junit, as_markdown, as_text, table_text
from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import preset as preset_named
from evalcore.scoring.score import score
from evalcore.scoring.scores import Scores
from evalcore.text.names import UnknownName

STOPPED = 1


@dataclass(frozen=True)
class Outcome:
    """What to write to standard output, and the exit status."""

    text: str
    status: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what compare accepts, beside how files are read."""
    parser.add_argument("predictions", nargs="+", metavar="RUN", help="files with predictions, the old run first; a file may hold several systems")
    parser.add_argument("--preset-after", metavar="NAME", help="score the second run, or the only one once more, under this preset")
    parser.add_argument("--measure", choices=("em", "f1", "precision", "recall"), default="em", help="what to compare more than two runs by (em)")
    parser.add_argument("--cluster", metavar="COLUMN", help="items with equal texts in COLUMN, such as context, are drawn together")
    parser.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=_gate,
        metavar="CONDITIONS",
        help=f"exit with status {STOPPED} when they all hold, such as 'em < -1.0 and em.p < 0.05'; may be repeated; quantities: {', '.join(QUANTITIES)}",
    )
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write a Markdown summary, for a pull request")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML, one test case a gate")
    parser.add_argument("--json", action="store_true", help="write the comparison as JSON, numbers unrounded")


def _gate(source: str) -> Gate:
    try:
        return Gate.parse(source)
    except (GateError, UnknownName) as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(options: argparse.Namespace, load: Callable[[str], Loaded]) -> Outcome:
    """Compare the runs of the files; `load` reads one of them.

    Raises: DataError when the runs cannot be compared, and what loading and scoring raise.
    """
    preset = cli_settings.chosen(options)
    after = _preset(options.preset_after, options) if options.preset_after else preset
    datasets = [dataset for file in options.predictions for dataset in load(file).datasets]
    settings = [preset, *[after] * max(1, len(datasets) - 1)]
    if len(datasets) == 1 and options.preset_after:
        datasets = datasets * 2
    runs = [score(dataset, preset=chosen) for dataset, chosen in zip(datasets, settings, strict=False)]
    try:
        return _many(options, runs) if len(runs) != 2 else _two(options, compare(*runs), _names(runs, after is preset))
    except ValueError as error:
        raise DataError(str(error)) from None


def _preset(name: str, options: argparse.Namespace) -> Preset:
    found = preset_named(name)
    return found.with_rules(missing="wrong") if options.missing_wrong else found


def _names(runs: Sequence[Scores], same_settings: bool) -> list[str]:
    names = run_names(runs)
    return names if same_settings else [f"{name}, {scores.preset.name}" for name, scores in zip(names, runs, strict=True)]


def _two(options: argparse.Namespace, comparison: Comparison, names: list[str]) -> Outcome:
    if options.cluster:
        comparison = replace(comparison, clusters=cluster_labels(comparison.before, options.cluster))
    findings: list[Finding] = [gate.check(comparison) for gate in options.fail_if]
    if options.markdown:
        write(options.markdown, as_markdown(comparison, names, findings).encode("utf-8", "backslashreplace"))
    if options.junit:
        write(options.junit, as_junit(comparison, names, findings).encode())
    shown = as_json if options.json else as_text
    return Outcome(shown(comparison, names, findings), STOPPED if any(finding.stops for finding in findings) else 0)


def _many(options: argparse.Namespace, runs: list[Scores]) -> Outcome:
    if options.fail_if or options.markdown or options.junit or options.json:
        raise DataError(f"--fail-if, --markdown, --junit and --json need two runs, and there are {len(runs)}; name two files of one system each")
    return Outcome(table_text(compare_runs(runs, options.measure, clusters=options.cluster)), 0)
