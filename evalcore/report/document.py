"""A report: what was scored, how, and what came out, as sections any writer can lay out.

All texts are plain: a writer escapes every one of them, ours and the user's alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import isnan

import numpy as np
import numpy.typing as npt

from evalcore.analysis.aggregates import NAMES, by_answerable, intervals, method
from evalcore.analysis.best_reference import best_reference
from evalcore.analysis.comparison import Comparison
from evalcore.analysis.differences import sentence
from evalcore.analysis.effect import p_value, signed
from evalcore.analysis.lanes import Lanes, lanes
from evalcore.analysis.reasons.find import NONE, Reasons
from evalcore.analysis.reasons.table import REASONS
from evalcore.analysis.runs import cluster_labels
from evalcore.analysis.slices import SliceRow, Slicing, all_items, macro_row, slice_table, slicings
from evalcore.report.comparison import effects, named, percent
from evalcore.report.replay import CannotReplay, paper_line, replay_script, source_of
from evalcore.scoring.buckets import BUCKETS, NEAR_MISS_F1, Bucket, bucket_codes
from evalcore.scoring.preset import Preset
from evalcore.scoring.presets import PRESETS, changes
from evalcore.scoring.presets.document import rule_texts, step_text
from evalcore.scoring.scores import Scores
from evalcore.scoring.statistics import SMALL, Interval
from evalcore.text.amounts import amount
from evalcore.version import VERSION

EXAMPLES = 20
MOST_GROUPS = 25
SHOWN_BUCKETS: tuple[Bucket, ...] = ("near_miss", "partial", "miss", "empty_match")
BUCKET_WORDS: dict[Bucket, str] = {
    "match": "EM 1",
    "empty_match": "EM 1, nothing left of the prediction",
    "near_miss": "EM 0, F1 at least {near:g}",
    "partial": "EM 0, F1 below {near:g}",
    "miss": "EM 0, F1 0",
    "unscored": "no score; in no average",
}


@dataclass(frozen=True)
class Lines:
    """Sentences, one a line; numbered where their order counts."""

    lines: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True)
class Table:
    """Cells as they are shown; `texts` counts the columns from the left that are no numbers."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    folded: str = ""


@dataclass(frozen=True)
class Code:
    """A text to copy as it is, under a title; `kind` names its language."""

    title: str
    text: str
    kind: str = ""


@dataclass(frozen=True, eq=False)
class LanesChart:
    """The two lanes of F1."""

    counted: Lanes


@dataclass(frozen=True, eq=False)
class ForestChart:
    """Groups with both measures and their intervals on one axis; None for a measure there is none of. `said` tells how to read it."""

    name: str
    rows: tuple[tuple[str, Interval | None, Interval | None, bool], ...]
    em_name: str
    said: str


@dataclass(frozen=True)
class Example:
    """One item that shows what happened; `facts` are short texts about it."""

    title: str
    facts: tuple[str, ...]
    question: str | None
    reference: str | None
    prediction: str | None


@dataclass(frozen=True)
class Examples:
    """Items, each with the diff of its reference and its prediction."""

    items: tuple[Example, ...]


Block = Lines | Table | Code | LanesChart | ForestChart | Examples


@dataclass(frozen=True)
class Section:
    """A part of the report under a title; `note` is one line that says how to read it."""

    title: str
    blocks: tuple[Block, ...]
    note: str = ""


@dataclass(frozen=True)
class Report:
    """A title, a line under it, and sections in order."""

    title: str
    under: str
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class Chosen:
    """What a report holds beside the numbers.

    `reasons`: those of the same scores, where they were found.
    `comparison`: with `names` of its two sides. `slices`: names of
    groupings, all of them when None. `commands`: the lines that give the
    numbers again. `labels`: what a label set shows, see `report.labels`.
    `clusters`: a column, such as "context", whose equal texts are drawn together.
    """

    reasons: Reasons | None = None
    comparison: Comparison | None = None
    names: tuple[str, str] = ("before", "after")
    slices: tuple[str, ...] | None = None
    examples: int = EXAMPLES
    near: float = NEAR_MISS_F1
    commands: tuple[str, ...] = field(default=())
    labels: Section | None = None
    clusters: str | None = None


def report(scores: Scores, chosen: Chosen | None = None) -> Report:
    """Gather a report of a run.

    Raises: ValueError when there is no such column as `clusters`.

    >>> from evalcore.scoring.score import score
    >>> [section.title for section in report(score(["a cat"], [["cat"]]), Chosen(slices=())).sections]
    ['Numbers', 'Settings', 'Cells', 'Reproduce']
    """
    chosen = chosen or Chosen()
    sections = [_numbers(scores, chosen.clusters), _settings(scores.preset), _cells(scores, chosen.near)]
    sections += [_reasons(chosen.reasons)] if chosen.reasons is not None else []
    sections += [chosen.labels] if chosen.labels is not None else []
    sections += _slices(scores, chosen)
    sections += [_comparison(_together(chosen.comparison, chosen.clusters), chosen.names)] if chosen.comparison is not None else []
    sections += _examples(scores, chosen)
    sections.append(_reproduce(scores.preset, chosen.commands))
    data = scores.dataset
    named = " · ".join(part for part in dict.fromkeys((data.name, data.system)) if part)
    under = f"{amount(len(scores), 'item')} under {scores.preset.title or scores.preset.name}; Whymiss {VERSION}"
    return Report(named or "Answers", under, tuple(sections))


def with_interval(interval: Interval) -> str:
    """Write an estimate with its interval, out of 100."""
    return f"{percent(interval.low)} to {percent(interval.high)}" if interval.count else "n/a"


def _numbers(scores: Scores, clusters: str | None) -> Section:
    preset, summary, found = scores.preset, scores.summary(), intervals(scores, clusters)
    names = {**NAMES, "em": preset.em_name or "EM"}
    measures = tuple((names[name], percent(interval.estimate), with_interval(interval), f"{interval.count:,}") for name, interval in found.items())
    counts = [("items", summary.items), ("scored", summary.scored)]
    counts += [(f"unscored: {reason}", number) for reason, number in summary.unscored.items()]
    treated = "counted as wrong" if preset.missing == "wrong" else "left out"
    counts += [(f"missing predictions, {treated}", summary.missing), ("empty predictions", summary.empty)]
    counts += [("nothing left of the prediction after normalization", summary.emptied)]
    blocks = (Table(("measure", "of 100", "95 % interval", "items"), measures), Table(("count", "items"), tuple((name, f"{n:,}") for name, n in counts)))
    return Section("Numbers", blocks, method(found, preset, clusters))


def _settings(preset: Preset) -> Section:
    changed = changes(preset) if preset.name in PRESETS else ()
    lines = [f"Preset {source_of(preset)}"]
    lines += [f"Changed: {change}" for change in changed] or ["As published, unchanged."]
    steps = tuple(map(step_text, preset.pipeline)) or ("No step: the texts are compared as they are.",)
    about = (preset.differs and f"Differs: {preset.differs}",)
    blocks = (Lines(tuple(lines)), Lines(steps, numbered=True), Lines((*rule_texts(preset), *filter(None, about))), Code("Signature", preset.signature))
    return Section("Settings", blocks, "What happens to every text, in order, and how the two sides are compared.")


def _cells(scores: Scores, near: float) -> Section:
    counted = lanes(scores, near)
    total = max(1, len(scores))
    rows = tuple(
        (bucket.replace("_", " ").capitalize(), BUCKET_WORDS[bucket].format(near=near), f"{counted.totals[bucket]:,}", percent(counted.totals[bucket] / total))
        for bucket in BUCKETS
    )
    table = Table(("cell", "what it holds", "items", "of 100"), rows, texts=2)
    if not scores.preset.has_f1:
        return Section("Cells", (table,))
    bars = tuple((_range(bar.f1.low, bar.f1.high), f"{bar.matched:,}", f"{bar.missed:,}") for bar in counted.bars)
    every = Table(("F1", "right", "wrong"), bars, folded="Items at every F1")
    return Section("Cells", (LanesChart(counted), table, every))


def _range(low: float, high: float) -> str:
    return f"exactly {low:g}" if low == high else f"{low:g} to {high:g}"


def _reasons(reasons: Reasons) -> Section:
    rows = tuple((count.reason.title, count.reason.kind, count.reason.summary, f"{count.items:,}", percent(count.points)) for count in reasons.counts())
    note = "Every failed item counts under its main reason; the points are what EM would gain without it."
    return Section("Reasons", (Table(("reason", "kind", "what it means", "items", "points"), rows, texts=3),), note)


def _together(comparison: Comparison, column: str | None) -> Comparison:
    """Draw whole clusters in a comparison too."""
    return comparison if column is None else replace(comparison, clusters=cluster_labels(comparison.after, column))


def _slices(scores: Scores, chosen: Chosen) -> list[Section]:
    clusters = None if chosen.clusters is None else cluster_labels(scores, chosen.clusters)
    return [_slice(scores, slicing, clusters) for slicing in groupings(scores) if chosen.slices is None or slicing.name in chosen.slices]


def groupings(scores: Scores) -> tuple[Slicing, ...]:
    """Give every way a report may group the items."""
    return tuple(slicing for slicing in (by_answerable(scores), *slicings(scores.dataset)) if slicing is not None)


def _slice(scores: Scores, slicing: Slicing, clusters: npt.NDArray[np.int64] | None) -> Section:
    preset = scores.preset
    groups = slice_table(scores, slicing, clusters)
    shown = (all_items(scores, clusters), macro_row(groups), *groups[:MOST_GROUPS])
    heads = [slicing.name, "items"] + [preset.em_name, "95 % interval"] * preset.has_em + ["F1", "95 % interval"] * preset.has_f1
    rows = tuple(_group_cells(row, preset) for row in shown)
    more = f" The {len(groups) - MOST_GROUPS:,} smaller groups are left out." if len(groups) > MOST_GROUPS else ""
    dots = " and ".join(
        f"{mark} {name}" for mark, name, there in (("filled dots:", preset.em_name, preset.has_em), ("open dots:", "F1", preset.has_f1)) if there
    )
    small = f"{SMALL} items" if clusters is None else f"{SMALL} items or clusters"
    said = f"{dots[:1].upper()}{dots[1:]}, with 95 % intervals; groups of fewer than {small} are pale."
    chart = ForestChart(slicing.name, tuple((row.label, *_sides(row, preset), row.small) for row in shown), preset.em_name or "EM", said)
    note = f"Groups of fewer than {small} say little.{more}"
    return Section(f"By {slicing.name}", (chart, Table(tuple(heads), rows)), note)


def _sides(row: SliceRow, preset: Preset) -> tuple[Interval | None, Interval | None]:
    return row.em if preset.has_em else None, row.f1 if preset.has_f1 else None


def _group_cells(row: SliceRow, preset: Preset) -> tuple[str, ...]:
    measures = [part for side in _sides(row, preset) if side is not None for part in (percent(side.estimate), with_interval(side))]
    return (row.label, f"{len(row.rows):,}", *measures)


def _comparison(comparison: Comparison, names: tuple[str, str]) -> Section:
    rows = tuple(
        (
            named(effect, comparison),
            percent(effect.before),
            percent(effect.after),
            signed(effect.difference.estimate),
            f"{signed(effect.difference.low)} to {signed(effect.difference.high)}",
            p_value(effect.test.p).removeprefix("= "),
            f"{effect.fixed:,}",
            f"{effect.broken:,}",
        )
        for effect in effects(comparison)
    )
    heads = ("measure", "before", "after", "difference", "95 % interval", "p", "rose", "fell")
    became = ("both right", "fixed", "broken", "both wrong")
    counts = tuple((name, f"{len(getattr(comparison, name.replace(' ', '_'))):,}") for name in became)
    said = (f"Before: {names[0]}", f"After: {names[1]}", sentence(comparison), *comparison.cautions)
    return Section(
        "Comparison",
        (Lines(said), Table(heads, rows), Table(("items", "count"), counts)),
        f"{amount(comparison.compared, 'item is', 'items are')} scored on both sides.",
    )


def example_rows(scores: Scores, count: int, near: float = NEAR_MISS_F1) -> tuple[int, ...]:
    """Choose items that did not match: as many of each cell in turn, the highest F1 first."""
    codes = bucket_codes(scores, near)
    height = np.where(np.isnan(scores.f1), 0.0, scores.f1)
    lists = [sorted(np.flatnonzero(codes == BUCKETS.index(bucket)).tolist(), key=lambda row: (-height[row], row)) for bucket in SHOWN_BUCKETS]
    taken: list[int] = []
    for place in range(max(map(len, lists), default=0)):
        taken += [rows[place] for rows in lists if place < len(rows)]
        if len(taken) >= count:
            break
    return tuple(sorted(taken[:count], key=lambda row: (codes[row], -height[row], row)))


def _examples(scores: Scores, chosen: Chosen) -> list[Section]:
    rows = example_rows(scores, chosen.examples, chosen.near)
    if not rows:
        return []
    codes = bucket_codes(scores, chosen.near)
    items = tuple(_example(scores, row, BUCKETS[codes[row]], chosen.reasons) for row in rows)
    return [Section("Examples", (Examples(items),), "As many of each cell as there is room for.")]


def _example(scores: Scores, row: int, bucket: Bucket, reasons: Reasons | None) -> Example:
    data = scores.dataset.take([row])
    references = data.references[0]
    best = best_reference(scores, row)
    facts = [bucket.replace("_", " ")]
    facts += [f"{name} {percent(value)}" for name, value in ((scores.preset.em_name, scores.em[row]), ("F1", scores.f1[row])) if not isnan(value)]
    facts += [f"reason: {REASONS[reasons.codes[row]].title.lower()}"] if reasons is not None and reasons.codes[row] != NONE else []
    facts += [f"best of {len(references)} references"] if len(references) > 1 else []
    place = None if data.places is None else data.places[0]
    facts += [place] if place else []
    question = None if data.questions is None else data.questions[0]
    reference = references[best] if 0 <= best < len(references) else None
    return Example(data.ids[0] or str(row), tuple(facts), question, reference, data.predictions[0])


def _reproduce(preset: Preset, commands: Sequence[str]) -> Section:
    blocks: list[Block] = [Code("For a paper", paper_line(preset))]
    blocks += [Code("On the command line", "\n".join(commands), "sh")] if commands else []
    blocks.append(Code("The settings as JSON, settings.json", preset.to_json(), "json"))
    try:
        blocks.append(Code("A script of its own, replay.py: give it the items exported as JSONL", replay_script(preset), "python"))
    except CannotReplay as reason:
        blocks.append(Lines((f"{reason}.",)))
    return Section("Reproduce", tuple(blocks))
