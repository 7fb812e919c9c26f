"""The command line's report: one HTML file, Markdown, and a script that gives the numbers again."""

import argparse
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from evalcore import cli_labels, cli_settings
from evalcore.analysis.comparison import Comparison, compare
from evalcore.analysis.reasons.find import find_reasons
from evalcore.analysis.runs import cluster_labels
from evalcore.cli_files import write
from evalcore.data import DataError, Loaded, only_system
from evalcore.report.document import EXAMPLES, Chosen, groupings, report
from evalcore.report.html import as_html
from evalcore.report.markdown import as_markdown
from evalcore.report.replay import CannotReplay, replay_script
from evalcore.scoring.buckets import NEAR_MISS_F1
from evalcore.scoring.chunks import Progress
from evalcore.scoring.score import score
from evalcore.scoring.scores import Scores

MOST_EXAMPLES = 1_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is particular to reports."""
    parser.add_argument("predictions", metavar="PREDICTIONS", help="file with the predictions, and maybe the references")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the report as one HTML file")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the report as Markdown")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="write a Python script that gives the numbers again from items exported as JSONL")
    parser.add_argument("--before", metavar="FILE", help="compare with this earlier run on the same items")
    parser.add_argument("--reasons", action="store_true", help="find why items failed; takes a while for many items")
    parser.add_argument("--slice", action="append", default=None, metavar="NAME", help="group by NAME, such as script or a column; all groupings without it")
    parser.add_argument("--cluster", metavar="COLUMN", help="items with equal texts in COLUMN, such as context, are drawn together")
    parser.add_argument("--examples", type=_count, default=EXAMPLES, metavar="N", help=f"items to show ({EXAMPLES})")
    parser.add_argument("--near", type=_share, default=NEAR_MISS_F1, metavar="F1", help=f"the F1 a near miss has at least ({NEAR_MISS_F1:g})")
    cli_labels.add_arguments(parser)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) > MOST_EXAMPLES:
        raise argparse.ArgumentTypeError(f"{text!r} is given; a whole number from 0 to {MOST_EXAMPLES:,} is needed")
    return int(text)


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is given; an F1 above 0 and up to 1 is needed, such as 0.8")
    return value


def run(options: argparse.Namespace, load: Callable[[str], Loaded], progress: Progress) -> str:
    """Write what was asked for; give one line that names the files.

    Raises: DataError when nothing is asked for or a file cannot be written, and what loading and scoring raise.
    """
    if not (options.html or options.markdown or options.replay):
        raise DataError("nothing is asked for; name at least one of --html FILE, --markdown FILE, --replay FILE")
    preset = cli_settings.chosen(options)
    script = _script(options) if options.replay else ""
    scores = score(only_system(load(options.predictions)).datasets[0], preset=preset, progress=progress)
    chosen = Chosen(slices=None if options.slice is None else tuple(options.slice), examples=options.examples, near=options.near, commands=(_command(options),))
    _require_groupings(scores, chosen.slices or ())
    if options.cluster:
        chosen = replace(chosen, clusters=_column(scores, options.cluster))
    if options.before:
        earlier = score(only_system(load(options.before)).datasets[0], preset=preset, progress=progress)
        chosen = replace(chosen, comparison=_compared(earlier, scores), names=(Path(options.before).name, Path(options.predictions).name))
    chosen = replace(chosen, labels=cli_labels.section(scores, options.labels))
    if options.reasons:
        chosen = replace(chosen, reasons=find_reasons(scores))
    written = []
    document = report(scores, chosen)
    for file, content in ((options.html, as_html), (options.markdown, as_markdown)):
        if file:
            written.append(write(file, content(document)))
    written += [write(options.replay, script.encode())] if options.replay else []
    return f"wrote {', '.join(written)}"


def _require_groupings(scores: Scores, names: Sequence[str]) -> None:
    there = [slicing.name for slicing in groupings(scores)]
    unknown = [name for name in names if name not in there]
    if unknown:
        raise DataError(f"--slice {', '.join(map(repr, unknown))} groups nothing here; groupings there are: {', '.join(map(repr, there)) or 'none'}")


def _column(scores: Scores, name: str) -> str:
    try:
        cluster_labels(scores, name)
    except ValueError as error:
        raise DataError(str(error)) from None
    return name


def _compared(before: Scores, after: Scores) -> Comparison:
    try:
        return compare(before, after)
    except ValueError as error:
        raise DataError(str(error)) from None


def _script(options: argparse.Namespace) -> str:
    try:
        return replay_script(cli_settings.chosen(options))
    except CannotReplay as reason:
        raise DataError(f"{reason}; leave --replay out") from None


def _command(options: argparse.Namespace) -> str:
    """Write the line that scores the same file under the same settings."""
    words = ["whymiss", "score", options.predictions]
    given = {name: getattr(options, name) for name in ("references", "how", "encoding", "references_encoding", "sheet", "references_sheet")}
    words += [part for name, value in given.items() if value is not None for part in (f"--{name.replace('_', '-')}", value)]
    words += [part for file in options.add for part in ("--add", file)]
    words += ["--settings", options.settings] if options.settings else ["--preset", options.preset]
    words += ["--missing-wrong"] * options.missing_wrong
    words += ["--labels", options.labels] if options.labels is not None else []
    words += [part for option, pairs in (("--map", options.map), ("--where", options.where)) for name, value in pairs for part in (option, f"{name}={value}")]
    words += ["--split-references", options.split_references] if options.split_references is not None else []
    return shlex.join(words)
